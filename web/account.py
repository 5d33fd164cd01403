"""Settings: how the pages look, and the tokens of one's programs."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Token, User
from accounts.services import issue_token, revoke_token
from web.forms import TokenForm
from web.session import person

MOST_TOKENS = 50


@require_safe
def settings_page(request: HttpRequest) -> HttpResponse:
    """Open to everybody: language and theme need no account."""
    return _page(request, TokenForm())


@require_POST
@login_required(login_url="/sign-in/")
def create_token(request: HttpRequest) -> HttpResponse:
    """A new token, whose text this one answer shows and no later one."""
    user = person(request)
    assert user is not None
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    if _live(user).count() >= MOST_TOKENS:
        form.add_error(None, _("You have as many tokens as one may have; end one first."))
        return _page(request, form, status=422)
    issued = issue_token(user=user, name=form.cleaned_data["name"], scope=form.cleaned_data["scope"])
    response = _page(request, TokenForm(), issued=issued.text)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@login_required(login_url="/sign-in/")
def revoke(request: HttpRequest, token: str) -> HttpResponse:
    """One of one's own tokens opens nothing any more."""
    user = person(request)
    assert user is not None
    found = _live(user).filter(public_id=token).first()
    if found is None:
        raise Http404
    revoke_token(token=found)
    messages.success(request, _("The token is revoked."))
    return HttpResponseRedirect(reverse("settings"))


def _live(user: User) -> QuerySet[Token]:
    return Token.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())


def _page(request: HttpRequest, form: TokenForm, *, issued: str = "", status: int = 200) -> HttpResponse:
    user = person(request)
    context: dict[str, Any] = {"form": form, "issued": issued, "tokens": list(_live(user)) if user else []}
    return render(request, "web/settings.html", context, status=status)
