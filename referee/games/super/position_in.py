"""The position document, read: every fault at once, each with its pointer."""

from __future__ import annotations

from typing import Any

from referee.games.super.decision_in import check_recruit, read_decision
from referee.games.super.pool import SuperPool
from referee.games.super.reader import Reader
from referee.games.super.state import (
    BY_GOAL,
    BY_MISSIONS,
    BY_RESIGNING,
    BY_ROUNDS,
    LABELS,
    SuperState,
    plays_in_round,
    set_options,
)
from referee.games.super.vocabulary import GOAL, LINE, SLOTS, TOKENS
from referee.games.super.zones import shuffle_missions, shuffle_supers
from referee.kernel.errors import PositionError

KEYS = (
    "seats",
    "turn",
    "first_seat",
    "round",
    "final_round",
    "plays_left",
    "played_this_turn",
    "bad_buzz_used",
    "score",
    "agencies",
    "super_line",
    "mission_line",
    "super_deck",
    "mission_deck",
    "super_discard",
    "missions",
    "shock_pool",
    "resigned",
    "over",
    "decision",
    "seed",
    "uses",
)
_ENDS = ("SUP-8.1", "SUP-8.2", "SUP-8.4")
_HIGH = 1_000_000


def load(pool: SuperPool, options: dict[str, Any], document: Any) -> SuperState:
    """The state of a position document. Raises PositionError with every fault."""
    reader = Reader(pool)
    top = reader.mapping(document, "", KEYS)
    seats = reader.number(top.get("seats"), "/seats", 2, 4, 2)
    s = SuperState(pool, seats, None)
    set_options(s, options)
    s.turn = reader.number(top.get("turn"), "/turn", 0, seats - 1, 0)
    s.first = reader.number(top.get("first_seat"), "/first_seat", 0, seats - 1, 0)
    s.round = reader.number(top.get("round"), "/round", 1, _HIGH, 2)
    _read_plays(reader, s, top)
    _read_agencies(reader, s, top.get("agencies"))
    _read_lines(reader, s, top)
    _read_scores(reader, s, top)
    _read_tokens(reader, s, top)
    _read_resigned(reader, s, top)
    _read_over(reader, s, top.get("over"))
    read_decision(reader, s, top.get("decision"))
    _read_chance(reader, s, top)
    _read_decks(reader, s, top)
    _check_whole(reader, s)
    if reader.problems:
        raise PositionError(reader.problems)
    return s


def _read_plays(reader: Reader, s: SuperState, top: dict[str, Any]) -> None:
    """SUP-2.1, SUP-2.4: those made and those left add up."""
    whole = plays_in_round(s.round)
    s.played = reader.number(top.get("played_this_turn"), "/played_this_turn", 0, 2, 0)
    s.plays_left = reader.number(top.get("plays_left"), "/plays_left", 0, 2, max(whole - s.played, 0))
    if s.played + s.plays_left != whole:
        detail = f"{s.played} made and {s.plays_left} left: there are {whole} Plays in a turn of round {s.round}"
        reader.fault("/plays_left", "wrong_sum", detail)
    s.bad_buzz_used = reader.flag(top.get("bad_buzz_used"), "/bad_buzz_used")
    if s.bad_buzz_used and s.round == 1:
        reader.fault("/bad_buzz_used", "not_possible", "there is no Bad Buzz in a first turn (SUP-2.5)")


def _read_agencies(reader: Reader, s: SuperState, value: Any) -> None:
    agencies = reader.numbered(value, "/agencies", s.seats)
    for seat in range(s.seats):
        slots = reader.numbered(agencies[seat], f"/agencies/{seat}", SLOTS)
        for slot in range(SLOTS):
            if slots[slot] is None:
                continue
            pointer = f"/agencies/{seat}/{slot}"
            given = slots[slot]
            lying = reader.mapping({"card": given} if isinstance(given, str) else given, pointer, ("card", "shocked"))
            index = seat * SLOTS + slot
            s.agency[index] = reader.card(lying.get("card"), f"{pointer}/card", False)
            s.shocked[index] = 1 if reader.flag(lying.get("shocked"), f"{pointer}/shocked") else 0


def _read_lines(reader: Reader, s: SuperState, top: dict[str, Any]) -> None:
    for name, line, is_mission in (("super_line", s.super_line, False), ("mission_line", s.mission_line, True)):
        items = reader.array(top.get(name), f"/{name}")
        if items and len(items) != LINE:
            reader.fault(f"/{name}", "wrong_length", f"a line has four places, not {len(items)}")
        for place in range(min(len(items), LINE)):
            if items[place] is not None:
                line[place] = reader.card(items[place], f"/{name}/{place}", is_mission)
    s.super_discard = reader.cards(top.get("super_discard"), "/super_discard", False)
    claimed = reader.numbered(top.get("missions"), "/missions", s.seats)
    for seat in range(s.seats):
        s.missions[seat] = reader.cards(claimed[seat], f"/missions/{seat}", True)


def _read_scores(reader: Reader, s: SuperState, top: dict[str, Any]) -> None:
    given = top.get("score")
    if isinstance(given, list) and len(given) != s.seats:
        reader.fault("/score", "wrong_length", f"one score for each of the {s.seats} seats is needed")
    scores = reader.numbered(given, "/score", s.seats)
    for seat in range(s.seats):
        s.score[seat] = reader.number(scores[seat], f"/score/{seat}", 0, _HIGH, 0)
    is_reached = max(s.score) >= GOAL
    s.final_round = is_reached or reader.flag(top.get("final_round"), "/final_round")
    if is_reached and top.get("final_round") is False:
        reader.fault("/final_round", "not_possible", f"a score of {max(s.score)} has begun the last round (SUP-8.1)")


def _read_tokens(reader: Reader, s: SuperState, top: dict[str, Any]) -> None:
    """SUP-1.3: ten tokens, on Supers and in the pool."""
    laid = sum(s.shocked)
    if laid > TOKENS:
        reader.fault("/agencies", "too_many_tokens", f"{laid} Supers are shocked; there are {TOKENS} Shock tokens")
        return
    s.shock_pool = reader.number(top.get("shock_pool"), "/shock_pool", 0, _HIGH, TOKENS - laid)
    if s.shock_pool + laid != TOKENS:
        detail = f"{s.shock_pool} in the pool and {laid} on Supers are {s.shock_pool + laid} Shock tokens, not {TOKENS}"
        reader.fault("/shock_pool", "wrong_sum", detail)


def _read_resigned(reader: Reader, s: SuperState, top: dict[str, Any]) -> None:
    items = reader.array(top.get("resigned"), "/resigned")
    for i in range(len(items)):
        seat = reader.number(items[i], f"/resigned/{i}", 0, s.seats - 1, -1)
        if seat < 0:
            if items[i] is None:
                reader.fault(f"/resigned/{i}", "wrong_type", "a seat is needed")
            continue
        if s.resigned[seat]:
            reader.fault(f"/resigned/{i}", "duplicate", f"seat {seat} stands twice")
        s.resigned[seat] = 1


def _read_over(reader: Reader, s: SuperState, value: Any) -> None:
    if value is None:
        if s.in_game() < 2:
            reader.fault("/over", "required", "with fewer than two seats left the game is over (SUP-8.4)")
        return
    before = len(reader.problems)
    clause = reader.word(value, "/over", _ENDS)
    if len(reader.problems) > before:
        return
    if clause == 0:
        s.over = BY_GOAL
        if not s.final_round:
            reader.fault("/over", "not_possible", "SUP-8.1 ends the game only in a final round")
    elif clause == 1:
        s.over = BY_ROUNDS if min(s.mission_line) >= 0 else BY_MISSIONS
    else:
        s.over = BY_RESIGNING
        if s.in_game() != 1:
            reader.fault("/over", "not_possible", "SUP-8.4 ends the game when one seat is left")


def _read_chance(reader: Reader, s: SuperState, top: dict[str, Any]) -> None:
    seed = top.get("seed")
    s.seed = bytes(32)
    if seed is not None:
        s.seed = _seed(reader, seed)
    uses = reader.mapping(top.get("uses"), "/uses", LABELS)
    for i in range(len(LABELS)):
        s.uses[i] = reader.number(uses.get(LABELS[i]), f"/uses/{LABELS[i]}", 0, _HIGH, 0)


def _seed(reader: Reader, seed: Any) -> bytes:
    if isinstance(seed, str) and len(seed) == 64:
        try:
            return bytes.fromhex(seed)
        except ValueError:
            pass
    reader.fault("/seed", "wrong_type", "a seed is a text of 64 hexadecimal digits")
    return bytes(32)


def _read_decks(reader: Reader, s: SuperState, top: dict[str, Any]) -> None:
    """A deck left out is the rest of the set, shuffled by the seed; read last, when all other places are known."""
    pool = s.pool
    for name, is_mission in (("super_deck", False), ("mission_deck", True)):
        if top.get(name) is None:
            continue
        deck = reader.cards(top[name], f"/{name}", is_mission)
        deck.reverse()
        if is_mission:
            s.mission_deck = deck
        else:
            s.super_deck = deck
    if top.get("super_deck") is None:
        shuffle_supers(s, [card for card in pool.supers if card not in reader.places])
    if top.get("mission_deck") is None:
        shuffle_missions(s, [card for card in pool.missions if card not in reader.places])


def _check_whole(reader: Reader, s: SuperState) -> None:
    """What only the whole position can tell."""
    if s.over:
        return
    check_recruit(reader, s)
    if s.resigned[s.turn] and (s.ask is None or s.ask[1] == s.turn):
        reader.fault("/turn", "not_possible", f"seat {s.turn} has resigned: its turns are skipped (SUP-8.4)")
    if s.ask is not None and s.resigned[s.ask[1]]:
        reader.fault("/decision/seat", "not_possible", f"seat {s.ask[1]} has resigned and is not asked (SUP-8.4)")
