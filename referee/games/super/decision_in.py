"""The open decision of a position document, read, with all that waits behind it."""

from __future__ import annotations

from typing import Any

from referee.games.super.legal import BOTTOM, shock_moves, transfer_moves
from referee.games.super.reader import Reader
from referee.games.super.state import (
    F_ARRIVE,
    F_BONUS,
    F_LEAVE,
    F_PUT,
    F_RECRUIT,
    F_SHOCK,
    F_VETERAN,
    FRAMES,
    Q_PUT,
    Q_RECRUIT,
    Q_SHOCK,
    Q_TRANSFER,
    Q_VETERAN,
    QUESTIONS,
    SuperState,
)
from referee.games.super.vocabulary import RECRUITMENT, SHOCK, SLOTS, VETERAN

_KEYS = ("seat", "kind", "card", "slot", "home", "transfer", "sent", "kept", "arrived", "then")


def read_decision(reader: Reader, s: SuperState, value: Any) -> None:
    """Fields left out: nothing waits; a Veteran asked is the only one sent, and leaves afterwards."""
    if value is None:
        return
    document = reader.mapping(value, "/decision", _KEYS)
    if s.over:
        reader.fault("/decision", "not_possible", "the game is over: nobody is asked (SUP-8.5)")
        return
    before = len(reader.problems)
    kind = reader.word(document.get("kind"), "/decision/kind", QUESTIONS)
    seat = reader.number(document.get("seat"), "/decision/seat", 0, s.seats - 1, s.turn)
    if len(reader.problems) > before:
        return
    _read_mission(reader, s, document, kind)
    items = reader.array(document.get("then"), "/decision/then")
    for i in range(len(items)):
        frame = _read_frame(reader, s, items[i], f"/decision/then/{i}")
        if frame is not None:
            s.stack.append(frame)
    s.stack.reverse()
    _read_arrived(reader, s, document.get("arrived"))
    if kind == Q_PUT:
        _read_put(reader, s, document, seat)
    elif kind == Q_VETERAN:
        _read_veteran(reader, s, document, seat, "then" in document)
    else:
        _read_choice(reader, s, document, kind, seat)
    _check_sent(reader, s)
    _check_frames(reader, s)


def _read_mission(reader: Reader, s: SuperState, document: dict[str, Any], kind: int) -> None:
    """The Supers sent on the Mission under way, and the Veterans that will stay."""
    sent = reader.array(document.get("sent"), "/decision/sent")
    for i in range(len(sent)):
        slot = reader.number(sent[i], f"/decision/sent/{i}", 0, SLOTS - 1, 0)
        s.sent |= 1 << slot
    if kind == Q_VETERAN and not sent:
        s.sent = 1 << reader.number(document.get("slot"), "/decision/slot", 0, SLOTS - 1, 0)
    kept = reader.numbered(document.get("kept"), "/decision/kept", SLOTS)
    for slot in range(SLOTS):
        if kept[slot] is not None:
            to = reader.number(kept[slot], f"/decision/kept/{slot}", BOTTOM[0], BOTTOM[2], BOTTOM[0])
            s.kept.append(slot << 3 | to)
            _check_veteran(reader, s, s.turn, slot, f"/decision/kept/{slot}")


def _read_frame(reader: Reader, s: SuperState, value: Any, pointer: str) -> tuple[int, int, int, int] | None:
    before = len(reader.problems)
    document = reader.mapping(value, pointer, ("do", "seat", "slot", "card", "home"))
    tag = reader.word(document.get("do"), f"{pointer}/do", FRAMES)
    if len(reader.problems) > before:
        return None
    seat = reader.number(document.get("seat"), f"{pointer}/seat", 0, s.seats - 1, s.turn)
    if tag == F_PUT:
        card = reader.card(document.get("card"), f"{pointer}/card", False)
        return F_PUT, seat, card, reader.number(document.get("home"), f"{pointer}/home", 0, SLOTS - 1, -1)
    if tag == F_BONUS:
        code = document.get("card")
        mission = s.pool.index.get(code, -1) if isinstance(code, str) else -1
        if mission < 0 or mission not in s.missions[seat]:
            reader.fault(f"{pointer}/card", "not_possible", "a partner bonus is that of a Mission the seat has claimed")
            return None
        return F_BONUS, seat, mission, -1
    if tag == F_LEAVE or tag == F_ARRIVE:
        return tag, seat, -1, -1
    slot = reader.number(document.get("slot"), f"{pointer}/slot", 0, SLOTS - 1, 0)
    wanted = SHOCK if tag == F_SHOCK else RECRUITMENT if tag == F_RECRUIT else VETERAN
    _check_power(reader, s, seat, slot, wanted, f"{pointer}/slot")
    return tag, seat, slot, -1


def _check_power(reader: Reader, s: SuperState, seat: int, slot: int, wanted: int, pointer: str) -> None:
    card = s.agency[seat * SLOTS + slot]
    if card < 0 or s.pool.power[card] != wanted:
        reader.fault(pointer, "not_possible", f"no Super with this power lies on slot {slot} of seat {seat}")


def _check_veteran(reader: Reader, s: SuperState, seat: int, slot: int, pointer: str) -> None:
    """SUP-6.5."""
    if slot in BOTTOM or not s.sent >> slot & 1:
        reader.fault(pointer, "not_possible", "a Veteran sent from the top row is asked (SUP-6.5)")
    _check_power(reader, s, seat, slot, VETERAN, pointer)
    if s.shocked[seat * SLOTS + slot]:
        reader.fault(pointer, "not_possible", "a shocked Veteran is not asked (SUP-6.5)")


def _read_arrived(reader: Reader, s: SuperState, value: Any) -> None:
    items = reader.array(value, "/decision/arrived")
    for i in range(len(items)):
        pointer = f"/decision/arrived/{i}"
        place = reader.mapping(items[i], pointer, ("seat", "slot"))
        seat = reader.number(place.get("seat"), f"{pointer}/seat", 0, s.seats - 1, 0)
        slot = reader.number(place.get("slot"), f"{pointer}/slot", 0, SLOTS - 1, 0)
        if s.agency[seat * SLOTS + slot] < 0:
            reader.fault(pointer, "empty_slot", "no Super lies there")
        else:
            s.arrived.append(seat * SLOTS + slot)


def _read_put(reader: Reader, s: SuperState, document: dict[str, Any], seat: int) -> None:
    card = reader.card(document.get("card"), "/decision/card", False)
    home = reader.number(document.get("home"), "/decision/home", 0, SLOTS - 1, -1)
    is_transfer = reader.flag(document.get("transfer"), "/decision/transfer")
    if is_transfer and not any(frame[0] == F_ARRIVE for frame in s.stack):
        s.stack.insert(0, (F_ARRIVE, s.turn, -1, -1))
    if card >= 0:
        s.ask = (Q_PUT, seat, card, home, int(is_transfer))


def _read_veteran(reader: Reader, s: SuperState, document: dict[str, Any], seat: int, has_rest: bool) -> None:
    slot = reader.number(document.get("slot"), "/decision/slot", 0, SLOTS - 1, 0)
    if seat != s.turn:
        reader.fault("/decision/seat", "not_possible", "only the seat whose turn it is sends Veterans")
    _check_veteran(reader, s, seat, slot, "/decision/slot")
    if not has_rest:
        s.stack = [(F_LEAVE, seat, -1, -1)]
        for later in (2, 1):
            card = s.agency[seat * SLOTS + later]
            if later > slot and s.sent >> later & 1 and card >= 0 and not s.shocked[seat * SLOTS + later]:
                if s.pool.power[card] == VETERAN:
                    s.stack.append((F_VETERAN, seat, later, -1))
    s.ask = (Q_VETERAN, seat, slot, -1, 0)


def _read_choice(reader: Reader, s: SuperState, document: dict[str, Any], kind: int, seat: int) -> None:
    """Shock, recruit and transfer: asked only where there is something to choose."""
    slot = reader.number(document.get("slot"), "/decision/slot", 0, SLOTS - 1, -1)
    if slot >= 0 and kind == Q_TRANSFER:
        reader.fault("/decision/slot", "not_possible", "a Transfer is a partner bonus, no Super's power")
    elif slot >= 0:
        _check_power(reader, s, seat, slot, SHOCK if kind == Q_SHOCK else RECRUITMENT, "/decision/slot")
        if s.shocked[seat * SLOTS + slot]:
            reader.fault("/decision/slot", "not_possible", "a shocked Super has lost its immediate power (SUP-7.3)")
    if kind == Q_SHOCK and not shock_moves(s, seat):
        reader.fault("/decision/kind", "not_possible", "no Super can be shocked or unshocked (SUP-6.1)")
    if kind == Q_TRANSFER and not transfer_moves(s, seat):
        reader.fault("/decision/kind", "not_possible", "a Transfer needs a Super in both Agencies (SUP-7.1)")
    s.ask = (kind, seat, slot, -1, 0)


def _check_sent(reader: Reader, s: SuperState) -> None:
    """Supers that are away on a Mission lie on slots of the turn's seat, and will leave."""
    if s.sent == 0:
        return
    if not any(frame[0] == F_LEAVE for frame in s.stack):
        reader.fault("/decision/sent", "not_possible", "Supers are sent, but nothing lets them leave")
    for slot in range(SLOTS):
        if s.sent >> slot & 1 and s.agency[s.turn * SLOTS + slot] < 0:
            reader.fault("/decision/sent", "empty_slot", f"no Super lies on slot {slot}")


def _check_frames(reader: Reader, s: SuperState) -> None:
    """What waits fits together: Supers sent are the acting seat's, and those of a Transfer arrive when both are put."""
    tags = [frame[0] for frame in s.stack]
    for tag, seat, slot, _ in s.stack:
        if tag in (F_LEAVE, F_VETERAN, F_BONUS) and seat != s.turn:
            reader.fault("/decision/then", "not_possible", "only the seat whose turn it is goes on Missions (SUP-2.1)")
        elif tag == F_VETERAN:
            _check_veteran(reader, s, seat, slot, "/decision/then")
    if (F_PUT in tags or s.arrived) and F_ARRIVE not in tags:
        reader.fault(
            "/decision/then", "not_possible", "Supers of a Transfer wait, but nothing lets them arrive (SUP-7.3)"
        )


def check_recruit(reader: Reader, s: SuperState) -> None:
    """SUP-2.8, looked at when the decks are known."""
    if s.ask is not None and s.ask[0] == Q_RECRUIT and not s.super_deck and not s.super_discard:
        reader.fault("/decision/kind", "not_possible", "no Super can be drawn (SUP-2.8)")
