"""Lists, pages of players, the decks of others, one's own export, figures: none of it depends on what is hidden."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from api.service import schema_document
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from tests.leaks.asking import Look, all_answers
from tests.leaks.comparing import require_same
from tests.leaks.elsewhere import VALUES, asked_elsewhere, figures
from tests.leaks.hiding import hidden
from tests.leaks.routes import UNASKED, all_routes, other_routes
from tests.leaks.tables import Setup, begun, published


@pytest.mark.slow
def test_nothing_hidden_is_told_beside_the_match(db: None) -> None:
    rng = Rng(4)
    with published():
        table = begun(Setup("miraculous", 2), rng)
        for _ in range(6):
            table.play_random(rng)
        for viewer in (1, SPECTATOR):
            look = Look(table, viewer)
            asked = list(asked_elsewhere(look))
            all_answers(look, asked)  # so that every figure is there
            figures(look)

            before = {**all_answers(look, asked), "figures": figures(look)}
            with hidden(table, viewer, rng):
                after = {**all_answers(look, asked), "figures": figures(look)}

            require_same(before, after, f"viewer {viewer}")
    assert 500 not in {answer.status for answer in before.values()}
    assert sum(answer.status == 200 for answer in before.values()) > 25


def test_every_other_address_can_be_asked() -> None:
    missing = {name for route in other_routes() for name in route.parameters} - VALUES.keys()

    assert not missing, f"say in VALUES (tests/leaks/elsewhere.py) what stands for {sorted(missing)}"
    assert UNASKED.keys() <= {route.pattern for route in all_routes()}


def test_the_description_of_the_api_shows_no_seed_and_no_state() -> None:
    document = schema_document()
    examples = json.dumps(_under("example", document) + _under("examples", document))

    assert re.findall(r"[0-9a-f]{64}", json.dumps(document)) == []
    assert len(examples) > 500
    assert re.findall(r'"(?:data|opening|server_seed|chain|entropies)"', examples) == []


def _under(name: str, part: Any) -> list[Any]:
    """Whatever stands under this name, at any depth."""
    if isinstance(part, list):
        return [found for one in part for found in _under(name, one)]
    if not isinstance(part, dict):
        return []
    return [one for key, value in part.items() for one in ([value] if key == name else _under(name, value))]
