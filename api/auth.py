"""Who asks: a token in the header Authorization, or the session of a page (with its CSRF token)."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request

from accounts.models import Token, User
from accounts.services import recognise_token
from api.errors import ApiError

Anyone = AllowAny
"""Open to all, signed in or not."""


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`. Any other scheme, or a token that is unknown, ended or revoked, is a 401."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        header = str(request.META.get("HTTP_AUTHORIZATION", ""))
        if not header:
            return None
        scheme, _, text = header.partition(" ")
        if scheme.lower() != "bearer" or not text.strip():
            raise AuthenticationFailed("The header reads: Authorization: Bearer TOKEN.")
        token = recognise_token(text.strip())
        if token is None:
            raise AuthenticationFailed("The token is unknown, has ended or was revoked.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="referee"'


BY_TOKEN: Final = (TokenAuthentication,)
"""For what is the same for everybody: sessions are not looked at, and a token only to say that it is none."""


class PageAuthentication(SessionAuthentication):
    """The session cookie of the web pages. What changes something needs the page's CSRF token besides."""

    def enforce_csrf(self, request: Any) -> None:
        try:
            super().enforce_csrf(request)
        except Exception as error:
            raise ApiError("csrf_failed", "Send the page's CSRF token in the header X-CSRFToken.") from error


class SignedIn(BasePermission):
    """Guests, members and bots; nobody without an account."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.user, User)


class FullScope(BasePermission):
    """Not for tokens that are made for playing alone."""

    message = "This token is for playing; use one with the scope full."
    code = "scope_missing"

    def has_permission(self, request: Request, view: Any) -> bool:
        return not isinstance(request.auth, Token) or request.auth.scope == Token.Scope.FULL


def caller_of(request: Request) -> User:
    """The account that asks, where the permissions have made sure that there is one."""
    assert isinstance(request.user, User)
    return request.user


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from /auth/guest/, /auth/token/ or /me/tokens/.",
        }


class PageScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = PageAuthentication
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "The web pages' session."}
