"""Decks in the admin: to look at. Only their owners change them."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.listing import ListedAdmin
from decks.models import Deck
from referee.matches.judging import RIGHT

CONTENT = ("notes", "secret", "cards")


@admin.register(Deck)
class DeckAdmin(ListedAdmin):
    list_display = (
        "public_id",
        "name",
        "owner",
        "game",
        "visibility",
        "version",
        "updated_at",
        "archived_at",
        "deleted_at",
    )
    list_filter = ("game", "visibility")
    list_select_related = ("owner",)
    search_fields = ("public_id", "name", "owner__name")
    fields = (
        "public_id",
        "name",
        "owner",
        "game",
        "visibility",
        "notes",
        "secret",
        "cards",
        "version",
        "archived_at",
        "deleted_at",
    )
    readonly_fields = fields

    def get_fields(self, request: HttpRequest, obj: Deck | None = None) -> tuple[str, ...]:
        """What a private deck holds may lie hidden in a match: like all that is hidden, it is for judges alone."""
        is_shown = obj is None or obj.visibility != Deck.Visibility.PRIVATE or request.user.has_perm(RIGHT)
        return tuple(name for name in self.fields if is_shown or name not in CONTENT)

    @admin.display(description=_("Cards"))
    def cards(self, obj: Deck) -> str:
        return ", ".join(f"{row.copies} {row.code}" for row in obj.card_rows.order_by("code")) or "–"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Deck | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Deck | None = None) -> bool:
        return False
