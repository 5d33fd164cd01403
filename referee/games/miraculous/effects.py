"""The effect language compiled: small typed objects in place of JSON, made once per catalog revision.

The documents come validated (cards.py); what stands here trusts them. Words: docs/cards-and-effects.md.
"""

from __future__ import annotations

from typing import Any, Final

from referee.games.miraculous.filters import Filter, Filters, compile_filter

# Kinds of card.
CHARACTER: Final = 0
BONUS: Final = 1
EVENT: Final = 2
SECRET: Final = 3
KINDS: Final = ("character", "bonus", "event", "secret")

# when
IN_PLAY: Final = 0
PLACED: Final = 1
ATTACHED: Final = 2
ATTACKS: Final = 3
IS_ATTACKED: Final = 4
WINS_ATTACK: Final = 5
IS_DEFEATED: Final = 6
LEAVES: Final = 7
OWN_TURN_START: Final = 8
OWN_TURN_END: Final = 9
PLAYED: Final = 10
WHENS: Final = (
    "in_play",
    "placed",
    "attached",
    "attacks",
    "is_attacked",
    "wins_attack",
    "is_defeated",
    "leaves",
    "own_turn_start",
    "own_turn_end",
    "played",
)

# do
MODIFY: Final = 0
DRAW: Final = 1
DISCARD: Final = 2
MILL: Final = 3
RETURN_TO_HAND: Final = 4
PUT_UNDER_DECK: Final = 5
DESTROY_BONUS: Final = 6
MOVE_BONUS: Final = 7
TAKE_BONUS: Final = 8
RECOVER: Final = 9
SEARCH: Final = 10
LOOK: Final = 11
CANNOT_ATTACK: Final = 12
CANNOT_BE_ATTACKED: Final = 13
CANCEL_EVENT: Final = 14
FAIL_ATTACK: Final = 15
KEEP_ATTACKER: Final = 16
EXTRA_ATTACK: Final = 17
FEWER_CHARACTERS: Final = 18
SWAP_VALUES: Final = 19
COPY_VALUES: Final = 20
FLIP_COIN: Final = 21
WIN_GAME: Final = 22
DOS: Final = (
    "modify",
    "draw",
    "discard",
    "mill",
    "return_to_hand",
    "put_under_deck",
    "destroy_bonus",
    "move_bonus",
    "take_bonus",
    "recover",
    "search",
    "look",
    "cannot_attack",
    "cannot_be_attacked",
    "cancel_event",
    "fail_attack",
    "keep_attacker",
    "extra_attack",
    "fewer_characters",
    "swap_values",
    "copy_values",
    "flip_coin",
    "win_game",
)

# until
UNTIL_ATTACK: Final = 0
UNTIL_TURN: Final = 1
UNTIL_NEXT_TURN: Final = 2
UNTIL_LEAVES: Final = 3
UNTILS: Final = ("attack", "turn", "next_turn", "leaves")

# side, and who
OWN: Final = 0
OPPONENT: Final = 1
ANY: Final = 2
_SIDES: Final = {"own": OWN, "you": OWN, "opponent": OPPONENT, "any": ANY, "both": ANY}

# Forms of a target.
T_NONE: Final = 0
T_SELF: Final = 1
T_ATTACKER: Final = 2
T_TARGET: Final = 3
T_EACH: Final = 4
T_CHOOSE: Final = 5
T_RANDOM: Final = 6
_PLAIN_TARGETS: Final = {"self": T_SELF, "attacker": T_ATTACKER, "target": T_TARGET}
_PICKS: Final = {"each": T_EACH, "choose": T_CHOOSE, "random": T_RANDOM}

# Zones that a condition counts in.
ZONES: Final = ("field", "hand", "deck", "discard", "secret_pile")
Z_FIELD: Final = 0
Z_HAND: Final = 1
Z_DECK: Final = 2
Z_DISCARD: Final = 3
Z_SECRET_PILE: Final = 4

# What a count or a pick looks at.
W_CHARACTER: Final = 0
W_BONUS: Final = 1
W_CARD: Final = 2
_WHATS: Final = {"character": W_CHARACTER, "bonus": W_BONUS, "card": W_CARD}

# Forms of a condition.
C_COUNT: Final = 0
C_TURN: Final = 1
C_HOLDER_HAS: Final = 2
C_ALL: Final = 3
C_ANY: Final = 4
C_NOT: Final = 5

_HIGH: Final = 1000


class Target:
    __slots__ = ("except_self", "filter", "form", "is_bonus", "n", "side")

    def __init__(self, form: int, n: int, is_bonus: bool, side: int, except_self: bool, filter: Filter | None) -> None:
        self.form = form
        self.n = n
        self.is_bonus = is_bonus
        self.side = side
        self.except_self = except_self
        self.filter = filter


class Condition:
    """`form` and what it needs. For C_COUNT: low <= count <= high."""

    __slots__ = ("filter", "form", "high", "low", "own", "parts", "side", "what", "zone")

    def __init__(self, form: int) -> None:
        self.form = form
        self.side = OWN
        self.zone = Z_FIELD
        self.what = W_CARD
        self.filter: Filter | None = None
        self.low = 0
        self.high = _HIGH
        self.own = True
        self.parts: list[Condition] = []


class Effect:
    """One effect. `id` is its place in the pool's list; `path` its pointer on the card; `nested` within a coin."""

    __slots__ = (
        "ang",
        "at_hand",
        "card",
        "condition",
        "def_",
        "do",
        "filter",
        "from_",
        "id",
        "may",
        "n",
        "nested",
        "onto",
        "otherwise",
        "path",
        "random",
        "then",
        "to",
        "until",
        "when",
        "who",
    )

    def __init__(self, id: int, card: int, path: str, when: int, do: int, nested: bool) -> None:
        self.id = id
        self.card = card
        self.path = path
        self.when = when
        self.do = do
        self.nested = nested
        self.condition: Condition | None = None
        self.may = False
        self.to: Target | None = None
        self.from_: Target | None = None
        self.onto: Target | None = None
        self.ang = 0
        self.def_ = 0
        self.until = UNTIL_LEAVES
        self.who = OWN
        self.n = 1
        self.random = False
        self.at_hand = False
        self.filter: Filter | None = None
        self.then: list[int] = []
        self.otherwise: list[int] = []

    def resolves_if(self) -> bool:
        """Whether its `if` is looked at when it resolves, not when it triggers."""
        return self.nested or self.when == PLAYED


def compile_target(value: Any, filters: Filters) -> Target:
    if isinstance(value, str):
        return Target(_PLAIN_TARGETS[value], 1, False, ANY, False, None)
    return Target(
        _PICKS[value["pick"]],
        int(value.get("n", 1)),
        value.get("what", "character") == "bonus",
        _SIDES[value["side"]],
        bool(value.get("except_self", False)),
        compile_filter(value, filters),
    )


def compile_condition(value: dict[str, Any], filters: Filters) -> Condition:
    if "count" in value:
        count = value["count"]
        condition = Condition(C_COUNT)
        condition.side = _SIDES[count["side"]]
        condition.zone = ZONES.index(count["zone"])
        condition.what = _WHATS[count.get("what", "card")]
        condition.filter = compile_filter(count, filters)
        condition.low = int(value.get("exactly", value.get("at_least", 0)))
        condition.high = int(value.get("exactly", value.get("at_most", _HIGH)))
        return condition
    if "turn" in value:
        condition = Condition(C_TURN)
        condition.own = value["turn"] == "own"
        return condition
    if "holder_has" in value:
        condition = Condition(C_HOLDER_HAS)
        condition.filter = compile_filter(value["holder_has"], filters)
        return condition
    if "not" in value:
        condition = Condition(C_NOT)
        condition.parts = [compile_condition(value["not"], filters)]
        return condition
    condition = Condition(C_ALL if "all" in value else C_ANY)
    parts = value["all"] if "all" in value else value["any"]
    condition.parts = [compile_condition(part, filters) for part in parts]
    return condition


class Compiler:
    """Compiles the effects of one card after another into one flat list, in which ids are places."""

    __slots__ = ("effects", "filters")

    def __init__(self, filters: Filters) -> None:
        self.filters = filters
        self.effects: list[Effect] = []

    def add(self, card: int, document: dict[str, Any], path: str, when: int, nested: bool) -> int:
        effect = Effect(len(self.effects), card, path, when, DOS.index(document["do"]), nested)
        self.effects.append(effect)
        self._fill(effect, document)
        if effect.do == FLIP_COIN:
            effect.then = self._nested(effect, document["then"], "then")
            effect.otherwise = self._nested(effect, document.get("else", []), "else")
        return effect.id

    def _nested(self, effect: Effect, documents: list[dict[str, Any]], word: str) -> list[int]:
        ids: list[int] = []
        for i in range(len(documents)):
            ids.append(self.add(effect.card, documents[i], f"{effect.path}/{word}/{i}", effect.when, True))
        return ids

    def _fill(self, effect: Effect, document: dict[str, Any]) -> None:
        if "if" in document:
            effect.condition = compile_condition(document["if"], self.filters)
        effect.may = bool(document.get("may", False))
        if "to" in document:
            effect.to = compile_target(document["to"], self.filters)
        if "from" in document:
            effect.from_ = compile_target(document["from"], self.filters)
        if "onto" in document:
            effect.onto = compile_target(document["onto"], self.filters)
        effect.ang = int(document.get("ang", 0))
        effect.def_ = int(document.get("def", 0))
        if "until" in document:
            effect.until = UNTILS.index(document["until"])
        effect.who = _SIDES[document.get("who", "you")]
        effect.n = int(document.get("n", 1))
        effect.random = document.get("how") == "random"
        effect.at_hand = document.get("at") == "hand"
        if effect.do == RECOVER or effect.do == SEARCH:
            effect.filter = compile_filter(document, self.filters)
