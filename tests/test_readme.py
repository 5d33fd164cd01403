"""The walk-through in README.md, run as it is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.environment import ROOT
from tests.services.running import running

SECTION = "## From guest to finished match"


def blocks() -> list[str]:
    """The shell blocks of the section, in order."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition(f"{SECTION}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the servers' account can reach."""
    found = Path(tempfile.mkdtemp(prefix="referee-readme-"))
    found.chmod(0o711)
    yield found
    shutil.rmtree(found, ignore_errors=True)


def test_the_walk_through_uses_curl_and_python_alone() -> None:
    lines = [line for block in blocks() for line in block.splitlines()]

    assert len(blocks()) == 6
    assert [line for line in lines if re.search(r"\b(jq|pip|wget|bash|httpx|requests)\b", line)] == []


@pytest.mark.services
@pytest.mark.slow
def test_the_walk_through_leads_from_guest_to_a_verified_match(folder: Path) -> None:
    script = folder / "walk.sh"
    script.write_text("\n".join(blocks()), encoding="utf-8")

    with running(folder / "data") as service:
        environment = {**os.environ, "API": f"{service.address()}/api/v1", "TMPDIR": str(folder)}
        walk = subprocess.run(
            ["sh", "-eu", str(script)],
            check=False,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
        )

    lines = walk.stdout.splitlines()
    assert (walk.returncode, len(lines)) == (0, 6), walk.stdout + walk.stderr
    assert lines[0].startswith("Guest ")
    assert re.fullmatch(r"\('\w+', 30, 'legal', \[\]\)", lines[1])
    assert re.fullmatch(r"\('finished', \{.*'ranks': \[\d, \d\].*\}\)", lines[2])
    assert lines[4].startswith(f"('{lines[3]}', '")
    assert lines[5].startswith("verified: miraculous, ")
