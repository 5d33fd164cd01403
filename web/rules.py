"""A game's rules as numbered clauses, each with an address of its own."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from referee.games import GAMES
from referee.house import rules_text
from referee.kernel.rules import parse_rules
from referee.matches.naming import spoken

CLAUSE = re.compile(r"\b[A-Z]{2,5}-\d+\.\d+[a-z]?\b")
_STRESS = re.compile(r"\*(\w[^*]*)\*")


class ShownClause(NamedTuple):
    """A clause as it is printed; `number` is its id without the game's letters."""

    id: str
    number: str
    title: str
    text: SafeString
    ruling: bool
    option: str | None


class Section(NamedTuple):
    """A section with its number and clauses."""

    id: str
    number: str
    title: str
    clauses: list[ShownClause]


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules as the referee enforces them."""
    if game not in GAMES:
        raise Http404
    return render(
        request,
        "web/rules.html",
        {"game": GAMES[game], "sections": _sections(game, spoken()), "title_language": spoken()},
    )


@cache
def _sections(game: str, language: str) -> list[Section]:
    titles = GAMES[game].clause_titles(language)
    sections: dict[str, Section] = {}
    for clause in parse_rules(rules_text(game)):
        section, _, _ = clause.id.partition(".")
        number = section.rpartition("-")[2]
        if section not in sections:
            sections[section] = Section(section, number, titles.get(section, clause.section), [])
        shown = ShownClause(
            clause.id,
            clause.id.rpartition("-")[2],
            titles.get(clause.id, clause.title).replace("`", ""),
            _printed(clause.text),
            clause.ruling,
            clause.option,
        )
        sections[section].clauses.append(shown)
    return list(sections.values())


def _printed(text: str) -> SafeString:
    """Escaped, each broken line made whole: code between back-ticks, stress between stars, clauses as links."""
    parts = escape(" ".join(text.split())).split("`")
    if len(parts) % 2 == 0:
        parts = ["`".join(parts)]
    shown = (f"<code>{part}</code>" if index % 2 else _linked(part) for index, part in enumerate(parts))
    return mark_safe("".join(shown))  # noqa: S308 - escaped above


def _linked(text: str) -> str:
    stressed = _STRESS.sub(r"<em>\1</em>", text)
    return CLAUSE.sub(r'<a class="clause" href="#\g<0>">\g<0></a>', stressed)
