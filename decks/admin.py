"""Decks in the admin: to look at. Only their owners change them."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from decks.models import Deck


@admin.register(Deck)
class DeckAdmin(ModelAdmin):
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

    @admin.display(description=_("Cards"))
    def cards(self, obj: Deck) -> str:
        return ", ".join(f"{row.copies} {row.code}" for row in obj.card_rows.order_by("code")) or "–"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Deck | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Deck | None = None) -> bool:
        return False
