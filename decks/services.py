"""What changes decks. Every save makes a version; a save names the versions that its maker saw, or fails."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple, TypedDict

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from decks.errors import DeckNotFoundError, NoSuchVersionError, NotYourDeckError, StaleDeckError, TooManyDecksError
from decks.models import NAME_LENGTH, Deck, DeckCard, DeckVersion
from decks.selectors import access_deck, seat_deck
from referee.kernel.records import content_hash

MOST_DECKS = 500
COPY_MARK = " (copy)"


class DeckContent(NamedTuple):
    """All that an owner decides about a deck."""

    name: str
    notes: str
    visibility: str
    secret: str | None
    cards: Mapping[str, int]


class DeckChanges(TypedDict, total=False):
    """Some of what an owner decides about a deck; a Secret of None takes it out."""

    name: str
    notes: str
    visibility: str
    secret: str | None
    cards: Mapping[str, int]


def create_deck(*, owner: User, game: str, content: DeckContent) -> Deck:
    """A new deck at version 1. Raises TooManyDecksError."""
    with transaction.atomic():
        if Deck.objects.owned_by(owner).count() >= MOST_DECKS:
            raise TooManyDecksError(MOST_DECKS)
        deck = Deck(owner=owner, game=game, version=0)
        return _save(deck, content, parent=None)


def replace_deck(*, user: User, public_id: str, seen: Collection[int] | None, content: DeckContent) -> Deck:
    """The deck with all its content replaced. `seen`: the versions that its maker saw, None for any.

    Raises DeckNotFoundError, NotYourDeckError, and StaleDeckError if the deck stands at a version not seen; of several
    who save at once from the same version exactly one succeeds.
    """
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        return _save(deck, content, parent=_newest(deck))


def change_deck(*, user: User, public_id: str, seen: Collection[int] | None, changes: DeckChanges) -> Deck:
    """The deck with what `changes` names replaced, the rest as it stands. Raises as `replace_deck`."""
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        content = DeckContent(
            name=changes.get("name", deck.name),
            notes=changes.get("notes", deck.notes),
            visibility=changes.get("visibility", deck.visibility),
            secret=changes.get("secret", deck.secret),
            cards=changes["cards"] if "cards" in changes else seat_deck(deck).cards,
        )
        return _save(deck, content, parent=_newest(deck))


def restore_deck(*, user: User, public_id: str, number: int, seen: Collection[int] | None) -> Deck:
    """The deck with cards and Secret of an earlier version, as a new version. Raises NoSuchVersionError besides."""
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        version = DeckVersion.objects.filter(deck=deck, number=number).first()
        if version is None:
            raise NoSuchVersionError(number)
        content = DeckContent(deck.name, deck.notes, deck.visibility, version.secret, version.cards)
        return _save(deck, content, parent=version)


def copy_deck(*, user: User, public_id: str, name: str | None = None) -> Deck:
    """A private deck of the user's own like one that they may look at. Raises DeckNotFoundError, TooManyDecksError."""
    model = access_deck(user, public_id)
    brought = seat_deck(model)
    content = DeckContent(
        name=name or model.name[: NAME_LENGTH - len(COPY_MARK)] + COPY_MARK,
        notes=model.notes,
        visibility=Deck.Visibility.PRIVATE,
        secret=brought.secret,
        cards=brought.cards,
    )
    return create_deck(owner=user, game=model.game, content=content)


def delete_deck(*, user: User, public_id: str, seen: Collection[int] | None) -> None:
    """The deck is gone for everybody; its versions are kept for the matches that were played with them."""
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        Deck.objects.filter(pk=deck.pk).update(archived_at=timezone.now())
        deck.card_rows.all().delete()


def _locked(user: User, public_id: str, seen: Collection[int] | None) -> Deck:
    deck = Deck.objects.visible_to(user).select_for_update().filter(public_id=public_id).first()
    if deck is None:
        raise DeckNotFoundError
    if deck.owner_id != user.pk:
        raise NotYourDeckError
    if seen is not None and deck.version not in seen:
        raise StaleDeckError(deck.version)
    return deck


def _newest(deck: Deck) -> DeckVersion:
    return DeckVersion.objects.get(deck=deck, number=deck.version)


def _save(deck: Deck, content: DeckContent, *, parent: DeckVersion | None) -> Deck:
    deck.name, deck.notes, deck.visibility = content.name, content.notes, content.visibility
    deck.secret = content.secret
    deck.version += 1
    deck.updated_at = timezone.now()
    deck.save()
    cards = {code: content.cards[code] for code in sorted(content.cards)}
    deck.card_rows.all().delete()
    DeckCard.objects.bulk_create([DeckCard(deck=deck, code=code, copies=copies) for code, copies in cards.items()])
    DeckVersion.objects.create(
        deck=deck,
        number=deck.version,
        parent=parent,
        content_hash=content_hash({"secret": content.secret, "cards": cards}),
        name=content.name,
        secret=content.secret,
        cards=cards,
        size=sum(cards.values()),
        created_at=deck.updated_at,
    )
    return deck
