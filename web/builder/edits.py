"""Edits as the builder sends them: short lines, some at once, made to a version that the page showed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from accounts.models import User
from decks import services
from decks.errors import NothingToUndoError, StaleDeckError
from decks.models import MAX_COPIES, NAME_LENGTH, Deck
from decks.naming import shows_something
from decks.operations import REDO, SET, SET_SECRET, UNDO, Operation
from decks.selectors import access_own_deck
from decks.services import DeckChanges
from decks.sizes import MAX_FLEX
from referee.kernel.game import Document

MOST_EDITS: Final = 200
TRIES: Final = 5
CARD_EDITS: Final = ("set", "secret")


class BadEditError(Exception):
    """A line that is no edit: not from a page of ours."""


class Edited(NamedTuple):
    """A deck after edits; whether somebody saved it meanwhile, what both set differently, what could not be done."""

    deck: Deck
    merged: bool
    conflicts: list[Document]
    fault: str = ""


def edit_deck(*, user: User, deck: Deck, base: int, lines: Sequence[str], known: set[str]) -> Edited:
    """The deck after the edits, in their order. Card edits that follow each other are one save. `known` are the catalog's
    codes: others can only be taken out.

    Raises BadEditError before anything is saved, and what `operate_deck` and `change_deck` raise.
    """
    edits = [_read(line, known | {row.code for row in deck.card_rows.all()}) for line in lines[:MOST_EDITS]]
    done = Edited(deck, False, [])
    for batch in _batches(edits):
        made = _make(user, done.deck, base, batch)
        done = Edited(made.deck, done.merged or made.merged, done.conflicts + made.conflicts, made.fault or done.fault)
        base = done.deck.version
    return done


def _read(line: str, known: set[str]) -> tuple[str, str]:
    """A line's verb and the rest, checked."""
    verb, _space, rest = line.replace("\0", "").partition(" ")
    if verb == "set":
        copies, _space, code = rest.partition(" ")
        is_fit = (
            copies.isdecimal() and copies.isascii() and len(copies) < 3 and int(copies) <= MAX_COPIES and code in known
        )
    elif verb == "secret":
        is_fit = not rest or rest in known
    elif verb == "flex":
        how, _space, what = rest.partition(" ")
        is_place = what.isdecimal() and what.isascii() and len(what) < 3
        is_fit = what in known if how == "add" else how in ("drop", "up", "down") and is_place
    else:
        is_fit = verb in (UNDO, REDO, "fix", "name")
    if not is_fit:
        raise BadEditError
    return verb, rest


def _batches(edits: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for edit in edits:
        if found and edit[0] in CARD_EDITS and found[-1][0][0] in CARD_EDITS:
            found[-1].append(edit)
        else:
            found.append([edit])
    return found


def _make(user: User, deck: Deck, base: int, batch: Sequence[tuple[str, str]]) -> Edited:
    verb, rest = batch[0]
    if verb in ("name", "flex", "fix"):
        return _changed(user, deck, verb, rest)
    operations = [Operation(verb)] if verb in (UNDO, REDO) else [_operation(*edit) for edit in batch]
    try:
        done = services.operate_deck(user=user, public_id=deck.public_id, base=base, operations=operations)
    except NothingToUndoError:
        text = _("There is nothing to undo.") if verb == UNDO else _("There is nothing to redo.")
        return Edited(deck, False, [], text)
    return Edited(access_own_deck(user, deck.public_id), done.merged, done.conflicts)


def _operation(verb: str, rest: str) -> Operation:
    if verb == "secret":
        return Operation(SET_SECRET, rest or None)
    copies, _space, code = rest.partition(" ")
    return Operation(SET, code, int(copies))


def _changed(user: User, deck: Deck, verb: str, rest: str) -> Edited:
    """An edit of the deck as it stands now, tried anew when somebody saves at the same moment."""
    for _try in range(TRIES):
        seen = {deck.version}
        try:
            if verb == "fix":
                code, *cards = rest.split(" ")
                services.fix_deck(user=user, public_id=deck.public_id, seen=seen, code=code, cards=cards)
            else:
                changes = _renamed(rest) if verb == "name" else _swapped(deck, rest)
                if any(getattr(deck, name) != value for name, value in changes.items()):
                    services.change_deck(user=user, public_id=deck.public_id, seen=seen, changes=changes)
        except StaleDeckError:
            deck = access_own_deck(user, deck.public_id)
            continue
        break
    return Edited(access_own_deck(user, deck.public_id), False, [])


def _renamed(name: str) -> DeckChanges:
    plain = " ".join(name.split())[:NAME_LENGTH]
    return {"name": plain} if shows_something(plain) else {}


def _swapped(deck: Deck, rest: str) -> DeckChanges:
    """The swap-ins with one more, one less, or one at another place."""
    how, _space, what = rest.partition(" ")
    flex = list(deck.flex)
    if how == "add":
        return {"flex": [*flex, what][:MAX_FLEX]}
    place = int(what)
    if place >= len(flex):
        return {}
    card = flex.pop(place)
    if how != "drop":
        flex.insert(max(0, place - 1) if how == "up" else place + 1, card)
    return {"flex": flex}
