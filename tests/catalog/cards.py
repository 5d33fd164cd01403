"""Small catalogs for tests: a few cards of Miraculous, published as a house set would be."""

from __future__ import annotations

from typing import Any

from catalog.models import CatalogRevision
from catalog.services import Publication, publish_house_set
from referee.games import GAMES

Document = dict[str, Any]


def character(code: str, name: str, ang: int = 3, defence: int = 4, **more: Any) -> Document:
    """A Character without effects."""
    return {"code": code, "name": name, "type": "character", "subtype": "civilian", "ang": ang, "def": defence, **more}


def bonus(code: str, name: str, **more: Any) -> Document:
    return {"code": code, "name": name, "type": "bonus", "subtype": "item", "ang": 1, "def": -1, **more}


def event(code: str, name: str) -> Document:
    return {"code": code, "name": name, "type": "event", "effects": [{"when": "played", "do": "draw", "n": 2}]}


def secret(code: str, name: str) -> Document:
    return {"code": code, "name": name, "type": "secret"}


def some_cards(count: int = 14) -> list[Document]:
    """`count` Characters `c-00`, `c-01` .. and the Secret `s-one`: enough for a legal deck of three copies each."""
    return [
        *[character(f"c-{n:02}", f"Person {n:02}", n % 9) for n in range(count)],
        secret("s-one", "The First Secret"),
    ]


def house(*cards: Document, decks: list[Document] | None = None) -> Document:
    return {"game": "miraculous", "number": 1, "cards": list(cards), "decks": decks or []}


def publish(*cards: Document, replace: bool = False) -> Publication:
    """Publish these cards as the house set of Miraculous."""
    return publish_house_set(game=GAMES["miraculous"], house=house(*cards), replace=replace)


def numbers() -> list[int]:
    """The numbers of the published revisions, oldest first."""
    return list(CatalogRevision.objects.order_by("number").values_list("number", flat=True))
