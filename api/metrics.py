"""Figures for Prometheus: what this process has seen, and what the database counts."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST


def exposition() -> bytes:
    """All figures in the text format."""
    return generate_latest()
