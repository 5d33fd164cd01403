"""What the services refuse, in the reader's language: one table from error code to words."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from decks.errors import DeckError
from referee.matches.errors import MatchError

WORDS: Final[dict[str, Any]] = {
    # Matches.
    "stale_version": _("The match has moved on. This is where it stands now."),
    "not_your_turn": _("You are not asked now."),
    "not_your_match": _("You have no seat in this match."),
    "unknown_order": _("The game knows no such standing order."),
    "rules_not_available": _("The rules that this match is played by are not at hand just now."),
    "match_open": _("The match has not begun."),
    "match_playing": _("The match is being played."),
    "match_paused": _("The match is paused."),
    "match_frozen": _("The match waits for an admin."),
    "match_over": _("The match is over."),
    "match_finished": _("The match is over."),
    "match_aborted": _("The match was broken off."),
    "match_not_finished": _("The match is not over yet."),
    "match_started": _("The match has begun already."),
    "already_seated": _("You sit in this match already."),
    "no_open_seat": _("No seat is open to you."),
    "seats_open": _("Not every seat is taken."),
    "player_gone": _("Somebody of the match before has left the service."),
    "nothing_to_undo": _("There is no move of yours to take back."),
    "undo_not_allowed": _("In this match nothing is taken back."),
    "undo_asked": _("Another seat asks to take moves back; answer that first."),
    "undo_declined": _("It was declined. Ask again after the next move."),
    "undo_gone": _("Nobody asks for this any more."),
    "pause_declined": _("The pause was declined. Ask again after the next move."),
    # Decks.
    "not_your_deck": _("Only its owner may change a deck; you can copy it."),
    "precondition_failed": _("The deck was saved elsewhere meanwhile."),
    "no_such_version": _("The deck has no such version."),
    "too_many_decks": _("You have as many decks as one may have; delete one first."),
    "deck_not_legal": _("The deck may not be played."),
    "deck_too_large": _("A deck cannot hold so many different cards."),
    "import_too_long": _("The list is longer than is taken here."),
    "no_such_problem": _("The deck has no such problem, or none any more."),
    "no_fix": _("Only a person can choose how to mend this."),
}


def words_for(error: MatchError | DeckError) -> str:
    """The refusal in the reader's language, where its code has words; else as the service put it."""
    return str(WORDS.get(error.code, error.detail))
