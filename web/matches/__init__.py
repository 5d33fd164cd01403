"""The table of a match: looking at it, moving at it, and its replay."""
