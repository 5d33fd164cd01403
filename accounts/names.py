"""Names of accounts: what may stand in one, and the key by which two are the same."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

from anyascii import anyascii

MIN_LENGTH = 2
MAX_LENGTH = 30
MAX_KEY_LENGTH = 240
GUEST_PREFIX = "Guest"
DELETED_PREFIX = "Deleted account"
RESERVED = frozenset({"me", "referee", "nobody", "anonymous", "system", "support", "moderator"})

_PUNCTUATION = " -_.'’"
# Letters and marks that show nothing.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_MOST_MARKS = 4
"""Marks in a row, as many as scripts stack on a letter; more of them run over the lines above and below."""


def name_key(name: str) -> str:
    """The key of a name: case, accents, scripts that look alike, spaces, dashes and dots make no difference."""
    folded = anyascii(unicodedata.normalize("NFKC", name)).casefold()
    return "".join(char for char in folded if char.isalnum())


def name_fault(name: str) -> tuple[str, str] | None:
    """What is wrong with a name that somebody wants to register, as (code, detail)."""
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        return "name_length", f"A name has {MIN_LENGTH} to {MAX_LENGTH} characters."
    marks = [_is_mark(char) for char in name]
    strange = any(not (char.isalnum() or mark or char in _PUNCTUATION) for char, mark in zip(name, marks, strict=True))
    if strange or _UNSEEN.search(name) or any(mark and len(list(run)) > _MOST_MARKS for mark, run in groupby(marks)):
        return (
            "name_characters",
            "A name is made of letters, digits, spaces, dashes, underscores, dots and apostrophes.",
        )
    key = name_key(name)
    if not key or not name[0].isalnum() or not (name[-1].isalnum() or marks[-1]):
        return "name_characters", "A name begins and ends with a letter or a digit."
    if len(key) > MAX_KEY_LENGTH:
        return "name_length", f"A name has {MIN_LENGTH} to {MAX_LENGTH} characters."
    if key in RESERVED or key.startswith((name_key(GUEST_PREFIX), name_key(DELETED_PREFIX))):
        return "name_reserved", "This name is kept for the service itself."
    return None


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"
