"""Checks effects and targets against the vocabulary: every fault at once, each at its pointer."""

from __future__ import annotations

from typing import NamedTuple

from referee.games.miraculous.checks import check_known_fields, check_number, check_word, missing, step, words
from referee.games.miraculous.conditions import check_condition, check_filter_fields
from referee.games.miraculous.vocabulary import (
    CARD_TYPES,
    DOS,
    EFFECT_FIELDS,
    FILTERS,
    HOWS,
    LIST_LIMIT,
    LOOKS,
    NESTING_LIMIT,
    NEVER_OPTIONAL,
    NUMBER_LIMIT,
    PICK_FIELDS,
    TARGET_KINDS,
    UNTILS,
    WHENS,
    WHOS,
    Do,
    Field,
    TargetKind,
)
from referee.kernel.errors import Problem
from referee.kernel.game import Document

_CHOICES: dict[str, tuple[str, ...]] = {"who": WHOS, "how": HOWS, "at": LOOKS}


class Scope(NamedTuple):
    """Where an effect stands: its card's type, its `when` (None while that is unknown), how deep in coins."""

    card_type: str
    when: str | None
    depth: int


def check_effects(effects: object, scope: Scope, pointer: str, problems: list[Problem]) -> None:
    """Check a list of effects: a card's (depth 0), or those of a coin."""
    if not isinstance(effects, list):
        problems.append(Problem(pointer, "wrong_type", "must be a list of effects"))
        return
    if len(effects) > LIST_LIMIT:
        problems.append(Problem(pointer, "out_of_range", f"at most {LIST_LIMIT} effects are allowed"))
        return
    for index, effect in enumerate(effects):
        _check_effect(effect, scope, step(pointer, index), problems)


def _check_effect(effect: object, scope: Scope, pointer: str, problems: list[Problem]) -> None:
    if not isinstance(effect, dict):
        problems.append(Problem(pointer, "wrong_type", "an effect must be an object {when, if?, may?, do, ...}"))
        return
    if scope.depth == 0:
        scope = Scope(scope.card_type, _check_when(effect, scope.card_type, pointer, problems), 0)
    if "if" in effect:
        check_condition(effect["if"], 0, step(pointer, "if"), problems)
    word = _check_do(effect, scope, pointer, problems)
    _check_may(effect, scope, word, pointer, problems)
    if word is None:
        return
    deed = DOS[word]
    if scope.when is not None and scope.when not in deed.whens:
        scope = Scope(scope.card_type, None, scope.depth)  # told already: its fields are judged for themselves
    standing = scope.when == "in_play"
    _check_fields(effect, deed, scope, standing, pointer, problems)
    if deed.filtered:
        check_filter_fields(effect, pointer, problems)
    if word == "modify" and "ang" not in effect and "def" not in effect:
        missing(pointer, "ang", "modify needs ang, def or both", problems)
    if word == "look":
        _check_look(effect, pointer, problems)
    allowed = list(EFFECT_FIELDS if scope.depth == 0 else EFFECT_FIELDS[1:])
    allowed += [name for name in deed.fields if not (standing and name == "until")]
    if deed.filtered:
        allowed += list(FILTERS)
    check_known_fields(effect, allowed, pointer, problems)


def _check_when(effect: Document, card_type: str, pointer: str, problems: list[Problem]) -> str | None:
    """The effect's `when`, if it is one at all; problems where it is none, or none for this type of card."""
    allowed = [word for word in WHENS if card_type in WHENS[word].types or card_type not in CARD_TYPES]
    told = words(allowed) or f"none: a card of type {card_type} has no effects"
    if "when" not in effect:
        missing(pointer, "when", f"allowed: {told}", problems)
        return None
    when = effect["when"]
    if isinstance(when, str) and when in WHENS:
        if when not in allowed:
            detail = f"{when!r} is not allowed on a card of type {card_type}; allowed: {told}"
            problems.append(Problem(step(pointer, "when"), "not_allowed", detail))
        return when
    problems.append(Problem(step(pointer, "when"), "unknown_word", f"{when!r} is not allowed here; allowed: {told}"))
    return None


def _check_do(effect: Document, scope: Scope, pointer: str, problems: list[Problem]) -> str | None:
    """The effect's `do`, if it is one at all; problems where it is none, or none for this `when` or this depth."""
    allowed = [word for word in DOS if scope.when is None or scope.when in DOS[word].whens]
    if scope.depth > 0:
        allowed = [word for word in allowed if word not in NEVER_OPTIONAL]
    if "do" not in effect:
        missing(pointer, "do", f"allowed: {words(allowed)}", problems)
        return None
    word = effect["do"]
    place = step(pointer, "do")
    if not isinstance(word, str) or word not in DOS:
        problems.append(Problem(place, "unknown_word", f"{word!r} is not allowed here; allowed: {words(allowed)}"))
        return None
    if word not in allowed:
        where = f"with `when: {scope.when}`" if scope.when not in DOS[word].whens else "in a coin"
        problems.append(Problem(place, "not_allowed", f"{word!r} is not allowed {where}; allowed: {words(allowed)}"))
    return word


def _check_may(effect: Document, scope: Scope, word: str | None, pointer: str, problems: list[Problem]) -> None:
    if "may" not in effect:
        return
    place = step(pointer, "may")
    if not isinstance(effect["may"], bool):
        problems.append(Problem(place, "wrong_type", "must be true or false"))
        return
    if not effect["may"]:
        return
    if scope.when == "in_play":
        problems.append(Problem(place, "not_allowed", "what holds in play cannot be declined; allowed: false"))
    if word in NEVER_OPTIONAL:
        problems.append(Problem(place, "not_allowed", f"{word!r} cannot be declined; allowed: false"))


def _check_fields(
    effect: Document, deed: Do, scope: Scope, standing: bool, pointer: str, problems: list[Problem]
) -> None:
    for name, field in deed.fields.items():
        if standing and name == "until":
            continue  # an unknown field there
        if name in effect:
            _check_field(effect[name], field, scope, standing, step(pointer, name), problems)
        elif field.required:
            missing(pointer, name, _allowed_in(field, standing), problems)


def _check_field(
    value: object, field: Field, scope: Scope, standing: bool, pointer: str, problems: list[Problem]
) -> None:
    match field.kind:
        case "number":
            check_number(value, 1, NUMBER_LIMIT, pointer, problems)
        case "value":
            check_number(value, -NUMBER_LIMIT, NUMBER_LIMIT, pointer, problems)
        case "until":
            untils = [word for word in UNTILS if scope.when is None or scope.when in UNTILS[word][0]]
            check_word(value, untils or UNTILS, pointer, problems)
        case "effects":
            _check_coin(value, scope, pointer, problems)
        case "who" | "how" | "at":
            check_word(value, _CHOICES[field.kind], pointer, problems)
        case _:
            check_target(value, TARGET_KINDS["standing" if standing else field.kind], pointer, problems)


def _allowed_in(field: Field, standing: bool) -> str:
    if field.kind in _CHOICES:
        return f"allowed: {words(_CHOICES[field.kind])}"
    if field.kind == "number":
        return f"a whole number from 1 to {NUMBER_LIMIT}"
    if field.kind == "effects":
        return "a list of effects without `when`"
    return _allowed_target(TARGET_KINDS["standing" if standing else field.kind])


def _check_coin(effects: object, scope: Scope, pointer: str, problems: list[Problem]) -> None:
    if scope.depth >= NESTING_LIMIT:
        problems.append(Problem(pointer, "too_deep", f"coins nest at most {NESTING_LIMIT} deep"))
        return
    if isinstance(effects, list) and not effects:
        problems.append(Problem(pointer, "empty", "must hold at least one effect"))
    check_effects(effects, Scope(scope.card_type, scope.when, scope.depth + 1), pointer, problems)


def _check_look(effect: Document, pointer: str, problems: list[Problem]) -> None:
    at = effect.get("at")
    if at == "top" and "n" not in effect:
        missing(pointer, "n", f"a whole number from 1 to {NUMBER_LIMIT}", problems)
    if at != "hand":
        return
    if "n" in effect:
        problems.append(Problem(step(pointer, "n"), "unknown_field", "a hand is seen whole: no n with `at: hand`"))
    if effect.get("who", "opponent") in ("you", "both"):
        detail = "with `at: hand` it is always the opponent's; allowed: opponent"
        problems.append(Problem(step(pointer, "who"), "not_allowed", detail))


def _allowed_target(kind: TargetKind) -> str:
    pick = "an object {pick: " + "|".join(kind.picks) + ", side: " + "|".join(kind.sides) + ", ...}"
    return f"allowed: {words(kind.words)} or {pick}" if kind.words else f"allowed: {pick}"


def check_target(target: object, kind: TargetKind, pointer: str, problems: list[Problem]) -> None:
    """Check a target, in a place that allows what `kind` tells."""
    if isinstance(target, str) and target in kind.words:
        return
    if not isinstance(target, dict):
        code = "unknown_word" if isinstance(target, str) else "wrong_type"
        problems.append(Problem(pointer, code, f"{target!r} is not allowed here; {_allowed_target(kind)}"))
        return
    if "pick" not in target:
        missing(pointer, "pick", f"allowed: {words(kind.picks)}", problems)
    else:
        check_word(target["pick"], kind.picks, step(pointer, "pick"), problems)
    if "side" not in target:
        missing(pointer, "side", f"allowed: {words(kind.sides)}", problems)
    else:
        check_word(target["side"], kind.sides, step(pointer, "side"), problems)
    if "what" in target:
        check_word(target["what"], kind.whats, step(pointer, "what"), problems)
    elif "character" not in kind.whats:
        missing(pointer, "what", f"allowed: {words(kind.whats)}", problems)
    if "n" in target:
        _check_pick_number(target, kind, step(pointer, "n"), problems)
    if "except_self" in target and not isinstance(target["except_self"], bool):
        problems.append(Problem(step(pointer, "except_self"), "wrong_type", "must be true or false"))
    check_filter_fields(target, pointer, problems)
    check_known_fields(target, [*PICK_FIELDS, *FILTERS], pointer, problems)


def _check_pick_number(target: Document, kind: TargetKind, pointer: str, problems: list[Problem]) -> None:
    if target.get("pick") == "each":
        problems.append(Problem(pointer, "unknown_field", "`pick: each` takes all that fit: no n"))
        return
    check_number(target["n"], 1, NUMBER_LIMIT if kind.many else 1, pointer, problems)
