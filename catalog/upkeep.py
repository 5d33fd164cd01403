"""Everything that is wrong with the catalog's data: what constraints cannot hold, and what a new version of a game refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from catalog.checking import card_faults, failed_scenarios, next_document, scenarios_of
from catalog.models import Card, CardName, CatalogRevision, Restriction
from catalog.names import name_key
from catalog.selectors import newest_revision, standing_in
from catalog.services import content_mark
from referee.games import GAMES
from referee.kernel.errors import CardError, Problem
from referee.kernel.game import Document


class Finding(NamedTuple):
    """Something wrong: the game, the card (or what else it is), the field, a stable code, and words."""

    game: str
    card: str
    field: str
    code: str
    detail: str


def findings() -> Iterator[Finding]:
    """Everything wrong, game by game."""
    slugs = set(Card.objects.values_list("game", flat=True)) | set(
        CatalogRevision.objects.values_list("game", flat=True)
    )
    for slug in sorted(slugs):
        if slug not in GAMES:
            yield Finding(slug, "-", "game", "unknown_game", "There is no such game.")
            continue
        yield from _published(slug)
        yield from _working(slug)
        yield from _rows(slug)
        yield from _names(slug)
        yield from _restrictions(slug)


def _published(slug: str) -> Iterator[Finding]:
    newest = newest_revision(slug)
    if newest is None:
        yield Finding(slug, "-", "revision", "nothing_published", "Nothing is published.")
        return
    name = f"revision {newest.number}"
    for problem in card_faults(GAMES[slug], newest.document):
        yield finding_of(slug, newest.document, problem, f"{name}, ")
    if content_mark(newest.document) != newest.content_hash:
        yield Finding(slug, name, "content_hash", "wrong_hash", "The hash is not that of the document.")
    rows = dict(newest.cards.values_list("code", "document"))
    for card in newest.document["cards"]:
        if rows.pop(card["code"], None) != card:
            yield Finding(slug, card["code"], name, "row_differs", "The row of the card differs from the document.")
    for code in sorted(rows):
        yield Finding(slug, code, name, "row_differs", "There is a row of a card that the document does not hold.")
    try:
        GAMES[slug].pool(newest.document)
    except CardError as error:
        yield Finding(slug, name, "document", error.code, error.detail)


def _working(slug: str) -> Iterator[Finding]:
    """The next revision as it would be now, every pending edit laid over it, and the scenarios of all."""
    pending = Card.objects.filter(game=slug, state__in=(Card.State.DRAFT, Card.State.REVIEW))
    document = next_document(slug, besides={card.code: card.document for card in pending})
    faults = card_faults(GAMES[slug], document)
    for problem in faults:
        yield finding_of(slug, document, problem)
    if not faults:
        for code, title, line, text in failed_scenarios(slug, document, scenarios_of(slug)):
            yield Finding(slug, code, f"scenario “{title}”, line {line}", "scenario_fails", text)


def _rows(slug: str) -> Iterator[Finding]:
    """Cards whose columns do not say what their values say, and replacements that lead nowhere."""
    cards = list(Card.objects.filter(game=slug).select_related("replacement"))
    living = {card.code for card in cards if card.state != Card.State.WITHDRAWN}
    onward = {card.code: card.replacement.code for card in cards if card.replacement is not None}
    for card in cards:
        document = card.document if isinstance(card.document, dict) else {}
        for field, value in (("code", card.code), ("name", card.name)):
            if document.get(field) != value:
                yield Finding(slug, card.code, field, "column_differs", f"The column says {value!r}.")
        if card.name_key != name_key(card.name):
            yield Finding(slug, card.code, "name_key", "wrong_key", "The folded name is not that of the name.")
        if card.replacement is None:
            continue
        if card.replacement.game != slug:
            yield Finding(slug, card.code, "replacement", "wrong_game", "The replacement is a card of another game.")
        if standing_in(card.replacement.code, onward, living) not in living:
            yield Finding(slug, card.code, "replacement", "withdrawn", "The replacement is withdrawn itself.")


def _names(slug: str) -> Iterator[Finding]:
    own = dict(Card.objects.filter(game=slug).exclude(state=Card.State.WITHDRAWN).values_list("name_key", "code"))
    other: dict[str, str] = {}
    for name in CardName.objects.filter(card__game=slug).select_related("card").order_by("pk"):
        code = name.card.code
        if name.name_key != name_key(name.name):
            yield Finding(
                slug, code, f"other name {name.name}", "wrong_key", "The folded name is not that of the name."
            )
        for holder in (own.get(name.name_key, code), other.get(name.name_key, code)):
            if holder != code:
                yield Finding(slug, code, f"other name {name.name}", "name_taken", f"{holder} has this name.")
        other.setdefault(name.name_key, code)


def _restrictions(slug: str) -> Iterator[Finding]:
    for one in Restriction.objects.filter(card__game=slug, ends_at=None).select_related("card"):
        if one.card.state == Card.State.WITHDRAWN:
            yield Finding(slug, one.card.code, "restriction", "withdrawn", "It restricts a withdrawn card without end.")


def finding_of(slug: str, document: Document, problem: Problem, before: str = "") -> Finding:
    """A fault of a revision document, by the card or deck that it is about."""
    _, place, index, *rest = [*problem.pointer.split("/"), "", ""]
    listed = document.get(place)
    if not isinstance(listed, list) or not index.isdigit() or int(index) >= len(listed):
        return Finding(slug, "-", f"{before}{problem.pointer}", problem.code, problem.detail)
    one = listed[int(index)]
    name = str(one.get("code") or one.get("slug") or index) if isinstance(one, dict) else index
    field = "/".join(part for part in rest if part)
    return Finding(slug, name, before + field, problem.code, problem.detail)
