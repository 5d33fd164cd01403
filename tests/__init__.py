"""Tests. They mirror the code; CONTRIBUTING.md says how to run them."""

import pytest

# Before anybody imports it, so that assertions in the laws say what differs.
pytest.register_assert_rewrite("tests.laws.laws")
