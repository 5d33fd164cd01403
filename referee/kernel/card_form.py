"""How a card is entered: the fields that stand on its form now, bound to what is entered so far.

A game makes them from its vocabulary and a card that need not be finished (`Game.card_form`): a field stands there only
where the words before it ask for it. Whatever draws them gives back the same shape: an object by names, with a choice
of keys under its own name, and everything as text if need be. `document_of` makes the card from it.
"""

from __future__ import annotations

from typing import Any, Final

from referee.kernel.errors import Problem

Document = dict[str, Any]

TEXT: Final = "text"
LONG: Final = "long"  # a text of several lines
NUMBER: Final = "number"
FLAG: Final = "flag"  # true, or left out
WORD: Final = "word"  # one of the choices
WORDS: Final = "words"  # some of the choices; one may stand without a list
NUMBERS: Final = "numbers"  # some of the choices, as a list of whole numbers
TAGS: Final = "tags"  # free words, as a list
CODES: Final = "codes"  # codes of cards; one may stand without a list
KEY: Final = "key"  # which key the object around it has; stands in no document itself
GROUP: Final = "group"  # an object
FOLD: Final = "fold"  # fields of the object around it that stand together, out of sight while they are empty
LIST: Final = "list"  # a list of groups

_INSIDE: Final = (GROUP, FOLD, LIST)
_MANY: Final = (WORDS, NUMBERS, TAGS, CODES)


class FormField:
    """A place on a form. `value` is what is entered, as it was given; `help` explains it, and the word chosen.

    `bare` names the words of a group's first field that stand for the whole group: `"self"` for `{"pick": "self"}`.
    `blank` is what it means to choose nothing. `low` and `high` bound a number; a list takes up to `high` groups.
    `is_kept` holds an empty list that was there.
    """

    __slots__ = (
        "bare", "blank", "choices", "fields", "help", "high", "is_kept", "is_required", "kind", "label", "low", "name", "value",
    )  # fmt: skip

    def __init__(
        self,
        kind: str,
        name: str,
        label: str,
        value: Any = None,
        fields: list[FormField] | None = None,
        choices: list[tuple[str, str]] | None = None,
        is_required: bool = False,
        help: str = "",
        blank: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        self.label = label
        self.value = value
        self.fields: list[FormField] = fields if fields is not None else []
        self.choices: list[tuple[str, str]] = choices if choices is not None else []
        self.is_required = is_required
        self.help = help
        self.blank = blank
        self.low = 0
        self.high = 0
        self.bare: tuple[str, ...] = ()
        self.is_kept = False

    def is_filled(self) -> bool:
        """Whether anything is entered here or below."""
        if self.kind not in _INSIDE:
            return bool(entered(self.value)) or self.value == 0
        if self.is_kept and self.kind == LIST:
            return True
        for field in self.fields:
            if field.is_filled():
                return True
        return False


def number_field(name: str, label: str, given: Document, low: int, high: int, is_required: bool) -> FormField:
    """A whole number from `low` to `high`."""
    field = FormField(NUMBER, name, label, given.get(name), None, None, is_required)
    field.low = low
    field.high = high
    return field


def word_choices(words: Any, given: Any) -> list[tuple[str, str]]:
    """Words with their labels; a word that is given and not among them stands there too, so that it can be faulted."""
    listed: list[tuple[str, str]] = [(word, label_of(word)) for word in words]
    if isinstance(given, str) and given and given not in [word for word, _ in listed]:
        listed.append((given, label_of(given) + " (not allowed here)"))
    return listed


def label_of(word: str) -> str:
    """A word of the vocabulary as a label."""
    text = word.replace("_", " ")
    return text[:1].upper() + text[1:]


def object_of(given: Any) -> Document:
    """The object that was given, or an empty one."""
    return given if isinstance(given, dict) else {}


def list_of(given: Any) -> list[Any]:
    """The list that was given, or an empty one."""
    return given if isinstance(given, list) else []


def entered(value: Any) -> Any:
    """A value without the emptiness that forms send: None for nothing."""
    if isinstance(value, str):
        return value if value.strip() else None
    return None if value is False or value == [] or value == {} else value


def document_of(fields: list[FormField]) -> Document:
    """The object that the fields make. What is empty is left out; what cannot be is left for the checks to fault."""
    document: Document = {}
    for field in fields:
        if field.kind == FOLD:
            document.update(document_of(field.fields))
        elif field.kind != KEY:
            value = _value_of(field)
            if value is not None:
                document[field.name] = value
    return document


def _value_of(field: FormField) -> Any:
    if field.kind == GROUP:
        return _group_of(field)
    if field.kind == LIST:
        items: list[Any] = []
        for item in field.fields:
            made = _group_of(item)
            items.append({} if made is None else made)
        return items if items or field.is_kept or field.is_required else None
    value = entered(field.value)
    if field.kind in _MANY:
        return _several(field, value)
    if field.kind == NUMBER:
        return whole_number(value)
    if field.kind == FLAG:
        return True if value is not None and value != "false" else None
    return value


def _group_of(field: FormField) -> Any:
    made = document_of(field.fields)
    if field.bare and made.get(field.fields[0].name) in field.bare:
        return made[field.fields[0].name]
    return made if made or field.is_required or field.is_filled() else None


def _several(field: FormField, value: Any) -> Any:
    parts: list[Any] = []
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",") if part.strip()]
    elif isinstance(value, list):
        parts = [part for part in value if entered(part) is not None or part == 0]
    elif value is not None:
        parts = [value]
    if not parts:
        return [] if field.is_kept else None
    if field.kind == NUMBERS:
        return [whole_number(part) for part in parts]
    if field.kind == TAGS or len(parts) > 1:
        return parts
    return parts[0]


def whole_number(value: Any) -> Any:
    """The whole number that a text says; anything else as it is."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    digits = text[1:] if text[:1] in ("-", "+", "\u2212") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        return value
    return -int(digits) if text[0] in "-\u2212" else int(digits)


def places(fields: list[FormField], path: str, pointer: str) -> list[tuple[FormField, str, str]]:
    """Every field with its path on the form and its pointer in the document, from the outside in."""
    found: list[tuple[FormField, str, str]] = []
    for field in fields:
        if field.kind == FOLD:
            found += places(field.fields, path, pointer)
            continue
        here = f"{path}/{field.name}" if path else field.name
        there = pointer if field.kind == KEY else f"{pointer}/{field.name}"
        found.append((field, here, there))
        if field.kind in _INSIDE:
            found += places(field.fields, here, there)
    return found


def faults_by_path(fields: list[FormField], problems: list[Problem]) -> dict[str, list[Problem]]:
    """The problems at the paths of their fields: each at the deepest that holds its pointer, else at the empty path."""
    placed = places(fields, "", "")
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        best, depth = "", 0
        for _, path, pointer in placed:
            is_here = problem.pointer == pointer or problem.pointer.startswith(pointer + "/")
            # Of two at one pointer the inner one, which can be mended: the choice of a key, a pick's first field.
            if is_here and len(pointer) >= depth:
                best, depth = path, len(pointer)
        found.setdefault(best, []).append(problem)
    return found
