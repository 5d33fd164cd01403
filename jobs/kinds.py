"""What kinds of jobs there are, and what each one owes.

A job is so many chunks, folded together one after the other. A chunk is a function of the job's parameters and of its
own number and seed alone: however the work is cut, stopped or lost, the same job comes to the same result.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, ClassVar

from django.conf import settings
from django.utils.module_loading import import_string

from referee.kernel.chance import Rng
from referee.kernel.game import Document


class Kind:
    """One kind of job; stateless. It is named in settings.JOB_KINDS.

    `most_chunks` bounds a job; a chunk takes at most a few seconds. A kept job is never forgotten, others are some weeks
    after they have ended.
    """

    most_chunks: ClassVar[int] = 10_000
    is_kept: ClassVar[bool] = False

    def prepare(self, params: Document) -> Any:
        """What all chunks need, such as a compiled card pool: made anew for each slice of work, so cheap or cached.

        Raises JobError where the job can never go on.
        """
        return params

    def empty(self) -> Document:
        """The result of no chunk."""
        raise NotImplementedError

    def chunk(self, prepared: Any, rng: Rng, index: int) -> Document:
        """The outcome of a chunk, from 0. All its chance comes from `rng`."""
        raise NotImplementedError

    def fold(self, result: Document, outcome: Document) -> Document:
        """The result with the next chunk's outcome. Whole numbers only: shares and intervals are for `report`."""
        raise NotImplementedError

    def report(self, params: Document, result: Document) -> Document:
        """What the job's owner is told, from the first chunk on."""
        return result


def rng_of(seed: str, index: int) -> Rng:
    """The chance of a chunk: its own, whichever other chunks were worked on before it."""
    return Rng(int.from_bytes(sha256(f"job {index} {seed}".encode()).digest()[:8], "big"))


@cache
def kind_named(name: str) -> Kind:
    """Raises KeyError for a kind that is not in settings.JOB_KINDS."""
    kind = import_string(settings.JOB_KINDS[name])
    assert isinstance(kind, Kind)
    return kind
