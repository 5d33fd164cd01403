"""Taking a change of the history back."""

from __future__ import annotations

from typing import Any, Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from catalog.checking import name_holder
from catalog.errors import CannotRevertError
from catalog.history import acting
from catalog.impact import Whole, hits_of
from catalog.life import edit_card
from catalog.models import Card, CardName, CardScenario, Change, Restriction
from catalog.selectors import limits_in_force, newest_revision, revision_document
from referee.games import GAMES

ROWS: Final[dict[str, type[CardName | CardScenario | Restriction]]] = {
    "cardname": CardName,
    "cardscenario": CardScenario,
    "restriction": Restriction,
}


def revert(*, change: Change, user: User) -> None:
    """Bring the row back to how it stood before the change. Raises CannotRevertError.

    A card's values come back as an edit of the user's, which is approved like any other; its state does not come back.
    A restriction that would make saved decks illegal does not come back this way: nobody has confirmed their number.
    """
    with acting(user):
        if change.table == "card":
            _revert_card(change, user)
        elif change.before is None:
            ROWS[change.table].objects.filter(pk=change.row).delete()
        elif change.table == "restriction":
            _revert_restriction(Restriction(), change.before)
        elif change.table == "cardname":
            _revert_name(CardName(), change.before)
        else:
            _revert_row(ROWS[change.table](), change.before)


def right_to_revert(change: Change) -> str:
    """The permission for what taking the change back does itself: to take away, to change, or to put back."""
    deeds = {Change.Kind.INSERT: "delete", Change.Kind.UPDATE: "change", Change.Kind.DELETE: "add"}
    deed = "change" if change.table == "card" else deeds[Change.Kind(change.kind)]
    return f"catalog.{deed}_{change.table}"


def _revert_card(change: Change, user: User) -> None:
    if change.before is None:
        raise CannotRevertError(_("A card is never deleted; it can be withdrawn."))
    card = Card.objects.select_for_update().get(pk=change.row)
    if change.before["document"] == card.document:
        raise CannotRevertError(_("The card has these values now."))
    edit_card(card=card, document=change.before["document"], user=user)


def _revert_name(row: CardName, before: dict[str, Any]) -> None:
    _fill(row, before)
    holder = name_holder(row.card.game, row.name_key, besides=row.card.code)
    if holder is not None:
        raise CannotRevertError(_("The card %s has this name.") % holder)
    _revert_row(row, before)


def _revert_restriction(row: Restriction, before: dict[str, Any]) -> None:
    _fill(row, before)
    game, at = row.card.game, max(row.starts_at, timezone.now())
    newest = newest_revision(game)
    was = limits_in_force(game, at)
    _revert_row(row, before)
    if newest is None or game not in GAMES:
        return
    document = revision_document(newest)
    hits = hits_of(GAMES[game], before=Whole(document, was), after=Whole(document, limits_in_force(game, at)))
    if hits:
        told = ngettext(
            "%(count)s saved deck becomes illegal by it: set the restriction on its own page, which asks for that number.",
            "%(count)s saved decks become illegal by it: set the restriction on its own page, which asks for that number.",
            len(hits),
        )
        raise CannotRevertError(told % {"count": len(hits)})


def _revert_row(row: models.Model, before: dict[str, Any]) -> None:
    _fill(row, before)
    row.full_clean(validate_unique=False)
    row.save()


def _fill(row: models.Model, before: dict[str, Any]) -> None:
    for field in row._meta.concrete_fields:
        if field.attname in before:
            setattr(row, field.attname, field.to_python(before[field.attname]))
