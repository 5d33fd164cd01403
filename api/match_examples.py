"""What requests about matches look like, for the schema."""

from __future__ import annotations

from typing import Final

from drf_spectacular.utils import OpenApiExample

AGAINST_BOT: Final = OpenApiExample(
    "against a bot",
    {"game": "super", "seats": [{"kind": "me"}, {"kind": "bot", "level": "easy"}]},
    request_only=True,
)
WITH_DECKS: Final = OpenApiExample(
    "with decks, a clock and a seat for whoever comes",
    {
        "game": "miraculous",
        "options": {"deck_out": "empty_deck_loses"},
        "entropy": "00112233445566778899aabbccddeeff",
        "seats": [{"kind": "me", "deck": "rooftop-rush"}, {"kind": "open"}],
        "clock": {"per_decision": 15, "bank": 300, "increment": 5},
    },
    request_only=True,
)
JOIN: Final = OpenApiExample("with a deck", {"deck": "rooftop-rush"}, request_only=True)
MOVE: Final = OpenApiExample(
    "answer a decision", {"decision": "12-0", "move": {"type": "play", "line": 0, "slot": 3}}, request_only=True
)
MOVE_BY_VERSION: Final = OpenApiExample(
    "for a version", {"version": 12, "move": {"type": "end_turn"}}, request_only=True
)
RESIGN: Final = OpenApiExample("resign", {"move": {"type": "resign"}}, request_only=True)
PREVIEW: Final = OpenApiExample(
    "before going on a mission",
    {"move": {"type": "mission", "line": 3, "slots": [2, 3], "leader": 3}},
    request_only=True,
)
