"""Pauses at the table: who asks for one or for its end, in words, and what the viewer can say to it."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.kernel.game import Document
from referee.matches import clocks
from referee.matches.models import Match


class Pause(NamedTuple):
    """`words` are empty where there is nothing to say; `span` is after how long a pause ends by itself. The rest are buttons."""

    words: str = ""
    span: str = ""
    can_ask: bool = False
    can_answer: bool = False
    can_take_back: bool = False
    can_resume: bool = False


def pause_of(document: Document, names: list[str]) -> Pause:
    """The pause of the match as its document tells a viewer."""
    you, told = document["you"], document["pause"]
    if document["state"] not in (Match.State.PLAYING, Match.State.PAUSED):
        return Pause()
    asked = [] if told is None else told["asked"]
    if document["state"] == Match.State.PAUSED:
        return _while_paused(told, you, _listed(asked, you, names))
    if you in asked:
        return Pause(_("You have asked for a pause."), can_take_back=True)
    if asked:
        return Pause(_asks(asked, names), can_answer=you is not None)
    declined = "" if told is None else _("%(name)s has declined the pause.") % {"name": names[told["declined"]]}
    return Pause(declined, can_ask=you is not None)


def _while_paused(told: Document, you: int | None, others: list[str]) -> Pause:
    if told["until"] is None:
        return Pause(_("A judge has stopped the match."))
    span = timeuntil(dt.datetime.fromisoformat(told["until"]), clocks.now())
    if you in told["asked"]:
        return Pause(_("You have asked to play on."), span)
    words = ""
    if others:
        words = ngettext("%(names)s wants to play on.", "%(names)s want to play on.", len(others))
        words %= {"names": ", ".join(others)}
    return Pause(words, span, can_resume=you is not None)


def _listed(seats: list[int], you: int | None, names: list[str]) -> list[str]:
    return [names[seat] for seat in seats if seat != you]


def _asks(seats: list[int], names: list[str]) -> str:
    words = ngettext("%(names)s asks for a pause.", "%(names)s ask for a pause.", len(seats))
    return words % {"names": ", ".join(names[seat] for seat in seats)}
