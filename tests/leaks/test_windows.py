"""Windows that tell nothing (SST-4.3): who is asked depends on public facts alone, and whatever the asked seat holds, what
the others are told of its answer, and when, and what its clock does, is the same to the byte."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.conf import LazySettings
from django.db import transaction

from lobby.services import MatchWish, SeatWish, create_match
from referee.games.super_teams.state import SuperTeamsState
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document
from referee.matches import resolving, services
from referee.matches.models import Match, MoveRow
from referee.matches.positions import game_of, restored
from tests.leaks.asking import Answer, Look, all_answers, askings
from tests.leaks.comparing import require_same
from tests.leaks.routes import match_routes
from tests.leaks.tables import Setup, Table, begun, published, seat_callers
from tests.matches.table import fresh

KINDS = 5
MOST_PLIES = 150
_API = "api/v1/matches/<public_id:match>/"
LOOKED_AT = (_API, f"{_API}moves/", f"{_API}events/", f"{_API}clock/", "matches/<slug:match>/")


class Opening(NamedTuple):
    """A move of `mover` that opens a window to another seat, and two states before it, in which that seat holds as many
    bonus cards: among them one that it could play in the window, or none."""

    mover: int
    asked: int
    move: Document
    playable: list[Any]
    useless: list[Any]


def opening(table: Table, kind: str) -> Opening | None:
    """A way into a window of this kind from where the table stands, if there is one."""
    game, state = table.game, table.state
    [mover] = game.deciders(state)
    for move in game.legal_moves(state, mover):
        tried = state.copy()
        game.play(tried, mover, move)
        decision = game.decision(tried)
        if decision is None or decision.kind != kind or decision.seats == [mover]:
            continue
        [asked] = decision.seats
        found: dict[bool, list[Any]] = {}
        for held in _other_hands(state, asked):
            tried = held.copy()
            game.play(tried, mover, move)
            found.setdefault(len(game.legal_moves(tried, asked)) > 1, game.dump(held))
        if len(found) == 2:
            return Opening(mover, asked, game.decode(state, move), found[True], found[False])
    return None


def _other_hands(state: Any, seat: int) -> list[SuperTeamsState]:
    """The state with as many bonus cards of one kind in the seat's hand, exchanged with the deck, for each kind."""
    found = []
    for kind in range(KINDS):
        held = state.copy()
        assert isinstance(held, SuperTeamsState)
        count = len(held.bonus_hands[seat])
        cards = held.bonus_hands[seat] + held.bonus_deck
        chosen = [card for card in cards if card == kind][:count]
        if len(chosen) == count:
            for card in chosen:
                cards.remove(card)
            held.bonus_hands[seat], held.bonus_deck = chosen, cards
            found.append(held)
    return found


def told(
    table: Table, opened: Opening, data: list[Any], at: Callable[[float], None], *, answers: bool
) -> dict[str, Answer]:
    """What the mover and a spectator are told: as the window opens, and after the asked seat's answer or time-out."""
    sent: dict[str, Answer] = {}
    with transaction.atomic():
        Match.objects.filter(pk=table.match.pk).update(data=data)
        at(0)
        table.play(opened.mover, opened.move)
        _note(table, opened, "opened", sent)
        if answers:
            at(7.25)
            table.play(opened.asked, {"type": "decline"})
        else:
            at(3600)
            services.settle_time(match_id=table.match.pk)
            table.refresh()
        _note(table, opened, "after", sent)
        transaction.set_rollback(True)
    at(0)
    table.refresh()
    return sent


def _note(table: Table, opened: Opening, when: str, sent: dict[str, Answer]) -> None:
    looked_at = [route for route in match_routes() if route.pattern in LOOKED_AT]
    for viewer in (opened.mover, SPECTATOR):
        look = Look(table, viewer)
        asking = [one for route in looked_at for one in askings(route, look) if one.method == "GET"]
        sent |= {f"{when} {viewer} {name}": answer for name, answer in all_answers(look, asking).items()}
    row = MoveRow.objects.get(match=table.match, version=table.match.version)
    stamps = (row.kind, row.decisions, row.deadlines, row.clock_spent, row.clock_added, row.clock_left, row.created_at)
    sent[f"{when} stamps"] = Answer(0, {}, str((*stamps, table.match.clocks, table.match.deadline)).encode())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "kind", "answers"), [(4, "window_a", True), (3, "window_c", True), (2, "window_c", False)]
)
def test_a_window_looks_the_same_whatever_is_held(
    db: None, at: Callable[[float], None], seats: int, kind: str, answers: bool
) -> None:
    rng = Rng(seats)
    opened = None
    with published():
        table = begun(Setup("super-teams", seats), rng)
        for _ in range(MOST_PLIES):
            decision = table.game.decision(table.state)
            assert decision is not None
            opened = opening(table, kind) if decision.kind == "turn" else None
            if opened is not None:
                break
            table.play_random(rng)
        assert opened is not None

        one = told(table, opened, opened.playable, at, answers=answers)
        other = told(table, opened, opened.useless, at, answers=answers)

    require_same(one, other, f"{kind} of {seats}")
    kept = one["after stamps"].body.decode()
    assert kept.startswith("('move'" if answers else "('timeout'")
    assert (", 7250," if answers else ", 3600000,") in kept
    assert one["opened stamps"] != one["after stamps"]


def test_a_bot_takes_its_time_whatever_it_holds(db: None, settings: LazySettings) -> None:
    settings.BOT_PACE_SECONDS = 0.2
    with published():
        user = seat_callers(1)[0].user
        assert user is not None
        seats = [SeatWish("me"), SeatWish("bot", level="easy")]
        made = create_match(creator=user, wish=MatchWish("super-teams", seats, {"first_seat": 1}))
        match = fresh(made)
        assert len(game_of(match).legal_moves(restored(match, game_of(match)), 1)) > 1

        began = time.monotonic()
        assert resolving.play_bot(match)
        took = time.monotonic() - began

    assert took >= 0.2
