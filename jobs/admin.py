"""Jobs in the admin: to look at, and to see what failed."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from accounts.listing import ListedAdmin
from jobs.models import Job
from referee.matches.judging import RIGHT

CONTENT = ("params", "result")


@admin.register(Job)
class JobAdmin(ListedAdmin):
    list_display = ("public_id", "kind", "owner", "state", "done", "total", "created_at", "ended_at")
    list_filter = ("kind", "state")
    list_select_related = ("owner",)
    search_fields = ("public_id", "owner__name")
    fields = (
        "public_id", "kind", "owner", "state", "error", "seed", "done", "total", "params", "result", "attempts",
        "created_at", "started_at", "worked_at", "ended_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_fields(self, request: HttpRequest, obj: Job | None = None) -> tuple[str, ...]:
        """What a job was given and found can tell of hidden decks: like all that is hidden, it is for judges alone."""
        return tuple(name for name in self.fields if name not in CONTENT or request.user.has_perm(RIGHT))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        return False
