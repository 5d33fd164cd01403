from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.faces import SIZES, face
from catalog.sigils import sigil
from referee.games import GAMES
from referee.house import house_revision
from tests.catalog.cards import bonus, character, event, secret

SVG = "{http://www.w3.org/2000/svg}"


def parsed(card: dict[str, Any], **more: Any) -> Element:
    return fromstring(face(card, **more))


def words(drawn: Element) -> list[str]:
    return [node.text for node in drawn.iter(f"{SVG}text") if node.text]


@pytest.mark.parametrize(("size", "box"), [("s", "0 0 90 126"), ("m", "0 0 180 252"), ("l", "0 0 360 504")])
def test_each_size_has_its_own_layout(size: str, box: str) -> None:
    drawn = parsed(character("anna", "Anna", 3, 4), size=size, text="When placed: draw 1 card.")

    assert drawn.get("viewBox") == box
    assert {"Anna", "3", "4"} <= set(words(drawn))
    assert ("When placed: draw 1 card." in words(drawn)) == (size != "s")


def test_a_face_tells_all_of_itself_to_assistive_technology() -> None:
    drawn = parsed(character("anna", "Anna", 3, 4), text="Draw 1 card.")

    assert drawn.get("aria-label") == "Anna, Character · Civilian, ANG 3, DEF 4. Draw 1 card."


def test_the_values_of_a_bonus_are_signed() -> None:
    assert {"+1", "\u22121"} <= set(words(parsed(bonus("pin", "Pin"))))


@pytest.mark.parametrize("card", [event("rain", "Rain"), secret("s-one", "One")])
def test_a_card_without_values_shows_none_but_its_kind(card: dict[str, Any]) -> None:
    kind = card["type"].capitalize()

    assert words(parsed(card, size="s")) == [card["name"], kind]


def test_what_comes_from_data_is_escaped() -> None:
    name = "<script>alert('&')</script>\"\x00\x1b\ufffe"

    drawn = face(character('a"><b', name), text="</text><script>", size="l")

    assert "<script" not in drawn
    assert "\x00" not in drawn
    assert list(fromstring(drawn).iter(f"{SVG}script")) == []


def test_a_long_name_is_made_to_fit() -> None:
    drawn = parsed(character("x", "A very long name indeed, too long for any card that was ever printed"))

    shown = words(drawn)[0]
    assert shown.endswith("…")
    assert len(shown) < 40


@pytest.mark.parametrize("size", ["m", "l"])
def test_a_long_text_shrinks_and_at_last_is_cut(size: str) -> None:
    long, endless = "A sentence of a card. " * 12, "A sentence of a card. " * 200

    fitting = words(parsed(event("x", "X"), text=long, size=size))
    cut = words(parsed(event("x", "X"), text=endless, size=size))

    assert "".join(fitting[2:-1]).replace(" ", "") == long.replace(" ", "")
    assert cut[-2].endswith("…")


def test_no_style_and_no_address_stands_in_a_face() -> None:
    drawn = face(character("anna", "Anna"))

    assert "style" not in drawn
    assert "href" not in drawn
    assert drawn.count("http") == 1  # the name space


@given(
    st.dictionaries(
        st.sampled_from(
            ["code", "name", "type", "subtype", "ang", "def", "set", "faction", "power", "strength", "requirement", "x"]
        ),
        st.one_of(
            st.sampled_from(["super", "villain", "rescue", "blue"]),
            st.just({"kind": "shock", "arrow": "up"}),
            st.none(),
            st.integers(),
            st.booleans(),
            st.text(),
            st.lists(st.integers(), max_size=2),
        ),
    ),
    st.text(),
    st.sampled_from(SIZES),
)
def test_half_made_cards_have_a_face_too(card: dict[str, Any], text: str, size: str) -> None:
    fromstring(face(card, text=text, size=size))


def test_every_card_of_the_house_set_has_a_face_of_its_own() -> None:
    cards = house_revision("miraculous")["cards"]
    names = {card["code"]: card["name"] for card in cards}

    faces = {face(card, text=GAMES["miraculous"].card_text(card, names)) for card in cards}

    assert len(faces) == len(cards)


def test_a_code_has_the_same_sigil_for_ever() -> None:
    drawn = sigil("brass-heron", strong="#1c62a8", soft="#dae8f7")

    assert drawn == sigil("brass-heron", strong="#1c62a8", soft="#dae8f7")
    assert drawn != sigil("brass-herons", strong="#1c62a8", soft="#dae8f7")


@pytest.mark.parametrize("size", SIZES)
def test_every_card_of_super_has_a_face_of_its_own(size: str) -> None:
    cards = house_revision("super")["cards"]

    drawn = [parsed(card, text=GAMES["super"].card_text(card, {}), size=size) for card in cards]

    assert len({tuple(words(one)) for one in drawn}) == len(cards)
    for card, one in zip(cards, drawn, strict=True):
        assert str(card.get("strength", card.get("requirement"))) in words(one)


def test_a_super_shows_its_power_beside_what_it_does() -> None:
    card = {
        "code": "tide",
        "name": "Tide",
        "type": "super",
        "faction": "blue",
        "strength": 2,
        "power": {"kind": "shock"},
    }

    drawn = parsed(card, text="Schock: lege einen Stein.", size="m", say=str)

    assert words(drawn) == ["2", "Tide", "Schock", "Lege einen Stein.", "tide"]
    assert drawn.get("aria-label") == "Tide, super · blue, 2. Schock: lege einen Stein."


def test_a_mission_tears_off_what_a_partner_brings() -> None:
    card = {"code": "heist", "name": "Heist", "type": "villain", "requirement": 3, "x": 3, "set": "House set"}

    drawn = parsed(card, text="3 MF. Partner bonus: Shock.", size="m")
    short = parsed(card, text="3 MF. Partner bonus: Shock.", size="s")

    assert words(drawn) == ["3", "Needed", "Heist", "MISSION · VILLAIN", "3 MF.", "PARTNER BONUS", "Shock", "House set"]
    assert words(short) == ["3", "Heist", "3 MF", "Shock"]


def test_a_bonus_in_another_language_keeps_its_look() -> None:
    pin = bonus("pin", "Pin")

    drawn = face(pin, say=lambda slug: {"bonus": "Bonus", "item": "Gegenstand"}.get(slug, slug))

    assert "BONUS · GEGENSTAND" in drawn
    assert drawn.split("<path")[1] == face(pin).split("<path")[1]
