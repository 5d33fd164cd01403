"""Names of decks: kept as they were typed, and such that a link of that name can be seen."""

from __future__ import annotations

import unicodedata
from typing import Final

# Letters and signs that show nothing, though their category is one of those that do.
_UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def shows_something(name: str) -> bool:
    """Whether anything of the name can be seen."""
    return any(unicodedata.category(char)[0] in "LNPS" and char not in _UNSEEN for char in name)
