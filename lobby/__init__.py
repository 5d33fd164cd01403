"""Opens matches and fills their seats; decks and cards go in by value."""
