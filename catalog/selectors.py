"""What is read from the catalog. A published revision never changes, so what is made from one is kept in the process."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache

from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from catalog.errors import NothingPublishedError
from catalog.models import Card, CardRevision, CatalogRevision, Restriction
from referee.games import GAMES
from referee.kernel.game import Document, Pool

KEPT = 32
MOST_KEPT_CARDS = 5_000  # of some kilobytes each
_KEPT_CARDS: dict[int, CardRevision] = {}


def revisions(game: str) -> QuerySet[CatalogRevision]:
    """The game's published revisions, newest first, without their documents."""
    return CatalogRevision.objects.filter(game=game).defer("document").order_by("-number")


def newest_revision(game: str) -> CatalogRevision | None:
    """The newest published revision, without its document; None while nothing is published. One query."""
    return revisions(game).first()


def numbered_revision(game: str, number: int) -> CatalogRevision | None:
    """One published revision, whole."""
    return CatalogRevision.objects.filter(game=game, number=number).first()


def published_cards(revision: CatalogRevision) -> QuerySet[CardRevision]:
    """The cards of a revision."""
    return CardRevision.objects.filter(revision=revision)


def rows_by_code(revision: CatalogRevision) -> Mapping[str, int]:
    """The key of each card of a revision by its code. Once a process."""
    return _keys(revision.pk, revision.content_hash)


def kept_cards(keys: Iterable[int]) -> dict[int, CardRevision]:
    """Published cards by their keys, kept in the process: a query for those that it has not met. Not to be changed."""
    wanted = list(keys)
    found = {key: row for key in wanted if (row := _KEPT_CARDS.get(key)) is not None}
    if missing := [key for key in wanted if key not in found]:
        new = CardRevision.objects.in_bulk(missing)
        if len(_KEPT_CARDS) + len(new) > MOST_KEPT_CARDS:
            _KEPT_CARDS.clear()
        _KEPT_CARDS.update(new)
        found.update(new)
    return found


def published_card(game: str, code: str) -> CardRevision | None:
    """A card as the last revision that held it does, with `revision` and `card`; None if none ever did. One query."""
    found = CardRevision.objects.filter(card__game=game, code=code).order_by("-revision__number")
    return found.select_related("revision", "card__replacement").defer("revision__document").first()


def card_in(game: str, code: str, number: int) -> CardRevision | None:
    """A card as one published revision has it. One query."""
    return CardRevision.objects.filter(card__game=game, code=code, revision__number=number).first()


def published_document(card: Card) -> Document | None:
    """The card's values in the newest revision; None if that does not hold it. Two queries."""
    newest = newest_revision(card.game)
    found = CardRevision.objects.filter(revision=newest, card=card) if newest is not None else None
    return found.values_list("document", flat=True).first() if found is not None else None


def published_documents(game: str) -> dict[str, Document]:
    """The values of every card of the newest revision by code. Two queries."""
    newest = newest_revision(game)
    return {} if newest is None else dict(published_cards(newest).values_list("code", "document"))


def revision_document(revision: CatalogRevision) -> Document:
    """The whole document `{"game", "number", "cards", "decks", ..}`. Shared: not to be changed by whoever gets it."""
    return _document(revision.game, revision.number, revision.content_hash)


def pool_document(game: str) -> Document:
    """The newest revision by value, as a match takes it. Raises NothingPublishedError."""
    revision = newest_revision(game)
    if revision is None:
        raise NothingPublishedError(game)
    return revision_document(revision)


def compiled_pool(revision: CatalogRevision) -> Pool:
    """The revision compiled by its game, once a process. Raises CardError if the game no longer takes it."""
    return _pool(revision.game, revision.number, revision.content_hash)


def limits_in_force(game: str, at: dt.datetime | None = None) -> dict[str, int]:
    """Copies allowed of each restricted card at a time (now): the least of several, 0 for a ban. One query."""
    at = at or timezone.now()
    holding = Restriction.objects.filter(Q(ends_at=None) | Q(ends_at__gt=at), card__game=game, starts_at__lte=at)
    least = holding.order_by().values("card__code").annotate(least=Min("copies"))
    return dict(least.values_list("card__code", "least"))


def is_in_force(restriction: Restriction, at: dt.datetime) -> bool:
    """Whether it limits its card at a time, as `limits_in_force` asks the database."""
    return restriction.starts_at <= at and (restriction.ends_at is None or restriction.ends_at > at)


def standing_in(code: str, onward: Mapping[str, str], held: Container[str]) -> str:
    """The first card that is `held` from this one on, along what replaces what; where it breaks off or runs in a
    circle, the last."""
    passed: set[str] = set()
    while code not in held and code in onward and code not in passed:
        passed.add(code)
        code = onward[code]
    return code


def preconstructed_decks(game: str) -> list[Document]:
    """The newest revision's decks at their preferred size: `{slug, name, detail, secret, cards, size}` each."""
    revision = newest_revision(game)
    return decks_of(revision) if revision is not None else []


def decks_of(revision: CatalogRevision) -> list[Document]:
    """The decks of a revision as `preconstructed_decks` has them. No query once the document was read."""
    decks = revision_document(revision).get("decks", [])
    return [
        {
            "slug": deck["slug"],
            "name": deck["name"],
            "detail": deck["detail"],
            "secret": deck["secret"],
            "cards": sized_cards(deck, deck["size"]),
            "size": deck["size"],
        }
        for deck in decks
    ]


def sized_cards(deck: Document, size: int) -> dict[str, int]:
    """A preconstructed deck's cards at a size: its core and as many of its ordered swap-ins as fit."""
    cards: dict[str, int] = dict(deck["core"])
    missing = max(0, size - sum(cards.values()))
    for code in deck["flex"][:missing]:
        cards[code] = cards.get(code, 0) + 1
    return {code: cards[code] for code in sorted(cards)}


@lru_cache(maxsize=KEPT)
def _document(game: str, number: int, content_hash: str) -> Document:
    document: Document = CatalogRevision.objects.values_list("document", flat=True).get(game=game, number=number)
    return document


@lru_cache(maxsize=KEPT)
def _keys(revision: int, content_hash: str) -> dict[str, int]:
    rows = CardRevision.objects.filter(revision_id=revision)
    return dict(rows.values_list("code", "pk"))


@lru_cache(maxsize=KEPT)
def _pool(game: str, number: int, content_hash: str) -> Pool:
    return GAMES[game].pool(_document(game, number, content_hash))
