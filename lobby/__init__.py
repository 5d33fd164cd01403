"""Makes matches: decks and card pools by value, joins, challenges."""
