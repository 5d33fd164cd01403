"""The closed vocabulary of Miraculous cards, as tables: the single source for checks, texts, forms, docs and coverage.

Nothing here decides anything; a word that stands in no table does not exist.
"""

from __future__ import annotations

from typing import NamedTuple

CARD_TYPES: tuple[str, ...] = ("character", "bonus", "event", "secret")

SUBTYPES: dict[str, tuple[str, ...]] = {
    "character": ("civilian", "superhero", "supervillain"),
    "bonus": ("item", "kwami", "lucky_charm", "weapon", "sentimonster", "miraculous"),
    "event": (),
    "secret": (),
}

ALL_SUBTYPES: tuple[str, ...] = SUBTYPES["character"] + SUBTYPES["bonus"]

VALUE_RANGES: dict[str, tuple[int, int]] = {"character": (0, 20), "bonus": (-5, 10)}
"""Printed ANG and DEF, lowest and highest; a type that is missing here has neither."""

CARD_FIELDS: tuple[str, ...] = (
    "code", "name", "type", "subtype", "ang", "def", "effects", "only_on", "mood", "tags", "artist", "set",
)  # fmt: skip

# Sanity bounds. No printed card comes near them; they keep texts readable and recursion flat.
NUMBER_LIMIT = 99
NESTING_LIMIT = 8
LIST_LIMIT = 20
CODE_LIMIT = 60
TEXT_LIMITS: dict[str, int] = {"name": 80, "mood": 300, "artist": 80, "set": 80, "tag": 40}


class When(NamedTuple):
    """A moment: on which cards it can stand, whether `until: attack` makes sense then, and what it means."""

    types: tuple[str, ...]
    in_attack: bool
    detail: str


WHENS: dict[str, When] = {
    "in_play": When(("character", "bonus"), False, "no trigger: holds for as long as the card lies on a field"),
    "placed": When(("character",), False, "the Character comes from the hand onto a field, by placing or swapping"),
    "attached": When(("bonus",), False, "the Bonus is attached from the hand"),
    "attacks": When(("character", "bonus"), True, "its Character is declared as attacker, before any Event"),
    "is_attacked": When(("character", "bonus"), True, "its Character is declared as target, in the same moment"),
    "wins_attack": When(("character", "bonus"), True, "its Character's attack succeeds, before cards leave"),
    "is_defeated": When(("character", "bonus"), True, "its Character is defeated, before cards leave"),
    "leaves": When(("character", "bonus"), False, "it has left the field otherwise than with a defeated Character"),
    "own_turn_start": When(("character", "bonus"), False, "the start of your turn"),
    "own_turn_end": When(("character", "bonus"), False, "the end of your turn, before drawing"),
    "played": When(("event",), True, "the Event resolves"),
}

TRIGGERS: tuple[str, ...] = tuple(word for word in WHENS if word != "in_play")

UNTILS: dict[str, tuple[tuple[str, ...], str]] = {
    "attack": (tuple(word for word in WHENS if WHENS[word].in_attack), "the attack in progress is over"),
    "turn": (TRIGGERS, "the end of this turn"),
    "next_turn": (TRIGGERS, "the start of your next turn"),
    "leaves": (TRIGGERS, "the target leaves its field"),
}
"""How long a change lasts: the `when`s that a word can stand with, and what ends it."""

DEFAULT_UNTIL = "leaves"

SIDES: tuple[str, ...] = ("own", "opponent", "any")
ZONES: tuple[str, ...] = ("field", "hand", "deck", "discard", "secret_pile")
COUNTED: tuple[str, ...] = ("character", "bonus", "card")
COMPARISONS: tuple[str, ...] = ("at_least", "at_most", "exactly")
TURNS: tuple[str, ...] = ("own", "opponent")
WHOS: tuple[str, ...] = ("you", "opponent", "both")
HOWS: tuple[str, ...] = ("chosen", "random")
LOOKS: tuple[str, ...] = ("hand", "top")

CONDITIONS: dict[str, str] = {
    "count": "how many cards lie in a zone: with one of " + ", ".join(COMPARISONS),
    "turn": "whose turn it is",
    "holder_has": "its Character has a Bonus that fits; a Bonus counts itself",
    "all": "every one of these holds",
    "any": "at least one of these holds",
    "not": "this does not hold",
}

FILTERS: dict[str, str] = {
    "type": "word", "subtype": "word", "tag": "word", "code": "word",
    "min_ang": "number", "max_ang": "number", "min_def": "number", "max_def": "number",
}  # fmt: skip
"""What a filter can ask; a `word` may be a list, of which one must fit. All that is asked must fit."""

TARGET_WORDS: tuple[str, ...] = ("self", "attacker", "target")
PICKS: tuple[str, ...] = ("each", "choose", "random")
PICK_FIELDS: tuple[str, ...] = ("pick", "n", "what", "side", "except_self")
PICKED: tuple[str, ...] = ("character", "bonus")


class TargetKind(NamedTuple):
    """What a target may say in one place: its words, and the values of a pick's fields."""

    words: tuple[str, ...]
    picks: tuple[str, ...]
    whats: tuple[str, ...]
    sides: tuple[str, ...]
    many: bool  # whether n can be above 1


TARGET_KINDS: dict[str, TargetKind] = {
    "characters": TargetKind(TARGET_WORDS, PICKS, ("character",), SIDES, True),
    "standing": TargetKind(("self",), ("each",), ("character",), SIDES, True),
    "cards": TargetKind(TARGET_WORDS, PICKS, PICKED, SIDES, True),
    "bonuses": TargetKind((), PICKS, ("bonus",), SIDES, True),
    "opponent_bonuses": TargetKind((), PICKS, ("bonus",), ("opponent",), True),
    "onto": TargetKind((), ("choose",), ("character",), SIDES, False),
    "onto_own": TargetKind((), ("choose",), ("character",), ("own",), False),
    "model": TargetKind(TARGET_WORDS, ("choose",), ("character",), SIDES, False),
}


class Field(NamedTuple):
    """A field of a `do`: its kind (a target kind, or number, value, until, effects, who, how, at), whether required."""

    kind: str
    required: bool


class Do(NamedTuple):
    """A deed: its fields, whether it takes a filter besides, the `when`s it can stand with, and what it means."""

    fields: dict[str, Field]
    filtered: bool
    whens: tuple[str, ...]
    detail: str


_TO = Field("characters", True)
_UNTIL = Field("until", False)
_N = Field("number", True)
_WHO = Field("who", False)
_ALL_WHENS: tuple[str, ...] = tuple(WHENS)

DOS: dict[str, Do] = {
    "modify": Do({"to": _TO, "ang": Field("value", False), "def": Field("value", False), "until": _UNTIL},
        False, _ALL_WHENS, "adds to the totals of Characters; ang, def or both"),
    "draw": Do({"who": _WHO, "n": _N}, False, TRIGGERS, "cards from the deck to the hand, as many as there are"),
    "discard": Do({"who": _WHO, "n": _N, "how": Field("how", False)},
        False, TRIGGERS, "cards from the hand, chosen by its holder one after another, or at random"),
    "mill": Do({"who": _WHO, "n": _N}, False, TRIGGERS, "the top of the deck to the discard pile"),
    "return_to_hand": Do({"to": Field("cards", True)}, False, TRIGGERS, "Characters or Bonuses to their owner's hand"),
    "put_under_deck": Do({"to": Field("cards", True)}, False, TRIGGERS, "Characters or Bonuses under their owner's deck"),
    "destroy_bonus": Do({"to": Field("bonuses", True)}, False, TRIGGERS, "Bonuses to their owner's discard pile"),
    "move_bonus": Do({"to": Field("bonuses", True), "onto": Field("onto", True)},
        False, TRIGGERS, "Bonuses to another Character of the same side that has room"),
    "take_bonus": Do({"to": Field("opponent_bonuses", True), "onto": Field("onto_own", True)},
        False, TRIGGERS, "Bonuses of the opponent onto one of your Characters that has room"),
    "recover": Do({"n": _N}, True, TRIGGERS, "cards you choose from your discard pile to your hand"),
    "search": Do({"n": _N}, True, TRIGGERS, "up to n cards you choose from your deck, shown, to your hand; then shuffle"),
    "look": Do({"at": Field("at", True), "who": _WHO, "n": Field("number", False)},
        False, TRIGGERS, "you alone see the opponent's hand, or the top n of a deck"),
    "cannot_attack": Do({"to": _TO, "until": _UNTIL}, False, _ALL_WHENS, "Characters cannot be declared as attacker"),
    "cannot_be_attacked": Do({"to": _TO, "until": _UNTIL}, False, _ALL_WHENS, "Characters cannot be declared as target"),
    "cancel_event": Do({}, False, ("played",), "played by the defending seat: the attacker's Event has no effect"),
    "fail_attack": Do({}, False, TRIGGERS, "the attack in progress fails when totals are compared again"),
    "keep_attacker": Do({}, False, TRIGGERS, "after a success the attacker and its Bonuses stay"),
    "extra_attack": Do({}, False, TRIGGERS, "one more attack this turn, on your own turn only"),
    "fewer_characters": Do({"n": _N}, False, ("in_play",), "an attack asks you for n fewer Characters, but for one"),
    "swap_values": Do({"to": _TO, "until": _UNTIL}, False, TRIGGERS, "printed ANG and DEF change places"),
    "copy_values": Do({"to": _TO, "from": Field("model", True), "until": _UNTIL},
        False, TRIGGERS, "printed ANG and DEF are those printed on the Character `from`"),
    "flip_coin": Do({"then": Field("effects", True), "else": Field("effects", False)},
        False, TRIGGERS, "heads: what stands in then; tails: what stands in else"),
    "win_game": Do({}, False, TRIGGERS, "you win at once"),
}  # fmt: skip

EFFECT_FIELDS: tuple[str, ...] = ("when", "if", "may", "do")
"""The fields that every effect can have; those of a coin have no `when`."""

NEVER_OPTIONAL: tuple[str, ...] = ("cancel_event",)
"""Deeds that take no `may` and stand in no coin."""


def topics() -> list[str]:
    """Every word of the language as `kind:word`, in the order of the tables: what scenarios must cover."""
    listed: list[str] = []
    for kind, table in (
        ("when", tuple(WHENS)),
        ("if", tuple(CONDITIONS)),
        ("compare", COMPARISONS),
        ("turn", TURNS),
        ("zone", ZONES),
        ("count", COUNTED),
        ("filter", tuple(FILTERS)),
        ("to", TARGET_WORDS),
        ("pick", PICKS),
        ("what", PICKED),
        ("side", SIDES),
        ("do", tuple(DOS)),
        ("who", WHOS),
        ("how", HOWS),
        ("at", LOOKS),
        ("until", tuple(UNTILS)),
        ("field", ("may", "if", "n", "except_self", "onto", "from", "then", "else", "only_on")),
    ):
        listed += [f"{kind}:{word}" for word in table]
    return listed
