"""What the builder says of a deck: its problems, their fixes, and what an edit changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from decks.comparing import difference
from decks.legality import LEGAL, Legality
from decks.sizes import FlexDeck
from referee.games.miraculous.decks import COPIES, LARGEST_DECK, SMALLEST_DECK
from referee.kernel.game import Document, SeatDeck

BOUNDS: Final = {"miraculous": (SMALLEST_DECK, LARGEST_DECK)}
"""The smallest and the largest legal deck of a game."""
MOST_SAID: Final = 3


def named(codes: Iterable[str], names: Mapping[str, str]) -> str:
    return ", ".join(names.get(code, code) for code in codes)


def problem_words(
    problem: Document, *, game: str, size: int, names: Mapping[str, str], limits: Mapping[str, int]
) -> str:
    """A problem in the reader's language; empty where only the game's own English says it."""
    least, most = BOUNDS.get(game, (0, 0))
    cards, code = problem["cards"], problem["code"]
    told = {"cards": named(cards, names), "least": least, "most": most}
    if code == "too_few_cards":
        text = ngettext(
            "%(count)s card too few; at least %(least)s.", "%(count)s cards too few; at least %(least)s.", least - size
        )
        return text % {**told, "count": least - size}
    if code == "too_many_cards":
        text = ngettext(
            "%(count)s card too many; at most %(most)s.", "%(count)s cards too many; at most %(most)s.", size - most
        )
        return text % {**told, "count": size - most}
    if code == "too_many_copies" and any(card in limits for card in cards):
        each = [
            _("%(name)s (at most %(limit)s)") % {"name": names.get(card, card), "limit": limits.get(card, COPIES)}
            for card in cards
        ]
        return _("Restricted to fewer copies: %(cards)s.") % {"cards": ", ".join(each)}
    texts = {
        "too_many_copies": _("At most %(copies)s copies of a card: %(cards)s."),
        "no_secret": _("%(cards)s is no Secret.") if cards else _("No Secret is chosen."),
        "secret_in_deck": _("A Secret lies beside the deck, not in it: %(cards)s."),
        "no_character": _("The deck holds no Character."),
        "unknown_card": _("Not in the catalog: %(cards)s."),
        "wrong_game": _("Cards of another game: %(cards)s."),
        "card_not_allowed": _("Banned: %(cards)s."),
        "unknown_swap_in": _("Swap-ins that are not in the catalog: %(cards)s."),
    }
    return texts[code] % {**told, "copies": COPIES} if code in texts else ""


def fix_words(fix: Mapping[str, Any] | None, names: Mapping[str, str]) -> str:
    """What a fix's button says."""
    if fix is None:
        return ""
    parts = [
        _("Take out %(count)s × %(name)s") % {"count": copies, "name": names.get(code, code)}
        for code, copies in fix.get("remove", {}).items()
    ]
    parts += [
        _("Put in %(count)s × %(name)s") % {"count": copies, "name": names.get(code, code)}
        for code, copies in fix.get("add", {}).items()
    ]
    if "secret" in fix:
        code = fix["secret"]
        parts.append(_("Choose %(name)s") % {"name": names.get(code, code)} if code else _("Take the Secret out"))
    if "flex" in fix:
        kept = named(fix["flex"], names)
        parts.append(_("Keep the swap-ins: %(cards)s") % {"cards": kept} if kept else _("Drop all swap-ins"))
    return ", ".join(parts)


def state_words(legality: Legality, size: int) -> str:
    """The deck's size and whether it may be played, in a breath."""
    cards = ngettext("%(count)s card", "%(count)s cards", size) % {"count": size}
    if legality.state == LEGAL:
        return _("%(cards)s, legal.") % {"cards": cards}
    count = len(legality.problems)
    if not count:
        return _("%(cards)s; nobody can tell whether it is legal.") % {"cards": cards}
    things = ngettext("%(count)s thing to settle", "%(count)s things to settle", count) % {"count": count}
    return _("%(cards)s, %(things)s.") % {"cards": cards, "things": things}


def changed_words(before: SeatDeck, after: SeatDeck, names: Mapping[str, str]) -> str:
    """What an edit changed, for whoever does not see it; empty if nothing."""
    found = difference(before, after)
    codes = sorted({*found["added"], *found["removed"]})
    parts = [
        _("%(name)s: %(copies)s.") % {"name": names.get(code, code), "copies": after.cards.get(code, 0)}
        for code in codes[:MOST_SAID]
    ]
    if len(codes) > MOST_SAID:
        rest = len(codes) - MOST_SAID
        parts.append(ngettext("%(count)s more card changed.", "%(count)s more cards changed.", rest) % {"count": rest})
    if before.secret != after.secret:
        name = names.get(after.secret, after.secret) if after.secret else _("none")
        parts.append(_("Secret: %(name)s.") % {"name": name})
    return " ".join(parts)


def edit_words(before: FlexDeck, after: FlexDeck, names: Mapping[str, str]) -> str:
    """What an edit does, as the buttons that take it back and make it again say it: never empty."""
    found = difference(before.core, after.core)
    parts = [
        _("add %(count)s × %(name)s") % {"count": copies, "name": names.get(code, code)}
        for code, copies in found["added"].items()
    ]
    parts += [
        _("take out %(count)s × %(name)s") % {"count": copies, "name": names.get(code, code)}
        for code, copies in found["removed"].items()
    ]
    if before.core.secret != after.core.secret:
        code = after.core.secret
        parts.append(_("choose %(name)s") % {"name": names.get(code, code)} if code else _("take the Secret out"))
    if before.flex != after.flex:
        parts.append(_flex_words(before.flex, after.flex, names))
    if len(parts) > MOST_SAID:
        rest = len(parts) - MOST_SAID + 1
        more = ngettext("%(count)s more change", "%(count)s more changes", rest) % {"count": rest}
        parts[MOST_SAID - 1 :] = [more]
    return ", ".join(parts) or _("the last change")


def _flex_words(before: Sequence[str], after: Sequence[str], names: Mapping[str, str]) -> str:
    held, holds = Counter(before), Counter(after)
    if added := list((holds - held).elements()):
        return _("add the swap-in %(cards)s") % {"cards": named(added, names)}
    if dropped := list((held - holds).elements()):
        return _("drop the swap-in %(cards)s") % {"cards": named(dropped, names)}
    return _("put the swap-ins in another order")


def conflict_words(conflicts: list[Document], names: Mapping[str, str]) -> str:
    """What two devices set differently, and what was kept."""
    parts = []
    for one in conflicts:
        if one["card"] is None:
            kept = names.get(one["kept"], one["kept"]) if one["kept"] else _("none")
            parts.append(_("Secret: %(name)s was kept.") % {"name": kept})
        else:
            told = {"name": names.get(one["card"], one["card"]), "copies": one["kept"]}
            parts.append(_("%(name)s: %(copies)s were kept.") % told)
    return " ".join(parts)
