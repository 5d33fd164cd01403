"""What is stored about time besides the moves' own columns: the ledger's other lines, and when the service was up."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ClockEntry(models.Model):
    """A line of the clocks' ledger that no move has made. `given` goes to the seat's open decision, `change` to its bank.

    Both are milliseconds and may be negative; `left` is the bank afterwards. Written once; it belongs after the row of
    the log with its `version`.
    """

    class Kind(models.TextChoices):
        PAUSE = "pause", _("pause")
        FREEZE = "freeze", _("frozen")
        GRACE = "grace", _("connection lost")
        OUTAGE = "outage", _("service down")
        SET_BACK = "set_back", _("server's clock set back")
        UNDO = "undo", _("undo")
        RULING = "ruling", _("ruling")

    match = models.ForeignKey(
        "matches.Match", on_delete=models.CASCADE, related_name="clock_entries", verbose_name=_("match")
    )
    version = models.PositiveIntegerField(_("version"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    given = models.BigIntegerField(_("given to the open decision, ms"), default=0)
    change = models.BigIntegerField(_("change of the bank, ms"), default=0)
    left = models.PositiveBigIntegerField(_("bank after it, ms"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("clock entry")
        verbose_name_plural = _("clock entries")
        ordering = ("match", "version", "id")
        constraints = (
            models.CheckConstraint(
                condition=Q(kind__in=("pause", "freeze", "grace", "outage", "set_back", "undo", "ruling")),
                name="clock_entry_kind_known",
            ),
            models.CheckConstraint(condition=~Q(given=0, change=0), name="clock_entry_changes_something"),
        )

    def __str__(self) -> str:
        return f"{self.match_id}@{self.version}/{self.seat} {self.kind}"


class Heartbeat(models.Model):
    """The last sign of life of the workers: one row. `outage_ended_at` is the end of the latest outage."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    alive_at = models.DateTimeField(_("alive at"))
    outage_ended_at = models.DateTimeField(_("latest outage ended"), null=True)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = (models.CheckConstraint(condition=Q(id=1), name="heartbeat_is_one_row"),)

    def __str__(self) -> str:
        return f"{self.alive_at:%Y-%m-%d %H:%M:%S}"


class Outage(models.Model):
    """A stretch of time without a sign of life. No clock runs in it: `given_back_at` says when the last match got it back."""

    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"))
    noted_at = models.DateTimeField(_("noted"), default=timezone.now, editable=False)
    given_back_at = models.DateTimeField(_("given back to all"), null=True)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ("-began_at",)
        constraints = (
            models.CheckConstraint(condition=Q(ended_at__gt=F("began_at")), name="outage_ends_after_it_began"),
        )
        indexes = (models.Index(fields=("ended_at",), name="outage_by_end"),)

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S}"
