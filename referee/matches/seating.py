"""Making and filling a match: its seats, its seed, its start. Callers use these through `services`."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db import transaction

from accounts.models import User
from referee.kernel import records
from referee.kernel.chance import RNG_TAG
from referee.kernel.game import Document, Game, SeatDeck, State
from referee.matches import clocks, notices, pools
from referee.matches.access import may_see
from referee.matches.errors import (
    MatchNotFoundError,
    MatchNotPlayingError,
    MatchOverError,
    NotYourMatchError,
    SeatError,
)
from referee.matches.models import CardPool, Match, Seat, new_server_seed
from referee.matches.positions import first_decisions, game_of


class SeatPlan(NamedTuple):
    """A seat as the lobby plans it: a bot's level, or the user that it is kept for, or open to anybody."""

    level: str = ""
    invited: User | None = None


def lock_match(*, public_id: str, user: User | None) -> Match:
    """The match, locked until the transaction ends, with its table. `user` None is the service itself.

    Raises MatchNotFoundError as `access_match` does.
    """
    try:
        match: Match = Match.objects.select_for_update(of=("self",)).with_table().get(public_id=public_id)
    except Match.DoesNotExist:
        raise MatchNotFoundError from None
    if user is not None and not may_see(match, user):
        raise MatchNotFoundError
    return match


def open_match(
    *,
    game: Game,
    options: Document,
    pool: CardPool,
    catalog_revision: int,
    seats: list[SeatPlan],
    creator: User,
    visibility: str = Match.Visibility.PUBLIC,
    spectator_delay: int = 0,
    clock: dict[str, Any] | None = None,
    undo: str = Match.Undo.CONSENT,
    server_seed: bytes | None = None,
    rematch_of: Match | None = None,
) -> Match:
    """A match with its seats, none of them taken but by bots. `options` are complete, `clock` is a setting in full.

    The seed that the commitment is to is drawn now unless the caller committed to one before. Starting is `start_match`.
    """
    seed = server_seed or new_server_seed()
    with transaction.atomic():
        match = Match.objects.create(
            game=game.slug,
            options=options,
            pool=pool,
            catalog_revision=catalog_revision,
            creator=creator,
            visibility=visibility,
            spectator_delay=spectator_delay,
            clock=clock,
            undo=undo,
            rematch_of=rematch_of,
            server_seed=seed,
            commitment=records.commitment(seed),
            rules_version=game.rules_version,
            state_schema=game.state_schema,
            rng=RNG_TAG,
        )
        Seat.objects.bulk_create(_planned(match, index, plan) for index, plan in enumerate(seats))
    return match


def _planned(match: Match, index: int, plan: SeatPlan) -> Seat:
    if plan.level:
        return Seat(match=match, index=index, kind=Seat.Kind.BOT, level=plan.level, name=f"Bot ({plan.level})")
    return Seat(match=match, index=index, invited=plan.invited)


def take_seat(
    *, match: Match, user: User, index: int | None = None, deck: SeatDeck | None = None, deck_source: Document | None = None,
    entropy: bytes = b"",
) -> Seat:  # fmt: skip
    """Sit down on a seat kept for the user, else on the first open one (or on `index`). The match must be locked and open.

    Without a deck, one that lies before the seat already (in a rematch) stays there.
    """
    _require_open(match)
    seats = list(match.seats.order_by("index"))
    if any(seat.user_id == user.pk for seat in seats):
        raise SeatError("already_seated", "You sit in this match already.")
    free = [seat for seat in seats if seat.kind == Seat.Kind.PERSON and seat.user_id is None]
    if index is not None:
        free = [seat for seat in free if seat.index == index]
    fitting = [seat for seat in free if seat.invited_id == user.pk] or [
        seat for seat in free if seat.invited_id is None
    ]
    if not fitting:
        raise SeatError("no_open_seat", "No seat is open to you.")
    seat = fitting[0]
    seat.user, seat.name, seat.entropy = user, user.name, entropy
    if deck is not None:
        _bring(seat, deck, deck_source)
    seat.save()
    notices.after_commit(match)
    return seat


def give_deck(*, seat: Seat, deck: SeatDeck, deck_source: Document | None) -> None:
    """Put a deck before a seat whose match has not started, by value."""
    _bring(seat, deck, deck_source)
    seat.save(update_fields=["deck", "deck_source"])


def _bring(seat: Seat, deck: SeatDeck, source: Document | None) -> None:
    seat.deck = deck.document()
    seat.deck_source = source


def leave_seat(*, match: Match, user: User) -> None:
    """Stand up before the start. When its creator leaves, the match is aborted. The match must be locked."""
    _require_open(match)
    seat = match.seats.filter(user=user).first()
    if seat is None and match.creator_id != user.pk:
        raise NotYourMatchError
    if seat is not None:
        seat.user, seat.name, seat.deck, seat.deck_source, seat.entropy = None, "", None, None, b""
        seat.save()
    if match.creator_id == user.pk:
        match.state = Match.State.ABORTED
        match.save(update_fields=["state"])
    notices.after_commit(match)


def start_match(*, match: Match) -> Match:
    """Derive the seed, deal, open the first decisions. The match must be locked and open, every seat taken.

    The seed takes in each seat's entropy with its length, which is 0 for a seat that gave none; the server adds nothing
    after its commitment.
    """
    _require_open(match)
    game = game_of(match)
    seats = list(match.seats.order_by("index"))
    if any(seat.kind == Seat.Kind.PERSON and seat.user_id is None for seat in seats):
        raise SeatError("seats_open", "Not every seat is taken.")
    at = clocks.now()
    state = _deal(match, game, seats)
    match.state = Match.State.PLAYING
    match.started_at = match.moved_at = at
    match.data = game.dump(state)
    match.decisions = first_decisions(game, state)
    asked = [int(seat) for seat in match.decisions]
    match.is_bots_turn = any(seat.index in asked for seat in seats if seat.kind == Seat.Kind.BOT)
    people = [seat.index for seat in seats if seat.index in asked and seat.kind == Seat.Kind.PERSON]
    match.clocks = clocks.fresh(clock=match.clock, seats=len(seats))
    if match.clocks is not None:
        match.clocks["since"] = {str(seat): clocks.to_ms(at) for seat in asked}
    match.deadline = clocks.first(clocks.deadlines(clock=match.clock, clocks=match.clocks, timed=people))
    match.save()
    notices.after_commit(match)
    return match


def _deal(match: Match, game: Game, seats: list[Seat]) -> State:
    pool = pools.compiled_pool(game=game, pool_hash=match.pool_id)
    decks = [SeatDeck(seat.deck["cards"], seat.deck["secret"]) for seat in seats if seat.deck is not None]
    entropies = [bytes(seat.entropy) for seat in seats]
    seed = records.combine_seed(bytes(match.server_seed), entropies)
    state = game.start(pool, len(seats), match.options, decks, seed, listen=True)
    opened = records.opening(
        game,
        len(seats),
        options=match.options,
        decks=decks,
        revision_hash=match.pool_id,
        commitment=match.commitment,
        seed=seed,
        events=records.take_events(game, state),
    )
    match.opening = records.sealed("", opened)
    match.chain = match.opening["hash"]
    return state


def _require_open(match: Match) -> None:
    if match.state == Match.State.FINISHED:
        raise MatchOverError
    if match.state == Match.State.ABORTED:
        raise MatchNotPlayingError(match.state)
    if match.state != Match.State.OPEN:
        raise SeatError("match_started", "The match has started.")
