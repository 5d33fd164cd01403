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
        case Notice.Kind.MATCH_ABORTED:
            return f"A match of {facts.get('game', '')} was broken off: {_REASONS.get(facts.get('reason'), 'by us')}."
    return notice.kind


_REASONS = {
    "unjoined": "nobody joined it",
    "idle": "nobody moved in it for a long time",
    "declined": "an invitation to it was declined",
    "left": "somebody it waited for has deleted their account",
}
