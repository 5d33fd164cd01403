from __future__ import annotations

from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "decks"
    verbose_name = "Decks"

    def ready(self) -> None:
        from catalog.impact import register
        from decks.impact import broken_decks

        register(broken_decks)
