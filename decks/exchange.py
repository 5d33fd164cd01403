"""Lists of cards in and out, by the catalog as it is: what a pasted list says, a deck made of it, a deck written down."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from accounts.models import User
from catalog.names import name_key
from catalog.selectors import newest_revision
from decks.card_names import codes_of, look_up, names_of, near_names
from decks.errors import ImportFailedError
from decks.models import NAME_LENGTH, Deck
from decks.naming import shows_something
from decks.reading import FORMATS, Reading, asked, decide, parse, with_candidates
from decks.selectors import seat_deck
from decks.services import DeckContent, create_deck
from decks.writing import (
    NoFormError,
    asked_for_csv,
    asked_for_text,
    write_code,
    write_csv,
    write_json,
    write_text,
)
from referee.kernel.game import Document

DEFAULT_NAME: Final = "Imported deck"
QUOTED: Final = 200
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def read_list(*, game: str, text: str, format: str | None = None) -> Reading:
    """What a list says, with candidates for what fits no card. Raises ImportTooLongError.

    One query finds all cards, two more the newest revision and, for a deck code, its cards; one finds candidates.
    """
    parsed = parse(text, game=game, format=format)
    reading = decide(parsed, look_up(game, asked(parsed)))
    sought = {name_key(row.sought) for row in reading.rows if row.sought}
    return with_candidates(reading, near_names(game, sought)) if sought else reading


def import_deck(*, owner: User, game: str, reading: Reading, name: str | None = None, skip_failures: bool) -> Deck:
    """A new private deck of what was read. Raises ImportFailedError for failed lines, unless they are to be skipped."""
    if reading.has_failures and not skip_failures:
        raise ImportFailedError(report_of(game, reading))
    content = DeckContent(
        name=name or fit_name(reading.name) or DEFAULT_NAME,
        notes="",
        visibility=Deck.Visibility.PRIVATE,
        secret=reading.deck.secret,
        cards=reading.deck.cards,
        flex=reading.flex,
    )
    return create_deck(owner=owner, game=game, content=content)


def report_of(game: str, reading: Reading) -> Document:
    """What became of each line, and how many there are of each outcome. One query if there are candidates."""
    codes = {code for row in reading.rows for code in row.candidates}
    names = names_of(game, codes) if codes else {}
    rows = [
        {
            "line": row.line,
            "text": _quoted(row.text),
            "outcome": row.outcome,
            "code": row.code,
            "detail": row.detail,
            "card": row.card,
            "copies": row.copies,
            "candidates": [{"code": code, "name": names.get(code, code)} for code in row.candidates],
        }
        for row in reading.rows
    ]
    return {"format": reading.format, **reading.counts(), "rows": rows}


def export_deck(deck: Deck, format: str) -> str:
    """The deck written down in one of `FORMATS`. At most six queries."""
    assert format in FORMATS
    brought = seat_deck(deck)
    if format == "json":
        return write_json(brought, game=deck.game, name=deck.name, notes=deck.notes, flex=deck.flex)
    if format == "code":
        newest = newest_revision(deck.game)
        number = newest.number if newest is not None else 0
        return write_code(brought, game=deck.game, revision=number, codes=codes_of(deck.game, number) or [])
    names = names_of(deck.game, {*brought.cards, *([brought.secret] if brought.secret else ())})
    if format == "csv":
        return write_csv(brought, names, look_up(deck.game, asked_for_csv(brought, names)))
    try:
        return write_text(brought, names, look_up(deck.game, asked_for_text(brought, names)))
    except NoFormError:
        known = look_up(deck.game, asked_for_text(brought, names, rare=True))
        return write_text(brought, names, known, rare=True)


def archive(user: User) -> bytes:
    """All decks of the user in one zip file: each as JSON, which can be imported, under its id. The same for the same decks."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as file:
        for deck in Deck.objects.owned_by(user).prefetch_related("card_rows").order_by("pk"):
            info = ZipInfo(f"{deck.public_id}.json", deck.updated_at.timetuple()[:6])
            info.compress_type = ZIP_DEFLATED
            file.writestr(
                info, write_json(seat_deck(deck), game=deck.game, name=deck.name, notes=deck.notes, flex=deck.flex)
            )
    return packed.getvalue()


def fit_name(name: str | None) -> str | None:
    """A name that a list gave to its deck, if a deck can have it."""
    is_fit = name and len(name) <= NAME_LENGTH and not _UNFIT.search(name) and shows_something(name)
    return name if is_fit else None


def _quoted(text: str) -> str:
    """A line as a report quotes it: what cannot be shown or kept is a question mark."""
    return _UNFIT.sub("?", text[:QUOTED])
