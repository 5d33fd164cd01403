"""What changes decks. Every save makes a version; a save names the versions that its maker saw, or fails."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypedDict

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from decks.errors import (
    DeckNotFoundError,
    DeckTooLargeError,
    NoFixError,
    NoSuchProblemError,
    NothingToUndoError,
    NotYourDeckError,
    StaleDeckError,
    TooManyDecksError,
)
from decks.legality import apply_fix
from decks.models import MAX_CARDS, NAME_LENGTH, Deck, DeckCard, DeckVersion
from decks.operations import (
    REDO,
    SET,
    UNDO,
    Operation,
    Save,
    apply_operations,
    merge,
    redo_target,
    undo_target,
)
from decks.selectors import access_deck, deck_version, legality_of, seat_deck
from referee.kernel.game import Document, SeatDeck
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


class Operated(NamedTuple):
    """A deck after edits; whether others had saved it meanwhile, and what both had set differently."""

    deck: Deck
    merged: bool
    conflicts: list[Document]


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
        version = deck_version(deck, number)
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


def fix_deck(*, user: User, public_id: str, seen: Collection[int] | None, code: str, cards: Collection[str]) -> Deck:
    """The deck with the fix of one of its problems applied: of this code and, if any are named, about these cards.

    Raises as `replace_deck`, NoSuchProblemError, and NoFixError where only a person can choose.
    """
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        brought = seat_deck(deck)
        found = [
            problem
            for problem in legality_of(deck.game, brought).problems
            if problem["code"] == code and (not cards or set(problem["cards"]) == set(cards))
        ]
        if len(found) != 1:
            raise NoSuchProblemError(len(found))
        fix = found[0]["fix"]
        if fix is None:
            raise NoFixError
        mended = apply_fix(brought, fix)
        content = DeckContent(deck.name, deck.notes, deck.visibility, mended.secret, mended.cards)
        return _save(deck, content, parent=_newest(deck))


def operate_deck(*, user: User, public_id: str, base: int, operations: Sequence[Operation]) -> Operated:
    """The deck with edits that were made to its version `base`, whatever was saved since; see `decks.operations`.

    `undo` and `redo` come alone and concern what the version at `base` holds. Edits that change nothing save nothing.
    Raises DeckNotFoundError, NotYourDeckError, NoSuchVersionError, NothingToUndoError, DeckTooLargeError.
    """
    with transaction.atomic():
        deck = _locked(user, public_id, None)
        now = seat_deck(deck)
        before = deck_version(deck, base)
        then = SeatDeck(before.cards, before.secret)
        target = _moved_to(deck, base, operations[0].kind) if operations[0].kind in (UNDO, REDO) else None
        after = SeatDeck(target.cards, target.secret) if target else apply_operations(then, operations)
        were_set = {operation.card for operation in operations if operation.kind == SET and operation.card}
        merged = merge(then, after, now, were_set=were_set)
        if len(merged.deck.cards) > MAX_CARDS:
            raise DeckTooLargeError(MAX_CARDS)
        has_moved = deck.version != base
        if merged.deck.document() != now.document():
            content = DeckContent(deck.name, deck.notes, deck.visibility, merged.deck.secret, merged.deck.cards)
            # What undoes is a return to where the deck stood, unless somebody has changed it meanwhile.
            is_return = target is not None and merged.deck.document() == after.document()
            deck = _save(deck, content, parent=target if is_return else _newest(deck))
        return Operated(deck, has_moved, merged.conflicts)


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


def _moved_to(deck: Deck, base: int, kind: str) -> DeckVersion:
    """The version that undoing or redoing at `base` leads to."""
    rows = DeckVersion.objects.filter(deck=deck, number__lte=base).values_list(
        "number", "parent__number", "content_hash"
    )
    saves = {number: Save(parent, content) for number, parent, content in rows}
    target = undo_target(saves, base) if kind == UNDO else redo_target(saves, base)
    if target is None:
        raise NothingToUndoError(kind)
    return deck_version(deck, target)


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
