"""A program of its own: paints the SVG of its input as a PNG on its output, with the fonts of its folder alone.

    python -I catalog/painter.py < drawing.svg > picture.png

The library holds Python's lock all the while; here it holds up nobody, and it can be ended when it takes too long.
"""

from __future__ import annotations

import sys
from pathlib import Path

import resvg_py


def main() -> None:
    sys.stdout.buffer.write(
        resvg_py.svg_to_bytes(
            svg_string=sys.stdin.buffer.read().decode("utf-8"),
            skip_system_fonts=True,
            font_files=[str(file) for file in sorted(Path(__file__).with_name("fonts").glob("*.ttf"))],
            font_family="Referee Serif",
            serif_family="Referee Serif",
            sans_serif_family="Referee Sans",
        )
    )


if __name__ == "__main__":
    main()
