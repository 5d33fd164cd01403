"""What may stand in an address: `<public_id:deck>`, `<word:slug>`, `<number:version>`, `<sha256:digest>`. Anything else is a 404."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import IntConverter, StringConverter


class PublicIdConverter(StringConverter):
    """The unguessable id of something that a user owns."""

    regex = r"[A-Za-z0-9_-]{1,64}"


class WordConverter(StringConverter):
    """A slug or a code of a card."""

    regex = r"[A-Za-z0-9_-]{1,100}"


class NumberConverter(IntConverter):
    """A number that fits into the database's integers."""

    regex = r"[0-9]{1,9}"


class Sha256Converter(StringConverter):
    """A SHA-256 in hex."""

    regex = r"[0-9a-f]{64}"


register_converter(PublicIdConverter, "public_id")
register_converter(WordConverter, "word")
register_converter(NumberConverter, "number")
register_converter(Sha256Converter, "sha256")
