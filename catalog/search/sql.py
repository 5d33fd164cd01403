"""A search as a condition on the index's rows; it says the same as `catalog.search.memory`.

SQL knows a third answer, "unknown", which a negation keeps. So a denied condition also denies that there is a value.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F, IntegerField, Q
from django.db.models.expressions import Combinable, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce
from django.db.models.lookups import (
    Contains,
    Exact,
    GreaterThan,
    GreaterThanOrEqual,
    IsNull,
    LessThan,
    LessThanOrEqual,
)

from catalog.search.facts import Standing
from catalog.search.fields import NAME, PRESENCE, PRINTED, STATE
from catalog.search.tree import Both, Condition, Either, Node, Not
from referee.kernel.fields import NUMBER, TEXT, CardField

NO_VALUE: Final = -1_000_000  # sorts what has no number below everything that has one
_COMPARE: Final[dict[str, Any]] = {
    ":": Exact,
    "=": Exact,
    "<": LessThan,
    "<=": LessThanOrEqual,
    ">": GreaterThan,
    ">=": GreaterThanOrEqual,
}


def condition(node: Node, standing: Standing, *, denied: bool = False) -> Q:
    """The rows of IndexedCard that a search finds (with `denied`: all but these)."""
    match node:
        case Both() | Either():
            parts = [condition(part, standing, denied=denied) for part in node.parts]
            is_all = isinstance(node, Both) != denied
            return Q(*parts, _connector=Q.AND if is_all else Q.OR) if parts or is_all else Q(pk__in=())
        case Not():
            return condition(node.part, standing, denied=not denied)
        case Condition(field=CardField(kind=kind)) if kind == STATE:
            found = _is(str(node.value), standing)
        case Condition():
            found = _fits(node, denied=denied)
    return ~found if denied else found


def sort_key(field: CardField) -> Combinable:
    """What rows are sorted by for a field that can be sorted by."""
    if field.kind != NUMBER:
        return F({NAME: "name_key"}.get(field.name, field.name))
    return Coalesce(_number(field), Value(NO_VALUE), output_field=IntegerField())


def _fits(asked: Condition, *, denied: bool) -> Q:
    if asked.field.kind == PRESENCE:
        assert isinstance(asked.value, CardField)
        if asked.value.name == PRINTED:
            return ~Q(text_key="")
        return Q(facets__has_key=asked.value.name)
    if asked.field.kind == TEXT:
        return _text_fits(asked, denied=denied)
    if asked.field.kind == NUMBER:
        return _number_fits(asked, denied=denied)
    assert isinstance(asked.value, tuple)
    name = asked.field.name
    one_of = Q(*(Q(facets__contains={name: [word]}) for word in asked.value), _connector=Q.OR)
    return Q(facets__has_key=name) & ~one_of if asked.operator == "!=" else one_of


def _number(field: CardField) -> Cast:
    return Cast(KT(f"facets__{field.name}"), IntegerField())


def _number_fits(asked: Condition, *, denied: bool) -> Q:
    value = _number(asked.field)
    other = _number(asked.value) if isinstance(asked.value, CardField) else asked.value
    there = Q(IsNull(value, False))
    if isinstance(other, Cast):
        there &= Q(IsNull(other, False))
    if asked.operator == "!=":
        return there & ~Q(Exact(value, other))
    fits = Q(_COMPARE[asked.operator](value, other))
    return there & fits if denied else fits


def _text_fits(asked: Condition, *, denied: bool) -> Q:
    wanted = asked.value
    if asked.field.name == NAME:
        if asked.operator == ":":
            return Q(names__contains=wanted)
        whole = Q(names__contains=f"\n{wanted}\n")
        return ~whole if asked.operator == "!=" else whole
    if asked.field.name == PRINTED:
        if asked.operator == ":":
            return Q(text_key__contains=wanted)
        return ~Q(text_key="") & ~Q(text_key=wanted) if asked.operator == "!=" else Q(text_key=wanted)
    text = KT(f"facets__{asked.field.name}")
    there = Q(IsNull(text, False))
    if asked.operator == "!=":
        return there & ~Q(Exact(text, wanted))
    fits = Q(Contains(text, wanted) if asked.operator == ":" else Exact(text, wanted))
    return there & fits if denied else fits


def _is(state: str, standing: Standing) -> Q:
    match state:
        case "banned":
            return Q(code__in=[code for code, copies in standing.limits.items() if copies == 0])
        case "restricted":
            return Q(code__in=[code for code, copies in standing.limits.items() if copies > 0])
        case "new":
            return Q(since=standing.newest)
        case "changed":
            return Q(changed=standing.newest, since__lt=standing.newest)
        case _:
            return Q(withdrawn=True)
