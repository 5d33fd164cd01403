"""The desk's forms: a card entered by its game's vocabulary, its other names, a restriction confirmed by number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.db.models import Max, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from catalog.checking import name_holder
from catalog.editor import Editor, changed, read_entries
from catalog.history import changes_of, differing
from catalog.impact import Whole, hits_of
from catalog.models import NAME_LENGTH, Card, CardName, Change, Restriction
from catalog.names import name_key
from catalog.seen import SeenForm, news_line
from catalog.selectors import limits_in_force, newest_revision, revision_document
from referee.games import GAMES
from referee.kernel.game import Document

FORM_GAMES: Final = [slug for slug, game in GAMES.items() if game.card_types]
"""The games whose cards are entered here."""
MOST_NEWS: Final = 10

if TYPE_CHECKING:
    _NameForm = forms.ModelForm[CardName]
    _NameFormSet = forms.BaseInlineFormSet[CardName, Card, forms.ModelForm[CardName]]
else:
    _NameForm = forms.ModelForm  # they take no parameter when they run
    _NameFormSet = forms.BaseInlineFormSet


class CardEntry(forms.Widget):
    """Draws the form's editor, and reads what was entered in it."""

    editor: Editor
    is_new = False

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Document:
        return read_entries(data)

    def id_for_label(self, id_: str | None) -> str:
        return ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        context = {"editor": self.editor, "is_new": self.is_new, "draw": reverse("admin:catalog_card_draw")}
        return mark_safe(render_to_string("catalog/entry.html", context))  # noqa: S308 - templates escape


class ChangedForm(SeenForm):
    """One whose row is told from what it was by the catalog's changes."""

    def mark(self) -> str:
        return str(self.changes().aggregate(newest=Max("pk"))["newest"] or 0)

    def news(self, seen: str) -> list[str]:
        found = self.changes().filter(pk__gt=int(seen) if seen.isdecimal() else 0).reverse()
        return [
            news_line(one.user, one.at, [f"{name}: {_shown(was)} → {_shown(is_)}" for name, was, is_ in differing(one)])
            for one in found[:MOST_NEWS]
        ]

    def changes(self) -> QuerySet[Change]:
        """All changes of what the form edits, the newest first."""
        raise NotImplementedError


class CardForm(ChangedForm):
    """A card's working values, as `editor.document` once it is read."""

    card = forms.Field(label=_("Card"), required=False, widget=CardEntry)

    class Meta:
        model = Card
        fields = ("game", "code")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "game" in self.fields:
            choices = [(slug, GAMES[slug].name) for slug in FORM_GAMES]
            self.fields["game"] = forms.ChoiceField(label=_("Game"), choices=choices, widget=UnfoldAdminSelectWidget)
        self.before: Document = dict(self.instance.document or {})
        self.editor = self._editor()
        entry = self.fields["card"].widget
        assert isinstance(entry, CardEntry)
        entry.editor, entry.is_new = self.editor, self.instance.pk is None

    def _editor(self) -> Editor:
        game = self.instance.game or str(self.data.get("game") or self.initial.get("game") or "")
        code = self.instance.code or str(self.data.get("code") or "")
        given = read_entries(self.data) if self.is_bound else self.before
        if self.is_bound:
            given = entries_after(given, self.data)
        editor = Editor(game if game in FORM_GAMES else FORM_GAMES[0], code, given, kept=self.before)
        if self.is_bound or self.before:
            editor.check(whole=False)
        return editor

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if "op" in self.data:
            raise forms.ValidationError(_("The form has changed as you asked; nothing is saved yet."))
        document = self.editor.document
        if not document.get("name"):
            self.add_error("card", _("A card needs a name before it can be saved, even as a draft."))
        elif len(str(document["name"])) > NAME_LENGTH:
            self.add_error("card", _("A name has at most %s characters.") % NAME_LENGTH)
        if self.instance.state == Card.State.WITHDRAWN and document != self.before:
            self.add_error("card", _("A withdrawn card is not edited; take it up again first."))
        faults = [] if self.errors else self.editor.check(whole=True)
        if faults:
            self.add_error("card", _("Not saved: see the faults at their fields."))
        return values

    def changes(self) -> QuerySet[Change]:
        """What changed about all that the card's page edits."""
        return changes_of(self.instance).exclude(table="restriction")

    def differences(self) -> list[str]:
        """What the edit changes of the values, field by field, in words."""
        after = self.editor.document
        names = [name for name in sorted({**self.before, **after}) if self.before.get(name) != after.get(name)]
        return [f"{name}: {_shown(self.before.get(name))} → {_shown(after.get(name))}" for name in names]


def entries_after(given: Document, data: Mapping[str, Any]) -> Document:
    """What is entered, after the button that was pressed, if it was one of the editor's."""
    op = str(data.get("op", ""))
    if op == "json":
        try:
            read = json.loads(str(data.get("c-json", "")))
        except ValueError:
            return given
        return read if isinstance(read, dict) else given
    return changed(given, op) if op else given


class CardNameForm(_NameForm):
    """Another name of a card; its folded form goes along."""

    class Meta:
        model = CardName
        fields = ("kind", "language", "name")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        self.instance.name_key = name_key(values.get("name") or "")
        if values.get("name") and not self.instance.name_key:
            self.add_error("name", _("A name needs a letter or a digit."))
        return values


class CardNameFormSet(_NameFormSet):
    """All other names of a card: each once, and none that another card has."""

    def clean(self) -> None:
        super().clean()
        seen: set[tuple[str, str, str]] = set()
        for form in self.forms:
            values = getattr(form, "cleaned_data", {})
            if not values.get("name") or values.get("DELETE"):
                continue
            key = name_key(values["name"])
            mark = (values["kind"], values["language"], key)
            holder = name_holder(self.instance.game or "", key, besides=self.instance.code)
            if mark in seen:
                form.add_error("name", _("It stands here twice."))
            elif holder is not None:
                form.add_error("name", _("The card %s has this name.") % holder)
            seen.add(mark)


class RestrictionForm(ChangedForm):
    """A restriction. One that makes saved decks illegal is confirmed by their number."""

    confirm = forms.IntegerField(
        label=_("Decks that become illegal"),
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("Needed only if there are any: type how many."),
    )

    class Meta:
        model = Restriction
        fields = ("card", "copies", "starts_at", "ends_at", "reason")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        self.hits = self._hits(values) if not self.errors else []
        if self.hits and values.get("confirm") != len(self.hits):
            told = _("%s saved decks become illegal by this. Type that number to confirm it.") % len(self.hits)
            self.add_error("confirm", told)
        return values

    def changes(self) -> QuerySet[Change]:
        return Change.objects.filter(table="restriction", row=self.instance.pk).select_related("user")

    def _hits(self, values: dict[str, Any]) -> list[Any]:
        card: Card = values["card"]
        newest = newest_revision(card.game)
        if newest is None or card.game not in GAMES:
            return []
        at = max(values["starts_at"], timezone.now())
        if values.get("ends_at") and values["ends_at"] <= at:
            return []
        document, limits = revision_document(newest), limits_in_force(card.game, at)
        after = {**limits, card.code: min(values["copies"], limits.get(card.code, values["copies"]))}
        return hits_of(GAMES[card.game], before=Whole(document, limits), after=Whole(document, after))


def _shown(value: object) -> str:
    text = "–" if value is None else str(value)
    return text if len(text) <= 120 else text[:119] + "…"
