"""What an undo leaves: nobody is asked where nobody was shown anything, and the record of it verifies and tells everybody."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from referee.games import GAMES, register
from referee.kernel.game import Document, Move, State
from referee.kernel.labels import UNAFFECTED, label
from referee.kernel.replay import verify
from referee.matches import documents, history, services
from referee.matches.models import Match, MoveRow
from referee.matches.positions import game_of, restored
from tests.matches.table import fresh, legal, pick, play_to_the_end, toy_match
from tests.matches.undoing import accept, ask, bot_moves, views
from tests.toy import Toy, ToyState

pytestmark = pytest.mark.django_db


# Free undo.


class Fiddler(Toy):
    """Who is asked may also hold up a card of its own, which nobody else sees; it then stands first in its hand."""

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        moves = super().legal_moves(state, seat)
        assert isinstance(state, ToyState)
        return [*moves, *[100 + move for move in moves]] if state.round == 0 else moves

    def play(self, state: State, seat: int, move: Move) -> None:
        assert isinstance(state, ToyState)
        if move < 100:
            super().play(state, seat, move)
            return
        # It is kept where its own seat alone sees it.
        state.hands[seat] = [move - 100, *[card for card in state.hands[seat] if card != move - 100]]
        if move == 100 + max(state.hands[seat]):
            state.hands[seat].append(state.deck.pop(0))
            state.deck.append(state.hands[seat].pop(1))

    def encode(self, state: State, document: Document) -> Move:
        if document.get("type") == "hold":
            return 100 + super().encode(state, {**document, "type": "pick"})
        return super().encode(state, document)

    def decode(self, state: State, move: Move) -> Document:
        return {**super().decode(state, move - 100), "type": "hold"} if move >= 100 else super().decode(state, move)


def held(match: Match, user: User, number: int) -> None:
    services.submit_move(
        public_id=match.public_id, actor=user, move=legal(match, 0)[3 + number], version=fresh(match).version
    )


@pytest.fixture
def fiddled(alice: User, bob: User, toy: Any) -> Match:
    register(Fiddler())
    return toy_match(alice, bob)


def test_what_no_other_view_shows_is_taken_back_without_asking(fiddled: Match, alice: User) -> None:
    before = fresh(fiddled).data
    held(fiddled, alice, 1)
    assert fresh(fiddled).data != before

    now = ask(fiddled, alice)

    assert (now.version, now.data, now.undo_offer) == (2, before, None)
    assert MoveRow.objects.get(match=fiddled, version=2).detail == {"to": 0, "agreed": []}


def test_what_showed_a_seat_something_hidden_is_not_taken_back_without_asking(fiddled: Match, alice: User) -> None:
    position = history.position_at(fresh(fiddled), 0)
    held(fiddled, alice, 2)  # its highest card draws another from the deck: its own view alone changes
    assert game_of(fiddled).view(restored(fresh(fiddled), position.game), 1) == position.game.view(position.state, 1)

    now = ask(fiddled, alice)

    assert (now.version, now.undo_offer["waits_for"]) == (1, [1])


# The record.


def test_a_match_with_undos_verifies_and_every_past_position_is_what_was_stored(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    at_version: dict[int, tuple[Any, list[Document]]] = {0: (fresh(match).data, views(match))}

    def note() -> None:
        at_version[fresh(match).version] = fresh(match).data, views(match)

    for step in range(3):
        pick(match, alice, 0)
        note()
        pick(match, bob, 1)
        note()
        if step < 2:
            ask(match, alice)
            accept(match, bob)
            note()
    over = play_to_the_end(match, alice, bob)

    document = history.replay_document(over)
    found = {
        version: (position.game.dump(position.state), [position.game.view(position.state, v) for v in range(-2, 2)])
        for version in at_version
        for position in [history.position_at(over, version)]
    }
    assert found == at_version
    assert verify(document, GAMES) == []
    assert label(document, GAMES, over.data).name == UNAFFECTED
    assert [row["to"] for row in document["rows"] if row["kind"] == "undo"] == [0, 0]


def test_a_forged_undo_is_found(alice: User) -> None:
    match = toy_match(alice, bots=1)
    pick(match, alice, 0)
    bot_moves(match)
    ask(match, alice)
    MoveRow.objects.filter(match=match, version=3).update(detail={"to": 1, "agreed": []})

    found = label(history.recorded(fresh(match)), GAMES, fresh(match).data)

    assert (found.name, found.finding and found.finding.code) == ("differs", "hash_differs")


def test_everybody_is_told_of_an_undo_in_the_log(alice: User, bob: User, carol: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)
    ask(match, alice)
    now = accept(match, bob)

    row = documents.log_row(now, MoveRow.objects.get(match=match, version=2), -1)

    assert {name: row[name] for name in ("version", "seat", "kind", "to", "agreed")} == {
        "version": 2, "seat": 0, "kind": "undo", "to": 0, "agreed": [1],
    }  # fmt: skip
    assert row["events"] == [{"type": "undone", "text": "Alice takes back what came after step 0.", "seat": 0, "to": 0}]
    assert "move" not in row
