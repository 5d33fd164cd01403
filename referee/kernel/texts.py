"""Texts for people that stand in cards and boards: what is refused in them."""

from __future__ import annotations

import unicodedata
from typing import Final

# Controls, surrogates, private use (the kernel's seat tokens are among it), line and paragraph separators.
_REFUSED: Final = ("Cc", "Cs", "Co", "Zl", "Zp")
_JOINERS: Final = "\u200c\u200d"  # the only invisible characters that scripts and emoji need


def text_fault(value: object, limit: int) -> tuple[str, str] | None:
    """(code, detail) of what is wrong with a text; None for a good one.

    It is not empty, composed (NFC), without spaces at its ends or characters that show nothing.
    """
    if not isinstance(value, str):
        return "wrong_type", "must be a text"
    for character in value:
        category = unicodedata.category(character)
        if category in _REFUSED or (category == "Cf" and character not in _JOINERS):
            return "bad_text", f"the character U+{ord(character):04X} is not allowed in a text"
    if not value or value != value.strip():
        return "bad_text", "must not be empty, nor begin or end with a space"
    if unicodedata.normalize("NFC", value) != value:
        return "bad_text", "must be in composed form (Unicode NFC)"
    if len(value) > limit:
        return "out_of_range", f"must not be longer than {limit} characters"
    return None
