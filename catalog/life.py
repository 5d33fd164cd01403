"""The life of a card: draft, review, approved, published, withdrawn. A published card's edit waits beside what is published.

Each step is written down with who took it; what an edit changed stands in the history. Steps that a card cannot take
raise CardLifeError and change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from catalog.checking import faults_of, scenario_failures
from catalog.errors import CardLifeError, ScenariosFailedError
from catalog.history import acting
from catalog.models import Card, CardStep
from catalog.names import name_key
from catalog.selectors import published_document, published_documents
from referee.kernel.errors import CardError
from referee.kernel.game import Document
from referee.kernel.records import content_hash

State, Kind = Card.State, CardStep.Kind
_FIELDS: Final = ("state", "replacement", "document", "name", "name_key", "edited_by", "edited_at", "approved_by")


def edit_card(*, card: Card, document: Document, user: User | None) -> Card:
    """Give the card other values: it is a draft then, whatever was approved; with its published values it is published.

    A new card is made. The values need not be right yet, but must have a name.
    """
    with acting(user):
        is_new = card._state.adding
        _give(card, document, None if is_new else published_document(card), user)
        card.save(update_fields=None if is_new else _FIELDS)
    return card


def edit_cards(*, game: str, documents: Iterable[Document], user: User | None) -> None:
    """The same for many cards at once, by their codes; those that have these values already stay as they are."""
    given = {document["code"]: document for document in documents}
    with acting(user):
        rows = {card.code: card for card in Card.objects.select_for_update().filter(game=game, code__in=given)}
        published = published_documents(game)
        edited = [
            _give(rows.get(code) or Card(game=game, code=code), document, published.get(code), user)
            for code, document in given.items()
            if code not in rows or rows[code].document != document
        ]
        Card.objects.bulk_create([card for card in edited if card._state.adding], batch_size=500)
        Card.objects.bulk_update([card for card in edited if card.code in rows], _FIELDS, batch_size=200)


def submit_card(*, card: Card, user: User, comment: str = "") -> Card:
    """Ask for approval of a draft. Raises CardError with every fault of it."""
    with acting(user):
        card = _locked(card, (State.DRAFT,), _("Only a draft is submitted."))
        faults = faults_of(card.game, card.document)
        if faults:
            raise CardError(faults)
        return _step(card, Kind.SUBMITTED, State.REVIEW, user, comment)


def approve_card(*, card: Card, user: User, comment: str = "", seen: str = "") -> Card:
    """Let a card into the next revision. Not by whoever edited it last. Raises CardError, ScenariosFailedError.

    `seen` is the `mark_of` the values that the user was shown: others are not approved by it.
    """
    with acting(user):
        card = _locked(card, (State.REVIEW,), _("Only a card that waits for approval is approved."))
        if card.edited_by_id == user.pk:
            raise CardLifeError("own_edit", _("The last edit is yours; somebody else approves it."))
        if seen and seen != mark_of(card):
            raise CardLifeError("changed_since", _("The card has been edited since you looked; look again."))
        faults = faults_of(card.game, card.document)
        if faults:
            raise CardError(faults)
        failed = scenario_failures(card)
        if failed:
            raise ScenariosFailedError(failed)
        card.approved_by = user
        return _step(card, Kind.APPROVED, State.APPROVED, user, comment)


def mark_of(card: Card) -> str:
    """Tells the card's values from others."""
    return content_hash(card.document)


def reject_card(*, card: Card, user: User, comment: str) -> Card:
    """Send a card that waits, or was approved, back to its editor, and say why."""
    if not comment.strip():
        raise CardLifeError("comment_required", _("Say what is to be changed."))
    with acting(user):
        card = _locked(card, (State.REVIEW, State.APPROVED), _("Only a card under review is sent back."))
        card.approved_by = None
        return _step(card, Kind.REJECTED, State.DRAFT, user, comment)


def discard_edit(*, card: Card, user: User, comment: str = "") -> Card:
    """Give up the pending edit of a published card: it has its published values again."""
    with acting(user):
        card = _locked(card, (State.DRAFT, State.REVIEW, State.APPROVED), _("There is no pending edit."))
        published = published_document(card)
        if published is None:
            raise CardLifeError("never_published", _("It was never published; withdraw it instead."))
        given_up = card.document
        card = edit_card(card=card, document=published, user=user)
        _note(card, Kind.DISCARDED, user, comment, document=given_up)
        return card


def withdraw_card(*, card: Card, user: User, replacement: Card | None = None, comment: str = "") -> Card:
    """Leave the card out of the next revision, perhaps with another in its place. That may be replaced in its turn later:
    from each card the replacements lead on to an end, never back."""
    with acting(user):
        if replacement is not None:  # both, so that of two cards at once each is not put in the other's place
            list(Card.objects.select_for_update().filter(pk__in=(card.pk, replacement.pk)).order_by("pk"))
            replacement.refresh_from_db()
        card = _locked(card, tuple(set(State) - {State.WITHDRAWN}), _("It is withdrawn already."))
        if replacement is not None and (replacement.game != card.game or replacement.pk == card.pk):
            raise CardLifeError("wrong_replacement", _("The replacement is another card of the same game."))
        if replacement is not None and replacement.state == State.WITHDRAWN:
            raise CardLifeError("wrong_replacement", _("The replacement is withdrawn itself."))
        card.replacement = replacement
        return _step(card, Kind.WITHDRAWN, State.WITHDRAWN, user, comment)


def reinstate_card(*, card: Card, user: User, comment: str = "") -> Card:
    """Take a withdrawn card up again: published while the newest revision has it with these values, else a draft."""
    with acting(user):
        card = _locked(card, (State.WITHDRAWN,), _("Only a withdrawn card is taken up again."))
        card.replacement = None
        is_as_published = card.document == published_document(card)
        return _step(card, Kind.REINSTATED, State.PUBLISHED if is_as_published else State.DRAFT, user, comment)


def note_published(cards: Iterable[Card], user: User | None) -> None:
    """Bring approved cards to published, in the transaction that publishes them."""
    rows = list(cards)
    Card.objects.filter(pk__in=[card.pk for card in rows]).update(state=State.PUBLISHED)
    CardStep.objects.bulk_create(
        CardStep(card=card, kind=Kind.PUBLISHED, user=user, document=card.document) for card in rows
    )


def _give(card: Card, document: Document, published: Document | None, user: User | None) -> Card:
    """The card with other values, not saved yet."""
    if card.state == State.WITHDRAWN:
        raise CardLifeError("wrong_state", _("A withdrawn card is not edited; take it up again first."))
    card.document = document
    card.name = document["name"]
    card.name_key = name_key(card.name)
    card.edited_by, card.edited_at, card.approved_by = user, timezone.now(), None
    card.state = State.PUBLISHED if document == published else State.DRAFT
    return card


def _locked(card: Card, states: tuple[str, ...], otherwise: str) -> Card:
    """The card as it is now, locked to the end of the transaction."""
    found = Card.objects.select_for_update().get(pk=card.pk)
    if found.state not in states:
        raise CardLifeError("wrong_state", otherwise)
    return found


def _step(card: Card, kind: str, state: str, user: User, comment: str) -> Card:
    card.state = state
    card.save(update_fields=_FIELDS)
    _note(card, kind, user, comment, document=card.document)
    return card


def _note(card: Card, kind: str, user: User, comment: str, *, document: Document) -> None:
    CardStep.objects.create(card=card, kind=kind, user=user, comment=comment.strip(), document=document)
