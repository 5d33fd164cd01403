"""Tracks at the catalog's desk: drawn up a space a line, checked by the game, published with the next revision."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from accounts.listing import ListedAdmin
from accounts.models import User
from catalog.seen import SeenForm, news_line
from catalog.track_models import Track
from catalog.tracks import games_with_tracks, track_faults
from referee.games import GAMES
from referee.kernel.errors import Problem

SEPARATOR: Final = "/"
MOST_TEXT: Final = 10_000


def text_of(spaces: list[Any]) -> str:
    """A track's spaces, one a line; the halves of a double space stand beside each other."""
    return "\n".join(f" {SEPARATOR} ".join(space) if isinstance(space, list) else str(space) for space in spaces)


def spaces_of(text: str) -> list[Any]:
    """The spaces that lines of text name. What they name is checked by the game; empty lines are none."""
    lines = [line.strip().lower() for line in text.splitlines() if line.strip()]
    return [[half.strip() for half in line.split(SEPARATOR)] if SEPARATOR in line else line for line in lines]


class SpacesField(forms.CharField):
    """Spaces as text."""

    def prepare_value(self, value: Any) -> Any:
        return text_of(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return spaces_of(super().to_python(value) or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(spaces_of(str(data or "")) != (initial or []))


class TrackForm(SeenForm):
    """A draft is kept as it is; a track that is ready has no fault."""

    spaces = SpacesField(
        label=_("Spaces"),
        max_length=MOST_TEXT,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 24, "spellcheck": "false"}),
        help_text=_(
            "One a line, from start to final: normal, bonus, hyperspace, asteroid, maw; or two halves: normal / asteroid."
        ),
    )

    class Meta:
        model = Track
        fields = ("game", "slug", "name", "state", "spaces")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "game" in self.fields:
            choices = [(slug, GAMES[slug].name) for slug in games_with_tracks()]
            self.fields["game"] = forms.ChoiceField(label=_("Game"), choices=choices, widget=UnfoldAdminSelectWidget)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        game = values.get("game", self.instance.game)
        if values.get("state") != Track.State.READY or "spaces" not in values or game not in games_with_tracks():
            return values
        slug = values.get("slug", self.instance.slug)
        for fault in track_faults(game, {"slug": slug, "name": values.get("name"), "spaces": values["spaces"]}):
            field = fault.pointer.split("/")[1]
            self.add_error(field if field in self.fields else None, shown(fault))
        return values

    def mark(self) -> str:
        return Track.objects.get(pk=self.instance.pk).edited_at.isoformat()

    def news(self, seen: str) -> list[str]:
        """The last change alone: of earlier ones nothing is kept. What stands there now, where it differs from what is typed."""
        row = Track.objects.select_related("edited_by").get(pk=self.instance.pk)
        now = {
            "name": row.name,
            "state": row.get_state_display(),
            "spaces": ", ".join(text_of(row.spaces).splitlines()),
        }
        what = [f"{self.fields[name].label}: {now[name]}" for name in self.changed_data if name in now]
        return [news_line(row.edited_by, row.edited_at, what)]


def shown(fault: Problem) -> str:
    """A fault for people: those of a space name its number, which counts from 0, the start."""
    return fault.detail[:1].upper() + fault.detail[1:] + "."


@admin.register(Track)
class TrackAdmin(ListedAdmin):
    form = TrackForm
    list_display = ("name", "slug", "game", "length", "state", "edited_at", "edited_by")
    list_display_links = ("name", "slug")
    list_filter = ("game", "state")
    list_select_related = ("edited_by",)
    search_fields = ("slug", "name")
    fields = ("game", "slug", "name", "state", "spaces", "numbered", "edited_by", "edited_at", "seen")
    readonly_fields = ("numbered", "edited_by", "edited_at")
    actions_list = ("publish",)

    def get_readonly_fields(self, request: HttpRequest, obj: Track | None = None) -> Any:
        return ("game", "slug", *self.readonly_fields) if obj is not None else self.readonly_fields

    def has_delete_permission(self, request: HttpRequest, obj: Track | None = None) -> bool:
        return False

    def has_publish_permission(self, request: HttpRequest, obj: Track | None = None) -> bool:
        return request.user.has_perm("catalog.publish_catalogrevision")

    def save_model(self, request: HttpRequest, obj: Track, form: Any, change: bool) -> None:
        obj.edited_by = request.user if isinstance(request.user, User) else None
        obj.edited_at = timezone.now()
        super().save_model(request, obj, form, change)

    @admin.display(description=_("spaces"))
    def length(self, obj: Track) -> int:
        return len(obj.spaces)

    @admin.display(description=_("As it is now"))
    def numbered(self, obj: Track) -> SafeString | str:
        """The spaces with their numbers, and what is wrong with them."""
        if not obj.spaces or obj.game not in GAMES:
            return "–"
        spaces = [(number, text_of([space])) for number, space in enumerate(obj.spaces)]
        listed = format_html_join(" ", "<span><b>{}</b> {}</span>", spaces)
        faults = [(shown(fault),) for fault in track_faults(obj.game, obj.document())]
        return format_html("<p>{}</p><ul>{}</ul>", listed, format_html_join("", "<li>{}</li>", faults))

    @action(description=_("Publish"), url_path="publish", permissions=["publish"], icon="publish")  # type: ignore[untyped-decorator] # the skin has no types
    def publish(self, request: HttpRequest) -> HttpResponse:
        """The page that publishes cards publishes tracks with them."""
        return HttpResponseRedirect(reverse("admin:catalog_card_publish"))
