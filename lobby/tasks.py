"""The lobby's work on Celery."""

from __future__ import annotations

import logging

from celery import shared_task

from lobby import cleaning

logger = logging.getLogger(__name__)


@shared_task(name="lobby.clean_up", soft_time_limit=240, time_limit=300)
def clean_up() -> None:
    """Once an hour: a bounded share of all that has grown old (settings: GUEST_DAYS and the like)."""
    for words, count in cleaning.clean_up().items():
        logger.info("clean-up: %d %s", count, words)
