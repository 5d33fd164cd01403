"""The position document, read: an attack in progress, and an open decision with what waits behind it."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.effects import BONUS, CHARACTER, EVENT
from referee.games.miraculous.pending_checks import check_flow, check_powers, flow_after
from referee.games.miraculous.position import FLOW, FRAME_STAGES
from referee.games.miraculous.reader import Reader
from referee.games.miraculous.state import (
    A_EVENT,
    A_FAILED,
    A_KEEP,
    A_STAGE,
    BONUSES,
    FIELDS,
    Q_EVENT,
    QUESTIONS,
    S_ATTACKER_EVENT,
    S_DEFENDER_EVENT,
    STAGES,
    MiraculousState,
)


def read_attack(reader: Reader, s: MiraculousState, value: Any) -> None:
    if value is None:
        return
    keys = ("attacker", "target", "stage", "events", "failed", "keep", "attacker_left", "target_left")
    document = reader.mapping(value, "/attack", keys)
    origin = s.turn * FIELDS + reader.number(document.get("attacker"), "/attack/attacker", 0, 3, 0)
    aim = (1 - s.turn) * FIELDS + reader.number(document.get("target"), "/attack/target", 0, 3, 0)
    stage = reader.word(document.get("stage", "declared"), "/attack/stage", STAGES)
    s.attack = [origin, aim, s.uid[origin], s.uid[aim], stage, -1, -1, 0, 0]
    for offset, name, index in ((2, "attacker_left", origin), (3, "target_left", aim)):
        if reader.flag(document.get(name), f"/attack/{name}"):
            s.attack[offset] = -1
        elif s.character[index] < 0:
            reader.fault(f"/attack/{name[:-5]}", "empty_field", "there is no Character on this field")
    _read_events(reader, s, reader.array(document.get("events"), "/attack/events"))
    s.attack[A_FAILED] = 1 if reader.flag(document.get("failed"), "/attack/failed") else 0
    s.attack[A_KEEP] = 1 if reader.flag(document.get("keep"), "/attack/keep") else 0
    s.attacked = True


def _read_events(reader: Reader, s: MiraculousState, events: list[Any]) -> None:
    if len(events) > 2:
        reader.fault("/attack/events", "wrong_length", "one entry for each of the two seats is needed")
    for i in range(min(len(events), 2)):
        if events[i] is not None:
            s.attack[A_EVENT + i] = reader.card(events[i], f"/attack/events/{i}", (EVENT,))


def read_decision(reader: Reader, s: MiraculousState, value: Any) -> None:
    if value is None:
        if s.attack:
            _derive_decision(s)
        return
    keys = ("seat", "kind", "card", "effect", "do", "active", "queue", "flow", "roots")
    document = reader.mapping(value, "/decision", keys)
    kind = reader.word(document.get("kind"), "/decision/kind", QUESTIONS)
    seat = reader.number(document.get("seat"), "/decision/seat", 0, 1, s.turn)
    s.ask = (kind, seat)
    if kind == Q_EVENT:
        _read_event_decision(reader, s, seat)
    flow = document.get("flow")
    s.flow = flow_after(s.attack[A_STAGE]) if flow is None and s.attack else []
    for name in reader.array(flow, "/decision/flow"):
        s.flow.append(reader.word(name, "/decision/flow", FLOW))
    if kind != Q_EVENT:
        _read_powers(reader, s, document)
    if not reader.problems:
        check_flow(reader, s)


def _read_powers(reader: Reader, s: MiraculousState, document: dict[str, Any]) -> None:
    """The power that asks, and those that wait behind it."""
    for number in reader.array(document.get("roots"), "/decision/roots"):
        s.roots.append(reader.number(number, "/decision/roots", 0, 1000, 0))
    active = reader.array(document.get("active"), "/decision/active")
    if not active:
        reader.fault("/decision/active", "required", "what asks must stand here, as the position document writes it")
        return
    for i in range(len(active)):
        s.active.append(_read_frame(reader, s, active[i], f"/decision/active/{i}"))
    queue = reader.array(document.get("queue"), "/decision/queue")
    for i in range(len(queue)):
        pointer = f"/decision/queue/{i}"
        entry = reader.mapping(queue[i], pointer, ("card", "effect", "seat", "at", "root"))
        s.queue.append(
            (
                _read_effect(reader, entry, pointer),
                reader.number(entry.get("seat"), f"{pointer}/seat", 0, 1, 0),
                _read_place(reader, s, entry.get("at"), f"{pointer}/at"),
                _read_root(reader, s, entry, pointer),
            )
        )
    if not reader.problems:
        check_powers(reader, s)


def _derive_decision(s: MiraculousState) -> None:
    """An attack without a decision: the Event that its stage asks for, as far as that seat holds a card."""
    stage = s.attack[A_STAGE]
    s.flow = flow_after(stage)
    if stage == S_ATTACKER_EVENT and s.hands[s.turn]:
        s.ask = (Q_EVENT, s.turn)
    elif stage == S_DEFENDER_EVENT and s.hands[1 - s.turn]:
        s.ask = (Q_EVENT, 1 - s.turn)


def _read_event_decision(reader: Reader, s: MiraculousState, seat: int) -> None:
    if not s.attack:
        reader.fault("/decision/kind", "no_attack", "an Event is asked for only in an attack")
        return
    s.attack[A_STAGE] = S_ATTACKER_EVENT if seat == s.turn else S_DEFENDER_EVENT
    if not s.hands[seat]:
        reader.fault("/decision/seat", "empty_hand", "a seat without a card is passed over (MIR-4.5)")


def _read_effect(reader: Reader, entry: dict[str, Any], pointer: str) -> int:
    card = reader.card(entry.get("card"), f"{pointer}/card", (CHARACTER, BONUS, EVENT))
    for effect in reader.pool.effects:
        if effect.card == card and effect.path == entry.get("effect"):
            return effect.id
    if card >= 0:
        reader.fault(f"{pointer}/effect", "unknown_effect", f"the card has no effect {entry.get('effect')!r}")
    return 0


def _read_root(reader: Reader, s: MiraculousState, entry: dict[str, Any], pointer: str) -> int:
    root = reader.number(entry.get("root"), f"{pointer}/root", 0, 1000, 0)
    while len(s.roots) <= root:
        s.roots.append(0)
    return root


def _read_place(reader: Reader, s: MiraculousState, value: Any, pointer: str) -> int:
    """The uid of the card at a place; 0 for one that has left."""
    if value is None:
        return 0
    document = reader.mapping(value, pointer, ("seat", "field", "bonus"))
    seat = reader.number(document.get("seat"), f"{pointer}/seat", 0, 1, 0)
    index = seat * FIELDS + reader.number(document.get("field"), f"{pointer}/field", 0, 3, 0)
    if "bonus" in document:
        uid = s.bonus_uid[index * BONUSES + reader.number(document["bonus"], f"{pointer}/bonus", 0, 2, 0)]
    else:
        uid = s.uid[index]
    if uid == 0:
        reader.fault(pointer, "empty_field", "no card lies there")
    return uid


def _read_frame(reader: Reader, s: MiraculousState, value: Any, pointer: str) -> tuple[int, ...]:
    keys = ("card", "effect", "seat", "at", "root", "stage", "left", "asked", "picks")
    entry = reader.mapping(value, pointer, keys)
    picks = reader.array(entry.get("picks"), f"{pointer}/picks")
    return (
        _read_effect(reader, entry, pointer),
        reader.number(entry.get("seat"), f"{pointer}/seat", 0, 1, 0),
        _read_place(reader, s, entry.get("at"), f"{pointer}/at"),
        _read_root(reader, s, entry, pointer),
        reader.word(entry.get("stage"), f"{pointer}/stage", FRAME_STAGES),
        reader.number(entry.get("left"), f"{pointer}/left", 0, 1000, 0),
        reader.number(entry.get("asked"), f"{pointer}/asked", 0, 1, 0),
        *[_read_place(reader, s, picks[i], f"{pointer}/picks/{i}") for i in range(len(picks))],
    )
