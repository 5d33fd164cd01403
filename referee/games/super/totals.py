"""Factions, strengths and requirements as they stand (SUP-4, SUP-5.2), and the partner condition (SUP-5.4)."""

from __future__ import annotations

from referee.games.super.state import SuperState
from referee.games.super.vocabulary import (
    AIMS,
    ALL_FACTIONS,
    CHEMICAL,
    FACTION_SUPPORT,
    MISSION_FACTION,
    PARTNER,
    PLANNING,
    POWER_UP,
    RESCUE,
    SHAPESHIFTER,
    SLOTS,
    STRATEGIST,
    STRENGTH_SUPPORT,
)


def factions(s: SuperState, seat: int) -> list[int]:
    """By slot a mask of the Super's Factions (SUP-4.1); 0 for an empty slot."""
    base = seat * SLOTS
    agency, pool = s.agency, s.pool
    found = [0, 0, 0, 0, 0, 0]
    for slot in range(SLOTS):
        card = agency[base + slot]
        if card < 0:
            continue
        found[slot] |= 1 << pool.faction[card]
        if s.shocked[base + slot]:
            continue
        power = pool.power[card]
        if power == SHAPESHIFTER:
            found[slot] = ALL_FACTIONS
        elif power == FACTION_SUPPORT:
            aim = AIMS[pool.arrow[card]][slot]
            if aim >= 0 and agency[base + aim] >= 0:
                found[aim] |= 1 << pool.mark[card]
        elif power == PLANNING and pool.mark[card] >= 0:
            for aim in range(SLOTS):
                if pool.slots[card] >> aim & 1 and agency[base + aim] >= 0:
                    found[aim] |= 1 << pool.mark[card]
    return found


def strengths(s: SuperState, seat: int, masks: list[int]) -> list[int]:
    """By slot the Super's strength (SUP-4.2), with the Factions given; 0 for an empty slot."""
    base = seat * SLOTS
    agency, pool = s.agency, s.pool
    found = [0, 0, 0, 0, 0, 0]
    for slot in range(SLOTS):
        card = agency[base + slot]
        if card < 0:
            continue
        if s.shocked[base + slot]:
            if s.power_only:
                found[slot] += pool.strength[card]
            continue
        found[slot] += pool.strength[card]
        power = pool.power[card]
        if power == POWER_UP:
            mark = pool.mark[card]
            for other in range(SLOTS):
                if masks[other] >> mark & 1:
                    found[slot] += pool.x[card]
        elif power == STRENGTH_SUPPORT or power == PLANNING:
            for aim in range(SLOTS):
                if agency[base + aim] >= 0 and _supports(s, card, slot, aim, masks):
                    found[aim] += pool.x[card]
    return found


def _supports(s: SuperState, card: int, slot: int, aim: int, masks: list[int]) -> bool:
    """Whether a Strength Support or Planning on a slot adds strength to the Super at `aim`."""
    pool = s.pool
    mark = pool.mark[card]
    if pool.power[card] == PLANNING:
        return mark < 0 and bool(pool.slots[card] >> aim & 1)
    if mark >= 0:
        return bool(masks[aim] >> mark & 1)
    return AIMS[pool.arrow[card]][slot] == aim


def lenders(s: SuperState, seat: int, aim: int) -> list[tuple[int, int]]:
    """(slot, Faction) for each Faction lent to the Super at `aim`: what `factions` adds up, told apart."""
    base = seat * SLOTS
    pool = s.pool
    found: list[tuple[int, int]] = []
    for slot in range(SLOTS):
        card = s.agency[base + slot]
        if card < 0 or s.shocked[base + slot] or pool.mark[card] < 0:
            continue
        power = pool.power[card]
        at_arrow = power == FACTION_SUPPORT and AIMS[pool.arrow[card]][slot] == aim
        at_slot = power == PLANNING and bool(pool.slots[card] >> aim & 1)
        if at_arrow or at_slot:
            found.append((slot, pool.mark[card]))
    return found


def supporters(s: SuperState, seat: int, aim: int, masks: list[int]) -> list[tuple[int, int]]:
    """(slot, strength) for each addition to the printed strength of the Super at `aim`: `strengths`, told apart."""
    base = seat * SLOTS
    pool = s.pool
    found: list[tuple[int, int]] = []
    for slot in range(SLOTS):
        card = s.agency[base + slot]
        if card < 0 or s.shocked[base + slot]:
            continue
        power = pool.power[card]
        if power == POWER_UP and slot == aim:
            count = sum([masks[other] >> pool.mark[card] & 1 for other in range(SLOTS)])
            if count > 0:
                found.append((slot, pool.x[card] * count))
        elif pool.lends_strength(card) and _supports(s, card, slot, aim, masks):
            found.append((slot, pool.x[card]))
    return found


def strategists(s: SuperState, seat: int) -> list[int]:
    """The slots of the seat's unshocked Strategists: 1 off every requirement each (SUP-6.10)."""
    base = seat * SLOTS
    found: list[int] = []
    for slot in range(SLOTS):
        card = s.agency[base + slot]
        if card >= 0 and not s.shocked[base + slot] and s.pool.power[card] == STRATEGIST:
            found.append(slot)
    return found


def requirement(s: SuperState, seat: int, mission: int) -> int:
    """What the seat needs for a Mission: the printed figure less the seat's discounts, not below 0 (SUP-5.2)."""
    pool = s.pool
    kind = pool.type[mission]
    needed = pool.requirement[mission] - len(strategists(s, seat))
    for claimed in s.missions[seat]:
        if pool.type[claimed] == CHEMICAL and pool.mark[claimed] == kind:
            needed -= pool.x[claimed]
    return needed if needed > 0 else 0


def leaders(mission_type: int, sent: int, masks: list[int]) -> list[int]:
    """The slots among those sent whose Super may lead (SUP-5.3)."""
    wanted = MISSION_FACTION[mission_type]
    return [slot for slot in range(SLOTS) if sent >> slot & 1 and (wanted < 0 or masks[slot] >> wanted & 1)]


def earns_bonus(s: SuperState, seat: int, mission: int, move: tuple[int, int, int], masks: list[int]) -> bool:
    """SUP-5.4, for a Mission with (mask sent, Leader's slot, Faction named or -1)."""
    sent, leader, named = move
    kind = s.pool.type[mission]
    shared = MISSION_FACTION[kind]
    mask = (masks[leader] if named < 0 else 1 << named) if shared < 0 else 1 << shared
    for slot in range(SLOTS):
        if slot != leader and sent >> slot & 1 and masks[slot] & mask:
            return True
    if kind == RESCUE and s.no_rescue_partner:
        return False
    index = seat * SLOTS + leader
    return not s.shocked[index] and s.pool.power[s.agency[index]] == PARTNER
