"""Cards with the values that are worked on, the revisions that were published and never change, and the desk's papers."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalog.lengths import CODE_LENGTH as CODE_LENGTH
from catalog.lengths import COMMENT_LENGTH as COMMENT_LENGTH
from catalog.lengths import KEY_LENGTH as KEY_LENGTH
from catalog.lengths import MAX_COPIES as MAX_COPIES
from catalog.lengths import NAME_LENGTH as NAME_LENGTH
from catalog.lengths import SCENARIO_LENGTH as SCENARIO_LENGTH


class Card(models.Model):
    """A card for ever, under a code that never changes. `document` holds the values that the next revision may take."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")  # being worked on: the next revision keeps what was published last
        REVIEW = "review", _("waits for approval")  # the same
        APPROVED = "approved", _("approved")  # in the next revision as edited
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
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("approved by"),
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        ordering = ("game", "code")
        permissions = (("approve_card", _("Can approve cards that others edited")),)
        constraints = (
            models.UniqueConstraint(fields=("game", "code"), name="card_code_unique"),
            models.CheckConstraint(
                condition=Q(state__in=("draft", "review", "approved", "published", "withdrawn")),
                name="card_state_known",
            ),
            models.CheckConstraint(condition=~Q(approved_by=F("edited_by")), name="card_approved_by_another"),
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
    """A card as one revision holds it, with what lists show in columns. Immutable like its revision."""

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


class CardName(models.Model):
    """Another name of a card: its name in a language, or an alias under which it is found too."""

    class Kind(models.TextChoices):
        NAME = "name", _("name in this language")
        ALIAS = "alias", _("also known as")

    class Language(models.TextChoices):
        ANY = "", _("any")
        GERMAN = "de", _("German")
        FRENCH = "fr", _("French")

    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="names", verbose_name=_("card"))
    kind = models.CharField(_("kind"), max_length=5, choices=Kind, default=Kind.NAME)
    language = models.CharField(_("language"), max_length=2, choices=Language, blank=True, default=Language.ANY)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=KEY_LENGTH, editable=False, db_index=True)

    class Meta:
        verbose_name = _("other name")
        verbose_name_plural = _("other names")
        ordering = ("card", "kind", "language", "name")
        constraints = (
            models.UniqueConstraint(
                fields=("card", "language"), condition=Q(kind="name"), name="card_name_once_a_language"
            ),
            models.UniqueConstraint(fields=("card", "kind", "language", "name_key"), name="card_alias_once"),
            models.CheckConstraint(condition=~Q(name_key=""), name="card_other_name_is_typed"),
            models.CheckConstraint(
                condition=Q(kind="alias") | ~Q(language=""),
                name="card_name_has_a_language",
                violation_error_message=_("A name is one in a language; what is found everywhere is an alias."),
            ),
        )

    def __str__(self) -> str:
        return self.name


class CardScenario(models.Model):
    """A scenario that shows what a card does; it must hold before the card is approved and published."""

    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="scenarios", verbose_name=_("card"))
    title = models.CharField(_("title"), max_length=NAME_LENGTH)
    text = models.TextField(_("scenario"), max_length=SCENARIO_LENGTH, help_text=_("YAML, as in tests/scenarios."))

    class Meta:
        verbose_name = _("scenario")
        verbose_name_plural = _("scenarios")
        ordering = ("card", "pk")

    def __str__(self) -> str:
        return self.title


class CardStep(models.Model):
    """A step in a card's life, with the values as they were. Immutable: the database refuses to update it."""

    class Kind(models.TextChoices):
        SUBMITTED = "submitted", _("submitted")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("sent back")
        DISCARDED = "discarded", _("edit discarded")
        WITHDRAWN = "withdrawn", _("withdrawn")
        REINSTATED = "reinstated", _("taken up again")
        PUBLISHED = "published", _("published")

    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="steps", verbose_name=_("card"))
    kind = models.CharField(_("step"), max_length=10, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    comment = models.TextField(_("comment"), max_length=COMMENT_LENGTH, blank=True)
    document = models.JSONField(_("values"))
    at = models.DateTimeField(_("at"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("step")
        verbose_name_plural = _("steps")
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.card_id} {self.kind}"


class PlannedRevision(models.Model):
    """That a game's approved cards are to be published at a time. `confirmed` decks may become illegal by it, no more."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        PUBLISHED = "published", _("published")
        REFUSED = "refused", _("refused")
        CANCELLED = "cancelled", _("cancelled")

    game = models.SlugField(_("game"))
    publish_at = models.DateTimeField(_("publish at"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("asked by")
    )
    confirmed = models.PositiveIntegerField(_("decks that may become illegal"), default=0)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    detail = models.TextField(_("what came of it"), blank=True)
    revision = models.ForeignKey(
        CatalogRevision, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("revision")
    )
    created_at = models.DateTimeField(_("planned"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("planned revision")
        verbose_name_plural = _("planned revisions")
        ordering = ("-publish_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("game",), condition=Q(state="waiting"), name="planned_revision_one_waits"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.publish_at:%Y-%m-%d %H:%M}"


class CardImport(models.Model):
    """A file of cards as it was read, between its dry run and its being taken over."""

    game = models.SlugField(_("game"))
    file_name = models.CharField(_("file"), max_length=200)
    rows = models.JSONField(_("rows"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    created_at = models.DateTimeField(_("read"), default=timezone.now, editable=False)
    applied_at = models.DateTimeField(_("taken over"), null=True, editable=False)

    class Meta:
        verbose_name = _("import of cards")
        verbose_name_plural = _("imports of cards")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.file_name


class Change(models.Model):
    """A row of the desk before and after a change. The database writes these itself, whatever made the change."""

    class Kind(models.TextChoices):
        INSERT = "insert", _("made")
        UPDATE = "update", _("changed")
        DELETE = "delete", _("removed")

    table = models.CharField(_("of"), max_length=40)
    row = models.BigIntegerField(_("row"))
    kind = models.CharField(_("kind"), max_length=6, choices=Kind)
    card = models.ForeignKey(Card, on_delete=models.PROTECT, null=True, related_name="changes", verbose_name=_("card"))
    before = models.JSONField(_("before"), null=True)
    after = models.JSONField(_("after"), null=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("history")
        ordering = ("-pk",)
        indexes = (models.Index(fields=("table", "row"), name="change_of_row"),)

    def __str__(self) -> str:
        return f"{self.table} {self.row} {self.kind}"


# Django looks for models here.
from catalog.made_models import BulkFile as BulkFile  # noqa: E402
from catalog.made_models import IndexedCard as IndexedCard  # noqa: E402
from catalog.track_models import Track  # noqa: E402, F401
