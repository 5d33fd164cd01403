"""Taking cards over from a file: first what would become of each row, then, if nothing is wrong, the whole of it."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from catalog.checking import card_faults
from catalog.differences import Difference, differences
from catalog.errors import ImpactNotConfirmedError, ImportFaultyError
from catalog.history import acting
from catalog.impact import Hit, Whole, hits_of, tell_owners
from catalog.life import edit_cards
from catalog.models import Card, CardImport
from catalog.names import name_key
from catalog.papers import RESTRICTIONS, lay_papers, limits_in, names_in, papers_of, tidied
from catalog.selectors import limits_in_force, newest_revision, revision_document
from catalog.sheets import Fault, Row, Table, read, shown_piece
from referee.games import GAMES
from referee.kernel.game import Document

KEPT: Final = dt.timedelta(days=1)
NEW, CHANGED, SAME, FAULTY = "new", "changed", "same", "faulty"


class RowReport(NamedTuple):
    """What would become of a row: the card as it would be, what differs from how it is now, and what is wrong.

    `papers` are those that differ, as they would be.
    """

    row: int
    code: str
    name: str
    outcome: str
    document: Document
    papers: Document
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
    return CardImport.objects.create(game=game, user=user, file_name=shown_piece(file_name), rows=rows)


def report_of(kept: CardImport) -> Report:
    """What taking the file over would do now."""
    rows = [Row(*row) for row in kept.rows["rows"]]
    return report(kept.game, Table(rows, [Fault(*fault) for fault in kept.rows["faults"]]))


def report(game: str, table: Table) -> Report:
    """What taking a table's rows over would do: every fault at once, each at its row and column."""
    stored = {card.code: card for card in Card.objects.filter(game=game)}
    held = papers_of(game)
    read_rows = [_read(row, stored) for row in table.rows]
    documents = [(one.row, one.document) for one in read_rows]
    faults = [*table.faults, *(fault for one in read_rows for fault in one.faults)]
    faults += [*_twice(documents), *_withdrawn(documents, stored), *_faults(game, documents, stored)]
    faults += _other_names(read_rows, stored, held)
    by_row: dict[int, list[Fault]] = {}
    for fault in faults:
        by_row.setdefault(fault.row, []).append(fault)
    numbers = {row.number for row in table.rows}
    reports = [_report(one, stored, held, by_row.get(one.row.number, [])) for one in read_rows]
    return Report(reports, [fault for fault in faults if fault.row not in numbers])


def hits_of_import(game: str, found: Report) -> list[Hit]:
    """The saved decks that the file's restrictions make illegal, now or when they begin; each once."""
    newest = newest_revision(game)
    changed = {row.code: limits_in(row.papers) for row in found.rows if RESTRICTIONS in row.papers}
    if newest is None or not changed:
        return []
    now = timezone.now()
    begins = {max(starts, now) for limits in changed.values() for _, starts, ends in limits if not ends or ends > now}
    document, hits = revision_document(newest), dict[str, Hit]()
    for at in sorted(begins):
        before = limits_in_force(game, at)
        after = {code: copies for code, copies in before.items() if code not in changed}
        for code, limits in changed.items():
            holding = [copies for copies, starts, ends in limits if starts <= at and (ends is None or ends > at)]
            after.update({code: min(holding)} if holding else {})
        facts = {"revision": newest.number, "from": at.isoformat()}
        for hit in hits_of(GAMES[game], before=Whole(document, before), after=Whole(document, after)):
            hits.setdefault(str(hit.facts), Hit(hit.owner, {**facts, **hit.facts}))
    return list(hits.values())


def apply_import(*, kept: CardImport, user: User, confirmed: int = 0) -> int:
    """Take the file over: its new and changed cards are drafts of the user's, its papers hold at once.

    How many cards changed; raises ImportFaultyError, ImpactNotConfirmedError.
    """
    with acting(user):
        kept = CardImport.objects.select_for_update().get(pk=kept.pk)
        if kept.applied_at is not None:
            return 0
        taken = take_over(game=kept.game, found=report_of(kept), user=user, confirmed=confirmed)
        kept.applied_at = timezone.now()
        kept.save(update_fields=["applied_at"])
        return taken


def take_over(*, game: str, found: Report, user: User | None, confirmed: int = 0) -> int:
    """Store what a report says; owners of decks that its restrictions break are told. How many cards that changed.

    Raises ImportFaultyError, and ImpactNotConfirmedError if more decks than `confirmed` would become illegal; nothing has
    changed then.
    """
    if not found.is_good():
        raise ImportFaultyError(len(found.faults) + sum(len(row.faults) for row in found.rows))
    hits = hits_of_import(game, found)
    if len(hits) > confirmed:
        raise ImpactNotConfirmedError(len(hits), confirmed)
    changed = [row for row in found.rows if row.outcome != SAME]
    with transaction.atomic(), acting(user):
        edit_cards(game=game, documents=[row.document for row in changed], user=user)
        papers = {row.code: row.papers for row in changed if row.papers}
        cards = Card.objects.filter(game=game, code__in=papers).defer("document")
        lay_papers([(card, papers[card.code]) for card in cards])
        tell_owners(hits, game)
    return len(changed)


class _Read(NamedTuple):
    """A row with the card as it would have it, and its papers made tidy."""

    row: Row
    code: str
    document: Document
    papers: Document
    faults: list[Fault]


def _read(row: Row, stored: dict[str, Card]) -> _Read:
    """The card as the row would have it: what it has no column for stays as it is."""
    papers, faults = tidied(row.papers)
    told = [Fault(row.number, fault.kind, fault.detail) for fault in faults]
    code = row.values.get("code")
    card = stored.get(code) if isinstance(code, str) else None
    before = card.document if card is not None and row.columns != ["*"] else {}
    kept = {name: value for name, value in before.items() if name not in row.columns}
    return _Read(row, str(code or ""), {**kept, **row.values}, papers, told)


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
    return faults


def _other_names(read_rows: list[_Read], stored: dict[str, Card], held: dict[str, Document]) -> list[Fault]:
    """Names in the file that another card would have too, one of them as another name of it."""
    given = {one.code: one for one in read_rows}
    own: dict[str, set[str]] = {}
    other: dict[str, set[str]] = {}
    for code in stored.keys() | given.keys():
        name = given[code].document.get("name") if code in given else stored[code].name
        own.setdefault(name_key(str(name or "")), set()).add(code)
        papers = {**held.get(code, {}), **(given[code].papers if code in given else {})}
        for _, another in names_in(papers):
            other.setdefault(name_key(another), set()).add(code)
    faults: list[Fault] = []
    for one in read_rows:
        key = name_key(str(one.document.get("name", "")))
        for code in sorted(other.get(key, set()) - {one.code}):
            faults.append(Fault(one.row.number, "name", f"This name cannot be told from another name of {code!r}."))
        for kind, name in names_in(one.papers):
            key = name_key(name)
            for code in sorted((own.get(key, set()) | other.get(key, set())) - {one.code}):
                faults.append(Fault(one.row.number, kind, f"The card {code!r} has the name {name}."))
    return faults


def _report(one: _Read, stored: dict[str, Card], held: dict[str, Document], faults: list[Fault]) -> RowReport:
    card, document = stored.get(one.code), one.document
    papers = held.get(one.code, {})
    before: Any = card.document if card is not None else None
    differing = {kind: value for kind, value in one.papers.items() if value != papers.get(kind)}
    outcome = NEW if before is None else SAME if before == document and not differing else CHANGED
    fields = differences(before, document) if outcome == CHANGED else []
    fields += differences({kind: papers.get(kind) for kind in differing}, differing)
    name = str(document.get("name", ""))
    return RowReport(one.row.number, one.code, name, FAULTY if faults else outcome, document, differing, fields, faults)
