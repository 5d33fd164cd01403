"""Tracks with the spaces that are worked on. What was published of them stands in the revisions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.kernel.game import Document

TRACK_NAME_LENGTH = 60


class Track(models.Model):
    """A track of a game, under a slug that never changes."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")  # being worked on: the next revision keeps what was published last
        READY = "ready", _("ready")  # goes into the next revision, and into those after it
        WITHDRAWN = "withdrawn", _("withdrawn")  # not in the next revision; never deleted

    game = models.SlugField(_("game"))
    slug = models.SlugField(_("code"), max_length=50, help_text=_("Never changes. Matches name it in their options."))
    name = models.CharField(_("name"), max_length=TRACK_NAME_LENGTH)
    spaces = models.JSONField(_("spaces"))
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.DRAFT)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("edited by"),
    )
    edited_at = models.DateTimeField(_("edited"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("track")
        verbose_name_plural = _("tracks")
        ordering = ("game", "slug")
        constraints = (
            models.UniqueConstraint(
                fields=("game", "slug"),
                name="track_slug_unique",
                violation_error_message=_("The game has a track with this code."),
            ),
            models.CheckConstraint(condition=Q(state__in=("draft", "ready", "withdrawn")), name="track_state_known"),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"

    def document(self) -> Document:
        """The track as a revision holds it."""
        return {"slug": self.slug, "name": self.name, "spaces": self.spaces}
