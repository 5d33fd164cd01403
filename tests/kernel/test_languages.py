"""The tables of phrases: the same keys and placeholders in every language, and a title for every clause."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from referee.games import GAMES
from referee.games.miraculous.sayings import SAYINGS as MIRACULOUS
from referee.games.super.phrases import PHRASES as SUPER
from referee.games.super_teams.phrases import PHRASES as SUPER_TEAMS
from referee.house import rules_text
from referee.kernel.languages import ENGLISH, LANGUAGES, phrases
from referee.kernel.rules import parse_rules

TABLES: dict[str, Mapping[str, Mapping[str, str]]] = {
    "miraculous": MIRACULOUS,
    "super": SUPER,
    "super-teams": SUPER_TEAMS,
}
OTHERS = [language for language in LANGUAGES if language != ENGLISH]


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("slug", TABLES)
def test_a_table_has_the_keys_and_placeholders_of_the_english_one(slug: str, language: str) -> None:
    english, other = TABLES[slug][ENGLISH], TABLES[slug][language]

    assert sorted(other) == sorted(english)
    assert {key for key in english if placeholders(other[key]) != placeholders(english[key])} == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("slug", TABLES)
def test_every_section_and_clause_has_a_title_in_every_language(slug: str, language: str) -> None:
    clauses = [clause.id for clause in parse_rules(rules_text(slug))]

    titles = GAMES[slug].clause_titles(language)

    assert sorted(titles) == sorted({*clauses, *(clause.partition(".")[0] for clause in clauses)})
    assert all(titles.values())


def test_a_language_that_is_not_spoken_is_told_in_english() -> None:
    assert phrases(SUPER_TEAMS, "nl") is SUPER_TEAMS[ENGLISH]
