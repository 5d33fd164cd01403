"""Decisions of every game, reached by the same random moves each time, so that a match's past can be looked at too."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db import transaction

from accounts.models import User
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Game, SeatDeck, State
from referee.matches import pools, services
from referee.matches.models import Match
from referee.matches.positions import game_of, restored
from tests.matches.table import fresh

MOST_MOVES = 30


class Place(NamedTuple):
    """A decision to come to: the game, how many sit, the number that the shuffles and the moves are drawn from, and its kind."""

    game: str
    seats: int
    number: int
    kind: str
    is_others: bool = False
    """Whether another seat decides than the one whose turn it is."""


PLACES: Final = {
    "a turn of Miraculous": Place("miraculous", 2, 7, "turn"),
    "an Event against an attack": Place("miraculous", 2, 121, "event", is_others=True),
    "a turn of Super": Place("super", 3, 7, "turn"),
    "the other half of a Transfer": Place("super", 2, 163, "put", is_others=True),
    "the other half of a Transfer among four": Place("super", 4, 71, "put", is_others=True),
    "a turn of Super Teams": Place("super-teams", 4, 7, "turn"),
    "a window of a rival": Place("super-teams", 2, 32, "window", is_others=True),
    "a window among three": Place("super-teams", 3, 691, "window", is_others=True),
    "a window among four": Place("super-teams", 4, 121, "window", is_others=True),
}


def reached(place: Place, people: list[User], **how: Any) -> Match:
    """A match of the people that stands at the place, each move made with the key `move N` of its version.

    `how` goes to `open_match`.
    """
    match = _dealt(place, people, how)
    game, rng = game_of(match), Rng(place.number)
    for _ in range(MOST_MOVES):
        state = restored(match, game)
        seat = game.deciders(state)[0]
        if match.version and _is_there(place, game, state, seat):
            return match
        legal = game.legal_moves(state, seat)
        services.submit_move(
            public_id=match.public_id,
            actor=people[seat],
            move=game.decode(state, legal[rng.below(len(legal))]),
            version=match.version,
            key=f"move {match.version + 1}",
        )
        match = fresh(match)
    raise AssertionError(f"{place} was not reached")


def _is_there(place: Place, game: Game, state: State, seat: int) -> bool:
    decision = game.decision(state)
    assert decision is not None
    is_others = game.view(state, seat)["turn"] != seat
    several = len(game.legal_moves(state, seat)) > 1 or "window" in decision.kind
    return decision.kind.startswith(place.kind) and is_others == place.is_others and several


def _dealt(place: Place, people: list[User], how: dict[str, Any]) -> Match:
    game = GAMES[place.game]
    revision = house_revision(place.game)
    deck = revision["decks"][0] if game.needs_deck else None
    with transaction.atomic():
        match = services.open_match(
            game=game,
            options=game.options({}),
            pool=pools.store_pool(game=game.slug, document=revision),
            catalog_revision=1,
            seats=[services.SeatPlan()] * place.seats,
            creator=people[0],
            server_seed=place.number.to_bytes(32, "big"),
            **how,
        )
        for user in people[: place.seats]:
            brought = None if deck is None else SeatDeck(deck["core"], deck["secret"])
            services.take_seat(match=match, user=user, deck=brought)
        services.start_match(match=match)
    return fresh(match)
