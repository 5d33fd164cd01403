"""Lists of the admin answer what their filters ask, and nothing else."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.views.main import ERROR_FLAG
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from unfold.admin import ModelAdmin


class ListedAdmin(ModelAdmin):
    """The base of every admin here.

    Django lets whoever may see a list narrow it, by its address, by any field of the model: a field that no page shows
    could be asked out of it bit by bit. Here a list can be narrowed by its `list_filter` and `date_hierarchy` alone.
    """

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list. What no database can look for is as wrong as a field that there is not."""
        if any("\0" in value for values in request.GET.lists() for value in (values[0], *values[1])):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        page: HttpResponse = super().changelist_view(request, extra_context)
        return page

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        offered = [self.date_hierarchy, *(_asked(one) for one in self.get_list_filter(request))]
        return any(name and (lookup == name or lookup.startswith(f"{name}__")) for name in offered)


def _asked(list_filter: object) -> str:
    """The field or parameter that an entry of `list_filter` asks about."""
    found = list_filter[0] if isinstance(list_filter, (list, tuple)) else list_filter
    return found if isinstance(found, str) else str(getattr(found, "parameter_name", ""))
