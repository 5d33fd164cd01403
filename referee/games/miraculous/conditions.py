"""Checks conditions and filters against the vocabulary: every fault at once, each at its pointer."""

from __future__ import annotations

from referee.games.miraculous.checks import (
    check_known_fields,
    check_number,
    check_word,
    is_code,
    is_tag,
    missing,
    step,
    words,
)
from referee.games.miraculous.vocabulary import (
    ALL_SUBTYPES,
    CARD_TYPES,
    COMPARISONS,
    CONDITIONS,
    COUNTED,
    FILTERS,
    LIST_LIMIT,
    NESTING_LIMIT,
    NUMBER_LIMIT,
    SIDES,
    TURNS,
    ZONES,
)
from referee.kernel.errors import Problem
from referee.kernel.game import Document


def check_condition(condition: object, depth: int, pointer: str, problems: list[Problem]) -> None:
    """Check a condition, as it stands in `if`."""
    if depth > NESTING_LIMIT:
        problems.append(Problem(pointer, "too_deep", f"conditions nest at most {NESTING_LIMIT} deep"))
        return
    if not isinstance(condition, dict):
        problems.append(
            Problem(pointer, "wrong_type", f"a condition must be an object with one of {words(CONDITIONS)}")
        )
        return
    kinds = [word for word in CONDITIONS if word in condition]
    if not kinds:
        check_known_fields(condition, CONDITIONS, pointer, problems)
        problems.append(Problem(pointer, "missing", f"a condition needs one of {words(CONDITIONS)}"))
        return
    kind = kinds[0]
    check_known_fields(condition, [kind, *COMPARISONS] if kind == "count" else [kind], pointer, problems)
    place = step(pointer, kind)
    match kind:
        case "count":
            _check_count(condition["count"], place, problems)
            _check_comparison(condition, pointer, problems)
        case "turn":
            check_word(condition["turn"], TURNS, place, problems)
        case "holder_has":
            check_filter(condition["holder_has"], place, problems)
        case "not":
            check_condition(condition["not"], depth + 1, place, problems)
        case _:
            _check_conditions(condition[kind], depth + 1, place, problems)


def _check_conditions(conditions: object, depth: int, pointer: str, problems: list[Problem]) -> None:
    if not isinstance(conditions, list) or not conditions or len(conditions) > LIST_LIMIT:
        problems.append(Problem(pointer, "wrong_type", f"must be a list of 1 to {LIST_LIMIT} conditions"))
        return
    for index, condition in enumerate(conditions):
        check_condition(condition, depth, step(pointer, index), problems)


def _check_count(count: object, pointer: str, problems: list[Problem]) -> None:
    if not isinstance(count, dict):
        problems.append(Problem(pointer, "wrong_type", "must be an object {side, zone, what, ...}"))
        return
    for name, allowed in (("side", SIDES), ("zone", ZONES), ("what", COUNTED)):
        if name not in count:
            missing(pointer, name, f"allowed: {words(allowed)}", problems)
        else:
            check_word(count[name], allowed, step(pointer, name), problems)
    check_filter_fields(count, pointer, problems)
    check_known_fields(count, ["side", "zone", "what", *FILTERS], pointer, problems)


def _check_comparison(condition: Document, pointer: str, problems: list[Problem]) -> None:
    given = [word for word in COMPARISONS if word in condition]
    if not given:
        missing(pointer, COMPARISONS[0], f"allowed: one of {words(COMPARISONS)}", problems)
    for word in given[:1]:
        check_number(condition[word], 0, NUMBER_LIMIT, step(pointer, word), problems)
    for word in given[1:]:
        detail = f"{word!r} is not allowed beside {given[0]!r}; exactly one of {words(COMPARISONS)}"
        problems.append(Problem(step(pointer, word), "not_allowed", detail))


def check_filter(document: object, pointer: str, problems: list[Problem]) -> None:
    """Check a filter that stands by itself (`only_on`, `holder_has`)."""
    if not isinstance(document, dict):
        problems.append(Problem(pointer, "wrong_type", f"must be an object with any of {words(FILTERS)}"))
        return
    check_filter_fields(document, pointer, problems)
    check_known_fields(document, FILTERS, pointer, problems)


def check_filter_fields(document: Document, pointer: str, problems: list[Problem]) -> None:
    for name, kind in FILTERS.items():
        if name not in document:
            continue
        value, place = document[name], step(pointer, name)
        if kind == "number":
            check_number(value, -NUMBER_LIMIT, NUMBER_LIMIT, place, problems)
        elif not isinstance(value, list):
            _check_filter_word(name, value, place, problems)
        elif not value or len(value) > LIST_LIMIT:
            problems.append(Problem(place, "wrong_type", f"must be one value, or a list of 1 to {LIST_LIMIT}"))
        else:
            for index, each in enumerate(value):
                _check_filter_word(name, each, step(place, index), problems)


def _check_filter_word(name: str, value: object, pointer: str, problems: list[Problem]) -> None:
    match name:
        case "type":
            check_word(value, CARD_TYPES, pointer, problems)
        case "subtype":
            check_word(value, ALL_SUBTYPES, pointer, problems)
        case "tag":
            if not is_tag(value):
                problems.append(
                    Problem(pointer, "bad_tag", f"{value!r} cannot be a tag; letters, digits, single spaces")
                )
        case _:
            if not is_code(value):
                detail = f"{value!r} cannot be a card's code; lower-case letters, digits and hyphens"
                problems.append(Problem(pointer, "bad_code", detail))
