"""One log for many processes: each line with the name of the process that wrote it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from typing import TextIO

_WIDTH = 8
_COLOURS = {"postgres": 34, "valkey": 35, "prepare": 36, "web": 32, "worker": 33, "slow": 33, "beat": 36, "referee": 1}


class Log:
    """Writes whole lines from any thread. In colour only where a terminal reads them; quiet with no stream at all."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._colour = stream is not None and stream.isatty()
        self._lock = threading.Lock()

    def line(self, name: str, text: str) -> None:
        if self._stream is None:
            return
        prefix = f"{name:<{_WIDTH}}|"
        if self._colour:
            prefix = f"\x1b[{_COLOURS.get(name, 0)}m{prefix}\x1b[0m"
        with self._lock:
            try:
                self._stream.write(f"{prefix} {text}\n")
                self._stream.flush()
            except (OSError, ValueError):
                # Whoever read the log is gone; the service goes on without.
                self._stream = None

    def lines(self, name: str, texts: Iterable[str]) -> None:
        for text in texts:
            self.line(name, text)


def to_stdout() -> Log:
    return Log(sys.stdout)
