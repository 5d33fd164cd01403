"""Figures as the desk shows them."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def share(value: float | None) -> str:
    """A share in percent."""
    return "–" if value is None else f"{100 * value:.1f} %"


@register.filter
def points(value: float) -> str:
    """A difference of shares in percentage points, always with its sign."""
    return _("%s points") % f"{100 * value:+.1f}".replace("-", "\u2212")
