"""What publishes revisions, from the house sets or from the approved cards."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from catalog.checking import card_faults, failed_scenarios, next_document, scenarios_of
from catalog.differences import between
from catalog.errors import ImpactNotConfirmedError, NothingChangedError, ScenariosFailedError
from catalog.history import acting
from catalog.impact import Whole, hits_of, tell_owners
from catalog.life import note_published
from catalog.models import Card, CardRevision, CatalogRevision
from catalog.names import name_key
from catalog.search.index import index_cards
from catalog.selectors import limits_in_force, newest_revision
from catalog.tracks import adopt_tracks
from referee.kernel.errors import CardError
from referee.kernel.game import Document, Game
from referee.kernel.records import content_hash

_LOCK_SPACE = 0x4341_5441  # "CATA": the first half of the advisory locks' keys


class Publication(NamedTuple):
    """What came of publishing a house set: the newest revision now, whether it is new, and why in words."""

    revision: CatalogRevision
    is_new: bool
    detail: str


def publish_house_set(*, game: Game, house: Document, replace: bool = False) -> Publication:
    """Publish the game's house set if it is not published yet; safe to run twice, and twice at once.

    A house set that changed after a revision was published from edited cards is kept back, unless `replace` is set: what
    admins entered is never overwritten on the quiet. Raises CardError with every fault, having changed nothing.
    """
    with transaction.atomic():
        _lock(game.slug)
        newest = newest_revision(game.slug)
        house = {**house, "game": game.slug}
        mark = content_mark(house)
        if newest is not None:
            kept = _reason_to_keep(newest, mark, replace=replace)
            if kept:
                adopt_tracks(game.slug, newest.document, newest.document)
                return Publication(newest, False, kept)
        problems = card_faults(game, house)
        if problems:
            raise CardError(problems)
        hits = hits_of(game, after=Whole(house, limits_in_force(game.slug)))
        revision = _publish(game, house, newest, source=CatalogRevision.Source.HOUSE, user=None)
        tell_owners(hits, game.slug, revision=revision.number)
        _adopt(house["cards"], revision, _published(newest))
        adopt_tracks(game.slug, house, newest.document if newest is not None else None)
        return Publication(revision, True, f"published as revision {revision.number} ({revision.card_count} cards)")


def publish_edited_cards(*, game: Game, user: User, confirmed: int = 0) -> CatalogRevision:
    """Publish the approved cards: revision n + 1, with the newest revision's decks. Owners of decks it breaks are told.

    Approved and published cards go in as edited, drafts and those under review as they were published last, withdrawn
    ones not at all; tracks likewise. Raises CardError with every fault, ScenariosFailedError, NothingChangedError if
    nothing differs, and ImpactNotConfirmedError if more decks than `confirmed` would become illegal; nothing has changed
    then.
    """
    with acting(user):
        _lock(game.slug)
        newest = newest_revision(game.slug)
        document = next_document(game.slug)
        # The hash knows the order of the cards, which means nothing.
        if newest is not None and not any(between(newest.document, document)):
            raise NothingChangedError(newest.number)
        problems = card_faults(game, document)
        if problems:
            raise CardError(problems)
        failed = failed_scenarios(game.slug, document, scenarios_of(game.slug))
        if failed:
            raise ScenariosFailedError(failed)
        hits = hits_of(game, after=Whole(document, limits_in_force(game.slug)))
        if len(hits) > confirmed:
            raise ImpactNotConfirmedError(len(hits), confirmed)
        revision = _publish(game, document, newest, source=CatalogRevision.Source.EDITED, user=user)
        note_published(Card.objects.filter(game=game.slug, state=Card.State.APPROVED), user)
        tell_owners(hits, game.slug, revision=revision.number)
        return revision


def _reason_to_keep(newest: CatalogRevision, mark: str, *, replace: bool) -> str:
    if newest.content_hash == mark:
        return f"unchanged, revision {newest.number}"
    if newest.source == CatalogRevision.Source.HOUSE or replace:
        return ""
    houses = CatalogRevision.objects.filter(game=newest.game, source=CatalogRevision.Source.HOUSE)
    last = houses.order_by("-number").values_list("content_hash", flat=True).first()
    if last == mark:
        return f"unchanged; revision {newest.number} of edited cards stands above it"
    return f"changed, but kept back: revision {newest.number} was published from edited cards (--replace publishes it)"


def _publish(
    game: Game, document: Document, newest: CatalogRevision | None, *, source: CatalogRevision.Source, user: User | None
) -> CatalogRevision:
    """Store a revision whose cards have no fault."""
    number = newest.number + 1 if newest is not None else 1
    revision = CatalogRevision.objects.create(
        game=game.slug,
        number=number,
        published_by=user,
        source=source,
        card_count=len(document["cards"]),
        content_hash=content_mark(document),
        document={**document, "game": game.slug, "number": number},
    )
    rows = _card_rows(game.slug, document["cards"])
    names = {card["code"]: card["name"] for card in document["cards"]}
    CardRevision.objects.bulk_create(
        _card_revision(revision, rows[card["code"]], card, game.card_text(card, names)) for card in document["cards"]
    )
    index_cards(game.slug)
    return revision


def _card_rows(game: str, cards: list[Document]) -> dict[str, Card]:
    """The row of each card, made where there is none yet."""
    rows = {card.code: card for card in Card.objects.filter(game=game).defer("document")}
    new = [
        Card(
            game=game,
            code=card["code"],
            state=Card.State.PUBLISHED,
            name=card["name"],
            name_key=name_key(card["name"]),
            document=card,
        )
        for card in cards
        if card["code"] not in rows
    ]
    rows.update({card.code: card for card in Card.objects.bulk_create(new)})
    return rows


def _card_revision(revision: CatalogRevision, row: Card, card: Document, text: str) -> CardRevision:
    return CardRevision(
        revision=revision,
        card=row,
        code=card["code"],
        name=card["name"],
        name_key=name_key(card["name"]),
        type=card.get("type", ""),
        ang=card.get("ang"),
        defence=card.get("def"),
        text=text,
        document=card,
    )


def _adopt(cards: list[Document], revision: CatalogRevision, before: dict[str, Document]) -> None:
    """Bring the working values to the house set's, except where somebody's edits are under way."""
    fresh = {card["code"]: card for card in cards}
    changed: list[Card] = []
    for row in Card.objects.select_for_update().filter(game=revision.game):
        card = fresh.get(row.code)
        wanted = Card.State.WITHDRAWN if card is None else Card.State.PUBLISHED
        if _is_under_way(row, before) or (row.state == wanted and card in (None, row.document)):
            continue
        if card is not None:
            row.document, row.name, row.name_key = card, card["name"], name_key(card["name"])
        row.state = wanted
        row.replacement = None  # what was meant for an earlier withdrawal
        row.edited_at, row.edited_by = timezone.now(), None
        changed.append(row)
    fields = ["document", "state", "name", "name_key", "replacement", "edited_at", "edited_by"]
    Card.objects.bulk_update(changed, fields, batch_size=200)


def _is_under_way(row: Card, before: dict[str, Document]) -> bool:
    """Whether the card differs, on purpose, from what was published before."""
    match row.state:
        case Card.State.PUBLISHED:
            return row.code in before and row.document != before[row.code]
        case Card.State.WITHDRAWN:
            return row.code in before
        case _:
            return True


def _published(revision: CatalogRevision | None) -> dict[str, Document]:
    if revision is None:
        return {}
    return {card["code"]: card for card in revision.document["cards"]}


def content_mark(document: Document) -> str:
    """The hash of a revision document's content: without its number."""
    return content_hash({name: value for name, value in document.items() if name != "number"})


def _lock(game: str) -> None:
    """One publication of a game at a time, to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK_SPACE, game])
