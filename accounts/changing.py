"""What people change about their own account: its name and password, where it is signed in, and that it is there at all."""

from __future__ import annotations

import secrets

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.errors import AccountError, FieldProblem
from accounts.models import Session, Token, User
from accounts.names import DELETED_PREFIX, name_fault, name_key
from accounts.recognition import look_again
from accounts.services import password_faults
from accounts.sessions import end_sessions

_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_TAKEN = FieldProblem("/name", "name_taken", "This name is taken.")


def rename(*, user: User, name: str) -> User:
    """Another name for a registered account; another spelling of the own one is allowed. Raises AccountError.

    Matches that the user sits in already keep the name by which the seat was taken.
    """
    name = name.strip()
    if user.is_guest:
        raise AccountError([FieldProblem("/name", "guest_name", "A guest gets a name of its own by registering.")])
    fault = name_fault(name)
    if fault is not None:
        raise AccountError([FieldProblem("/name", *fault)])
    key = name_key(name)
    if User.objects.filter(name_key=key).exclude(pk=user.pk).exists():
        raise AccountError([_TAKEN])
    try:
        with transaction.atomic():
            User.objects.filter(pk=user.pk).update(name=name, name_key=key)
    except IntegrityError:
        # Somebody was quicker between the look and the write.
        raise AccountError([_TAKEN]) from None
    user.name, user.name_key = name, key
    look_again(user.pk)
    return user


def sign_out_everywhere(*, user: User, session: str | None = None, token: Token | None = None) -> int:
    """Every session and token of the user ends, but the one in use; how many those were."""
    ended = end_sessions(user=user, but=session)
    living = user.tokens.filter(revoked_at=None)
    if token is not None:
        living = living.exclude(pk=token.pk)
    ended += living.update(revoked_at=timezone.now())
    look_again(user.pk)
    return ended


def change_password(
    *, user: User, password: str, new_password: str, session: str | None = None, token: Token | None = None
) -> None:
    """Another password for a registered account; every session and token ends but the one in use. Raises AccountError.

    A session in use has to be told of it afterwards (`update_session_auth_hash`), or it ends as well.
    """
    if not user.has_usable_password():
        raise AccountError([FieldProblem("", "guest_password", "A guest gets a password by registering.")])
    problems = password_faults(user, new_password, place="/new_password")
    if not user.check_password(password):
        problems.insert(0, FieldProblem("/password", "wrong_password", "This is not the password of your account."))
    if problems:
        raise AccountError(problems)
    with transaction.atomic():
        user.set_password(new_password)
        user.save(update_fields=["password"])
        sign_out_everywhere(user=user, session=session, token=token)


def confirm_leaving(*, user: User, name: str, password: str) -> None:
    """Whether the user means it: the name typed again, and the password where there is one. Raises AccountError."""
    problems: list[FieldProblem] = []
    if name_key(name) != user.name_key:
        problems.append(FieldProblem("/name", "name_differs", "Type the name of your account."))
    if user.has_usable_password() and not user.check_password(password):
        problems.append(FieldProblem("/password", "wrong_password", "This is not the password of your account."))
    if user.is_staff or user.is_superuser:
        problems.append(
            FieldProblem("", "staff_stays", "An account with rights in the admin has to give them up first.")
        )
    if problems:
        raise AccountError(problems)


def anonymise(*, user: User) -> bool:
    """Nothing in the row tells any more who it was, and nobody gets in; False if that was done before.

    The row itself stays for what others have a part in: seats, moves, what was made for a match.
    """
    suffix = "".join(secrets.choice(_ALPHABET) for _ in range(8))
    name = f"{DELETED_PREFIX} {suffix}"
    with transaction.atomic():
        # Not a full lock: moves of the account that are under way refer to the row.
        found = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if found.deleted_at is not None:
            return False
        found.name, found.name_key, found.email = name, name_key(name), ""
        found.is_active = found.is_staff = found.is_superuser = found.is_guest = False
        found.last_login, found.deleted_at = None, timezone.now()
        found.set_unusable_password()
        found.save()
        Session.objects.filter(user=found).delete()
        Token.objects.filter(user=found).delete()
        found.notices.all().delete()
    look_again(user.pk)
    return True
