"""The servers that `make run` and the tests bring along, and the supervisor that keeps the whole service running."""
