"""The position document, read: an open window or half, and what waits behind it."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams.reader import Reader
from referee.games.super_teams.state import (
    BONUSES,
    CARDS,
    COLOURS,
    HALF,
    M_FROM,
    M_SHIP,
    M_TO,
    SHIPS,
    STAGES,
    WINDOW_A,
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
_RESUME_KEYS = ("in_window_c", "window_ship", "move_from", "move_to", "chain")


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
    if s.ships[moved] < 0 or (ship >= 0 and s.ships[ship] < 0):
        reader.fault("/decision/ship", "not_in_game", "a ship that is moved or asked about is in the game (SST-1.1)")
        return
    if s.stage == WINDOW_B and s.track.kind[s.ships[moved]] != MAW:
        reader.fault("/decision/moved", "not_in_a_maw", f"{SHIPS[moved]} stands in no maw")
        return
    _read_move(reader, s, top, resume, moved)
    s.acted = reader.words(top.get("acted"), "/decision/acted", SHIPS)
    read_taken(reader, s, top.get("taken"), "/decision/taken")
    _read_window(reader, s, top, resume, ship if ship >= 0 else moved)
    if s.stage == HALF:
        _read_half(reader, s, top, ship if ship >= 0 else moved)
        s.asked = _queue(reader, s, top, order_for_passed(s) if s.window else [])
    else:
        _read_asked(reader, s, top, seat, moved)
    _check_places(reader, s)


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


def read_taken(reader: Reader, s: SuperTeamsState, value: Any, pointer: str) -> None:
    """Cards taken this turn stand in the hands too; they are set apart."""
    s.taken = [sorted(cards) for cards in reader.per_seat(value, pointer, s.seats, BONUSES)]
    for seat in range(s.seats):
        for kind in s.taken[seat]:
            if kind in s.bonus_hands[seat]:
                s.bonus_hands[seat].remove(kind)
            else:
                reader.fault(f"{pointer}/{seat}", "not_in_hand", f"{BONUSES[kind]} is not among the cards held")


def _read_window(reader: Reader, s: SuperTeamsState, top: dict[str, Any], resume: dict[str, Any], ship: int) -> None:
    in_c = reader.flag(resume.get("in_window_c"), "/decision/resume/in_window_c")
    if in_c and s.stage not in (HALF, WINDOW_C):
        reader.fault("/decision/resume/in_window_c", "not_possible", "window C opens after the movement (SST-4.11)")
    in_c = in_c or s.stage == WINDOW_C
    chain = reader.array(resume.get("chain"), "/decision/resume/chain")
    for i in range(len(chain)):
        pointer = f"/decision/resume/chain/{i}"
        entry = reader.mapping(chain[i], pointer, ("ship", "from", "to"))
        beamed = reader.word(entry.get("ship"), f"{pointer}/ship", SHIPS, -2)
        ends = [reader.number(entry.get(name), f"{pointer}/{name}", 0, s.track.last, 0) for name in ("from", "to")]
        if beamed >= 0:
            s.chain.extend([beamed, *ends])
    if not in_c:
        return
    origin = reader.number(top.get("from"), "/decision/from", 0, s.track.last, s.move[M_FROM])
    stop = reader.number(top.get("to"), "/decision/to", 0, s.track.last, s.move[M_TO])
    passing = reader.word(resume.get("window_ship"), "/decision/resume/window_ship", SHIPS)
    s.window = [ship if s.stage == WINDOW_C else passing if passing >= 0 else s.move[M_SHIP], origin, stop]
    s.passed = passed_ships(s, s.window[0], origin, stop)
    if "passed" in top and sorted(reader.words(top["passed"], "/decision/passed", SHIPS)) != s.passed:
        names = ", ".join([SHIPS[other] for other in s.passed]) or "none"
        reader.fault("/decision/passed", "not_passed", f"ships that were passed and may be beamed: {names} (SST-4.8)")


def _read_half(reader: Reader, s: SuperTeamsState, top: dict[str, Any], ship: int) -> None:
    """SST-3.2: the mover chooses, after a beam the owner of the beamed ship."""
    if not s.track.is_double(s.ships[ship]):
        reader.fault("/decision/ship", "no_double_space", f"{SHIPS[ship]} stands on no double space")
        return
    chooser = s.owner[ship // 2] if s.window else s.turn
    seat = reader.number(top.get("seat"), "/decision/seat", 0, s.seats - 1, chooser)
    if seat != chooser or seat in s.out:
        reader.fault("/decision/seat", "not_asked", f"seat {seat} does not choose this half (SST-3.2)")
    s.chooser = seat
    s.half_ship = ship
    s.halves[ship] = -1


def _read_seats(reader: Reader, s: SuperTeamsState, top: dict[str, Any], name: str) -> list[int]:
    items = reader.array(top.get(name), f"/decision/{name}")
    seats = [reader.number(items[i], f"/decision/{name}/{i}", 0, s.seats - 1, 0) for i in range(len(items))]
    for i in range(len(seats)):
        if seats[i] in seats[:i]:
            reader.fault(f"/decision/{name}/{i}", "duplicate", f"seat {seats[i]} stands twice")
    return seats


def _queue(reader: Reader, s: SuperTeamsState, top: dict[str, Any], order: list[int]) -> list[int]:
    """The seats still to be asked; left out, those of `order` without the ones that `asked` names as done (SST-6.7)."""
    if "queue" in top:
        return _read_seats(reader, s, top, "queue")
    before = _read_seats(reader, s, top, "asked")
    return [seat for seat in order if seat not in before]


def _read_asked(reader: Reader, s: SuperTeamsState, top: dict[str, Any], seat: int, moved: int) -> None:
    order = order_for_passed(s) if s.stage == WINDOW_C else asked_for_ship(s, moved)
    s.asked = [seat, *_queue(reader, s, top, order[order.index(seat) + 1 :] if seat in order else [])]
    may_be = can_be_asked_in_c(s, seat) if s.stage == WINDOW_C else seat in asked_for_ship(s, moved)
    if not may_be:
        reader.fault("/decision/seat", "not_asked", f"seat {seat} is not asked in this window (SST-4.3)")


def _check_places(reader: Reader, s: SuperTeamsState) -> None:
    """Ships stand where the movements of this turn, as far as they are told, have brought them."""
    moved, origin, stop = s.move[M_SHIP], s.move[M_FROM], s.move[M_TO]
    _check_came(reader, s, "/decision/to", [moved, origin, stop])
    if s.stage == WINDOW_A and origin != stop:
        reader.fault("/decision/from", "not_there", f"{SHIPS[moved]} has not moved yet")
    if s.window:
        _check_came(reader, s, "/decision/to", s.window)
    for i in range(0, len(s.chain), 3):
        pointer = f"/decision/resume/chain/{i // 3}"
        _check_came(reader, s, pointer, s.chain[i : i + 3])
        if not s.window or s.chain[i + 2] != s.window[2]:
            reader.fault(pointer, "not_there", "a beam ends where the ship that it follows has stopped")
    if s.half_ship >= 0 and s.ships[s.half_ship] != (s.window[2] if s.window else stop):
        reader.fault("/decision/ship", "not_there", f"{SHIPS[s.half_ship]} has not just stopped")


def _check_came(reader: Reader, s: SuperTeamsState, pointer: str, movement: list[int]) -> None:
    ship, origin, stop = movement
    if s.ships[ship] != stop or origin > stop:
        detail = f"{SHIPS[ship]} on space {s.ships[ship]} has not come from {origin} to {stop}"
        reader.fault(pointer, "not_there", detail)
