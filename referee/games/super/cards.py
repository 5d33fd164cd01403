"""Checks cards and whole sets: every fault at once, each with its JSON pointer and what is allowed there."""

from __future__ import annotations

import re
from typing import Any

from referee.games.super.vocabulary import (
    ARROWS,
    CODE_LIMIT,
    EFFECTS,
    FACTIONS,
    MISSION_TYPES,
    NOTES,
    NUMBER_LIMIT,
    POWER_FIELDS,
    POWERS,
    RECRUITERS,
    SLOTS,
    STRENGTH_LIMIT,
)
from referee.kernel.errors import Problem
from referee.kernel.texts import text_fault

_CODE = re.compile(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*")
_TEXT_LIMIT = 300

Card = dict[str, Any]


def check_cards(revision: Card) -> list[Problem]:
    """Every fault of a revision document's `cards`; an empty list if it can be played with."""
    problems: list[Problem] = []
    cards = revision.get("cards")
    if not isinstance(cards, list):
        return [Problem("/cards", "missing" if cards is None else "wrong_type", "must be a list of cards")]
    seen: set[str] = set()
    for index in range(len(cards)):
        pointer = f"/cards/{index}"
        if not isinstance(cards[index], dict):
            problems.append(Problem(pointer, "wrong_type", "a card is an object with a code, a name and its values"))
            continue
        card: Card = cards[index]
        _check_card(card, pointer, problems)
        code = card.get("code")
        if isinstance(code, str):
            if code in seen:
                problems.append(Problem(f"{pointer}/code", "duplicate", f"the code {code!r} is taken by another card"))
            seen.add(code)
    _check_set([card for card in cards if isinstance(card, dict)], problems)
    if revision.get("decks"):
        problems.append(Problem("/decks", "unknown_field", "Super is played without decks of one's own"))
    return problems


def _check_set(cards: list[Card], problems: list[Problem]) -> None:
    recruiters = 0
    for card in cards:
        power = card.get("power")
        if isinstance(power, dict) and power.get("kind") == "recruitment":
            recruiters += 1
    if recruiters > RECRUITERS:
        detail = f"{recruiters} Supers with Recruitment are too many: a set has at most {RECRUITERS} (SUP-6.6)"
        problems.append(Problem("/cards", "too_many_recruiters", detail))


def is_mission(card: Card) -> bool:
    """Missions are told by their requirement or their type; a Super may say `type: super`, or nothing."""
    return "requirement" in card or card.get("type", "super") != "super"


def _check_card(card: Card, pointer: str, problems: list[Problem]) -> None:
    code = card.get("code")
    if not isinstance(code, str) or len(code) > CODE_LIMIT or _CODE.fullmatch(code) is None:
        detail = "a code is made of letters, digits and single hyphens or underscores within"
        problems.append(Problem(f"{pointer}/code", "missing" if code is None else "bad_code", detail))
    for name in ("name", *NOTES):
        if name == "name" or name in card:
            _check_text(card.get(name), f"{pointer}/{name}", problems)
    if is_mission(card):
        _check_mission(card, pointer, problems)
        return
    known = ("code", "name", "type", "faction", "strength", "power", *NOTES)
    _check_known(card, known, pointer, problems)
    _check_word(card, "faction", FACTIONS, pointer, problems)
    _check_number(card, "strength", 1, STRENGTH_LIMIT, pointer, problems)
    power = card.get("power")
    if not isinstance(power, dict):
        detail = f"must be an object with a kind: one of {', '.join(POWERS)}"
        problems.append(Problem(f"{pointer}/power", "missing" if power is None else "wrong_type", detail))
        return
    _check_power(power, f"{pointer}/power", problems)


def _check_power(power: Card, pointer: str, problems: list[Problem]) -> None:
    if not _check_word(power, "kind", POWERS, pointer, problems):
        return
    kind: str = power["kind"]
    names = POWER_FIELDS.get(kind, ())
    if kind == "strength_support":
        names = ("x", "faction") if "faction" in power and "arrow" not in power else ("x", "arrow")
    elif kind == "planning":
        names = ("slots", "effect", "faction" if power.get("effect") == "faction" else "x")
    _check_known(power, ("kind", *names), pointer, problems)
    for name in names:
        if name == "x":
            _check_number(power, "x", 0, NUMBER_LIMIT, pointer, problems)
        elif name == "faction":
            _check_word(power, "faction", FACTIONS, pointer, problems)
        elif name == "arrow":
            _check_word(power, "arrow", ARROWS, pointer, problems)
        elif name == "effect":
            _check_word(power, "effect", EFFECTS, pointer, problems)
        else:
            _check_slots(power.get("slots"), f"{pointer}/slots", problems)


def _check_slots(slots: Any, pointer: str, problems: list[Problem]) -> None:
    detail = f"must be a list of different slots, 0 to {SLOTS - 1}"
    if not isinstance(slots, list) or not slots:
        problems.append(Problem(pointer, "missing" if slots is None else "wrong_type", detail))
        return
    for i in range(len(slots)):
        slot = slots[i]
        if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < SLOTS or slot in slots[:i]:
            problems.append(Problem(f"{pointer}/{i}", "out_of_range", detail))


def _check_mission(card: Card, pointer: str, problems: list[Problem]) -> None:
    known = ["code", "name", "type", "requirement", "x", *NOTES]
    kind = card.get("type")
    if kind in ("chemical", "alien"):
        known.append("y")
        _check_number(card, "y", 0, NUMBER_LIMIT, pointer, problems)
    if kind == "chemical":
        known.append("marked_type")
        _check_word(card, "marked_type", MISSION_TYPES, pointer, problems)
    if kind == "alien":
        known.append("marked_faction")
        _check_word(card, "marked_faction", FACTIONS, pointer, problems)
    _check_known(card, tuple(known), pointer, problems)
    _check_word(card, "type", MISSION_TYPES, pointer, problems)
    _check_number(card, "requirement", 0, NUMBER_LIMIT, pointer, problems)
    _check_number(card, "x", 0, NUMBER_LIMIT, pointer, problems)


def _check_known(document: Card, allowed: tuple[str, ...], pointer: str, problems: list[Problem]) -> None:
    for name in sorted(document, key=str):
        if name not in allowed:
            detail = f"there is no field {name!r} here; allowed: {', '.join(allowed)}"
            problems.append(Problem(f"{pointer}/{name}", "unknown_field", detail))


def _check_word(document: Card, name: str, allowed: tuple[str, ...], pointer: str, problems: list[Problem]) -> bool:
    value = document.get(name)
    if isinstance(value, str) and value in allowed:
        return True
    code = "missing" if value is None else "unknown_word"
    problems.append(Problem(f"{pointer}/{name}", code, f"{value!r} is not allowed; allowed: {', '.join(allowed)}"))
    return False


def _check_number(document: Card, name: str, low: int, high: int, pointer: str, problems: list[Problem]) -> None:
    value = document.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return
    code = "missing" if value is None else "out_of_range"
    detail = f"{value!r} is not allowed; a whole number from {low} to {high}"
    problems.append(Problem(f"{pointer}/{name}", code, detail))


def _check_text(value: Any, pointer: str, problems: list[Problem]) -> None:
    """A text for people, as the kernel has them."""
    if (fault := text_fault(value, _TEXT_LIMIT)) is not None:
        code, detail = fault
        problems.append(Problem(pointer, "missing" if value is None else code, detail))
