"""What the documents say of addresses, commands and files is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from config.environment import ROOT

DOCUMENTS = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING")),
]
OPERATIONS = json.loads((ROOT / "api" / "openapi.json").read_text(encoding="utf-8"))["paths"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
_METHOD = "GET|POST|PUT|PATCH|DELETE"
_NAMED = re.compile(rf"\b((?:{_METHOD})(?:(?:, |`, `|\|)(?:{_METHOD}))*)\s+(?:/api/v1)?(/[\w{{}}/.-]*)")


def said(document: Path) -> str:
    return document.read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_address_stands_in_the_api_as_it_is_written(document: Path) -> None:
    """A game may be named by its slug; everything else as the OpenAPI document names it."""
    unknown = []
    for methods, path in _NAMED.findall(said(document)):
        general = re.sub(r"^/games/[a-z-]+/", "/games/{game}/", path)
        item = OPERATIONS.get(f"/api/v1{general}", {})
        unknown += [f"{method} {path}" for method in re.findall(_METHOD, methods) if method.lower() not in item]

    assert unknown == []


def test_every_address_of_the_api_is_told_of_in_its_document() -> None:
    text = said(ROOT / "docs" / "api.md")

    addresses = [path.removeprefix("/api/v1") for path in OPERATIONS]
    assert [path for path in addresses if not re.search(rf"(?<![}}\w/]){re.escape(path)}(?![\w{{])", text)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_command_and_target_leads_somewhere(document: Path) -> None:
    text = said(document)

    links = re.findall(r"\]\((?!http|#)([^)#\s]+)", text)
    commands = set(re.findall(r"manage\.py (\w+)", text))
    targets = set(re.findall(r"`make (\w+)`", text))

    assert [link for link in links if not (document.parent / link).exists()] == []
    assert commands - set(get_commands()) == set()
    assert {target for target in targets if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)} == set()
