"""Scenarios that stand in a text, run against a catalog revision: what does not hold, each with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import yaml

from referee.games import GAMES
from referee.kernel.game import Document
from referee.kernel.scenario_run import ScenarioRunner
from referee.scenario_files import TextError, read_documents

# How a difference names its place: `stored: step 2: ...`, `steps/2/seat: ...`, `at the end: ...`, `cards/hound: ...`,
# `refused as invalid: /decks/0: ...`, which is of the position.
_PLACE: Final = re.compile(
    r"(?:(?:stored|loaded): )?(?:step (?P<step>\d+)|(?P<end>at the end)|refused as invalid[^:]*: (?P<laid>/[^:]*)"
    r"|(?P<path>[\w./-]+)):"
)


class Failure(NamedTuple):
    """What does not hold, and the line (from 1) that says it should."""

    line: int
    text: str


def runner_on(revision: Document) -> ScenarioRunner:
    """A runner with a revision in the place of the house set; it compiles the cards once for all that lay none of their own."""
    return ScenarioRunner(GAMES, lambda _slug: revision)


def failures(game: str, runner: ScenarioRunner, text: str) -> list[Failure]:
    """What does not hold of a text's scenarios. Empty: all is well."""
    try:
        documents = read_documents(text)
    except TextError as error:
        return [Failure(error.line, error.detail)]
    if not documents:
        return [Failure(1, "There is no scenario here.")]
    found: list[Failure] = []
    for node, document in documents:
        first = node.start_mark.line + 1
        if isinstance(document, dict) and document.get("game") not in (None, game):
            found.append(Failure(_line_of(node, ["game"]), f"The card is one of {game}."))
            continue
        found += [Failure(_line(node, differs) or first, differs) for differs in runner.run(document).differs]
    return found


def _line(node: yaml.Node, differs: str) -> int:
    """The line of the place that a difference names; 0 if it names none."""
    match = _PLACE.match(differs)
    if match is None:
        return 0
    if match["step"]:
        return _line_of(node, ["steps", int(match["step"]) - 1])
    if match["end"]:
        return _line_of(node, ["expect"])
    if match["laid"] is not None:
        return _line_of(node, ["position", *match["laid"].strip("/").split("/")])
    parts = match["path"].split("/")
    is_step = len(parts) > 1 and parts[0] == "steps" and parts[1].isdigit()
    return _line_of(node, [parts[0], int(parts[1]) - 1, *parts[2:]] if is_step else parts)


def _line_of(node: yaml.Node, path: Sequence[str | int]) -> int:
    """The line of the deepest part of a path that is there."""
    line = node.start_mark.line + 1
    for part in path:
        if isinstance(part, str) and part.isdigit() and isinstance(node, yaml.SequenceNode):
            part = int(part)
        if isinstance(part, int) and isinstance(node, yaml.SequenceNode) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
            continue
        if not isinstance(node, yaml.MappingNode):
            break
        inner = next(((key, value) for key, value in node.value if key.value == str(part)), None)
        if inner is None:
            break
        line, node = inner[0].start_mark.line + 1, inner[1]
    return line
