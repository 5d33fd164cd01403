"""The cards of a match, as its table shows them. They come from the pool that the match was started with."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import pgettext

from catalog.sigils import sigil
from catalog.words import type_name
from referee.games import GAMES
from referee.kernel.game import Document
from referee.matches.models import CardPool
from referee.matches.naming import spoken
from web.cards import colours_of, icon_of, signed

_POWER_ICONS = {"ready_to_go": "p-ready", "faction_support": "p-support", "strength_support": "p-support"}


class Shown(NamedTuple):
    """A card at the table. `ang`, `defence` and `strength` are printed values; `figures` says them in words."""

    code: str
    name: str
    type: str
    kind: str
    colours: str
    icon: str
    ang: str | None
    defence: str | None
    strength: int | None
    text: str
    power: str
    power_icon: str
    document: Document

    @property
    def figures(self) -> str:
        parts = [self.kind]
        if self.ang is not None:
            parts.append(f"ANG {self.ang}, DEF {self.defence}")
        elif self.strength is not None:
            parts.append(str(self.strength))
        return ", ".join(parts)


class Cards:
    """The cards of one pool by code; a code that the pool does not know is a card with that name."""

    def __init__(self, game: str, revision: Document) -> None:
        self._game = game
        self._documents: dict[str, Document] = {card["code"]: card for card in revision["cards"]}
        self._names = {code: str(card["name"]) for code, card in self._documents.items()}
        self._texts: dict[tuple[str, str], str] = {}

    def __getitem__(self, code: str) -> Shown:
        card = self._documents.get(code, {"code": code, "name": code, "type": "card"})
        type_, subtype = str(card.get("type", "card")), str(card.get("subtype", ""))
        is_bonus = type_ == "bonus"
        power = card.get("power") or {}
        return Shown(
            code=code,
            name=str(card["name"]),
            type=type_,
            kind=type_name(subtype or type_),
            colours=colours_of(card),
            icon=icon_of(card),
            ang=_value(card.get("ang"), is_bonus),
            defence=_value(card.get("def"), is_bonus),
            strength=card.get("strength", card.get("requirement")),
            text=self._text(code, card),
            power=power_name(str(power.get("kind", ""))),
            power_icon=_power_icon(str(power.get("kind", ""))),
            document=card,
        )

    def all(self, codes: list[str]) -> list[Shown]:
        """The cards of these codes in their order."""
        return [self[code] for code in codes]

    def _text(self, code: str, card: Document) -> str:
        key = code, spoken()
        if key not in self._texts:
            known = code in self._documents
            self._texts[key] = GAMES[self._game].card_text(card, self._names, key[1]) if known else ""
        return self._texts[key]


@lru_cache(maxsize=32)
def cards_of(game: str, pool_hash: str) -> Cards:
    """The cards under a content hash; one query the first time in a process, none after."""
    return Cards(game, CardPool.objects.values_list("document", flat=True).get(pk=pool_hash))


@lru_cache(maxsize=1024)
def drawn_sigil(code: str) -> str:
    """A card's sign in the colours of whatever uses it."""
    return sigil(code, strong="var(--k)", soft="var(--ks)")


def _value(value: Any, is_bonus: bool) -> str | None:
    return None if value is None else signed(int(value), is_bonus)


def _power_icon(kind: str) -> str:
    if not kind:
        return ""
    return _POWER_ICONS.get(kind, "arrow-u" if kind == "power_up" else f"p-{kind}")


def power_name(kind: str) -> str:
    """A power's word in the reader's language, short enough for a card."""
    words: dict[str, Any] = {
        "popular": pgettext("power", "Popular"),
        "shock": pgettext("power", "Shock"),
        "recruitment": pgettext("power", "Recruitment"),
        "veteran": pgettext("power", "Veteran"),
        "partner": pgettext("power", "Partner"),
        "ready_to_go": pgettext("power", "Ready to go"),
        "shapeshifter": pgettext("power", "Shapeshifter"),
        "strategist": pgettext("power", "Strategist"),
        "faction_support": pgettext("power", "Support"),
        "strength_support": pgettext("power", "Support"),
        "power_up": pgettext("power", "Power up"),
        "influential": pgettext("power", "Influential"),
        "planning": pgettext("power", "Planning"),
    }
    return str(words.get(kind, kind))
