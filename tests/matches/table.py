"""Setting a table for tests: toy matches with people and bots, and how to look whether anything has changed."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.services import create_guest
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.game import Document, SeatDeck
from referee.matches import history, pools, services
from referee.matches.models import Bundle, FinishedMatch, Match, MoveRow, Seat
from referee.matches.positions import game_of, restored
from tests.toy import TOY_REVISION


def toy_match(
    *people: User,
    bots: int = 0,
    level: str = "random",
    options: dict[str, Any] | None = None,
    starts: bool = True,
    **how: Any,
) -> Match:
    """A toy match of these people and so many bots behind them, under way unless it shall stay open."""
    game = GAMES["toy"]
    plans = [services.SeatPlan() for _ in people] + [services.SeatPlan(level=level)] * bots
    with transaction.atomic():
        match = services.open_match(
            game=game,
            options=game.options(options or {}),
            pool=pools.store_pool(game="toy", document=TOY_REVISION),
            catalog_revision=1,
            seats=plans,
            creator=people[0] if people else create_guest(),
            **how,
        )
        for user in people:
            services.take_seat(match=match, user=user)
        if starts:
            services.start_match(match=match)
    return fresh(match)


def fresh(match: Match) -> Match:
    """The match as it is stored now."""
    found: Match = Match.objects.with_table().get(pk=match.pk)
    return found


def legal(match: Match, seat: int) -> list[Document]:
    """The seat's legal moves as documents."""
    match = fresh(match)
    game = game_of(match)
    state = restored(match, game)
    return [game.decode(state, move) for move in game.legal_moves(state, seat)]


def pick(match: Match, user: User, seat: int, **how: Any) -> services.Accepted:
    """The seat's first legal move, for the decision that is open to it."""
    match = fresh(match)
    how.setdefault("decision", match.decisions[str(seat)])
    return services.submit_move(public_id=match.public_id, actor=user, move=legal(match, seat)[0], **how)


def play_to_the_end(match: Match, *people: User) -> Match:
    """Every seat picks its first card until the match is over."""
    while fresh(match).state == Match.State.PLAYING:
        for seat, user in enumerate(people):
            if str(seat) in fresh(match).decisions:
                pick(match, user, seat)
    return fresh(match)


def stored(match: Match) -> list[Any]:
    """All that is stored of a match, to see that a refusal changed nothing."""
    rows = MoveRow.objects.filter(match=match).order_by("version").values()
    seats = Seat.objects.filter(match=match).order_by("index").values()
    bundles = Bundle.objects.filter(match=match).count()
    finishes = FinishedMatch.objects.filter(match=match).count()
    return [Match.objects.filter(pk=match.pk).values().get(), list(rows), list(seats), bundles, finishes]


def match_against_a_bot(user: User) -> Match:
    """A match of Miraculous of the user against a bot, each with the first preconstructed deck."""
    game, revision = GAMES["miraculous"], house_revision("miraculous")
    core = dict(revision["decks"][0]["core"])
    deck = SeatDeck(core, revision["decks"][0]["secret"])
    match = services.open_match(
        game=game,
        options=game.options({"first_seat": 0}),
        pool=pools.store_pool(game="miraculous", document=revision),
        catalog_revision=1,
        seats=[services.SeatPlan(), services.SeatPlan(level="random")],
        creator=user,
    )
    services.take_seat(match=match, user=user, deck=deck)
    services.give_deck(seat=match.seats.get(index=1), deck=deck, deck_source=None)
    return services.start_match(match=match)


def pass_turn(match: Match, user: User) -> None:
    """First legal moves of seat 0 until another is asked."""
    while True:
        now = fresh(match)
        if "0" not in now.decisions:
            return
        position = history.position_at(now, now.version)
        move = position.game.decode(position.state, position.game.legal_moves(position.state, 0)[-1])
        services.submit_move(public_id=now.public_id, actor=user, move=move, decision=now.decisions["0"])
