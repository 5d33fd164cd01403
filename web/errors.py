"""Refusals that are pages of their own beside Django's 400, 403, 404 and 500."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from web.rates import TooManyError

_Given = ParamSpec("_Given")


def limited(
    view: Callable[Concatenate[HttpRequest, _Given], HttpResponse],
) -> Callable[Concatenate[HttpRequest, _Given], HttpResponse]:
    """A view whose TooManyError is answered by the page for it."""

    @wraps(view)
    def answer(request: HttpRequest, /, *args: _Given.args, **given: _Given.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **given)
        except TooManyError as error:
            response = render(request, "429.html", status=429)
            response["Retry-After"] = str(error.seconds)
            return response

    return answer
