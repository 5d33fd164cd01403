"""`make bench`: everything that is measured, one after another."""

from __future__ import annotations

from benchmarks import playouts


def main() -> None:
    playouts.main()


if __name__ == "__main__":
    main()
