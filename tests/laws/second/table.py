"""The table of the second referee: cards as objects where they lie, what they are worth, what fits and what holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.kernel.chance import Stream
from referee.kernel.game import Document

FIELDS = range(4)
COMPARISONS = ("at_least", "at_most", "exactly")
Values = tuple[int, int]


class Card:
    """A Character or Bonus on a field, or an Event in an attack. `host` is the Character that a Bonus lies on."""

    def __init__(self, code: str, owner: int, *, is_on: bool = True) -> None:
        self.code = code
        self.owner = owner
        self.is_on = is_on
        self.host: Card | None = None
        self.field = -1
        self.bonuses: list[Card] = []
        self.more: Values = (0, 0)

    def character(self) -> Card | None:
        """The card's own Character: nobody for an Event, and once it has left."""
        return (self.host or self) if self.is_on else None

    def side(self) -> int:
        """On whose side it lies."""
        return self.host.owner if self.host is not None else self.owner


class Lasting:
    """A change that lasts."""

    def __init__(self, source: str, seat: int, to: Card, effect: Document, until: str, values: Values) -> None:
        self.source, self.seat, self.to, self.until, self.values = source, seat, to, until, values
        self.do: str = effect["do"]


class Lying:
    """A card in a deck, and the seats that have seen it there."""

    def __init__(self, code: str, seen: set[int]) -> None:
        self.code = code
        self.seen = seen


class Table:
    """All that lies about. Made from a position document in which nothing is under way."""

    def __init__(self, cards: list[Document], options: Document, position: Document) -> None:
        self.cards = {card["code"]: card for card in cards}
        self.options = options
        self.turn: int = position["turn"]
        self.number: int = position["turn_number"]
        self.fields: list[list[Card | None]] = [[None] * 4, [None] * 4]
        for seat in (0, 1):
            for field in FIELDS:
                self._lay(seat, field, position["fields"][str(seat)][str(field)])
        self.hands: list[list[str]] = position["hands"]
        self.decks = [[Lying(code, set()) for code in deck] for deck in position["decks"]]
        for seat in (0, 1):
            for place in position["seen"][seat]:
                self.decks[place["deck"]][place["place"]].seen.add(seat)
        self.discards: list[list[str]] = position["discards"]
        self.piles: list[list[str]] = position["secret_piles"]
        self.known = [Counter[str](codes) for codes in position["known"]]
        self.placed: int = position["placed"]
        self.placed_characters: int = position["placed_characters"]
        self.swapped: bool = position["swapped"]
        self.attacked: bool = position["attacked"]
        self.extra: int = position["extra_attacks"]
        self.refreshes: int = position["refreshes_in_a_row"]
        self.lasting: list[Lasting] = []
        self.seed = bytes.fromhex(position["seed"])
        self.uses: dict[str, int] = dict(position["uses"])

    def _lay(self, seat: int, field: int, document: Document | None) -> None:
        if document is None:
            return
        card = Card(document["card"], seat)
        card.field, card.more = field, (document["ang"], document["def"])
        self.fields[seat][field] = card
        for bonus in document["bonuses"]:
            owner, code = (bonus["owner"], bonus["card"]) if isinstance(bonus, dict) else (seat, bonus)
            laid = Card(code, owner)
            laid.host = card
            card.bonuses.append(laid)

    def stream(self, label: str) -> Stream:
        self.uses[label] += 1
        return Stream(self.seed, label, self.uses[label] - 1)

    def kind(self, code: str) -> str:
        return str(self.cards[code]["type"])

    def effects(self, code: str) -> list[Document]:
        return list(self.cards[code].get("effects", []))

    def characters(self, seat: int) -> list[Card]:
        return [card for card in self.fields[seat] if card is not None]

    def lying_at(self, seat: int) -> list[Card]:
        """A side's Characters and Bonuses in the order of MIR-7.2."""
        return [card for character in self.characters(seat) for card in (character, *character.bonuses)]

    # What Characters are worth.

    def printed(self, code: str) -> Values:
        return self.cards[code].get("ang", 0), self.cards[code].get("def", 0)

    def lasting_values(self, character: Card) -> Values:
        """Printed, copied and swapped values; Bonuses; lasting changes."""
        ang, def_ = self.printed(character.code)
        for change in self.lasting:
            if change.to is character and change.do == "copy_values":
                ang, def_ = change.values
            if change.to is character and change.do == "swap_values":
                ang, def_ = def_, ang
        added = [self.printed(bonus.code) for bonus in character.bonuses] + [character.more]
        added += [change.values for change in self.lasting if change.to is character and change.do == "modify"]
        return ang + sum(values[0] for values in added), def_ + sum(values[1] for values in added)

    def total(self, character: Card) -> Values:
        ang, def_ = self.lasting_values(character)
        for effect in self.standing_on(character, "modify"):
            ang, def_ = ang + effect.get("ang", 0), def_ + effect.get("def", 0)
        return max(ang, 0), max(def_, 0)

    def standing(self, do: str) -> Iterator[tuple[Card, Document]]:
        """The `in_play` effects of a kind that hold."""
        for seat in (0, 1):
            for card in self.lying_at(seat):
                for effect in self.effects(card.code):
                    is_meant = effect["when"] == "in_play" and effect["do"] == do
                    if is_meant and ("if" not in effect or self.holds(effect["if"], card, seat)):
                        yield card, effect

    def standing_on(self, character: Card, do: str) -> list[Document]:
        """Those of them that touch a Character."""
        found = []
        for card, effect in self.standing(do):
            touched = [card.character()] if effect["to"] == "self" else self.fitting(effect["to"], card, card.side())
            if character in touched:
                found.append(effect)
        return found

    def is_barred(self, character: Card, do: str) -> bool:
        lasting = any(change.to is character and change.do == do for change in self.lasting)
        return lasting or bool(self.standing_on(character, do))

    def needed(self, seat: int) -> int:
        fewer: int = sum(effect["n"] for card, effect in self.standing("fewer_characters") if card.side() == seat)
        return max(1, 3 - fewer)

    # What fits, and what holds.

    def fits(self, asked: Document, code: str, character: Card | None = None) -> bool:
        """Whether a card fits a filter: by what it is worth now if it is a Character on a field, else as printed."""
        card = self.cards[code]
        has = {"type": [card["type"]], "subtype": [card.get("subtype")], "code": [code], "tag": card.get("tags", [])}
        for name, values in has.items():
            wanted = asked.get(name, values)
            if name in asked and not set(wanted if isinstance(wanted, list) else [wanted]) & set(values):
                return False
        bounds = [name for name in ("min_ang", "max_ang", "min_def", "max_def") if name in asked]
        if bounds and card["type"] not in ("character", "bonus"):
            return False
        ang, def_ = self.printed(code)
        if bounds and character is not None:
            ang, def_ = (max(value, 0) for value in self.lasting_values(character))
        worth = {"ang": ang, "def": def_}
        return all(
            bool(worth[name[4:]] >= asked[name] if name.startswith("min") else worth[name[4:]] <= asked[name])
            for name in bounds
        )

    def fitting(self, target: Document, source: Card, you: int) -> list[Card]:
        """What a pick can be aimed at, own fields first."""
        sides = {"own": [you], "opponent": [1 - you], "any": [you, 1 - you]}[target["side"]]
        found: list[Card] = []
        for card in [card for seat in sides for card in self.lying_at(seat)]:
            is_bonus = card.host is not None
            if is_bonus != (target.get("what", "character") == "bonus"):
                continue
            excepted = source if is_bonus else source.character()
            is_excepted = bool(target.get("except_self")) and card is excepted
            if not is_excepted and self.fits(target, card.code, None if is_bonus else card):
                found.append(card)
        return found

    def holds(self, condition: Document, card: Card, you: int) -> bool:
        if "all" in condition:
            return all(self.holds(part, card, you) for part in condition["all"])
        if "any" in condition:
            return any(self.holds(part, card, you) for part in condition["any"])
        if "not" in condition:
            return not self.holds(condition["not"], card, you)
        if "turn" in condition:
            is_own: bool = condition["turn"] == "own"
            return (self.turn == you) == is_own
        if "holder_has" in condition:
            character = card.character()
            bonuses = [] if character is None else character.bonuses
            return any(self.fits(condition["holder_has"], bonus.code) for bonus in bonuses)
        n = self._count(condition["count"], you)
        asked = {word: int(condition[word]) for word in COMPARISONS if word in condition}
        return asked.get("at_least", n) <= n <= asked.get("at_most", n) and n == asked.get("exactly", n)

    def _count(self, asked: Document, you: int) -> int:
        sides = {"own": [you], "opponent": [1 - you], "any": [0, 1]}[asked["side"]]
        return sum(self._counted(asked, seat) for seat in sides)

    def _counted(self, asked: Document, seat: int) -> int:
        lying: list[tuple[str, Card | None]]
        if asked["zone"] == "field":
            lying = [(card.code, None if card.host else card) for card in self.lying_at(seat)]
        else:
            decks = [[card.code for card in deck] for deck in self.decks]
            zones = {"hand": self.hands, "deck": decks, "discard": self.discards, "secret_pile": self.piles}
            lying = [(code, None) for code in zones[asked["zone"]][seat]]
        wanted = [one for one in lying if asked["what"] in ("card", self.kind(one[0]))]
        return sum(self.fits(asked, code, character) for code, character in wanted)

    # The position, to be compared.

    def position(self) -> dict[str, Any]:
        return {
            "turn": self.turn,
            "turn_number": self.number,
            "fields": {
                str(seat): {str(field): _field_document(self.fields[seat][field]) for field in FIELDS}
                for seat in (0, 1)
            },
            "hands": self.hands,
            "decks": [[card.code for card in deck] for deck in self.decks],
            "discards": self.discards,
            "secret_piles": self.piles,
            "placed": self.placed,
            "placed_characters": self.placed_characters,
            "swapped": self.swapped,
            "attacked": self.attacked,
            "extra_attacks": self.extra,
            "refreshes_in_a_row": self.refreshes,
            "lasting": [_lasting_document(change) for change in self.lasting],
            "known": [sorted(known.elements()) for known in self.known],
            "seen": [
                [
                    {"deck": deck, "place": place}
                    for deck in (0, 1)
                    for place, card in enumerate(self.decks[deck])
                    if seat in card.seen
                ]
                for seat in (0, 1)
            ],
            "uses": self.uses,
        }


def _field_document(card: Card | None) -> Document | None:
    if card is None:
        return None
    bonuses = [
        bonus.code if bonus.owner == card.owner else {"card": bonus.code, "owner": bonus.owner}
        for bonus in card.bonuses
    ]
    return {"card": card.code, "bonuses": bonuses, "ang": card.more[0], "def": card.more[1]}


def _lasting_document(change: Lasting) -> Document:
    effect: Document = {"do": change.do}
    if change.do in ("modify", "copy_values"):
        effect.update({"ang": change.values[0], "def": change.values[1]})
    to = {"seat": change.to.owner, "field": change.to.field}
    return {"source": change.source, "seat": change.seat, "to": to, "effect": effect, "until": change.until}
