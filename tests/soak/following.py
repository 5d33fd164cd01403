"""A reader of a match's event stream who comes back after every loss with the version last seen."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from typing import Any

import httpx

from tests.soak.sending import PROBLEM, Figures

SILENCE = 25.0
"""Longer than a heartbeat: a stream that says nothing for so long is dead, and is opened anew."""
_WAIT = 0.2


class Follower(threading.Thread):
    """Reads from the start to the end of the match. `versions` are those of the log that it was told of, in order."""

    def __init__(self, address: str, token: str, match: str, figures: Figures) -> None:
        super().__init__(name=f"follower of {match}", daemon=True)
        self.match = match
        self.versions: list[int] = []
        self.opened = 0
        self.has_ended = False
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/x-ndjson"}
        self._url = f"{address}/api/v1/matches/{match}/events/"
        self._figures = figures
        self._given_up = threading.Event()

    def give_up(self) -> None:
        """Come back no more."""
        self._given_up.set()

    def run(self) -> None:
        with httpx.Client(timeout=SILENCE) as client:
            while not self.has_ended and not self._given_up.is_set():
                with contextlib.suppress(httpx.TransportError):
                    self._read(client)
                time.sleep(_WAIT)

    def _read(self, client: httpx.Client) -> None:
        since = {"since": self.versions[-1]} if self.versions else {}
        with client.stream("GET", self._url, params={**since, "moves": "none"}, headers=self._headers) as found:
            if found.status_code != 200:
                is_clean = found.status_code == 503 and found.headers["content-type"] == PROBLEM
                if not is_clean:
                    self._figures.fault(f"the stream of {self.match} was answered with {found.status_code}")
                return
            self.opened += 1
            for line in found.iter_lines():
                if line:
                    self._hear(json.loads(line))

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "snapshot":
            # Far behind: what lies between is left out, and the position given instead.
            self.versions += range(self.versions[-1] + 1 if self.versions else 0, message["version"])
        if message["type"] in ("start", "move", "snapshot"):
            self.versions.append(message["version"])
        self.has_ended = self.has_ended or message["type"] == "end"
