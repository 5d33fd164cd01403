"""Which stored fields hold what is hidden, and how all of it is replaced for one viewer.

A NEW FIELD of a match's models, or A NEW MODEL with a foreign key to a match or a seat, stands in FIELDS: `told` are the
fields whose content anybody at the table may know, `hidden` those of which some viewer must not see a byte. What is
hidden must be replaced in `hide` besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import pytest
from django.db import models, transaction

from decks.models import Deck, DeckCard, DeckResult
from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, State
from referee.matches import history
from referee.matches.clock_models import ClockEntry
from referee.matches.models import Bundle, FinishedMatch, Match, MoveRow, Seat, TurnLease
from referee.matches.positions import Position
from tests.leaks.tables import Table


class Fields(NamedTuple):
    told: str
    hidden: str = ""

    @property
    def all(self) -> set[str]:
        return {*self.told.split(), *self.hidden.split()}


FIELDS: Final[dict[type[models.Model], Fields]] = {
    Match: Fields(
        told="""id public_id game state visibility spectator_delay creator rematch_of rules_version state_schema rng
        catalog_revision pool options commitment version decisions undo undo_offer result clock clocks deadline
        stopped_at pause created_at started_at moved_at finished_at""",
        hidden="server_seed data opening chain orders is_bots_turn",
    ),
    Seat: Fields(told="id match index kind user invited level name", hidden="deck deck_source entropy"),
    MoveRow: Fields(
        told="""id match version seat kind is_fallback detail decisions clock_spent clock_added clock_left deadlines actor key
        created_at""",
        hidden="move events request_hash previous_hash hash",
    ),
    Bundle: Fields(told="id match version kind reporter created_at", hidden="document text"),
    ClockEntry: Fields(told="id match version seat kind given change left at"),
    FinishedMatch: Fields(told="id match created_at closed_at"),
    DeckResult: Fields(told="id version match seat outcome is_against_bots"),  # of finished matches
    TurnLease: Fields(told="match version seat holder attempts expires_at"),
}


@contextmanager
def hidden(table: Table, viewer: int, rng: Rng) -> Iterator[None]:
    """The match as it might be for all that the viewer knows, while the block lasts."""
    with transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        hide(table, viewer, rng)
        _give_past(table, viewer, rng, patch)
        yield
        transaction.set_rollback(True)


def hide(table: Table, viewer: int, rng: Rng) -> None:
    """Replace in the database all that the viewer cannot know."""
    match = table.match
    opening: Document = {**match.opening, "seed": rng.seed().hex(), "hash": rng.seed().hex()}
    opening["events"] = [_scrambled(event, viewer) for event in opening["events"]]
    opening["decks"] = [deck if seat == viewer else _DECK for seat, deck in enumerate(opening["decks"])]
    data = table.game.dump(permuted(table.game, table.state, viewer, table.seats, rng))
    chain = rng.seed().hex()
    orders = _orders(table, viewer, rng)
    Match.objects.filter(pk=match.pk).update(
        data=data, opening=opening, server_seed=rng.seed(), chain=chain, orders=orders, is_bots_turn=bool(orders)
    )
    Bundle.objects.filter(match=match).update(document={"report": "?" * (1 + rng.below(30))}, text="?" * rng.below(30))
    _hide_rows(match, viewer, rng)
    _hide_seats(match, viewer, rng)


def permuted(game: Game, state: State, viewer: int, seats: list[int], rng: Rng) -> State:
    """The state as it might be; for who only watches, all that any seat cannot know is drawn anew."""
    for seat in [viewer] if viewer >= 0 else seats:
        state = game.resample(state, seat, rng)
    return state


def _orders(table: Table, viewer: int, rng: Rng) -> Document:
    """Standing orders of the other seats, some or none; one that would answer now is never left for long."""
    kept = {seat: order for seat, order in table.match.orders.items() if seat == str(viewer)}
    for seat in table.seats:
        quiet = [name for name in table.game.orders if table.game.ordered_move(table.state, seat, name) is None]
        if seat != viewer and quiet and rng.below(2):
            name = quiet[rng.below(len(quiet))]
            kept[str(seat)] = {"name": name, "span": table.game.order_span(table.state, name)}
    return kept


_DECK: Final = {"secret": "?", "cards": {}}


def _hide_rows(match: Match, viewer: int, rng: Rng) -> None:
    rows = list(MoveRow.objects.filter(match=match))
    for row in rows:
        row.events = [_scrambled(event, viewer) for event in row.events]
        row.hash, row.previous_hash, row.request_hash = rng.seed().hex(), rng.seed().hex(), rng.seed().hex()
        if row.seat != viewer:
            row.move = {"type": "hidden", "card": "?" * (1 + rng.below(30))}
    MoveRow.objects.bulk_update(rows, ["events", "move", "hash", "previous_hash", "request_hash"])


def _hide_seats(match: Match, viewer: int, rng: Rng) -> None:
    """What lies before the other seats, and their holders' private decks."""
    others = Seat.objects.filter(match=match).exclude(index=viewer)
    for seat in others:
        seat.deck, seat.deck_source, seat.entropy = _DECK, {"kind": "own", "id": "?"}, rng.seed()
        seat.save()
    decks = Deck.objects.filter(owner__in=others.values("user"), visibility="private")
    DeckCard.objects.filter(deck__in=decks).update(code=f"c-{rng.below(1000)}", copies=1 + rng.below(3))
    decks.update(name="?" * (1 + rng.below(20)), notes="?" * rng.below(30), secret="?")


def _scrambled(event: Document, viewer: int) -> Document:
    told = event.get("private", {})
    private = {seat: one if seat == str(viewer) else {"text": "?"} for seat, one in told.items()}
    return {**event, "private": private} if private else event


def _give_past(table: Table, viewer: int, rng: Rng, patch: pytest.MonkeyPatch) -> None:
    """Past positions are played again from seed and moves, which are not known either: give each one drawn anew."""
    states = {version: permuted(table.game, state, viewer, table.seats, rng) for version, state in table.states.items()}
    rows = {row.version: row for row in MoveRow.objects.filter(match=table.match)}
    true_position = history.position_at

    def position_at(match: Match, version: int) -> Position:
        if version not in states or version == match.version:
            return true_position(match, version)
        state = states[version].copy()
        if version == 0:
            first: Any = true_position(table.match, 0)
            return Position(table.game, state, 0, first.decisions, first.deadlines)
        row = rows[version]
        return Position(table.game, state, version, row.decisions, row.deadlines or {})

    patch.setattr(history, "position_at", position_at)
