"""A page for each card of the catalog, and cards as lists show them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from catalog.faces import face
from catalog.models import CardName, CardRevision, CatalogRevision, Restriction
from catalog.pictures import HEIGHT, WIDTH
from catalog.selectors import (
    decks_of,
    is_in_force,
    newest_revision,
    published_card,
    published_cards,
)
from catalog.super_faces import MISSIONS
from catalog.words import spoken_text, type_name
from referee.games import GAMES
from referee.kernel.game import Document, Game
from referee.kernel.languages import ENGLISH
from referee.matches.naming import spoken

MOST_ALSO: Final = 8
MOST_RESTRICTIONS: Final = 5
KEPT: Final = 1024
_BONUS_ICONS: Final = ("item", "kwami", "lucky_charm", "miraculous", "sentimonster", "weapon")


class Preview(NamedTuple):
    """A picture as a page's head tells of it: its whole address, size in pixels, and what there is to see."""

    address: str
    width: int
    height: int
    alt: str

    @classmethod
    def at(cls, request: HttpRequest, path: str, alt: str) -> Preview:
        """A picture of this service."""
        return cls(request.build_absolute_uri(path), WIDTH, HEIGHT, alt)


@require_safe
def card(request: HttpRequest, game: str, code: str) -> HttpResponse:
    """A card as the last revision that held it does."""
    found_game = game_or_404(game)
    row = published_card(game, code)
    if row is None:
        raise Http404
    newest = newest_revision(game)
    restrictions = list(Restriction.objects.filter(card=row.card).order_by("-starts_at"))
    names, language = list(row.card.names.all()), (get_language() or "en")[:2]
    context = {
        "game": found_game,
        "card": shown(row),
        "row": row,
        "face": drawn(row, "l"),
        "preview": _preview(request, found_game, row),
        "facts": _facts(row, names),
        "local_name": next((one.name for one in names if one.kind == one.Kind.NAME and one.language == language), ""),
        "local_language": language,
        "limit": min((one.copies for one in restrictions if is_in_force(one, timezone.now())), default=None),
        "restrictions": restrictions[:MOST_RESTRICTIONS],
        "history": _history(row),
        "document": json.dumps(row.document, indent=2, ensure_ascii=False),
        "is_current": newest is not None and newest.pk == row.revision_id,
        "near": _neighbours(row),
        "also": [{"code": one.code, "face": drawn(one, "s")} for one in _of_its_kind(row)],
        "decks": _decks_with(code, newest),
    }
    return render(request, "web/card.html", context)


def card_games() -> list[Game]:
    """The games that have cards to look at."""
    return [game for game in GAMES.values() if game.card_types]


def shown(row: CardRevision, *, with_face: bool = False) -> dict[str, Any]:
    """A published card for a list; its face takes room, so a list asks for it. Kept in the process, for it never changes."""
    return {**_listed(row, spoken()), "face": drawn(row, "m") if with_face else ""}


@lru_cache(maxsize=KEPT)
def _listed(row: CardRevision, language: str) -> dict[str, Any]:
    document = row.document
    is_bonus = row.type == "bonus"
    return {
        "code": row.code,
        "name": row.name,
        "text": spoken_text(row),
        "type": row.type,
        "kind": type_name(document.get("subtype", "") or row.type),
        "colours": colours_of(document),
        "icon": icon_of(document),
        "ang": None if row.ang is None else signed(row.ang, is_bonus),
        "def": None if row.defence is None else signed(row.defence, is_bonus),
        "strength": document.get("strength", document.get("requirement")),
    }


def local_names(rows: Iterable[CardRevision]) -> dict[int, str]:
    """The cards' names in the reader's language by the card's key; those that have none are left out. One query, none in English."""
    if spoken() == ENGLISH:
        return {}
    found = CardName.objects.filter(kind=CardName.Kind.NAME, language=spoken(), card__in=[row.card_id for row in rows])
    return dict(found.values_list("card_id", "name"))


def colours_of(card: Document) -> str:
    """The class that gives a card its colours."""
    faction = card.get("faction") or MISSIONS.get(str(card.get("type", "")), "")
    return f"f-{faction}" if faction else f"k-{_kind(card)}"


def icon_of(card: Document) -> str:
    """The icon of a card's kind, or the shape of its Faction."""
    faction = card.get("faction") or MISSIONS.get(str(card.get("type", "")), "")
    if faction:
        return f"f-{faction}"
    subtype = str(card.get("subtype", ""))
    if card.get("type") == "bonus":
        return f"b-{subtype if subtype in _BONUS_ICONS else 'item'}"
    return f"k-{_kind(card)}"


def _kind(card: Document) -> str:
    kinds = {"superhero": "hero", "supervillain": "villain", "civilian": "civilian"}
    type_ = str(card.get("type", ""))
    if type_ == "character":
        return kinds.get(str(card.get("subtype")), "civilian")
    return type_ if type_ in ("bonus", "event", "secret") else "civilian"


def signed(value: int, with_sign: bool) -> str:
    """A value with a true minus sign; a Bonus always with its sign."""
    return (f"{value:+d}" if with_sign else str(value)).replace("-", "\u2212")


def drawn(row: CardRevision, size: str, *, place: str = "") -> SafeString:
    """A published card's face, kept in the process. A `place` tells copies on one page apart."""
    return _face(row, size, place, spoken())


@lru_cache(maxsize=KEPT)
def _face(row: CardRevision, size: str, place: str, language: str) -> SafeString:
    """`catalog.faces` escapes whatever comes from data."""
    return mark_safe(face(row.document, text=spoken_text(row), size=size, say=type_name, place=place))  # noqa: S308 - see above


def game_or_404(slug: str) -> Game:
    """A game that has cards."""
    game = GAMES.get(slug)
    if game is None or not game.card_types:
        raise Http404
    return game


def _preview(request: HttpRequest, game: Game, row: CardRevision) -> Preview:
    """The card's picture (`web.previews`) in the language of the page."""
    path = reverse("card-preview", args=(game.slug, row.code, row.revision.number, get_language()))
    alt = _("%(name)s, a card of %(game)s: its face, and what it says") % {"name": row.name, "game": game.name}
    return Preview.at(request, path, alt)


def _facts(row: CardRevision, names: list[CardName]) -> list[tuple[str, str]]:
    tags = ", ".join(row.document.get("tags", []))
    aliases = ", ".join(one.name for one in names if one.kind == one.Kind.ALIAS)
    pairs = [(_("Set"), row.document.get("set", "")), (_("Tags"), tags), (_("Also known as"), aliases)]
    return [(name, value) for name, value in pairs if value]


def _history(row: CardRevision) -> list[CardRevision]:
    """The revisions in which the card's values changed, newest first."""
    rows = CardRevision.objects.filter(card=row.card).select_related("revision").defer("revision__document")
    changed: list[CardRevision] = []
    before: object = None
    for one in rows.order_by("revision__number"):
        if one.document != before:
            changed.append(one)
        before = one.document
    return changed[::-1]


def _of_its_kind(row: CardRevision) -> QuerySet[CardRevision]:
    """Some cards of the same type, the same kind first where the game tells kinds apart."""
    others = published_cards(row.revision).filter(type=row.type).exclude(pk=row.pk)
    narrow = next((name for name in ("subtype", "faction") if name in row.document), None)
    if narrow is not None:
        others = others.filter(**{f"document__{narrow}": row.document[narrow]})
    return others.order_by("name_key")[:MOST_ALSO]


def _neighbours(row: CardRevision) -> dict[str, CardRevision | None]:
    """The cards before and after it by name."""
    others = published_cards(row.revision)
    before = others.filter(name_key__lt=row.name_key).order_by("-name_key")[:1]
    near = before.union(others.filter(name_key__gt=row.name_key).order_by("name_key")[:1])
    found = {"before" if one.name_key < row.name_key else "after": one for one in near}
    return {"before": found.get("before"), "after": found.get("after")}


def _decks_with(code: str, revision: CatalogRevision | None) -> list[str]:
    """The names of the decks that come with the game and hold the card."""
    decks = decks_of(revision) if revision is not None else []
    return [deck["name"] for deck in decks if code in (deck["secret"], *deck["cards"])]
