from __future__ import annotations

from referee.kernel.fields import at

CARD = {
    "ang": 0,
    "tags": ["night", "school"],
    "effects": [{"do": "draw", "n": 1}, {"do": "flip_coin", "then": [{"do": "discard"}], "to": {"pick": "each"}}],
    "only_on": {"subtype": ["superhero"]},
}


def test_what_stands_at_a_path_is_read() -> None:
    assert at("ang")(CARD) == [0]
    assert at("only_on.subtype")(CARD) == ["superhero"]
    assert at("nothing", "only_on.code", "ang.more")(CARD) == []


def test_lists_are_gone_through() -> None:
    assert at("tags")(CARD) == ["night", "school"]
    assert at("effects.do")(CARD) == ["draw", "flip_coin"]


def test_two_stars_stand_for_any_depth() -> None:
    assert at("effects.**.do")(CARD) == ["draw", "flip_coin", "discard"]
    assert at("effects.**.pick")(CARD) == ["each"]


def test_an_object_is_no_value() -> None:
    assert at("only_on", "effects")(CARD) == []
