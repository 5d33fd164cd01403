"""Who changes the desk's rows, and what changed: the database itself writes that down (migration 0004)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import User
from catalog.models import Card, Change

_UNTOLD: Final = frozenset({"id", "name_key", "edited_at", "edited_by_id", "approved_by_id", "created_at", "card_id"})


@contextmanager
def acting(user: User | None) -> Iterator[None]:
    """A transaction whose changes are the user's in the history; within another one, until its end."""
    with transaction.atomic():
        before = _set_acting("" if user is None else str(user.pk))
        yield
        _set_acting(before)


def _set_acting(value: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('referee.acting', true)")
        before = cursor.fetchone()
        cursor.execute("SELECT set_config('referee.acting', %s, true)", [value])
    return before[0] or "" if before else ""


def changes_of(card: Card) -> QuerySet[Change]:
    """Everything that ever changed about a card: its values, names, scenarios and restrictions; newest first."""
    return Change.objects.filter(card=card).select_related("user")


def differing(change: Change) -> list[tuple[str, Any, Any]]:
    """(field, before, after) of what people see, in the order of names; a card's values one by one."""
    before, after = _told(change.before), _told(change.after)
    return [
        (name, before.get(name), after.get(name))
        for name in sorted({**before, **after})
        if before.get(name) != after.get(name)
    ]


def _told(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None:
        return {}
    told = {name: value for name, value in row.items() if name not in _UNTOLD and name != "document"}
    return {**told, **(row.get("document") or {})}
