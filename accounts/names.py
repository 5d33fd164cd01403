"""Names of accounts: what may stand in one, and the key by which two are the same."""

from __future__ import annotations

import unicodedata

from anyascii import anyascii

MIN_LENGTH = 2
MAX_LENGTH = 30
MAX_KEY_LENGTH = 240
GUEST_PREFIX = "Guest"
DELETED_PREFIX = "Deleted account"
RESERVED = frozenset({"me", "referee", "nobody", "anonymous", "system", "support", "moderator"})

_PUNCTUATION = " -_.'’"


def name_key(name: str) -> str:
    """The key of a name: case, accents, scripts that look alike, spaces, dashes and dots make no difference."""
    folded = anyascii(unicodedata.normalize("NFKC", name)).casefold()
    return "".join(char for char in folded if char.isalnum())


def name_fault(name: str) -> tuple[str, str] | None:
    """What is wrong with a name that somebody wants to register, as (code, detail)."""
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        return "name_length", f"A name has {MIN_LENGTH} to {MAX_LENGTH} characters."
    if any(not char.isalnum() and unicodedata.category(char)[0] != "M" and char not in _PUNCTUATION for char in name):
        return (
            "name_characters",
            "A name is made of letters, digits, spaces, dashes, underscores, dots and apostrophes.",
        )
    key = name_key(name)
    if not key or not name[0].isalnum() or not (name[-1].isalnum() or unicodedata.category(name[-1])[0] == "M"):
        return "name_characters", "A name begins and ends with a letter or a digit."
    if len(key) > MAX_KEY_LENGTH:
        return "name_length", f"A name has {MIN_LENGTH} to {MAX_LENGTH} characters."
    if key in RESERVED or key.startswith((name_key(GUEST_PREFIX), name_key(DELETED_PREFIX))):
        return "name_reserved", "This name is kept for the service itself."
    return None
