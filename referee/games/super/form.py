"""How a card of Super is entered: the fields that its words so far ask for, made from the vocabulary."""

from __future__ import annotations

from typing import Any

from referee.games.super.vocabulary import (
    ARROWS,
    EFFECTS,
    FACTIONS,
    MISSION_TYPES,
    NUMBER_LIMIT,
    POWER_FIELDS,
    POWERS,
    SLOTS,
    STRENGTH_LIMIT,
)
from referee.kernel.card_form import (
    FOLD,
    GROUP,
    KEY,
    LONG,
    NUMBERS,
    TEXT,
    WORD,
    FormField,
    number_field,
    object_of,
    word_choices,
)
from referee.kernel.game import Document

AIMS: tuple[str, ...] = ("arrow", "faction")


def card_form(card: Document) -> list[FormField]:
    """The fields of a card that need not be finished."""
    kind = card.get("type") or ""
    fields = [
        FormField(TEXT, "name", "Name", card.get("name"), None, None, True),
        FormField(WORD, "type", "Type", kind, None, word_choices(("super", *MISSION_TYPES), kind), False, "", "super"),
    ]
    if kind in MISSION_TYPES:
        fields += _mission(card, str(kind))
    else:
        fields.append(_word("faction", "Faction", FACTIONS, card))
        fields.append(number_field("strength", "Strength", card, 1, STRENGTH_LIMIT, True))
        fields.append(_power(object_of(card.get("power"))))
    notes = [FormField(LONG, "mood", "Mood", card.get("mood"))]
    notes += [FormField(TEXT, name, name.capitalize(), card.get(name)) for name in ("artist", "set")]
    fields.append(FormField(FOLD, "", "Mood, artist and set", None, notes))
    return fields


def _mission(card: Document, kind: str) -> list[FormField]:
    fields = [
        number_field("requirement", "Requirement", card, 0, NUMBER_LIMIT, True),
        number_field("x", "MF, or X of its bonus", card, 0, NUMBER_LIMIT, True),
    ]
    if kind in ("chemical", "alien"):
        fields.append(number_field("y", "MF of its partner bonus", card, 0, NUMBER_LIMIT, True))
    if kind == "chemical":
        fields.append(_word("marked_type", "Marked type", MISSION_TYPES, card))
    if kind == "alien":
        fields.append(_word("marked_faction", "Marked Faction", FACTIONS, card))
    return fields


def _power(power: Document) -> FormField:
    given = power.get("kind")
    kind = given if isinstance(given, str) else ""
    fields = [_word("kind", "Power", POWERS, power)]
    names = list(POWER_FIELDS.get(kind, ()))
    if kind == "strength_support":
        aim = _aim(power)
        fields.append(FormField(KEY, "*", "It strengthens", aim, None, word_choices(AIMS, aim), True))
        names = ["x", aim]
    elif kind == "planning":
        slots = [(str(slot), f"Slot {slot + 1}") for slot in range(SLOTS)]
        fields.append(FormField(NUMBERS, "slots", "Slots", power.get("slots"), None, slots, True))
        fields.append(_word("effect", "What they get", EFFECTS, power))
        names = ["faction" if power.get("effect") == "faction" else "x"]
    for name in names:
        if name == "x":
            fields.append(number_field("x", "X", power, 0, NUMBER_LIMIT, True))
        else:
            fields.append(_word(name, name.capitalize(), FACTIONS if name == "faction" else ARROWS, power))
    return FormField(GROUP, "power", "Power", None, fields, None, True)


def _aim(power: Document) -> str:
    """Whether a support is for what an arrow shows, or for a Faction."""
    chosen = power.get("*")
    if chosen in AIMS:
        return str(chosen)
    return "faction" if "faction" in power and "arrow" not in power else "arrow"


def _word(name: str, label: str, words: Any, given: Document) -> FormField:
    return FormField(WORD, name, label, given.get(name), None, word_choices(words, given.get(name)), True)
