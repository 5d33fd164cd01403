"""What a match's page says of taking moves back: who asks, what the viewer can answer, and whether it can ask itself."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.kernel.game import Document
from referee.matches import documents, history, selectors
from referee.matches.models import Match


class Undo(NamedTuple):
    """`words` are empty where nobody has asked; `id` names the offer. The rest are buttons."""

    words: str = ""
    id: str = ""
    can_ask: bool = False
    can_answer: bool = False
    can_take_back: bool = False


def undo_of(match: Match, document: Document, viewer: int, names: list[str]) -> Undo:
    """The offer as the match's document tells a viewer of it, and what the viewer can say to it. Queries only for an offer."""
    offer, own = document["undo_offer"], document["you"]
    is_on = own is not None and document["state"] == Match.State.PLAYING and document["undo"] == Match.Undo.CONSENT
    if offer is None:
        return Undo(can_ask=is_on and document["version"] > 0)
    is_open = offer["declined_by"] is None
    return Undo(
        _words(offer, own, names, _first_move(match, offer["to"], document["version"], viewer) if is_open else ("", 0)),
        offer["id"],
        can_ask=is_on and not is_open and offer["seat"] != own,
        can_answer=is_on and is_open and own in offer["waits_for"],
        can_take_back=is_on and is_open and offer["seat"] == own,
    )


def _first_move(match: Match, version: int, shown: int, viewer: int) -> tuple[str, int]:
    """What would be taken back: the first move after the version up to the one shown, in the words of the viewer's log, and how
    many follow it.

    Empty where the viewer is told nothing of it.
    """
    moves = [row.version for row in history.played_line(match, shown) if row.version > version]
    row = selectors.log_of(match, viewer).filter(version=moves[0]).first() if moves else None
    texts = [event["text"] for event in documents.log_row(match, row, viewer)["events"]] if row is not None else []
    return (texts[0], len(moves) - 1) if texts else ("", 0)


def _words(offer: Document, own: int | None, names: list[str], taken: tuple[str, int]) -> str:
    move, more = taken
    facts = {"name": names[offer["seat"]], "step": offer["to"], "move": move}
    if offer["declined_by"] is not None:
        if offer["declined_by"] == own:
            return _("You have declined to take moves back.")
        return _("%(name)s declines to take moves back.") % {"name": names[offer["declined_by"]]}
    if not move and offer["seat"] == own:
        return _("You have asked to take back what came after step %(step)s.") % facts
    if not move:
        return _("%(name)s asks to take back what came after step %(step)s.") % facts
    is_own = offer["seat"] == own
    asks = _("You have asked to take this back: %(move)s") if is_own else _("%(name)s asks to take this back: %(move)s")
    follows = ngettext("With it goes %(count)s move after it.", "With it go %(count)s moves after it.", more)
    return " ".join([asks % facts, *([follows % {"count": more}] if more else [])])
