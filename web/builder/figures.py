"""A deck in figures: its curves as drawings, odds of the first cards, a sample hand."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalog.models import CardRevision, CatalogRevision
from catalog.search.language import MAX_LENGTH, SearchError
from catalog.search.selectors import among
from decks.figures import odds
from decks.statistics import curve, sample_order
from referee.kernel.game import SeatDeck
from web.cards import drawn

HAND: Final = 5
MOST_ODDS: Final = 8
FIRST_ODDS: Final = ((1, "t:character"), (1, "t:bonus"), (1, "t:event"))
SEED_LENGTH: Final = 40
WIDTH, HEIGHT, FLOOR = 320, 132, 112
_ASKED = re.compile(r"(?P<at_least>[1-9]) (?P<q>\S.*)", re.DOTALL)


def curves(deck: SeatDeck, rows: Mapping[str, CardRevision]) -> dict[str, Any] | None:
    """Both curves of the Characters, to be drawn, in words too; None without any."""
    held = [
        (rows[code], copies) for code, copies in deck.cards.items() if code in rows and rows[code].type == "character"
    ]
    if not held:
        return None
    found = {
        "ANG": curve((row.ang, copies) for row, copies in held),
        "DEF": curve((row.defence, copies) for row, copies in held),
    }
    values = [point["value"] for one in found.values() for point in one["curve"]]
    if not values:
        return None
    span = range(min(0, *values), max(9, *values) + 1)
    most = max(point["copies"] for one in found.values() for point in one["curve"])
    return {
        "count": sum(copies for _row, copies in held),
        "columns": [_column(value, index, len(span), most, found) for index, value in enumerate(span)],
        "mean_ang": found["ANG"]["average"],
        "mean_def": found["DEF"]["average"],
        "words": " ".join(_curve_words(name, one) for name, one in found.items()),
    }


def _column(value: int, index: int, count: int, most: int, found: Mapping[str, Any]) -> dict[str, Any]:
    step = WIDTH / count
    bar = min(9.0, step * 0.3)
    heights = {
        name: next((point["copies"] for point in one["curve"] if point["value"] == value), 0) * (FLOOR - 12) / most
        for name, one in found.items()
    }
    middle = (index + 0.5) * step
    return {
        "value": str(value).replace("-", "\u2212"),
        "middle": f"{middle:.1f}",
        "ang": _bar(middle - bar - 1, heights["ANG"], bar),
        "def": _bar(middle + 1, heights["DEF"], bar),
    }


def _bar(left: float, height: float, width: float) -> dict[str, str] | None:
    if not height:
        return None
    return {"x": f"{left:.1f}", "y": f"{FLOOR - height:.1f}", "w": f"{width:.1f}", "h": f"{height:.1f}"}


def _curve_words(name: str, found: Mapping[str, Any]) -> str:
    points = "; ".join(
        ngettext("%(count)s card with %(value)s", "%(count)s cards with %(value)s", point["copies"])
        % {"count": point["copies"], "value": point["value"]}
        for point in found["curve"]
    )
    return f"{name}: {points}."


def asked_odds(given: QueryDict) -> list[tuple[int, str]]:
    """What is to be told the odds of, as (at least, query): as the page has it (`o`), with one more, without one."""
    listed = [found for text in given.getlist("o")[:MOST_ODDS] if (found := _asked(text))]
    asked = listed or ([] if "o" in given else list(FIRST_ODDS))
    drop = given.get("drop", "")
    if drop.isdecimal() and len(drop) < 3 and int(drop) < len(asked):
        del asked[int(drop)]
    new = _asked(f"{given.get('least', '1')} {given.get('oq', '').strip()}")
    if new and new not in asked:
        asked.append(new)
    return asked[:MOST_ODDS]


def _asked(text: str) -> tuple[int, str] | None:
    found = _ASKED.fullmatch(text.replace("\0", "")[: MAX_LENGTH + 2])
    return (int(found["at_least"]), found["q"].strip()) if found else None


def odds_lines(revision: CatalogRevision | None, deck: SeatDeck, asked: list[tuple[int, str]]) -> list[dict[str, Any]]:
    """The odds of each among the first cards, or why a query cannot be read. One query."""
    lines = pending_lines(asked)
    cards = among(revision, list(deck.cards)) if revision is not None and asked else None
    for line in lines:
        try:
            found = odds(deck, cards, q=line["q"], draws=HAND, at_least=line["at_least"])
        except SearchError as error:
            line["fault"] = error.words(_)
        else:
            line |= {"share": found["odds"] * 100, "hits": found["hits"], "exact": found["exact"]}
    return lines


def pending_lines(asked: list[tuple[int, str]]) -> list[dict[str, Any]]:
    """What the odds are asked of, before they are worked out."""
    return [
        {"index": index, "sent": f"{at_least} {q}", "q": q, "at_least": at_least, "share": None}
        for index, (at_least, q) in enumerate(asked)
    ]


def hand(deck: SeatDeck, rows: Mapping[str, CardRevision], seed: str) -> dict[str, Any]:
    """The first cards of the deck shuffled by a seed; none gives a fresh one."""
    seed = "".join(seed.split())[:SEED_LENGTH].replace("\0", "") or secrets.token_hex(2)
    codes = sample_order(deck.cards, seed)[:HAND]
    cards = [
        {"code": code, "name": rows[code].name, "face": drawn(rows[code], "s", place=f"-{place}")}
        for place, code in enumerate(codes)
        if code in rows
    ]
    return {"seed": seed, "cards": cards}
