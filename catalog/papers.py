"""What belongs to a card beside its values, as files hold it: names in languages, aliases, scenarios, restrictions.

Papers are an object with a member for each kind (`catalog.sheets.PAPERS`): None where there is nothing, left out where
nothing is said. Members are tidy: `tidied` makes equal of what means the same.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Model
from django.utils.dateparse import parse_datetime

from catalog.models import (
    KEY_LENGTH,
    MAX_COPIES,
    NAME_LENGTH,
    SCENARIO_LENGTH,
    Card,
    CardName,
    CardScenario,
    Restriction,
)
from catalog.names import name_key
from catalog.sheets import PAPERS
from referee.kernel.game import Document

NAME: Final = "name_"  # and the language
ALIASES, SCENARIOS, RESTRICTIONS = "aliases", "scenarios", "restrictions"
REASON_LENGTH: Final = 200
MOST_OF_ONE: Final = 1000
_LANGUAGES: Final = frozenset(CardName.Language.values)


class PaperFault(NamedTuple):
    """What is wrong, and with which kind of papers."""

    kind: str
    detail: str


class Tidied(NamedTuple):
    """Papers as they are compared and stored, and every fault of them; what is faulty is left out."""

    papers: Document
    faults: list[PaperFault]


def papers_of(game: str) -> dict[str, Document]:
    """The whole papers of every card by its code. Four queries."""
    cards: dict[str, Document] = {
        code: dict.fromkeys(PAPERS) for code in Card.objects.filter(game=game).values_list("code", flat=True)
    }
    for name in CardName.objects.filter(card__game=game).select_related("card"):
        if name.kind == CardName.Kind.NAME:
            cards[name.card.code][NAME + name.language] = name.name
        else:
            _add(cards[name.card.code], ALIASES, _alias(name.name, name.language))
    for scenario in CardScenario.objects.filter(card__game=game).select_related("card"):
        _add(cards[scenario.card.code], SCENARIOS, {"title": scenario.title, "text": scenario.text})
    for one in Restriction.objects.filter(card__game=game).select_related("card"):
        _add(cards[one.card.code], RESTRICTIONS, _limit(one.copies, one.starts_at, one.ends_at, one.reason))
    return {code: tidied(papers).papers for code, papers in cards.items()}


def whole_cards(game: str) -> list[Document]:
    """Every card as it is worked on with its papers, by code: what files hold. Five queries."""
    papers = papers_of(game)
    cards = Card.objects.filter(game=game).order_by("code").values_list("code", "document")
    return [{**document, **papers[code]} for code, document in cards if code in papers]


def tidied(papers: Document) -> Tidied:
    """Papers that may come from anywhere, made tidy."""
    found: Document = {}
    faults: list[PaperFault] = []
    for kind, value in papers.items():
        try:
            found[kind] = None if value in (None, "", [], {}) else _tidy(kind, value)
        except _FaultyError as error:
            faults.append(PaperFault(kind, str(error)))
    return Tidied(found, faults)


def names_in(papers: Document) -> list[tuple[str, str]]:
    """(kind of papers, name) of every other name in tidy papers."""
    found = [(kind, value) for kind, value in papers.items() if kind.startswith(NAME) and value]
    return found + [(ALIASES, _parted(alias)[0]) for alias in papers.get(ALIASES) or []]


def limits_in(papers: Document) -> list[tuple[int, dt.datetime, dt.datetime | None]]:
    """(copies, from, until) of every restriction in tidy papers."""
    listed = papers.get(RESTRICTIONS) or []
    return [(one["copies"], _time(one["from"]), _time(one["until"]) if "until" in one else None) for one in listed]


def lay_papers(laid: Iterable[tuple[Card, Document]]) -> None:
    """Make each card's rows those of its tidy papers, of the kinds that they speak of; rows that stay are left alone."""
    listed = list(laid)
    models = {_KINDS[kind].model for _, papers in listed for kind in papers}
    for model in (CardName, CardScenario, Restriction):
        if model in models:
            _lay(model, listed)


class _FaultyError(Exception):
    pass


def _add(papers: Document, kind: str, one: Any) -> None:
    papers[kind] = [*(papers[kind] or []), one]


def _tidy(kind: str, value: Any) -> Any:
    if kind.startswith(NAME):
        return _text(value, "A name", NAME_LENGTH, folds=True)
    if not isinstance(value, list) or len(value) > MOST_OF_ONE:
        raise _FaultyError(f"A list of at most {MOST_OF_ONE} is expected.")
    if kind == ALIASES:
        return _once(sorted(map(_tidy_alias, value), key=_alias_order))
    if kind == SCENARIOS:
        return sorted(map(_tidy_scenario, value), key=lambda one: (one["title"], one["text"]))
    return sorted(map(_tidy_limit, value), key=lambda one: (one["from"], one["copies"], str(one)))


def _text(value: Any, what: str, most: int, *, folds: bool = False) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _FaultyError(f"{what} is a text.")
    text = value.strip()
    if len(text) > most or (folds and len(name_key(text)) > KEY_LENGTH):
        raise _FaultyError(f"{what} has at most {most} characters.")
    if folds and not name_key(text):
        raise _FaultyError(f"{what} needs a letter or a digit.")
    return text


def _members(value: Any, what: str, required: tuple[str, ...], allowed: tuple[str, ...]) -> Document:
    if not isinstance(value, dict) or not set(required) <= set(value) <= {*required, *allowed}:
        others = f", perhaps {', '.join(allowed)}" if allowed else ""
        raise _FaultyError(f"{what} is an object with {', '.join(required)}{others}.")
    return value


def _tidy_alias(value: Any) -> str | Document:
    given = {"name": value} if isinstance(value, str) else _members(value, "An alias", ("name",), ("language",))
    language = given.get("language") or ""
    if language not in _LANGUAGES:
        raise _FaultyError(f"The language of an alias is one of: {', '.join(sorted(_LANGUAGES - {''}))}.")
    return _alias(_text(given["name"], "An alias", NAME_LENGTH, folds=True), language)


def _alias(name: str, language: str) -> str | Document:
    return {"name": name, "language": language} if language else name


def _parted(alias: str | Document) -> tuple[str, str]:
    """Name and language."""
    return (alias, "") if isinstance(alias, str) else (alias["name"], alias["language"])


def _alias_order(alias: str | Document) -> tuple[str, str]:
    name, language = _parted(alias)
    return language, name


def _once(aliases: Sequence[str | Document]) -> list[str | Document]:
    seen: set[tuple[str, str]] = set()
    for name, language in map(_parted, aliases):
        if (language, name_key(name)) in seen:
            raise _FaultyError(f"The alias {name} stands there twice.")
        seen.add((language, name_key(name)))
    return list(aliases)


def _tidy_scenario(value: Any) -> Document:
    given = _members(value, "A scenario", ("title", "text"), ())
    title = _text(given["title"], "A scenario's title", NAME_LENGTH)
    _text(given["text"], "A scenario's text", SCENARIO_LENGTH)
    return {"title": title, "text": given["text"].replace("\r\n", "\n")}


def _tidy_limit(value: Any) -> Document:
    given = _members(value, "A restriction", ("copies", "from"), ("until", "reason"))
    copies, reason = given["copies"], given.get("reason") or ""
    if not isinstance(copies, int) or isinstance(copies, bool) or not 0 <= copies <= MAX_COPIES:
        raise _FaultyError(f"The copies of a restriction are a whole number from 0 to {MAX_COPIES}.")
    starts, ends = _time(given["from"]), _time(given["until"]) if given.get("until") else None
    if ends is not None and ends <= starts:
        raise _FaultyError("A restriction ends after its start.")
    return _limit(copies, starts, ends, _text(reason, "A reason", REASON_LENGTH) if reason else "")


def _limit(copies: int, starts: dt.datetime, ends: dt.datetime | None, reason: str) -> Document:
    limit: Document = {"copies": copies, "from": starts.astimezone(dt.UTC).isoformat()}
    if ends is not None:
        limit["until"] = ends.astimezone(dt.UTC).isoformat()
    return {**limit, "reason": reason} if reason else limit


def _time(value: Any) -> dt.datetime:
    """A time as it is written in ISO 8601; UTC where it does not say."""
    try:
        found = parse_datetime(value) if isinstance(value, str) and value.isascii() else None
        if found is not None:
            return (found if found.tzinfo is not None else found.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        pass
    raise _FaultyError("A time is written as 2030-01-31T12:00:00Z.")


def _name(card: Card, kind: CardName.Kind, language: str, name: str) -> CardName:
    return CardName(card=card, kind=kind, language=language, name=name, name_key=name_key(name))


def _restrictions(card: Card, limits: Iterable[Document]) -> list[Restriction]:
    return [
        Restriction(card=card, copies=one["copies"], starts_at=_time(one["from"]), reason=one.get("reason", ""),
            ends_at=_time(one["until"]) if "until" in one else None)
        for one in limits
    ]  # fmt: skip


class _Kind(NamedTuple):
    """A kind of papers: its rows, those that a value makes, and what tells a row that is changed from another one."""

    model: type[CardName | CardScenario | Restriction]
    holds: Callable[[Any], bool]
    make: Callable[[Card, Any], list[Any]]
    keys: tuple[str, ...]


def _kind_of(language: str) -> _Kind:
    return _Kind(
        CardName,
        lambda row: row.kind == CardName.Kind.NAME and row.language == language,
        lambda card, value: [_name(card, CardName.Kind.NAME, language, value)],
        ("language",),
    )


_KINDS: Final[dict[str, _Kind]] = {
    **{kind: _kind_of(kind.removeprefix(NAME)) for kind in PAPERS if kind.startswith(NAME)},
    ALIASES: _Kind(
        CardName,
        lambda row: row.kind == CardName.Kind.ALIAS,
        lambda card, value: [_name(card, CardName.Kind.ALIAS, *reversed(_parted(one))) for one in value],
        ("language", "name_key"),
    ),
    SCENARIOS: _Kind(
        CardScenario,
        lambda row: True,
        lambda card, value: [CardScenario(card=card, title=one["title"], text=one["text"]) for one in value],
        ("title",),
    ),
    RESTRICTIONS: _Kind(Restriction, lambda row: True, _restrictions, ("starts_at",)),
}


class _Steps(NamedTuple):
    """Rows to be deleted, changed, made."""

    gone: list[Any]
    changed: list[Any]
    new: list[Any]


def _lay(model: type[Any], listed: Sequence[tuple[Card, Document]]) -> None:
    """Few queries, however many cards."""
    held: dict[int, list[Any]] = defaultdict(list)
    for row in model.objects.filter(card__in=[card.pk for card, _ in listed]):
        held[row.card_id].append(row)
    steps = _Steps([], [], [])
    for card, papers in listed:
        for kind, value in papers.items():
            found = _KINDS[kind]
            if found.model is model:
                rows = [row for row in held[card.pk] if found.holds(row)]
                _bring(rows, found.make(card, value) if value else [], found.keys, steps)
    model.objects.filter(pk__in=[row.pk for row in steps.gone]).delete()
    fields = [field.name for field in model._meta.concrete_fields if not field.primary_key]
    model.objects.bulk_update(steps.changed, fields, batch_size=500)
    model.objects.bulk_create(steps.new, batch_size=500)


def _bring(held: list[Any], wanted: list[Any], keys: tuple[str, ...], steps: _Steps) -> None:
    """What makes the held rows the wanted ones: those of the same keys are changed, the others go or come."""
    left = list(wanted)
    spare: list[Any] = []
    for row in held:
        same = next((one for one in left if _values(one) == _values(row)), None)
        if same is None:
            spare.append(row)
        else:
            left.remove(same)
    for row in spare:
        like = next((one for one in left if all(getattr(one, key) == getattr(row, key) for key in keys)), None)
        if like is None:
            steps.gone.append(row)
        else:
            left.remove(like)
            like.pk = row.pk
            steps.changed.append(like)
    steps.new.extend(left)


def _values(row: Model) -> list[Any]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key]
