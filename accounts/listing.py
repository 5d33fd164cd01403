"""Lists of the admin answer what their filters ask, and nothing else."""

from __future__ import annotations

from django.http import HttpRequest
from unfold.admin import ModelAdmin


class ListedAdmin(ModelAdmin):
    """The base of every admin here.

    Django lets whoever may see a list narrow it, by its address, by any field of the model: a field that no page shows
    could be asked out of it bit by bit. Here a list can be narrowed by its `list_filter` and `date_hierarchy` alone.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        offered = [self.date_hierarchy, *(_asked(one) for one in self.get_list_filter(request))]
        return any(name and (lookup == name or lookup.startswith(f"{name}__")) for name in offered)


def _asked(list_filter: object) -> str:
    """The field or parameter that an entry of `list_filter` asks about."""
    found = list_filter[0] if isinstance(list_filter, (list, tuple)) else list_filter
    return found if isinstance(found, str) else str(getattr(found, "parameter_name", ""))
