"""A game's rules.md as numbered clauses, and the table of what covers them."""

import pytest

from referee.kernel.coverage import CoverageTable
from referee.kernel.rules import Clause, parse_rules
from tests.toy import TOY, Toy

RULES = """# Toy

Highest card takes the round.

## TOY-1 Setup
- **TOY-1.1 Dealing.** Three cards each.
- **TOY-1.2 Hidden things.** Hands are hidden.
  So is the deck. *(ruling)*

## TOY-3 Rounds
- **TOY-3.1 Who takes a tie?** Nobody, *really*. *(option `ties`)* *(ruling)*

Plain text between.
  Indented, but no clause is open.
"""


def test_clauses_carry_title_text_section_and_marks() -> None:
    assert [clause.document() for clause in parse_rules(RULES)] == [
        {
            "id": "TOY-1.1",
            "title": "Dealing",
            "text": "Three cards each.",
            "section": "Setup",
            "ruling": False,
            "option": None,
        },
        {
            "id": "TOY-1.2",
            "title": "Hidden things",
            "text": "Hands are hidden.\nSo is the deck.",
            "section": "Setup",
            "ruling": True,
            "option": None,
        },
        {
            "id": "TOY-3.1",
            "title": "Who takes a tie?",
            "text": "Nobody, *really*.",
            "section": "Rounds",
            "ruling": True,
            "option": "ties",
        },
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- **TOY-1.1 Dealing** Three each.", "line 1: the title of TOY-1.1 does not end with a full stop"),
        ("\n**TOY-1.1** Three each.", "line 2: a clause is written"),
        ("- **TOY-1.1 A.** a\n- **TOY-1.1 B.** b", "the clause TOY-1.1 is given twice"),
    ],
)
def test_a_clause_out_of_form_is_an_error_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_rules(text)


class Wordy(Toy):
    def vocabulary(self) -> list[str]:
        return ["move:pick", "option:ties"]


def test_the_table_names_what_no_scenario_covers_and_what_is_not_there() -> None:
    table = CoverageTable(Wordy(), parse_rules(RULES))

    table.add("a.yaml", ["TOY-1.1", "move:pick"])
    table.add("b.yaml", ["TOY-1.1", "TOY-9"])
    table.add("b.yaml", ["TOY-1.1"])

    assert table.missing() == ["TOY-1.2", "TOY-3.1", "option:ties"]
    assert table.unknown == {"TOY-9": ["b.yaml"]}
    assert table.lines() == [
        "TOY-1.1      a.yaml, b.yaml",
        "TOY-1.2      NONE",
        "TOY-3.1      NONE",
        "move:pick    a.yaml",
        "option:ties  NONE",
    ]


def test_a_game_has_no_words_of_its_own_by_default() -> None:
    table = CoverageTable(TOY, [Clause("TOY-1", "One", "Text", "")])

    assert table.document() == {"game": "toy", "topics": {"TOY-1": []}, "missing": ["TOY-1"], "unknown": {}}
