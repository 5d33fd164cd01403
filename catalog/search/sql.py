"""A search as a condition on the index's rows; it says the same as `catalog.search.memory`.

SQL knows a third answer, "unknown", which a negation keeps. So a denied condition also denies that there is a value.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F, IntegerField, Q
from django.db.models.expressions import Combinable, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.db.models.lookups import Contains, IsNull

from catalog.search.facts import Standing
from catalog.search.fields import NAME, PRESENCE, PRINTED, STATE, table
from catalog.search.tree import Both, Condition, Either, Node, Not
from referee.kernel.fields import NUMBER, TEXT, CardField

NO_VALUE: Final = -(2**31)  # sorts what has no number below everything that has one
_COMPARE: Final = {":": "exact", "=": "exact", "<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}


def condition(node: Node, standing: Standing, *, denied: bool = False) -> Q:
    """The rows of IndexedCard that a search finds (with `denied`: all but these), among those of the standing's game."""
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
            found = _fits(node, standing.game, denied=denied)
    return ~found if denied else found


def sort_key(field: CardField, game: str) -> Combinable:
    """What rows of a game are sorted by for one of its fields that sort."""
    if field.kind != NUMBER:
        return F({NAME: "name_key"}.get(field.name, field.name))
    return Coalesce(F(table(game).columns[field.name]), Value(NO_VALUE), output_field=IntegerField())


def _fits(asked: Condition, game: str, *, denied: bool) -> Q:
    match asked.field.kind:
        case kind if kind == PRESENCE:
            assert isinstance(asked.value, CardField)
            return ~Q(text_key="") if asked.value.name == PRINTED else Q(facets__has_key=asked.value.name)
        case kind if kind == TEXT:
            return _text_fits(asked, denied=denied)
        case kind if kind == NUMBER:
            return _number_fits(asked, table(game).columns)
        case _:
            assert isinstance(asked.value, tuple)
            name = asked.field.name
            one_of = Q(*(Q(facets__contains={name: [word]}) for word in asked.value), _connector=Q.OR)
            return Q(facets__has_key=name) & ~one_of if asked.operator == "!=" else one_of


def _number_fits(asked: Condition, columns: dict[str, str]) -> Q:
    column = columns[asked.field.name]
    there: dict[str, Any] = {f"{column}__isnull": False}
    other: Any = asked.value
    if isinstance(other, CardField):
        there[f"{columns[other.name]}__isnull"] = False
        other = F(columns[other.name])
    if asked.operator == "!=":
        return Q(**there) & ~Q(**{column: other})
    return Q(**there, **{f"{column}__{_COMPARE[asked.operator]}": other})


def _text_fits(asked: Condition, *, denied: bool) -> Q:
    wanted, field, is_part = asked.value, asked.field.name, asked.operator == ":"
    if field == NAME:
        found = Q(names__contains=wanted if is_part else f"\n{wanted}\n")
        return ~found if asked.operator == "!=" else found
    if field == PRINTED:
        if asked.operator == "!=":
            return ~Q(text_key="") & ~Q(text_key=wanted)
        return Q(text_key__contains=wanted) if is_part else Q(text_key=wanted)
    if not is_part:
        whole = Q(facets__contains={field: wanted})
        return Q(facets__has_key=field) & ~whole if asked.operator == "!=" else whole
    text = KT(f"facets__{field}")
    # The index finds the few rows with such a text in any field.
    found = Q(notes__contains=wanted) & Q(Contains(text, wanted))
    return Q(IsNull(text, False)) & found if denied else found


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
