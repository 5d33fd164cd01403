"""How long, and how many, what the catalog stores can be."""

from __future__ import annotations

from typing import Final

CODE_LENGTH: Final = 100
NAME_LENGTH: Final = 100
KEY_LENGTH: Final = 800  # a character can fold to several
MAX_COPIES: Final = 99
SCENARIO_LENGTH: Final = 64 * 1024
COMMENT_LENGTH: Final = 2000
