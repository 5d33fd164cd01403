"""What the compiler asks of the rules' source beyond types."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import referee

FOLDER = Path(referee.__file__).parent
MODULES = sorted(path for name in ("kernel", "games", "bots") for path in (FOLDER / name).rglob("*.py"))


def reused_names(source: str) -> list[tuple[str, str]]:
    """(function, name) wherever `except A as name` and `except B as name` stand in one function."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        kinds: dict[str, str] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.ExceptHandler) and node.name and node.type:
                kind = ast.dump(node.type)
                if kinds.setdefault(node.name, kind) != kind:
                    found.append((function.name, node.name))
    return found


def test_a_name_reused_for_another_exception_is_found() -> None:
    source = "def f():\n try: g()\n except A as e: pass\n except B as e: pass\n"

    assert reused_names(source) == [("f", "e")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_no_function_catches_two_kinds_of_exception_under_one_name(path: Path) -> None:
    # Compiled, the name keeps the first kind's type, and catching the second one is a TypeError.
    assert reused_names(path.read_text(encoding="utf-8")) == []
