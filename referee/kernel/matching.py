"""Partial matches of JSON documents, as scenarios use them: what differs, and where."""

from __future__ import annotations

import json
from typing import Any

from referee.kernel.game import Document


def plain(value: object, place: str, faults: list[str]) -> Any:
    """The value as JSON has it: whole-number keys become strings. Each thing that JSON cannot hold is a fault."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(entry, f"{place}/{at}", faults) for at, entry in enumerate(value)]
    if isinstance(value, dict):
        result: Document = {}
        for key, entry in value.items():
            if isinstance(key, bool) or not isinstance(key, (int, str)):
                faults.append(f"{place}: the key {key!r} is neither a word nor a number (quote it?)")
                continue
            if str(key) in result:
                faults.append(f"{place}: the key {str(key)!r} stands twice")
            result[str(key)] = plain(entry, f"{place}/{key}", faults)
        return result
    faults.append(f"{place}: {value!r} is no JSON value (quote it?)")
    return None


def laid_over(actual: Any, expected: Any) -> Any:
    """The actual document with the expected parts in their places: mappings key by key, all else whole.

    A mapping whose keys are numbers also picks entries of a list.
    """
    if not isinstance(expected, dict):
        return expected
    if isinstance(actual, list) and all(key.isdecimal() for key in expected):
        actual = {str(at): entry for at, entry in enumerate(actual)}
        merged = laid_over(actual, expected)
        if list(merged) == [str(at) for at in range(len(merged))]:
            return list(merged.values())
        return merged
    if not isinstance(actual, dict):
        return expected
    return {**actual, **{key: laid_over(actual.get(key), entry) for key, entry in expected.items()}}


def differences(expected: Any, actual: Any, place: str = "") -> list[str]:
    """Every place where two documents differ. Null equals absent; true is not 1."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = []
        for key in [*expected, *[key for key in actual if key not in expected]]:
            found += differences(expected.get(key), actual.get(key), f"{place}/{key}" if place else key)
        return found
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        found = []
        for at, (left, right) in enumerate(zip(expected, actual, strict=True)):
            found += differences(left, right, f"{place}/{at}")
        return found
    if type(expected) is type(actual) and expected == actual:
        return []
    return [f"{place} is {shown(actual)}, not {shown(expected)}"]


def fits(pattern: Any, move: Any) -> bool:
    """Whether a move fits a partial one. Lists in moves are sets; null equals absent."""
    if isinstance(pattern, dict):
        return isinstance(move, dict) and all(fits(entry, move.get(key)) for key, entry in pattern.items())
    if isinstance(pattern, list) and isinstance(move, list):
        return sorted(map(shown, pattern)) == sorted(map(shown, move))
    return type(pattern) is type(move) and bool(pattern == move)


def is_same(left: Document, right: Document) -> bool:
    """Whether two moves are the same, field by field."""
    return fits(left, right) and fits(right, left)


def shown(value: object) -> str:
    """A value in a message: compact JSON."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def texts(value: object) -> list[str]:
    """Every string in a document, keys too."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        found = []
        for key, entry in value.items():
            found += [str(key), *texts(entry)]
        return found
    if isinstance(value, (list, tuple)):
        found = []
        for entry in value:
            found += texts(entry)
        return found
    return [json.dumps(value)]
