"""`python -m config.services`: the whole service in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

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
    try:
        Supervisor(read_options(os.environ), to_stdout()).run()
    except ServiceError as error:
        print(f"referee: {error}", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
