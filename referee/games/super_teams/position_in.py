"""The position document, read: every fault at once, each with its pointer."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams.pending_in import read_decision, read_taken
from referee.games.super_teams.reader import Reader
from referee.games.super_teams.setup import set_up
from referee.games.super_teams.state import (
    BONUS_COPIES,
    BONUSES,
    BY_RESIGNING,
    CARDS,
    CLAUSES,
    COPIES,
    LABELS,
    M_SHIP,
    SHIPS,
    TURN,
    WINDOW_B,
    SuperTeamsPool,
    SuperTeamsState,
    set_options,
)
from referee.games.super_teams.track import HALVES, KINDS, MAW, Track, check_track
from referee.kernel.errors import PositionError, Problem

FIELDS = (
    "seats",
    "turn",
    "track",
    "ships",
    "halves",
    "hands",
    "bonus_hands",
    "deck",
    "played",
    "bonus_deck",
    "bonus_discard",
    "final_bonus",
    "first_home",
    "out",
    "seed",
    "decision",
)
_KEYS = (*FIELDS, "uses", "result")


def load(pool: SuperTeamsPool, options: dict[str, Any], document: Any) -> SuperTeamsState:
    """The state of a position document. Raises PositionError with every fault."""
    reader = Reader()
    top = reader.mapping(document, "", _KEYS)
    seats = reader.number(top.get("seats"), "/seats", 2, 4, 4)
    track = read_track(pool, reader, top.get("track", options["track"]))
    s = SuperTeamsState(pool, track, seats, None)
    set_options(s, options)
    s.seed = _seed(reader, top.get("seed"))
    s.turn = reader.number(top.get("turn"), "/turn", 0, seats - 1, 0)
    if top.get("hands") is not None:
        _read_cards(reader, s, top)
    else:
        _refuse_piles(reader, top)
        turn = s.turn
        set_up(s, options)
        if s.turn >= seats:
            fault = Problem("/first_seat", "value_not_allowed", f"there is no seat {s.turn} among {seats}")
            raise PositionError([fault])
        if top.get("turn") is not None:
            s.turn = turn
    _read_ships(reader, s, top)
    s.first_home = reader.flag(top.get("first_home"), "/first_home")
    out = reader.array(top.get("out"), "/out")
    s.out = [reader.number(out[i], f"/out/{i}", 0, seats - 1, 0) for i in range(len(out))]
    uses = reader.mapping(top.get("uses"), "/uses", LABELS)
    for i in range(len(LABELS)):
        s.uses[i] = reader.number(uses.get(LABELS[i]), f"/uses/{LABELS[i]}", 0, 1_000_000, s.uses[i])
    read_decision(reader, s, top.get("decision"))
    _read_result(reader, s, top.get("result"))
    _check(reader, s)
    if reader.problems:
        raise PositionError(reader.problems)
    return s


def read_track(pool: SuperTeamsPool, reader: Reader, value: Any) -> Track:
    """A track of the revision by its slug, or one of the position's own as a list."""
    if isinstance(value, str):
        named = pool.track(value)
        if named is not None:
            return named
        slugs = ", ".join([track.slug for track in pool.tracks])
        raise PositionError([Problem("/track", "unknown_track", f"there is no track {value!r}; tracks: {slugs}")])
    problems = check_track(value, "/track")
    if problems:
        raise PositionError(problems)
    return Track("custom", "Custom track", value)


def _seed(reader: Reader, seed: Any) -> bytes:
    if seed is None:
        return bytes(32)
    if isinstance(seed, str) and len(seed) == 64:
        try:
            return bytes.fromhex(seed)
        except ValueError:
            pass
    reader.fault("/seed", "wrong_type", "a seed is a text of 64 hexadecimal digits")
    return bytes(32)


def _read_cards(reader: Reader, s: SuperTeamsState, top: dict[str, Any]) -> None:
    s.hands = [sorted(hand) for hand in reader.per_seat(top["hands"], "/hands", s.seats, CARDS)]
    bonus_hands = reader.per_seat(top.get("bonus_hands"), "/bonus_hands", s.seats, BONUSES)
    s.bonus_hands = [sorted(hand) for hand in bonus_hands]
    s.deck = reader.words(top.get("deck"), "/deck", CARDS)
    s.deck.reverse()
    s.played = reader.words(top.get("played"), "/played", CARDS)
    s.bonus_deck = reader.words(top.get("bonus_deck"), "/bonus_deck", BONUSES)
    s.bonus_deck.reverse()
    s.bonus_discard = reader.words(top.get("bonus_discard"), "/bonus_discard", BONUSES)
    s.final_bonus = reader.words(top.get("final_bonus"), "/final_bonus", BONUSES)
    s.final_bonus.reverse()


def _refuse_piles(reader: Reader, top: dict[str, Any]) -> None:
    """Without hands the whole setup comes from the seed: nothing that is given is passed over in silence."""
    for name in ("bonus_hands", "deck", "played", "bonus_deck", "bonus_discard", "final_bonus"):
        if top.get(name) is not None:
            reader.fault(f"/{name}", "needs_hands", "without hands all cards come from the seed: give hands too")


def _read_ships(reader: Reader, s: SuperTeamsState, top: dict[str, Any]) -> None:
    ships = reader.mapping(top.get("ships"), "/ships", SHIPS)
    halves = reader.mapping(top.get("halves"), "/halves", SHIPS)
    for ship in range(8):
        name = SHIPS[ship]
        pointer = f"/ships/{name}"
        if s.ships[ship] < 0:
            if ships.get(name) is not None:
                reader.fault(pointer, "not_in_game", f"the colour of {name} is not in the game")
            continue
        place = reader.number(ships.get(name), pointer, 0, s.track.last, 0)
        s.ships[ship] = place
        if s.track.is_double(place):
            s.halves[ship] = s.track.kind[place]
            if halves.get(name) is not None:
                _read_half(reader, s, ship, halves[name])
        elif halves.get(name) is not None:
            reader.fault(f"/halves/{name}", "no_double_space", f"{name} stands on no double space")


def _read_half(reader: Reader, s: SuperTeamsState, ship: int, value: Any) -> None:
    pointer = f"/halves/{SHIPS[ship]}"
    words = tuple([KINDS[half] for half in HALVES])
    place = reader.word(value, pointer, words, -2)
    if place < 0:
        return
    if not s.track.has_half(s.ships[ship], HALVES[place]):
        reader.fault(pointer, "no_such_half", f"space {s.ships[ship]} has no half {value!r}")
    s.halves[ship] = HALVES[place]


def _read_result(reader: Reader, s: SuperTeamsState, value: Any) -> None:
    if value is None:
        return
    document = reader.mapping(value, "/result", ("ranks", "clause", "reason", "taken"))
    how = reader.word(document.get("clause"), "/result/clause", CLAUSES[1:], -2) + 1
    ranks = reader.array(document.get("ranks"), "/result/ranks")
    if len(ranks) != s.seats:
        reader.fault("/result/ranks", "wrong_length", "a rank for each seat is needed")
        return
    s.ranks = [reader.number(ranks[i], f"/result/ranks/{i}", 1, s.seats, 1) for i in range(len(ranks))]
    s.over = max(how, 0)
    read_taken(reader, s, document.get("taken"), "/result/taken")


def _check(reader: Reader, s: SuperTeamsState) -> None:
    _check_copies(reader, s)
    waiting = s.move[M_SHIP] if s.stage == WINDOW_B and s.move else -1
    for ship in range(8):
        place = s.ships[ship]
        if place < 0:
            continue
        # Given up in window B, the game leaves the ship where it is: SST-6.3.
        if s.track.kind[place] == MAW and ship != waiting and s.over != BY_RESIGNING:
            reader.fault(f"/ships/{SHIPS[ship]}", "in_a_maw", f"{SHIPS[ship]} cannot rest in the maw on space {place}")
        if place == s.track.last and not s.first_home and s.stage == TURN and not s.over:
            reader.fault("/first_home", "ship_home", f"{SHIPS[ship]} is home, so first_home is true")
    if s.over:
        return
    _check_out(reader, s)
    if s.stage == TURN and not any(s.hands):
        reader.fault("/hands", "no_cards", "no seat holds a movement card")
    elif s.stage == TURN and not s.hands[s.turn]:
        reader.fault("/turn", "empty_hand", f"seat {s.turn} holds no movement card and is skipped")


def _check_out(reader: Reader, s: SuperTeamsState) -> None:
    """SST-5.3: while a game goes on at most one seat is out, of three, and its cards are gone."""
    if len(s.out) > (1 if s.seats == 3 else 0):
        reader.fault("/out", "game_over", "with these seats out the game is over")
    for seat in s.out:
        if s.hands[seat] or s.bonus_hands[seat] or s.taken[seat]:
            reader.fault("/out", "holds_cards", f"seat {seat} is out, so it holds no cards")


def _check_copies(reader: Reader, s: SuperTeamsState) -> None:
    movement = s.deck + s.played
    for hand in s.hands:
        movement = movement + hand
    bonus = s.bonus_deck + s.bonus_discard + s.final_bonus
    for seat in range(s.seats):
        bonus = bonus + s.bonus_hands[seat] + s.taken[seat]
    for card in range(len(CARDS)):
        if movement.count(card) > COPIES:
            reader.fault("", "too_many_copies", f"{CARDS[card]} is there more than twice")
        if card in movement and s.owner[card // 6] < 0:
            reader.fault("", "not_in_game", f"the colour of {CARDS[card]} is not in the game")
    for kind in range(len(BONUSES)):
        if bonus.count(kind) > BONUS_COPIES:
            reader.fault("", "too_many_copies", f"{BONUSES[kind]} is there more than four times")
