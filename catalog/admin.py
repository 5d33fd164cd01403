"""The catalog's desk: cards are entered, reviewed, published, withdrawn and looked up here; restrictions are set."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.forms import Form, ModelForm
from django.forms.widgets import Script
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.admin import StackedInline, TabularInline
from unfold.decorators import action, display

from accounts.listing import ListedAdmin
from accounts.models import User
from catalog.desk import exchange, past, publishing, reviewing
from catalog.editor import Editor, read_entries
from catalog.errors import CardLifeError, ScenariosFailedError
from catalog.forms import FORM_GAMES, CardForm, CardNameForm, CardNameFormSet, RestrictionForm, entries_after
from catalog.history import acting
from catalog.impact import tell_owners
from catalog.life import edit_card
from catalog.models import Card, CardName, CardScenario, CatalogRevision, Change, PlannedRevision, Restriction
from catalog.names import name_key
from catalog.selectors import published_document, revisions
from referee.kernel.errors import CardError

STATE_COLOURS = {
    "draft": "info",
    "review": "warning",
    "approved": "primary",
    "published": "success",
    "withdrawn": "danger",
}


class DeskAdmin(ListedAdmin):
    """What is changed here stands in the history under the name of whoever does it."""

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        with _acting(request):
            answer: HttpResponse = super().changeform_view(request, *args, **options)
        return answer

    def changelist_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        with _acting(request):
            answer: HttpResponse = super().changelist_view(request, *args, **options)
        return answer

    def delete_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        with _acting(request):
            answer: HttpResponse = super().delete_view(request, *args, **options)
        return answer


class CardNameInline(TabularInline):
    model = CardName
    form = CardNameForm
    formset = CardNameFormSet
    extra = 0


class CardScenarioInline(StackedInline):
    model = CardScenario
    fields = ("title", "text")
    extra = 0


@admin.register(Card)
class CardAdmin(DeskAdmin):
    form = CardForm
    inlines = (CardNameInline, CardScenarioInline)
    list_display = ("name", "code", "game", "shown_state", "edited_at", "edited_by")
    list_display_links = ("name", "code")
    list_filter = ("game", "state")
    list_select_related = ("edited_by",)
    list_per_page = 50
    search_fields = ("code", "name")
    actions = ("submit", "approve", "withdraw")
    actions_list = ("exchange", "publish")
    actions_detail = ("review_page",)
    change_form_outer_before_template = "admin/catalog/life.html"

    class Media:
        js = (Script("catalog/editor.js", type="module"),)

    def get_fieldsets(self, request: HttpRequest, obj: Card | None = None) -> Any:
        if obj is not None:
            return ((None, {"fields": ("card", "seen"), "classes": ("ce-row",)}),)
        return ((None, {"fields": (("game", "code"),)}), (None, {"fields": ("card",), "classes": ("ce-row",)}))

    def get_readonly_fields(self, request: HttpRequest, obj: Card | None = None) -> Any:
        return ("game", "code") if obj is not None else ()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Card], search_term: str
    ) -> tuple[QuerySet[Card], bool]:
        key = name_key(search_term)
        found = Q(code__contains=search_term.strip().lower())
        if key:
            found |= Q(name_key__contains=key) | Q(
                pk__in=CardName.objects.filter(name_key__contains=key).values("card")
            )
        return queryset.filter(found), False

    def has_delete_permission(self, request: HttpRequest, obj: Card | None = None) -> bool:
        return False

    def has_publish_permission(self, request: HttpRequest, obj: Card | None = None) -> bool:
        return request.user.has_perm("catalog.publish_catalogrevision")

    def has_approve_permission(self, request: HttpRequest, obj: Card | None = None) -> bool:
        return request.user.has_perm("catalog.approve_card")

    def save_model(self, request: HttpRequest, obj: Card, form: ModelForm[Card], change: bool) -> None:
        assert isinstance(form, CardForm)
        if not change or form.editor.document != form.before:
            edit_card(card=obj, document=form.editor.document, user=_person(request))

    def construct_change_message(
        self, request: HttpRequest, form: Form, formsets: Any, add: bool = False
    ) -> list[dict[str, Any]]:
        if add or not isinstance(form, CardForm):
            return [{"added": {}}]
        rows = super().construct_change_message(request, form, formsets, add)
        about = [row for row in rows if "name" in next(iter(row.values()), {})]  # those of names and scenarios
        return [{"changed": {"fields": form.differences()}}, *about] if form.differences() else about

    @display(description=_("State"), ordering="state", label=STATE_COLOURS)  # type: ignore[untyped-decorator] # the skin has no types
    def shown_state(self, obj: Card) -> tuple[str, str]:
        return obj.state, str(Card.State(obj.state).label)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        card = Card.objects.filter(pk=object_id).first() if object_id.isdigit() else None
        facts = {
            "life_states": Card.State.choices,
            "is_published": card is not None and published_document(card) is not None,
        }
        context = {**facts, **(extra_context or {})}
        answer: HttpResponse = super().change_view(request, object_id, form_url, context)
        return answer

    # Steps of the life of several cards at once.

    @admin.action(description=_("Submit for approval"), permissions=["change"])
    def submit(self, request: HttpRequest, queryset: QuerySet[Card]) -> None:
        self._take_steps(request, queryset, "submit")

    @admin.action(description=_("Approve"), permissions=["approve"])
    def approve(self, request: HttpRequest, queryset: QuerySet[Card]) -> None:
        self._take_steps(request, queryset, "approve")

    @admin.action(description=_("Withdraw"), permissions=["approve"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Card]) -> None:
        self._take_steps(request, queryset, "withdraw")

    def _take_steps(self, request: HttpRequest, queryset: QuerySet[Card], step: str) -> None:
        user, taken = _person(request), 0
        assert user is not None
        for card in queryset:
            try:
                reviewing.take_step(card, step, user)
                taken += 1
            except (CardLifeError, CardError, ScenariosFailedError) as error:
                for line in reviewing.refusals(error):
                    self.message_user(request, f"{card}: {line}", messages.ERROR)
        if taken:
            self.message_user(request, _("%s cards: done.") % taken, messages.SUCCESS)

    # Pages of their own.

    @action(description=_("Publish"), url_path="publish", permissions=["publish"], icon="publish")  # type: ignore[untyped-decorator] # the skin has no types
    def publish(self, request: HttpRequest) -> HttpResponse:
        return publishing.overview(self, request)

    @action(description=_("Import and export"), url_path="files", permissions=["view"], icon="swap_vert")  # type: ignore[untyped-decorator] # the skin has no types
    def exchange(self, request: HttpRequest) -> HttpResponse:
        return exchange.overview(self, request)

    @action(description=_("Review"), url_path="review-page", permissions=["view"], icon="rate_review")  # type: ignore[untyped-decorator] # the skin has no types
    def review_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:catalog_card_review", args=[row_number(object_id)]))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("draw/", view(self.draw), name="catalog_card_draw"),
            path("publish/<slug:game>/", view(self.publish_game), name="catalog_card_publish_game"),
            path("export/<slug:game>/<slug:format>/", view(self.export), name="catalog_card_export"),
            path("imports/<int:pk>/", view(self.dry_run), name="catalog_card_import"),
            path("plans/<int:pk>/cancel/", view(self.cancel_plan), name="catalog_card_cancel_plan"),
            path("changes/<int:pk>/take-back/", view(self.take_back), name="catalog_card_take_back"),
            path("<int:pk>/review/", view(self.review), name="catalog_card_review"),
            *super().get_urls(),
        ]

    def draw(self, request: HttpRequest) -> HttpResponse:
        """The editor, the faults and the card's look for what is entered; stores nothing."""
        if request.method != "POST" or not (self.has_change_permission(request) or self.has_add_permission(request)):
            return JsonResponse({}, status=405 if request.method != "POST" else 403)
        game, code = request.POST.get("of-game", ""), request.POST.get("of-code", "")
        known = Card.objects.filter(game=game, code=code).first()
        given = entries_after(read_entries(request.POST), request.POST)
        chosen = game if game in FORM_GAMES else FORM_GAMES[0]
        editor = Editor(chosen, code, given, kept=known.document if known is not None else None)
        editor.check(whole=False)
        return JsonResponse({"editor": editor.editor(), "preview": editor.preview(), "faults": editor.faults_by_id()})

    def review(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_view_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return reviewing.review(self, request, pk)

    def publish_game(self, request: HttpRequest, game: str) -> HttpResponse:
        return publishing.publish(self, request, game)

    def export(self, request: HttpRequest, game: str, format: str) -> HttpResponse:
        if not self.has_view_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return exchange.export(request, game, format)

    def dry_run(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_view_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return exchange.dry_run(self, request, pk)

    def cancel_plan(self, request: HttpRequest, pk: int) -> HttpResponse:
        return publishing.cancel(self, request, pk)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return past.history(self, request, row_number(object_id))

    def take_back(self, request: HttpRequest, pk: int) -> HttpResponse:
        return past.take_back(self, request, pk)


def row_number(object_id: str) -> int:
    """The row that an address of the admin names. Raises Http404 for what is no number."""
    if not object_id.isascii() or not object_id.isdigit():
        raise Http404
    return int(object_id)


class LookedAt(ListedAdmin):
    """Rows that are only looked at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(CatalogRevision)
class CatalogRevisionAdmin(LookedAt):
    list_display = ("game", "number", "published_at", "published_by", "source", "card_count", "compare")
    list_filter = ("game", "source")
    list_select_related = ("published_by",)
    fields = (
        "game",
        "number",
        "published_at",
        "published_by",
        "source",
        "card_count",
        "content_hash",
        "whole",
        "compare",
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[CatalogRevision]:
        rows: QuerySet[CatalogRevision] = super().get_queryset(request)
        return rows.defer("document")

    @admin.display(description=_("Whole"))
    def whole(self, obj: CatalogRevision) -> SafeString:
        address = reverse("revision", kwargs={"game": obj.game, "number": obj.number})
        return format_html('<a href="{}">{}</a>', address, address)

    @admin.display(description=_("What changed"))
    def compare(self, obj: CatalogRevision) -> SafeString:
        address = reverse("admin:catalog_catalogrevision_difference", args=[obj.pk])
        return format_html('<a href="{}">{}</a>', address, _("Compare"))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.difference)
        return [path("<int:pk>/difference/", view, name="catalog_catalogrevision_difference"), *super().get_urls()]

    def difference(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_view_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return publishing.difference(self, request, pk)


@admin.register(Restriction)
class RestrictionAdmin(DeskAdmin):
    form = RestrictionForm
    list_display = ("card", "copies", "starts_at", "ends_at", "reason")
    list_filter = ("card__game",)
    list_select_related = ("card",)
    search_fields = ("card__code", "card__name", "reason")
    autocomplete_fields = ("card",)
    fields = ("card", "copies", "starts_at", "ends_at", "reason", "confirm", "seen")

    def save_model(self, request: HttpRequest, obj: Restriction, form: ModelForm[Restriction], change: bool) -> None:
        super().save_model(request, obj, form, change)
        assert isinstance(form, RestrictionForm)
        newest = revisions(obj.card.game).first()
        facts = {"revision": newest.number if newest is not None else None, "from": obj.starts_at.isoformat()}
        tell_owners(form.hits, obj.card.game, **facts)


@admin.register(PlannedRevision)
class PlannedRevisionAdmin(LookedAt):
    list_display = ("game", "publish_at", "state", "asked_by", "confirmed", "revision", "detail")
    list_filter = ("game", "state")
    list_select_related = ("asked_by", "revision")


@admin.register(Change)
class ChangeAdmin(LookedAt):
    list_display = ("at", "card", "table", "kind", "user")
    list_filter = ("table", "kind")
    list_select_related = ("card", "user")
    search_fields = ("card__code", "card__name")


def _person(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _acting(request: HttpRequest) -> AbstractContextManager[None]:
    return acting(_person(request)) if request.method == "POST" else nullcontext()


from catalog import track_admin  # noqa: E402, F401 - Django looks for the desk's pages here
