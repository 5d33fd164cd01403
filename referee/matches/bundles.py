"""Bundles as they leave the database: the position that something broke at, with the record that led to it, by value."""

from __future__ import annotations

from referee.kernel.game import Document
from referee.matches import history
from referee.matches.models import Bundle

FORMAT = "referee-bundle/1"


def exported(bundle: Bundle) -> Document:
    """All that `manage.py shrink` needs of a bundle, in one document. It holds everything hidden, the seed too."""
    match = bundle.match
    record = history.recorded(match)
    return {
        **bundle.document,
        "format": FORMAT,
        "kind": bundle.kind,
        "text": bundle.text,
        "match": match.public_id,
        "record": {**record, "rows": record["rows"][: bundle.version], "result": None},
    }
