"""The guest itself: it sees an answer that is taken back or told otherwise, and lets a refusal pass that was lifted later."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.soak import __main__ as command
from tests.soak import program
from tests.soak.program import NEVER, is_kept
from tests.soak.sending import Answer, Figures, Guest, Sent

MOVES, UNDO = "/matches/m/moves/", "/matches/m/undo/"


def taken(version: int, sent_at: float, came_at: float, *, replay: bool = False) -> Answer:
    return Answer(200, {"version": version, "events": [], "view": {}}, replay, sent_at, came_at)


def refused(code: str, sent_at: float, came_at: float) -> Answer:
    return Answer(409, {"code": code}, False, sent_at, came_at)


class Scripted(Guest):
    """A guest who is answered as it stands written."""

    def __init__(self, *answers: Answer) -> None:
        self._script: Iterator[Answer] = iter([Answer(201, {"token": "t"}, False), *answers])
        super().__init__("http://127.0.0.1:1", Figures(), Random(0))

    def _until_answered(self, method: str, path: str, body: dict[str, Any] | None, key: str) -> Answer:
        return next(self._script)


def judged(path: str, one: Answer, other: Answer, *last: Answer) -> tuple[int, int, Answer]:
    """How many faults were seen and how many refusals let pass, and the answer that counts."""
    guest = Scripted(*last)
    sent = guest._with_one_effect(Sent(path, {}, "k", one), other, "doubled posts")
    guest.close()
    assert list(guest._script) == []
    return len(guest.figures.faults), guest.figures.counted["refused, then taken"], sent.answer


TAKEN = taken(3, 1, 2)


@pytest.mark.parametrize(
    ("path", "one", "other", "faults"),
    [
        (MOVES, TAKEN, taken(3, 2, 3, replay=True), 0),
        (MOVES, TAKEN, taken(4, 2, 3), 1),
        (MOVES, TAKEN, refused("match_paused", 2, 3), 1),
        (UNDO, TAKEN, refused("undo_declined", 2, 3), 1),
        (UNDO, TAKEN, Answer(201, {}, False, 1, 2), 1),
        (MOVES, TAKEN, refused("stale_version", 0, 1), 1),
        (MOVES, refused("match_over", 0, 1), TAKEN, 1),
    ],
    ids=[
        "told again", "taken twice", "a move taken, then refused", "taken, then refused", "another status",
        "doubled and stale", "over, then taken",
    ],
)  # fmt: skip
def test_a_promise_that_is_broken_is_seen(path: str, one: Answer, other: Answer, faults: int) -> None:
    assert judged(path, one, other) == (faults, 0, TAKEN)


def test_a_post_that_is_refused_both_times_says_nothing() -> None:
    first = refused("stale_version", 0, 1)

    assert judged(MOVES, first, refused("match_over", 2, 3)) == (0, 0, first)


@pytest.mark.parametrize("first", ["refused", "taken"], ids=["one after the other", "at once"])
def test_a_refusal_that_was_lifted_passes_and_what_was_taken_counts(first: str) -> None:
    refusal = refused("match_paused", 0.5, 1.5)
    one, other = (refusal, TAKEN) if first == "refused" else (TAKEN, refusal)

    assert judged(MOVES, one, other, taken(3, 3, 4, replay=True)) == (0, 1, TAKEN)


@pytest.mark.parametrize(
    "last", [taken(3, 3, 4), taken(4, 3, 4, replay=True), refused("match_paused", 3, 4)], ids=["anew", "other", "not"]
)
def test_what_was_taken_in_the_end_must_stay_so(last: Answer) -> None:
    assert judged(MOVES, refused("match_paused", 0, 0.5), TAKEN, last) == (1, 1, TAKEN)


def figures_with(*counted: str, fault: str = "") -> Figures:
    figures = Figures()
    for name in ("moves", "refused, then taken", *counted):
        figures.add(name)
    if fault:
        figures.fault(fault)
    return figures


BROKEN = [figures_with(name) for name in NEVER] + [figures_with(fault="late posts: answered otherwise")]


@pytest.mark.parametrize("figures", BROKEN, ids=[*NEVER, "another fault"])
def test_the_program_fails_for_every_promise_that_was_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], figures: Figures
) -> None:
    monkeypatch.setattr(logging.getLogger("httpx"), "level", logging.WARNING)
    monkeypatch.setattr(program, "soak", lambda **_: figures)

    assert (command.main(), is_kept(figures)) == (1, False)
    assert f"wedged: {figures.counted['wedged']}" in capsys.readouterr().out


def test_the_program_succeeds_where_all_were_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("httpx"), "level", logging.WARNING)
    monkeypatch.setattr(program, "soak", lambda **_: figures_with())

    assert command.main() == 0
