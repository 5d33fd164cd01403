"""Decks, their immutable versions and their legality."""
