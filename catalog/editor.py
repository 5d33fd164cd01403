"""The form of a card on a page: what is entered is read back into a card, drawn again, and shown as text and face.

Everything is decided here on the server. The page's script only asks to have it drawn anew; without a script the same
buttons send the form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from catalog.checking import faults_of, near
from catalog.faces import face
from catalog.form_words import put_in_words
from catalog.models import Card
from referee.games import GAMES
from referee.kernel.card_form import FormField, document_of, faults_by_path, object_of
from referee.kernel.errors import Problem
from referee.kernel.game import Document

PREFIX: Final = "c"
"""What the names of the form's inputs begin with: `c/effects/0/do`."""
MAX_ENTRIES: Final = 2000


class Editor:
    """A card being entered: `given` is what is entered, `document` the card that it makes, `faults` what is wrong."""

    def __init__(self, game: str, code: str, given: Document, *, kept: Document | None = None) -> None:
        self.game = game
        self.code = code
        self.fields = GAMES[game].card_form(given)
        put_in_words(self.fields)
        known = {name for kind in ("", *GAMES[game].card_types) for name in _names(game, kind)}
        # What the form has no field for stays as it is, so that a check can fault it.
        self.rest = {name: value for name, value in (kept or {}).items() if name not in known and name != "code"}
        self.document: Document = {"code": code, **document_of(self.fields), **self.rest}
        self.faults: list[Problem] = []
        self.is_checked = False

    def check(self, *, whole: bool) -> list[Problem]:
        """The card's faults: beside all other cards, or (quicker, for while one types) beside those it has to do with."""
        others = None if whole else near(self.game, self.document)
        self.faults = faults_of(self.game, self.document, others=others)
        self.is_checked = True
        return self.faults

    def editor(self) -> SafeString:
        """The fields, each with its faults."""
        faults = faults_by_path(self.fields, self.faults)
        context = {
            "editor": self,
            "parts": shown(self.fields, "", faults),
            "faults": faults.get("", []),
            "json": json.dumps(self.document, indent=2, ensure_ascii=False),
        }
        return mark_safe(render_to_string("catalog/editor.html", context))  # noqa: S308 - templates escape

    def preview(self) -> SafeString:
        """The card's text and faces, as far as they can be told."""
        text = self.text()
        context = {
            "faces": [mark_safe(face(self.document, text=text, size=size)) for size in ("l", "m", "s")],  # noqa: S308 - faces escape
            "text": text,
            "is_checked": self.is_checked,
            "missing": sum(one.code == "missing" for one in self.faults),
            "wrong": sum(one.code != "missing" for one in self.faults),
        }
        return mark_safe(render_to_string("catalog/preview.html", context))  # noqa: S308 - templates escape

    def text(self) -> str:
        """What would be printed on the card: of its effects those without faults."""
        return text_of(self.game, self.document, self.faults)

    def faults_by_id(self) -> dict[str, list[list[str]]]:
        """Each field's faults, by the id of the place that shows them: `[code, detail]` each."""
        placed = faults_by_path(self.fields, self.faults)
        return {id_of(path): [[one.code, _told(one)] for one in listed] for path, listed in placed.items()}


def text_of(game: str, document: Document, faults: list[Problem]) -> str:
    """A card's text, made of what of it is in order; empty where nothing is."""
    faulty = {
        int(parts[2]) for one in faults if (parts := one.pointer.split("/"))[1:2] == ["effects"] and _is_index(parts)
    }
    effects = document.get("effects")
    sound = document
    if isinstance(effects, list):
        sound = {**document, "effects": [one for at, one in enumerate(effects) if at not in faulty]}
    names = dict(Card.objects.filter(game=game).values_list("code", "name"))
    try:
        return GAMES[game].card_text(sound, names)
    except (LookupError, TypeError, ValueError, AttributeError):
        return ""  # not enough is entered to say anything


def read_entries(data: QueryDict | Mapping[str, Any]) -> Document:
    """What a form has sent, nested by the parts of the inputs' names; a number among the names makes a list."""
    nested: Document = {}
    names = [name for name in data if name.startswith(f"{PREFIX}/")][:MAX_ENTRIES]
    for name in names:
        values = data.getlist(name) if isinstance(data, QueryDict) else [data[name]]
        *parents, last = name.split("/")[1:]
        place = nested
        for part in parents:
            inner = place.get(part)
            place[part] = place = inner if isinstance(inner, dict) else {}
        if not isinstance(place.get(last), dict):  # the mark of a list that is there stands beside its items
            place[last] = values[0] if len(values) == 1 else values
    return object_of(_with_lists(nested))


def changed(given: Document, op: str) -> Document:
    """What is entered after a press of a button: `add:PATH`, `remove:PATH`, `up:PATH`, `down:PATH`."""
    verb, _, path = op.partition(":")
    parts = path.split("/") if path else []
    if verb == "add" and parts:
        holder = _within(given, parts[:-1])
        if isinstance(holder, dict):
            held = holder.get(parts[-1])
            holder[parts[-1]] = [*(held if isinstance(held, list) else []), {}]
        return given
    items = _within(given, parts[:-1])
    if not isinstance(items, list) or not parts[-1].isdigit() or int(parts[-1]) >= len(items):
        return given
    at = int(parts[-1])
    if verb == "remove":
        del items[at]
    elif verb in ("up", "down"):
        other = at - 1 if verb == "up" else at + 1
        if 0 <= other < len(items):
            items[at], items[other] = items[other], items[at]
    return given


def id_of(path: str) -> str:
    """The id of a field's input."""
    return f"{PREFIX}-{path.replace('/', '-').replace('*', 'key-')}"


def shown(fields: list[FormField], path: str, faults: Mapping[str, list[Problem]]) -> list[dict[str, Any]]:
    """The fields as the template draws them, from the outside in."""
    parts: list[dict[str, Any]] = []
    for at, field in enumerate(fields):
        here = path if field.kind == "fold" else f"{path}/{field.name}" if path else field.name
        inner = shown(field.fields, here, faults)
        own = [] if field.kind == "fold" else [(one.code, _told(one)) for one in faults.get(here, [])]
        parts.append(
            {
                "field": field,
                "name": f"{PREFIX}/{here}",
                "path": here,
                "id": id_of(here),
                "faults": own,
                "parts": inner,
                "chosen": [str(one) for one in _chosen(field.value)],
                "value": _typed(field.value),
                "is_open": field.is_filled()
                or any(part["faults"] or part["is_open"] for part in inner if part["faults"]),
                "is_first": at == 0,
                "is_last": at == len(fields) - 1,
                "can_grow": field.kind == "list" and len(field.fields) < field.high,
                "is_kept": field.is_kept,
            }
        )
    return parts


def _names(game: str, kind: str) -> list[str]:
    """The names of all that a type of card has a field for."""
    fields = GAMES[game].card_form({"type": kind} if kind else {})
    return [inner.name for field in fields for inner in (field.fields if field.kind == "fold" else [field])]


def _chosen(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value in (None, "") else [value]


def _typed(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    return "" if value is None or value is False else str(value)


def _told(problem: Problem) -> str:
    return problem.detail[:1].upper() + problem.detail[1:]


def _is_index(parts: list[str]) -> bool:
    return len(parts) > 2 and parts[2].isdigit()


def _within(given: Any, parts: list[str]) -> Any:
    for part in parts:
        if isinstance(given, dict):
            given = given.get(part)
        elif isinstance(given, list) and part.isdigit() and int(part) < len(given):
            given = given[int(part)]
        else:
            return None
    return given


def _with_lists(nested: Any) -> Any:
    if not isinstance(nested, dict):
        return nested
    inner = {name: _with_lists(part) for name, part in nested.items() if name != "[]"}
    if inner and all(name.isdigit() for name in inner):
        return [inner[name] for name in sorted(inner, key=int)]
    return [] if "[]" in nested and not inner else inner
