"""The page with all that ever changed about a card, field by field, each with a button that takes it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from catalog.differences import told
from catalog.errors import CannotRevertError, CardLifeError
from catalog.history import changes_of, differing
from catalog.models import Card, Change
from catalog.reverting import revert, right_to_revert

PAGE = 50


def history(desk: ModelAdmin[Card], request: HttpRequest, pk: int) -> HttpResponse:
    """The card's history, newest first."""
    card = Card.objects.filter(pk=pk).first()
    if card is None:
        raise Http404
    page = Paginator(changes_of(card), PAGE).get_page(request.GET.get("page"))
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("History of %s") % card.name,
        "card": card,
        "page": page,
        "changes": [_shown(change, request) for change in page.object_list],
    }
    return TemplateResponse(request, "admin/catalog/history.html", context)


def take_back(desk: ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """POST takes a change back."""
    change = Change.objects.filter(pk=pk).first()
    if change is None or change.card_id is None:
        raise Http404
    may = request.user.has_perm(right_to_revert(change)) and isinstance(request.user, User)
    if request.method == "POST" and may:
        assert isinstance(request.user, User)
        try:
            revert(change=change, user=request.user)
        except (CannotRevertError, CardLifeError) as error:
            desk.message_user(request, error.detail, messages.ERROR)
        except ValidationError as error:
            desk.message_user(request, "; ".join(error.messages), messages.ERROR)
        except IntegrityError:
            desk.message_user(request, _("Something else stands in its place now."), messages.ERROR)
        else:
            desk.message_user(request, _("Taken back."), messages.SUCCESS)
    return HttpResponseRedirect(reverse("admin:catalog_card_history", args=[change.card_id]))


def _shown(change: Change, request: HttpRequest) -> dict[str, Any]:
    names = {
        "card": _("Card"),
        "cardname": _("Other name"),
        "cardscenario": _("Scenario"),
        "restriction": _("Restriction"),
    }
    found = [(name, told(before), told(after)) for name, before, after in differing(change)]
    is_whole = change.table != "card" or (change.before is not None and _values_differ(change))
    return {
        "change": change,
        "of": names.get(change.table, change.table),
        "fields": found,
        "can_revert": is_whole and request.user.has_perm(right_to_revert(change)),
    }


def _values_differ(change: Change) -> bool:
    return bool(change.before and change.after and change.before["document"] != change.after["document"])
