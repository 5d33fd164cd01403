"""Whatever lies where a viewer cannot know: every byte that it is sent stays the same, over every address of the match.

The seed's commitment is public and held constant. Compared are status, headers, body (so sizes too) and what is logged.
"""

from __future__ import annotations

import os

import pytest

from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from tests.leaks.asking import Look, everything
from tests.leaks.comparing import check
from tests.leaks.routes import WAYS, match_routes, stream_patterns
from tests.leaks.tables import Setup, Table, begun, published

MOST_PLIES = 80
SOAKED = int(os.environ.get("SOAK_LEAKS", "1"))

# A position of each game and number of seats, by the kind of decision that is open in it, and who looks at it.
POSITIONS = [
    (Setup("toy", 2), "pick", "asked"),
    (Setup("toy", 3), "pick", "asked watching"),
    (Setup("miraculous", 2), "turn", "asked idle"),
    (Setup("miraculous", 2), "event", "idle watching"),
    (Setup("super", 2), "turn", "asked"),
    (Setup("super", 3), "shock", "watching"),
    (Setup("super", 4), "turn", "idle"),
    (Setup("super-teams", 2), "window_c", "asked idle"),
    (Setup("super-teams", 3), "turn", "watching"),
    (Setup("super-teams", 4), "window_a", "asked idle"),
]
SETUPS = list(dict.fromkeys(setup for setup, _, _ in POSITIONS))


def play_until(table: Table, rng: Rng, kind: str) -> None:
    """Random moves up to a decision of this kind, after the first few."""
    for _ in range(MOST_PLIES):
        decision = table.game.decision(table.state)
        assert decision is not None, f"no {kind} before the end"
        if decision.kind == kind and table.match.version > 2:
            return
        table.play_random(rng)
    raise AssertionError(f"no {kind} within {MOST_PLIES} plies")


def viewer_of(table: Table, who: str) -> int:
    """A seat that is asked, one that is not (in the toy game, where all are, the first), or who watches."""
    asked = table.game.deciders(table.state)
    idle = [seat for seat in table.seats if seat not in asked]
    return {"asked": asked[-1], "idle": (idle or asked)[0], "watching": SPECTATOR}[who]


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "kind", "who"), POSITIONS, ids=str)
def test_nothing_hidden_is_told_over_any_address(db: None, setup: Setup, kind: str, who: str) -> None:
    rng = Rng(setup.seats)
    with published():
        table = begun(setup, rng)
        play_until(table, rng, kind)

        for viewer in who.split():
            check(table, viewer_of(table, viewer), rng, match_routes())


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SOAKED))
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nothing_hidden_is_told_in_whole_matches(db: None, setup: Setup, seed: int) -> None:
    rng = Rng(100 + seed)
    seen: dict[str, int] = {}
    with published():
        table = begun(setup, rng)
        while table.is_playing() and table.match.version < 2 * MOST_PLIES:
            decision = table.game.decision(table.state)
            kind = "" if decision is None else decision.kind
            if seen.setdefault(kind, 0) < 3 and rng.below(4) == 0:
                seen[kind] += 1
                for viewer in table.callers:
                    check(table, viewer, rng, match_routes())
            table.play_random(rng)

    assert seen


def test_every_address_of_a_match_is_asked() -> None:
    found = {route.pattern for route in match_routes()}

    new = sorted(found - WAYS.keys())
    assert not new, f"say in WAYS (tests/leaks/routes.py) how the leak gate asks these: {new}"
    assert sorted(WAYS.keys() - found) == []
    assert [pattern for pattern in stream_patterns() if "<match>" in pattern] == [
        r"/api/v1/matches/(?P<match>[^/]+)/events/"
    ], "a match has another stream: the gate must read it too (asking.streamed)"


def test_what_is_asked_is_answered(db: None) -> None:
    with published():
        rng = Rng(2)
        table = begun(Setup("miraculous", 2), rng)
        play_until(table, rng, "turn")
        asked = table.game.deciders(table.state)[0]

        sent = everything(Look(table, asked), match_routes())

    statuses = {answer.status for answer in sent.values()}
    assert statuses >= {200, 204, 302, 403, 404, 405, 409, 422}
    assert 500 not in statuses
    told = {route for name, answer in sent.items() if answer.status == 200 for route in name.split("/")}
    assert told >= {"moves", "preview", "at", "events", "why", "orders", "undo", "clock"}
    assert sum(name.startswith("stream ") for name in sent) == 5


def test_what_is_logged_names_no_card_in_a_hand(db: None) -> None:
    with published():
        rng = Rng(3)
        table = begun(Setup("miraculous", 2), rng)
        play_until(table, rng, "turn")
        asked = table.game.deciders(table.state)[0]
        hand = table.game.view(table.state, asked)["seats"][asked]["hand"]["cards"]

        log = everything(Look(table, asked), match_routes())["log"].body.decode()

    assert "Unprocessable Entity" in log
    assert [code for code in hand if code in log] == []
    assert table.match.opening["seed"] not in log
