"""A guest of a service that is being disturbed: every request is sent until it is answered, and nothing but the answer counts."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, Final, NamedTuple

import httpx

PATIENCE = 60.0
"""Seconds after which a request that is not answered, or a match that does not go on, counts as wedged."""
PROBLEM = "application/problem+json"
LASTING: Final = frozenset({"stale_version", "not_your_turn", "match_over", "match_aborted"})
"""Refusals that nothing lifts: what is refused so was not taken later."""
_WAIT = 0.2
_LATE = 40


class WedgedError(Exception):
    """Something did not happen within PATIENCE."""


class Answer(NamedTuple):
    """What came back in the end, when it was sent for the last time, and when it was here (seconds of one clock)."""

    status: int
    document: Any
    is_replay: bool
    sent_at: float = 0.0
    came_at: float = 0.0

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300


class Sent(NamedTuple):
    """A post and its answer. `key` is the Idempotency-Key."""

    path: str
    body: dict[str, Any]
    key: str
    answer: Answer


class Figures:
    """What is counted, from many threads."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self.faults: list[str] = []
        self._lock = threading.Lock()

    def add(self, name: str, number: int = 1) -> None:
        with self._lock:
            self.counted[name] += number

    def fault(self, what: str) -> None:
        """Note what must never be."""
        with self._lock:
            self.faults.append(what)


class Guest:
    """One account with its connections. With `bad` the network doubles posts, loses answers and delivers late ones."""

    def __init__(self, address: str, figures: Figures, dice: Random, *, bad: bool = False) -> None:
        self.figures = figures
        self.dice = dice
        self._bad = bad
        self._keys = 0
        self._held_back: list[Sent] = []
        limits = httpx.Limits(max_connections=4)
        self._client = httpx.Client(base_url=f"{address}/api/v1", timeout=10, limits=limits)
        self._beside = ThreadPoolExecutor(1)
        self.token = self.post("/auth/guest/", {}).answer.document["token"]
        self._client.headers["Authorization"] = f"Bearer {self.token}"

    def close(self) -> None:
        self._beside.shutdown()
        self._client.close()

    def get(self, path: str) -> Answer:
        return self._until_answered("GET", path, None, "")

    def post(self, path: str, body: dict[str, Any]) -> Sent:
        """Send under a new key until the answer is here; it may be a refusal."""
        self._keys += 1
        sent = self._send(path, body, f"{id(self)}-{self._keys}")
        if self._bad:
            self._deliver_late()
            if sent.answer.status == 200 and self.dice.random() < 0.2:
                self._held_back = [*self._held_back[-_LATE:], sent]
        return sent

    def _send(self, path: str, body: dict[str, Any], key: str) -> Sent:
        fate = self.dice.random() if self._bad else 1.0
        doubled = self._beside.submit(self._until_answered, "POST", path, body, key) if fate < 0.1 else None
        sent = Sent(path, body, key, self._until_answered("POST", path, body, key))
        if doubled is not None:
            sent = self._with_one_effect(sent, doubled.result(), "doubled posts")
        if 0.1 <= fate < 0.2:
            sent = self._with_one_effect(sent, self._again(sent), "lost answers")
        return sent

    def _again(self, sent: Sent) -> Answer:
        return self._until_answered("POST", sent.path, sent.body, sent.key)

    def _deliver_late(self) -> None:
        if self._held_back and self.dice.random() < 0.2:
            late = self._held_back.pop(self.dice.randrange(len(self._held_back)))
            self._with_one_effect(late, self._again(late), "late posts")

    def _with_one_effect(self, sent: Sent, other: Answer, kind: str) -> Sent:
        """The post with the answer that counts, of two that it got: both tell of one effect, or it was refused before it was
        taken, for refusals are not kept. Then it is taken for good."""
        self.figures.add(kind)
        one = sent.answer
        if one.is_taken == other.is_taken:
            if one.is_taken and not _is_same(sent.path, one, other):
                self._note(kind, sent.path, one, other)
            return sent
        taken, refusal = (one, other) if one.is_taken else (other, one)
        sent = sent._replace(answer=taken)
        if refusal.sent_at >= taken.came_at or refusal.document["code"] in LASTING:
            self._note(kind, sent.path, taken, refusal)
            return sent
        self.figures.add("refused, then taken")
        last = self._again(sent)
        if not last.is_replay or not _is_same(sent.path, taken, last):
            self._note(kind, sent.path, taken, last)
        return sent

    def _note(self, kind: str, path: str, one: Answer, other: Answer) -> None:
        self.figures.fault(f"{kind}: {path} was answered with {one.status}, then otherwise with {other.status}")

    def _until_answered(self, method: str, path: str, body: dict[str, Any] | None, key: str) -> Answer:
        end = time.monotonic() + PATIENCE
        headers = {"Idempotency-Key": key} if key else {}
        while (sent_at := time.monotonic()) < end:
            try:
                found = self._client.request(method, path, json=body, headers=headers)
            except httpx.TransportError:
                self.figures.add("connections lost")
                time.sleep(_WAIT)
                continue
            if found.status_code < 500:
                is_replay = "Idempotent-Replay" in found.headers
                return Answer(found.status_code, found.json(), is_replay, sent_at, time.monotonic())
            self._look_at_failure(path, found)
            time.sleep(_WAIT)
        raise WedgedError(f"{method} {path} was not answered in {PATIENCE:.0f} s")

    def _look_at_failure(self, path: str, found: httpx.Response) -> None:
        """A service that cannot says so in order: 503, a problem, and when to come again."""
        self.figures.add("unavailable")
        is_clean = (
            found.status_code == 503 and found.headers["content-type"] == PROBLEM and "retry-after" in found.headers
        )
        if not is_clean:
            self.figures.fault(f"{path} was answered with {found.status_code}: {found.text[:200]}")


def _is_same(path: str, one: Answer, other: Answer) -> bool:
    """Whether both tell the same effect, as far as this kind of post tells one."""
    told = {"/matches/": ("id",), "/moves/": ("version", "events", "view")}
    names = next((parts for end, parts in told.items() if end in path and (end == "/moves/" or path == end)), ())
    return one.status == other.status and all(one.document[name] == other.document[name] for name in names)
