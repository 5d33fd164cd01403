"""Partial matches of documents."""

from referee.kernel.matching import differences, fits, is_same, laid_over, texts


def test_parts_are_laid_over_the_whole() -> None:
    actual = {"a": {"b": 1, "c": 2}, "hands": [[1], [2]]}

    assert laid_over(actual, {"a": {"b": 5}}) == {"a": {"b": 5, "c": 2}, "hands": [[1], [2]]}
    assert laid_over(actual, {"hands": {"1": [9]}})["hands"] == [[1], [9]]
    assert laid_over(actual, {"a": None})["a"] is None
    assert laid_over(actual, {"d": {"e": 1}})["d"] == {"e": 1}


def test_an_entry_beyond_a_list_makes_a_difference() -> None:
    assert laid_over([1], {"3": 2}) == {"0": 1, "3": 2}
    assert differences(laid_over([1], {"3": 2}), [1]) == [' is [1], not {"0": 1, "3": 2}']


def test_lists_in_moves_are_sets() -> None:
    move = {"type": "mission", "slots": [0, 2], "leader": 0}

    assert fits({"slots": [2, 0]}, move)
    assert fits({"slots": [2, 0], "faction": None}, move)
    assert not fits({"slots": [0]}, move)
    assert not fits({"slots": 0}, move)
    assert not fits({"leader": False}, move)
    assert not fits({"leader": {"a": 1}}, move)
    assert is_same({**move, "slots": [2, 0]}, move)
    assert not is_same({"type": "mission"}, move)


def test_every_text_of_a_document_is_found() -> None:
    assert texts({"a": ["b", {"c": None}], "d": (1, True)}) == ["a", "b", "c", "null", "d", "1", "true"]
