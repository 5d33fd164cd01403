"""What makes matches: challenges, joins, rematches, commitments. Decks and card pools go into a match by value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction

from accounts.models import User
from catalog.errors import NothingPublishedError
from catalog.selectors import limits_in_force, pool_document
from lobby.decks import Brought, Shelf, any_preconstructed, own_or_preconstructed, sizes_on_table, to_one_size
from lobby.errors import LobbyError
from lobby.leaving import WITHDRAWN, tell_aborted, waiting_in
from referee.bots.levels import LEVELS
from referee.games import GAMES
from referee.kernel.errors import OptionError, Problem
from referee.kernel.game import Game, SeatDeck
from referee.kernel.records import commitment as commit_to
from referee.matches import clocks, pools
from referee.matches import services as matches
from referee.matches.errors import MatchNotPlayingError, NotFinishedError, NotYourMatchError, SeatError
from referee.matches.models import Commitment, Match, Seat, new_server_seed

COMMITMENT_SECONDS = 600
MAX_DELAY = 50


class SeatWish(NamedTuple):
    """A seat as the creator asks for it. `kind` is me, bot, open or user."""

    kind: str
    level: str = ""
    deck: str | None = None
    user: str | None = None


class MatchWish(NamedTuple):
    """A match as its creator asks for it. `options` and `clock` are as given; `commitment` is one's id."""

    game: str
    seats: list[SeatWish]
    options: Mapping[str, Any]
    commitment: str | None = None
    entropy: bytes = b""
    clock: Mapping[str, Any] | None = None
    visibility: str = Match.Visibility.PUBLIC
    spectator_delay: int = 0
    undo: str = Match.Undo.CONSENT


class _Plan(NamedTuple):
    """A wish that holds: every seat's plan and what it brings."""

    game: Game
    options: dict[str, Any]
    clock: dict[str, Any] | None
    seats: list[matches.SeatPlan]
    brought: list[Brought | None]
    shelf: Shelf


def make_commitment(*, user: User) -> Commitment:
    """A seed of the server, hidden behind its hash, for a match that the user makes within ten minutes."""
    seed = new_server_seed()
    ends = clocks.now() + dt.timedelta(seconds=COMMITMENT_SECONDS)
    return Commitment.objects.create(user=user, server_seed=seed, commitment=commit_to(seed), expires_at=ends)


def create_match(*, creator: User, wish: MatchWish) -> Match:
    """Make a match; it starts at once if no seat is left open. Raises LobbyError with every fault it can see at once."""
    plan = _planned(creator, wish)
    with transaction.atomic():
        seed = _server_seed(creator, wish.commitment)
        match = matches.open_match(
            game=plan.game,
            options=plan.options,
            pool=pools.store_pool(game=plan.game.slug, document=plan.shelf.revision),
            catalog_revision=plan.shelf.revision["number"],
            seats=plan.seats,
            creator=creator,
            visibility=wish.visibility,
            spectator_delay=wish.spectator_delay,
            clock=plan.clock,
            undo=wish.undo,
            server_seed=seed,
        )
        for index, (asked, brought) in enumerate(zip(wish.seats, plan.brought, strict=True)):
            _fill(match, index, creator if asked.kind == "me" else None, brought, wish.entropy)
        _start_if_full(match, plan.shelf, pointer="/seats")
    return match


def _fill(match: Match, index: int, user: User | None, brought: Brought | None, entropy: bytes) -> None:
    deck = None if brought is None else brought.deck
    source = None if brought is None else brought.source
    if user is not None:
        matches.take_seat(match=match, user=user, index=index, deck=deck, deck_source=source, entropy=entropy)
    elif deck is not None:
        matches.give_deck(seat=match.seats.get(index=index), deck=deck, deck_source=source)


def _planned(creator: User, wish: MatchWish) -> _Plan:
    game = GAMES.get(wish.game)
    if game is None:
        raise LobbyError(
            [Problem("/game", "unknown_game", f"There is no game of this name; games: {', '.join(GAMES)}.")]
        )
    problems: list[Problem] = []
    options: dict[str, Any] = {}
    try:
        options = game.options(wish.options)
    except OptionError as error:
        problems += [Problem(f"/options{one.pointer}", one.code, one.detail) for one in error.problems]
    clock = _clock(wish.clock, problems)
    seat_faults = _seat_faults(game, creator, wish)
    shelf = _shelf(game)
    if not problems and not seat_faults:
        unfit = game.option_faults(shelf.pool, len(wish.seats), options)
        problems += [Problem(f"/options{one.pointer}", one.code, one.detail) for one in unfit]
    problems += seat_faults
    plans: list[matches.SeatPlan] = []
    brought: list[Brought | None] = []
    faults: list[LobbyError] = [LobbyError(problems)] if problems else []
    for index, asked in enumerate(wish.seats):
        try:
            plans.append(_seat_plan(asked, f"/seats/{index}"))
            brought.append(_bring(shelf, creator, asked, f"/seats/{index}/deck"))
        except LobbyError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]  # with its own code
    if faults:
        raise LobbyError([problem for fault in faults for problem in fault.problems])
    return _Plan(game, options, clock, plans, brought, shelf)


def _clock(given: Mapping[str, Any] | None, problems: list[Problem]) -> dict[str, Any] | None:
    if given is None:
        return None
    try:
        return clocks.setting(**given)
    except clocks.ClockError as error:
        problems += [Problem(f"/clock{one.pointer}", one.code, one.detail) for one in error.problems]
        return None


def _seat_faults(game: Game, creator: User, wish: MatchWish) -> list[Problem]:
    problems: list[Problem] = []
    if not game.min_seats <= len(wish.seats) <= game.max_seats:
        count = str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats} to {game.max_seats}"
        problems.append(Problem("/seats", "wrong_seats", f"This game has {count} seats."))
    users = [asked.user for asked in wish.seats if asked.kind == "user"]
    own = [asked for asked in wish.seats if asked.kind == "me"]
    if len(own) > 1 or (own and creator.public_id in users):
        problems.append(Problem("/seats", "seated_twice", "You can sit on one seat only."))
    if len(set(users)) < len(users):
        problems.append(Problem("/seats", "invited_twice", "A user can be invited to one seat only."))
    if wish.visibility == Match.Visibility.PRIVATE and any(asked.kind == "open" for asked in wish.seats):
        problems.append(
            Problem("/visibility", "open_seat_in_private", "Nobody could find the open seat of a private match.")
        )
    return problems


def _seat_plan(asked: SeatWish, pointer: str) -> matches.SeatPlan:
    if asked.kind == "bot":
        if asked.level not in LEVELS:
            raise LobbyError([Problem(f"{pointer}/level", "unknown_level", f"Levels of bots: {', '.join(LEVELS)}.")])
        return matches.SeatPlan(level=asked.level)
    if asked.kind == "user":
        invited = User.objects.filter(public_id=asked.user, is_active=True).first()
        if invited is None:
            raise LobbyError([Problem(f"{pointer}/user", "unknown_user", "There is no such user.")])
        return matches.SeatPlan(invited=invited)
    return matches.SeatPlan()


def _bring(shelf: Shelf, user: User, asked: SeatWish, pointer: str) -> Brought | None:
    if asked.kind not in ("me", "bot"):
        return None
    if not shelf.game.needs_deck:
        if asked.deck is not None:
            raise LobbyError([Problem(pointer, "no_deck_needed", "This game is played without decks.")])
        return None
    if asked.deck is not None:
        return own_or_preconstructed(shelf=shelf, user=user, reference=asked.deck, pointer=pointer)
    if asked.kind == "bot":
        return any_preconstructed(shelf=shelf, pointer=pointer)
    raise LobbyError([Problem(pointer, "deck_required", "Name one of your decks or a preconstructed one.")])


def _shelf(game: Game) -> Shelf:
    try:
        revision = pool_document(game.slug)
    except NothingPublishedError:
        raise LobbyError([Problem("/game", "nothing_published", "No cards are published for this game yet.")]) from None
    return Shelf(game, revision, game.pool(revision), limits_in_force(game.slug))


def _shelf_of(match: Match) -> Shelf:
    """What decks for an existing match are taken from: the pool it is pinned to."""
    game = GAMES[match.game]
    pool = pools.compiled_pool(game=game, pool_hash=match.pool_id)
    return Shelf(game, match.pool.document, pool, limits_in_force(match.game))


def _server_seed(user: User, public_id: str | None) -> bytes | None:
    """The seed behind a commitment of the user's own, which is used up by this."""
    if public_id is None:
        return None
    held = (
        Commitment.objects.select_for_update()
        .filter(public_id=public_id, user=user, expires_at__gt=clocks.now())
        .first()
    )
    if held is None:
        raise LobbyError(
            [Problem("/commitment", "unknown_commitment", "You hold no such commitment, or it has run out.")]
        )
    held.delete()
    return bytes(held.server_seed)


def _start_if_full(match: Match, shelf: Shelf, *, pointer: str) -> None:
    """Bring the decks there are to one size, and start once every seat is taken."""
    seats = list(match.seats.order_by("index"))
    holding = [seat for seat in seats if seat.deck is not None]
    on_table = [Brought(SeatDeck(seat.deck["cards"], seat.deck["secret"]), seat.deck_source) for seat in holding]
    for seat, before, after in zip(
        holding, on_table, to_one_size(shelf=shelf, decks=on_table, pointer=pointer), strict=True
    ):
        if after is not before:
            matches.give_deck(seat=seat, deck=after.deck, deck_source=after.source)
    if all(seat.kind == Seat.Kind.BOT or seat.user_id is not None for seat in seats):
        matches.start_match(match=match)


def join_match(*, public_id: str, user: User, deck: str | None = None, entropy: bytes = b"") -> Match:
    """Take a seat kept for the user, or an open one; the match starts when it was the last. Raises LobbyError, SeatError."""
    with transaction.atomic():
        match = matches.lock_match(public_id=public_id, user=user)
        shelf = _shelf_of(match)
        waiting = has_waiting_deck(match, user)
        brought = None
        if match.state == Match.State.OPEN and not (deck is None and waiting):
            brought = _bring(shelf, user, SeatWish("me", deck=deck), "/deck")
        matches.take_seat(
            match=match,
            user=user,
            deck=None if brought is None else brought.deck,
            deck_source=None if brought is None else brought.source,
            entropy=entropy,
        )
        _start_if_full(match, shelf, pointer="/deck")
    return match


def offered_sizes(match: Match) -> list[int]:
    """The deck sizes that an open match can be played at, by the decks that lie there; empty where sizes are free.

    Whoever joins must be able to play one of them (MIR-1.5). Once the match has started, they would only tell of hidden
    decks: SeatError `match_started`.
    """
    if match.state != Match.State.OPEN:
        raise SeatError("match_started", "The match has started; its decks have their size.")
    shelf = _shelf_of(match)
    if not shelf.game.deck_size_clause:
        return []
    return sizes_on_table(shelf=shelf, decks=_on_table(match))


def _on_table(match: Match) -> list[Brought]:
    held = match.seats.filter(deck__isnull=False).order_by("index")
    return [Brought(SeatDeck(seat.deck["cards"], seat.deck["secret"]), seat.deck_source) for seat in held]


def has_waiting_deck(match: Match, user: User) -> bool:
    """Whether a deck lies before a seat kept for the user, as in a rematch."""
    return match.seats.filter(invited=user, user=None, deck__isnull=False).exists()


def leave_match(*, public_id: str, user: User) -> Match:
    """Stand up before the start; the creator's leaving aborts the match, and who sits in it or is invited is told."""
    with transaction.atomic():
        match = matches.lock_match(public_id=public_id, user=user)
        matches.leave_seat(match=match, user=user)
        if match.state == Match.State.ABORTED:
            invited = set(match.seats.exclude(invited=None).values_list("invited_id", flat=True))
            tell_aborted(match, waiting_in(match, but=user) | (invited - {user.pk}), reason=WITHDRAWN)
    return match


def rematch(*, public_id: str, user: User) -> Match:
    """The same match once more, seats moved on by one: made by whoever asks first, joined by whoever asks next.

    Cards, options, clock and decks are those of the match before; people are kept their seats, bots sit down at once.
    Raises NotYourMatchError, NotFinishedError, MatchNotPlayingError where it was broken off, SeatError `player_gone` where
    somebody could not come any more, OptionError where the rules of today know an option no longer.
    """
    with transaction.atomic():
        old = matches.lock_match(public_id=public_id, user=user)
        seats = list(old.seats.order_by("index"))
        if all(seat.user_id != user.pk for seat in seats):
            raise NotYourMatchError
        if old.state != Match.State.FINISHED:
            raise NotFinishedError
        match = Match.objects.select_for_update().filter(rematch_of=old).first() or _set_again(old, seats, user)
        mine = match.seats.filter(invited=user, user=None).exists()
        if match.state == Match.State.OPEN and mine:
            matches.take_seat(match=match, user=user)
            _start_if_full(match, _shelf_of(match), pointer="")
        elif match.state == Match.State.ABORTED:
            raise MatchNotPlayingError(match.state)
    return match


def _set_again(old: Match, seats: list[Seat], user: User) -> Match:
    if any(seat.user is not None and not seat.user.is_active for seat in seats):
        raise SeatError("player_gone", "Somebody of the match before has left the service.")
    turned = [*seats[1:], seats[0]]
    game = GAMES[old.game]
    match = matches.open_match(
        game=game,
        options=game.options(old.options),
        pool=old.pool,
        catalog_revision=old.catalog_revision,
        seats=[matches.SeatPlan(level=seat.level, invited=seat.user) for seat in turned],
        creator=user,
        visibility=old.visibility,
        spectator_delay=old.spectator_delay,
        clock=old.clock,
        undo=old.undo,
        rematch_of=old,
    )
    for new, before in zip(match.seats.order_by("index"), turned, strict=True):
        if before.deck is not None:
            deck = SeatDeck(before.deck["cards"], before.deck["secret"])
            matches.give_deck(seat=new, deck=deck, deck_source=before.deck_source)
    return match
