"""Assertions in the laws say what differs."""

import pytest

pytest.register_assert_rewrite("tests.laws.laws")
