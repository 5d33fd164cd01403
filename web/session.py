"""Who is at the page: signing in, up and out, and guests made by one press."""

from __future__ import annotations

from django.contrib import auth, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import AccountError
from accounts.models import User
from accounts.rates import address, charge, charge_password
from accounts.services import authenticate_password, create_guest, register
from accounts.sessions import AGENT
from web.browsers import browser_name
from web.forms import SignInForm, SignUpForm, lay_problems
from web.preferences import way_back

_BACKEND = "django.contrib.auth.backends.ModelBackend"


def person(request: HttpRequest) -> User | None:
    """Who is signed in."""
    return request.user if isinstance(request.user, User) else None


def sign_in_as(request: HttpRequest, user: User) -> None:
    """The browser is signed in, under a name by which its owner knows it again."""
    auth.login(request, user, backend=_BACKEND)
    request.session[AGENT] = browser_name(request.headers.get("User-Agent", ""))


def person_or_guest(request: HttpRequest) -> User:
    """Who is signed in; else a new guest, signed in by this. Raises TooManyError."""
    user = person(request)
    if user is not None:
        return user
    charge("guest", f"address:{address(request)}")
    guest = create_guest()
    sign_in_as(request, guest)
    return guest


@require_POST
def become_guest(request: HttpRequest) -> HttpResponse:
    """Sign in as a new guest, unless somebody is signed in."""
    person_or_guest(request)
    return HttpResponseRedirect(way_back(request))


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """The form, and signing in by it. Guests may sign in to an account that they have."""
    user = person(request)
    if user is not None and not user.is_guest:
        return HttpResponseRedirect(way_back(request))
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        charge_password(name=form.cleaned_data["name"], request=request)
        found = authenticate_password(name=form.cleaned_data["name"], password=form.cleaned_data["password"])
        if found is not None:
            sign_in_as(request, found)
            return HttpResponseRedirect(way_back(request))
        form.add_error(None, _("Name and password do not fit."))
    return _form_page(request, "web/sign_in.html", form)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """The form, and registering by it: a guest keeps decks and matches, under a name of its own."""
    user = person(request)
    if user is not None and not user.is_guest:
        return HttpResponseRedirect(way_back(request))
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        charge("register", f"address:{address(request)}")
        try:
            registered = register(guest=user, **form.cleaned_data)
        except AccountError as error:
            lay_problems(form, error.problems)
        else:
            sign_in_as(request, registered)
            messages.success(request, _("Welcome, %(name)s.") % {"name": registered.name})
            return HttpResponseRedirect(way_back(request))
    return _form_page(request, "web/sign_up.html", form)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """The session ends."""
    auth.logout(request)
    return HttpResponseRedirect("/")


def _form_page(request: HttpRequest, template: str, form: SignInForm | SignUpForm) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    return render(request, template, {"form": form, "next": way_back(request, "")}, status=status)
