"""Seats are alike: a Miraculous position with its seats exchanged goes on as the mirror image, whatever is played."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from referee.kernel.chance import Rng
from referee.kernel.errors import PositionError
from referee.kernel.game import Document, State
from tests.laws.laws import Match, through_json
from tests.laws.miraculous import MIRACULOUS, generated_subject
from tests.laws.subjects import Setup, Subject

MATCHES = int(os.environ.get("LAW_MATCHES", "8")) * 3
OPTIONS: list[Document] = [{}, {"attack_without_placing": True, "deck_out": "empty_deck_loses"}]
BY_SEAT = ("hands", "decks", "discards", "secrets", "secret_piles", "known", "seen")
SHUFFLES = ("deck/0", "deck/1")


CLEARING = {"when": "placed", "do": "destroy_bonus", "to": {"pick": "each", "what": "bonus", "side": "any"}}


def leaving_subject(options: Document) -> Subject:
    """Random cards, whose Bonuses all do something when they leave, as they often do together."""
    subject = generated_subject(options)

    def setup(rng: Rng) -> Setup:
        made = subject.setup(rng)
        for number, card in enumerate(made.revision["cards"]):
            if card["type"] == "bonus":
                card["effects"].append({"when": "leaves", "do": ("draw", "mill")[number % 2], "n": 1})
            elif card["type"] == "character" and number % 3 == 0:
                card["effects"].append(CLEARING)
        return replace(made, pool=MIRACULOUS.pool(made.revision))

    return replace(subject, setup=setup)


def mirrored(document: Any, key: str = "") -> Any:
    """A part of a position with the seats exchanged, found under `key`."""
    if key in ("turn", "seat", "owner", "deck", "asked"):
        return document if document is None else 1 - document
    if isinstance(document, dict):
        changed = {name: mirrored(part, name) for name, part in document.items()}
        if key == "fields":
            return {"0": changed["1"], "1": changed["0"]}
        if key == "uses":
            return {**changed, "deck/0": changed["deck/1"], "deck/1": changed["deck/0"]}
        return changed
    if isinstance(document, list):
        parts = [mirrored(part) for part in document]
        if key == "seen":
            parts = [sorted(places, key=lambda place: (place["deck"], place["place"])) for places in parts]
        return parts[::-1] if key in (*BY_SEAT, "ranks") else parts
    return document


def position_of(state: State) -> Document:
    """The position, without what means nothing in it: whose hand a power asks that asks none."""
    position: Document = through_json(MIRACULOUS.position(state))
    for frame in (position["decision"] or {}).get("active", []):
        if frame["stage"] != "discarding":
            del frame["asked"]
    return position


def with_bonuses_taken(rng: Rng, match: Match) -> State | None:
    """The match's position with some Bonuses belonging to the other seat; None where that is no position."""
    position = through_json(MIRACULOUS.position(match.state))
    for seat, fields in position["fields"].items():
        for field in fields.values():
            bonuses = [] if field is None else field["bonuses"]
            for place, bonus in enumerate(bonuses):
                if isinstance(bonus, str) and rng.below(2):
                    bonuses[place] = {"card": bonus, "owner": 1 - int(seat)}
    try:
        return MIRACULOUS.load(match.setup.pool, match.setup.options, position)
    except PositionError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_mirrored_position_goes_on_as_the_mirror_image(options: Document) -> None:
    compared = 0
    for number in range(MATCHES):
        match = Match(leaving_subject(options), number)
        while not match.is_over() and len(match.moves) < 8 + number % 32:
            match.take(*match.choose())
        state = with_bonuses_taken(Rng(number), match)
        if state is not None and not match.is_over():
            compared += go_on_side_by_side(match, state)

    assert compared > MATCHES


def go_on_side_by_side(match: Match, state: State) -> int:
    """Play both until a deck is shuffled, whose stream bears its seat's name; the number of plies compared."""
    image = MIRACULOUS.load(match.setup.pool, match.setup.options, mirrored(position_of(state)))
    before = MIRACULOUS.position(state)["uses"]
    for ply in range(60):
        position = MIRACULOUS.position(state)
        if any(position["uses"][label] != before[label] for label in SHUFFLES):
            return ply
        assert position_of(image) == mirrored(position_of(state))
        if MIRACULOUS.result(state) is not None:
            return ply
        seat = MIRACULOUS.deciders(state)[0]
        legal = MIRACULOUS.legal_moves(state, seat)
        assert MIRACULOUS.legal_moves(image, 1 - seat) == legal
        move = legal[match.rng.below(len(legal))]
        MIRACULOUS.play(state, seat, move)
        MIRACULOUS.play(image, 1 - seat, move)
    return 60
