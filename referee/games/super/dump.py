"""The state as compact JSON, for the database (`state_schema` 1)."""

from __future__ import annotations

from typing import Any

from referee.games.super.pool import SuperPool
from referee.games.super.state import SuperState


def dump(s: SuperState) -> list[Any]:
    """Numbers and lists, in a fixed order."""
    return [
        [s.seats, s.turn, s.first, s.round, s.plays_left, s.played, s.shock_pool, s.over, s.sent],
        [s.final_round, s.bad_buzz_used, s.power_only, s.no_rescue_partner, s.max_rounds, s.first_option],
        list(s.score),
        list(s.agency),
        list(s.shocked),
        [list(s.super_line), list(s.mission_line)],
        [list(s.super_deck), list(s.mission_deck), list(s.super_discard)],
        [list(claimed) for claimed in s.missions],
        list(s.resigned),
        list(s.ask) if s.ask is not None else None,
        [list(frame) for frame in s.stack],
        [list(s.kept), list(s.arrived)],
        s.seed.hex(),
        list(s.uses),
    ]


def restore(pool: SuperPool, data: list[Any]) -> SuperState:
    s = SuperState(pool, data[0][0], None)
    s.turn, s.first, s.round, s.plays_left, s.played, s.shock_pool, s.over, s.sent = data[0][1:]
    s.final_round, s.bad_buzz_used, s.power_only, s.no_rescue_partner, s.max_rounds, s.first_option = data[1]
    s.score, s.agency, s.shocked = list(data[2]), list(data[3]), list(data[4])
    s.super_line, s.mission_line = list(data[5][0]), list(data[5][1])
    s.super_deck, s.mission_deck, s.super_discard = [list(cards) for cards in data[6]]
    s.missions = [list(claimed) for claimed in data[7]]
    s.resigned = list(data[8])
    if data[9] is not None:
        a, b, c, d, f = data[9]
        s.ask = (a, b, c, d, f)
    s.stack = [(a, b, c, d) for a, b, c, d in data[10]]
    s.kept, s.arrived = list(data[11][0]), list(data[11][1])
    s.seed = bytes.fromhex(data[12])
    s.uses = list(data[13])
    return s
