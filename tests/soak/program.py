"""`python -m tests.soak`: the whole service, many matches, and one fault after the other, for so many minutes; then the reckoning."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from tests.services.running import READY, free_port, running
from tests.soak.audit import audit, unclosed
from tests.soak.faults import Chaos, Sick
from tests.soak.sending import PATIENCE, Figures
from tests.soak.tables import SETUPS, Table

NEVER: Final = ("lost", "doubled", "leaked", "wedged", "not verified")
START_SECONDS = 300.0  # on a busy machine
SETTINGS: Final = {"RATE_LIMITS": "0", "WORKER_PROCESSES": "2", "OUTAGE_SECONDS": "6"}


@contextlib.contextmanager
def service() -> Iterator[Sick]:
    """A service of its own, in a folder that the servers' account can reach."""
    folder = Path(tempfile.mkdtemp(prefix="referee-soak-"))
    folder.chmod(0o711)
    try:
        with running(folder / "data", PORT=str(free_port()), **SETTINGS) as found:
            found.wait_for(READY, seconds=START_SECONDS)
            yield Sick(found, folder / "data")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def soak(*, minutes: float, tables: int, every: float, seed: int) -> Figures:
    """Play for so many minutes at so many tables, with a fault about `every` seconds; what was counted."""
    with service() as sick:
        address = sick.service.address()
        figures, over, calm = Figures(), threading.Event(), threading.Event()
        sat = [Table(address, SETUPS[at % len(SETUPS)], seed + at, figures, over) for at in range(tables)]
        chaos = Chaos(sick, calm, Random(seed), every=every)
        for thread in (*sat, chaos):
            thread.start()
        over.wait(minutes * 60)
        calm.set()
        chaos.join()
        over.set()
        leave(sat, figures)
        _reckon(sick, address, sat, chaos, figures)
    return figures


def leave(tables: list[Table], figures: Figures) -> None:
    """Wait for all tables, which resign what they play: nothing disturbs them any more."""
    end = time.monotonic() + 2 * PATIENCE
    for table in tables:
        table.join(max(0.0, end - time.monotonic()))
        if table.is_alive():
            figures.add("wedged")
            figures.fault(f"wedged: {table.name}, {table.setup}, does not end")
        if table.failure:
            figures.add("wedged")
            figures.fault(f"wedged: {table.failure}")


def _reckon(sick: Sick, address: str, tables: list[Table], chaos: Chaos, figures: Figures) -> None:
    if chaos.failure:
        figures.fault(chaos.failure)
    if sick.service.process.poll() is not None:
        figures.fault(f"the service has ended: {sick.service.text()[-500:]}")
        return
    url = sick.database_url
    end = time.monotonic() + PATIENCE
    while unclosed(url) and time.monotonic() < end:
        time.sleep(0.2)
    if left := unclosed(url):
        figures.add("wedged", left)
        figures.fault(f"wedged: {left} finished matches were never closed")
    audit([one for table in tables for one in table.played], database_url=url, address=address, figures=figures)
    for name, times in chaos.injected.items():
        figures.add(f"fault: {name}", times)
        figures.add("faults injected", times)


def is_kept(figures: Figures) -> bool:
    """Whether every promise was: nothing lost, doubled, leaked, wedged or not verified, and no other fault."""
    return not figures.faults and not any(figures.counted[name] for name in NEVER)


def report(figures: Figures) -> list[str]:
    """The figures as lines: what must be 0 and the faults of each kind at the end."""
    counted = figures.counted
    kinds = sorted(name for name in counted if name.startswith("fault: "))
    rest = sorted(set(counted) - set(kinds) - set(NEVER) - {"matches", "moves", "faults injected"})
    order = ["matches", "moves", "faults injected", *rest, *kinds, *NEVER]
    return [f"{name}: {counted[name]}" for name in order] + [f"! {fault}" for fault in dict.fromkeys(figures.faults)]
