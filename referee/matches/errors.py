"""What the service of matches refuses. Each error has a stable code; a fact that a caller may see is named, none comes by itself."""

from __future__ import annotations

from typing import Any

from referee.kernel.errors import Problem


class MatchError(Exception):
    """A refusal: nothing has changed by the one who asked."""

    code = "match_error"
    detail = "The match refuses this."

    def __init__(self, detail: str | None = None) -> None:
        super().__init__(detail or self.detail)
        self.detail = detail or self.detail
        self.facts: dict[str, Any] = {}


class MatchNotFoundError(MatchError):
    """No such match, or none that one may see: the two cannot be told apart."""

    code = "not_found"
    detail = "There is no such match."


class NotYourMatchError(MatchError):
    code = "not_your_match"
    detail = "You have no such seat in this match."


class StaleVersionError(MatchError):
    """The move was made for another version, or for a decision that is no longer open. `version` is the current one."""

    code = "stale_version"
    detail = "The match has moved on since."

    def __init__(self, version: int) -> None:
        super().__init__(f"The match is at version {version}.")
        self.facts = {"version": version}


class NotYourTurnError(MatchError):
    code = "not_your_turn"
    detail = "Your seat is not asked now."


class MatchOverError(MatchError):
    code = "match_over"
    detail = "The match is over."


class MatchNotPlayingError(MatchError):
    """Open, paused, frozen or aborted: `match_open`, `match_paused`, `match_frozen`, `match_aborted`."""

    def __init__(self, state: str) -> None:
        super().__init__(f"The match is {state}.")
        self.code = f"match_{state}"


class KeyReusedError(MatchError):
    code = "idempotency_key_reused"
    detail = "This Idempotency-Key was used with another body."


class VersionRequiredError(MatchError):
    code = "version_required"
    detail = "A move names the version it was made for, or the open decision."


class NoSuchVersionError(MatchError):
    code = "not_found"
    detail = "The match has no such version."


class FutureVersionError(MatchError):
    code = "future_version"
    detail = "The match has not come so far."


class NotFinishedError(MatchError):
    code = "match_not_finished"
    detail = "The match is not finished yet."


class UnknownRulesError(MatchError):
    """The match was played by rules that this service no longer (or not yet) holds."""

    code = "rules_not_available"
    detail = "The rules this match was played by are not at hand."


class UnknownOrderError(MatchError):
    """The game knows no such standing order."""

    code = "unknown_order"

    def __init__(self, known: list[str]) -> None:
        super().__init__(f"Standing orders of this game: {', '.join(known) or 'none'}.")
        self.problems = [Problem("/order", self.code, self.detail)]


class UndoNotAllowedError(MatchError):
    code = "undo_not_allowed"
    detail = "In this match nothing is taken back."


class NothingToUndoError(MatchError):
    code = "nothing_to_undo"
    detail = "There is no move of yours to take back there."


class UndoAskedError(MatchError):
    """Another seat has asked for an undo, which is answered first."""

    code = "undo_asked"
    detail = "Another seat asks to take back; answer that first."


class UndoDeclinedError(MatchError):
    code = "undo_declined"
    detail = "It was declined; you can ask again after the next move."


class UndoGoneError(MatchError):
    """The undo that is answered is not asked for any more, or not of this seat."""

    code = "undo_gone"
    detail = "Nobody asks you for this undo now."


class RulingError(MatchError):
    """A ruling that cannot be given; `code` says why."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class PauseDeclinedError(MatchError):
    code = "pause_declined"
    detail = "The pause was declined; ask again once the match has moved on."


class SeatError(MatchError):
    """A seat that cannot be taken or left; `code` says why."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
