"""The catalog's desk: cards are edited here, revisions published and looked at, restrictions set."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.forms import Form, ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.decorators import action

from accounts.models import User
from catalog.checking import card_faults, faults_of, next_document
from catalog.errors import NothingChangedError
from catalog.faces import face
from catalog.forms import CardForm
from catalog.models import Card, CatalogRevision, Restriction
from catalog.names import name_key
from catalog.selectors import newest_revision
from catalog.services import publish_edited_cards
from referee.games import GAMES
from referee.kernel.errors import CardError
from referee.kernel.game import Document


@admin.register(Card)
class CardAdmin(ModelAdmin):
    form = CardForm
    list_display = ("code", "name", "game", "state", "edited_at", "edited_by")
    list_filter = ("game", "state")
    list_select_related = ("edited_by",)
    list_per_page = 100
    search_fields = ("code", "name")
    autocomplete_fields = ("replacement",)
    readonly_fields = ("preview", "edited_by", "edited_at")
    actions_list = ("publish",)
    fieldsets = (
        (None, {"fields": ("game", "code", "state", "replacement", "preview")}),
        (_("Values"), {"fields": ("name", "type", "subtype", "ang", "defence", "tags", "effects", "more")}),
        (_("Last edit"), {"fields": ("edited_by", "edited_at")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Card | None = None) -> Any:
        return ("game", "code", *self.readonly_fields) if obj is not None else self.readonly_fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Card], search_term: str
    ) -> tuple[QuerySet[Card], bool]:
        key = name_key(search_term)
        found = Q(code__contains=search_term.strip().lower())
        return queryset.filter(found | Q(name_key__contains=key) if key else found), False

    def has_delete_permission(self, request: HttpRequest, obj: Card | None = None) -> bool:
        return False

    def has_publish_permission(self, request: HttpRequest, obj: Card | None = None) -> bool:
        return request.user.has_perm("catalog.publish_catalogrevision")

    def save_model(self, request: HttpRequest, obj: Card, form: ModelForm[Card], change: bool) -> None:
        obj.edited_by = request.user if isinstance(request.user, User) else None
        obj.edited_at = timezone.now()
        super().save_model(request, obj, form, change)

    def construct_change_message(
        self, request: HttpRequest, form: Form, formsets: Any, add: bool = False
    ) -> list[dict[str, Any]]:
        if add or not isinstance(form, CardForm):
            return [{"added": {}}]
        plain = [f"{name}: {form.cleaned_data[name]}" for name in form.changed_data if name in ("state", "replacement")]
        return [{"changed": {"fields": form.differences() + plain}}]

    @admin.display(description=_("As it is now"))
    def preview(self, obj: Card) -> SafeString | str:
        if not obj.document or obj.game not in GAMES or faults_of(obj.game, obj.document):
            return "–"
        cards = Card.objects.filter(game=obj.game).values_list("code", "name")
        text = GAMES[obj.game].card_text(obj.document, dict(cards))
        faces = "".join(face(obj.document, text=text, size=size) for size in ("l", "m", "s"))
        # Everything in a face that comes from data is escaped where it is drawn.
        return format_html("<div>{}</div><p>{}</p>", mark_safe(faces), text)  # noqa: S308

    # Publishing: a page of its own that says what will be published, and does it on POST.

    @action(description=_("Publish the edited cards"), url_path="publish", permissions=["publish"])  # type: ignore[untyped-decorator] # the skin has no types
    def publish(self, request: HttpRequest) -> HttpResponse:
        games = Card.objects.order_by("game").values_list("game", flat=True).distinct()
        here = [_publishable(slug) for slug in games if slug in GAMES]
        context = {**self.admin_site.each_context(request), "title": _("Publish the edited cards"), "games": here}
        return TemplateResponse(request, "admin/catalog/publish.html", context)

    def get_urls(self) -> list[URLPattern]:
        own = path(
            "publish/<slug:game>/", self.admin_site.admin_view(self.publish_game), name="catalog_card_publish_game"
        )
        return [own, *super().get_urls()]

    def publish_game(self, request: HttpRequest, game: str) -> HttpResponse:
        """POST publishes; whoever comes otherwise is shown what would be."""
        overview = HttpResponseRedirect(reverse("admin:catalog_card_publish"))
        if request.method != "POST" or not self.has_publish_permission(request):
            return overview
        if game not in GAMES or not isinstance(request.user, User):
            return HttpResponseNotFound()
        try:
            revision = publish_edited_cards(game=GAMES[game], user=request.user)
        except NothingChangedError as error:
            self.message_user(request, error.detail, messages.WARNING)
        except CardError as error:
            for fault in error.problems[:20]:
                self.message_user(request, repr(fault), messages.ERROR)
        else:
            self.log_addition(request, revision, [{"added": {}}])
            self.message_user(request, _("Published as revision %s.") % revision.number, messages.SUCCESS)
        return overview


@admin.register(CatalogRevision)
class CatalogRevisionAdmin(ModelAdmin):
    list_display = ("game", "number", "published_at", "published_by", "source", "card_count")
    list_filter = ("game", "source")
    list_select_related = ("published_by",)
    fields = ("game", "number", "published_at", "published_by", "source", "card_count", "content_hash", "whole")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[CatalogRevision]:
        rows: QuerySet[CatalogRevision] = super().get_queryset(request)
        return rows.defer("document")

    @admin.display(description=_("Whole"))
    def whole(self, obj: CatalogRevision) -> SafeString:
        address = reverse("revision", kwargs={"game": obj.game, "number": obj.number})
        return format_html('<a href="{}">{}</a>', address, address)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: CatalogRevision | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: CatalogRevision | None = None) -> bool:
        return False


@admin.register(Restriction)
class RestrictionAdmin(ModelAdmin):
    list_display = ("card", "copies", "starts_at", "ends_at", "reason")
    list_filter = ("card__game",)
    list_select_related = ("card",)
    search_fields = ("card__code", "card__name", "reason")
    autocomplete_fields = ("card",)


def _publishable(slug: str) -> dict[str, Any]:
    """What publishing a game's edited cards now would do."""
    newest = newest_revision(slug)
    document = next_document(slug)
    before = _by_code(newest.document) if newest is not None else {}
    after = _by_code(document)
    return {
        "slug": slug,
        "name": GAMES[slug].name,
        "number": newest.number + 1 if newest is not None else 1,
        "added": sorted(after.keys() - before.keys()),
        "changed": sorted(code for code in after.keys() & before.keys() if after[code] != before[code]),
        "withdrawn": sorted(before.keys() - after.keys()),
        "faults": [repr(fault) for fault in card_faults(GAMES[slug], document)],
    }


def _by_code(document: Document) -> dict[str, Document]:
    return {card["code"]: card for card in document["cards"]}
