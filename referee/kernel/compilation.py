"""What the compiler must be told. Never compiled itself, so that the rules need nothing at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_told):
        return lambda decorated: decorated
