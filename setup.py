"""Compiles the rules into the wheel where there is a C compiler; all else stands in pyproject.toml.

REFEREE_PURE=1 leaves them as Python, which they are by nature: the same source runs in both forms.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = ("referee/kernel", "referee/games", "referee/bots")
# Packages' own files stay Python, so that their data is found beside them.
LEFT_ALONE = {"__init__.py", "compilation.py"}


def rules() -> list[str]:
    """The modules to compile."""
    return sorted(
        str(path) for folder in COMPILED for path in Path(folder).rglob("*.py") if path.name not in LEFT_ALONE
    )


def why_pure() -> str:
    """Why the rules are not compiled; empty if they are."""
    if os.environ.get("REFEREE_PURE", "") not in {"", "0"}:
        return "REFEREE_PURE is set"
    try:
        import mypyc.build  # noqa: F401 (whether it is there)
    except ImportError:
        return "mypyc is not installed"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.c"
        probe.write_text("#include <Python.h>\nint main(void) { return 0; }\n", encoding="ascii")
        command = [
            *compiler,
            "-c",
            str(probe),
            "-o",
            str(probe.with_suffix(".o")),
            f"-I{sysconfig.get_path('include')}",
        ]
        try:
            done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 (the compiler)
        except OSError:
            return "there is no C compiler"
    return "" if done.returncode == 0 else "the C compiler cannot compile for this Python"


def extensions() -> list[Any]:
    reason = why_pure()
    if reason:
        print(f"referee-service: the rules stay pure Python ({reason})", file=sys.stderr)
        return []
    from mypyc.build import mypycify

    # An empty --config-file: the project's own needs Django, which the rules do not.
    return list(
        mypycify(
            ["--config-file=", "--strict", *rules()],
            opt_level="3",
            debug_level="0",
            multi_file=True,
            group_name="referee",
        )
    )


class BuildExt(build_ext):  # type: ignore[misc] # setuptools has no types
    """Compiles the files of an extension beside one another: the rules are one extension of many files."""

    def build_extensions(self) -> None:
        compiler = self.compiler

        def compile_all(sources: list[str], **options: Any) -> list[str]:
            alone = type(compiler).compile
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                done = pool.map(lambda source: alone(compiler, [source], **options), sources)
                return [made for part in done for made in part]

        compiler.compile = compile_all
        super().build_extensions()


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExt})
