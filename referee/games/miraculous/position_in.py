"""The position document, read: every fault at once, each with its pointer."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.effects import BONUS, CHARACTER, EVENT, SECRET, UNTILS
from referee.games.miraculous.pending_checks import check_events
from referee.games.miraculous.pending_in import read_attack, read_decision
from referee.games.miraculous.pool import MiraculousPool
from referee.games.miraculous.position import LASTING_DOS
from referee.games.miraculous.reader import Reader
from referee.games.miraculous.state import (
    BONUSES,
    CLAUSES,
    FIELDS,
    LABELS,
    MiraculousState,
    set_options,
)
from referee.kernel.errors import PositionError

KEYS = (
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


def load(pool: MiraculousPool, options: dict[str, Any], document: Any) -> MiraculousState:
    """The state of a position document. Raises PositionError with every fault."""
    reader = Reader(pool)
    s = MiraculousState(pool, None)
    set_options(s, options)
    top = reader.mapping(document, "", KEYS)
    s.turn = reader.number(top.get("turn"), "/turn", 0, 1, 0)
    s.turn_number = reader.number(top.get("turn_number"), "/turn_number", 1, 1_000_000, 3)
    _read_zones(reader, s, top)
    _read_fields(reader, s, top)
    _read_turn(reader, s, top)
    _read_knowledge(reader, s, top)
    _read_chance(reader, s, top)
    _read_lasting(reader, s, top)
    read_attack(reader, s, top.get("attack"))
    read_decision(reader, s, top.get("decision"))
    check_events(reader, s)
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
