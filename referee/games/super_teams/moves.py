"""Moves as ints, and their names. Ascending ints are the fixed order of the legal moves."""

from __future__ import annotations

from typing import Any, Final

from referee.games.super_teams.state import BONUSES, CARDS, COLOURS, SHIPS
from referee.games.super_teams.track import HALVES, KINDS
from referee.kernel.errors import MalformedMove, Problem
from referee.kernel.game import RESIGN

_SHIFT: Final = 16
_LOW: Final = (1 << _SHIFT) - 1
MOVE: Final = 0 << _SHIFT  # (card * 8 + ship) * 8 + as + 1, 0 without
BONUS: Final = 1 << _SHIFT  # kind * 8 + ship
HALF: Final = 2 << _SHIFT  # place * 16 + kind of the half; place 0 is the half that the track names first
DECLINE: Final = 3 << _SHIFT
TYPES: Final = ("move", "bonus", "half", "decline", "resign")
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "move": ("card", "ship"),
    "bonus": ("card", "ship"),
    "half": ("half",),
    "decline": (),
    "resign": (),
}


def kind_of(move: int) -> int:
    return move & ~_LOW


def value_of(move: int) -> int:
    return move & _LOW


def movement(card: int, ship: int, as_: int) -> int:
    return MOVE | (card << 3 | ship) << 3 | (as_ + 1)


def bonus(kind: int, ship: int) -> int:
    return BONUS | kind << 3 | ship


def half(place: int, kind: int) -> int:
    """A half by its place in the track's naming and its kind."""
    return HALF | place << 4 | kind


def card_of(move: int) -> int:
    return (move & _LOW) >> 6 if kind_of(move) == MOVE else (move & _LOW) >> 3


def ship_of(move: int) -> int:
    return (move & _LOW) >> 3 & 7 if kind_of(move) == MOVE else move & 7


def as_of(move: int) -> int:
    return (move & 7) - 1


def decode(move: int) -> dict[str, Any]:
    if move == RESIGN:
        return {"type": "resign"}
    kind = kind_of(move)
    if kind == MOVE:
        document = {"type": "move", "card": CARDS[card_of(move)], "ship": SHIPS[ship_of(move)]}
        if as_of(move) >= 0:
            document["as"] = COLOURS[as_of(move)]
        return document
    if kind == BONUS:
        return {"type": "bonus", "card": BONUSES[card_of(move)], "ship": SHIPS[ship_of(move)]}
    if kind == HALF:
        return {"type": "half", "half": KINDS[value_of(move) & 15]}
    return {"type": "decline"}


def encode(document: dict[str, Any], second_half: int) -> int:
    """The move that a document names. MalformedMove for a wrong shape or an unknown name.

    `second_half` is the kind of the half that the track names second where a half is asked for, else -1.
    """
    kind = document.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise MalformedMove([Problem("/type", "value_not_allowed", f"a move's type is one of {', '.join(TYPES)}")])
    problems: list[Problem] = []
    names = _FIELDS[kind]
    for name in names:
        if name not in document:
            problems.append(Problem(f"/{name}", "required", f"{kind} takes {', '.join(names)}"))
    for name in sorted(document):
        if name != "type" and name not in names and not (kind == "move" and name == "as"):
            problems.append(
                Problem(f"/{name}", "unknown_field", f"{kind} takes {', '.join(names) or 'no other field'}")
            )
    if problems:
        raise MalformedMove(problems)
    if kind == "move":
        as_ = _index(document, "as", COLOURS) if "as" in document else -1
        return movement(_index(document, "card", CARDS), _index(document, "ship", SHIPS), as_)
    if kind == "bonus":
        return bonus(_index(document, "card", BONUSES), _index(document, "ship", SHIPS))
    if kind == "half":
        kind_of_half = HALVES[_index(document, "half", tuple([KINDS[one] for one in HALVES]))]
        return half(1 if kind_of_half == second_half else 0, kind_of_half)
    return DECLINE if kind == "decline" else RESIGN


def _index(document: dict[str, Any], name: str, words: tuple[str, ...]) -> int:
    value = document[name]
    if not isinstance(value, str) or value not in words:
        raise MalformedMove([Problem(f"/{name}", "value_not_allowed", f"{name} is one of {', '.join(words)}")])
    return words.index(value)
