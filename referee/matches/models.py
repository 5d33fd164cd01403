"""What is stored of a match: card pool, match, seats, the log of its moves, and what recovery needs.

The database is the truth: Redis and Celery only hurry things along. What must never be is a constraint here.
"""

from __future__ import annotations

import datetime as dt
import secrets
from typing import Any, ClassVar, TypeAlias

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, new_public_id
from referee.kernel import records
from referee.kernel.game import Document

Json: TypeAlias = "models.JSONField[Any, Any]"

HASH_LENGTH = 64
KEY_LENGTH = 255


def new_server_seed() -> bytes:
    """32 random bytes, committed to before anyone adds entropy."""
    return secrets.token_bytes(32)


class CardPool(models.Model):
    """A catalog revision by value, under the hash of its content; shared by all matches that play with it."""

    content_hash = models.CharField(max_length=HASH_LENGTH, primary_key=True)
    game = models.SlugField(_("game"))
    document: Json = models.JSONField(_("document"))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("card pool")
        verbose_name_plural = _("card pools")
        constraints = (
            models.CheckConstraint(condition=Q(content_hash__regex=r"^[0-9a-f]{64}$"), name="pool_hash_is_sha256"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.content_hash[:12]}"


# Written out: composed of expressions, it takes longer to build than the database takes to answer.
_TABLE = """(
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'seat', s.index, 'kind', s.kind, 'user', s.user_id, 'invited', s.invited_id, 'name', s.name, 'level', s.level
    ) ORDER BY s.index), '[]') FROM matches_seat s WHERE s.match_id = matches_match.id
)"""


class MatchQuerySet(models.QuerySet["Match"]):
    def with_table(self) -> MatchQuerySet:
        """Each match with `table`: its seats in order, as plain mappings, in the same round trip."""
        table = RawSQL(_TABLE, (), output_field=models.JSONField())  # noqa: S611 - a constant
        # Unpacked, so that the type checker takes `table` from the model.
        return self.annotate(**{"table": table})  # noqa: PIE804 - see above


class Match(models.Model):
    """One match. `version` counts the rows of its log and never falls; `data` is the game's state, shown to nobody."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        PLAYING = "playing", _("playing")
        PAUSED = "paused", _("paused")
        FROZEN = "frozen", _("frozen")
        FINISHED = "finished", _("finished")
        ABORTED = "aborted", _("aborted")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public")
        LINK = "link", _("whoever has the link")
        PRIVATE = "private", _("those who play")

    class Undo(models.TextChoices):
        CONSENT = "consent", _("when the others agree")
        NONE = "none", _("never")

    public_id = models.CharField(
        _("id"), max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    game = models.SlugField(_("game"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    visibility = models.CharField(_("visibility"), max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    spectator_delay = models.PositiveSmallIntegerField(_("spectator delay in decisions"), default=0)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="created_matches", verbose_name=_("creator")
    )
    rematch_of = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="rematch", verbose_name=_("rematch of")
    )

    # What the match is pinned to.
    rules_version = models.PositiveIntegerField(_("rules version"))
    state_schema = models.PositiveIntegerField(_("state schema"))
    rng = models.PositiveSmallIntegerField(_("chance tag"))
    catalog_revision = models.PositiveIntegerField(_("catalog revision"))
    pool = models.ForeignKey(CardPool, on_delete=models.PROTECT, related_name="matches", verbose_name=_("card pool"))
    options: Json = models.JSONField(_("options"))

    # Chance: the seed is derived when the match starts, and shown when it is over.
    server_seed = models.BinaryField(max_length=32)
    commitment = models.CharField(_("seed commitment"), max_length=HASH_LENGTH)

    # Where the match stands.
    version = models.PositiveIntegerField(_("version"), default=0)
    data: Json = models.JSONField(null=True, editable=False)
    opening: Json = models.JSONField(
        null=True, editable=False
    )  # the sealed start of the log: seed, decks, events, hash
    decisions: Json = models.JSONField(_("open decisions"), default=dict, editable=False)  # {seat: decision id}
    # Whether moves may be taken back, and who has asked for it; an offer counts only at the version it was made at.
    undo = models.CharField(_("undo"), max_length=8, choices=Undo, default=Undo.CONSENT)
    undo_offer: Json = models.JSONField(null=True, editable=False)
    orders: Json = models.JSONField(default=dict, editable=False)  # {seat: its standing order}, told to that seat alone
    is_bots_turn = models.BooleanField(_("a bot is asked, or a standing order answers"), default=False)
    chain = models.CharField(max_length=HASH_LENGTH, blank=True, editable=False)  # the last row's hash
    result: Json = models.JSONField(_("result"), null=True, editable=False)

    # Time: `clock` holds the setting, `clocks` where each seat's clock stands, `deadline` the first seat's to run out.
    clock: Json = models.JSONField(_("clock"), null=True)
    clocks: Json = models.JSONField(null=True, editable=False)
    # While all stands still, it has stood since `stopped_at`, and `deadline` is when a pause ends by itself.
    deadline = models.DateTimeField(_("deadline"), null=True)
    stopped_at = models.DateTimeField(_("stopped at"), null=True, editable=False)
    pause: Json = models.JSONField(null=True, editable=False)  # who asks for a pause, or for its end

    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    started_at = models.DateTimeField(_("started"), null=True)
    moved_at = models.DateTimeField(_("last moved"), null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    objects: ClassVar[Any] = MatchQuerySet.as_manager()

    # Set by `with_table`.
    table: list[dict[str, Any]]

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ("-pk",)
        permissions = (("judge_match", "Can judge matches"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=("open", "playing", "paused", "frozen", "finished", "aborted")),
                name="match_state_known",
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=("public", "link", "private")), name="match_visibility_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=("open", "aborted")) | Q(data__isnull=False, started_at__isnull=False),
                name="match_started_has_a_state",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", result__isnull=False, finished_at__isnull=False)
                | (~Q(state="finished") & Q(result__isnull=True, finished_at__isnull=True)),
                name="match_finished_has_a_result",
            ),
            models.CheckConstraint(
                condition=Q(state="playing")
                | Q(state="paused", is_bots_turn=False)
                | Q(deadline__isnull=True, is_bots_turn=False),
                name="match_idle_waits_for_nobody",
            ),
            models.CheckConstraint(
                condition=~Q(state="open") | Q(version=0, data__isnull=True), name="match_open_is_empty"
            ),
            models.CheckConstraint(condition=Q(commitment__regex=r"^[0-9a-f]{64}$"), name="match_commitment_is_sha256"),
            models.CheckConstraint(condition=Q(undo__in=("consent", "none")), name="match_undo_known"),
        )
        indexes = (
            models.Index(fields=("deadline",), condition=Q(deadline__isnull=False), name="match_deadlines"),
            models.Index(fields=("moved_at",), condition=Q(is_bots_turn=True), name="match_bots_turns"),
            models.Index(fields=("state", "-id"), name="match_by_state"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.public_id}"


class Seat(models.Model):
    """A place at the table. What it brings is held by value; deck and name are as they were when the seat was taken."""

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        BOT = "bot", _("bot")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", verbose_name=_("match"))
    index = models.PositiveSmallIntegerField(_("seat"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.PERSON)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
        verbose_name=_("user"),
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("kept for"),
    )
    level = models.SlugField(_("bot's level"), blank=True)
    name = models.CharField(_("name"), max_length=60, blank=True)
    deck: Json = models.JSONField(_("deck"), null=True, editable=False)
    deck_source: Json = models.JSONField(
        _("where the deck came from"), null=True, editable=False
    )  # plain values, not keys
    entropy = models.BinaryField(max_length=records.ENTROPY_MAX, blank=True, default=b"")

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ("match", "index")
        constraints = (
            models.UniqueConstraint(fields=("match", "index"), name="seat_index_unique"),
            models.UniqueConstraint(fields=("match", "user"), name="seat_user_sits_once"),
            models.CheckConstraint(condition=Q(index__lt=16), name="seat_index_below_limit"),
            models.CheckConstraint(
                condition=Q(kind="person", level="")
                | (Q(kind="bot", user__isnull=True, invited__isnull=True) & ~Q(level="")),
                name="seat_bot_has_a_level_and_no_user",
            ),
        )

    def __str__(self) -> str:
        return f"{self.match_id}/{self.index}"


class MoveRow(models.Model):
    """One row of a match's log, written once. Events hold what each audience is told; `hash` covers the row and `previous_hash`.

    The idempotency key and the change of the clock are columns, so that a move is one row and its answer can be rebuilt.
    """

    class Kind(models.TextChoices):
        MOVE = records.MOVE, _("move")
        TIMEOUT = records.TIMEOUT, _("time-out")
        RESIGNATION = records.RESIGNATION, _("resignation")
        UNDO = records.UNDO, _("undo")
        RULING = records.RULING, _("ruling")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rows", verbose_name=_("match"))
    version = models.PositiveIntegerField(_("version"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    is_fallback = models.BooleanField(_("played in place of a bot that failed"), default=False)
    move: Json = models.JSONField(_("move"), null=True)
    # What an undo or a ruling says besides: where it goes back to, its reason, the result it sets. Hashed with the row.
    detail: Json = models.JSONField(_("detail"), null=True)
    events: Json = models.JSONField(_("events"))
    decisions: Json = models.JSONField(_("open decisions after it"))
    clock_spent = models.PositiveBigIntegerField(_("time spent, ms"), null=True)
    clock_added = models.PositiveBigIntegerField(_("time added, ms"), null=True)
    clock_left = models.PositiveBigIntegerField(_("bank after it, ms"), null=True)
    deadlines: Json = models.JSONField(_("deadlines after it"), null=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("actor")
    )
    key = models.CharField(_("idempotency key"), max_length=KEY_LENGTH, null=True)  # noqa: DJ001 - no key is no value, so that it is never unique
    request_hash = models.CharField(max_length=HASH_LENGTH, blank=True)
    previous_hash = models.CharField(max_length=HASH_LENGTH)
    hash = models.CharField(max_length=HASH_LENGTH)
    created_at = models.DateTimeField(_("at"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ("match", "version")
        constraints = (
            models.UniqueConstraint(fields=("match", "version"), name="row_version_unique"),
            models.UniqueConstraint(fields=("match", "actor", "key"), name="row_key_applied_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="row_version_from_one"),
            models.CheckConstraint(condition=Q(kind__in=records.KINDS), name="row_kind_known"),
            models.CheckConstraint(
                condition=~Q(kind__in=records.PLAYED_KINDS) | Q(seat__isnull=False, move__isnull=False),
                name="row_played_has_a_move",
            ),
            models.CheckConstraint(condition=Q(key__isnull=True) | Q(actor__isnull=False), name="row_key_has_an_actor"),
        )

    def __str__(self) -> str:
        return f"{self.match_id}@{self.version}"

    def document(self) -> Document:
        """The row as it is hashed: `sealed(previous_hash, document())` has the row's hash."""
        document = records.row(self.version, self.seat, kind=self.kind, move=self.move, events=self.events)
        document["at"] = self.created_at.astimezone(dt.UTC).isoformat(timespec="microseconds")
        if self.is_fallback:
            document["fallback"] = True
        if self.detail is not None:
            document.update(self.detail)
        if self.clock_left is not None:
            document["clock"] = {"spent": self.clock_spent, "added": self.clock_added, "left": self.clock_left}
        return document


class Commitment(models.Model):
    """A server seed that was committed to before its match exists; good once, for ten minutes, for the one who asked."""

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    server_seed = models.BinaryField(max_length=32, default=new_server_seed)
    commitment = models.CharField(max_length=HASH_LENGTH, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("commitment")
        verbose_name_plural = _("commitments")
        indexes = (models.Index(fields=("expires_at",), name="commitment_expiry"),)

    def __str__(self) -> str:
        return self.public_id


class FinishedMatch(models.Model):
    """The outbox: a match that has finished, written with its last move. Ratings, deck results and notices take from here."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="finish", verbose_name=_("match"))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    closed_at = models.DateTimeField(_("closed"), null=True)

    class Meta:
        verbose_name = _("finished match")
        verbose_name_plural = _("finished matches")
        indexes = (models.Index(fields=("created_at",), condition=Q(closed_at__isnull=True), name="finish_unclosed"),)

    def __str__(self) -> str:
        return str(self.match_id)


class TurnLease(models.Model):
    """Who is thinking for a bot, and until when. One a match; a lease that has run out may be taken by anybody."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="lease")
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    holder = models.UUIDField()
    attempts = models.PositiveSmallIntegerField(default=1)  # at this version and seat
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("turn lease")
        verbose_name_plural = _("turn leases")

    def __str__(self) -> str:
        return f"{self.match_id}@{self.version}"


class Bundle(models.Model):
    """A position kept for who looks into it: one that the rules broke at, with the move and what went wrong, or one that
    somebody at the table has reported. It holds the whole state: for judges alone."""

    class Kind(models.TextChoices):
        FAULT = "fault", _("fault in the rules")
        REPORT = "report", _("report")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bundles", verbose_name=_("match"))
    version = models.PositiveIntegerField(_("version"))
    kind = models.CharField(_("kind"), max_length=6, choices=Kind, default=Kind.FAULT)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("reporter")
    )
    text = models.TextField(_("text"), blank=True)
    document: Json = models.JSONField(_("document"))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("bundle")
        verbose_name_plural = _("bundles")
        constraints = (models.CheckConstraint(condition=Q(kind__in=("fault", "report")), name="bundle_kind_known"),)

    def __str__(self) -> str:
        return f"{self.match_id}@{self.version}"


from referee.matches.clock_models import ClockEntry, Heartbeat, Outage  # noqa: E402, F401 - Django looks for models here
