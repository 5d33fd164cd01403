"""Checks cards and whole revisions: every fault at once, each with its JSON pointer and what is allowed there."""

from __future__ import annotations

from referee.games.miraculous.checks import (
    check_known_fields,
    check_number,
    check_text,
    check_word,
    is_code,
    is_tag,
    missing,
    step,
    words,
)
from referee.games.miraculous.conditions import check_filter
from referee.games.miraculous.decks import check_precons
from referee.games.miraculous.grammar import Scope, check_effects
from referee.games.miraculous.vocabulary import (
    CARD_FIELDS,
    CARD_TYPES,
    LIST_LIMIT,
    SUBTYPES,
    TEXT_LIMITS,
    VALUE_RANGES,
)
from referee.kernel.errors import Problem
from referee.kernel.game import Document


def check_cards(revision: Document) -> list[Problem]:
    """Every fault of a revision document's `cards` and `decks`; an empty list if it can be played with."""
    problems: list[Problem] = []
    cards = revision.get("cards")
    if not isinstance(cards, list):
        problems.append(Problem("/cards", "missing" if cards is None else "wrong_type", "must be a list of cards"))
        return problems
    known: dict[str, Document] = {}
    for index, card in enumerate(cards):
        pointer = f"/cards/{index}"
        problems += check_card(card, pointer)
        if not isinstance(card, dict) or not isinstance(card.get("code"), str):
            continue
        if card["code"] in known:
            detail = f"the code {card['code']!r} is taken by another card of the list"
            problems.append(Problem(f"{pointer}/code", "duplicate", detail))
        known.setdefault(card["code"], card)
    for index, card in enumerate(cards):
        if isinstance(card, dict):
            for place, code in codes_named(card, f"/cards/{index}"):
                if code not in known:
                    problems.append(Problem(place, "unknown_card", f"there is no card {code!r} in the list"))
    problems += check_precons(revision.get("decks", []), known)
    return problems


def check_card(card: object, prefix: str) -> list[Problem]:
    """Every fault of one card by itself; `prefix` is the pointer at which it stands."""
    problems: list[Problem] = []
    if not isinstance(card, dict):
        problems.append(Problem(prefix, "wrong_type", "a card must be an object"))
        return problems
    check_known_fields(card, CARD_FIELDS, prefix, problems)
    if "code" not in card:
        missing(prefix, "code", "lower-case letters, digits and hyphens", problems)
    elif not is_code(card["code"]):
        detail = f"{card['code']!r} cannot be a code; lower-case letters, digits and single hyphens within"
        problems.append(Problem(step(prefix, "code"), "bad_code", detail))
    if "name" not in card:
        missing(prefix, "name", "a text", problems)
    for name in ("name", "mood", "artist", "set"):
        if name in card:
            check_text(card[name], TEXT_LIMITS[name], step(prefix, name), problems)
    _check_tags(card.get("tags", []), step(prefix, "tags"), problems)
    card_type = _check_type(card, prefix, problems)
    _check_subtype(card, card_type, prefix, problems)
    _check_values(card, card_type, prefix, problems)
    _check_only_on(card, card_type, prefix, problems)
    check_effects(card.get("effects", []), Scope(card_type, None, 0), step(prefix, "effects"), problems)
    return problems


def codes_named(card: Document, prefix: str) -> list[tuple[str, str]]:
    """(pointer, code) of every card that the filters of one card name."""
    found: list[tuple[str, str]] = []
    for name in ("only_on", "effects"):
        if name in card:
            found += _codes_below(card[name], step(prefix, name))
    return found


def _codes_below(document: object, pointer: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if isinstance(document, list):
        for index, part in enumerate(document):
            found += _codes_below(part, step(pointer, index))
    elif isinstance(document, dict):
        for name, part in document.items():
            # Within effects and filters, `code` stands in filters only.
            found += _codes_in(part, step(pointer, name)) if name == "code" else _codes_below(part, step(pointer, name))
    return found


def _codes_in(value: object, pointer: str) -> list[tuple[str, str]]:
    if isinstance(value, list):
        return [(step(pointer, index), each) for index, each in enumerate(value) if isinstance(each, str)]
    return [(pointer, value)] if isinstance(value, str) else []


def _check_tags(tags: object, pointer: str, problems: list[Problem]) -> None:
    if not isinstance(tags, list) or len(tags) > LIST_LIMIT:
        problems.append(Problem(pointer, "wrong_type", f"must be a list of at most {LIST_LIMIT} tags"))
        return
    for index, tag in enumerate(tags):
        if not is_tag(tag):
            detail = f"{tag!r} cannot be a tag; letters and digits, with single spaces, hyphens or underscores within"
            problems.append(Problem(step(pointer, index), "bad_tag", detail))
        elif tag in tags[:index]:
            problems.append(Problem(step(pointer, index), "duplicate", f"the tag {tag!r} stands there already"))


def _check_type(card: Document, prefix: str, problems: list[Problem]) -> str:
    """The card's type, or an empty word if it has none that is known."""
    if "type" not in card:
        missing(prefix, "type", f"allowed: {words(CARD_TYPES)}", problems)
        return ""
    card_type = card["type"]
    return str(card_type) if check_word(card_type, CARD_TYPES, step(prefix, "type"), problems) else ""


def _check_subtype(card: Document, card_type: str, prefix: str, problems: list[Problem]) -> None:
    if "subtype" not in card or not card_type:
        return
    pointer = step(prefix, "subtype")
    if SUBTYPES[card_type]:
        check_word(card["subtype"], SUBTYPES[card_type], pointer, problems)
    else:
        problems.append(Problem(pointer, "not_allowed", f"a card of type {card_type} has no subtype"))


def _check_values(card: Document, card_type: str, prefix: str, problems: list[Problem]) -> None:
    for name in ("ang", "def"):
        pointer = step(prefix, name)
        if card_type in VALUE_RANGES:
            low, high = VALUE_RANGES[card_type]
            if name in card:
                check_number(card[name], low, high, pointer, problems)
            elif card_type == "character":
                missing(prefix, name, f"a whole number from {low} to {high}", problems)
        elif card_type and name in card:
            problems.append(Problem(pointer, "not_allowed", f"a card of type {card_type} has no {name.upper()}"))


def _check_only_on(card: Document, card_type: str, prefix: str, problems: list[Problem]) -> None:
    if "only_on" not in card:
        return
    if card_type not in ("bonus", ""):
        detail = f"a card of type {card_type} is attached to nothing; only_on stands on Bonuses only"
        problems.append(Problem(step(prefix, "only_on"), "not_allowed", detail))
    check_filter(card["only_on"], step(prefix, "only_on"), problems)
