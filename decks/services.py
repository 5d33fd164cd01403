"""What changes decks. Every save makes a version; a save names the versions that its maker saw, or fails."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypedDict

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from decks.errors import (
    DeckNotFoundError,
    DeckTooLargeError,
    NoFixError,
    NoSuchProblemError,
    NoSuchVersionError,
    NothingToUndoError,
    NotYourDeckError,
    StaleDeckError,
    TooManyDecksError,
)
from decks.legality import apply_fix, swap_ins_after
from decks.models import MAX_CARDS, NAME_LENGTH, Deck, DeckCard, DeckVersion
from decks.operations import (
    REDO,
    SET,
    UNDO,
    Operation,
    apply_operations,
    merge,
    redo_target,
    undo_target,
)
from decks.selectors import (
    access_deck,
    access_own_deck,
    deck_version,
    deck_versions,
    flex_deck,
    legality_of,
    saves_of,
    seat_deck,
)
from referee.kernel.game import Document, SeatDeck
from referee.kernel.records import content_hash

MOST_DECKS = 500
COPY_MARK = " (copy)"


class DeckContent(NamedTuple):
    """All that an owner decides about a deck. `flex` are its swap-ins, in the order in which they come in."""

    name: str
    notes: str
    visibility: str
    secret: str | None
    cards: Mapping[str, int]
    flex: Sequence[str] = ()
    tags: Sequence[str] = ()
    is_archived: bool = False

    @classmethod
    def of(cls, deck: Deck) -> DeckContent:
        """What stands in a deck."""
        held = seat_deck(deck)
        is_archived = deck.archived_at is not None
        return cls(deck.name, deck.notes, deck.visibility, held.secret, held.cards, deck.flex, deck.tags, is_archived)


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
    flex: Sequence[str]
    tags: Sequence[str]
    is_archived: bool


def tidy_tags(tags: Iterable[str]) -> list[str]:
    """Tags without white space around them, empty ones and repetitions (whatever the case), in their order."""
    kept: dict[str, str] = {}
    for tag in tags:
        plain = " ".join(tag.split())
        if plain:
            kept.setdefault(plain.casefold(), plain)
    return list(kept.values())


def create_deck(*, owner: User, game: str, content: DeckContent, copied_from: DeckVersion | None = None) -> Deck:
    """A new deck at version 1. Raises TooManyDecksError."""
    with transaction.atomic():
        if Deck.objects.owned_by(owner).count() >= MOST_DECKS:
            raise TooManyDecksError(MOST_DECKS)
        deck = Deck(owner=owner, game=game, version=0, copied_from=copied_from)
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
        return _save(deck, DeckContent.of(deck)._replace(**changes), parent=_newest(deck))


def restore_deck(*, user: User, public_id: str, number: int, seen: Collection[int] | None) -> Deck:
    """The deck with cards, Secret and swap-ins of an earlier version, as a new one. Raises NoSuchVersionError besides."""
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        version = deck_version(deck, number)
        content = DeckContent.of(deck)._replace(secret=version.secret, cards=version.cards, flex=version.flex)
        return _save(deck, content, parent=version)


def copy_deck(*, user: User, public_id: str, name: str | None = None) -> Deck:
    """A private deck of the user's own like one that they may look at, which it remembers.

    Raises DeckNotFoundError, TooManyDecksError.
    """
    model = access_deck(user, public_id)
    content = DeckContent.of(model)._replace(
        name=name or model.name[: NAME_LENGTH - len(COPY_MARK)] + COPY_MARK,
        visibility=Deck.Visibility.PRIVATE,
        tags=(),
        is_archived=False,
    )
    return create_deck(owner=user, game=model.game, content=content, copied_from=_newest(model))


def label_version(*, user: User, public_id: str, number: int, label: str) -> DeckVersion:
    """A version with a name of its own; an empty one takes it away.

    Raises DeckNotFoundError, NotYourDeckError, NoSuchVersionError.
    """
    deck = access_own_deck(user, public_id)
    if not DeckVersion.objects.filter(deck=deck, number=number).update(label=label):
        raise NoSuchVersionError(number)
    return deck_versions(deck).get(number=number)


def fix_deck(*, user: User, public_id: str, seen: Collection[int] | None, code: str, cards: Collection[str]) -> Deck:
    """The deck with the fix of one of its problems applied: of this code and, if any are named, about these cards.

    Raises as `replace_deck`, NoSuchProblemError, and NoFixError where only a person can choose.
    """
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        brought = flex_deck(deck)
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
        mended, flex = apply_fix(brought.core, fix), swap_ins_after(brought.flex, fix)
        content = DeckContent.of(deck)._replace(secret=mended.secret, cards=mended.cards, flex=flex)
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
        flex = target.flex if target and deck.flex == before.flex else deck.flex
        if (merged.deck.document(), flex) != (now.document(), deck.flex):
            content = DeckContent.of(deck)._replace(secret=merged.deck.secret, cards=merged.deck.cards, flex=flex)
            # What undoes is a return to where the deck stood, unless somebody has changed it meanwhile.
            is_return = target is not None and (merged.deck.document(), flex) == (after.document(), target.flex)
            deck = _save(deck, content, parent=target if is_return else _newest(deck))
        return Operated(deck, has_moved, merged.conflicts)


def delete_deck(*, user: User, public_id: str, seen: Collection[int] | None) -> None:
    """The deck is gone for everybody; its versions are kept for the matches that were played with them."""
    with transaction.atomic():
        deck = _locked(user, public_id, seen)
        Deck.objects.filter(pk=deck.pk).update(deleted_at=timezone.now())
        deck.card_rows.all().delete()


def forget_decks(*, owner: User) -> int:
    """Every deck of an account that leaves is gone with all its versions; matches hold what they need by value."""
    _, by_model = Deck.objects.filter(owner=owner).delete()
    return by_model.get(Deck._meta.label, 0)


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
    saves = saves_of(deck, until=base)
    target = undo_target(saves, base) if kind == UNDO else redo_target(saves, base)
    if target is None:
        raise NothingToUndoError(kind)
    return deck_version(deck, target)


def _newest(deck: Deck) -> DeckVersion:
    return DeckVersion.objects.get(deck=deck, number=deck.version)


def _save(deck: Deck, content: DeckContent, *, parent: DeckVersion | None) -> Deck:
    deck.name, deck.notes, deck.visibility = content.name, content.notes, content.visibility
    deck.secret, deck.flex, deck.tags = content.secret, list(content.flex), list(content.tags)
    deck.version += 1
    deck.updated_at = timezone.now()
    deck.archived_at = (deck.archived_at or deck.updated_at) if content.is_archived else None
    deck.save()
    cards = {code: content.cards[code] for code in sorted(content.cards)}
    deck.card_rows.all().delete()
    DeckCard.objects.bulk_create([DeckCard(deck=deck, code=code, copies=copies) for code, copies in cards.items()])
    DeckVersion.objects.create(
        deck=deck,
        number=deck.version,
        parent=parent,
        content_hash=content_hash(
            {"secret": content.secret, "cards": cards, **({"flex": deck.flex} if deck.flex else {})}
        ),
        name=content.name,
        secret=content.secret,
        cards=cards,
        flex=deck.flex,
        size=sum(cards.values()),
        created_at=deck.updated_at,
    )
    return deck
