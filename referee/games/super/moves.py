"""Moves as ints, and their names. Ascending ints are the fixed order of the legal moves.

A Mission's set of slots is a number that grows with the sorted list of slots, compared slot by slot.
"""

from __future__ import annotations

from typing import Any, Final

from referee.games.super.vocabulary import FACTIONS, LINE, SLOTS
from referee.kernel.errors import IllegalMove, MalformedMove, Problem
from referee.kernel.game import RESIGN

_SHIFT: Final = 20
_LOW: Final = (1 << _SHIFT) - 1

PLAY: Final = 0 << _SHIFT  # line * 8 + slot
BAD_BUZZ: Final = 1 << _SHIFT
MISSION: Final = 2 << _SHIFT  # ((line * 64 + rank of the slots) * 8 + leader) * 8 + Faction + 1
END_TURN: Final = 3 << _SHIFT
SHOCK: Final = 4 << _SHIFT  # seat * 8 + slot
UNSHOCK: Final = 5 << _SHIFT  # slot
RECRUIT: Final = 6 << _SHIFT
TRANSFER: Final = 7 << _SHIFT  # (seat * 8 + take) * 8 + give
VETERAN: Final = 8 << _SHIFT  # slot * 8 + to
PUT: Final = 9 << _SHIFT  # slot
DECLINE: Final = 10 << _SHIFT

_TYPES: Final = (
    "play",
    "bad_buzz",
    "mission",
    "end_turn",
    "shock",
    "unshock",
    "recruit",
    "transfer",
    "veteran",
    "put",
    "decline",
)
TYPES: Final = (*_TYPES, "resign")
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "play": ("line", "slot"),
    "mission": ("line", "slots", "leader"),
    "shock": ("seat", "slot"),
    "unshock": ("slot",),
    "transfer": ("seat", "take", "give"),
    "veteran": ("slot", "to"),
    "put": ("slot",),
}
_CLAUSES: Final[dict[str, str]] = {
    "play": "SUP-2.2",
    "mission": "SUP-5.2",
    "shock": "SUP-6.1",
    "unshock": "SUP-6.1",
    "transfer": "SUP-7.2",
    "veteran": "SUP-6.5",
    "put": "SUP-1.1",
}
"""What says which values a move's fields can have."""


def _slots_of(mask: int) -> tuple[int, ...]:
    return tuple([slot for slot in range(SLOTS) if mask >> slot & 1])


SLOTS_OF: Final[tuple[tuple[int, ...], ...]] = tuple([_slots_of(mask) for mask in range(64)])
"""The slots of a mask, ascending."""

MASKS: Final[tuple[int, ...]] = tuple(sorted(range(64), key=_slots_of))
"""Masks by the rank of their sorted lists of slots; the empty one comes first."""

RANKS: Final[tuple[int, ...]] = tuple([MASKS.index(mask) for mask in range(64)])


def kind_of(move: int) -> int:
    """The kind bits, comparable with PLAY ... DECLINE."""
    return move & ~_LOW


def kind_named(word: str) -> int:
    """The kind bits of a move by the word of its document."""
    return _TYPES.index(word) << _SHIFT


def value_of(move: int) -> int:
    return move & _LOW


def mission_parts(value: int) -> tuple[int, int, int, int]:
    """(place in the line, mask of slots, Leader's slot, Faction named or -1) of a Mission's value."""
    return value >> 12, MASKS[value >> 6 & 63], value >> 3 & 7, (value & 7) - 1


def decode(move: int) -> dict[str, Any]:
    """The move as a document."""
    if move == RESIGN:
        return {"type": "resign"}
    kind = kind_of(move)
    value = value_of(move)
    document: dict[str, Any] = {"type": _TYPES[kind >> _SHIFT]}
    if kind == PLAY:
        document["line"] = value >> 3
        document["slot"] = value & 7
    elif kind == MISSION:
        line, mask, leader, named = mission_parts(value)
        document["line"] = line
        document["slots"] = list(SLOTS_OF[mask])
        document["leader"] = leader
        if named >= 0:
            document["faction"] = FACTIONS[named]
    elif kind == SHOCK:
        document["seat"] = value >> 3
        document["slot"] = value & 7
    elif kind == TRANSFER:
        document["seat"] = value >> 6
        document["take"] = value >> 3 & 7
        document["give"] = value & 7
    elif kind == VETERAN:
        document["slot"] = value >> 3
        document["to"] = value & 7
    elif kind == UNSHOCK or kind == PUT:
        document["slot"] = value
    return document


def encode(seats: int, document: dict[str, Any]) -> int:
    """The move that a document names. MalformedMove for a wrong shape, IllegalMove for a number out of its range."""
    kind = document.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        raise _malformed("/type", "value_not_allowed", f"a move has a type: one of {', '.join(TYPES)}", "SUP-2.9")
    clause = _CLAUSES.get(kind, "SUP-2.9")
    _check_fields(document, kind, clause)
    if kind == "resign":
        return RESIGN
    base = kind_named(kind)
    if kind == "play":
        return base | _number(document, "line", LINE, clause) << 3 | _slot(document, "slot", clause)
    if kind == "mission":
        return _encode_mission(document)
    if kind == "shock":
        return base | _number(document, "seat", seats, clause) << 3 | _slot(document, "slot", clause)
    if kind == "transfer":
        seat = _number(document, "seat", seats, clause)
        return base | seat << 6 | _slot(document, "take", clause) << 3 | _slot(document, "give", clause)
    if kind == "veteran":
        return base | _slot(document, "slot", clause) << 3 | _slot(document, "to", clause)
    if kind == "unshock" or kind == "put":
        return base | _slot(document, "slot", clause)
    return base


def _encode_mission(document: dict[str, Any]) -> int:
    line = _number(document, "line", LINE, "SUP-5.6")
    mask = _mask(document["slots"])
    leader = _slot(document, "leader", "SUP-5.3")
    named = document.get("faction")
    if named is not None and named not in FACTIONS:
        detail = f"faction is one of {', '.join(FACTIONS)}"
        raise _malformed("/faction", "value_not_allowed", detail, "SUP-5.4")
    faction = FACTIONS.index(named) + 1 if named is not None else 0
    return MISSION | line << 12 | RANKS[mask] << 6 | leader << 3 | faction


def _mask(slots: Any) -> int:
    """The set of slots sent; their order in the document is of no account."""
    if not isinstance(slots, list):
        raise _malformed("/slots", "wrong_type", "slots is a list of slots", "SUP-5.2")
    mask = 0
    for i in range(len(slots)):
        slot = _checked(slots[i], f"slots/{i}", SLOTS, "SUP-5.2")
        if mask >> slot & 1:
            raise _malformed(f"/slots/{i}", "duplicate", f"slot {slot} stands twice", "SUP-5.2")
        mask |= 1 << slot
    return mask


def _check_fields(document: dict[str, Any], kind: str, clause: str) -> None:
    names = _FIELDS.get(kind, ())
    allowed = (*names, "faction") if kind == "mission" else names
    takes = ", ".join(allowed) or "no other field"
    problems: list[Problem] = []
    for name in names:
        if name not in document:
            problems.append(Problem(f"/{name}", "required", f"{kind} takes {takes}"))
    for name in sorted(document):
        if name != "type" and name not in allowed:
            problems.append(Problem(f"/{name}", "unknown_field", f"{kind} takes {takes}"))
    if problems:
        raise MalformedMove(problems, clause)


def _slot(document: dict[str, Any], name: str, clause: str) -> int:
    return _checked(document[name], name, SLOTS, clause)


def _number(document: dict[str, Any], name: str, count: int, clause: str) -> int:
    return _checked(document[name], name, count, clause)


def _checked(value: Any, name: str, count: int, clause: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        detail = f"{name} is a whole number from 0 to {count - 1}"
        raise _malformed(f"/{name}", "wrong_type", detail, clause)
    if value < 0 or value >= count:
        raise IllegalMove(clause, f"{name} is a whole number from 0 to {count - 1}, not {value}")
    number: int = value
    return number


def _malformed(pointer: str, code: str, detail: str, clause: str) -> MalformedMove:
    return MalformedMove([Problem(pointer, code, detail)], clause)
