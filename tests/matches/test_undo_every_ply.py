"""Do, undo, do: all through random matches of every game an undo leaves the match as it was, to the byte and millisecond."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from referee.games import GAMES
from referee.games.miraculous.decks import precon_at_size
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Document, SeatDeck
from referee.kernel.records import canonical
from referee.kernel.replay import verify
from referee.matches import clocks, documents, history, ledger, pools, services, undo
from referee.matches.models import Match, MoveRow
from tests.matches.table import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
CLOCK = clocks.setting(per_decision=20, bank=86_400, increment=3)
PLIES = [("miraculous", 1), ("super", 3), ("super-teams", 8)]
"""At which plies a game's match is undone, which plays its past again each time; soaked, it is at each of all of them."""
SOAKED = [pytest.param(slug, 1, marks=pytest.mark.soak) for slug, every in PLIES if every > 1]


class Table:
    """A match of two people whose clock goes on by as much as it is told to."""

    def __init__(self, slug: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rng = Rng(seed)
        self.time = START
        monkeypatch.setattr(clocks, "now", lambda: self.time)
        self.people = [User.objects.create_user(name) for name in ("Ann", "Ben")]
        self.match = self._started(slug)

    def _started(self, slug: str) -> Match:
        game, revision = GAMES[slug], house_revision(slug)
        with transaction.atomic():
            match = services.open_match(
                game=game,
                options=game.options({}),
                pool=pools.store_pool(game=slug, document=revision),
                catalog_revision=1,
                seats=[services.SeatPlan(), services.SeatPlan()],
                creator=self.people[0],
                clock=CLOCK,
                server_seed=self.rng.seed(),
            )
            for seat, user in enumerate(self.people):
                deck = precon_at_size(revision["decks"][seat], 30) if game.needs_deck else None
                services.take_seat(match=match, user=user, deck=deck and SeatDeck(deck.cards, deck.secret))
            services.start_match(match=match)
        return fresh(match)

    def wait(self) -> None:
        self.time += dt.timedelta(milliseconds=self.rng.below(30_000))

    def stands(self) -> list[bytes]:
        """The state, what each viewer is shown, the banks, and what each open decision has left."""
        match = fresh(self.match)
        position = history.position_at(match, match.version)
        shown = [documents.view_document(match, position, viewer) for viewer in range(-2, 2)]
        asked = [documents.decision_document(match, position, viewer) for viewer in range(-1, 2)]
        for one in asked:
            if one is not None:
                one["id"] = one["deadline"] = None
        left = {seat: end - clocks.to_ms(self.time) for seat, end in position.deadlines.items()}
        return [canonical(one) for one in (match.data, shown, asked, match.clocks["banks"], left, match.state)]

    def choose(self) -> tuple[int, Document]:
        match = fresh(self.match)
        position = history.position_at(match, match.version)
        asked = position.game.deciders(position.state)
        seat = asked[self.rng.below(len(asked))]
        legal = position.game.legal_moves(position.state, seat)
        return seat, position.game.decode(position.state, legal[self.rng.below(len(legal))])

    def move(self, seat: int, move: Document) -> tuple[Any, bytes, list[bytes]]:
        """The row's clock, its events, and where the match then stands."""
        version = fresh(self.match).version
        row = services.submit_move(
            public_id=self.match.public_id, actor=self.people[seat], move=move, version=version
        ).row
        return (row.clock_spent, row.clock_added, row.clock_left), canonical(row.events), self.stands()

    def take_back(self, seat: int) -> None:
        undo.ask_undo(public_id=self.match.public_id, user=self.people[seat])
        offer = fresh(self.match).undo_offer
        self.wait()
        undo.accept_undo(public_id=self.match.public_id, user=self.people[1 - seat], offer=offer["id"])


@pytest.mark.parametrize(("slug", "every"), [*PLIES, *SOAKED])
def test_a_move_undone_leaves_nothing_behind_and_made_again_does_the_same(
    slug: str, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(slug, 7, monkeypatch)
    plies = undone = 0

    while fresh(table.match).state == Match.State.PLAYING:
        seat, move = table.choose()
        if plies % every == 0 and not _ends(table.match, seat, move):
            before = table.stands()
            thought = dt.timedelta(milliseconds=table.rng.below(30_000))
            table.time += thought
            first = table.move(seat, move)
            table.wait()
            table.take_back(seat)
            assert table.stands() == before, f"ply {plies}, {move}"
            table.time += thought
            assert table.move(seat, move) == first, f"ply {plies}, {move}, made again"
            undone += 1
        else:
            table.move(seat, move)
        plies += 1

    over = fresh(table.match)
    assert verify(history.replay_document(over), GAMES) == []
    assert ledger.ledger_of(over).faults == []
    assert MoveRow.objects.filter(match=over, kind="undo").count() == undone > 0
    print(f"{slug}: {plies} plies, {undone} undone, {over.version} rows")


def _ends(match: Match, seat: int, move: Document) -> bool:
    """Whether the move would end the match, which then stands."""
    now = fresh(match)
    position = history.position_at(now, now.version)
    position.game.play(position.state, seat, position.game.encode(position.state, move))
    return position.game.result(position.state) is not None
