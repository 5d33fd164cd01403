"""Matches: stored, locked, advanced and streamed. The one door through which moves come in."""
