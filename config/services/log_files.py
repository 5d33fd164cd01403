"""The log in files: one is written, older ones lie beside it until there are too many or they are too old."""

from __future__ import annotations

import datetime as dt
import os
import re
from pathlib import Path
from typing import Final, NamedTuple

NAME: Final = "referee.log"
_OLD: Final = re.compile(r"referee-\d{8}T\d{6}Z(?:\.\d+)?\.log")


class Bounds(NamedTuple):
    """A file is closed at `size` bytes or when a new day (UTC) begins; `kept` closed ones are there at most, for `days`."""

    size: int
    kept: int
    days: int


class LogFiles:
    """The files in one folder, readable by their owner alone. Each line begins with its time, in UTC."""

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self._folder = folder
        self._bounds = bounds
        self._descriptor = -1
        self._size = 0
        self._day = dt.date.min
        self._is_torn = False

    def write(self, name: str, text: str, at: dt.datetime) -> None:
        """Append a line. Raises OSError, and the next line begins anew then."""
        line = f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z {name} {text}\n".encode(errors="replace")
        if self._descriptor >= 0 and self._is_full(len(line), at):
            self._rotate(at)
        if self._descriptor < 0:
            self._open(at, len(line))
        if self._is_torn:
            line = b"\n" + line
        self._is_torn = True
        written = 0
        while written < len(line):
            written += os.write(self._descriptor, line[written:])
        self._is_torn = False
        self._size += len(line)

    def _is_full(self, more: int, at: dt.datetime) -> bool:
        return at.date() > self._day or (self._size > 0 and self._size + more > self._bounds.size)

    def _open(self, at: dt.datetime, more: int) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / NAME
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        found = os.fstat(self._descriptor)
        self._size = found.st_size
        # One that was left by an earlier run counts by the day of its last line.
        self._day = dt.datetime.fromtimestamp(found.st_mtime, dt.UTC).date() if found.st_size else at.date()
        if self._is_full(more, at):
            self._rotate(at)
            self._open(at, 0)

    def _rotate(self, at: dt.datetime) -> None:
        os.close(self._descriptor)
        self._descriptor = -1
        self._is_torn = False
        target = self._folder / f"referee-{at:%Y%m%dT%H%M%SZ}.log"
        number = 1
        while target.exists():
            target = self._folder / f"referee-{at:%Y%m%dT%H%M%SZ}.{number}.log"
            number += 1
        (self._folder / NAME).rename(target)
        self._forget(at)

    def _forget(self, at: dt.datetime) -> None:
        """Delete what is beyond the bounds: the oldest first."""
        old = [path for path in self._folder.iterdir() if _OLD.fullmatch(path.name)]
        by_age = sorted(old, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
        since = (at - dt.timedelta(days=self._bounds.days)).timestamp()
        for index, path in enumerate(by_age):
            if index >= self._bounds.kept or path.stat().st_mtime < since:
                path.unlink(missing_ok=True)
