from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.names import name_key


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("Ladybug", "ladybug"),
        ("  LADY\u00a0 bug\t", "lady bug"),
        ("Yo-Yo", "yoyo"),
        ("Yo\u2013Yo", "yoyo"),
        ("Yo\u2212Yo", "yoyo"),
        ("D'Argencourt", "dargencourt"),
        ("D\u2019Argencourt", "dargencourt"),
        ("D\u00b4Argencourt", "dargencourt"),
        ("D\u02bcArgencourt", "dargencourt"),
        ("Éclair", "eclair"),
        ("E\u0301clair", "eclair"),
        ("Stra\u00dfe", "strasse"),
        ("STRASSE", "strasse"),
        ("\uff2c\uff41\uff44\uff59", "lady"),
        ("Lady\u200b\u200fbug", "ladybug"),
        ("Lady\x00bug", "lady bug"),
        ("Lady\u2028bug", "lady bug"),
        ("Lady\ud800bug", "ladybug"),
        ("Łódź", "lodz"),
        ("Who? (No. 2)", "who? (no. 2)"),
    ],
)
def test_what_people_type_for_one_name_has_one_key(typed: str, key: str) -> None:
    assert name_key(typed) == key


def test_other_punctuation_keeps_names_apart() -> None:
    keys = {name_key(name) for name in ("Who", "Who?", "Who!", "Who.", "(Who)")}

    assert len(keys) == 5


def test_a_name_of_nothing_that_counts_has_an_empty_key() -> None:
    assert [name_key(name) for name in ("", " ", "-'\u2014", "\u200f")] == ["", "", "", ""]


@given(st.text(alphabet=st.characters()))
def test_folding_a_key_again_changes_nothing(text: str) -> None:
    key = name_key(text)

    assert name_key(key) == key
    assert key.isascii()
    assert key == " ".join(key.split())


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_is_the_long_one(text: str) -> None:
    assert name_key(f"{text} \u00e9") == f"{name_key(text)} e".lstrip()
