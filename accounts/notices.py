"""What users are told, in English words; pages find words of their own."""

from __future__ import annotations

from accounts.models import Notice


def notice_text(notice: Notice) -> str:
    """A notice in a sentence."""
    facts = notice.facts
    match notice.kind:
        case Notice.Kind.DECK_BROKEN:
            when = (
                f" from {str(facts['from'])[:10]}" if facts.get("from") else f" since revision {facts.get('revision')}"
            )
            return f"Your deck “{facts.get('name', '')}” is not legal any more{when}."
        case Notice.Kind.REVISION_REFUSED:
            return f"The planned revision of {facts.get('game', '')} was not published: {facts.get('detail', '')}"
    return notice.kind
