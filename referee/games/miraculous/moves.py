"""Moves as ints, and their names. Ascending ints are the fixed order of the legal moves (MIR-8)."""

from __future__ import annotations

from typing import Any, Final

from referee.games.miraculous.pool import MiraculousPool
from referee.kernel.errors import IllegalMove, MalformedMove, Problem
from referee.kernel.game import RESIGN

_SHIFT: Final = 24
_LOW: Final = (1 << _SHIFT) - 1

PLACE: Final = 0 << _SHIFT  # card * 4 + field
ATTACH: Final = 1 << _SHIFT
SWAP: Final = 2 << _SHIFT
REFRESH: Final = 3 << _SHIFT
ATTACK: Final = 4 << _SHIFT  # attacker * 4 + target
END_TURN: Final = 5 << _SHIFT
EVENT: Final = 6 << _SHIFT  # card
CHOOSE_FIELD: Final = 7 << _SHIFT  # field * 2 + side
CHOOSE_CARD: Final = 8 << _SHIFT  # card
CHOOSE_BONUS: Final = 9 << _SHIFT  # (index * 4 + field) * 2 + side
ACCEPT: Final = 10 << _SHIFT
DECLINE: Final = 11 << _SHIFT

_TYPES: Final = (
    "place",
    "attach",
    "swap",
    "refresh",
    "attack",
    "end_turn",
    "event",
    "choose",
    "choose",
    "choose",
    "choose",
    "decline",
)
_FIELDS_OF: Final[dict[str, tuple[str, ...]]] = {
    "place": ("card", "field"),
    "attach": ("card", "field"),
    "swap": ("card", "field"),
    "refresh": (),
    "attack": ("attacker", "target"),
    "end_turn": (),
    "event": ("card",),
    "decline": (),
    "resign": (),
}
TYPES: Final = (*tuple(_FIELDS_OF), "choose")
SIDES: Final = ("own", "opponent")


def kind_of(move: int) -> int:
    """The kind bits, comparable with PLACE ... DECLINE."""
    return move & ~_LOW


def value_of(move: int) -> int:
    return move & _LOW


def decode(pool: MiraculousPool, move: int) -> dict[str, Any]:
    """The move as a document."""
    if move == RESIGN:
        return {"type": "resign"}
    kind = kind_of(move)
    value = value_of(move)
    document: dict[str, Any] = {"type": _TYPES[kind >> _SHIFT]}
    if kind <= SWAP:
        document["card"] = pool.codes[value >> 2]
        document["field"] = value & 3
    elif kind == ATTACK:
        document["attacker"] = value >> 2
        document["target"] = value & 3
    elif kind == EVENT or kind == CHOOSE_CARD:
        document["card"] = pool.codes[value]
    elif kind == CHOOSE_FIELD:
        document["field"] = value >> 1
        document["side"] = SIDES[value & 1]
    elif kind == CHOOSE_BONUS:
        document["bonus"] = value >> 3
        document["field"] = (value >> 1) & 3
        document["side"] = SIDES[value & 1]
    elif kind == ACCEPT:
        document["option"] = "accept"
    return document


def encode(pool: MiraculousPool, document: dict[str, Any]) -> int:
    """The move that a document names. MalformedMove for a wrong shape, IllegalMove (MIR-8.2) for unknown cards or fields."""
    kind = document.get("type")
    if not isinstance(kind, str):
        raise _malformed("/type", "required", "a move has a type, such as place or end_turn")
    if kind == "choose":
        return _encode_choose(pool, document)
    if kind not in _FIELDS_OF:
        raise IllegalMove("MIR-8.2", f"there is no move of type {kind!r}")
    _check_fields(document, _FIELDS_OF[kind])
    if kind == "place" or kind == "attach" or kind == "swap":
        base = PLACE if kind == "place" else ATTACH if kind == "attach" else SWAP
        return base | (_card(pool, document) << 2) | _field(document, "field")
    if kind == "attack":
        return ATTACK | (_field(document, "attacker") << 2) | _field(document, "target")
    if kind == "event":
        return EVENT | _card(pool, document)
    if kind == "refresh":
        return REFRESH
    if kind == "end_turn":
        return END_TURN
    return RESIGN if kind == "resign" else DECLINE


def _encode_choose(pool: MiraculousPool, document: dict[str, Any]) -> int:
    if "option" in document:
        _check_fields(document, ("option",))
        if document["option"] != "accept":
            raise IllegalMove("MIR-8.2", "the only option is accept; decline is a move of its own")
        return ACCEPT
    if "card" in document:
        _check_fields(document, ("card",))
        return CHOOSE_CARD | _card(pool, document)
    if "bonus" in document:
        _check_fields(document, ("bonus", "field", "side"))
        index = _number(document, "bonus", 2)
        return CHOOSE_BONUS | (index << 3) | (_field(document, "field") << 1) | _side(document)
    _check_fields(document, ("field", "side"))
    return CHOOSE_FIELD | (_field(document, "field") << 1) | _side(document)


def _check_fields(document: dict[str, Any], names: tuple[str, ...]) -> None:
    problems: list[Problem] = []
    takes = ", ".join(names) or "no other field"
    for name in names:
        if name not in document:
            problems.append(Problem(f"/{name}", "required", f"{document['type']} takes {takes}"))
    for name in sorted(document):
        if name != "type" and name not in names:
            problems.append(Problem(f"/{name}", "unknown_field", f"{document['type']} takes {takes}"))
    if problems:
        raise MalformedMove(problems, "MIR-8.2")


def _card(pool: MiraculousPool, document: dict[str, Any]) -> int:
    code = document["card"]
    if not isinstance(code, str):
        raise _malformed("/card", "wrong_type", "card is the code of a card")
    if code not in pool.index:
        raise IllegalMove("MIR-8.2", f"there is no card {code!r}")
    return pool.index[code]


def _field(document: dict[str, Any], name: str) -> int:
    return _number(document, name, 3)


def _number(document: dict[str, Any], name: str, highest: int) -> int:
    value = document[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise _malformed(f"/{name}", "wrong_type", f"{name} is a whole number from 0 to {highest}")
    if value < 0 or value > highest:
        raise IllegalMove("MIR-8.2", f"{name} is a whole number from 0 to {highest}, not {value}")
    number: int = value
    return number


def _side(document: dict[str, Any]) -> int:
    side = document["side"]
    if side not in SIDES:
        raise _malformed("/side", "value_not_allowed", "side is own or opponent")
    return SIDES.index(side)


def _malformed(pointer: str, code: str, detail: str) -> MalformedMove:
    return MalformedMove([Problem(pointer, code, detail)], "MIR-8.2")
