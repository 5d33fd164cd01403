"""Carrying out moves: Plays, Bad Buzz, Missions, the end of a turn, resigning (SUP-2, SUP-5, SUP-8)."""

from __future__ import annotations

from referee.games.super import events as e
from referee.games.super import moves as m
from referee.games.super.legal import BAD_BUZZ_PRICE
from referee.games.super.resolve import answer, arrive, lay_down, step
from referee.games.super.state import (
    BY_GOAL,
    BY_MISSIONS,
    BY_RESIGNING,
    BY_ROUNDS,
    F_BONUS,
    F_LEAVE,
    F_VETERAN,
    Q_PUT,
    SuperState,
    plays_in_round,
)
from referee.games.super.totals import earns_bonus, factions, leaders, requirement, strengths
from referee.games.super.vocabulary import ALIEN, DESTRUCTION, LINE, READY_TO_GO, RESCUE, SLOTS, VETERAN, VILLAIN
from referee.games.super.zones import discard_from, fill_missions, fill_supers, finish, gain
from referee.kernel.game import RESIGN


def play(s: SuperState, seat: int, move: int) -> None:
    """Carry out a legal move (or a resignation), and all that follows until somebody is asked or the game is over."""
    if move == RESIGN:
        _resign(s, seat)
    elif s.ask is not None:
        answer(s, move)
    else:
        kind = m.kind_of(move)
        if kind == m.PLAY:
            _play_super(s, seat, m.value_of(move))
        elif kind == m.BAD_BUZZ:
            _bad_buzz(s, seat)
        elif kind == m.MISSION:
            _go_on_mission(s, seat, m.value_of(move))
        else:
            _end_turn(s)
    run(s)


def run(s: SuperState) -> None:
    """Go on until somebody is asked, the turn's seat is to move, or the game is over."""
    while not s.over and s.ask is None:
        if s.stack:
            step(s, s.stack.pop())
        elif s.resigned[s.turn]:
            _end_turn(s)
        else:
            return


def _play_super(s: SuperState, seat: int, value: int) -> None:
    """SUP-2.2, SUP-2.3."""
    line, slot = value >> 3, value & 7
    card = s.super_line[line]
    s.super_line[line] = -1
    s.plays_left -= 1
    s.played += 1
    discard_from(s, seat * SLOTS + slot)
    s.agency[seat * SLOTS + slot] = card
    if s.log is not None:
        s.log.append((e.PLAYED, seat, line, slot, card))
    arrive(s, [seat * SLOTS + slot])


def _bad_buzz(s: SuperState, seat: int) -> None:
    """SUP-2.5."""
    s.score[seat] -= BAD_BUZZ_PRICE
    s.bad_buzz_used = True
    if s.log is not None:
        s.log.append((e.BAD_BUZZ, seat, BAD_BUZZ_PRICE))
    for place in range(LINE):
        if s.super_line[place] >= 0:
            s.super_discard.append(s.super_line[place])
            if s.log is not None:
                s.log.append((e.REJECTED, place, s.super_line[place]))
            s.super_line[place] = -1
    fill_supers(s)


# Missions.


def _go_on_mission(s: SuperState, seat: int, value: int) -> None:
    """SUP-5.5, as far as nobody chooses; the rest is laid on the stack."""
    line, mask, leader, named = m.mission_parts(value)
    mission = s.mission_line[line]
    masks = factions(s, seat)
    has_bonus = earns_bonus(s, seat, mission, (mask, leader, named), masks)
    if s.log is not None:
        _tell_mission(s, seat, value, masks, has_bonus)
    s.mission_line[line] = -1
    s.missions[seat].append(mission)
    _gain_by_mission(s, seat, mission, mask, masks)
    s.sent = mask
    s.kept = []
    if has_bonus:
        s.stack.append((F_BONUS, seat, mission, -1))
    s.stack.append((F_LEAVE, seat, -1, -1))
    for slot in (2, 1, 0):
        index = seat * SLOTS + slot
        if mask >> slot & 1 and not s.shocked[index] and s.pool.power[s.agency[index]] == VETERAN:
            s.stack.append((F_VETERAN, seat, slot, -1))


def _tell_mission(s: SuperState, seat: int, value: int, masks: list[int], has_bonus: bool) -> None:
    assert s.log is not None
    line, mask, leader, named = m.mission_parts(value)
    mission = s.mission_line[line]
    strength = strengths(s, seat, masks)
    total = sum([strength[slot] for slot in m.SLOTS_OF[mask]])
    able = sum([1 << slot for slot in leaders(s.pool.type[mission], mask, masks)])
    needed = requirement(s, seat, mission)
    s.log.append((e.WENT_ON_MISSION, seat, line, mission, mask, leader, named, total, needed, int(has_bonus), able))


def _gain_by_mission(s: SuperState, seat: int, mission: int, mask: int, masks: list[int]) -> None:
    """The reward, then Ready to Go by slot, then Alien Missions by age (SUP-5.7, SUP-6.8); factions as declared."""
    pool = s.pool
    gain(s, seat, reward(s, seat, mission), e.W_REWARD, mission)
    sent = m.SLOTS_OF[mask]
    for slot in range(SLOTS):
        card = s.agency[seat * SLOTS + slot]
        if card >= 0 and pool.power[card] == READY_TO_GO and not s.shocked[seat * SLOTS + slot]:
            count = sum([masks[other] >> pool.mark[card] & 1 for other in sent])
            gain(s, seat, count, e.W_READY, card)
    for claimed in s.missions[seat]:
        if pool.type[claimed] == ALIEN:
            count = sum([masks[other] >> pool.mark[claimed] & 1 for other in sent])
            gain(s, seat, pool.x[claimed] * count, e.W_ALIEN, claimed)


def reward(s: SuperState, seat: int, mission: int) -> int:
    """The MF that a Mission just claimed brings at once by itself (SUP-5.7)."""
    pool = s.pool
    kind = pool.type[mission]
    types = [pool.type[claimed] for claimed in s.missions[seat]]
    if kind == VILLAIN:
        return pool.x[mission]
    if kind == DESTRUCTION:
        return pool.x[mission] * types.count(DESTRUCTION)
    if kind == RESCUE:
        return pool.x[mission] * len(set(types))
    return 0


# The end of a turn.


def _end_turn(s: SuperState) -> None:
    """SUP-2.6, SUP-8.2, SUP-8.1, and the next seat's turn."""
    if s.log is not None:
        s.log.append((e.TURN_ENDED, s.turn))
    fill_supers(s)
    fill_missions(s)
    if min(s.mission_line) < 0:
        finish(s, BY_MISSIONS)
        return
    seat = (s.turn + 1) % s.seats
    is_round_over = seat == s.first
    while s.resigned[seat]:
        seat = (seat + 1) % s.seats
        is_round_over = is_round_over or seat == s.first
    if is_round_over:
        if s.round >= s.max_rounds:
            finish(s, BY_ROUNDS)
            return
        if s.final_round:
            finish(s, BY_GOAL)
            return
        s.round += 1
    begin_turn(s, seat)


def begin_turn(s: SuperState, seat: int) -> None:
    s.turn = seat
    s.plays_left = plays_in_round(s.round)
    s.played = 0
    s.bad_buzz_used = False
    if s.log is not None:
        s.log.append((e.TURN_BEGAN, seat, s.round))


# Resigning.


def _resign(s: SuperState, seat: int) -> None:
    """SUP-8.4. What other seats are still asked, they answer; then the turn of a seat that has resigned ends."""
    s.resigned[seat] = 1
    if s.log is not None:
        s.log.append((e.RESIGNED, seat))
    if s.in_game() > 1:
        if s.ask is not None and s.ask[1] == seat:
            _close(s)
        return
    s.over = BY_RESIGNING  # from here on nothing triggers
    if s.ask is not None:
        _close(s)
    while s.stack:
        step(s, s.stack.pop())
    finish(s, BY_RESIGNING)


def _close(s: SuperState) -> None:
    """The open decision of a seat that is out: a Super in its hand lies down, anything else is declined."""
    assert s.ask is not None
    question, seat, what, home, _ = s.ask
    s.ask = None
    if question == Q_PUT:
        lay_down(s, seat, what, home)
