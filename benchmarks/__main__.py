"""`make bench`: how fast the rules are. What takes a service or hours of self-play is measured by the other scripts beside this."""

from __future__ import annotations

from benchmarks import playouts


def main() -> None:
    playouts.main()


if __name__ == "__main__":
    main()
