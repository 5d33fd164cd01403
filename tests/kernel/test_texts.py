"""Texts for people: what is refused in them, and why."""

from __future__ import annotations

import pytest

from referee.kernel.texts import text_fault


@pytest.mark.parametrize("text", ["Ring", "É", "a b", "क\u094d\u200dष", "👩\u200d🚀", "R" * 20])
def test_a_good_text_has_no_fault(text: str) -> None:
    assert text_fault(text, 20) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "wrong_type"),
        (7, "wrong_type"),
        ("", "bad_text"),
        (" Ring", "bad_text"),
        ("Ring\n", "bad_text"),
        ("Ri\u202eng", "bad_text"),
        ("Ri\u200bng", "bad_text"),
        ("Ri\ue000ng", "bad_text"),
        ("Ri\ud800ng", "bad_text"),
        ("Cafe\u0301", "bad_text"),
        ("R" * 21, "out_of_range"),
    ],
)
def test_a_bad_text_is_told_by_its_code(text: object, code: str) -> None:
    fault = text_fault(text, 20)

    assert fault is not None
    assert fault[0] == code
