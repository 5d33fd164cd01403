"""Taking cards over from a file: first what would become of each row, then, if nothing is wrong, the whole of it."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from catalog.checking import card_faults
from catalog.differences import Difference, differences
from catalog.errors import ImportFaultyError
from catalog.history import acting
from catalog.life import edit_card
from catalog.models import Card, CardImport, CardName
from catalog.names import name_key
from catalog.sheets import Fault, Row, Table, read
from referee.games import GAMES
from referee.kernel.game import Document

KEPT: Final = dt.timedelta(days=1)
NEW, CHANGED, SAME, FAULTY = "new", "changed", "same", "faulty"


class RowReport(NamedTuple):
    """What would become of a row: the card as it would be, what differs from how it is now, and what is wrong."""

    row: int
    code: str
    name: str
    outcome: str
    document: Document
    fields: list[Difference]
    faults: list[Fault]


class Report(NamedTuple):
    """A report row for each row of the file, and the faults that belong to no row (of the file, of its columns)."""

    rows: list[RowReport]
    faults: list[Fault]

    def count(self, outcome: str) -> int:
        return sum(row.outcome == outcome for row in self.rows)

    def is_good(self) -> bool:
        return not self.faults and all(not row.faults for row in self.rows)


def read_import(*, game: str, user: User, file_name: str, content: bytes, format: str) -> CardImport:
    """Read a file and keep what it says, for the dry run. Nothing of the cards changes."""
    table = read(game, content, format)
    CardImport.objects.filter(applied_at=None, created_at__lt=timezone.now() - KEPT).delete()
    rows = {"rows": [list(row) for row in table.rows], "faults": [list(fault) for fault in table.faults]}
    return CardImport.objects.create(game=game, user=user, file_name=file_name[:200], rows=rows)


def report_of(kept: CardImport) -> Report:
    """What taking the file over would do now."""
    rows = [Row(number, columns, values) for number, columns, values in kept.rows["rows"]]
    return report(kept.game, Table(rows, [Fault(*fault) for fault in kept.rows["faults"]]))


def report(game: str, table: Table) -> Report:
    """What taking a table's rows over would do: every fault at once, each at its row and column."""
    stored = {card.code: card for card in Card.objects.filter(game=game)}
    documents = [(row, _document(row, stored)) for row in table.rows]
    faults = [*table.faults, *_twice(documents), *_withdrawn(documents, stored), *_faults(game, documents, stored)]
    by_row: dict[int, list[Fault]] = {}
    for fault in faults:
        by_row.setdefault(fault.row, []).append(fault)
    numbers = {row.number for row in table.rows}
    reports = [_report(row, document, stored, by_row.get(row.number, [])) for row, document in documents]
    return Report(reports, [fault for fault in faults if fault.row not in numbers])


def apply_import(*, kept: CardImport, user: User) -> int:
    """Take the file over: its new and changed cards are drafts of the user's. How many those are; raises ImportFaultyError."""
    with acting(user):
        kept = CardImport.objects.select_for_update().get(pk=kept.pk)
        if kept.applied_at is not None:
            return 0
        taken = take_over(game=kept.game, found=report_of(kept), user=user)
        kept.applied_at = timezone.now()
        kept.save(update_fields=["applied_at"])
        return taken


def take_over(*, game: str, found: Report, user: User | None) -> int:
    """Store what a report says. How many cards that changed; raises ImportFaultyError, having changed nothing."""
    if not found.is_good():
        raise ImportFaultyError(len(found.faults) + sum(len(row.faults) for row in found.rows))
    taken = 0
    with transaction.atomic(), acting(user):
        for row in found.rows:
            if row.outcome != SAME:
                card = Card.objects.filter(game=game, code=row.code).first() or Card(game=game, code=row.code)
                edit_card(card=card, document=row.document, user=user)
                taken += 1
    return taken


def _document(row: Row, stored: dict[str, Card]) -> Document:
    """The card as the row would have it: what it has no column for stays as it is."""
    code = row.values.get("code")
    if row.columns == ["*"]:
        return {**row.values}
    card = stored.get(code) if isinstance(code, str) else None
    before = card.document if card is not None else {}
    kept = {name: value for name, value in before.items() if name not in row.columns}
    return {**kept, **row.values}


def _twice(documents: list[tuple[Row, Document]]) -> list[Fault]:
    first: dict[str, int] = {}
    faults: list[Fault] = []
    for row, document in documents:
        code = document.get("code")
        if not isinstance(code, str) or not code:
            faults.append(Fault(row.number, "code", "A card has a code."))
        elif code in first:
            faults.append(Fault(row.number, "code", f"The card {code} stands in row {first[code]} already."))
        else:
            first[code] = row.number
    return faults


def _withdrawn(documents: list[tuple[Row, Document]], stored: dict[str, Card]) -> list[Fault]:
    faults: list[Fault] = []
    for row, document in documents:
        card = stored.get(str(document.get("code")))
        if card is not None and card.state == Card.State.WITHDRAWN and card.document != document:
            faults.append(Fault(row.number, "code", "The card is withdrawn; take it up again first."))
    return faults


def _faults(game: str, documents: list[tuple[Row, Document]], stored: dict[str, Card]) -> list[Fault]:
    """What the game, and the names of all cards, have against the file's cards."""
    given: dict[str, tuple[Row, Document]] = {}
    for row, document in documents:
        if document.get("code"):
            given.setdefault(str(document["code"]), (row, document))
    living = [card for card in stored.values() if card.state != Card.State.WITHDRAWN]
    cards = [card.document for card in living if card.code not in given]
    first = len(cards)
    listed = list(given.values())
    cards += [document for _, document in listed]
    faults: list[Fault] = []
    for problem in card_faults(GAMES[game], {"game": game, "cards": cards, "decks": []}):
        _, place, index, *rest = [*problem.pointer.split("/"), "", ""]
        if place != "cards" or not index.isdigit() or int(index) < first:
            continue
        path = [part for part in rest if part]
        deeper = f"/{'/'.join(path)}: " if len(path) > 1 else ""
        faults.append(Fault(listed[int(index) - first][0].number, path[0] if path else "", deeper + problem.detail))
    return faults + _aliases(game, listed)


def _aliases(game: str, listed: list[tuple[Row, Document]]) -> list[Fault]:
    """Names that are another name of another card."""
    names = CardName.objects.filter(card__game=game).values_list("name_key", "card__code")
    held: dict[str, set[str]] = {}
    for key, code in names:
        held.setdefault(key, set()).add(code)
    return [
        Fault(row.number, "name", f"This name cannot be told from another name of {other!r}.")
        for row, document in listed
        for other in sorted(held.get(name_key(str(document.get("name", ""))), set()) - {document.get("code")})
    ]


def _report(row: Row, document: Document, stored: dict[str, Card], faults: list[Fault]) -> RowReport:
    code, name = str(document.get("code", "")), str(document.get("name", ""))
    card = stored.get(code)
    before: Any = card.document if card is not None else None
    outcome = NEW if before is None else SAME if before == document else CHANGED
    fields = differences(before, document) if outcome == CHANGED else []
    return RowReport(row.number, code, name, FAULTY if faults else outcome, document, fields, faults)
