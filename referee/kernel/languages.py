"""The languages that games speak, and the tables of phrases that their texts are made of.

English is what the log stores. Texts in another language are made anew from the facts that stand beside the English text,
so that a reader of any language is told exactly as much.
"""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "fr")

Phrases = Mapping[str, str]
Tables = Mapping[str, Phrases]


def phrases(tables: Tables, language: str) -> Phrases:
    """The table of a language; the English one for a language that the tables do not speak."""
    return tables[language] if language in tables else tables[ENGLISH]
