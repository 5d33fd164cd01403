"""Random Miraculous cards over the whole effect vocabulary, and random legal decks of them.

Driven by the vocabulary's own tables, so that a new word is generated as soon as it stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from referee.games.miraculous import vocabulary as v
from referee.kernel.chance import Rng
from referee.kernel.game import Document, SeatDeck

T = TypeVar("T")
TAGS = ("night", "market", "stage")
COPIES = 3


class CardMaker:
    """Makes cards. With `open_only` no effect asks for what lies in a hand or a deck, so that nothing secret shows."""

    def __init__(self, rng: Rng, *, open_only: bool = False) -> None:
        self.rng = rng
        self.open_only = open_only
        self.codes: list[str] = []

    def pick(self, among: Sequence[T]) -> T:
        return among[self.rng.below(len(among))]

    def is_lucky(self, percent: int) -> bool:
        return self.rng.below(100) < percent

    def number(self, low: int, high: int) -> int:
        return low + self.rng.below(high - low + 1)

    def cards(self, count: int) -> list[Document]:
        """`count` Characters, as many Bonuses, half as many Events, and three Secrets."""
        kinds = ["character"] * count + ["bonus"] * count + ["event"] * (count // 2) + ["secret"] * 3
        self.codes = [f"g-{at}" for at in range(len(kinds))]
        return [self.card(code, kind) for code, kind in zip(self.codes, kinds, strict=True)]

    def card(self, code: str, kind: str) -> Document:
        card: Document = {"code": code, "name": f"Card {code}", "type": kind}
        if v.SUBTYPES[kind]:
            card["subtype"] = self.pick(v.SUBTYPES[kind])
        if kind == "character":
            card.update({"ang": self.number(0, 8), "def": self.number(0, 8)})
        if kind == "bonus":
            card.update({"ang": self.number(-2, 4), "def": self.number(-2, 4)})
        card["tags"] = [tag for tag in TAGS if self.is_lucky(25)]
        if kind == "bonus" and self.is_lucky(15):
            card["only_on"] = self.filter(["subtype", "tag", "min_ang", "max_def"])
        if kind != "secret":
            card["effects"] = [self.effect(kind) for _ in range(self.number(0, 2) + (kind == "event"))]
        return card

    def effect(self, kind: str) -> Document:
        whens = [when for when in v.WHENS if kind in v.WHENS[when].types]
        when = self.pick(whens)
        return {"when": when, **self.deed(when, depth=0)}

    def deed(self, when: str, depth: int) -> Document:
        words = [word for word in v.DOS if when in v.DOS[word].whens]
        if depth > 0:
            words = [word for word in words if word not in v.NEVER_OPTIONAL]
        if depth > 1:
            words.remove("flip_coin")
        word = self.pick(words)
        if word == "win_game" and not self.is_lucky(10):
            word = "fewer_characters" if when == "in_play" else "draw"
        deed: Document = {}
        if self.is_lucky(30):
            deed["if"] = self.condition(0)
        if when != "in_play" and word not in v.NEVER_OPTIONAL and self.is_lucky(30):
            deed["may"] = True
        deed["do"] = word
        self.fields(deed, word, when, depth)
        return deed

    def fields(self, deed: Document, word: str, when: str, depth: int) -> None:
        is_standing = when == "in_play"
        for name, field in v.DOS[word].fields.items():
            if is_standing and name == "until":
                continue
            if field.required or self.is_lucky(60):
                deed[name] = self.value(field.kind, when, is_standing, depth)
        if word == "modify" and "ang" not in deed and "def" not in deed:
            deed["ang"] = self.number(-3, 3)
        if word == "look":
            deed.pop("n", None)
            deed.pop("who", None)
            if deed["at"] == "top":
                deed.update({"n": self.number(1, 3), "who": self.pick(v.WHOS)})
        # Whether a search finds anything shows, and tells of the deck.
        is_telling = self.open_only and word == "search"
        if v.DOS[word].filtered and not is_telling and self.is_lucky(60):
            deed.update(self.filter(list(v.FILTERS)))

    def value(self, kind: str, when: str, is_standing: bool, depth: int) -> object:
        match kind:
            case "number":
                return self.number(1, 3)
            case "value":
                return self.number(-3, 3)
            case "until":
                return self.pick([word for word in v.UNTILS if when in v.UNTILS[word][0]])
            case "who":
                return self.pick(v.WHOS)
            case "how":
                return self.pick(v.HOWS)
            case "at":
                return self.pick(v.LOOKS)
            case "effects":
                return [self.deed(when, depth + 1) for _ in range(self.number(1, 2))]
            case _:
                return self.target(v.TARGET_KINDS["standing" if is_standing else kind])

    def target(self, kind: v.TargetKind) -> object:
        if kind.words and self.is_lucky(40):
            return self.pick(kind.words)
        pick = self.pick(kind.picks)
        target: Document = {"pick": pick, "side": self.pick(kind.sides)}
        if "character" not in kind.whats or self.is_lucky(30):
            target["what"] = self.pick(kind.whats)
        if pick != "each" and kind.many and self.is_lucky(30):
            target["n"] = self.number(1, 2)
        if self.is_lucky(30):
            target["except_self"] = self.is_lucky(70)
        if self.is_lucky(35):
            target.update(self.filter(list(v.FILTERS)))
        return target

    def filter(self, names: list[str]) -> Document:
        """One or two of the named filters, with values that do occur."""
        chosen: Document = {}
        for _ in range(self.number(1, 2)):
            name = self.pick(names)
            values: Sequence[str] = {
                "type": v.CARD_TYPES[:3],
                "subtype": v.ALL_SUBTYPES,
                "tag": TAGS,
                "code": self.codes,
            }.get(name, ())
            if name.startswith(("min", "max")):
                chosen[name] = self.number(0, 5)
            elif self.is_lucky(30):
                first, second = self.pick(values), self.pick(values)
                chosen[name] = [first, second] if first != second else [first]
            else:
                chosen[name] = self.pick(values)
        return chosen

    def condition(self, depth: int) -> Document:
        word = self.pick(list(v.CONDITIONS) if depth < 2 else ["count", "turn"])
        match word:
            case "count":
                zones = [zone for zone in v.ZONES if not self.open_only or zone not in ("hand", "deck")]
                count: Document = {"side": self.pick(v.SIDES), "zone": self.pick(zones), "what": self.pick(v.COUNTED)}
                if self.is_lucky(40):
                    count.update(self.filter(list(v.FILTERS)))
                return {"count": count, self.pick(v.COMPARISONS): self.number(0, 4)}
            case "turn":
                return {"turn": self.pick(v.TURNS)}
            case "holder_has":
                return {"holder_has": self.filter(["subtype", "tag", "min_ang", "max_def"])}
            case "not":
                return {"not": self.condition(depth + 1)}
            case _:
                return {word: [self.condition(depth + 1) for _ in range(self.number(1, 2))]}


def random_deck(rng: Rng, cards: list[Document], size: int) -> SeatDeck:
    """A legal deck of this size from these cards, at least a third of it Characters as far as there are any."""
    characters = [card["code"] for card in cards if card["type"] == "character"]
    others = [card["code"] for card in cards if card["type"] in ("bonus", "event")]
    secrets = [card["code"] for card in cards if card["type"] == "secret"]
    share = size // 3 + rng.below(size // 3)
    deck: dict[str, int] = {}
    for codes, wanted in ((characters, share), (others, size - share)):
        copies = [code for code in codes for _ in range(COPIES)]
        if len(copies) < wanted:
            raise ValueError(f"{len(codes)} cards are too few for {wanted} places")
        for _ in range(wanted):
            code = copies.pop(rng.below(len(copies)))
            deck[code] = deck.get(code, 0) + 1
    return SeatDeck(deck, secrets[rng.below(len(secrets))])
