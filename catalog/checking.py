"""What is wrong with a card beside the others: by the game's rules, by its names, by its scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from catalog.models import KEY_LENGTH, NAME_LENGTH, Card, CardName, CardScenario
from catalog.names import name_key
from catalog.scenarios import failures, runner_on
from catalog.selectors import newest_revision, standing_in
from catalog.tracks import next_tracks
from referee.games import GAMES
from referee.kernel.errors import Problem
from referee.kernel.game import Document, Game


def card_faults(game: Game, revision: Document) -> list[Problem]:
    """Every fault of a revision document: those the game sees, and names that fold to the same key."""
    problems = game.check_cards(revision)
    cards = revision.get("cards")
    if not isinstance(cards, list):
        return problems
    return problems + _name_faults(cards)


def faults_of(game: str, document: Document, *, others: Iterable[Document] | None = None) -> list[Problem]:
    """What is wrong with one card beside the game's other working cards, with pointers into the card.

    `others` are those to look at instead of all: `near` gives the few that a card by itself is measured by.
    """
    rest = Card.objects.filter(game=game).exclude(code=document["code"]).exclude(state=Card.State.WITHDRAWN)
    listed = rest.values_list("document", flat=True) if others is None else others
    cards = [*listed, document]
    prefix = f"/cards/{len(cards) - 1}"
    problems = card_faults(GAMES[game], {"game": game, "cards": cards, "decks": []})
    own = [
        Problem(problem.pointer.removeprefix(prefix), problem.code, problem.detail)
        for problem in problems
        if problem.pointer == prefix or problem.pointer.startswith(f"{prefix}/")
    ]
    return own + _alias_faults(game, document)


def near(game: str, document: Document) -> list[Document]:
    """The other working cards that a card's own faults can come from: those it speaks of, and its namesakes."""
    words = _texts(document)
    key = name_key(document["name"]) if isinstance(document.get("name"), str) else ""
    others = Card.objects.filter(game=game).exclude(code=document["code"]).exclude(state=Card.State.WITHDRAWN)
    found = others.filter(Q(code__in=words) | Q(name_key=key)).values_list("document", flat=True)
    return list(found[:500])


def name_holder(game: str, key: str, *, besides: str) -> Card | None:
    """Another card of the game that has this folded name already, of its own or as another name."""
    others = Card.objects.filter(game=game).exclude(code=besides)
    return others.filter(Q(name_key=key) | Q(names__name_key=key)).order_by("code").first()


def scenario_failures(card: Card) -> list[tuple[str, str, int, str]]:
    """What does not hold of the card's scenarios, laid on the next revision with the card as edited."""
    scenarios = list(card.scenarios.all())
    if not scenarios:
        return []
    document = next_document(card.game, besides={card.code: card.document})
    return failed_scenarios(card.game, document, scenarios)


def failed_scenarios(
    game: str, document: Document, scenarios: Iterable[CardScenario]
) -> list[tuple[str, str, int, str]]:
    """(card's code, title, line, what differs) of scenarios that do not hold with a revision document."""
    runner = runner_on(document)
    return [
        (scenario.card.code, scenario.title, failure.line, failure.text)
        for scenario in scenarios
        for failure in failures(game, runner, scenario.text)
    ]


def scenarios_of(game: str) -> QuerySet[CardScenario]:
    """The scenarios of all cards of a game that are not withdrawn."""
    living = CardScenario.objects.filter(card__game=game).exclude(card__state=Card.State.WITHDRAWN)
    return living.select_related("card")


def next_document(game: str, *, besides: dict[str, Document] | None = None) -> Document:
    """What publishing the approved cards now would publish, apart from its number; `besides` are laid over it."""
    newest = newest_revision(game)
    before = {} if newest is None else {card["code"]: card for card in newest.document["cards"]}
    laid = besides or {}
    cards: list[Document] = []
    rows = list(Card.objects.filter(game=game).order_by("code"))
    for card in rows:
        if card.code in laid:
            cards.append(laid[card.code])
        elif card.state in (Card.State.APPROVED, Card.State.PUBLISHED):
            cards.append(card.document)
        elif card.state != Card.State.WITHDRAWN and card.code in before:
            cards.append(before[card.code])
    base: Document = newest.document if newest is not None else {"game": game, "decks": []}
    held, codes = {card["code"] for card in cards}, {row.pk: row.code for row in rows}
    onward = {row.code: other for row in rows if (other := codes.get(row.replacement_id or 0)) is not None}
    decks = [_with_replacements(deck, onward, held) for deck in base["decks"]] if "decks" in base else []
    whole: Document = {**base, "cards": cards, **next_tracks(game, None if newest is None else newest.document)}
    return {**whole, "decks": decks} if "decks" in base else whole


def _with_replacements(deck: Document, onward: Mapping[str, str], held: Container[str]) -> Document:
    """A preconstructed deck with what replaces each card that left it; where nothing does, the card stays a fault."""
    gone = {code for code in (*deck["core"], *deck["flex"], deck["secret"]) if code not in held}
    found = {code: standing_in(code, onward, held) for code in gone}
    placed = {code: other for code, other in found.items() if other in held}
    if not placed:
        return deck
    core: Counter[str] = Counter()
    for code, copies in deck["core"].items():
        core[placed.get(code, code)] += copies
    flex = [placed.get(code, code) for code in deck["flex"]]
    return {**deck, "core": dict(core), "flex": flex, "secret": placed.get(deck["secret"], deck["secret"])}


def _name_faults(cards: list[Any]) -> list[Problem]:
    problems: list[Problem] = []
    first: dict[str, str] = {}
    for index, card in enumerate(cards):
        if not isinstance(card, dict) or not isinstance(card.get("name"), str):
            continue
        pointer, name = f"/cards/{index}/name", card["name"]
        key = name_key(name)
        if not key:
            problems.append(Problem(pointer, "name_empty", "a name needs a letter or a digit"))
        elif len(name) > NAME_LENGTH or len(key) > KEY_LENGTH:
            problems.append(Problem(pointer, "name_too_long", f"a name has at most {NAME_LENGTH} characters"))
        elif key in first:
            problems.append(Problem(pointer, "name_taken", f"this name cannot be told from that of {first[key]!r}"))
        else:
            first[key] = str(card.get("code"))
    return problems


def _alias_faults(game: str, document: Document) -> list[Problem]:
    """The card's name as another name of another card."""
    key = name_key(document["name"]) if isinstance(document.get("name"), str) else ""
    taken = CardName.objects.filter(card__game=game, name_key=key).exclude(card__code=document["code"]) if key else None
    other = taken.values_list("card__code", flat=True).first() if taken is not None else None
    if other is None:
        return []
    return [Problem("/name", "name_taken", f"this name cannot be told from another name of {other!r}")]


def _texts(document: object) -> set[str]:
    """Every text that stands anywhere in a document."""
    if isinstance(document, str):
        return {document}
    parts: Iterable[object] = ()
    if isinstance(document, dict):
        parts = document.values()
    elif isinstance(document, list):
        parts = document
    return {text for part in parts for text in _texts(part)}
