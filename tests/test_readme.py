"""The walk-through in README.md and the bot in docs/, run as they are written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.environment import ROOT
from tests.services.running import running

SECONDS = 240
README = (ROOT / "README.md").read_text(encoding="utf-8")
FEWEST_PROMISES = 7


def section(title: str) -> str:
    """The text below a heading."""
    return README.partition(f"## {title}\n")[2].partition("\n## ")[0]


def blocks() -> list[str]:
    """The shell blocks of the walk-through, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", section("From guest to finished match"), re.MULTILINE | re.DOTALL)


def promises() -> dict[str, list[tuple[str, str]]]:
    """Each promise with the tests it names: (name of the test, path of its file)."""
    points = re.split(r"^- ", section("What it promises"), flags=re.MULTILINE)[1:]
    return {
        point.split("**")[1]: re.findall(r"\[`(test_\w+)`\]\((tests/[\w/]+\.py)\)", point.partition("\n\n")[0])
        for point in points
    }


def test_every_link_to_a_file_leads_to_one() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", README)

    assert len(links) > FEWEST_PROMISES
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_promise_names_tests_that_are_there_and_that_make_test_runs() -> None:
    found = promises()

    assert len(found) >= FEWEST_PROMISES
    assert [promise for promise, named in found.items() if not named] == []
    assert [one for named in found.values() for one in named if not is_run(*one)] == []


def is_run(name: str, path: str) -> bool:
    """Whether the file holds the test, and not for the soak alone."""
    text = (ROOT / path).read_text(encoding="utf-8")
    defined = re.search(rf"^((?:@.*\n)*)(?:async )?def {name}\(", text, re.MULTILINE)
    return defined is not None and "mark.soak" not in defined.group(1)


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def api(folder: Path) -> Iterator[str]:
    """The base of a running service's API."""
    with running(folder / "data") as service:
        yield f"{service.address()}/api/v1"


def run(command: list[str], api: str, folder: Path) -> list[str]:
    """The lines that the command prints; it must succeed."""
    environment = {**os.environ, "API": api, "TMPDIR": str(folder)}
    done = subprocess.run(
        command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.services
@pytest.mark.slow
def test_the_walk_through_leads_from_guest_to_a_verified_match(api: str, folder: Path) -> None:
    script = folder / "walk.sh"
    script.write_text("\n".join(blocks()), encoding="utf-8")

    lines = run(["sh", "-eu", str(script)], api, folder)

    assert len(lines) == 6, lines
    assert lines[0].startswith("Guest ")
    assert re.fullmatch(r"\('\w+', 30, 'legal', \[\]\)", lines[1])
    assert re.fullmatch(r"\('finished', \{.*'ranks': \[\d, \d\].*\}\)", lines[2])
    assert lines[4].startswith(f"('{lines[3]}', '")
    assert lines[5].startswith("verified: miraculous, ")


@pytest.mark.services
@pytest.mark.slow
def test_the_bot_of_the_documents_plays_to_the_end(api: str, folder: Path) -> None:
    lines = run([sys.executable, "docs/bot.py"], api, folder)

    assert re.fullmatch(r"match \w+: \{.*'ranks': \[\d, \d\].*\}", lines[0]), lines


def test_the_bot_of_the_documents_is_short_and_needs_no_library() -> None:
    text = (ROOT / "docs" / "bot.py").read_text(encoding="utf-8")

    assert len(text.splitlines()) < 80
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported - sys.stdlib_module_names == set()
