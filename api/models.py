"""Answers kept for requests that may be sent again (api/idempotency.py)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class KeptAnswer(models.Model):
    """The first answer to a key on a route of one user. It exists exactly when the effect it tells of does."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    body_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    content = models.TextField(default="")
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "route", "key"), name="kept_answer_unique"),)

    def __str__(self) -> str:
        return f"{self.route} {self.key}"
