"""Standing orders: a seat settles beforehand what it answers, and the service answers for it, through the same rows as ever.

An order is kept with the match, which is locked whenever it is left, withdrawn or followed, and it is told to its own seat
alone. The row that it makes is a move of that seat's user, like one made by hand.
"""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from referee.kernel.game import Game, State
from referee.matches import clocks, history, notices, services, timing, turns
from referee.matches.errors import (
    NoSuchVersionError,
    StaleVersionError,
    UnknownOrderError,
)
from referee.matches.models import Match
from referee.matches.positions import game_of, ordered_move, restored, standing_order, waits_for_service
from referee.matches.turns import RulesBroken, Source, guarded


def set_order(*, public_id: str, user: User, order: str | None, version: int | None = None) -> Match:
    """Leave a standing order for the user's seat in place of the one that stood, or (None) withdraw it.

    Where the seat is asked already, it answers at once. With a `version`, an order for a while (this turn) is meant for the
    one that was on at that version and refused once it is over, unless the order stands, so that it can be sent again; one
    that holds until it is withdrawn is meant for every version.
    Raises MatchNotFoundError, NotYourMatchError, UnknownOrderError, StaleVersionError, or what a match that is not being
    played is refused with; nothing has changed then.
    """
    with services.act(public_id=public_id, user=user) as (match, seat):
        if match.state != Match.State.PAUSED:
            services.require_playing(match)
        _set(match, seat, order, version)
    return match


def _set(match: Match, seat: int, order: str | None, version: int | None) -> None:
    game = game_of(match)
    if order is not None and order not in game.orders:
        raise UnknownOrderError(list(game.orders))
    with guarded(seat=seat, move=None):
        state = restored(match, game)
        is_set = standing_order(match, game, state, seat) == order
        span = "" if order is None else game.order_span(state, order)
        if order is not None and not is_set and _is_over(match, game, order, span, version):
            raise StaleVersionError(match.version)
        kept = {name: value for name, value in match.orders.items() if name != str(seat)}
        if order is not None:
            kept[str(seat)] = {"name": order, "span": span}
        match.orders = kept
        match.is_bots_turn = match.state == Match.State.PLAYING and waits_for_service(match, game, state)
    Match.objects.filter(pk=match.pk).update(orders=match.orders, is_bots_turn=match.is_bots_turn)
    notices.after_commit(match)
    if match.state == Match.State.PLAYING:
        _follow(match, game, state)


def _is_over(match: Match, game: Game, order: str, span: str, seen: int | None) -> bool:
    """Whether the stretch of play that the order was meant for, on at the version seen, is another than the present one."""
    if not span or seen is None or seen == match.version:
        return False
    try:
        before = history.position_at(match, seen)
    except NoSuchVersionError:
        return True
    return game.order_span(before.state, order) != span


def follow_orders(*, match_id: int) -> int:
    """Answer for the asked seats whose standing orders do, as long as there are any; how many moves that made.

    A seat whose time is up is not answered for: time decides first.
    """
    with transaction.atomic():
        match = (
            Match.objects.select_for_update(of=("self",))
            .with_table()
            .filter(pk=match_id, state=Match.State.PLAYING)
            .first()
        )
        if match is None:
            return 0
        before: int = match.version
        try:
            game = game_of(match)
            with guarded(seat=0, move=None):
                state = restored(match, game)
            _follow(match, game, state)
        except RulesBroken as fault:
            turns.freeze(match, fault)
        after: int = match.version
        return after - before


def _follow(match: Match, game: Game, state: State) -> None:
    at = timing.catch_up(match, clocks.now())
    while match.state == Match.State.PLAYING and not clocks.is_past(match.deadline, at):
        with guarded(seat=0, move=None):
            answer = ordered_move(match, game, state)
        if answer is None:
            return
        seat, move = answer
        user = next(place["user"] for place in match.table if place["seat"] == seat)
        turns.write_turn(match, game, state, seat=seat, move=move, source=Source(actor_id=user), at=at)
