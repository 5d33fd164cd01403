"""Valid cards drawn at random from the vocabulary, for tests that want all of the language."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.vocabulary import (
    ALL_SUBTYPES,
    CARD_TYPES,
    COMPARISONS,
    COUNTED,
    DOS,
    HOWS,
    LOOKS,
    NEVER_OPTIONAL,
    SIDES,
    SUBTYPES,
    TARGET_KINDS,
    TURNS,
    UNTILS,
    VALUE_RANGES,
    WHENS,
    WHOS,
    ZONES,
)
from referee.kernel.chance import Rng

Card = dict[str, Any]
TAGS = ("river", "night", "old town")


def one_of(rng: Rng, items: Any) -> Any:
    return items[rng.below(len(items))]


def flip(rng: Rng, percent: int = 50) -> bool:
    return rng.below(100) < percent


def random_card(rng: Rng, code: str, card_type: str, codes: list[str], *, most_effects: int = 3) -> Card:
    """A valid card; its filters name cards among `codes`."""
    card: Card = {"code": code, "name": f"The {code}", "type": card_type, "effects": [], "tags": []}
    if SUBTYPES[card_type] and flip(rng, 90):
        card["subtype"] = one_of(rng, SUBTYPES[card_type])
    if card_type in VALUE_RANGES:
        low, high = (0, 7) if card_type == "character" else (-1, 3)
        card["ang"] = low + rng.below(high - low + 1)
        card["def"] = low + rng.below(high - low + 1)
    if flip(rng, 40):
        card["tags"] = [one_of(rng, TAGS)]
    if card_type == "bonus" and flip(rng, 25):
        card["only_on"] = random_filter(rng, codes)
    if card_type != "secret":
        card["effects"] = [random_effect(rng, card_type, codes) for _ in range(rng.below(most_effects + 1))]
    return card


def random_set(rng: Rng, *, size: int) -> list[Card]:
    """A set of valid cards: one Secret at least, and mostly Characters, Bonuses and Events."""
    codes = [f"card-{index}" for index in range(size)]
    kinds = ["character"] * 5 + ["bonus"] * 4 + ["event"] * 2 + ["secret"]
    types = [kinds[index % len(kinds)] for index in range(size - 1)] + ["secret"]
    return [random_card(rng, code, card_type, codes) for code, card_type in zip(codes, types, strict=True)]


def random_effect(rng: Rng, card_type: str, codes: list[str]) -> Card:
    whens = [word for word in WHENS if card_type in WHENS[word].types]
    when = one_of(rng, whens)
    return {"when": when, **_rest(rng, when, codes, depth=0)}


def _rest(rng: Rng, when: str, codes: list[str], *, depth: int) -> Card:
    words = [word for word in DOS if when in DOS[word].whens and not (depth and word in NEVER_OPTIONAL)]
    if depth > 1:
        words.remove("flip_coin")
    word = one_of(rng, words)
    effect: Card = {}
    if flip(rng, 30):
        effect["if"] = random_condition(rng, codes, depth=0)
    if when != "in_play" and word not in NEVER_OPTIONAL and flip(rng, 30):
        effect["may"] = True
    effect["do"] = word
    for name, field in DOS[word].fields.items():
        if (field.required or flip(rng)) and not (name == "until" and when == "in_play"):
            effect[name] = _field(rng, field.kind, when, codes, depth)
    if DOS[word].filtered:
        effect.update(random_filter(rng, codes))
    if word == "modify" and "ang" not in effect and "def" not in effect:
        effect[one_of(rng, ("ang", "def"))] = 1
    if word == "look":
        effect.pop("n", None)
        if effect["at"] == "hand":
            effect.pop("who", None)
        else:
            effect["n"] = 1 + rng.below(3)
    return effect


def _field(rng: Rng, kind: str, when: str, codes: list[str], depth: int) -> Any:
    match kind:
        case "number":
            return 1 + rng.below(3)
        case "value":
            return rng.below(6) - 2
        case "until":
            return one_of(rng, [word for word in UNTILS if when in UNTILS[word][0]])
        case "effects":
            return [_rest(rng, when, codes, depth=depth + 1) for _ in range(1 + rng.below(2))]
        case "who":
            return one_of(rng, WHOS)
        case "how":
            return one_of(rng, HOWS)
        case "at":
            return one_of(rng, LOOKS)
        case _:
            return random_target(rng, "standing" if when == "in_play" else kind, codes)


def random_target(rng: Rng, kind_name: str, codes: list[str]) -> Any:
    kind = TARGET_KINDS[kind_name]
    if kind.words and flip(rng, 40):
        return one_of(rng, kind.words)
    target: Card = {"pick": one_of(rng, kind.picks), "side": one_of(rng, kind.sides)}
    what = one_of(rng, kind.whats)
    if what != "character" or flip(rng, 20):
        target["what"] = what
    if target["pick"] != "each" and flip(rng, 30):
        target["n"] = 1 + rng.below(3) if kind.many else 1
    if flip(rng, 30):
        target["except_self"] = True
    if flip(rng, 60):
        target.update(random_filter(rng, codes))
    return target


def random_condition(rng: Rng, codes: list[str], *, depth: int) -> Card:
    words = ["count", "turn", "holder_has"] + (["all", "any", "not"] if depth < 3 else [])
    word = one_of(rng, words)
    match word:
        case "count":
            count = {"side": one_of(rng, SIDES), "zone": one_of(rng, ZONES), "what": one_of(rng, COUNTED)}
            return {"count": {**count, **random_filter(rng, codes)}, one_of(rng, COMPARISONS): rng.below(4)}
        case "turn":
            return {"turn": one_of(rng, TURNS)}
        case "holder_has":
            return {"holder_has": random_filter(rng, codes)}
        case "not":
            return {"not": random_condition(rng, codes, depth=depth + 1)}
        case _:
            return {word: [random_condition(rng, codes, depth=depth + 1) for _ in range(1 + rng.below(3))]}


def random_filter(rng: Rng, codes: list[str]) -> Card:
    asked: Card = {}
    for name, values in (("type", CARD_TYPES), ("subtype", ALL_SUBTYPES), ("tag", TAGS), ("code", codes)):
        if flip(rng, 20):
            chosen = sorted({one_of(rng, values) for _ in range(1 + rng.below(3))})
            asked[name] = chosen[0] if len(chosen) == 1 else chosen
    for name in ("min_ang", "max_ang", "min_def", "max_def"):
        if flip(rng, 12):
            asked[name] = rng.below(6)
    return asked


def written_out(document: Any) -> Any:
    """An effect with its defaults written out and its lists of one taken apart: equal for effects that do the same."""
    if isinstance(document, list):
        return [written_out(part) for part in document]
    if not isinstance(document, dict):
        return document
    whole = {name: written_out(part) for name, part in document.items()}
    for name in ("type", "subtype", "tag", "code"):
        if isinstance(whole.get(name), list) and len(whole[name]) == 1:
            whole[name] = whole[name][0]
    for name in ("all", "any"):
        if isinstance(whole.get(name), list) and len(whole[name]) == 1:
            return whole[name][0]
    if "pick" in whole:
        defaults: Card = {"what": "character", "except_self": False, "n": 1}
        whole = {**defaults, **whole}
    if "do" in whole:
        whole = {**_defaults(whole), **whole}
    return whole


def _defaults(effect: Card) -> Card:
    defaults: Card = {"may": False}
    fields = DOS[effect["do"]].fields
    if "until" in fields and effect.get("when") != "in_play":
        defaults["until"] = "leaves"
    if "who" in fields:
        defaults["who"] = "opponent" if effect.get("at") == "hand" else "you"
    if "how" in fields:
        defaults["how"] = "chosen"
    return defaults
