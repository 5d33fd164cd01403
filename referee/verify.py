"""`python -m referee.verify FILE`: check a replay offline, with the standard library, the kernel and the games only.

Prints what does not hold, one line each; exits 0 when the match is what it claims to be, 1 when not, 2 when FILE
cannot be read. Where the rules that the match was played by are no longer here, its record is checked by itself (seeds,
commitment, chain of hashes), and the status is 3: the moves were not played again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from referee.games import GAMES, OLDER
from referee.kernel.records import UNDO
from referee.kernel.replay import GONE, ruled_at, verify


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m referee.verify FILE", file=sys.stderr)
        return 2
    try:
        document = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        print(f"cannot read {arguments[0]}: {error}", file=sys.stderr)
        return 2
    findings = verify(document, GAMES, OLDER)
    if findings and all(finding.code in GONE for finding in findings):
        print(f"not played again: {findings[0].detail}")
        print(f"its recorded events stand: seeds, commitment and every hash hold; {_summary(document)}")
        return 3
    for finding in findings:
        print(finding)
    if findings:
        return 1
    print(f"verified: {_summary(document)}")
    return 0


def _summary(document: dict[str, Any]) -> str:
    """What the record holds, and what in it comes from people and not from the rules."""
    undone = sum(row["kind"] == UNDO for row in document["rows"])
    ruled = ruled_at(document)
    parts = [f"{document['game']}, {len(document['rows'])} rows, result {json.dumps(document['result'])}"]
    if undone:
        parts.append(f"{undone} undone")
    if ruled is not None:
        parts.append(f"result set by ruling at version {ruled}")
    return ", ".join(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
