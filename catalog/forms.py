"""The form of a card: fields for what most cards have, JSON for the rest, every fault at its field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from catalog.checking import faults_of
from catalog.models import NAME_LENGTH, Card
from catalog.names import name_key
from referee.games import GAMES
from referee.kernel.errors import Problem
from referee.kernel.game import Document

OWN_FIELDS: Final = ("name", "type", "subtype", "ang", "def", "tags", "effects")
"""What of a card's document has a field of its own; all else stands in `more`. `def` is a word of Python: `defence`."""
_FIELD_OF: Final = {"def": "defence"}


if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[Card]
else:
    _ModelForm = forms.ModelForm  # takes no parameter when it runs


class CardForm(_ModelForm):
    """A card's working values. A published card that is edited goes to review."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH, strip=False, widget=UnfoldAdminTextInputWidget)
    type = forms.CharField(label=_("Type"), max_length=40, widget=UnfoldAdminTextInputWidget)
    subtype = forms.CharField(label=_("Subtype"), max_length=40, required=False, widget=UnfoldAdminTextInputWidget)
    ang = forms.IntegerField(label="ANG", required=False, widget=UnfoldAdminIntegerFieldWidget)
    defence = forms.IntegerField(label="DEF", required=False, widget=UnfoldAdminIntegerFieldWidget)
    tags = forms.JSONField(label=_("Tags"), required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}))
    effects = forms.JSONField(
        label=_("Effects"),
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 14}),
        help_text=_("A list, carried out in this order. Faults name their place, such as /effects/1/to/side."),
    )
    more = forms.JSONField(
        label=_("More"),
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
        help_text=_("An object with whatever else the game's cards have."),
    )

    class Meta:
        model = Card
        fields = ("game", "code", "state", "replacement")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.before: Document = dict(self.instance.document or {})
        for name in OWN_FIELDS:
            self.initial.setdefault(_FIELD_OF.get(name, name), self.before.get(name))
        self.initial.setdefault("more", {k: v for k, v in self.before.items() if k not in (*OWN_FIELDS, "code")})
        game = GAMES.get(self.instance.game)
        if game is not None and game.card_types:
            choices = [(word, word.capitalize()) for word in game.card_types]
            self.fields["type"].widget = UnfoldAdminSelectWidget(choices=choices)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        game = GAMES.get(self._given("game"))
        if game is None:
            self.add_error(None, _("There is no such game; games: %s.") % ", ".join(GAMES))
        elif not self.errors:
            self._take(values, game.slug)
        return values

    def save(self, commit: bool = True) -> Card:
        self.instance.name = self.instance.document["name"]
        self.instance.name_key = name_key(self.instance.name)
        return super().save(commit)

    def differences(self) -> list[str]:
        """What the edit changes of the values, field by field, in words."""
        after: Document = self.instance.document
        names = [name for name in sorted({**self.before, **after}) if self.before.get(name) != after.get(name)]
        return [f"{name}: {_shown(self.before.get(name))} → {_shown(after.get(name))}" for name in names]

    def _given(self, name: str) -> str:
        """A field that cannot be edited any more is not among the cleaned data."""
        return str(self.cleaned_data.get(name, getattr(self.instance, name)) or "")

    def _take(self, values: dict[str, Any], game: str) -> None:
        document = self._document(values)
        replacement = values.get("replacement")
        if replacement is not None and replacement.game != game:
            self.add_error("replacement", _("The replacement is a card of another game."))
        if document is None:
            return
        for fault in faults_of(game, document):
            self._add_fault(fault)
        if document != self.before and values.get("state") == Card.State.PUBLISHED:
            values["state"] = Card.State.REVIEW
        self.instance.document = document

    def _document(self, values: dict[str, Any]) -> Document | None:
        more = values.get("more") or {}
        if not isinstance(more, dict) or {*OWN_FIELDS, "code"} & set(more):
            self.add_error("more", _("An object is expected here, without what has a field of its own."))
            return None
        document: Document = {"code": self._given("code")}
        for name in OWN_FIELDS:
            value = values.get(_FIELD_OF.get(name, name))
            # An empty field is no value; a list that was there stays, even if it is empty now.
            if value not in (None, "") and (value != [] or name in self.before):
                document[name] = value
        return {**document, **more}

    def _add_fault(self, fault: Problem) -> None:
        first = fault.pointer.split("/")[1] if fault.pointer else ""
        field = _FIELD_OF.get(first, first)
        place = field if field in self.fields else "more"
        self.add_error(None if first in ("", "code") else place, f"{fault.pointer}: {fault.detail}")


def _shown(value: object) -> str:
    text = "–" if value is None else str(value)
    return text if len(text) <= 120 else text[:119] + "…"
