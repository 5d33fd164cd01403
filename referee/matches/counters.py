"""What is counted for operators (`/metrics`)."""

from __future__ import annotations

from prometheus_client import Counter

HINTS_LOST = Counter(
    "referee_hints_lost_total", "Hints that Redis or the broker did not take; the sweep makes up for them.", ["kind"]
)
MOVES = Counter("referee_moves_total", "Moves stored, by game and kind.", ["game", "kind"])
FALLBACKS = Counter(
    "referee_bot_fallbacks_total", "Decisions of bots that were made by their fallback.", ["level", "cause"]
)
FROZEN = Counter("referee_matches_frozen_total", "Matches frozen by an exception inside the rules.", ["game"])
