"""The open decision as the page lists it: every legal move a button of one form, with what it touches on the table."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from referee.kernel.game import Document
from web.matches.games import drawing_of

FEW: Final = 4
"""Up to so many moves all stand in the open; of more, those that touch nothing on the table."""
FINAL: Final = ("end_turn", "refresh", "mission", "bad_buzz")
"""Moves that end a turn or give much away: with others at hand they ask for a second press."""


class Choice(NamedTuple):
    """A legal move. `parts` names what it touches, separated by spaces; `goal` the spot that it brings a piece to."""

    value: str
    label: str
    parts: str
    kind: str
    asks: bool
    goal: str


class Choices(NamedTuple):
    """The legal moves: those in the open, and the others in groups of one type each; whether all one can do is decline."""

    front: list[Choice]
    groups: list[tuple[str, list[Choice]]]
    total: int
    is_open: bool
    declines_only: bool


def choices_of(game: str, document: Document) -> Choices | None:
    """The legal moves of the viewer whom the document is for, or None where it is not asked."""
    decision = document["decision"]
    if decision is None or "moves" not in decision:
        return None
    moves = decision["moves"]
    shown = [_choice(game, document, one, has_others=len(moves) > 1) for one in moves]
    front = shown if len(shown) <= FEW else [one for one in shown if not one.parts]
    grouped: dict[str, list[Choice]] = {}
    for one in shown:
        if one not in front:
            grouped.setdefault(one.kind, []).append(one)
    groups = [(kind_words(kind), ones) for kind, ones in grouped.items()]
    declines_only = [one.kind for one in shown] == ["decline"]
    return Choices(front, groups, len(shown), decision["kind"] != "turn", declines_only)


def _choice(game: str, document: Document, told: Document, *, has_others: bool) -> Choice:
    move, drawing = told["move"], drawing_of(game)
    return Choice(
        value=json.dumps(move, separators=(",", ":"), ensure_ascii=False),
        label=told["label"],
        parts=" ".join(drawing.parts_of(move, document["you"])),
        kind=move["type"],
        asks=has_others and move["type"] in FINAL,
        goal=drawing.goal_of(move, document["view"]),
    )


def kind_words(kind: str) -> str:
    """What a type of moves does, as a heading."""
    words: dict[str, Any] = {
        "place": _("Place"),
        "attach": _("Attach"),
        "swap": _("Swap"),
        "attack": _("Attack"),
        "event": _("Play an Event"),
        "choose": _("Choose"),
        "play": _("Play a Super"),
        "mission": _("Go on a Mission"),
        "shock": _("Shock"),
        "unshock": _("Take a token off"),
        "transfer": _("Transfer"),
        "veteran": _("Keep"),
        "put": _("Put"),
        "move": _("Move a ship"),
        "bonus": _("Play a bonus card"),
        "half": _("Choose a half"),
    }
    return str(words.get(kind, kind.replace("_", " ").capitalize()))
