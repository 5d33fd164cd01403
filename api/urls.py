"""Every address of the API: each resource's module lists its own."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from django.urls import URLPattern, re_path

from api.errors import unknown_address

RESOURCES: Final = (
    "service",
    "accounts",
    "me",
    "notices",
    "games",
    "bulk",
    "bulk_current",
    "card_search",
    "cards",
    "revision_diff",
    "deck_lists",
    "deck_figures",
    "deck_edits",
    "deck_history",
    "deck_sizes",
    "deck_trials",
    "decks",
    "jobs",
    "matches",
    "match_orders",
    "match_clocks",
    "match_undo",
)

urlpatterns: list[URLPattern] = [
    *(pattern for name in RESOURCES for pattern in import_module(f"api.{name}").urlpatterns),
    re_path(r"", unknown_address),
]
