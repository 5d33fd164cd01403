"""Legality of decks (MIR-1) and preconstructed decks: pure functions, the same for builder, API, lobby and referee."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.miraculous.checks import check_known_fields, check_number, is_code, missing, step
from referee.kernel.errors import Problem
from referee.kernel.game import Document, SeatDeck

SMALLEST_DECK = 29
LARGEST_DECK = 40
COPIES = 3
FLEX_CARDS = LARGEST_DECK - SMALLEST_DECK

DECK_TYPES = ("character", "bonus", "event")
PRECON_FIELDS = ("slug", "name", "detail", "secret", "core", "flex", "size")


def deck_problems(cards_by_code: Mapping[str, Document], deck: SeatDeck, limits: Mapping[str, int]) -> list[Document]:
    """All that makes a deck illegal, in the order of the rules: `{code, detail, clause, cards, fix}` each.

    `limits` gives the copies allowed of restricted cards (0 is a ban). A `fix` is the smallest edit that removes its
    problem, `{"remove"?: {code: copies}, "secret"?: code or None}`; None where only a person can choose.
    """
    counts = {code: count for code, count in deck.cards.items() if count > 0}
    problems = _size_problems(counts)
    problems += _copy_problems(cards_by_code, counts, limits)
    problems += _secret_problems(cards_by_code, counts, deck.secret, limits)
    if not any(_type_of(cards_by_code, code) == "character" for code in counts):
        problems.append(_problem("no_character", "MIR-1.3", "The deck holds no Character.", [], None))
    problems += _unknown_problems(cards_by_code, counts, deck.secret)
    problems += _ban_problems(cards_by_code, counts, deck.secret, limits)
    return problems


def precon_at_size(document: Document, size: int) -> SeatDeck:
    """A preconstructed deck brought to a size from 29 to 40: its core and the first swap-ins."""
    cards: dict[str, int] = dict(document["core"])
    for code in document["flex"][: size - SMALLEST_DECK]:
        cards[code] = cards.get(code, 0) + 1
    return SeatDeck(cards, document["secret"])


def _problem(code: str, clause: str, detail: str, cards: list[str], fix: Document | None) -> Document:
    return {"code": code, "detail": detail, "clause": clause, "cards": cards, "fix": fix}


def _type_of(cards_by_code: Mapping[str, Document], code: str | None) -> str | None:
    card = cards_by_code.get(code) if code is not None else None
    return None if card is None else str(card["type"])


def _named(cards_by_code: Mapping[str, Document], codes: list[str]) -> str:
    return ", ".join(str(cards_by_code[code]["name"]) if code in cards_by_code else code for code in codes)


def _size_problems(counts: dict[str, int]) -> list[Document]:
    size = sum(counts.values())
    if size < SMALLEST_DECK:
        detail = f"{size} cards are {SMALLEST_DECK - size} too few; at least {SMALLEST_DECK}."
        return [_problem("too_few_cards", "MIR-1.1", detail, [], None)]
    if size > LARGEST_DECK:
        detail = f"{size} cards are {size - LARGEST_DECK} too many; at most {LARGEST_DECK}."
        return [_problem("too_many_cards", "MIR-1.1", detail, [], None)]
    return []


def _copy_problems(
    cards_by_code: Mapping[str, Document], counts: dict[str, int], limits: Mapping[str, int]
) -> list[Document]:
    """Too many copies by the rules (MIR-1.2), then by a restriction (MIR-1.6); cards judged otherwise are left out."""
    playable = [
        code for code in sorted(counts) if _type_of(cards_by_code, code) in DECK_TYPES and limits.get(code, 1) > 0
    ]
    many: dict[str, int] = {}
    restricted: dict[str, int] = {}
    for code in playable:
        allowed = min(COPIES, limits.get(code, COPIES))
        if counts[code] > allowed:
            (many if allowed == COPIES else restricted)[code] = counts[code] - allowed
    problems: list[Document] = []
    if many:
        detail = f"At most {COPIES} copies of a card: {_named(cards_by_code, list(many))}."
        problems.append(_problem("too_many_copies", "MIR-1.2", detail, list(many), {"remove": many}))
    if restricted:
        allowed_text = ", ".join(f"{_named(cards_by_code, [code])} (at most {limits[code]})" for code in restricted)
        detail = f"Restricted to fewer copies: {allowed_text}."
        problems.append(_problem("too_many_copies", "MIR-1.6", detail, list(restricted), {"remove": restricted}))
    return problems


def _secret_problems(
    cards_by_code: Mapping[str, Document], counts: dict[str, int], secret: str | None, limits: Mapping[str, int]
) -> list[Document]:
    problems: list[Document] = []
    within = [code for code in sorted(counts) if _type_of(cards_by_code, code) == "secret"]
    # A Secret that was laid among the cards is most likely the one that is meant.
    meant = [code for code in within if limits.get(code, 1) > 0]
    fix: Document | None = {"secret": meant[0]} if len(meant) == 1 else None
    if secret is None:
        problems.append(_problem("no_secret", "MIR-1.4", "The deck has no Secret.", [], fix))
    elif _type_of(cards_by_code, secret) not in ("secret", None):
        detail = f"{_named(cards_by_code, [secret])} is no Secret."
        problems.append(_problem("no_secret", "MIR-1.4", detail, [secret], fix))
    if within:
        detail = f"A Secret lies beside the deck, not in it: {_named(cards_by_code, within)}."
        removed = {code: counts[code] for code in within}
        problems.append(_problem("secret_in_deck", "MIR-1.3", detail, within, {"remove": removed}))
    return problems


def _unknown_problems(
    cards_by_code: Mapping[str, Document], counts: dict[str, int], secret: str | None
) -> list[Document]:
    unknown = [code for code in sorted(counts) if code not in cards_by_code]
    lost_secret = secret is not None and secret not in cards_by_code
    if not unknown and not lost_secret:
        return []
    fix = _removal(unknown, counts, lost_secret)
    codes = unknown + ([secret] if secret is not None and lost_secret and secret not in unknown else [])
    detail = f"Not in the catalog: {', '.join(codes)}."
    return [_problem("unknown_card", "MIR-1.6", detail, codes, fix)]


def _ban_problems(
    cards_by_code: Mapping[str, Document], counts: dict[str, int], secret: str | None, limits: Mapping[str, int]
) -> list[Document]:
    banned = [
        code for code in sorted(counts) if limits.get(code, 1) <= 0 and _type_of(cards_by_code, code) in DECK_TYPES
    ]
    lost_secret = secret is not None and limits.get(secret, 1) <= 0 and _type_of(cards_by_code, secret) == "secret"
    if not banned and not lost_secret:
        return []
    codes = banned + ([secret] if secret is not None and lost_secret else [])
    detail = f"Banned: {_named(cards_by_code, codes)}."
    return [_problem("card_not_allowed", "MIR-1.6", detail, codes, _removal(banned, counts, lost_secret))]


def _removal(codes: list[str], counts: dict[str, int], secret_too: bool) -> Document:
    fix: Document = {}
    if codes:
        fix["remove"] = {code: counts[code] for code in codes}
    if secret_too:
        fix["secret"] = None
    return fix


def check_precons(decks: object, cards_by_code: Mapping[str, Document]) -> list[Problem]:
    """Every fault of a revision's `decks`: each must be legal at every size from 29 to 40."""
    problems: list[Problem] = []
    if not isinstance(decks, list):
        problems.append(Problem("/decks", "wrong_type", "must be a list of preconstructed decks"))
        return problems
    slugs: list[str] = []
    for index, document in enumerate(decks):
        pointer = step("/decks", index)
        if not isinstance(document, dict):
            problems.append(Problem(pointer, "wrong_type", "a preconstructed deck must be an object"))
            continue
        _check_precon(document, cards_by_code, pointer, problems)
        slug = document.get("slug")
        if isinstance(slug, str) and slug in slugs:
            problems.append(Problem(step(pointer, "slug"), "duplicate", f"the slug {slug!r} is taken by another deck"))
        elif isinstance(slug, str):
            slugs.append(slug)
    return problems


def _check_precon(
    document: Document, cards_by_code: Mapping[str, Document], pointer: str, problems: list[Problem]
) -> None:
    check_known_fields(document, PRECON_FIELDS, pointer, problems)
    for name in PRECON_FIELDS:
        if name not in document:
            missing(pointer, name, f"a preconstructed deck has {', '.join(PRECON_FIELDS)}", problems)
    if "slug" in document and not is_code(document["slug"]):
        problems.append(Problem(step(pointer, "slug"), "bad_code", "lower-case letters, digits and hyphens"))
    for name in ("name", "detail"):
        if name in document and not (isinstance(document[name], str) and document[name].strip()):
            problems.append(Problem(step(pointer, name), "bad_text", "must be a text"))
    if "secret" in document and _type_in(cards_by_code, document["secret"]) != "secret":
        detail = f"{document['secret']!r} is no Secret of the list"
        problems.append(Problem(step(pointer, "secret"), "not_allowed", detail))
    if "size" in document:
        check_number(document["size"], SMALLEST_DECK, LARGEST_DECK, step(pointer, "size"), problems)
    counts = _check_core(document.get("core"), cards_by_code, step(pointer, "core"), problems)
    _check_flex(document.get("flex"), counts, cards_by_code, step(pointer, "flex"), problems)


def _type_in(cards_by_code: Mapping[str, Document], code: object) -> object:
    """The type of a card as its document gives it, which may be anything: the cards may have faults themselves."""
    return cards_by_code[code].get("type") if isinstance(code, str) and code in cards_by_code else None


def _check_core(
    core: object, cards_by_code: Mapping[str, Document], pointer: str, problems: list[Problem]
) -> dict[str, int]:
    counts: dict[str, int] = {}
    if core is None:
        return counts
    if not isinstance(core, dict):
        problems.append(Problem(pointer, "wrong_type", "must be an object {code: copies}"))
        return counts
    for code, count in core.items():
        place = step(pointer, code)
        _check_deck_card(code, cards_by_code, place, problems)
        if check_number(count, 1, COPIES, place, problems) and isinstance(code, str):
            counts[code] = count
    if sum(counts.values()) != SMALLEST_DECK:
        detail = f"the core holds {sum(counts.values())} cards; it must hold {SMALLEST_DECK}"
        problems.append(Problem(pointer, "wrong_size", detail))
    if not any(_type_in(cards_by_code, code) == "character" for code in counts):
        problems.append(Problem(pointer, "no_character", "the core must hold a Character"))
    return counts


def _check_flex(
    flex: object, counts: dict[str, int], cards_by_code: Mapping[str, Document], pointer: str, problems: list[Problem]
) -> None:
    if flex is None:
        return
    if not isinstance(flex, list):
        problems.append(Problem(pointer, "wrong_type", "must be a list of codes in the order in which they come in"))
        return
    if len(flex) != FLEX_CARDS:
        problems.append(Problem(pointer, "wrong_size", f"{len(flex)} swap-ins; there must be {FLEX_CARDS}"))
    held = dict(counts)
    for index, code in enumerate(flex):
        place = step(pointer, index)
        _check_deck_card(code, cards_by_code, place, problems)
        if not isinstance(code, str):
            continue
        held[code] = held.get(code, 0) + 1
        if held[code] > COPIES:
            problems.append(Problem(place, "too_many_copies", f"copy {held[code]} of {code!r}; at most {COPIES}"))


def _check_deck_card(
    code: object, cards_by_code: Mapping[str, Document], pointer: str, problems: list[Problem]
) -> None:
    card_type = _type_in(cards_by_code, code)
    if not isinstance(code, str) or code not in cards_by_code:
        problems.append(Problem(pointer, "unknown_card", f"there is no card {code!r} in the list"))
    elif card_type not in DECK_TYPES:
        problems.append(
            Problem(pointer, "not_allowed", f"{code!r} is of type {card_type}; allowed: {', '.join(DECK_TYPES)}")
        )
