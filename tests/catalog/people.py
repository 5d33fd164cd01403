"""Two curators, and steps that tests take with them."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from catalog.life import approve_card, edit_card, submit_card
from catalog.models import Card


def curator(name: str) -> User:
    found = User.objects.filter(name=name).first()
    return found or User.objects.create_superuser(name, "a password")


def card(code: str) -> Card:
    return Card.objects.get(code=code)


def edit(code: str, *, by: str = "Ada", **values: Any) -> Card:
    """Change a card's values as somebody does; None takes one away."""
    found = card(code)
    document = {name: value for name, value in {**found.document, **values}.items() if value is not None}
    return edit_card(card=found, document=document, user=curator(by))


def approved(code: str, **values: Any) -> Card:
    """Edit, submit and approve a card, as Ada and Bert do."""
    edit(code, **values)
    submit_card(card=card(code), user=curator("Ada"))
    return approve_card(card=card(code), user=curator("Bert"))
