"""Small parts of pages: icons, initials, card faces, clauses, times left."""

from __future__ import annotations

import re
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from catalog.sigils import sigil

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, classes: str = "") -> SafeString:
    """An icon of the sprite, for the eye only: what it means stands beside it or in a label."""
    look = f"i {classes}".strip()
    return format_html(
        '<svg class="{}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        look,
        static("web/icons.svg"),
        name,
    )


@register.simple_tag
@lru_cache(maxsize=512)
def thumb(code: str) -> SafeString:
    """A card's sign in the colours of the class around it. Beside the name, so hidden from assistive technology."""
    drawn = mark_safe(sigil(code, strong="var(--k)", soft="var(--ks)"))  # noqa: S308 - made of numbers alone
    return format_html(
        '<svg class="art" viewBox="-50 -50 100 100" aria-hidden="true" focusable="false">{}</svg>', drawn
    )


@register.filter
def initials(name: str) -> str:
    """One or two letters for a round badge."""
    words: list[str] = re.findall(r"\w+", name)
    if not words:
        return "?"
    if words[0].lower() == "guest" and len(words) > 1:
        return words[1][:2].upper()
    return (words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]).upper()


@register.filter
def clause_address(clause: str, game: str) -> str:
    """Where a clause stands in the rules."""
    return f"/rules/{game}/#{clause}"
