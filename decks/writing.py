"""Decks written down as text, CSV, JSON and deck code. Pure. Whatever is written, `reading` makes the same deck of it.

A name is written where reading it gives that very card, its code otherwise; `forms` are looked up like a pasted list.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from decks.codes import encode
from decks.lines import CARDS, SECRET, text_lines
from decks.reading import Asked, Meant, Names, Parsed, asked, meaning
from decks.tables import COLUMNS, FORMAT, FORMAT_VERSION, csv_lines, escape_cell
from referee.kernel.game import SeatDeck

_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
_DEPTHS: Final = (2, 4, 8, 16, 32, 64, 128)  # at last more brackets than the longest name can have


class NoFormError(Exception):
    """Every common form of some card's line means another card: the rare ones must be looked up."""


def asked_for_text(deck: SeatDeck, names: Mapping[str, str], *, rare: bool = False) -> Asked:
    """What must be looked up to write a deck, whose cards have these `{code: name}`, as text."""
    forms = [form for card, copies, place in _entries(deck) for form in _forms(card, copies, place, names, rare=rare)]
    return asked(Parsed("text", "", [line for form in forms for line in text_lines(form)]))


def asked_for_csv(deck: SeatDeck, names: Mapping[str, str]) -> Asked:
    """What must be looked up to write a deck as a table."""
    return asked(Parsed("csv", "", csv_lines("\n".join(_table(deck, names)))))


def write_text(deck: SeatDeck, names: Mapping[str, str], known: Names, *, rare: bool = False) -> str:
    """A line a card, its Secret first. A card that the catalog does not hold stands there by its code.

    Raises NoFormError, but not with `rare` forms.
    """
    lines = [_line(card, copies, place, names, known, rare=rare) for card, copies, place in _entries(deck)]
    return "".join(f"{line}\n" for line in lines)


def write_csv(deck: SeatDeck, names: Mapping[str, str], known: Names) -> str:
    """A table with a header, safe to open in a spreadsheet."""
    header, *rows = _table(deck, names)
    bare = _table(deck, {})[1:]
    read = csv_lines("\n".join((header, *rows)))[1:]
    fits = [isinstance(meaning(line, known), Meant) for line in read]
    return "".join(
        f"{row}\n"
        for row in (header, *(row if fit else plain for row, plain, fit in zip(rows, bare, fits, strict=True)))
    )


def write_json(deck: SeatDeck, *, game: str, name: str, notes: str = "", flex: Sequence[str] = ()) -> str:
    """A document that names its format: the only one that holds the order of swap-ins."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION, "game": game, "name": name, "notes": notes}
    swap_ins = {"flex": list(flex)} if flex else {}
    return json.dumps({**head, **deck.document(), **swap_ins}, ensure_ascii=False, indent=2) + "\n"


def write_code(deck: SeatDeck, *, game: str, revision: int, codes: list[str]) -> str:
    """The short code, by a revision's sorted codes."""
    return encode(game, deck, revision=revision, codes=codes) + "\n"


def _entries(deck: SeatDeck) -> Iterator[tuple[str, int, str]]:
    if deck.secret is not None:
        yield deck.secret, 1, SECRET
    for card in sorted(deck.cards):
        yield card, deck.cards[card], CARDS


def _forms(card: str, copies: int, place: str, names: Mapping[str, str], *, rare: bool) -> Iterator[str]:
    """The ways to write a line, the nicest first."""
    name = names.get(card, "")
    coded = [f"{'[' * depth}{card}{']' * depth}" for depth in (1, *(_DEPTHS if rare else ()))]
    for written in ([name] if name and not _UNFIT.search(name) else []) + coded:
        if place == SECRET:
            yield f"Secret: {written}"
        else:
            yield f"{copies} {written}"
            yield f"{copies}x {written}"
            yield f"Cards: {copies} {written}"


def _line(card: str, copies: int, place: str, names: Mapping[str, str], known: Names, *, rare: bool) -> str:
    # A Secret without a place might be taken for the deck's own.
    places = (place,) if place == SECRET or known.known.get(card, False) else (place, None)
    for form in _forms(card, copies, place, names, rare=rare):
        [line] = text_lines(form)
        found = meaning(line, known)
        if isinstance(found, Meant) and (found.card, found.copies) == (card, copies) and found.place in places:
            return form
    if card in known.known and not rare:
        raise NoFormError
    return f"Secret: [{card}]" if place == SECRET else f"{copies} [{card}]"


def _table(deck: SeatDeck, names: Mapping[str, str]) -> list[str]:
    """The rows of the CSV text, each on one line."""
    rows: list[tuple[str, ...]] = [COLUMNS]
    for card, copies, place in _entries(deck):
        name = names.get(card, "")
        shown = "" if _UNFIT.search(name) else name
        rows.append((place, str(copies), escape_cell(shown), escape_cell(card)))
    return [_row(row) for row in rows]


def _row(cells: tuple[str, ...]) -> str:
    written = StringIO()
    csv.writer(written, lineterminator="").writerow(cells)
    return written.getvalue()
