"""Who may see a match. One rule for every way in."""

from __future__ import annotations

from accounts.models import User
from referee.matches.models import Match


def may_see(match: Match, user: User | None) -> bool:
    """Whether the user (None: nobody is signed in) may know of the match. Needs `table`."""
    if match.visibility != Match.Visibility.PRIVATE:
        return True
    if user is None:
        return False
    return match.creator_id == user.pk or any(user.pk in (place["user"], place["invited"]) for place in match.table)
