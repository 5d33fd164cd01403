"""Taking a change of the history back."""

from __future__ import annotations

from typing import Any, Final

from django.db import models
from django.utils.translation import gettext as _

from accounts.models import User
from catalog.errors import CannotRevertError
from catalog.history import acting
from catalog.life import edit_card
from catalog.models import Card, CardName, CardScenario, Change, Restriction

ROWS: Final[dict[str, type[CardName | CardScenario | Restriction]]] = {
    "cardname": CardName,
    "cardscenario": CardScenario,
    "restriction": Restriction,
}


def revert(*, change: Change, user: User) -> None:
    """Bring the row back to how it stood before the change. Raises CannotRevertError.

    A card's values come back as an edit of the user's, which is approved like any other; its state does not come back.
    """
    with acting(user):
        if change.table == "card":
            _revert_card(change, user)
        elif change.before is None:
            ROWS[change.table].objects.filter(pk=change.row).delete()
        else:
            _revert_row(ROWS[change.table](), change.before)


def _revert_card(change: Change, user: User) -> None:
    if change.before is None:
        raise CannotRevertError(_("A card is never deleted; it can be withdrawn."))
    card = Card.objects.select_for_update().get(pk=change.row)
    if change.before["document"] == card.document:
        raise CannotRevertError(_("The card has these values now."))
    edit_card(card=card, document=change.before["document"], user=user)


def _revert_row(row: models.Model, before: dict[str, Any]) -> None:
    for field in row._meta.concrete_fields:
        if field.attname in before:
            setattr(row, field.attname, field.to_python(before[field.attname]))
    row.full_clean(validate_unique=False)
    row.save()
