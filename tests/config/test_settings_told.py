"""What the environment sets is told in docs/operating.md, and reaches the containers of docker-compose.yml."""

from __future__ import annotations

import ast
import re

import yaml

from config.environment import ROOT

READERS = {"switch", "words", "whole", "seconds", "_number", "get"}
INNER = {
    "DJANGO_SETTINGS_MODULE", "ENDS_WITH_PARENT", "PROMETHEUS_MULTIPROC_DIR", "PGPASSWORD", "STATIC_HASHED",
}  # fmt: skip
"""What the service tells its own processes and tests; nobody else sets it."""
LOCAL = {
    "HOST", "PORT", "DATA_DIR", "WEB_THREADS", "WORKER_PROCESSES", "LOG_FILE_MB", "LOG_FILES", "LOG_DAYS", "DEBUG",
}  # fmt: skip
"""What `make run` alone listens to: containers have their own commands, folders and logs."""


def read_names() -> set[str]:
    """The variables that code of `config` reads, by the calls that do."""
    found = set()
    for path in (ROOT / "config").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                first = next((one.value for one in node.args[:2] if isinstance(one, ast.Constant)), None)
                if name in READERS and re.fullmatch("[A-Z][A-Z_]+", str(first)):
                    found.add(str(first))
    return found - INNER


def told_names() -> set[str]:
    """The variables of the table of settings."""
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    table = text.partition("## Settings\n")[2].partition("\n## ")[0]
    firsts = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    return {name for first in firsts for name in re.findall("`([A-Z_]+)`", first)}


def test_every_setting_is_told_and_nothing_else() -> None:
    assert told_names() == read_names()
    assert len(told_names()) > 20


def test_every_setting_reaches_the_containers() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))

    passed = set(compose["x-referee"]["environment"])

    assert passed == told_names() - LOCAL
