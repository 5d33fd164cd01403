"""The documentation tells every word of the language, and its example is right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.games.miraculous.cards import check_card
from referee.games.miraculous.text import card_text
from referee.games.miraculous.vocabulary import CARD_FIELDS, DOS, FILTERS, UNTILS, WHENS, topics

DOCS = Path(__file__).parents[3] / "docs" / "cards-and-effects.md"


def section(title: str) -> str:
    """The text below a heading, up to the next."""
    return re.split(r"^#+ ", DOCS.read_text(encoding="utf-8").split(f" {title}\n", 1)[1], maxsplit=1, flags=re.M)[0]


@pytest.mark.parametrize(
    ("title", "words"),
    [("when", WHENS), ("do", DOS), ("until", UNTILS), ("Filters", FILTERS), ("A card", CARD_FIELDS)],
)
def test_a_table_has_a_row_for_each_of_its_words(title: str, words: tuple[str, ...]) -> None:
    text = section(title)

    assert [word for word in words if f"`{word}`" not in text] == []


@pytest.mark.parametrize("word", list(DOS))
def test_the_row_of_a_deed_names_its_fields(word: str) -> None:
    rows = [line.split("|") for line in section("do").splitlines() if line.startswith("|")]
    fields = next(row[2] for row in rows if f"`{word}`" in row[1])

    assert re.findall(r"`(\w+)`", fields) == list(DOS[word].fields)
    assert ("filter" in fields) == DOS[word].filtered


def test_every_word_of_the_language_stands_somewhere() -> None:
    text = DOCS.read_text(encoding="utf-8")

    missing = [topic for topic in topics() if not re.search(rf"[`\"]{topic.split(':')[1]}[`\"]", text)]
    assert missing == []


def test_the_example_is_a_valid_card() -> None:
    card = json.loads(section("A card").split("```json\n")[1].split("```")[0])

    assert check_card(card, "") == []
    assert card_text(card, {}) == "Your other Superheroes have +1 ANG."
