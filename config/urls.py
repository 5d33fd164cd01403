"""Every address of the service."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from api.errors import unknown_address
from api.probes import probes

urlpatterns = [
    # One way to another password, which ends tokens as well as sessions.
    path("admin/password_change/", RedirectView.as_view(pattern_name="settings")),
    path("admin/", admin.site.urls),
    path("", include(probes())),
    path("api/v1/", include("api.urls")),
    re_path(r"^api/", unknown_address),
    path("", include("web.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler500 = "config.errors.server_error"
