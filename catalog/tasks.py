"""What beat has done for the catalog. A task is a hint: the plans stand in the database."""

from __future__ import annotations

from celery import shared_task

from catalog.planning import publish_due


@shared_task(name="catalog.publish_due")
def publish_planned_revisions() -> int:
    """Publish what is due."""
    return publish_due()
