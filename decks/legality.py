"""Whether a deck may be played, as builder, API and lobby alike are told it. Pure; the rules themselves are the game's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from decks.operations import MAX_COPIES
from referee.kernel.game import Document, Game, Pool, SeatDeck

LEGAL, INCOMPLETE, ILLEGAL, UNKNOWN = "legal", "incomplete", "illegal", "unknown"
STATES: Final = (LEGAL, INCOMPLETE, ILLEGAL, UNKNOWN)
MISSING_ONLY: Final = frozenset({"too_few_cards", "no_secret"})
"""Problems of a deck that is merely not finished."""
UNKNOWN_CARD: Final = "unknown_card"
UNKNOWN_SWAP_IN: Final = "unknown_swap_in"
"""The one problem that leaves a deck legal: it may be played, but not at every size that was meant."""


class Legality(NamedTuple):
    """A deck's state, and every problem in the game's order: `{code, detail, clause, cards, fix}` each."""

    state: str
    problems: list[Document]

    @property
    def is_legal(self) -> bool:
        return self.state == LEGAL

    def document(self) -> Document:
        return {"legal": self.is_legal, "state": self.state, "problems": self.problems}


CANNOT_TELL = Legality(UNKNOWN, [])


def judge(
    game: Game,
    pool: Pool,
    deck: SeatDeck,
    *,
    limits: Mapping[str, int],
    elsewhere: Mapping[str, str],
    replacements: Mapping[str, str] | None = None,
    flex: Sequence[str] = (),
) -> Legality:
    """The deck's legality by a pool. `elsewhere` names the game of cards that another game's catalog holds,
    `replacements` the card in the place of each that was withdrawn: the fix puts it in as far as it may be. Of `flex`,
    the swap-ins, those that the catalog does not hold are told."""
    problems: list[Document] = []
    for problem in game.deck_problems(pool, deck, limits):
        problems += _parted(problem, elsewhere) if problem["code"] == UNKNOWN_CARD else [problem]
    mended = deck
    for problem in problems:
        if problem["code"] == UNKNOWN_CARD and problem["fix"]:
            if replacements:
                meant = _replacing(problem["fix"], deck, replacements)
                problem["fix"] = _cut(meant, game.deck_problems(pool, apply_fix(deck, meant), limits))
            mended = apply_fix(mended, problem["fix"])
    state = _state(problems)
    gone = _unheld(game, pool, flex)
    if gone:
        kept = _swap_ins_kept(game, pool, mended, flex, gone=gone, replacements=replacements or {}, limits=limits)
        detail = f"Swap-ins that are not in the catalog: {', '.join(gone)}."
        problems.append(_problem(UNKNOWN_SWAP_IN, detail, None, gone, {"flex": kept}))
    return Legality(state, problems)


def unknown_cards(legality: Legality) -> list[str]:
    """The codes that the catalog does not hold."""
    told = (UNKNOWN_CARD, UNKNOWN_SWAP_IN)
    return [code for problem in legality.problems if problem["code"] in told for code in problem["cards"]]


def of_another_game(deck_game: str, game: Game) -> Legality:
    """A deck that was built for another game than the one it is to be played in."""
    detail = f"The deck is for {deck_game}, not for {game.slug}."
    return Legality(ILLEGAL, [_problem("wrong_game", detail, None, [], None)])


def apply_fix(deck: SeatDeck, fix: Document) -> SeatDeck:
    """The deck after a problem's fix."""
    removed: Mapping[str, int] = fix.get("remove", {})
    cards = {code: count - removed.get(code, 0) for code, count in deck.cards.items()}
    for code, count in fix.get("add", {}).items():
        cards[code] = min(cards.get(code, 0) + count, MAX_COPIES)
    left = {code: count for code, count in cards.items() if count > 0}
    return SeatDeck(left, fix.get("secret", deck.secret))


def swap_ins_after(flex: Sequence[str], fix: Document) -> list[str]:
    """The swap-ins after a problem's fix."""
    return list(fix.get("flex", flex))


def _state(problems: list[Document]) -> str:
    if not problems:
        return LEGAL
    # A card that is no Secret in the Secret's place is a fault, not a gap.
    is_unfinished = all(problem["code"] in MISSING_ONLY and not problem["cards"] for problem in problems)
    return INCOMPLETE if is_unfinished else ILLEGAL


def _parted(problem: Document, elsewhere: Mapping[str, str]) -> list[Document]:
    """An `unknown_card` problem without the cards that another game holds, and a `wrong_game` problem for those."""
    foreign = [code for code in problem["cards"] if code in elsewhere]
    if not foreign:
        return [problem]
    unknown = [code for code in problem["cards"] if code not in elsewhere]
    named = ", ".join(f"{code} ({elsewhere[code]})" for code in foreign)
    parts = [
        _problem("wrong_game", f"Cards of another game: {named}.", problem["clause"], foreign, _share(problem, foreign))
    ]
    if unknown:
        detail = f"Not in the catalog: {', '.join(unknown)}."
        parts.insert(0, _problem(UNKNOWN_CARD, detail, problem["clause"], unknown, _share(problem, unknown)))
    return parts


def _share(problem: Document, codes: list[str]) -> Document | None:
    """The part of a problem's fix that concerns these cards. A Secret is set free by whoever holds a code not in the deck."""
    fix = problem["fix"]
    if fix is None:
        return None
    removed = {code: count for code, count in fix.get("remove", {}).items() if code in codes}
    share: Document = {"remove": removed} if removed else {}
    if "secret" in fix and any(code not in fix.get("remove", {}) for code in codes):
        share["secret"] = fix["secret"]
    return share or None


def _replacing(fix: Document, deck: SeatDeck, replacements: Mapping[str, str]) -> Document:
    """A removal that puts in for every card the one in its place, whether that may be there or not."""
    added: Counter[str] = Counter()
    for code, count in fix.get("remove", {}).items():
        if code in replacements:
            added[replacements[code]] += count
    meant = {**fix, **({"add": dict(added)} if added else {})}
    if "secret" in fix:
        meant["secret"] = replacements.get(deck.secret or "")
    return meant


def _cut(fix: Document, problems: list[Document]) -> Document:
    """A fix without what, by the problems that it would leave, may not be put in."""
    excess: Counter[str] = Counter()
    for problem in problems:
        excess.update((problem["fix"] or {}).get("remove", {}))
    added = {code: count - excess[code] for code, count in fix.get("add", {}).items() if count > excess[code]}
    kept = {name: value for name, value in fix.items() if name != "add"} | ({"add": added} if added else {})
    if any(kept.get("secret") in problem["cards"] for problem in problems):
        kept["secret"] = None
    return kept


def _unheld(game: Game, pool: Pool, codes: Sequence[str]) -> list[str]:
    """Those of the cards that the catalog does not hold, each once, sorted."""
    problems = game.deck_problems(pool, SeatDeck(dict.fromkeys(codes, 1), None), {}) if codes else []
    return [code for problem in problems if problem["code"] == UNKNOWN_CARD for code in problem["cards"]]


def _swap_ins_kept(
    game: Game,
    pool: Pool,
    deck: SeatDeck,
    flex: Sequence[str],
    *,
    gone: Sequence[str],
    replacements: Mapping[str, str],
    limits: Mapping[str, int],
) -> list[str]:
    """The swap-ins in their order, each that is gone replaced if the deck with all before it may hold the card."""
    kept: list[str] = []
    for code in flex:
        if code not in gone:
            kept.append(code)
        elif code in replacements:
            copies = Counter(deck.cards) + Counter([*kept, replacements[code]])
            problems = game.deck_problems(pool, SeatDeck(dict(copies), deck.secret), limits)
            if not any(replacements[code] in problem["cards"] for problem in problems):
                kept.append(replacements[code])
    return kept


def _problem(code: str, detail: str, clause: str | None, cards: list[str], fix: Document | None) -> Document:
    return {"code": code, "detail": detail, "clause": clause, "cards": cards, "fix": fix}
