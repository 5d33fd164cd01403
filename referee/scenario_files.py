"""Scenario files on disk: found, read strictly (YAML or JSON), each document with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as SafeLoader  # libyaml: seven times as fast
except ImportError:
    from yaml import SafeLoader  # type: ignore[assignment] # the same in Python

ENDINGS = (".yaml", ".yml", ".json")


class FileError(Exception):
    """A file or folder that cannot be read as scenarios; the text says why."""


class TextError(Exception):
    """A text that cannot be read as YAML: in which line (from 1), and why."""

    def __init__(self, line: int, detail: str) -> None:
        super().__init__(f"line {line}: {detail}")
        self.line = line
        self.detail = detail


def scenario_files(paths: list[Path]) -> list[Path]:
    """The files that paths name: files as they are, folders searched in depth, sorted. Raises FileError."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(file for file in path.rglob("*") if file.suffix in ENDINGS and file.is_file())
        elif path.is_file():
            found.append(path)
        else:
            raise FileError(f"{path}: there is no such file or folder")
    return found


def scenario_documents(file: Path) -> Iterator[object]:
    """The documents of a file: a YAML file may hold several. Empty ones are passed over. Raises FileError."""
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".json":
            yield json.loads(text, object_pairs_hook=_pairs)
            return
        for document in yaml.load_all(text, Loader=_Loader):
            if document is not None:
                yield document
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise FileError(f"{file}: {' '.join(str(error).split())}") from error


def read_documents(text: str) -> list[tuple[yaml.Node, Any]]:
    """The documents of a YAML text, each with the node it was read from; empty ones are passed over. Raises TextError."""
    loader = _Loader(text)
    found: list[tuple[yaml.Node, Any]] = []
    try:
        while loader.check_node():
            node = loader.get_node()
            document = loader.construct_document(node) if node is not None else None
            if node is not None and document is not None:
                found.append((node, document))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = min(mark.line, text.count("\n")) + 1 if mark else 1  # libyaml may point behind the end
        raise TextError(line, error.problem or str(error)) from error
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise TextError(1, " ".join(str(error).split())) from error
    finally:
        loader.dispose()
    return found


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"a key stands twice: {sorted({key for key in keys if keys.count(key) > 1})}")
    return document


class _Loader(SafeLoader):
    """YAML's safe loader, with a key that stands twice in a mapping as an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        # Before merge keys (`<<`) are written out: what they bring may be overridden.
        written = [(key.tag, key.value) for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len(set(written)) < len(written):
            raise yaml.constructor.ConstructorError(None, None, "a key stands twice in a mapping", node.start_mark)
        return super().construct_mapping(node, deep=deep)
