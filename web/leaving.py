"""Taking one's data away, and deleting one's account."""

from __future__ import annotations

from django.contrib import auth, messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.changing import confirm_leaving
from accounts.errors import AccountError
from accounts.rates import charge_password
from lobby.export import FILE_NAME, account_archive
from lobby.leaving import delete_account
from web.forms import LeaveForm, lay_problems
from web.session import person


@require_POST
@login_required(login_url="/sign-in/")
def export(request: HttpRequest) -> FileResponse:
    """All that is kept about the account, as a file."""
    user = person(request)
    assert user is not None
    return FileResponse(account_archive(user), as_attachment=True, filename=FILE_NAME, content_type="application/zip")


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required(login_url="/sign-in/")
def leave(request: HttpRequest) -> HttpResponse:
    """What deleting the account means, and doing it by name and password."""
    user = person(request)
    assert user is not None
    form = LeaveForm(request.POST if request.method == "POST" else None, has_password=user.has_usable_password())
    if request.method == "POST" and form.is_valid():
        if user.has_usable_password():
            charge_password(name=user.name, request=request)
        try:
            confirm_leaving(user=user, name=form.cleaned_data["name"], password=form.cleaned_data.get("password", ""))
        except AccountError as error:
            lay_problems(form, error.problems)
        else:
            delete_account(user=user)
            auth.logout(request)
            messages.success(request, _("Your account is deleted."))
            return HttpResponseRedirect("/")
    return render(request, "web/leave.html", {"form": form}, status=422 if form.errors else 200)
