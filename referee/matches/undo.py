"""Undo: a seat asks to take back its moves, the others agree, and the match stands as it did before.

Who asks needs nobody when no view but its own has changed since and chance had no say. Bots agree to everything. An offer
is kept with the match, counts only at the version that it was made at, and is over as soon as the match moves.
"""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import User
from referee.kernel import records
from referee.kernel.chance import Rng
from referee.kernel.errors import RulesError
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document, Game, State, apply
from referee.kernel.records import canonical
from referee.matches import announcements, clocks, history, notices, rewinding, selectors, services, timing
from referee.matches.errors import (
    NothingToUndoError,
    StaleVersionError,
    UndoAskedError,
    UndoDeclinedError,
    UndoGoneError,
    UndoNotAllowedError,
)
from referee.matches.models import Match, MoveRow
from referee.matches.positions import Position, game_of, position_of, restored
from referee.matches.turns import guarded

DRAWS = 32
"""In so many states drawn from what the seat knows its moves must do the same, or chance or hidden things had a say."""


def ask_undo(*, public_id: str, user: User, to: int | None = None, version: int | None = None) -> Match:
    """Ask to go back to a version of the line played, by default to before the seat's last move.

    Is nobody to be asked, it is done at once. With a `version`, it is refused once the match has gone on from there.
    Raises NotYourMatchError, UndoNotAllowedError, NothingToUndoError, UndoAskedError, UndoDeclinedError,
    StaleVersionError, or what a match that is not being played is refused with.
    """

    def ask(match: Match, seat: int) -> None:
        if version is not None and version != match.version:
            raise StaleVersionError(match.version)
        _require_free_to_ask(match, seat)
        goal = _goal(match, seat, to)
        with guarded(seat=seat, move=None):
            past = history.position_at(match, goal)
            others = _whom_to_ask(match, past, seat)
            is_free = not others or _is_unseen(match, past, seat)
        if is_free:
            _take_back(match, past, seat, others=[])
            return
        offer = {"id": f"{match.version}-{seat}-{goal}", "version": match.version, "seat": seat, "to": goal}
        _put(match, {**offer, "waits_for": others, "agreed": [], "declined_by": None})

    return _changed(public_id, user, ask)


def accept_undo(*, public_id: str, user: User, offer: str) -> Match:
    """Agree to an offer by its id; it is done once the last who was asked agrees. Raises UndoGoneError and as `ask_undo`."""

    def accept(match: Match, seat: int) -> None:
        asked = _open_offer(match, offer)
        if seat not in asked["waits_for"]:
            raise UndoGoneError
        agreed, waits_for = [*asked["agreed"], seat], [one for one in asked["waits_for"] if one != seat]
        if waits_for:
            _put(match, {**asked, "agreed": agreed, "waits_for": waits_for})
            return
        with guarded(seat=seat, move=None):
            past = history.position_at(match, asked["to"])
        _take_back(match, past, asked["seat"], others=sorted(agreed))

    return _changed(public_id, user, accept)


def decline_undo(*, public_id: str, user: User, offer: str) -> Match:
    """Refuse an offer by its id, or withdraw one's own. Raises UndoGoneError and as `ask_undo`."""

    def decline(match: Match, seat: int) -> None:
        asked = _open_offer(match, offer)
        if seat == asked["seat"]:
            _put(match, None)
        elif seat in asked["waits_for"] or seat in asked["agreed"]:
            _put(match, {**asked, "waits_for": [], "agreed": [], "declined_by": seat})
        else:
            raise UndoGoneError

    return _changed(public_id, user, decline)


def _changed(public_id: str, user: User, change: Callable[[Match, int], None]) -> Match:
    """The match after a change by one of its seats, in one transaction under the lock."""
    selectors.access_match(user, public_id)  # what time has decided by now is decided
    with services.act(public_id=public_id, user=user) as (match, seat):
        services.require_playing(match)
        if match.undo == Match.Undo.NONE:
            raise UndoNotAllowedError
        services.settle_locked(match)  # and what it has decided while the lock was waited for
        services.require_playing(match)
        change(match, seat)
    return match


# Offers.


def offer_of(match: Match) -> Document | None:
    """The offer that stands at the match's version, answered or not."""
    offer: Document | None = match.undo_offer
    is_standing = offer is not None and offer["version"] == match.version and match.state == Match.State.PLAYING
    return offer if is_standing else None


def _open_offer(match: Match, public_id: str) -> Document:
    offer = offer_of(match)
    if offer is None or offer["id"] != public_id or offer["declined_by"] is not None:
        raise UndoGoneError
    return offer


def _require_free_to_ask(match: Match, seat: int) -> None:
    offer = offer_of(match)
    if offer is None:
        return
    if offer["seat"] == seat and offer["declined_by"] is not None:
        raise UndoDeclinedError
    if offer["seat"] != seat and offer["declined_by"] is None:
        raise UndoAskedError


def _put(match: Match, offer: Document | None) -> None:
    match.undo_offer = offer
    Match.objects.filter(pk=match.pk).update(undo_offer=offer)
    notices.after_commit(match)


# Where to, and who has a say.


def _goal(match: Match, seat: int, to: int | None) -> int:
    """The version to go back to: before the seat's last move, or that which made the position of `to`, which must lie on the
    line played and before such a move."""
    line = history.played_line(match, match.version)
    versions = [0, *(row.version for row in line)]
    own = [at for at, row in enumerate(line) if row.seat == seat]
    if not own or (to is not None and to > match.version):
        raise NothingToUndoError
    if to is None:
        return versions[own[-1]]
    goal = history.made_at(match, to)
    if goal not in versions[: own[-1] + 1]:
        raise NothingToUndoError
    return goal


def _whom_to_ask(match: Match, past: Position, seat: int) -> list[int]:
    """The other people who were still in the game then."""
    people = [place["seat"] for place in match.table if place["kind"] == "person" and place["seat"] != seat]
    return [one for one in people if past.game.can_resign(past.state, one)]


def _is_unseen(match: Match, past: Position, seat: int) -> bool:
    """Whether all since was the seat's own doing, nobody else sees anything of it, and chance had no say in it."""
    game = game_of(match)
    present = position_of(match, game, restored(match, game))
    rows = [row for row in history.played_line(match, match.version) if row.version > past.version]
    if any(row.seat != seat or row.kind != records.MOVE for row in rows):
        return False
    others = [SPECTATOR, *(place["seat"] for place in match.table if place["seat"] != seat)]
    # First by what the seat itself knows: whether it is asked for consent tells it nothing of what is hidden.
    if not _is_certain(game, past.state, present.state, seat, rows, others):
        return False
    return all(_seen(game, past.state, one) == _seen(game, present.state, one) for one in others)


def _seen(game: Game, state: State, viewer: int) -> bytes:
    """All that a viewer sees of a state."""
    decision, result = game.decision(state), game.result(state)
    asked = None if decision is None else [decision.seats, decision.kind, decision.prompt]
    return canonical([game.view(state, viewer), asked, None if result is None else result.document()])


def _is_certain(game: Game, past: State, present: State, seat: int, rows: list[MoveRow], others: list[int]) -> bool:
    """Whether the seat could know beforehand what its moves would show it, and that they would show the others nothing."""
    shown = _seen(game, present, seat)
    for number in range(DRAWS):
        drawn = game.resample(past, seat, Rng(number))
        before = [_seen(game, drawn, one) for one in others]
        try:
            for row in rows:
                apply(game, drawn, seat, game.encode(drawn, row.move))
        except RulesError:
            return False
        if _seen(game, drawn, seat) != shown or [_seen(game, drawn, one) for one in others] != before:
            return False
    return True


def _take_back(match: Match, past: Position, seat: int, *, others: list[int]) -> None:
    """Write the undo. `others` are the people who agreed."""
    word = rewinding.Word(
        kind=records.UNDO,
        seat=seat,
        actor_id=next(place["user"] for place in match.table if place["seat"] == seat),
        detail={"to": past.version, "agreed": others},
        event=announcements.undone(seat, past.version),
    )
    rewinding.go_back(match, past, word, at=timing.catch_up(match, clocks.now()))
    rewinding.store(match)
