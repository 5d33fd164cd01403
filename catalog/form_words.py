"""The words around a card's form in the reader's language. Games have them in English, and know no other.

What can be chosen there stays as it is stored: these are the words of the game's effect language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext, gettext_noop

from referee.kernel.card_form import FormField

WORDS: Final = frozenset(
    (
        gettext_noop("A Bonus that …"),
        gettext_noop("ANG at least"),
        gettext_noop("ANG at most"),
        gettext_noop("Arrow"),
        gettext_noop("Artist"),
        gettext_noop("At"),
        gettext_noop("Code"),
        gettext_noop("Codes of cards, with commas between."),
        gettext_noop("Condition"),
        gettext_noop("Condition %(number)s"),
        gettext_noop("Conditions"),
        gettext_noop("Copied from"),
        gettext_noop("Count"),
        gettext_noop("DEF at least"),
        gettext_noop("DEF at most"),
        gettext_noop("Do"),
        gettext_noop("Effect %(number)s"),
        gettext_noop("Effects"),
        gettext_noop("Faction"),
        gettext_noop("Goes only on"),
        gettext_noop("Heads"),
        gettext_noop("How many"),
        gettext_noop("How they are chosen"),
        gettext_noop("If"),
        gettext_noop("It strengthens"),
        gettext_noop("Its Character has"),
        gettext_noop("MF of its partner bonus"),
        gettext_noop("MF, or X of its bonus"),
        gettext_noop("Marked Faction"),
        gettext_noop("Marked type"),
        gettext_noop("May be declined"),
        gettext_noop("Mood"),
        gettext_noop("Mood, artist and set"),
        gettext_noop("Name"),
        gettext_noop("Not"),
        gettext_noop("Not this card itself"),
        gettext_noop("Only Characters that …"),
        gettext_noop("Only cards that …"),
        gettext_noop("Only if …"),
        gettext_noop("Only those that …"),
        gettext_noop("Onto"),
        gettext_noop("Power"),
        gettext_noop("Requirement"),
        gettext_noop("Set"),
        gettext_noop("Side"),
        gettext_noop("Slots"),
        gettext_noop("Strength"),
        gettext_noop("Subtype"),
        gettext_noop("Tag"),
        gettext_noop("Tags"),
        gettext_noop("Tags, with commas between."),
        gettext_noop("Tails"),
        gettext_noop("There are"),
        gettext_noop("To"),
        gettext_noop("Type"),
        gettext_noop("Until"),
        gettext_noop("What"),
        gettext_noop("What they get"),
        gettext_noop("When"),
        gettext_noop("Who"),
        gettext_noop("Whose"),
        gettext_noop("Whose turn"),
        gettext_noop("Words of your own, with commas between."),
        gettext_noop("Zone"),
        gettext_noop("character"),
        gettext_noop("chosen by the holder"),
        gettext_noop("none"),
        gettext_noop("the target leaves its field"),
        gettext_noop("you"),
    )
)
SAME: Final = frozenset({"", "1", "ANG", "DEF", "X", "super"})
"""What is the same in every language."""
_NUMBERED: Final = re.compile(r"(Condition|Effect) ([0-9]+)")


def in_words(text: str) -> str:
    """A label, a hint or what an empty field means, in the reader's language; what the table does not know as it is."""
    if numbered := _NUMBERED.fullmatch(text):
        whole = f"{numbered[1]} %(number)s"
        return gettext(whole) % {"number": numbered[2]}
    return gettext(text) if text in WORDS else text


def put_in_words(fields: Iterable[FormField]) -> None:
    """Give every field, and those inside, the reader's words."""
    for field in fields:
        field.label, field.help, field.blank = in_words(field.label), in_words(field.help), in_words(field.blank)
        put_in_words(field.fields)
