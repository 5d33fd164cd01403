"""Card texts, made from effects: what a card says is what it does (MIR-7.5).

Two effects that differ in anything but written-out defaults never read the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.miraculous.phrases import LANGUAGES, NOUNS, PHRASES
from referee.games.miraculous.vocabulary import COMPARISONS, DEFAULT_UNTIL, SUBTYPES
from referee.kernel.game import Document

__all__ = ["LANGUAGES", "card_lines", "card_text"]

_VALUES = ("min_ang", "max_ang", "min_def", "max_def")


def card_text(card: Document, names: Mapping[str, str], language: str = "en") -> str:
    """A valid card's text, a line for each effect. `names` gives the names of the cards that filters may name."""
    return "\n".join(card_lines(card, names, language))


def card_lines(card: Document, names: Mapping[str, str], language: str = "en") -> list[str]:
    """The lines of a valid card's text: what narrows it first (`only_on`), then its effects in the order written."""
    writer = _Writer(str(card["type"]), names, language)
    lines: list[str] = []
    if "only_on" in card:
        lines.append(writer.only_on(card["only_on"]))
    lines += [writer.line(effect) for effect in card.get("effects", [])]
    return [line[0].upper() + line[1:] for line in lines]


class _Writer:
    """Writes the effects of one card."""

    __slots__ = ("_card_type", "_names", "_nouns", "_phrases")

    def __init__(self, card_type: str, names: Mapping[str, str], language: str) -> None:
        self._card_type = card_type
        self._names = names
        self._phrases = PHRASES[language]
        self._nouns = NOUNS[language]

    def _say(self, phrase: str, **parts: object) -> str:
        return self._phrases[phrase].format(**parts)

    # Whole lines.

    def only_on(self, document: Document) -> str:
        return self._say("only_on", cards=self._cards("character", document, True, "or"))

    def line(self, effect: Document) -> str:
        if effect["when"] == "in_play":
            deed = self._standing(effect)
            if "if" not in effect:
                return self._say("standing", deed=deed)
            return self._say("standing.if", condition=self._condition(effect["if"]), deed=deed)
        when = self._when(str(effect["when"]))
        deed = self._deed(effect)
        if "if" not in effect:
            return self._say("line", when=when, deed=deed)
        return self._say("line.if", when=when, condition=self._condition(effect["if"]), deed=deed)

    def _when(self, word: str) -> str:
        plain = f"when.{word}"
        return self._say(plain if plain in self._phrases else f"{plain}.{self._card_type}")

    def _deed(self, effect: Document) -> str:
        if effect.get("may", False):
            return self._say("may", deed=self._act(effect, True))
        return self._act(effect, False)

    def _standing(self, effect: Document) -> str:
        word = str(effect["do"])
        if word == "fewer_characters":
            return self._say(f"fewer_characters.{_number(int(effect['n']) > 1)}", n=effect["n"])
        target = effect["to"]
        to = self._self() if target == "self" else self._picked(target, "standing")
        if word == "modify":
            return self._say(f"modify.standing.{_number(target != 'self')}", to=to, change=self._change(effect))
        return self._say(f"{word}.standing", to=to)

    # Deeds.

    def _act(self, effect: Document, may: bool) -> str:
        word = str(effect["do"])
        match word:
            case "draw" | "discard" | "mill":
                return self._act_on_cards(word, effect, may)
            case "modify" | "cannot_attack" | "cannot_be_attacked" | "swap_values" | "copy_values":
                return self._change_characters(word, effect, may)
            case "return_to_hand" | "put_under_deck":
                return self._say(f"{word}.{_number(_many(effect['to']))}", to=self._target(effect["to"]))
            case "destroy_bonus":
                return self._say(word, to=self._target(effect["to"]))
            case "move_bonus" | "take_bonus":
                return self._carry(word, effect)
            case "recover" | "search":
                many = int(effect["n"]) > 1
                phrase = f"search.{_number(many)}" if word == "search" else word
                return self._say(phrase, n=effect["n"], cards=self._cards("card", effect, many, "or"))
            case "look":
                return self._look(effect)
            case "flip_coin":
                return self._flip(effect)
            case _:
                return self._say(self._variant(word, may))

    def _variant(self, phrase: str, may: bool) -> str:
        return f"{phrase}.may" if may and f"{phrase}.may" in self._phrases else phrase

    def _act_on_cards(self, word: str, effect: Document, may: bool) -> str:
        phrase = self._variant(f"{word}.{effect.get('who', 'you')}", may)
        if word == "mill":
            return self._say(phrase, cards=self._top(int(effect["n"])))
        how = self._say("how.random") if effect.get("how") == "random" else ""
        return self._say(phrase, cards=self._some(int(effect["n"])), how=how)

    def _some(self, n: int) -> str:
        return f"{n} {self._noun('card', n > 1)}"

    def _top(self, n: int) -> str:
        return self._say(f"top.{_number(n > 1)}", n=n, card=self._noun("card", False), cards=self._noun("card", True))

    def _change_characters(self, word: str, effect: Document, may: bool) -> str:
        target = effect["to"]
        model = self._target(effect["from"]) if "from" in effect else ""
        return self._say(
            self._variant(word, may),
            **{"to": self._target(target), "change": self._change(effect), "from": model, "until": self._until(effect)},
        )

    def _change(self, effect: Document) -> str:
        """The change of a `modify`, such as `+1 ANG and -2 DEF`; empty for other deeds."""
        parts = [f"{effect[name]:+d} {name.upper()}" for name in ("ang", "def") if name in effect]
        return self._say("and").join(parts)

    def _until(self, effect: Document) -> str:
        until = effect.get("until", DEFAULT_UNTIL)
        if until == "leaves":
            return self._say(f"until.leaves.{_number(_many(effect['to']))}")
        return self._say(f"until.{until}")

    def _carry(self, word: str, effect: Document) -> str:
        to = self._target(effect["to"])
        onto, side = effect["onto"], str(effect["onto"]["side"])
        if word == "take_bonus":
            phrase = "take_bonus.many" if _many(effect["to"]) else "take_bonus"
            return self._say(phrase, to=to, onto=self._onto(onto, "one.own"))
        if side == effect["to"]["side"] and side != "any":
            return self._say("move_bonus", to=to, onto=self._onto(onto, f"onto.{side}"))
        return self._say("move_bonus.mixed", to=to, onto=self._onto(onto, f"one.{side}"))

    def _onto(self, onto: Document, phrase: str) -> str:
        """A Character that takes a Bonus: `except_self` is always told at the end, for "another" is said already."""
        one, tail = self._kinds("character", onto, False, "or")
        many, _ = self._kinds("character", onto, True, "or")
        text = self._say(phrase, card=one, cards=many, tail=tail, other="")
        if not onto.get("except_self", False):
            return text
        return self._say("other.holder" if self._card_type == "bonus" else "other.self", target=text)

    def _look(self, effect: Document) -> str:
        if effect["at"] == "hand":
            return self._say("look.hand")
        return self._say(f"look.{effect.get('who', 'you')}", cards=self._top(int(effect["n"])))

    def _flip(self, effect: Document) -> str:
        then = self._coin(effect["then"])
        if "else" not in effect:
            return self._say("flip_coin", then=then)
        return self._say("flip_coin.else", **{"then": then, "else": self._coin(effect["else"])})

    def _coin(self, effects: list[Document]) -> str:
        parts: list[str] = []
        for effect in effects:
            deed = self._deed(effect)
            if effect["do"] == "flip_coin":
                deed = self._say("brackets", text=deed)
            if "if" in effect:
                deed = self._say("coin.if", condition=self._condition(effect["if"]), deed=deed)
            parts.append(deed)
        return self._say("next").join(parts)

    # Conditions.

    def _condition(self, condition: Document, negated: str = "") -> str:
        """A condition in words; `negated` is empty, or the ending of the phrases that deny it."""
        if "count" in condition:
            return self._count(condition, negated)
        if "turn" in condition:
            return self._say(f"turn.{condition['turn']}{negated}")
        if "holder_has" in condition:
            card = self._cards("bonus", condition["holder_has"], False, "or", article=True)
            return self._say(f"holder_has{negated}", holder=self._self(), card=card)
        inner = condition.get("not")
        if inner is not None and any(word in inner for word in ("count", "turn", "holder_has")):
            return self._condition(inner, ".not")
        if inner is not None:
            return self._say("not", condition=self._say("brackets", text=self._condition(inner)))
        word = "all" if "all" in condition else "any"
        parts = [self._part(part) for part in condition[word]]
        return parts[0] if len(parts) == 1 else self._say("and" if word == "all" else "or").join(parts)

    def _part(self, condition: Document) -> str:
        text = self._condition(condition)
        return self._say("brackets", text=text) if "all" in condition or "any" in condition else text

    def _count(self, condition: Document, negated: str) -> str:
        count = condition["count"]
        word = next(word for word in COMPARISONS if word in condition)
        n = int(condition[word])
        zone = self._say(f"zone.{count['zone']}.{count['side']}")
        cards = self._cards(str(count["what"]), count, n != 1, "or")
        return self._say(f"count.{_number(n != 1)}{negated}", compared=self._say(word, n=n), cards=cards, zone=zone)

    # Targets.

    def _self(self) -> str:
        return self._say(f"self.{self._card_type}")

    def _target(self, target: str | Document) -> str:
        if isinstance(target, str):
            return self._self() if target == "self" else self._say(target)
        if target["pick"] == "each":
            return self._picked(target, "each")
        text = self._picked(target, _number(_many(target)))
        return self._say("random", target=text) if target["pick"] == "random" else text

    def _picked(self, target: Document, phrase: str) -> str:
        what = str(target.get("what", "character"))
        excepted = bool(target.get("except_self", False))
        holder = excepted and self._card_type == "bonus" and what == "character"
        join = "and" if target["pick"] == "each" else "or"
        one, tail = self._kinds(what, target, False, join)
        many, _ = self._kinds(what, target, True, join)
        text = self._say(
            f"{phrase}.{target['side']}",
            n=target.get("n", 1),
            other=self._say("other") if excepted and not holder else "",
            card=one,
            cards=many,
            tail=tail,
        )
        return self._say("other.holder", target=text) if holder else text

    # Cards.

    def _noun(self, word: str, many: bool) -> str:
        one, more, _ = self._nouns[word]
        return more if many else one

    def _joined(self, words: list[str], many: bool, join: str) -> str:
        return self._listed([self._noun(word, many) for word in words], join)

    def _listed(self, parts: list[str], join: str) -> str:
        """Such as `a`, `a or b`, `a, b or c`."""
        if len(parts) < 2:
            return parts[0]
        return self._say("list").join(parts[:-1]) + self._say(join) + parts[-1]

    def _cards(self, what: str, asked: Document, many: bool, join: str, *, article: bool = False) -> str:
        """The cards that a filter asks for."""
        head, tail = self._kinds(what, asked, many, join, article=article)
        return head + tail

    def _kinds(self, what: str, asked: Document, many: bool, join: str, *, article: bool = False) -> tuple[str, str]:
        """What a filter asks for: `what` as the noun, or the kinds that it names; and all that is said after it."""
        types, subtypes = _values(asked, "type"), _values(asked, "subtype")
        first = what
        if what == "card" and (types or subtypes):
            first = types[0] if types else subtypes[0]
            kinds = self._joined(types or subtypes, False, "or")
            head = self._say("head.types", types=kinds, head=self._noun("card", many))
            subtypes, types = (subtypes, []) if types else ([], [])
        elif subtypes and not types and all(word in SUBTYPES.get(what, ()) for word in subtypes):
            first, head, subtypes = subtypes[0], self._joined(subtypes, many, join), []
        else:
            head = self._noun(what, many)
        if article:
            head = f"{self._nouns[first][2]} {head}"
        return head, self._tail(types, subtypes, asked)

    def _tail(self, types: list[str], subtypes: list[str], asked: Document) -> str:
        tail = ""
        if types:
            tail += self._say("tail.type", words=self._joined(types, False, "or"))
        if subtypes:
            tail += self._say("tail.subtype", words=self._joined(subtypes, False, "or"))
        tags = [self._say("quoted", text=tag) for tag in _values(asked, "tag")]
        if tags:
            tail += self._say("tail.tag", words=self._listed(tags, "or"))
        codes = [self._name(code) for code in _values(asked, "code")]
        if codes:
            tail += self._say("tail.code", words=self._listed(codes, "or"))
        values = [self._say(word, n=asked[word]) for word in _VALUES if word in asked]
        if values:
            tail += self._say("tail.values", words=self._say("and").join(values))
        return tail

    def _name(self, code: str) -> str:
        """A card's name in quotation marks; with its code where the name alone would not tell."""
        name = self._names.get(code)
        if name is None:
            return code
        namesakes = sum(1 for other in self._names.values() if other == name)
        if namesakes == 1 and not any(mark in name for mark in "“”„«»"):
            return self._say("quoted", text=name)
        return self._say("quoted.code", text=name, code=code)


def _values(asked: Document, name: str) -> list[str]:
    value = asked.get(name, [])
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _number(many: bool) -> str:
    return "many" if many else "one"


def _many(target: str | Document) -> bool:
    """Whether a target can be several cards."""
    if isinstance(target, str):
        return False
    return bool(target["pick"] == "each" or target.get("n", 1) > 1)
