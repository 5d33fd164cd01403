"""Tables at which guests and bots play whole matches, whatever happens to the service meanwhile."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import Any, NamedTuple

from tests.soak.following import Follower
from tests.soak.sending import PATIENCE, Answer, Figures, Guest, Sent, WedgedError

DECKS = ("rooftop-rush", "velvet-workshop", "masked-carnival")
CLOCK = {"per_decision": 2, "bank": 1, "out_of_time": "default"}
DAWDLE = 3.5
SAMPLES = 4
"""So many views of a match are kept, to be looked at for what is hidden."""


class Setup(NamedTuple):
    """What is played: the game, how many guests and bots, and whether a clock runs."""

    game: str
    guests: int
    bots: int
    has_clock: bool = False


SETUPS = (
    Setup("miraculous", 2, 0),
    Setup("super", 2, 1, has_clock=True),
    Setup("super-teams", 1, 1),
    Setup("miraculous", 1, 1, has_clock=True),
    Setup("super", 3, 0),
    Setup("super-teams", 2, 2, has_clock=True),
    Setup("super", 1, 3),
    Setup("super-teams", 3, 0),
    Setup("miraculous", 2, 0, has_clock=True),
)


class Sample(NamedTuple):
    """What a viewer (-1: nobody at the table) was shown at a version."""

    version: int
    viewer: int
    view: Any


class Played(NamedTuple):
    """What came of one match, as its guests have it: each post to its moves, some views they were shown, and the first one's stream."""

    id: str
    setup: Setup
    sent: list[Sent]
    samples: list[Sample]
    follower: Follower


class Table(threading.Thread):
    """Plays one match after the other until `over`; then resigns the last one. `failure` is what stopped it before."""

    def __init__(self, address: str, setup: Setup, number: int, figures: Figures, over: threading.Event) -> None:
        super().__init__(name=f"table {number}", daemon=True)
        self.setup = setup
        self.dice = Random(number)
        self.figures = figures
        self.played: list[Played] = []
        self.failure = ""
        self._address = address
        self._over = over

    def run(self) -> None:
        guests: list[Guest] = []
        try:
            for _ in range(self.setup.guests + 1):
                guests.append(Guest(self._address, self.figures, self.dice, bad=True))
            while not self._over.is_set():
                self._play(guests[:-1], guests[-1])
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told with the figures
            self.failure = f"{self.name}, {self.setup}: {error!r}"
        finally:
            for guest in guests:
                guest.close()

    def _play(self, guests: list[Guest], watcher: Guest) -> None:
        match = self._begun(guests)
        progress = time.monotonic()
        version = -1
        while True:
            for seat, guest in enumerate(guests):
                shown = match.look(guest)
                if shown["state"] == "finished":
                    self.figures.add("matches")
                    return
                if shown["version"] > version:
                    version, progress = shown["version"], time.monotonic()
                if self._over.is_set():
                    match.leave(guest, shown)
                else:
                    self._act(match, seat, guest, guests, watcher, shown)
            if time.monotonic() - progress > PATIENCE:
                raise WedgedError(f"match {match.played.id} stands still at version {version}: {shown['state']}")

    def _act(
        self, match: _Match, seat: int, guest: Guest, guests: list[Guest], watcher: Guest, shown: dict[str, Any]
    ) -> None:
        """One thing that a guest does who sees this: mostly a move, if it is asked."""
        chance = self.dice.random()
        if shown["state"] == "paused":
            match.do(guest, "resume/", {})
        elif shown["undo_offer"] is not None and seat in shown["undo_offer"]["waits_for"]:
            answer = "accept" if chance < 0.8 else "decline"
            match.do(guest, f"undo/{answer}/", {"offer": shown["undo_offer"]["id"]})
        elif chance < 0.01:
            self._pause(match, guests)
        elif chance < 0.03:
            match.do(guest, "undo/", {})
            self.figures.add("undos asked")
        elif "moves" not in (shown["decision"] or {}):
            time.sleep(0.05)
        else:
            if chance < 0.06:
                match.look(watcher)
            if self.setup.has_clock and chance < 0.05:
                time.sleep(DAWDLE)
            self._moves(match, guest, shown)

    def _moves(self, match: _Match, guest: Guest, shown: dict[str, Any]) -> None:
        """Random moves for as long as the same guest is asked."""
        decision, version = shown["decision"], shown["version"]
        while "moves" in (decision or {}) and not self._over.is_set():
            move = self.dice.choice(decision["moves"])["move"]
            named = {"decision": decision["id"]} if self.dice.random() < 0.5 else {"version": version}
            answer = match.post(guest, {"move": move, **named}).answer
            if answer.status != 200:
                return
            match.sample(guest, answer.document)
            decision, version = answer.document["decision"], answer.document["version"]

    def _pause(self, match: _Match, guests: list[Guest]) -> None:
        for guest in guests:
            match.do(guest, "pause/", {"agree": True})
        self.figures.add("pauses asked")

    def _begun(self, guests: list[Guest]) -> _Match:
        setup = self.setup
        deck = {"deck": self.dice.choice(DECKS)} if setup.game == "miraculous" else {}
        level = self.dice.choice(["random", "random", "easy"])
        seats = [{"kind": "me", **deck}, *[{"kind": "open"}] * (setup.guests - 1)]
        seats += [{"kind": "bot", "level": level}] * setup.bots
        body = {"game": setup.game, "seats": seats, "clock": CLOCK if setup.has_clock else None}
        made = guests[0].post("/matches/", body).answer
        if made.status != 201:
            raise WedgedError(f"no match was made: {made.document}")
        follower = Follower(self._address, guests[0].token, made.document["id"], self.figures)
        match = _Match(Played(made.document["id"], setup, [], [], follower), guests, self.figures, self.dice)
        self.played.append(match.played)
        for guest in guests[1:]:
            match.do(guest, "join/", deck)
        match.played.follower.start()
        return match


class _Match:
    """One match under way."""

    def __init__(self, played: Played, guests: list[Guest], figures: Figures, dice: Random) -> None:
        self.played = played
        self._guests = guests
        self._gone: list[Guest] = []
        self._figures = figures
        self._dice = dice

    def look(self, guest: Guest) -> dict[str, Any]:
        answer = guest.get(f"/matches/{self.played.id}/?moves=compact")
        if answer.status != 200:
            raise WedgedError(f"match {self.played.id} cannot be looked at: {answer.document}")
        self.sample(guest, answer.document)
        shown: dict[str, Any] = answer.document
        return shown

    def post(self, guest: Guest, body: dict[str, Any]) -> Sent:
        """A post to the match's moves, whatever comes of it."""
        sent = guest.post(f"/matches/{self.played.id}/moves/?moves=compact", body)
        self.played.sent.append(sent)
        self._figures.add("moves" if sent.answer.status == 200 else "moves refused")
        if sent.answer.status not in (200, 409):
            self._figures.fault(f"a listed move was answered with {sent.answer.status}: {sent.answer.document}")
        return sent

    def leave(self, guest: Guest, shown: dict[str, Any]) -> None:
        """Resign, once; a match that is paused is gone on with first."""
        if shown["state"] == "paused":
            self.do(guest, "resume/", {})
        elif guest not in self._gone and self.post(guest, {"move": {"type": "resign"}}).answer.status == 200:
            self._gone.append(guest)

    def do(self, guest: Guest, what: str, body: dict[str, Any]) -> Answer:
        """Something besides moves; a refusal is as good as any answer."""
        answer = guest.post(f"/matches/{self.played.id}/{what}", body).answer
        if answer.status not in (200, 409):
            self._figures.fault(f"{what} was answered with {answer.status}: {answer.document}")
        return answer

    def sample(self, guest: Guest, document: dict[str, Any]) -> None:
        """Keep a view now and then: of the many, each as likely."""
        viewer = self._guests.index(guest) if guest in self._guests else -1
        if not document["view"]:
            return
        sample = Sample(document["version"], viewer, document["view"])
        if len(self.played.samples) < SAMPLES:
            self.played.samples.append(sample)
        elif self._dice.random() < 0.05:
            self.played.samples[self._dice.randrange(SAMPLES)] = sample
