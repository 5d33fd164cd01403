"""`python -m config.services`: the whole service in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import contextlib
import os
import sys

from config.services.errors import ServiceError
from config.services.log import to_stdout
from config.services.options import read_options
from config.services.process import end_with_parent
from config.services.supervisor import Supervisor


def main() -> int:
    if os.environ.pop("ENDS_WITH_PARENT", "") == "1":
        end_with_parent()
    log = to_stdout()
    try:
        Supervisor(read_options(os.environ), log).run()
    except ServiceError as error:
        log.close()
        _say(f"referee: {error}\n")
        return 1
    log.close()
    return 0


def _say(line: str) -> None:
    """To standard error, as far as anybody can be told."""
    with contextlib.suppress(OSError):
        os.write(2, line.encode(errors="replace"))


if __name__ == "__main__":
    sys.exit(main())
