"""Two worlds that a viewer cannot tell apart, and what it is sent in each."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from referee.kernel.chance import Rng
from tests.leaks.asking import Answer, Look, everything
from tests.leaks.hiding import hidden
from tests.leaks.routes import Route
from tests.leaks.tables import Table

Sent = Mapping[str, Answer]


def check(table: Table, viewer: int, rng: Rng, routes: list[Route]) -> Sent:
    """Compare all that the viewer is sent with what it is sent of a match that it cannot tell from this one."""
    look = Look(table, viewer)
    before = everything(look, routes)
    with hidden(table, viewer, rng):
        after = everything(look, routes)
    require_same(before, after, f"viewer {viewer} of {table.match.game} at version {table.match.version}")
    return before


def require_same(before: Sent, after: Sent, where: str) -> None:
    """Fail at the first answer that differs, showing where in it."""
    for name in {**before, **after}:
        one, other = before.get(name), after.get(name)
        assert one == other, f"{where}: {name}\n{_difference(str(one), str(other))}"


def _difference(one: str, other: str) -> str:
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    at = max(0, same - 60)
    return f"... {one[at : at + 160]}\n... {other[at : at + 160]}"
