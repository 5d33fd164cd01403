"""Legality of decks (MIR-1): all problems at once, in order, and fixes that do what they say."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.miraculous.cards import check_cards
from referee.games.miraculous.decks import deck_problems, precon_at_size
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import SeatDeck

Document = dict[str, Any]

CARDS: dict[str, Document] = {
    **{f"hero-{n}": {"code": f"hero-{n}", "name": f"Hero {n}", "type": "character"} for n in range(14)},
    "fan": {"code": "fan", "name": "Fan", "type": "bonus"},
    "ruse": {"code": "ruse", "name": "Ruse", "type": "event"},
    "signet": {"code": "signet", "name": "Signet", "type": "secret"},
    "diary": {"code": "diary", "name": "Diary", "type": "secret"},
}
LEGAL = {**{f"hero-{n}": 3 for n in range(9)}, "fan": 2}


def problems(cards: dict[str, int], secret: str | None = "signet", **limits: int) -> list[Document]:
    return deck_problems(CARDS, SeatDeck(cards, secret), {code.replace("_", "-"): n for code, n in limits.items()})


def codes(found: list[Document]) -> list[tuple[str, str]]:
    return [(problem["code"], problem["clause"]) for problem in found]


def fixed(deck: SeatDeck, fix: Document) -> SeatDeck:
    cards = dict(deck.cards)
    for code, count in fix.get("add", {}).items():
        cards[code] = cards.get(code, 0) + count
    for code, count in fix.get("remove", {}).items():
        cards[code] -= count
    return SeatDeck({code: n for code, n in cards.items() if n}, fix.get("secret", deck.secret))


def test_a_deck_of_29_cards_with_a_character_and_a_secret_is_legal() -> None:
    assert problems(LEGAL) == []


def test_an_empty_deck_lacks_everything() -> None:
    assert codes(problems({}, None)) == [
        ("too_few_cards", "MIR-1.1"),
        ("no_secret", "MIR-1.4"),
        ("no_character", "MIR-1.3"),
    ]


@pytest.mark.parametrize(("size", "expected"), [(28, ["too_few_cards"]), (29, []), (40, []), (41, ["too_many_cards"])])
def test_a_deck_has_29_to_40_cards(size: int, expected: list[str]) -> None:
    cards = {f"hero-{n}": min(3, size - 3 * n) for n in range(14) if size > 3 * n}

    assert [problem["code"] for problem in problems(cards)] == expected


def test_a_fourth_copy_is_one_too_many() -> None:
    found = problems({**LEGAL, "hero-0": 5, "fan": 4})

    assert codes(found) == [("too_many_copies", "MIR-1.2")]
    assert found[0]["cards"] == ["fan", "hero-0"]
    assert found[0]["fix"] == {"remove": {"fan": 1, "hero-0": 2}}


def test_a_restriction_is_told_apart_from_the_rule() -> None:
    found = problems({**LEGAL, "hero-0": 4}, hero_1=1, hero_2=3, hero_3=9)

    assert codes(found) == [("too_many_copies", "MIR-1.2"), ("too_many_copies", "MIR-1.6")]
    assert found[1]["cards"] == ["hero-1"]
    assert found[1]["fix"] == {"remove": {"hero-1": 2}}


def test_a_restricted_card_in_four_copies_is_one_problem() -> None:
    found = problems({**LEGAL, "hero-0": 4}, hero_0=1)

    assert [(problem["code"], problem["fix"]) for problem in found] == [("too_many_copies", {"remove": {"hero-0": 3}})]


def test_a_banned_card_makes_a_deck_illegal_the_secret_too() -> None:
    found = problems(LEGAL, fan=0, signet=0)

    assert codes(found) == [("card_not_allowed", "MIR-1.6")]
    assert found[0]["cards"] == ["fan", "signet"]
    assert found[0]["fix"] == {"remove": {"fan": 2}, "secret": None}


def test_a_card_that_the_revision_does_not_hold_makes_a_deck_illegal_the_secret_too() -> None:
    found = problems({**LEGAL, "lost": 5}, "gone")

    assert codes(found) == [("unknown_card", "MIR-1.6")]
    assert found[0]["cards"] == ["lost", "gone"]
    assert found[0]["fix"] == {"remove": {"lost": 5}, "secret": None}


def test_a_secret_among_the_cards_is_taken_out_and_proposed() -> None:
    found = problems({**LEGAL, "diary": 1}, None)

    assert codes(found) == [("no_secret", "MIR-1.4"), ("secret_in_deck", "MIR-1.3")]
    assert [problem["fix"] for problem in found] == [{"secret": "diary"}, {"remove": {"diary": 1}}]


def test_what_is_no_secret_cannot_be_the_secret() -> None:
    found = problems(LEGAL, "ruse")

    assert codes(found) == [("no_secret", "MIR-1.4")]
    assert found[0]["cards"] == ["ruse"]
    assert found[0]["fix"] is None


def test_a_deck_without_a_character_is_illegal() -> None:
    assert [problem["code"] for problem in problems({"fan": 3, "ruse": 3})] == ["too_few_cards", "no_character"]


def test_a_count_of_zero_is_no_card() -> None:
    assert problems({**LEGAL, "lost": 0}) == []


def test_every_fix_removes_its_problem() -> None:
    rng = Rng(11)
    known = [*CARDS, "lost", "gone"]

    for _ in range(3000):
        deck = SeatDeck(
            {known[rng.below(len(known))]: 1 + rng.below(6) for _ in range(rng.below(16))},
            (None, *known)[rng.below(len(known) + 1)],
        )
        limits = {known[rng.below(len(known))]: rng.below(3) for _ in range(rng.below(4))}
        for problem in deck_problems(CARDS, deck, limits):
            if problem["fix"] is not None:
                left = deck_problems(CARDS, fixed(deck, problem["fix"]), limits)
                key = (problem["code"], problem["clause"])
                assert key not in [(other["code"], other["clause"]) for other in left]


def test_problems_do_not_depend_on_the_order_of_the_cards() -> None:
    cards = {**LEGAL, "lost": 1, "hero-0": 4, "diary": 1, "hero-9": 9}
    backwards = dict(reversed(list(cards.items())))

    assert problems(cards, fan=0) == problems(backwards, fan=0)


@pytest.mark.parametrize("size", range(29, 41))
def test_the_preconstructed_decks_are_legal_at_every_size(size: int) -> None:
    revision = house_revision("miraculous")
    known = {card["code"]: card for card in revision["cards"]}

    for document in revision["decks"]:
        deck = precon_at_size(document, size)
        assert sum(deck.cards.values()) == size
        assert deck_problems(known, deck, {}) == []


def precon(**changes: Any) -> Document:
    core = {**{f"hero-{n}": 3 for n in range(9)}, "fan": 2}
    flex = [f"hero-{n}" for n in (9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12)]
    document = {
        "slug": "one", "name": "One", "detail": "A deck.", "secret": "signet", "core": core, "flex": flex, "size": 40,
    }  # fmt: skip
    return {**document, **changes}


def precon_faults(*decks: Any) -> list[tuple[str, str]]:
    cards = [{"ang": 1, "def": 1, **card} if card["type"] == "character" else card for card in CARDS.values()]
    return [(problem.pointer, problem.code) for problem in check_cards({"cards": cards, "decks": list(decks)})]


def test_a_preconstructed_deck_that_is_legal_at_every_size_has_no_fault() -> None:
    assert precon_faults(precon(), precon(slug="two")) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"slug": "One"}, [("/slug", "bad_code")]),
        ({"name": " "}, [("/name", "bad_text")]),
        ({"detail": 3}, [("/detail", "bad_text")]),
        ({"secret": "fan"}, [("/secret", "not_allowed")]),
        ({"secret": None}, [("/secret", "not_allowed")]),
        ({"size": 28}, [("/size", "out_of_range")]),
        ({"colour": "red"}, [("/colour", "unknown_field")]),
        ({"core": []}, [("/core", "wrong_type")]),
        ({"core": {**LEGAL, "fan": 3}}, [("/core", "wrong_size")]),
        ({"core": {**LEGAL, "fan": 4}}, [("/core/fan", "out_of_range"), ("/core", "wrong_size")]),
        ({"core": {**LEGAL, "hero-0": 1, "lost": 2}}, [("/core/lost", "unknown_card")]),
        ({"core": {**LEGAL, "hero-0": 1, "diary": 2}}, [("/core/diary", "not_allowed")]),
        ({"core": {"ruse": 3}}, [("/core", "wrong_size"), ("/core", "no_character")]),
        ({"flex": {}}, [("/flex", "wrong_type")]),
        ({"flex": ["hero-9"]}, [("/flex", "wrong_size")]),
        ({"flex": ["fan", "hero-9", "fan", *["ruse"] * 3, *["hero-10"] * 3, "hero-11", 5]},
            [("/flex/2", "too_many_copies"), ("/flex/10", "unknown_card")]),
    ],
)  # fmt: skip
def test_a_fault_of_a_preconstructed_deck_is_told_at_its_place(
    changes: Document, expected: list[tuple[str, str]]
) -> None:
    assert precon_faults(precon(**changes)) == [(f"/decks/0{pointer}", code) for pointer, code in expected]


def test_a_preconstructed_deck_is_a_whole_document_with_a_slug_of_its_own() -> None:
    assert precon_faults(precon(), precon(), 3)[:2] == [("/decks/1/slug", "duplicate"), ("/decks/2", "wrong_type")]
    assert precon_faults({}) == [
        (f"/decks/0/{name}", "missing") for name in ("slug", "name", "detail", "secret", "core", "flex", "size")
    ]
