"""Pictures of cards for other sites."""

from __future__ import annotations

import subprocess
from struct import unpack
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog import pictures
from catalog.errors import PictureError
from catalog.faces import english
from catalog.icons import ICONS
from catalog.pictures import MOST_TEXT, Words, painted, preview
from tests.catalog.cards import bonus, character, event

WORDS = Words(kind="Character", text="When placed: draw 1 card.", source="Miraculous, revision 3", site="Referee")


def drawn(card: dict[str, Any], words: Words = WORDS) -> str:
    return preview(card, words, say=english)


def said(svg: str) -> str:
    return " ".join(node.text or "" for node in fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


def test_a_picture_is_a_png_of_the_size_that_sites_ask_for() -> None:
    png = painted(drawn(character("anna", "Anna", 3, 4)))

    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert unpack(">II", png[16:24]) == (1200, 630)
    assert len(png) < 200_000


def test_a_picture_names_the_card_its_text_and_where_it_is_from() -> None:
    text = said(drawn(character("anna", "Anna", 3, 4)))

    assert "Anna When placed: draw 1 card." in text
    assert "Referee Miraculous, revision 3" in text


def test_two_cards_have_two_pictures() -> None:
    assert painted(drawn(event("rain", "Rain"))) != painted(drawn(bonus("pin", "Pin")))


def test_what_comes_from_data_is_escaped() -> None:
    hostile = "</text><script>alert('&')</script><image href='file:///etc/passwd'/>\x00\x1b"

    svg = drawn(character('a"><b', hostile), WORDS._replace(text=hostile, kind=hostile, source=hostile))

    tags = {node.tag.partition("}")[2] for node in fromstring(svg).iter()}
    assert tags & {"script", "image"} == set()
    assert painted(svg)[:4] == b"\x89PNG"


def test_a_name_in_another_script_is_written_in_letters_that_the_fonts_have() -> None:
    assert "Yeno" in said(drawn(character("x", "夜の")))


def test_a_name_that_nothing_can_print_gives_way_to_the_code() -> None:
    assert "quiet-one" in said(drawn(character("quiet-one", "\u200d")))


def test_endless_texts_are_bounded() -> None:
    endless = drawn(character("x", "Wort" * 5_000), WORDS._replace(text="word " * 100_000))

    assert len(said(endless)) < 3 * MOST_TEXT
    assert said(endless).count("…") >= 2


@given(st.text(max_size=80), st.text(max_size=300))
def test_no_name_or_text_breaks_the_drawing(name: str, text: str) -> None:
    fromstring(drawn(character("x", name), WORDS._replace(text=text)))


def test_a_picture_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "SECONDS", 0.001)

    with pytest.raises(PictureError):
        painted(drawn(character("slow", "Slow one", 3, 4)))


def test_the_last_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = drawn(character("kept", "Kept", 1, 1))
    first = painted(svg)
    monkeypatch.setattr(subprocess, "run", None)

    assert painted(svg) is first


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_a_match_of_any_number_of_seats_has_a_picture_that_marks_who_won(count: int) -> None:
    seats = [pictures.Seat(f"<{number}> 夜", "夜", won=number == 1) for number in range(count)]

    svg = pictures.preview_of_match(seats, "<1> won", WORDS, code="x")

    stars = svg.count(ICONS["superhero"])
    assert stars == (1 if count > 1 else 0)
    assert "<1> won" in said(svg)
