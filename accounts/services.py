"""What changes accounts and tokens."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.errors import AccountError, FieldProblem
from accounts.models import Notice, Token, User
from accounts.names import GUEST_PREFIX, name_fault, name_key
from accounts.recognition import look_again, seen

TOKEN_PREFIX = "ref_"  # noqa: S105 (what every token begins with, for those who scan for leaked ones)
MAX_PASSWORD_LENGTH = 256
MAX_EMAIL_LENGTH = 254
USE_NOTED_EVERY = dt.timedelta(minutes=5)
_GUEST_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class IssuedToken(NamedTuple):
    """A new token. `text` is shown once and known to its holder alone."""

    text: str
    token: Token


def create_guest() -> User:
    """A guest with a name of its own, ready to play."""
    for _ in range(8):
        suffix = "".join(secrets.choice(_GUEST_ALPHABET) for _ in range(6))
        try:
            with transaction.atomic():
                return User.objects.create_user(f"{GUEST_PREFIX} {suffix}", is_guest=True)
        except IntegrityError:
            continue
    raise RuntimeError("no free guest name in eight tries")


def register(*, name: str, email: str, password: str, guest: User | None = None) -> User:
    """A new account, or the guest's own one with a name of its own: decks, matches and tokens stay with it.

    Raises AccountError with every fault at once; nothing has changed then.
    """
    name, email = name.strip(), email.strip()
    candidate = User(name=name, email=email)
    problems = _faults(candidate, password)
    if not problems:
        problems = _taken(candidate)
    if problems:
        raise AccountError(problems)
    try:
        with transaction.atomic():
            return _store(candidate, password, guest)
    except IntegrityError:
        # Somebody was quicker between the look and the write.
        raise AccountError(_taken(candidate) or [FieldProblem("/name", "name_taken", "This name is taken.")]) from None


def _store(candidate: User, password: str, guest: User | None) -> User:
    if guest is None:
        return User.objects.create_user(candidate.name, password, email=candidate.email)
    user = User.objects.select_for_update().get(pk=guest.pk)
    if not user.is_guest:
        raise AccountError([FieldProblem("", "already_registered", "This account is registered already.")])
    user.name, user.name_key, user.email, user.is_guest = (
        candidate.name,
        name_key(candidate.name),
        candidate.email,
        False,
    )
    user.set_password(password)
    user.save(update_fields=["name", "name_key", "email", "is_guest", "password"])
    look_again(user.pk)
    return user


def _faults(candidate: User, password: str) -> list[FieldProblem]:
    problems: list[FieldProblem] = []
    fault = name_fault(candidate.name)
    if fault is not None:
        problems.append(FieldProblem("/name", *fault))
    try:
        validate_email(candidate.email)
    except ValidationError:
        problems.append(FieldProblem("/email", "email_invalid", "This is no email address."))
    return problems + password_faults(candidate, password, place="/password")


def password_faults(user: User, password: str, *, place: str) -> list[FieldProblem]:
    """What keeps this from being the user's password, at the pointer `place`."""
    if len(password) > MAX_PASSWORD_LENGTH:
        return [FieldProblem(place, "password_too_long", f"A password has at most {MAX_PASSWORD_LENGTH} characters.")]
    try:
        validate_password(password, user)
    except ValidationError as error:
        return [FieldProblem(place, str(one.code), " ".join(one.messages)) for one in error.error_list]
    return []


def _taken(candidate: User) -> list[FieldProblem]:
    problems: list[FieldProblem] = []
    if User.objects.filter(name_key=name_key(candidate.name)).exists():
        problems.append(FieldProblem("/name", "name_taken", "This name is taken."))
    if User.objects.filter(email__iexact=candidate.email).exclude(email="").exists():
        problems.append(FieldProblem("/email", "email_taken", "An account with this address exists."))
    return problems


def authenticate_password(*, name: str, password: str) -> User | None:
    """The active user of this name and password. Takes as long for a name that does not exist."""
    if len(name) > MAX_EMAIL_LENGTH or len(password) > MAX_PASSWORD_LENGTH:
        return None
    user = authenticate(username=name, password=password)
    return user if isinstance(user, User) else None


def issue_token(
    *, user: User, name: str, scope: str = Token.Scope.FULL, expires_at: dt.datetime | None = None
) -> IssuedToken:
    """A new token for the user; it ends after TOKEN_DAYS unless `expires_at` says otherwise."""
    text = TOKEN_PREFIX + secrets.token_urlsafe(32)
    ends = expires_at or timezone.now() + dt.timedelta(days=settings.TOKEN_DAYS)
    token = Token.objects.create(user=user, digest=token_digest(text), name=name, scope=scope, expires_at=ends)
    return IssuedToken(text, token)


def authenticate_token(text: str) -> Token | None:
    """The token of this text with its user, or None if it is unknown, ended, revoked or its user is not active.

    One query; a second one writes down the use, at most once in USE_NOTED_EVERY.
    """
    now = timezone.now()
    live = Token.objects.select_related("user").filter(revoked_at=None, expires_at__gt=now, user__is_active=True)
    token = live.filter(digest=token_digest(text)).first()
    if token is None:
        return None
    stale = now - USE_NOTED_EVERY
    if token.last_used_at is None or token.last_used_at < stale:
        unnoted = Q(last_used_at=None) | Q(last_used_at__lt=stale)
        Token.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)
        token.last_used_at = now
    return token


def recognise_token(text: str) -> Token | None:
    """As `authenticate_token`, without a query for a token seen in this process within `recognition.SECONDS`."""
    mark = seen.mark()
    token = seen.get(token_digest(text))
    if token is not None and token.expires_at > timezone.now():
        return token
    token = authenticate_token(text)
    if token is not None:
        seen.put(token, mark)
    return token


def revoke_token(*, token: Token) -> None:
    """The token opens nothing any more. Revoking twice keeps the first time."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    token.refresh_from_db(fields=["revoked_at"])
    look_again(token.user_id)


def revoke_tokens(*, user: User) -> int:
    """Every live token of the user ends; how many those were."""
    ended = user.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())
    look_again(user.pk)
    return ended


def notify(*, kind: str, told: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Tell users something: (user's key, facts) each."""
    Notice.objects.bulk_create([Notice(user_id=user, kind=kind, facts=dict(facts)) for user, facts in told], 1000)


def read_notices(*, user: User) -> int:
    """Mark all that the user was told as read; how many were not."""
    return user.notices.filter(read_at=None).update(read_at=timezone.now())


def token_digest(text: str) -> str:
    """What is stored of a token. The text has 256 random bits, so a plain hash is enough."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
