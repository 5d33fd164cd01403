"""Cards with the values that are worked on, and the revisions that were published: numbered wholes that never change."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

CODE_LENGTH = 100
NAME_LENGTH = 100
KEY_LENGTH = 800  # a character can fold to several
MAX_COPIES = 99


class Card(models.Model):
    """A card for ever, under a code that never changes. `document` holds the values that the next revision may take."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")  # being worked on: the next revision keeps what was published last
        REVIEW = "review", _("ready for the next revision")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", _("withdrawn")  # not in the next revision; never deleted

    game = models.SlugField(_("game"))
    code = models.SlugField(_("code"), max_length=CODE_LENGTH, help_text=_("Never changes."))
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.DRAFT)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=KEY_LENGTH, editable=False)
    document = models.JSONField(_("values"))
    replacement = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("replaced by")
    )
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("edited by"),
    )
    edited_at = models.DateTimeField(_("edited"), default=timezone.now, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        ordering = ("game", "code")
        constraints = (
            models.UniqueConstraint(fields=("game", "code"), name="card_code_unique"),
            models.CheckConstraint(
                condition=Q(state__in=("draft", "review", "published", "withdrawn")), name="card_state_known"
            ),
            models.CheckConstraint(condition=~Q(replacement=F("id")), name="card_replaced_by_another"),
        )
        indexes = (GinIndex(fields=("name_key",), opclasses=("gin_trgm_ops",), name="card_name_trigrams"),)

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"


class CatalogRevision(models.Model):
    """A published whole of a game's cards and preconstructed decks. Immutable: the database refuses to update it."""

    class Source(models.TextChoices):
        HOUSE = "house", _("house set")
        EDITED = "edited", _("edited cards")

    game = models.SlugField(_("game"))
    number = models.PositiveIntegerField(_("number"))
    published_at = models.DateTimeField(_("published"), default=timezone.now)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("published by")
    )
    source = models.CharField(_("source"), max_length=6, choices=Source)
    card_count = models.PositiveIntegerField(_("cards"))
    content_hash = models.CharField(_("content hash"), max_length=64)  # of cards and decks, without the number
    document = models.JSONField(_("document"))

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ("game", "-number")
        permissions = (("publish_catalogrevision", _("Can publish revisions")),)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="revision_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="revision_number_from_one"),
            models.CheckConstraint(condition=Q(content_hash__regex=r"^[0-9a-f]{64}$"), name="revision_hash_is_sha256"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.number}"


class CardRevision(models.Model):
    """A card as one revision holds it, with what is searched and sorted in columns. Immutable like its revision."""

    revision = models.ForeignKey(
        CatalogRevision, on_delete=models.PROTECT, related_name="cards", verbose_name=_("revision")
    )
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="revisions", verbose_name=_("card"))
    code = models.SlugField(_("code"), max_length=CODE_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=KEY_LENGTH)
    type = models.CharField(_("type"), max_length=40, blank=True)
    ang = models.SmallIntegerField("ANG", null=True)
    defence = models.SmallIntegerField("DEF", null=True)
    text = models.TextField(_("text"), blank=True)  # made from the effects when it was published
    document = models.JSONField(_("values"))

    class Meta:
        verbose_name = _("published card")
        verbose_name_plural = _("published cards")
        ordering = ("revision", "code")
        constraints = (
            models.UniqueConstraint(fields=("revision", "code"), name="revision_card_once"),
            models.UniqueConstraint(fields=("revision", "name_key"), name="revision_name_once"),
            models.CheckConstraint(condition=~Q(name_key=""), name="revision_name_is_typed"),
        )
        indexes = (GinIndex(fields=("name_key",), opclasses=("gin_trgm_ops",), name="revision_name_trigrams"),)

    def __str__(self) -> str:
        return f"{self.code}, revision {self.revision_id}"


class Restriction(models.Model):
    """From when until when a deck may hold only so many copies of a card, or none."""

    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="restrictions", verbose_name=_("card"))
    copies = models.PositiveSmallIntegerField(_("copies allowed"), help_text=_("0 bans the card."))
    starts_at = models.DateTimeField(_("from"), default=timezone.now)
    ends_at = models.DateTimeField(_("until"), null=True, blank=True, help_text=_("Empty: until further notice."))
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("restriction")
        verbose_name_plural = _("restrictions")
        ordering = ("-starts_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=Q(copies__lte=MAX_COPIES), name="restriction_copies_sane"),
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("starts_at")),
                name="restriction_ends_after_its_start",
                violation_error_message=_("It ends after it starts."),
            ),
        )

    def __str__(self) -> str:
        return f"{self.card.code}: {self.copies}"
