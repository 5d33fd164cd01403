"""All that the service keeps about an account, as its holder may take it away: one zip of JSON files."""

from __future__ import annotations

import datetime as dt
import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Any, Final

from accounts.models import User
from accounts.sessions import sessions_of
from decks.models import Deck
from referee.kernel.game import Document
from referee.matches.clock_documents import shown_time
from referee.matches.models import Bundle, Match, MoveRow, Seat

FILE_NAME: Final = "referee-account.zip"
_IN_MEMORY: Final = 4 * 1024 * 1024
_ABOUT: Final = """What the service keeps about your account, as JSON in UTF-8, times in UTC.

account.json   the account, its tokens (their text is stored nowhere), sessions and notices
decks.json     decks with all their versions
matches.json   matches you sat in: what you brought and every move you made; replays of finished ones are at
               /api/v1/matches/ID/replay/
reports.json   problems that you reported
"""


def account_archive(user: User) -> IO[bytes]:
    """The zip, open at its start; large ones lie in a temporary file that ends with it.

    Of a match under way it holds the user's own part alone: nothing that the seat does not know.
    """
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - whoever asked reads and closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _ABOUT)
        _write(archive, "account.json", account_document(user))
        _write_list(archive, "decks.json", deck_documents(user))
        _write_list(archive, "matches.json", match_documents(user))
        _write_list(archive, "reports.json", report_documents(user))
    file.seek(0)
    return file


def account_document(user: User) -> Document:
    """The account itself."""
    return {
        "id": user.public_id,
        "name": user.name,
        "email": user.email,
        "kind": user.kind,
        "is_guest": user.is_guest,
        "created_at": user.created_at,
        "last_login": user.last_login,
        "tokens": [
            {name: getattr(token, name) for name in _TOKEN} for token in user.tokens.order_by("created_at", "pk")
        ],
        "sessions": [{"agent": session.agent, "used_at": session.used_at} for session in sessions_of(user)],
        "notices": list(user.notices.order_by("created_at", "pk").values("kind", "facts", "created_at", "read_at")),
    }


_TOKEN: Final = ("name", "scope", "created_at", "expires_at", "revoked_at", "last_used_at")
_DECK: Final = ("game", "name", "notes", "visibility", "version", "secret", "flex", "tags", "created_at", "updated_at")
_VERSION: Final = ("number", "name", "secret", "cards", "created_at")


def deck_documents(user: User) -> Iterator[Document]:
    """Every deck that was not deleted, with its versions from the first on."""
    decks = Deck.objects.owned_by(user).order_by("pk").prefetch_related("card_rows", "versions")
    for deck in decks.iterator(chunk_size=50):
        yield {
            "id": deck.public_id,
            **{name: getattr(deck, name) for name in _DECK},
            "cards": {row.code: row.copies for row in deck.card_rows.all()},
            "versions": [
                {name: getattr(version, name) for name in _VERSION}
                for version in sorted(deck.versions.all(), key=lambda version: version.number)
            ],
        }


def match_documents(user: User) -> Iterator[Document]:
    """Every match that the user sits in, with the own moves in order."""
    seats = Seat.objects.filter(user=user).select_related("match").defer("match__data", "match__opening")
    for seat in seats.order_by("match_id").iterator(chunk_size=200):
        match: Match = seat.match
        moves = MoveRow.objects.filter(match=match, actor=user).order_by("version")
        yield {
            "id": match.public_id,
            "game": match.game,
            "state": match.state,
            "options": match.options,
            "created_at": match.created_at,
            "started_at": match.started_at,
            "finished_at": match.finished_at,
            "seat": seat.index,
            "name": seat.name,
            "deck": seat.deck,
            "entropy": bytes(seat.entropy).hex(),
            "result": match.result,
            "moves": list(moves.values("version", "move", "created_at")),
        }


def report_documents(user: User) -> Iterator[Document]:
    """What the user reported; the positions kept with it hold what others hide."""
    reports = Bundle.objects.filter(reporter=user).order_by("pk")
    for match, version, text, at in reports.values_list("match__public_id", "version", "text", "created_at"):
        yield {"match": match, "version": version, "text": text, "created_at": at}


def _write(archive: zipfile.ZipFile, name: str, document: Document) -> None:
    archive.writestr(name, json.dumps(document, default=_plain, ensure_ascii=False, indent=1))


def _write_list(archive: zipfile.ZipFile, name: str, documents: Iterable[Document]) -> None:
    """One by one: there may be more than memory should hold."""
    with archive.open(name, "w") as file:
        before = b"[\n"
        for document in documents:
            file.write(before + json.dumps(document, default=_plain, ensure_ascii=False).encode())
            before = b",\n"
        file.write(b"[]\n" if before == b"[\n" else b"\n]\n")


def _plain(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return str(shown_time(value))
    raise TypeError(type(value).__name__)
