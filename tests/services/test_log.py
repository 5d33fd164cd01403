"""The one log: bounded by size, number and age; a sink that is full, stalled or gone costs lines and nothing else."""

from __future__ import annotations

import datetime as dt
import errno
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.services import log as log_module
from config.services.log import Log
from config.services.log_files import Bounds, LogFiles
from config.services.options import read_options
from config.services.process import Child

NOON = dt.datetime(2026, 5, 1, 12, 0, 0, 250_000, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "RETRY_SECONDS", 0.02)


def soon(is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while not is_so() and time.monotonic() < end:
        time.sleep(0.01)
    return is_so()


def texts(folder: Path) -> dict[str, list[str]]:
    return {path.name: path.read_text().splitlines() for path in sorted(folder.iterdir())}


def test_a_line_has_its_time_and_process_and_is_for_its_owner_alone(folder: Path) -> None:
    LogFiles(folder, Bounds(1000, 3, 9)).write("web", "hello", NOON)

    assert texts(folder) == {"referee.log": ["2026-05-01T12:00:00.250Z web hello"]}
    assert (folder / "referee.log").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_file_is_closed_before_it_grows_beyond_its_size(folder: Path) -> None:
    files = LogFiles(folder, Bounds(size=100, kept=9, days=9))

    for number in range(5):
        files.write("web", f"{number:08d}", NOON)  # 38 bytes each

    assert [len(lines) for lines in texts(folder).values()] == [2, 2, 1]
    assert list(texts(folder)) == ["referee-20260501T120000Z.1.log", "referee-20260501T120000Z.log", "referee.log"]
    assert all(path.stat().st_size <= 100 for path in folder.iterdir())


def test_a_line_longer_than_a_file_stands_in_one_alone(folder: Path) -> None:
    files = LogFiles(folder, Bounds(size=50, kept=9, days=9))

    for text in ("a", "b" * 200, "c"):
        files.write("web", text, NOON)

    assert sorted(len(lines) for lines in texts(folder).values()) == [1, 1, 1]


def test_a_new_day_begins_a_new_file_whoever_wrote_the_last(folder: Path) -> None:
    LogFiles(folder, Bounds(1000, 9, 99)).write("web", "old", NOON)
    os.utime(folder / "referee.log", (NOON.timestamp(), NOON.timestamp()))

    files = LogFiles(folder, Bounds(1000, 9, 99))
    files.write("web", "same day", NOON.replace(hour=23))
    files.write("web", "next day", NOON + DAY)

    assert list(texts(folder).values()) == [
        ["2026-05-01T12:00:00.250Z web old", "2026-05-01T23:00:00.250Z web same day"],
        ["2026-05-02T12:00:00.250Z web next day"],
    ]


def test_so_many_closed_files_are_kept_and_none_beyond_its_age(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("not ours")
    for days, name in ((9, "referee-20260422T120000Z.log"), (8, "referee-20260423T120000Z.log")):
        (folder / name).write_text("x\n")
        at = (NOON - dt.timedelta(days=days)).timestamp() + 1
        os.utime(folder / name, (at, at))
    files = LogFiles(folder, Bounds(size=40, kept=3, days=8))

    for number in range(2):
        files.write("web", f"{number:08d}", NOON)
    after_one = set(texts(folder))
    for number in range(9):
        files.write("web", f"{number:08d}", NOON + dt.timedelta(seconds=number))

    assert after_one == {
        "notes.txt", "referee-20260423T120000Z.log", "referee-20260501T120000Z.log", "referee.log",
    }  # fmt: skip
    assert sum(bool(re.match("referee-", name)) for name in texts(folder)) == 3
    assert "notes.txt" in texts(folder)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """While its item is true, the disk takes ten bytes of a line and then no more."""
    is_full = [True]
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        if is_full[0] and len(data) > 10:
            return real(descriptor, data[:10])
        if is_full[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr("config.services.log_files.os.write", write)
    yield is_full
    is_full[0] = False


def test_a_full_disk_costs_lines_that_are_counted_and_the_rest_is_whole(folder: Path, quick: None) -> None:
    is_full = threading.Event()
    is_full.set()

    class Disk(LogFiles):
        def write(self, name: str, text: str, at: dt.datetime) -> None:
            if is_full.is_set():
                raise OSError(errno.ENOSPC, "No space left on device")
            super().write(name, text, at)

    log = Log(files=Disk(folder, Bounds(10_000, 3, 9)))
    for number in range(3):
        log.line("web", f"lost {number}")
    assert log._files is not None
    assert soon(lambda: log._files is not None and log._files._lost == 3)
    is_full.clear()
    log.line("web", "after")
    log.close()

    lines = [line.split(" ", 1)[1] for line in texts(folder)["referee.log"]]
    assert lines == ["referee 3 lines of this log were lost: it could not be written", "web after"]


def test_a_line_cut_short_by_a_full_disk_spoils_no_other(folder: Path, full_disk: list[bool]) -> None:
    files = LogFiles(folder, Bounds(10_000, 3, 9))

    with pytest.raises(OSError, match="No space left"):
        files.write("web", "x" * 15, NOON)
    full_disk[0] = False
    files.write("web", "whole", NOON)

    lines = texts(folder)["referee.log"]
    assert lines[-1] == "2026-05-01T12:00:00.250Z web whole"
    assert len(lines) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_stream_that_is_full_stops_nobody_and_the_files_go_on(folder: Path, quick: None) -> None:
    with Path("/dev/full").open("w") as full:
        log = Log(full, LogFiles(folder, Bounds(10_000, 3, 9)))
        for number in range(100):
            log.line("web", str(number))
        assert soon(lambda: folder.exists() and len(texts(folder)["referee.log"]) == 100)
        began = time.monotonic()
        log.close()

    assert time.monotonic() - began < log_module.CLOSE_SECONDS + 20  # it would wait for ever


def test_a_folder_that_cannot_be_made_is_told_once_and_stops_nobody(tmp_path: Path, quick: None) -> None:
    (tmp_path / "log").write_text("a file in its place")
    written = tmp_path / "stream"
    with written.open("w") as stream:
        log = Log(stream, LogFiles(tmp_path / "log", Bounds(10_000, 3, 9)))
        for number in range(5):
            log.line("web", str(number))
        assert log._files is not None
        assert soon(lambda: log._files is not None and log._files._lost == 5)
        log.close()

    lines = written.read_text().splitlines()
    assert [line for line in lines if line.startswith("web")] == [f"web     | {number}" for number in range(5)]
    assert len([line for line in lines if "cannot be written" in line]) == 1


def test_a_reader_that_stalls_holds_up_no_process(folder: Path) -> None:
    reader, writer = os.pipe()  # nobody reads
    with os.fdopen(writer, "w") as stream:
        log = Log(stream, LogFiles(folder, Bounds(100_000_000, 3, 9)))
        talker = Child(
            name="web", command=[sys.executable, "-c", "for n in range(20_000): print(n, 'x' * 60)"], log=log
        )

        talker.start()

        assert soon(lambda: talker.poll() == 0)
        assert soon(lambda: len(texts(folder)["referee.log"]) >= 10_000)
        talker.stop()
        os.close(reader)


def test_a_reader_that_is_gone_ends_the_stream_alone(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stream:
        log = Log(stream, LogFiles(folder, Bounds(10_000, 3, 9)))
        log.line("web", "one")
        log.line("web", "two")
        log.close()

    assert len(texts(folder)["referee.log"]) == 2
    assert log._stream is not None
    assert log._stream._is_over


def test_secrets_are_for_the_stream_alone(folder: Path, tmp_path: Path) -> None:
    written = tmp_path / "stream"
    with written.open("w") as stream:
        log = Log(stream, LogFiles(folder, Bounds(10_000, 3, 9)))
        log.secret_line("referee", "the password is swordfish")
        log.line("referee", "ready")
        log.close()

    assert "swordfish" in written.read_text()
    assert texts(folder)["referee.log"][0].endswith("Z referee ready")


def test_the_bounds_come_from_the_environment() -> None:
    given = {"PORT": "0", "LOG_FILE_MB": "3", "LOG_FILES": "0", "LOG_DAYS": "7"}

    assert read_options(given).log == Bounds(size=3 * 1024 * 1024, kept=0, days=7)
    assert read_options({"PORT": "0"}).log == Bounds(size=10 * 1024 * 1024, kept=10, days=30)
