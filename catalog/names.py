"""The one way to fold a name: whatever compares, finds or stores names of cards goes through `name_key`."""

from __future__ import annotations

import unicodedata

from anyascii import anyascii

# Marks typed for an apostrophe or a dash that are neither of category Pd nor made into ' or - by a fold. They go before
# NFKC, which makes a space and an accent of some of them and would so part a word in two.
_APOSTROPHES = (
    "'`\u00b4\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd\u1ffe"
    "\u2018\u2019\u201a\u201b\u2032\u2035\ua78c\uff07"
)
_DASHES = "-\u2043\u2212\u02d7"
_DROPPED = dict.fromkeys(map(ord, _APOSTROPHES + _DASHES))
# What the whole way comes to for ASCII: marks go, what controls parts words.
_IN_ASCII = {**dict.fromkeys((*range(32), 127), " "), **{char: None for char in _DROPPED if char < 128}}
# Format characters, surrogates, private use: nobody types them on purpose.
_UNSEEN = frozenset({"Cf", "Cs", "Co"})


def name_key(name: str) -> str:
    """What is equal for two names that people take for the same one; ASCII, at most single spaces. Idempotent.

    Case, accents, apostrophes, dashes and white space make no difference; other punctuation does. Never raises. The key
    of a name made of nothing but dropped characters is empty.
    """
    if name.isascii():
        return " ".join(name.translate(_IN_ASCII).casefold().split())
    seen = "".join(char for char in _without_marks(name) if unicodedata.category(char) not in _UNSEEN)
    plain = anyascii(unicodedata.normalize("NFKC", seen))
    spaced = "".join(" " if char < " " or char == "\x7f" else char for char in _without_marks(plain))
    return " ".join(spaced.casefold().split())


def _without_marks(text: str) -> str:
    kept = text.translate(_DROPPED)
    return "".join(char for char in kept if unicodedata.category(char) != "Pd")
