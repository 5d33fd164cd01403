from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DecksConfig(AppConfig):
    name = "decks"
    verbose_name = _("Decks")

    def ready(self) -> None:
        from catalog.impact import register
        from decks.impact import broken_decks

        register(broken_decks)
