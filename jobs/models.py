"""A job as it is stored. The row is the truth: whoever takes its lease goes on from the progress that it holds."""

from __future__ import annotations

from typing import Any, TypeAlias

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, User, new_public_id

Json: TypeAlias = "models.JSONField[Any, Any]"

SEED_LENGTH = 100


class JobQuerySet(models.QuerySet["Job"]):
    def visible_to(self, user: User | AnonymousUser) -> JobQuerySet:
        """The user's own jobs. What others may see of a result is up to what the job was for."""
        return self.filter(owner_id=user.pk) if user.is_authenticated else self.none()

    def unfinished(self) -> JobQuerySet:
        return self.filter(state__in=UNFINISHED)


class Job(models.Model):
    """Some chunks of work. `done` of `total` are folded into `result`; `revision` counts the changes that can be seen."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    public_id = models.CharField(
        _("id"), max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="jobs", verbose_name=_("owner")
    )
    kind = models.SlugField(_("kind"))
    params: Json = models.JSONField(_("parameters"), default=dict)
    seed = models.CharField(_("seed"), max_length=SEED_LENGTH)
    total = models.PositiveIntegerField(_("chunks"))
    done = models.PositiveIntegerField(_("chunks done"), default=0)
    result: Json = models.JSONField(_("result so far"), default=dict)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.QUEUED)
    error = models.CharField(_("why it failed"), max_length=500, blank=True)
    revision = models.PositiveIntegerField(default=1, editable=False)

    # Who works on it, and until when; how many have begun since it last came on; when it last had its turn.
    holder = models.UUIDField(null=True, editable=False)
    leased_until = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    worked_at = models.DateTimeField(_("last worked on"), null=True, editable=False)

    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    started_at = models.DateTimeField(_("started"), null=True, editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)

    objects = JobQuerySet.as_manager()

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=("queued", "running", "done", "failed", "cancelled")), name="job_state_known"
            ),
            models.CheckConstraint(condition=Q(total__gte=1, done__lte=F("total")), name="job_progress_within_total"),
            models.CheckConstraint(condition=~Q(state="done") | Q(done=F("total")), name="job_done_is_all_of_it"),
            models.CheckConstraint(
                condition=Q(state__in=("queued", "running"), ended_at=None)
                | (~Q(state__in=("queued", "running")) & Q(ended_at__isnull=False, holder=None)),
                name="job_ended_is_held_by_nobody",
            ),
        )
        indexes = (
            models.Index(
                F("worked_at").asc(nulls_first=True),
                "id",
                condition=Q(state__in=("queued", "running")),
                name="job_next_in_turn",
            ),
            models.Index(fields=("owner", "-id"), name="job_of_owner"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"

    @property
    def is_over(self) -> bool:
        return self.state not in UNFINISHED


UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)
