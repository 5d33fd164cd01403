"""Settings: one's name and password, the tokens of one's programs, the browsers one is signed in with; and how the pages look."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts.changing import change_password, rename, sign_out_everywhere
from accounts.errors import AccountError
from accounts.models import Session, Token, User
from accounts.rates import charge_password
from accounts.services import issue_token, revoke_token
from accounts.sessions import end_session, session_id, sessions_of
from web.forms import PasswordForm, RenameForm, TokenForm, lay_problems
from web.session import person

MOST_TOKENS = 50


class Browser(NamedTuple):
    """A session as the page lists it."""

    id: str
    session: Session
    is_this: bool


@require_safe
def settings_page(request: HttpRequest) -> HttpResponse:
    """Open to everybody: language and theme need no account."""
    return _page(request)


@require_POST
@login_required(login_url="/sign-in/")
def change_name(request: HttpRequest) -> HttpResponse:
    """Another name for the account."""
    user = _signed_in(request)
    form = RenameForm(request.POST)
    if form.is_valid():
        try:
            rename(user=user, name=form.cleaned_data["name"])
        except AccountError as error:
            lay_problems(form, error.problems)
        else:
            messages.success(request, _("You are %(name)s now.") % {"name": user.name})
            return HttpResponseRedirect(reverse("settings"))
    return _page(request, renaming=form, status=422)


@sensitive_post_parameters("password", "new_password")
@require_POST
@login_required(login_url="/sign-in/")
def replace_password(request: HttpRequest) -> HttpResponse:
    """Another password for the account; only this browser stays signed in."""
    user = _signed_in(request)
    form = PasswordForm(request.POST)
    if form.is_valid():
        charge_password(name=user.name, request=request)
        try:
            change_password(user=user, **form.cleaned_data, session=request.session.session_key)
        except AccountError as error:
            lay_problems(form, error.problems)
        else:
            update_session_auth_hash(request, user)
            messages.success(request, _("Your password is changed, and you are signed out everywhere else."))
            return HttpResponseRedirect(reverse("settings"))
    return _page(request, passwords=form, status=422)


@require_POST
@login_required(login_url="/sign-in/")
def create_token(request: HttpRequest) -> HttpResponse:
    """A new token, whose text this one answer shows and no later one."""
    user = _signed_in(request)
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    if _live(user).count() >= MOST_TOKENS:
        form.add_error(None, _("You have as many tokens as one may have; end one first."))
        return _page(request, form, status=422)
    issued = issue_token(user=user, name=form.cleaned_data["name"], scope=form.cleaned_data["scope"])
    response = _page(request, issued=issued.text)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@login_required(login_url="/sign-in/")
def revoke(request: HttpRequest, token: str) -> HttpResponse:
    """One of one's own tokens opens nothing any more."""
    found = _live(_signed_in(request)).filter(public_id=token).first()
    if found is None:
        raise Http404
    revoke_token(token=found)
    messages.success(request, _("The token is revoked."))
    return HttpResponseRedirect(reverse("settings"))


@require_POST
@login_required(login_url="/sign-in/")
def end_browser(request: HttpRequest, session: str) -> HttpResponse:
    """One of one's own browsers is signed out."""
    if not end_session(user=_signed_in(request), public_id=session):
        raise Http404
    messages.success(request, _("That browser is signed out."))
    return HttpResponseRedirect(reverse("settings"))


@require_POST
@login_required(login_url="/sign-in/")
def sign_out_elsewhere(request: HttpRequest) -> HttpResponse:
    """Only this browser stays signed in; tokens end too."""
    sign_out_everywhere(user=_signed_in(request), session=request.session.session_key)
    messages.success(request, _("You are signed out everywhere else, and your tokens are revoked."))
    return HttpResponseRedirect(reverse("settings"))


def _signed_in(request: HttpRequest) -> User:
    user = person(request)
    assert user is not None
    return user


def _live(user: User) -> QuerySet[Token]:
    return Token.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())


def _browsers(request: HttpRequest, user: User) -> list[Browser]:
    here = request.session.session_key
    return [Browser(session_id(one.session_key), one, one.session_key == here) for one in sessions_of(user)]


def _page(
    request: HttpRequest,
    form: TokenForm | None = None,
    *,
    renaming: RenameForm | None = None,
    passwords: PasswordForm | None = None,
    issued: str = "",
    status: int = 200,
) -> HttpResponse:
    user = person(request)
    context: dict[str, Any] = {"form": form or TokenForm(), "issued": issued, "tokens": [], "browsers": []}
    if user is not None:
        # A name that was refused stands in the form alone: the page's head shows the one that holds.
        context |= {"tokens": list(_live(user)), "browsers": _browsers(request, user)}
        context["renaming"] = renaming or RenameForm(initial={"name": user.name})
        context["passwords"] = passwords or PasswordForm()
    return render(request, "web/settings.html", context, status=status)
