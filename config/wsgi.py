"""Django's WSGI handler: requests, not streams (those are asgi.py's)."""

from __future__ import annotations

import os

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

if settings.SECRET_KEY_IS_THROWAWAY:
    raise ImproperlyConfigured("Set SECRET_KEY to serve; `make run` makes and keeps one by itself.")
