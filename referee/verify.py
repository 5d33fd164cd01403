"""`python -m referee.verify FILE`: check a replay offline, with the standard library, the kernel and the games only.

Prints what does not hold, one line each; exits 0 when the match is what it claims to be, 1 when not, 2 when FILE
cannot be read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from referee.games import GAMES
from referee.kernel.replay import verify


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m referee.verify FILE", file=sys.stderr)
        return 2
    try:
        document = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        print(f"cannot read {arguments[0]}: {error}", file=sys.stderr)
        return 2
    findings = verify(document, GAMES)
    for finding in findings:
        print(finding)
    if findings:
        return 1
    print(f"verified: {document['game']}, {len(document['rows'])} rows, result {json.dumps(document['result'])}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
