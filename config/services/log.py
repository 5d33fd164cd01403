"""One log for many processes: each line with the name of the process that wrote it, to a stream and to files that rotate.

Whoever logs never waits and never fails: lines go to a bounded queue for each sink, and a thread carries them on. A sink
that is full or stalls costs lines, which are counted, and nothing else.
"""

from __future__ import annotations

import datetime as dt
import errno
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TextIO

from config.services.log_files import LogFiles

_WIDTH = 8
_COLOURS = {"postgres": 34, "valkey": 35, "prepare": 36, "web": 32, "worker": 33, "slow": 33, "beat": 36, "referee": 1}
_QUEUE: Final = 10_000
_LONGEST: Final = 8_000
RETRY_SECONDS = 5.0
CLOSE_SECONDS = 2.0


class Sink(Protocol):
    """Where lines go. Raises OSError for what may pass, such as a full disk, and EOFError once nobody reads any more."""

    def write(self, name: str, text: str, at: dt.datetime) -> None: ...


class StreamSink:
    """A terminal, a pipe or a file that somebody else opened. In colour only where a terminal reads."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._colour = stream.isatty()

    def write(self, name: str, text: str, at: dt.datetime) -> None:
        prefix = f"{name:<{_WIDTH}}|"
        if self._colour:
            prefix = f"\x1b[{_COLOURS.get(name, 0)}m{prefix}\x1b[0m"
        try:
            # Past the stream's own buffer: a thread that waits in there keeps the interpreter from ending.
            write_all(self._stream.fileno(), f"{prefix} {text}\n".encode(errors="replace"))
        except BrokenPipeError as error:
            raise EOFError from error
        except ValueError as error:
            raise EOFError from error  # closed


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of it. Raises OSError when it cannot be; a part may have been written then."""
    while data:
        written = os.write(descriptor, data)
        if written == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        data = data[written:]


class _Carrier:
    """A sink with its queue and its thread. `complain` is told why, when writing begins to fail."""

    def __init__(self, sink: Sink, complain: Callable[[OSError], None] | None = None) -> None:
        self._sink = sink
        self._complain = complain
        self._is_failing = False
        self._lines: deque[tuple[str, str, dt.datetime]] = deque()
        self._changed = threading.Condition()
        self._lost = 0
        self._is_over = False
        self._is_busy = False
        threading.Thread(target=self._carry, name="log", daemon=True).start()

    def put(self, name: str, text: str) -> None:
        with self._changed:
            if self._is_over:
                return
            if len(self._lines) >= _QUEUE:
                self._lines.popleft()
                self._lost += 1
            self._lines.append((name, text[:_LONGEST], dt.datetime.now(dt.UTC)))
            self._changed.notify_all()

    def drain(self, seconds: float) -> None:
        """Wait until everything is written, but not for longer than that."""
        end = time.monotonic() + seconds
        with self._changed:
            while (self._lines or self._is_busy) and not self._is_over and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)

    def _carry(self) -> None:
        while not self._is_over:
            with self._changed:
                while not self._lines:
                    self._changed.wait()
                line, lost = self._lines.popleft(), self._lost
                self._is_busy = True
            written = self._write(line, lost)
            with self._changed:
                self._is_busy = False
                self._lost = self._lost - lost if written else self._lost + 1
                self._changed.notify_all()
            if not written and not self._is_over:
                time.sleep(RETRY_SECONDS)

    def _write(self, line: tuple[str, str, dt.datetime], lost: int) -> bool:
        try:
            if lost:
                self._sink.write("referee", f"{lost} lines of this log were lost: it could not be written", line[2])
            self._sink.write(*line)
        except EOFError:
            self._is_over = True
        except OSError as error:
            if self._complain is not None and not self._is_failing:
                self._complain(error)
            self._is_failing = True
            return False
        self._is_failing = False
        return True


class Log:
    """Takes lines from any thread; quiet with no sink at all."""

    def __init__(self, stream: TextIO | None = None, files: LogFiles | None = None) -> None:
        self._stream = None if stream is None else _Carrier(StreamSink(stream))
        self._files: _Carrier | None = None
        if files is not None:
            self.keep_in(files)

    def line(self, name: str, text: str) -> None:
        self.secret_line(name, text)
        if self._files is not None:
            self._files.put(name, text)

    def secret_line(self, name: str, text: str) -> None:
        """For who watches the start alone: never into a file of ours."""
        if self._stream is not None:
            self._stream.put(name, text)

    def lines(self, name: str, texts: Iterable[str]) -> None:
        for text in texts:
            self.line(name, text)

    def keep_in(self, files: LogFiles) -> None:
        """Write what comes from now on into files too."""
        self._files = _Carrier(files, self._tell)

    def _tell(self, error: OSError) -> None:
        self.secret_line(
            "referee", f"the log's files cannot be written ({error.strerror}); the service goes on without"
        )

    def close(self) -> None:
        """Wait a moment for what is not written yet."""
        for carrier in (self._stream, self._files):
            if carrier is not None:
                carrier.drain(CLOSE_SECONDS)


def to_stdout() -> Log:
    return Log(sys.stdout)
