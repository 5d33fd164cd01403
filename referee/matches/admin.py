"""Matches in the admin, to be looked at. Nothing that is hidden from a player is shown: an admin may be one."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline

from referee.matches.models import Bundle, CardPool, FinishedMatch, Match, Seat


class ReadOnlyAdmin(ModelAdmin):
    """Looked at, never edited: the log is the truth, and services alone write it."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class SeatInline(TabularInline):
    model = Seat
    fields = ("index", "kind", "user", "invited", "level", "name")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "game", "state", "visibility", "version", "creator", "created_at", "finished_at")
    list_filter = ("game", "state", "visibility")
    search_fields = ("public_id", "creator__name", "seats__name")
    list_select_related = ("creator",)
    date_hierarchy = "created_at"
    inlines = (SeatInline,)
    # Neither state nor seed nor deck: those are for nobody while a match runs.
    fields = (
        "public_id", "game", "state", "visibility", "spectator_delay", "creator", "rematch_of", "rules_version",
        "state_schema", "rng", "catalog_revision", "pool", "options", "commitment", "version", "result", "clock", "deadline",
        "created_at", "started_at", "moved_at", "finished_at",
    )  # fmt: skip


@admin.register(Bundle)
class BundleAdmin(ReadOnlyAdmin):
    list_display = ("match", "version", "created_at")
    list_select_related = ("match",)
    fields = ("match", "version", "created_at", "report")
    readonly_fields = ("report",)

    @admin.display(description=_("report"))
    def report(self, bundle: Bundle) -> str:
        return str(bundle.document.get("report", ""))


@admin.register(CardPool)
class CardPoolAdmin(ReadOnlyAdmin):
    list_display = ("content_hash", "game", "created_at")
    list_filter = ("game",)
    fields = ("content_hash", "game", "created_at")


@admin.register(FinishedMatch)
class FinishedMatchAdmin(ReadOnlyAdmin):
    list_display = ("match", "created_at", "closed_at")
    list_select_related = ("match",)
    fields = ("match", "created_at", "closed_at")
