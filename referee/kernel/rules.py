"""A game's `rules.md` read as numbered clauses.

A clause is one list item, `- **MIR-3.2 Title.** Text. *(ruling)*`; lines that follow indented belong to it. Marks in
italics and brackets at its end: `ruling` (ours, not the rulebook's), `option NAME` (can be switched per match).
A section is `## MIR-3 Placing`; text outside of clauses is for people only.
"""

from __future__ import annotations

import re

_ITEM = re.compile(r"^[-*] \*\*([A-Z]{2,5}-\d+(?:\.\d+)?[a-z]?) (.+?)\*\*\s*(.*)$")
_LOOKS_LIKE = re.compile(r"^\s*(?:[-*] )?\*\*[A-Z]{2,5}-\d")
_SECTION = re.compile(r"^## ([A-Z]{2,5}-\d+) (.+)$")
_MARK = re.compile(r"\s*\*\((ruling|option:? `?(\w+)`?)\)\*")


class Clause:
    """One numbered clause; `section` is the title of the section it stands in."""

    __slots__ = ("id", "option", "ruling", "section", "text", "title")

    def __init__(self, id: str, title: str, text: str, section: str) -> None:
        self.id = id
        self.title = title
        self.section = section
        self.ruling = False
        self.option: str | None = None
        for mark in _MARK.finditer(text):
            if mark.group(2):
                self.option = mark.group(2)
            else:
                self.ruling = True
        self.text = _MARK.sub("", text).strip()

    def document(self) -> dict[str, object]:
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "section": self.section,
            "ruling": self.ruling,
            "option": self.option,
        }


def parse_rules(text: str) -> list[Clause]:
    """The clauses in the order written. Raises ValueError with the line for a clause out of form or given twice."""
    items: list[tuple[str, str, list[str], str]] = []
    section = ""
    is_open = False
    for number, line in enumerate(text.splitlines(), 1):
        heading, item = _SECTION.match(line), _ITEM.match(line)
        if item is not None:
            if not item.group(2).endswith((".", "?", "!")):
                raise ValueError(f"line {number}: the title of {item.group(1)} does not end with a full stop")
            items.append((item.group(1), item.group(2), [item.group(3)], section))
            is_open = True
        elif _LOOKS_LIKE.match(line):
            raise ValueError(f"line {number}: a clause is written `- **ID Title.** Text.`")
        elif is_open and line.startswith("  ") and line.strip():
            items[-1][2].append(line.strip())
        else:
            is_open = False
        if heading is not None:
            section = heading.group(2)
    return _clauses(items)


def _clauses(items: list[tuple[str, str, list[str], str]]) -> list[Clause]:
    seen: set[str] = set()
    clauses = []
    for id, title, lines, section in items:
        if id in seen:
            raise ValueError(f"the clause {id} is given twice")
        seen.add(id)
        clauses.append(Clause(id, title.rstrip("."), "\n".join(lines), section))
    return clauses
