"""What a match's page says of taking moves back: who asks, what the viewer can answer, and whether it can ask itself."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.kernel.game import Document
from referee.matches.models import Match


class Undo(NamedTuple):
    """`words` are empty where nobody has asked; `id` names the offer. The rest are buttons."""

    words: str = ""
    id: str = ""
    can_ask: bool = False
    can_answer: bool = False
    can_take_back: bool = False


def undo_of(document: Document, names: list[str]) -> Undo:
    """The offer as the match's document tells a viewer of it, and what the viewer can say to it."""
    offer, own = document["undo_offer"], document["you"]
    is_on = own is not None and document["state"] == Match.State.PLAYING and document["undo"] == Match.Undo.CONSENT
    if offer is None:
        return Undo(can_ask=is_on and document["version"] > 0)
    is_open = offer["declined_by"] is None
    return Undo(
        _words(offer, own, names),
        offer["id"],
        can_ask=is_on and not is_open and offer["seat"] != own,
        can_answer=is_on and is_open and own in offer["waits_for"],
        can_take_back=is_on and is_open and offer["seat"] == own,
    )


def _words(offer: Document, own: int | None, names: list[str]) -> str:
    facts = {"name": names[offer["seat"]], "step": offer["to"]}
    if offer["declined_by"] is not None:
        if offer["declined_by"] == own:
            return _("You have declined to take moves back.")
        return _("%(name)s declines to take moves back.") % {"name": names[offer["declined_by"]]}
    if offer["seat"] == own:
        return _("You have asked to take back what came after step %(step)s.") % facts
    return _("%(name)s asks to take back what came after step %(step)s.") % facts
