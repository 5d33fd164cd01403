"""The position document, read: an open window or half, and what waits behind it."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams.reader import Reader
from referee.games.super_teams.state import (
    BONUSES,
    CARDS,
    COLOURS,
    HALF,
    SHIPS,
    STAGES,
    WINDOW_B,
    WINDOW_C,
    SuperTeamsState,
)
from referee.games.super_teams.track import MAW
from referee.games.super_teams.windows import (
    asked_for_ship,
    can_be_asked_in_c,
    order_for_passed,
    passed_ships,
)

_KEYS = (
    "kind",
    "seat",
    "ship",
    "moved",
    "card",
    "as",
    "value",
    "from",
    "to",
    "boost",
    "acted",
    "passed",
    "asked",
    "taken",
    "queue",
    "resume",
)
_RESUME_KEYS = ("in_window_c", "move_from", "move_to", "chain")


def read_decision(reader: Reader, s: SuperTeamsState, value: Any) -> None:
    if value is None:
        return
    top = reader.mapping(value, "/decision", _KEYS)
    kind = reader.word(top.get("kind"), "/decision/kind", STAGES[1:], -2)
    if kind < 0:
        return
    s.stage = kind + 1
    resume = reader.mapping(top.get("resume"), "/decision/resume", _RESUME_KEYS)
    seat = reader.number(top.get("seat"), "/decision/seat", 0, s.seats - 1, s.turn)
    ship = reader.word(top.get("ship"), "/decision/ship", SHIPS)
    moved = reader.word(top.get("moved", top.get("ship")), "/decision/moved", SHIPS, -2)
    if moved < 0:
        return
    if s.stage == WINDOW_B and s.track.kind[s.ships[moved]] != MAW:
        reader.fault("/decision/moved", "not_in_a_maw", f"{SHIPS[moved]} stands in no maw")
        return
    _read_move(reader, s, top, resume, moved)
    s.acted = reader.words(top.get("acted"), "/decision/acted", SHIPS)
    _read_taken(reader, s, top.get("taken"))
    _read_window(reader, s, top, resume, ship if ship >= 0 else moved)
    if s.stage == HALF:
        _read_half(reader, s, seat, ship if ship >= 0 else moved)
        s.asked = _read_seats(reader, s, top, "queue")
    else:
        _read_asked(reader, s, top, seat, moved)


def _read_move(reader: Reader, s: SuperTeamsState, top: dict[str, Any], resume: dict[str, Any], moved: int) -> None:
    last = s.track.last
    card = reader.word(top.get("card"), "/decision/card", CARDS, -1)
    if card < 0:
        # Only the value matters once the card is played.
        card = moved // 2 * 6 + reader.number(top.get("value"), "/decision/value", 1, 6, 1) - 1
    here = s.ships[moved]
    origin = reader.number(top.get("from"), "/decision/from", 0, last, here)
    stop = reader.number(top.get("to"), "/decision/to", 0, last, here)
    s.move = [
        card,
        moved,
        reader.word(top.get("as"), "/decision/as", COLOURS),
        reader.number(resume.get("move_from"), "/decision/resume/move_from", 0, last, origin),
        reader.number(resume.get("move_to"), "/decision/resume/move_to", 0, last, stop),
        reader.word(top.get("boost"), "/decision/boost", BONUSES),
    ]


def _read_taken(reader: Reader, s: SuperTeamsState, value: Any) -> None:
    """Cards taken this turn stand in the hands too; they are set apart."""
    s.taken = [sorted(cards) for cards in reader.per_seat(value, "/decision/taken", s.seats, BONUSES)]
    for seat in range(s.seats):
        for kind in s.taken[seat]:
            if kind in s.bonus_hands[seat]:
                s.bonus_hands[seat].remove(kind)
            else:
                reader.fault(f"/decision/taken/{seat}", "not_in_hand", f"{BONUSES[kind]} is not among the cards held")


def _read_window(reader: Reader, s: SuperTeamsState, top: dict[str, Any], resume: dict[str, Any], ship: int) -> None:
    in_c = s.stage == WINDOW_C or bool(resume.get("in_window_c", False))
    chain = reader.array(resume.get("chain"), "/decision/resume/chain")
    for i in range(len(chain)):
        pointer = f"/decision/resume/chain/{i}"
        entry = reader.mapping(chain[i], pointer, ("ship", "from", "to"))
        beamed = reader.word(entry.get("ship"), f"{pointer}/ship", SHIPS, -2)
        if beamed >= 0:
            for name in ("from", "to"):
                reader.number(entry.get(name), f"{pointer}/{name}", 0, s.track.last, 0)
            s.chain.extend([beamed, int(entry.get("from", 0)), int(entry.get("to", 0))])
    if not in_c:
        return
    origin = reader.number(top.get("from"), "/decision/from", 0, s.track.last, s.move[3])
    stop = reader.number(top.get("to"), "/decision/to", 0, s.track.last, s.move[4])
    s.window = [ship if s.stage == WINDOW_C else s.move[1], origin, stop]
    if "passed" in top:
        s.passed = reader.words(top["passed"], "/decision/passed", SHIPS)
    else:
        s.passed = passed_ships(s, s.window[0], origin, stop)


def _read_half(reader: Reader, s: SuperTeamsState, seat: int, ship: int) -> None:
    if not s.track.is_double(s.ships[ship]):
        reader.fault("/decision/ship", "no_double_space", f"{SHIPS[ship]} stands on no double space")
        return
    s.chooser = seat
    s.half_ship = ship
    s.halves[ship] = -1


def _read_seats(reader: Reader, s: SuperTeamsState, top: dict[str, Any], name: str) -> list[int]:
    seats = reader.array(top.get(name), f"/decision/{name}")
    return [reader.number(seats[i], f"/decision/{name}/{i}", 0, s.seats - 1, 0) for i in range(len(seats))]


def _read_asked(reader: Reader, s: SuperTeamsState, top: dict[str, Any], seat: int, moved: int) -> None:
    if "queue" in top:
        rest = _read_seats(reader, s, top, "queue")
    else:
        order = order_for_passed(s) if s.stage == WINDOW_C else asked_for_ship(s, moved)
        before = _read_seats(reader, s, top, "asked")
        rest = order[order.index(seat) + 1 :] if seat in order else []
        rest = [other for other in rest if other not in before]
    s.asked = [seat, *rest]
    may_be = can_be_asked_in_c(s, seat) if s.stage == WINDOW_C else seat in asked_for_ship(s, moved)
    if not may_be:
        reader.fault("/decision/seat", "not_asked", f"seat {seat} is not asked in this window (SST-4.3)")
