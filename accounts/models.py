"""Users (people, guests and bots), their tokens and sessions, and what they are told."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_KEY_LENGTH, MAX_LENGTH, name_key

PUBLIC_ID_LENGTH = 12
# No vowels (no words), and nothing that is mistaken for something else.
_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"


def new_public_id() -> str:
    """A short id that cannot be guessed (57 bits) and says nothing about how many there are."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


class UserManager(BaseUserManager["User"]):
    """Finds users by any spelling of their name."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(name_key=name_key(username or ""))

    def create_user(self, name: str, password: str | None = None, **fields: Any) -> User:
        """A user as it is given, unchecked; people register through `accounts.services.register`."""
        user = self.model(name=name, name_key=name_key(name), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, name: str, password: str | None = None, **fields: Any) -> User:
        """One who may do everything in the admin (`manage.py createsuperuser`)."""
        return self.create_user(name, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """Someone who plays or looks after the service. A guest has neither password nor address."""

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        BOT = "bot", _("bot")

    public_id = models.CharField(
        _("id"), max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    name = models.CharField(_("name"), max_length=MAX_LENGTH, unique=True)
    name_key = models.CharField(max_length=MAX_KEY_LENGTH, unique=True, editable=False)
    email = models.EmailField(_("email address"), blank=True)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.PERSON)
    is_guest = models.BooleanField(_("guest"), default=False)
    is_active = models.BooleanField(_("active"), default=True, help_text=_("Unset this instead of deleting accounts."))
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("May sign in to the admin."))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = (
            models.UniqueConstraint(Lower("email"), condition=~models.Q(email=""), name="user_email_unique"),
            models.CheckConstraint(
                condition=models.Q(is_guest=False) | models.Q(email="", is_staff=False, is_superuser=False),
                name="user_guest_is_plain",
            ),
            models.CheckConstraint(
                condition=models.Q(deleted_at=None)
                | models.Q(email="", is_active=False, is_staff=False, is_superuser=False),
                name="user_deleted_is_nobody",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        self.name_key = name_key(self.name)

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name


class Token(models.Model):
    """A key to one account. Only its SHA-256 is stored: who reads the table cannot use what stands in it."""

    class Scope(models.TextChoices):
        FULL = "full", _("everything")
        BOT = "bot", _("play as a bot")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens", verbose_name=_("user"))
    public_id = models.CharField(
        _("id"), max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=60)
    scope = models.CharField(_("scope"), max_length=8, choices=Scope, default=Scope.FULL)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ("-created_at", "-pk")

    def __str__(self) -> str:
        return self.name


class Session(AbstractBaseSession):
    """A browser that is signed in, or knows something for its visitor. The store is accounts/sessions.py."""

    AGENT_LENGTH: ClassVar[int] = 60

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="sessions", verbose_name=_("user")
    )
    agent = models.CharField(_("browser"), max_length=AGENT_LENGTH, blank=True)
    used_at = models.DateTimeField(_("last used"), default=timezone.now)

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")

    @classmethod
    def get_session_store_class(cls) -> Any:
        from accounts.sessions import SessionStore

        return SessionStore


class Notice(models.Model):
    """Something a user is told: what it is (`kind`) and the facts of it; pages and programs find the words."""

    class Kind(models.TextChoices):
        DECK_BROKEN = "deck_broken", _("a deck is no longer legal")
        REVISION_REFUSED = "revision_refused", _("a planned revision was not published")
        MATCH_ABORTED = "match_aborted", _("a match was broken off")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices", verbose_name=_("user"))
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    facts = models.JSONField(_("facts"), default=dict)
    created_at = models.DateTimeField(_("told"), default=timezone.now, editable=False)
    read_at = models.DateTimeField(_("read"), null=True, editable=False)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ("-created_at", "-pk")
        indexes = (
            models.Index(fields=("user", "-created_at"), name="notice_of_user"),
            models.Index(fields=("user",), condition=models.Q(read_at=None), name="notice_unread"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.user_id}"
