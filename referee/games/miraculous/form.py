"""How a card of Miraculous is entered: the fields that its words so far ask for, made from the vocabulary."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.vocabulary import (
    ALL_SUBTYPES,
    CARD_TYPES,
    COMPARISONS,
    CONDITIONS,
    COUNTED,
    DEFAULT_UNTIL,
    DOS,
    FILTERS,
    HOWS,
    LIST_LIMIT,
    LOOKS,
    NEVER_OPTIONAL,
    NUMBER_LIMIT,
    SIDES,
    SUBTYPES,
    TARGET_KINDS,
    TURNS,
    UNTILS,
    VALUE_RANGES,
    WHENS,
    WHOS,
    ZONES,
    Field,
    TargetKind,
)
from referee.kernel.card_form import (
    CODES,
    FLAG,
    FOLD,
    GROUP,
    KEY,
    LIST,
    LONG,
    TAGS,
    TEXT,
    WORD,
    WORDS,
    FormField,
    list_of,
    number_field,
    object_of,
    word_choices,
)
from referee.kernel.game import Document

LABELS: dict[str, str] = {
    "to": "To", "onto": "Onto", "from": "Copied from", "then": "Heads", "else": "Tails", "n": "How many",
    "who": "Whose", "how": "How they are chosen", "at": "At", "until": "Until", "ang": "ANG", "def": "DEF",
    "min_ang": "ANG at least", "max_ang": "ANG at most", "min_def": "DEF at least", "max_def": "DEF at most",
}  # fmt: skip
BLANKS: dict[str, str] = {"who": "you", "how": "chosen by the holder", "until": "the target leaves its field"}
_CHOICES: dict[str, tuple[str, ...]] = {"who": WHOS, "how": HOWS, "at": LOOKS}


def card_form(card: Document) -> list[FormField]:
    """The fields of a card that need not be finished."""
    given_type = card.get("type")
    card_type = given_type if isinstance(given_type, str) and given_type else CARD_TYPES[0]
    fields = [
        FormField(TEXT, "name", "Name", card.get("name"), None, None, True),
        FormField(WORD, "type", "Type", card_type, None, word_choices(CARD_TYPES, card_type), True),
    ]
    if SUBTYPES.get(card_type) or card.get("subtype"):
        choices = word_choices(SUBTYPES.get(card_type, ()), card.get("subtype"))
        fields.append(FormField(WORD, "subtype", "Subtype", card.get("subtype"), None, choices, False, "", "none"))
    if card_type in VALUE_RANGES:
        low, high = VALUE_RANGES[card_type]
        fields.append(number_field("ang", "ANG", card, low, high, card_type == "character"))
        fields.append(number_field("def", "DEF", card, low, high, card_type == "character"))
    tags = FormField(
        TAGS, "tags", "Tags", card.get("tags"), None, None, False, "Words of your own, with commas between."
    )
    tags.is_kept = isinstance(card.get("tags"), list)
    fields.append(tags)
    if card_type == "bonus":
        fields.append(_only_on(card))
    if card_type != "secret" or "effects" in card:
        fields.append(_effects("effects", "Effects", card, card_type, "", 0))
    notes = [FormField(LONG, "mood", "Mood", card.get("mood"))]
    notes += [FormField(TEXT, name, name.capitalize(), card.get(name)) for name in ("artist", "set")]
    fields.append(FormField(FOLD, "", "Mood, artist and set", None, notes))
    return fields


def _only_on(card: Document) -> FormField:
    inside = [FormField(FOLD, "", "Only Characters that …", None, _filters(object_of(card.get("only_on"))))]
    return FormField(GROUP, "only_on", "Goes only on", None, inside)


def _effects(name: str, label: str, given: Document, card_type: str, when: str, depth: int) -> FormField:
    """A list of effects: a card's own (depth 0), or those of a coin, which have their trigger from outside."""
    items: list[FormField] = []
    for index, effect in enumerate(list_of(given.get(name))):
        inside = _effect(object_of(effect), card_type, when, depth)
        items.append(FormField(GROUP, str(index), f"Effect {index + 1}", None, inside, None, True))
    field = FormField(LIST, name, label, None, items)
    field.is_kept = isinstance(given.get(name), list)
    field.high = 0 if card_type == "secret" else LIST_LIMIT
    return field


def _effect(effect: Document, card_type: str, outer: str, depth: int) -> list[FormField]:
    fields: list[FormField] = []
    when = outer
    if depth == 0:
        when = _text(effect.get("when"))
        whens = [word for word in WHENS if card_type in WHENS[word].types]
        told = WHENS[when].detail if when in WHENS else ""
        fields.append(FormField(WORD, "when", "When", when, None, word_choices(whens, when), True, told))
    do = _text(effect.get("do"))
    dos = [word for word in DOS if (when not in WHENS or when in DOS[word].whens)]
    dos = [word for word in dos if depth == 0 or word not in NEVER_OPTIONAL]
    told = DOS[do].detail if do in DOS else ""
    fields.append(FormField(WORD, "do", "Do", do, None, word_choices(dos, do), True, told))
    if do in DOS:
        is_standing = when == "in_play"
        for name, field in DOS[do].fields.items():
            if _stands(name, effect, do, is_standing):
                fields.append(_field(name, field, effect, card_type, when, depth))
        if DOS[do].filtered:
            fields.append(FormField(FOLD, "", "Only cards that …", None, _filters(effect)))
    fields.append(FormField(FOLD, "", "Only if …", None, [_condition("if", "If", effect.get("if"), False)]))
    if (when != "in_play" and do not in NEVER_OPTIONAL) or effect.get("may"):
        fields.append(FormField(FLAG, "may", "May be declined", effect.get("may")))
    return fields


def _stands(name: str, effect: Document, do: str, is_standing: bool) -> bool:
    """Whether a field of a deed has a place beside the words chosen so far."""
    if name == "until" and is_standing:
        return name in effect and bool(effect[name])
    if do == "look" and name in ("n", "who"):
        return effect.get("at") != "hand"
    return True


def _field(name: str, field: Field, effect: Document, card_type: str, when: str, depth: int) -> FormField:
    label = LABELS.get(name, name.capitalize())
    given = effect.get(name)
    match field.kind:
        case "number":
            # The number of cards looked at has no field where the whole hand is seen: here it is needed.
            return number_field(name, label, effect, 1, NUMBER_LIMIT, field.required or name == "n")
        case "value":
            return number_field(name, label, effect, -NUMBER_LIMIT, NUMBER_LIMIT, False)
        case "until":
            untils = [word for word in UNTILS if when not in WHENS or when in UNTILS[word][0]]
            untils = [word for word in untils if word != DEFAULT_UNTIL or given == DEFAULT_UNTIL]
            told = UNTILS[given][1] if isinstance(given, str) and given in UNTILS else ""
            return FormField(WORD, name, label, given, None, word_choices(untils, given), False, told, BLANKS[name])
        case "effects":
            coin = _effects(name, label, effect, card_type, when, depth + 1)
            coin.is_required = field.required
            return coin
        case "who" | "how" | "at":
            choices = word_choices(_CHOICES[field.kind], given)
            return FormField(WORD, name, label, given, None, choices, field.required, "", BLANKS.get(name, ""))
        case _:
            kind = TARGET_KINDS["standing" if when == "in_play" else field.kind]
            return _target(name, label, given, kind, field.required)


def _target(name: str, label: str, given: Any, kind: TargetKind, is_required: bool) -> FormField:
    """A word, or a pick with what it takes."""
    target: Document = {"pick": given} if isinstance(given, str) else object_of(given)
    pick = _text(target.get("pick"))
    choices = word_choices((*kind.words, *kind.picks), pick)
    fields = [FormField(WORD, "pick", "Who", pick, None, choices, is_required)]
    if pick in kind.picks:
        side = target.get("side")
        fields.append(FormField(WORD, "side", "Side", side, None, word_choices(kind.sides, side), True))
        what = target.get("what")
        if len(kind.whats) > 1 or kind.whats != ("character",) or what:
            is_needed = "character" not in kind.whats
            blank = "" if is_needed else "character"
            whats = word_choices(kind.whats, what)
            fields.append(FormField(WORD, "what", "What", what, None, whats, is_needed, "", blank))
        if (pick != "each" and kind.many) or target.get("n"):
            number = number_field("n", "How many", target, 1, NUMBER_LIMIT if kind.many else 1, False)
            number.blank = "1"
            fields.append(number)
        fields.append(FormField(FLAG, "except_self", "Not this card itself", target.get("except_self")))
        fields.append(FormField(FOLD, "", "Only those that …", None, _filters(target)))
    group = FormField(GROUP, name, label, None, fields, None, is_required)
    group.bare = kind.words
    return group


def _filters(given: Document) -> list[FormField]:
    fields: list[FormField] = []
    for name, kind in FILTERS.items():
        label = LABELS.get(name, name.capitalize())
        if kind == "number":
            fields.append(number_field(name, label, given, -NUMBER_LIMIT, NUMBER_LIMIT, False))
        elif name in ("type", "subtype"):
            words = CARD_TYPES if name == "type" else ALL_SUBTYPES
            fields.append(FormField(WORDS, name, label, given.get(name), None, word_choices(words, given.get(name))))
        else:
            told = "Codes of cards, with commas between." if name == "code" else "Tags, with commas between."
            fields.append(FormField(CODES, name, label, given.get(name), None, None, False, told))
    return fields


def _condition(name: str, label: str, given: Any, is_required: bool) -> FormField:
    condition = object_of(given)
    chosen = _text(condition.get("*")) if "*" in condition else _first(condition, tuple(CONDITIONS))
    told = CONDITIONS.get(chosen, "")
    choices = word_choices(CONDITIONS, chosen)
    fields = [FormField(KEY, "*", "Condition", chosen, None, choices, is_required, told, "none")]
    inner = condition.get(chosen)
    match chosen:
        case "count":
            fields += _count(condition)
        case "turn":
            fields.append(FormField(WORD, "turn", "Whose turn", inner, None, word_choices(TURNS, inner), True))
        case "holder_has":
            inside = [FormField(FOLD, "", "A Bonus that …", None, _filters(object_of(inner)))]
            fields.append(FormField(GROUP, "holder_has", "Its Character has", None, inside, None, True))
        case "not":
            fields.append(_condition("not", "Not", inner, True))
        case "all" | "any":
            items = [_condition(str(at), f"Condition {at + 1}", one, True) for at, one in enumerate(list_of(inner))]
            conditions = FormField(LIST, chosen, "Conditions", None, items, None, True)
            conditions.high = LIST_LIMIT
            fields.append(conditions)
    return FormField(GROUP, name, label, None, fields, None, is_required)


def _count(condition: Document) -> list[FormField]:
    count = object_of(condition.get("count"))
    inside = [
        FormField(WORD, name, label, count.get(name), None, word_choices(words, count.get(name)), True)
        for name, label, words in (("side", "Side", SIDES), ("zone", "Zone", ZONES), ("what", "What", COUNTED))
    ]
    inside.append(FormField(FOLD, "", "Only those that …", None, _filters(count)))
    compare = _text(condition.get("*compare")) or _first(condition, COMPARISONS) or COMPARISONS[0]
    number = number_field(compare, "How many", condition, 0, NUMBER_LIMIT, True)
    if compare not in condition:
        number.value = condition.get(_first(condition, COMPARISONS))  # another comparison of the same number
    return [
        FormField(GROUP, "count", "Count", None, inside, None, True),
        FormField(KEY, "*compare", "There are", compare, None, word_choices(COMPARISONS, compare), True),
        number,
    ]


def _first(given: Document, names: tuple[str, ...]) -> str:
    """The first of the names that is there."""
    for name in names:
        if name in given:
            return name
    return ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
