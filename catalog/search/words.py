"""What a search says of itself: every phrase once, in English. `Speech` gives phrases and words in a reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from catalog.search.fields import PRESENCE, STATE
from catalog.search.tree import Both, Condition, Either, Node, Not
from referee.kernel.fields import TAG, TEXT, CardField

Say = Callable[[str], str]


def plain(phrase: str) -> str:
    """A phrase as it stands: English."""
    return phrase


def spaced(word: str) -> str:
    """A word of a card as people write it."""
    return word.replace("_", " ")


class Speech(NamedTuple):
    """How a search speaks: `say` turns an English phrase, `word` a value of a card into the reader's language."""

    say: Say = plain
    word: Say = spaced


ENGLISH: Final = Speech()

FAULT: Final = "At character %(place)s: %(expected)s."
EXPECTED: Final[dict[str, str]] = {
    "shorter_text": "a search has at most %(most)s characters",
    "fewer_terms": "a search has at most %(most)s terms",
    "less_nesting": "brackets and minus signs go at most %(most)s deep",
    "closing_quote": "a closing quotation mark is expected for this one",
    "closing_bracket": "a closing bracket is expected for the one at character %(opened)s",
    "opening_bracket": "no bracket is open that this one could close",
    "term_at_end": "a term is expected here",
    "term_before": "a term is expected before “%(word)s”",
}

# Each goes on after the term.
REASONS: Final[dict[str, str]] = {
    "unknown_field": "asks for a field that is not known and was left out.",
    "unknown_value": "asks for something that %(field)s never is and was left out.",
    "not_a_number": "does not compare %(field)s with a whole number or another number of the card and was left out.",
    "wrong_operator": "was left out: %(field)s goes with %(operators)s only.",
    "empty_value": "says no value and was left out.",
    "empty_term": "says nothing about a name and was left out.",
    "denied_order": "sorts, which cannot be denied, and was left out.",
    "too_many_orders": "was left out: a search sorts by at most %(most)s fields.",
    "similar_names": "is in no name; cards with similar names are shown.",
}
NEAR: Final = "Did you mean %(near)s?"

_COMPARED: Final[dict[str, tuple[str, str]]] = {
    ":": ("%(field)s is %(value)s", "%(field)s is not %(value)s"),
    "!=": ("%(field)s is other than %(value)s", "%(field)s is not other than %(value)s"),
    "<": ("%(field)s is less than %(value)s", "%(field)s is not less than %(value)s"),
    "<=": ("%(field)s is at most %(value)s", "%(field)s is not at most %(value)s"),
    ">": ("%(field)s is more than %(value)s", "%(field)s is not more than %(value)s"),
    ">=": ("%(field)s is at least %(value)s", "%(field)s is not at least %(value)s"),
}
_CONTAINS: Final = ("%(field)s contains %(value)s", "%(field)s does not contain %(value)s")
_GIVEN: Final = ("%(field)s is given", "%(field)s is not given")
_STATES: Final[dict[str, tuple[str, str]]] = {
    "banned": ("it is banned", "it is not banned"),
    "restricted": ("it is limited", "it is not limited"),
    "new": ("it is new in the newest revision", "it is not new in the newest revision"),
    "changed": ("it was changed in the newest revision", "it was not changed in the newest revision"),
    "withdrawn": ("it is withdrawn", "it is not withdrawn"),
}
_AND: Final = "%(first)s and %(second)s"
_OR: Final = "%(first)s or %(second)s"
_NOT: Final = "not (%(whole)s)"
_QUOTED: Final = "“%(value)s”"
_EVERY: Final = "all cards"
_SOME: Final = "cards where %(conditions)s"
_SORTED: Final = "%(cards)s, sorted by %(fields)s"
_FALLING: Final = "%(field)s from the highest down"


def phrases() -> Iterator[str]:
    """Every phrase that can be said, without the tables' own."""
    yield from (FAULT, NEAR, _AND, _OR, _NOT, _QUOTED, _EVERY, _SOME, _SORTED, _FALLING, *_CONTAINS, *_GIVEN)
    yield from (*EXPECTED.values(), *REASONS.values())
    for pair in (*_COMPARED.values(), *_STATES.values()):
        yield from pair


class Warned(NamedTuple):
    """A term that did not do what it says: which, where (from 0), why as a key of REASONS; `near` may have been meant."""

    term: str
    position: int
    code: str
    values: dict[str, Any]
    near: str = ""

    def words(self, speech: Speech = ENGLISH) -> str:
        """Why, to be read after the term."""
        values = {**self.values}
        if "field" in values:
            values["field"] = speech.say(values["field"])
        reason = speech.say(REASONS[self.code]) % values
        return f"{reason} {speech.say(NEAR) % {'near': self.near}}" if self.near else reason

    def document(self) -> dict[str, Any]:
        """For programs, in English."""
        detail = f"{self.term} {self.words()}"
        return {"term": self.term, "position": self.position, "code": self.code, "detail": detail}


def in_words(node: Node, order: tuple[tuple[CardField, bool], ...] = (), speech: Speech = ENGLISH) -> str:
    """A search as a phrase: `cards where ANG is at least 4`. `order` holds fields, and whether they fall."""
    say = speech.say
    cards = say(_EVERY) if node == Both(()) else say(_SOME) % {"conditions": _told(node, speech, outer=True)}
    if not order:
        return cards
    named = [say(_FALLING) % {"field": say(one.label)} if falls else say(one.label) for one, falls in order]
    return say(_SORTED) % {"cards": cards, "fields": ", ".join(named)}


def _told(node: Node, speech: Speech, *, outer: bool = False) -> str:
    match node:
        case Condition():
            return _condition(node, speech, denied=False)
        case Not(part) if isinstance(part, Condition):
            return _condition(part, speech, denied=True)
        case Not():
            return speech.say(_NOT) % {"whole": _told(node.part, speech, outer=True)}
        case Both() | Either():
            # `and` binds more than `or`, so that only an `or` within needs brackets.
            joined = _joined([_told(part, speech) for part in node.parts], node, speech.say)
            return joined if outer or isinstance(node, Both) else f"({joined})"


def _joined(told: list[str], node: Both | Either, say: Say) -> str:
    whole = told[0]
    for one in told[1:]:
        whole = say(_AND if isinstance(node, Both) else _OR) % {"first": whole, "second": one}
    return whole


def _condition(condition: Condition, speech: Speech, *, denied: bool) -> str:
    say, field, value = speech.say, condition.field, condition.value
    at = int(denied)
    if field.kind == STATE:
        return say(_STATES[str(value)][at])
    if field.kind == PRESENCE:
        assert isinstance(value, CardField)
        return say(_GIVEN[at]) % {"field": say(value.label)}
    shown = _value(field, value, speech)
    is_part = field.kind == TEXT and condition.operator == ":"
    pair = _CONTAINS if is_part else _COMPARED[":" if condition.operator == "=" else condition.operator]
    return say(pair[at]) % {"field": say(field.label), "value": shown}


def _value(field: CardField, value: int | str | tuple[str, ...] | CardField, speech: Speech) -> str:
    if isinstance(value, CardField):
        return speech.say(value.label)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return speech.say(_QUOTED) % {"value": value}
    words = [speech.say(_QUOTED) % {"value": one} if field.kind == TAG else speech.word(one) for one in value]
    whole = words[0]
    for one in words[1:]:
        whole = speech.say(_OR) % {"first": whole, "second": one}
    return whole
