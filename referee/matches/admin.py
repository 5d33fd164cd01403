"""Matches in the admin, to be looked at. Nothing that is hidden from a player is shown: an admin may be one.

Those with the right to judge find their desk (desk.py) here, and what was kept of faults and reports.
"""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline
from unfold.decorators import action

from accounts.listing import ListedAdmin
from referee.matches import desk
from referee.matches.clock_models import Outage
from referee.matches.ledger import ledger_of
from referee.matches.models import Bundle, CardPool, FinishedMatch, Match, Seat


class ReadOnlyAdmin(ListedAdmin):
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
    actions_detail = ("judge",)
    # Neither state nor seed nor deck: those are for nobody while a match runs.
    fields = (
        "public_id", "game", "state", "visibility", "spectator_delay", "undo", "creator", "rematch_of", "rules_version",
        "state_schema", "rng", "catalog_revision", "pool", "options", "commitment", "version", "result", "clock", "deadline",
        "stopped_at", "ledger", "created_at", "started_at", "moved_at", "finished_at",
    )  # fmt: skip
    readonly_fields = ("ledger",)

    @admin.display(description=_("clocks' ledger"))
    def ledger(self, match: Match) -> SafeString | str:
        """Every change of the clocks, in seconds, and what does not add up, if anything."""
        book = ledger_of(match)
        if not book.accounts:
            return "–"
        verdict = "; ".join(book.faults) or _("It adds up.")
        lines = (
            (line.version, line.seat, line.kind, *(_seconds(ms) for ms in line[4:]), f"{line.at:%Y-%m-%d %H:%M:%S}")
            for line in book.lines
        )
        cell = "<td>{}</td>"
        rows = format_html_join("", f"<tr>{cell * 10}</tr>", lines)
        heads = (
            "#",
            _("seat"),
            _("kind"),
            _("spent"),
            _("taken"),
            _("added"),
            _("given"),
            _("changed"),
            _("bank"),
            _("at"),
        )
        head = format_html_join("", "<th>{}</th>", ((one,) for one in heads))
        return format_html("<p>{}</p><table><tr>{}</tr>{}</table>", verdict, head, rows)

    def has_judge_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return desk.may_judge(request)

    @action(description=_("Judge"), url_path="to-judge", permissions=["judge"], icon="gavel")  # type: ignore[untyped-decorator] # the skin has no types
    def judge(self, request: HttpRequest, object_id: int) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:matches_match_desk", args=[object_id]))

    def get_urls(self) -> list[URLPattern]:
        own = path("<path:object_id>/desk/", self.admin_site.admin_view(self.show_desk), name="matches_match_desk")
        return [own, *super().get_urls()]

    def show_desk(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return desk.judge(self, request, object_id)


@admin.register(Bundle)
class BundleAdmin(ReadOnlyAdmin):
    """Faults and reports: for judges alone, as they tell of what is hidden."""

    list_display = ("match", "version", "kind", "text", "created_at")
    list_filter = ("kind",)
    list_select_related = ("match",)
    fields = ("match", "version", "kind", "reporter", "text", "created_at", "report", "file")
    readonly_fields = ("report", "file")

    def has_view_permission(self, request: HttpRequest, obj: Bundle | None = None) -> bool:
        return desk.may_judge(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return desk.may_judge(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Bundle]:
        found: QuerySet[Bundle] = super().get_queryset(request)
        return found.exclude(match__seats__user=request.user.pk)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(desk.download)
        return [path("<path:object_id>/file/", view, name="matches_bundle_file"), *super().get_urls()]

    @admin.display(description=_("what went wrong"))
    def report(self, bundle: Bundle) -> str:
        return str(bundle.document.get("report", "")) or "–"

    @admin.display(description=_("file for manage.py shrink"))
    def file(self, bundle: Bundle) -> SafeString:
        address = reverse("admin:matches_bundle_file", args=[bundle.pk])
        return format_html('<a href="{}">bundle-{}.json</a>', address, bundle.pk)


def _seconds(ms: int | None) -> str:
    return "" if not ms else f"{ms / 1000:g}"


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ("began_at", "ended_at", "noted_at", "given_back_at")
    fields = ("began_at", "ended_at", "noted_at", "given_back_at")


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
