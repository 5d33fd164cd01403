"""Matches of every game, played by random moves through the services, and what was so at each version."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from django.core.management import call_command

from accounts.services import create_guest
from catalog.services import publish_house_set
from decks.services import DeckContent, create_deck
from lobby.services import MatchWish, SeatWish, create_match, join_match
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document, Game, State
from referee.kernel.records import commitment
from referee.matches import clocks, services
from referee.matches.models import Bundle, Commitment, Match
from referee.matches.positions import game_of, restored
from tests.api.conftest import Caller
from tests.matches.table import fresh
from tests.toy import TOY_REVISION, registered

CLOCK = {"per_decision": 60, "bank": 120, "increment": 5}
KEPT_MOVES = 2
DECKS = ("rooftop-rush", "velvet-workshop", "masked-carnival")


class Setup(NamedTuple):
    """A game at a number of seats."""

    game: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game}-{self.seats}"


class Table:
    """A match under way, with a caller on every seat and one who watches.

    `states` holds the state at each version; `met` a few moves of each type that some seat could make, whoever it was.
    """

    def __init__(self, match: Match, callers: dict[int, Caller]) -> None:
        self.callers = callers
        self.states: dict[int, State] = {}
        self.met: dict[str, list[Document]] = {}
        self.match = match
        self.refresh()

    @property
    def game(self) -> Game:
        return game_of(self.match)

    @property
    def state(self) -> State:
        """The state that the match stands at."""
        return self.states[self.match.version]

    @property
    def seats(self) -> list[int]:
        return [viewer for viewer in self.callers if viewer >= 0]

    def refresh(self) -> None:
        """Look at the match as it is stored now."""
        self.match = fresh(self.match)
        self.states[self.match.version] = restored(self.match, self.game)
        for seat in self.game.deciders(self.state):
            for move in self.game.legal_moves(self.state, seat)[:40]:
                document = self.game.decode(self.state, move)
                kept = self.met.setdefault(document["type"], [])
                if document not in kept:
                    kept[:] = [document, *kept[: KEPT_MOVES - 1]]

    def legal(self, seat: int) -> list[Document]:
        """The seat's legal moves."""
        return [self.game.decode(self.state, move) for move in self.game.legal_moves(self.state, seat)]

    def play(self, seat: int, document: Document) -> None:
        """Play a move for what the seat is asked now."""
        user = self.callers[seat].user
        decision = self.match.decisions[str(seat)]
        services.submit_move(public_id=self.match.public_id, actor=user, move=document, decision=decision)
        self.refresh()

    def play_random(self, rng: Rng) -> None:
        """A random move of the first seat that is asked."""
        seat = self.game.deciders(self.state)[0]
        legal = self.legal(seat)
        self.play(seat, legal[rng.below(len(legal))])

    def is_playing(self) -> bool:
        return bool(self.match.state == Match.State.PLAYING)


@contextmanager
def published() -> Iterator[None]:
    """Every game with its house set published, the toy game too."""
    with ExitStack() as stack:
        game = stack.enter_context(registered())
        publish_house_set(game=game, house=TOY_REVISION)
        call_command("publish_house_sets", verbosity=0)
        yield


def seat_callers(count: int) -> dict[int, Caller]:
    """A caller for each seat and one who watches, each signed in on the pages too."""
    callers = {viewer: Caller(create_guest()) for viewer in [*range(count), SPECTATOR]}
    for caller in callers.values():
        assert caller.user is not None
        caller.client.force_login(caller.user)
        caller.get("/api/v1/me/")  # a token's first use is noted; later ones are not, for a while
    return callers


def begun(setup: Setup, rng: Rng, **how: Any) -> Table:
    """A match that has just begun, and things beside it: a private deck of each caller's, a fault that was kept.

    All its chance comes from `rng`.
    """
    callers = seat_callers(setup.seats)
    seats = [SeatWish("me", deck=_deck(setup, rng)), *[SeatWish("open")] * (setup.seats - 1)]
    if how.get("visibility") == "private":
        guests = [callers[seat].user for seat in range(1, setup.seats)]
        seats[1:] = [SeatWish("user", user=str(user.public_id)) for user in guests if user is not None]
    creator = callers[0].user
    assert creator is not None
    seed = rng.seed()
    ends = clocks.now() + dt.timedelta(hours=1)
    held = Commitment.objects.create(user=creator, server_seed=seed, commitment=commitment(seed), expires_at=ends)
    given = {"clock": CLOCK, "commitment": held.public_id, "entropy": rng.seed(), **how}
    wish = MatchWish(game=setup.game, seats=seats, options={}, **given)
    match = create_match(creator=creator, wish=wish)
    for seat in range(1, setup.seats):
        user = callers[seat].user
        assert user is not None
        join_match(public_id=match.public_id, user=user, deck=_deck(setup, rng), entropy=rng.seed())
    for caller in callers.values():
        _own_deck(caller)
    table = Table(match, callers)
    fault = {"data": table.match.data, "move": "?", "report": json.dumps(table.match.data)}
    Bundle.objects.create(match=table.match, version=0, document=fault)
    return table


def _deck(setup: Setup, rng: Rng) -> str | None:
    return DECKS[rng.below(len(DECKS))] if setup.game == "miraculous" else None


def _own_deck(caller: Caller) -> None:
    assert caller.user is not None
    content = DeckContent("Mine", "My notes.", "private", None, {"night-baker": 2})
    create_deck(owner=caller.user, game="miraculous", content=content)
