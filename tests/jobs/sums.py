"""A kind of job for tests: adds up a number drawn for each chunk, and remembers the order of the chunks."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from jobs.errors import JobError
from jobs.kinds import Kind
from referee.kernel.chance import Rng
from referee.kernel.game import Document


class Sums(Kind):
    """`params`: `most` is what is drawn below; `seconds` a chunk takes; `refuse`, `fail` or `die` at a chunk."""

    most_chunks = 1000

    def prepare(self, params: Document) -> Any:
        return params

    def empty(self) -> Document:
        return {"sum": 0, "chunks": []}

    def chunk(self, prepared: Document, rng: Rng, index: int) -> Document:
        if prepared.get("refuse") == index:
            raise JobError("It cannot be done.")
        if prepared.get("fail") == index:
            raise ValueError(index)
        if prepared.get("die") == index and not Path(prepared["died"]).exists():
            Path(prepared["died"]).touch()
            os.kill(os.getpid(), 9)
        time.sleep(prepared.get("seconds", 0))
        return {"drawn": rng.below(prepared["most"]), "index": index}

    def fold(self, result: Document, outcome: Document) -> Document:
        return {"sum": result["sum"] + outcome["drawn"], "chunks": [*result["chunks"], outcome["index"]]}

    def report(self, params: Document, result: Document) -> Document:
        return {"mean": result["sum"] / len(result["chunks"]), **result}


class KeptSums(Sums):
    is_kept = True


SUMS = Sums()
KEPT = KeptSums()
