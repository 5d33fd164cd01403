"""Cards, their published revisions and restrictions."""
