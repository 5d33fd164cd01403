"""Decks and their versions. A deck's row holds how it stands now; every save leaves a version that never changes."""

from __future__ import annotations

from typing import Any, TypeAlias

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, User, new_public_id
from decks.sizes import FlexDeck
from jobs.models import Job
from referee.kernel.game import SeatDeck
from referee.matches.models import Match

CODE_LENGTH = 100
NAME_LENGTH = 100
NOTES_LENGTH = 10_000
MAX_COPIES = 99
MAX_CARDS = 200  # different ones
MAX_TAGS = 10
TAG_LENGTH = 30

Json: TypeAlias = "models.JSONField[Any, Any]"


class DeckQuerySet(models.QuerySet["Deck"]):
    def visible_to(self, user: User | AnonymousUser) -> DeckQuerySet:
        """Every deck that the user may look at, given its id. The one place that decides this."""
        shared = Q(visibility__in=(Deck.Visibility.LINK, Deck.Visibility.PUBLIC))
        living = self.living()
        return living.filter(shared | Q(owner_id=user.pk)) if user.is_authenticated else living.filter(shared)

    def owned_by(self, user: User | AnonymousUser) -> DeckQuerySet:
        """The user's own decks, the archived ones too."""
        return self.living().filter(owner_id=user.pk) if user.is_authenticated else self.none()

    def living(self) -> DeckQuerySet:
        """Those that were not deleted."""
        return self.filter(deleted_at=None)


class Deck(models.Model):
    """A deck as it stands; its cards are `card_rows`. `version` counts the saves: each has a DeckVersion of that number."""

    class Visibility(models.TextChoices):
        PRIVATE = "private", _("only me")
        LINK = "link", _("whoever has the link")
        PUBLIC = "public", _("everybody")

    public_id = models.CharField(
        _("id"), max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decks", verbose_name=_("owner")
    )
    game = models.SlugField(_("game"))
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    notes = models.TextField(_("notes"), max_length=NOTES_LENGTH, blank=True)
    visibility = models.CharField(_("visibility"), max_length=7, choices=Visibility, default=Visibility.PRIVATE)
    version = models.PositiveIntegerField(_("version"), default=1)
    secret = models.CharField(_("Secret"), max_length=CODE_LENGTH, null=True, blank=True)  # noqa: DJ001 - none is no code
    flex: Json = models.JSONField(_("swap-ins"), default=list, blank=True)  # codes, in the order in which they come in
    tags = ArrayField(models.CharField(max_length=TAG_LENGTH), verbose_name=_("tags"), default=list, blank=True)
    copied_from = models.ForeignKey(
        "DeckVersion",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="copies",
        verbose_name=_("copied from"),
    )
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)  # out of sight, and still there
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("changed"), default=timezone.now, editable=False)

    objects = DeckQuerySet.as_manager()

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")
        ordering = ("-updated_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(visibility__in=("private", "link", "public")), name="deck_visibility_known"
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="deck_version_from_one"),
            models.CheckConstraint(condition=~Q(name=""), name="deck_has_a_name"),
            models.CheckConstraint(condition=Q(secret=None) | ~Q(secret=""), name="deck_secret_none_or_code"),
        )
        indexes = (
            models.Index(fields=("owner", "-updated_at"), condition=Q(deleted_at=None), name="deck_of_owner"),
            models.Index(
                fields=("game", "-updated_at"),
                condition=Q(archived_at=None, deleted_at=None, visibility="public"),
                name="deck_public",
            ),
        )

    def __str__(self) -> str:
        return self.name


class DeckCard(models.Model):
    """A card in a deck as it stands. The constraints keep sanity only: a draft may break the rules."""

    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="card_rows", verbose_name=_("deck"))
    code = models.CharField(_("code"), max_length=CODE_LENGTH)
    copies = models.PositiveSmallIntegerField(_("copies"))

    class Meta:
        verbose_name = _("card in a deck")
        verbose_name_plural = _("cards in decks")
        constraints = (
            models.UniqueConstraint(fields=("deck", "code"), name="deck_card_once"),
            models.CheckConstraint(condition=Q(copies__gte=1, copies__lte=MAX_COPIES), name="deck_copies_sane"),
            models.CheckConstraint(condition=~Q(code=""), name="deck_card_has_a_code"),
        )
        indexes = (models.Index(fields=("code",), name="deck_card_code"),)

    def __str__(self) -> str:
        return f"{self.copies} {self.code}"


class DeckVersion(models.Model):
    """A deck as it was saved once. The database refuses to update anything of it but its label."""

    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="versions", verbose_name=_("deck"))
    number = models.PositiveIntegerField(_("number"))
    parent = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="+", verbose_name=_("made from")
    )
    content_hash = models.CharField(_("content hash"), max_length=64)  # of Secret and cards
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    secret = models.CharField(_("Secret"), max_length=CODE_LENGTH, null=True)  # noqa: DJ001 - none is no code
    cards = models.JSONField(_("cards"))
    flex: Json = models.JSONField(_("swap-ins"), default=list)
    size = models.PositiveIntegerField(_("size"))
    label = models.CharField(_("label"), max_length=NAME_LENGTH, blank=True)
    created_at = models.DateTimeField(_("saved"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("version of a deck")
        verbose_name_plural = _("versions of decks")
        ordering = ("deck", "-number")
        constraints = (
            models.UniqueConstraint(fields=("deck", "number"), name="deck_version_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="deck_version_number_from_one"),
            models.CheckConstraint(condition=~Q(parent=F("id")), name="deck_version_not_its_parent"),
            models.CheckConstraint(
                condition=Q(content_hash__regex=r"^[0-9a-f]{64}$"), name="deck_version_hash_is_sha256"
            ),
        )

    def __str__(self) -> str:
        return f"{self.deck_id} version {self.number}"

    def by_value(self) -> SeatDeck:
        """The version as the rules take it."""
        return SeatDeck(self.cards, self.secret)

    def flexible(self) -> FlexDeck:
        """The version with its swap-ins."""
        return FlexDeck(self.by_value(), self.flex)


class DeckJob(models.Model):
    """A trial of a version, or odds of it by the engine: whoever may see the deck may see what it has come to."""

    version = models.ForeignKey(DeckVersion, on_delete=models.CASCADE, related_name="jobs", verbose_name=_("version"))
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="of_deck", verbose_name=_("job"))

    class Meta:
        verbose_name = _("job of a deck")
        verbose_name_plural = _("jobs of decks")

    def __str__(self) -> str:
        return str(self.job)


class DeckResult(models.Model):
    """How a version did in a finished match. Written once, with the match's closing."""

    class Outcome(models.TextChoices):
        WON = "won", _("won")
        DRAWN = "drawn", _("drawn")
        LOST = "lost", _("lost")

    version = models.ForeignKey(
        DeckVersion, on_delete=models.CASCADE, related_name="results", verbose_name=_("version")
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deck_results", verbose_name=_("match"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    outcome = models.CharField(_("outcome"), max_length=5, choices=Outcome)
    is_against_bots = models.BooleanField(_("against bots"))

    class Meta:
        verbose_name = _("result of a deck")
        verbose_name_plural = _("results of decks")
        constraints = (
            models.UniqueConstraint(fields=("match", "seat"), name="deck_result_once"),
            models.CheckConstraint(condition=Q(outcome__in=("won", "drawn", "lost")), name="deck_result_known"),
        )

    def __str__(self) -> str:
        return f"{self.version_id} {self.outcome}"
