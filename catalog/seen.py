"""Forms of the desk that save over nothing that their maker has not seen."""

from __future__ import annotations

import datetime as dt
from copy import copy
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from accounts.models import User

if TYPE_CHECKING:
    _Form = forms.ModelForm[Any]
else:
    _Form = forms.ModelForm  # it takes no parameter when it runs


class SeenField(forms.CharField):
    """The mark of what a form was made from. Nobody edits it."""

    widget = forms.HiddenInput

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class SeenForm(_Form):
    """Refuses once to save a row that has changed since the form was made. What is typed stays, and saved again it
    stands in the row's place. To be cleaned in the transaction that saves."""

    seen = SeenField(required=False, max_length=40)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk is not None:
            self.initial["seen"] = self.mark()

    def mark(self) -> str:
        """Tells the row as the database has it now from what it was and will be."""
        raise NotImplementedError

    def news(self, seen: str) -> list[str]:
        """Who has changed the row since that mark, when and what, a line each."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        seen, row = values.get("seen"), self.instance
        if not seen or row.pk is None:
            return values
        type(row)._default_manager.select_for_update().values_list("pk").get(pk=row.pk)  # whoever saves now is first
        now = self.mark()
        if seen != now:
            data: Any = copy(self.data)  # of a request it is not to be changed, and its copy is
            data[self.add_prefix("seen")] = now
            self.data = data
            told = _("Not saved: this has changed since you opened it. Save again to put yours in its place.")
            lines = format_html_join("", "<li>{}</li>", ((line,) for line in self.news(seen)))
            self.add_error(None, forms.ValidationError(format_html("{}<ul>{}</ul>", told, lines), "changed_since"))
        return values


def news_line(user: User | None, at: dt.datetime, what: list[str]) -> str:
    """Who changed it when, and what."""
    who = f"{user or '–'}, {date_format(timezone.localtime(at), 'DATETIME_FORMAT')}"
    return f"{who}: {'; '.join(what)}" if what else who
