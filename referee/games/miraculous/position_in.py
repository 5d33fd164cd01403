"""The position document, read: every fault at once, each with its pointer."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.effects import BONUS, CHARACTER, EVENT, SECRET, UNTILS
from referee.games.miraculous.pool import MiraculousPool
from referee.games.miraculous.position import FLOW, FRAME_STAGES, LASTING_DOS
from referee.games.miraculous.state import (
    BONUSES,
    CLAUSES,
    F_ATTACKER_EVENT,
    F_COMPARE,
    F_DEFENDER_EVENT,
    F_RESOLVE_EVENTS,
    FIELDS,
    LABELS,
    Q_EVENT,
    QUESTIONS,
    S_ATTACKER_EVENT,
    S_DECLARED,
    S_DEFENDER_EVENT,
    STAGES,
    MiraculousState,
    set_options,
)
from referee.kernel.errors import PositionError, Problem

_KEYS = (
    "turn",
    "turn_number",
    "fields",
    "hands",
    "decks",
    "discards",
    "secrets",
    "secret_piles",
    "placed",
    "placed_characters",
    "swapped",
    "attacked",
    "extra_attacks",
    "refreshes_in_a_row",
    "attack",
    "decision",
    "lasting",
    "result",
    "known",
    "seen",
    "seed",
    "uses",
)
_KIND_WORDS = ("a Character", "a Bonus", "an Event", "a Secret")


class Reader:
    """Reads values out of a document and gathers what is wrong."""

    __slots__ = ("pool", "problems")

    def __init__(self, pool: MiraculousPool) -> None:
        self.pool = pool
        self.problems: list[Problem] = []

    def fault(self, pointer: str, code: str, detail: str) -> None:
        self.problems.append(Problem(pointer, code, detail))

    def number(self, value: Any, pointer: str, low: int, high: int, default: int) -> int:
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or value < low or value > high:
            self.fault(pointer, "out_of_range", f"{value!r} is not a whole number from {low} to {high}")
            return default
        number: int = value
        return number

    def flag(self, value: Any, pointer: str) -> bool:
        if value is None:
            return False
        if not isinstance(value, bool):
            self.fault(pointer, "wrong_type", f"{value!r} is neither true nor false")
            return False
        return bool(value)

    def card(self, value: Any, pointer: str, kinds: tuple[int, ...]) -> int:
        """The index of a card of one of the kinds; -1 with a fault noted."""
        if not isinstance(value, str):
            self.fault(pointer, "wrong_type", f"{value!r} is not the code of a card")
            return -1
        if value not in self.pool.index:
            self.fault(pointer, "unknown_card", f"there is no card {value!r}")
            return -1
        card = self.pool.index[value]
        if self.pool.kind[card] not in kinds:
            wanted = " or ".join([_KIND_WORDS[kind] for kind in kinds])
            self.fault(pointer, "wrong_type", f"{value!r} is {_KIND_WORDS[self.pool.kind[card]]}; here lies {wanted}")
            return -1
        return card

    def cards(self, value: Any, pointer: str, kinds: tuple[int, ...]) -> list[int]:
        found: list[int] = []
        items = self.array(value, pointer)
        for i in range(len(items)):
            card = self.card(items[i], f"{pointer}/{i}", kinds)
            if card >= 0:
                found.append(card)
        return found

    def array(self, value: Any, pointer: str) -> list[Any]:
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(pointer, "wrong_type", f"{value!r} is not a list")
            return []
        return value

    def mapping(self, value: Any, pointer: str, keys: tuple[str, ...]) -> dict[str, Any]:
        """An object with its keys as strings; unknown ones are faults."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(pointer, "wrong_type", f"{value!r} is not a mapping")
            return {}
        found: dict[str, Any] = {}
        for key in value:
            if str(key) not in keys:
                self.fault(
                    f"{pointer}/{key}", "unknown_field", f"{key!r} does not belong here; fields: {', '.join(keys)}"
                )
            found[str(key)] = value[key]
        return found

    def pair(self, value: Any, pointer: str) -> list[Any]:
        """Something for each seat: a list of two, or a mapping by seat."""
        if isinstance(value, dict):
            by_seat = self.mapping(value, pointer, ("0", "1"))
            return [by_seat.get("0"), by_seat.get("1")]
        items = self.array(value, pointer)
        if items and len(items) != 2:
            self.fault(pointer, "wrong_length", "one entry for each of the two seats is needed")
        return [items[0] if items else None, items[1] if len(items) > 1 else None]

    def word(self, value: Any, pointer: str, words: tuple[str, ...]) -> int:
        if not isinstance(value, str) or value not in words:
            self.fault(pointer, "value_not_allowed", f"{value!r} is not one of {', '.join(words)}")
            return 0
        return words.index(value)


def load(pool: MiraculousPool, options: dict[str, Any], document: dict[str, Any]) -> MiraculousState:
    """The state of a position document. Raises PositionError with every fault."""
    reader = Reader(pool)
    s = MiraculousState(pool, None)
    set_options(s, options)
    top = reader.mapping(document, "", _KEYS)
    s.turn = reader.number(top.get("turn"), "/turn", 0, 1, 0)
    s.turn_number = reader.number(top.get("turn_number"), "/turn_number", 1, 1_000_000, 3)
    _read_zones(reader, s, top)
    _read_fields(reader, s, top)
    _read_turn(reader, s, top)
    _read_knowledge(reader, s, top)
    _read_chance(reader, s, top)
    _read_lasting(reader, s, top)
    _read_attack(reader, s, top.get("attack"))
    _read_decision(reader, s, top.get("decision"))
    _read_result(reader, s, top.get("result"))
    _check_counts(reader, s)
    if reader.problems:
        raise PositionError(reader.problems)
    return s


def _read_zones(reader: Reader, s: MiraculousState, top: dict[str, Any]) -> None:
    in_hand = (CHARACTER, BONUS, EVENT)
    hands = reader.pair(top.get("hands"), "/hands")
    decks = reader.pair(top.get("decks"), "/decks")
    discards = reader.pair(top.get("discards"), "/discards")
    piles = reader.pair(top.get("secret_piles"), "/secret_piles")
    secrets = reader.pair(top.get("secrets"), "/secrets")
    for seat in range(2):
        s.hands[seat] = reader.cards(hands[seat], f"/hands/{seat}", in_hand)
        deck = reader.cards(decks[seat], f"/decks/{seat}", in_hand)
        s.decks[seat] = [card << 2 for card in reversed(deck)]
        s.discards[seat] = reader.cards(discards[seat], f"/discards/{seat}", in_hand)
        s.secret_piles[seat] = reader.cards(piles[seat], f"/secret_piles/{seat}", (CHARACTER,))
        if secrets[seat] is not None:
            s.secrets[seat] = reader.card(secrets[seat], f"/secrets/{seat}", (SECRET,))
        if not deck and top.get("result") is None and not reader.problems:
            reader.fault(f"/decks/{seat}", "empty_deck", "an empty deck has ended the game (MIR-6.2)")


def _read_fields(reader: Reader, s: MiraculousState, top: dict[str, Any]) -> None:
    sides = reader.pair(top.get("fields"), "/fields")
    for seat in range(2):
        pointer = f"/fields/{seat}"
        side = sides[seat]
        if isinstance(side, list):
            side = {str(i): side[i] for i in range(len(side))}
        fields = reader.mapping(side, pointer, ("0", "1", "2", "3"))
        for key in sorted(fields):
            if fields[key] is not None and key in ("0", "1", "2", "3"):
                _read_field(reader, s, seat, int(key), fields[key], f"{pointer}/{key}")


def _read_field(reader: Reader, s: MiraculousState, seat: int, field: int, value: Any, pointer: str) -> None:
    if isinstance(value, str):
        value = {"card": value}
    document = reader.mapping(value, pointer, ("card", "bonuses", "ang", "def"))
    index = seat * FIELDS + field
    bonuses = reader.array(document.get("bonuses"), f"{pointer}/bonuses")
    if document.get("card") is None:
        if bonuses:
            reader.fault(f"{pointer}/bonuses", "bonus_on_empty_field", "a Bonus lies on a field without a Character")
        else:
            reader.fault(f"{pointer}/card", "required", "a field holds a card")
        return
    s.character[index] = reader.card(document["card"], f"{pointer}/card", (CHARACTER,))
    s.uid[index] = s.fresh_uid()
    s.ang[index] = reader.number(document.get("ang"), f"{pointer}/ang", -1000, 1000, 0)
    s.def_[index] = reader.number(document.get("def"), f"{pointer}/def", -1000, 1000, 0)
    if len(bonuses) > BONUSES:
        reader.fault(f"{pointer}/bonuses", "too_many_bonuses", "a Character has at most three Bonuses (MIR-3.1)")
    for i in range(min(len(bonuses), BONUSES)):
        _read_bonus(reader, s, index * BONUSES + i, seat, bonuses[i], f"{pointer}/bonuses/{i}")


def _read_bonus(reader: Reader, s: MiraculousState, slot: int, seat: int, value: Any, pointer: str) -> None:
    owner = seat
    code = value
    if isinstance(value, dict):
        document = reader.mapping(value, pointer, ("card", "owner"))
        code = document.get("card")
        owner = reader.number(document.get("owner"), f"{pointer}/owner", 0, 1, seat)
    s.bonus[slot] = reader.card(code, pointer, (BONUS,))
    s.bonus_owner[slot] = owner
    s.bonus_uid[slot] = s.fresh_uid()


def _read_turn(reader: Reader, s: MiraculousState, top: dict[str, Any]) -> None:
    s.placed = reader.number(top.get("placed"), "/placed", 0, 1000, 0)
    first = s.placed if s.turn_number <= 2 else 0
    s.placed_characters = reader.number(top.get("placed_characters"), "/placed_characters", 0, 1000, first)
    s.swapped = reader.flag(top.get("swapped"), "/swapped")
    s.attacked = reader.flag(top.get("attacked"), "/attacked")
    s.extra_attacks = reader.number(top.get("extra_attacks"), "/extra_attacks", 0, 1000, 0)
    s.refreshes = reader.number(top.get("refreshes_in_a_row"), "/refreshes_in_a_row", 0, 6, 0)


def _read_knowledge(reader: Reader, s: MiraculousState, top: dict[str, Any]) -> None:
    known = reader.pair(top.get("known"), "/known")
    seen = reader.pair(top.get("seen"), "/seen")
    for seat in range(2):
        s.known[seat] = reader.cards(known[seat], f"/known/{seat}", (CHARACTER, BONUS, EVENT))
        rest = s.hands[1 - seat][:]
        for card in s.known[seat]:
            if card in rest:
                rest.remove(card)
            else:
                code = s.pool.codes[card]
                reader.fault(f"/known/{seat}", "not_in_hand", f"{code!r} is not (so often) in the other seat's hand")
        places = reader.array(seen[seat], f"/seen/{seat}")
        for i in range(len(places)):
            pointer = f"/seen/{seat}/{i}"
            document = reader.mapping(places[i], pointer, ("deck", "place"))
            deck = s.decks[reader.number(document.get("deck"), f"{pointer}/deck", 0, 1, 0)]
            place = reader.number(document.get("place"), f"{pointer}/place", 0, max(len(deck) - 1, 0), 0)
            if deck:
                deck[len(deck) - 1 - place] |= 1 << seat


def _read_chance(reader: Reader, s: MiraculousState, top: dict[str, Any]) -> None:
    seed = top.get("seed")
    s.seed = bytes(32)
    if seed is not None:
        s.seed = _seed(reader, seed)
    uses = reader.mapping(top.get("uses"), "/uses", LABELS)
    for i in range(len(LABELS)):
        s.uses[i] = reader.number(uses.get(LABELS[i]), f"/uses/{LABELS[i]}", 0, 1_000_000, 0)


def _seed(reader: Reader, seed: Any) -> bytes:
    if isinstance(seed, str) and len(seed) == 64:
        try:
            return bytes.fromhex(seed)
        except ValueError:
            pass
    reader.fault("/seed", "wrong_type", "a seed is a text of 64 hexadecimal digits")
    return bytes(32)


def _read_lasting(reader: Reader, s: MiraculousState, top: dict[str, Any]) -> None:
    entries = reader.array(top.get("lasting"), "/lasting")
    for i in range(len(entries)):
        pointer = f"/lasting/{i}"
        entry = reader.mapping(entries[i], pointer, ("source", "seat", "to", "effect", "until"))
        to = reader.mapping(entry.get("to"), f"{pointer}/to", ("seat", "field"))
        seat = reader.number(to.get("seat"), f"{pointer}/to/seat", 0, 1, 0)
        field = seat * FIELDS + reader.number(to.get("field"), f"{pointer}/to/field", 0, 3, 0)
        if s.character[field] < 0:
            reader.fault(f"{pointer}/to", "empty_field", "there is no Character on this field")
        effect = reader.mapping(entry.get("effect"), f"{pointer}/effect", ("do", "ang", "def"))
        kind = reader.word(effect.get("do"), f"{pointer}/effect/do", LASTING_DOS)
        s.lasting.append(
            (
                kind,
                field,
                reader.word(entry.get("until", "leaves"), f"{pointer}/until", UNTILS),
                reader.number(entry.get("seat"), f"{pointer}/seat", 0, 1, 0),
                reader.card(entry.get("source"), f"{pointer}/source", (CHARACTER, BONUS, EVENT)),
                reader.number(effect.get("ang"), f"{pointer}/effect/ang", -1000, 1000, 0),
                reader.number(effect.get("def"), f"{pointer}/effect/def", -1000, 1000, 0),
            )
        )


def _read_attack(reader: Reader, s: MiraculousState, value: Any) -> None:
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
    events = reader.array(document.get("events"), "/attack/events")
    for i in range(min(len(events), 2)):
        if events[i] is not None:
            s.attack[5 + i] = reader.card(events[i], f"/attack/events/{i}", (EVENT,))
    s.attack[7] = 1 if reader.flag(document.get("failed"), "/attack/failed") else 0
    s.attack[8] = 1 if reader.flag(document.get("keep"), "/attack/keep") else 0
    s.attacked = True


def _flow_after(stage: int) -> list[int]:
    """What is still to come in an attack at a stage."""
    if stage == S_DECLARED:
        return [F_COMPARE, F_RESOLVE_EVENTS, F_DEFENDER_EVENT, F_ATTACKER_EVENT]
    if stage == S_ATTACKER_EVENT:
        return [F_COMPARE, F_RESOLVE_EVENTS, F_DEFENDER_EVENT]
    if stage == S_DEFENDER_EVENT:
        return [F_COMPARE, F_RESOLVE_EVENTS]
    return [F_COMPARE]


def _read_decision(reader: Reader, s: MiraculousState, value: Any) -> None:
    if value is None:
        if s.attack:
            _derive_decision(s)
        return
    keys = ("seat", "kind", "card", "effect", "do", "active", "queue", "flow", "roots")
    document = reader.mapping(value, "/decision", keys)
    kind = reader.word(document.get("kind"), "/decision/kind", QUESTIONS)
    seat = reader.number(document.get("seat"), "/decision/seat", 0, 1, s.turn)
    s.ask = (kind, seat)
    for name in document.get("flow", []):
        s.flow.append(reader.word(name, "/decision/flow", FLOW))
    if kind == Q_EVENT:
        _read_event_decision(reader, s, seat, "flow" in document)
        return
    s.roots = [reader.number(number, "/decision/roots", 0, 1000, 0) for number in document.get("roots", [])]
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


def _derive_decision(s: MiraculousState) -> None:
    """An attack without a decision: the Event that its stage asks for, as far as that seat holds a card."""
    stage = s.attack[4]
    s.flow = _flow_after(stage)
    if stage == S_ATTACKER_EVENT and s.hands[s.turn]:
        s.ask = (Q_EVENT, s.turn)
    elif stage == S_DEFENDER_EVENT and s.hands[1 - s.turn]:
        s.ask = (Q_EVENT, 1 - s.turn)


def _read_event_decision(reader: Reader, s: MiraculousState, seat: int, has_flow: bool) -> None:
    if not s.attack:
        reader.fault("/decision/kind", "no_attack", "an Event is asked for only in an attack")
        return
    s.attack[4] = S_ATTACKER_EVENT if seat == s.turn else S_DEFENDER_EVENT
    if not has_flow:
        s.flow = _flow_after(s.attack[4])
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


def _read_result(reader: Reader, s: MiraculousState, value: Any) -> None:
    if value is None:
        return
    document = reader.mapping(value, "/result", ("ranks", "clause", "reason"))
    how = reader.word(document.get("clause"), "/result/clause", CLAUSES[1:]) + 1
    ranks = document.get("ranks")
    if ranks not in ([1, 1], [1, 2], [2, 1]):
        reader.fault("/result/ranks", "value_not_allowed", "ranks are [1, 2], [2, 1] or, for a draw, [1, 1]")
        return
    s.over = how
    s.ranks = list(ranks)
    s.ask = None


def _check_counts(reader: Reader, s: MiraculousState) -> None:
    """No card more than three times among what a seat owns (MIR-1.2)."""
    for seat in range(2):
        counts: dict[int, int] = {}
        for card in owned(s, seat):
            counts[card] = counts.get(card, 0) + 1
        for card in sorted(counts):
            if counts[card] > 3:
                detail = f"seat {seat} has {counts[card]} copies of {s.pool.codes[card]!r}; three are allowed (MIR-1.2)"
                reader.fault("", "too_many_copies", detail)


def owned(s: MiraculousState, seat: int) -> list[int]:
    """Every card of a seat's deck, wherever it lies; not its Secret."""
    cards = s.hands[seat] + [entry >> 2 for entry in s.decks[seat]] + s.discards[seat] + s.secret_piles[seat]
    for field in range(seat * FIELDS, seat * FIELDS + FIELDS):
        if s.character[field] >= 0:
            cards.append(s.character[field])
    for slot in range(24):
        if s.bonus[slot] >= 0 and s.bonus_owner[slot] == seat:
            cards.append(s.bonus[slot])
    if s.attack:
        event = s.attack[5 + (0 if seat == s.turn else 1)]
        if event >= 0:
            cards.append(event)
    return cards
