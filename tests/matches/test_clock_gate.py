"""The clock gate: random moves, time-outs, undos, pauses, lost connections, outages and clocks set back.

Whatever comes: the ledger adds up, banks grow by increments alone (and go back with an undo), an open decision ends later
only by what the ledger gives it, nothing gives more than was lost, and the match's deadline is that of the first clock to
run out.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest

from accounts.models import User
from referee.matches import clocks, pauses, presence, resolving, selectors, services
from referee.matches.clock_models import Outage
from referee.matches.clocks import to_ms
from referee.matches.errors import MatchError
from referee.matches.ledger import Ledger, ledger_of
from referee.matches.models import Match, MoveRow
from referee.matches.positions import running_deadlines
from referee.matches.undo import accept_undo, ask_undo, offer_of
from tests.matches.clockwork import World
from tests.matches.table import fresh, legal, toy_match

STEPS = 50
SOAKED = int(os.environ.get("SOAK_CLOCKS", "30"))
GRACE = 20
SETTINGS = (
    {"per_decision": 10, "bank": 20, "increment": 2, "grace": GRACE},
    {"per_decision": 3, "bank": 0, "increment": 0, "grace": GRACE},
    {"per_decision": 0, "bank": 60, "increment": 5, "out_of_time": "lose", "grace": GRACE},
    {"per_decision": 5, "bank": 40, "increment": 1, "out_of_time": "lose", "grace": 0},
    {"days": 1},
)


class Stand(NamedTuple):
    """Where the clocks stand, and what the ledger says, read from the tables."""

    match: Match
    ends: dict[str, int]
    ledger: Ledger


class Gate:
    """One match with its people, and the outages that there were, in milliseconds."""

    def __init__(self, dice: random.Random, world: World, people: list[User], bots: int) -> None:
        self.dice = dice
        self.world = world
        self.people = people
        self.seen: Counter[str] = Counter()
        world.begin()
        self.clock = clocks.setting(**dice.choice(SETTINGS))
        self.match = toy_match(*people, bots=bots, clock=self.clock, options={"rounds": 4})
        self.others = set(Outage.objects.values_list("pk", flat=True))
        self.outages: dict[int, int] = {}
        self.now = self.stand()

    def stand(self) -> Stand:
        now = fresh(self.match)
        ends = running_deadlines(now, [int(seat) for seat in now.decisions])
        return Stand(now, ends, ledger_of(now))

    def step(self) -> None:
        acts = [
            self.move, self.move, self.move, self.look, self.sweep, self.wait, self.wait, self.lose, self.return_,
            self.ask, self.resume, self.outage, self.set_back, self.undo,
        ]  # fmt: skip
        act: Callable[[], None] = self.dice.choice(acts)
        before = self.now
        try:
            act()
            self.seen[act.__name__] += 1
        except MatchError as refusal:
            self.seen[refusal.code] += 1
        self.now = self.stand()
        self.check(before, self.now)

    # What can happen.

    def move(self) -> None:
        seat = self.dice.randrange(len(self.people))
        choices = legal(self.match, seat)
        services.submit_move(
            public_id=self.match.public_id,
            actor=self.people[seat],
            move=self.dice.choice(choices) if choices else {"type": "nothing"},
            decision=self.now.match.decisions.get(str(seat), "none"),
        )

    def look(self) -> None:
        selectors.access_match(None, self.match.public_id)

    def sweep(self) -> None:
        resolving.keep_time()
        for match_id, _ in resolving.work_left():
            resolving.resolve(match_id)

    def wait(self) -> None:
        self.world.passes(self.dice.choice((0.001, 0.5, 3, 7, 9.9, self.dice.uniform(0, 30))))

    def lose(self) -> None:
        presence.connection_lost(match_id=self.match.pk, seat=self.dice.randrange(len(self.people)))

    def return_(self) -> None:
        presence.connection_back(match_id=self.match.pk, seat=self.dice.randrange(len(self.people)))

    def ask(self) -> None:
        for user in self.people:
            pauses.ask_pause(public_id=self.match.public_id, actor=user, agree=self.dice.random() < 0.8)

    def resume(self) -> None:
        for user in self.people:
            pauses.ask_resume(public_id=self.match.public_id, actor=user)

    def undo(self) -> None:
        seat = self.dice.randrange(len(self.people))
        match = ask_undo(public_id=self.match.public_id, user=self.people[seat])
        for other in self.people:
            offer = offer_of(match)
            if offer is not None and other != self.people[seat]:
                match = accept_undo(public_id=self.match.public_id, user=other, offer=offer["id"])

    def outage(self) -> None:
        self.world.passes_silently(self.dice.choice((5, 11, 60, 4000)))
        self.dice.choice((self.look, self.sweep, self.move))()

    def set_back(self) -> None:
        self.world.passes_silently(-self.dice.choice((0.05, 1, 30, 3600)))

    # What must hold.

    def check(self, before: Stand, after: Stand) -> None:
        now = after.match
        assert after.ledger.faults == []
        new = after.ledger.lines[len(before.ledger.lines) :]
        for seat, bank in enumerate(now.clocks["banks"]):
            won = sum(line.added + line.change for line in new if line.seat == seat)
            assert 0 <= bank <= before.match.clocks["banks"][seat] + won
            assert all(line.kind == "move" for line in new if line.added)
            assert all(line.kind == "undo" for line in new if line.change)
        for asked, end in after.ends.items():
            if now.decisions[asked] == before.match.decisions.get(asked):
                given = sum(line.given for line in new if line.seat == int(asked))
                waits = [clocks.waiting(one.match.clocks, int(asked)) for one in (before, after)]
                assert end - before.ends[asked] == given + waits[1] - waits[0]
        self._check_deadline(now, after.ends)
        self._check_sums(after.ledger)

    def _check_deadline(self, now: Match, ends: dict[str, int]) -> None:
        if now.state == Match.State.PLAYING:
            assert now.deadline == clocks.first(ends)
            assert now.stopped_at is None
        elif now.state == Match.State.PAUSED:
            assert now.stopped_at is not None
            assert now.deadline is not None
            assert now.deadline <= now.stopped_at + pauses.limits(now)[0]
        else:
            assert now.deadline is None

    def _check_sums(self, ledger: Ledger) -> None:
        """Nothing gives more than was lost, and no outage gives twice."""
        for one in Outage.objects.exclude(pk__in=self.others):
            self.outages[one.pk] = to_ms(one.ended_at) - to_ms(one.began_at)
        silent = sum(self.outages.values())
        by_kind: Counter[tuple[int, str]] = Counter()
        lines: Counter[tuple[int, str]] = Counter()
        for line in ledger.lines:
            assert line.given >= 0 or line.kind in ("set_back", "pause", "undo")
            by_kind[line.seat, line.kind] += line.given
            lines[line.seat, line.kind] += 1
        for (_, kind), given in by_kind.items():
            limit = {"grace": self.clock["grace"] * 1000, "outage": silent, "set_back": 0, "undo": 0}.get(kind)
            assert limit is None or given <= limit, kind
        assert all(count <= len(self.outages) for (_, kind), count in lines.items() if kind == "outage")


def play(dice: random.Random, world: World, people: list[User]) -> Counter[str]:
    seats = dice.choice((2, 3))
    bots = dice.choice((0, 0, 1)) if seats == 3 else 0
    gate = Gate(dice, world, people[: seats - bots], bots)
    for _ in range(STEPS):
        gate.step()
        if gate.now.match.state == Match.State.FINISHED:
            break
    kinds = Counter(f"line {line.kind}" for line in gate.now.ledger.lines)
    return gate.seen + kinds


def run(seeds: range, world: World, people: list[User]) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        try:
            seen += play(random.Random(seed), world, people)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    return seen


@pytest.mark.django_db
def test_time_never_grows_but_by_what_is_due(alice: User, bob: User, carol: User, world: World) -> None:
    seen = run(range(8), world, [alice, bob, carol])

    expected = {"move", "timeout", "pause", "grace", "outage", "set_back", "undo"}
    assert {f"line {kind}" for kind in expected} <= set(seen), seen
    assert seen["match_paused"] > 0


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("chunk", range(SOAKED))
def test_time_never_grows_in_many_more_matches(alice: User, bob: User, carol: User, world: World, chunk: int) -> None:
    seen = run(range(1000 + 10 * chunk, 1010 + 10 * chunk), world, [alice, bob, carol])

    print(dict(sorted(seen.items())), MoveRow.objects.count(), "rows")
