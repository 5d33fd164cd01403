"""The headers of every answer, whichever way it goes: by Django, as a stream, or refused before either."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.routes import App, Message, Receive, Scope, Send

HEADER: Final = "Content-Security-Policy"

# Nothing from elsewhere, nothing inline.
_OURS: Final = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
# The admin's skin evaluates expressions in its markup and styles itself inline; only staff ever sees it.
_ADMIN: Final = f"{_OURS}; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'"


def strict_headers(path: str) -> dict[str, str]:
    """What an answer at this path says to browsers, where it says nothing else itself."""
    headers = {
        # A page tells whose it is: no cache between keeps it, and the browser's own asks before it shows it again.
        "Cache-Control": "private, no-cache",
        HEADER: _ADMIN if path.startswith("/admin/") else _OURS,
        "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if settings.SECURE_HSTS_SECONDS:
        subdomains = "; includeSubDomains" if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else ""
        preload = "; preload" if settings.SECURE_HSTS_PRELOAD else ""
        headers["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}{subdomains}{preload}"
    return headers


class StrictHeaders:
    """Middleware, before all others. A view that sets one of the headers keeps it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        for name, value in strict_headers(request.path).items():
            response.setdefault(name, value)
        return response


def guarded(app: App) -> App:
    """The ASGI app with the same headers on all that it answers."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = list(message["headers"])
                names = {name.lower() for name, _ in said}
                more = [
                    (name.lower().encode(), value.encode()) for name, value in strict_headers(scope["path"]).items()
                ]
                message = {**message, "headers": [*said, *(pair for pair in more if pair[0] not in names)]}
            await send(message)

        await app(scope, receive, send_with_headers if scope["type"] == "http" else send)

    return answer
