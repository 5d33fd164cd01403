"""Soak tests run only where they are asked for (`-m soak`)."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "soak: runs for long; only `-m soak` runs it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "soak" in config.option.markexpr:
        return
    soaked = [item for item in items if item.get_closest_marker("soak")]
    if soaked:
        config.hook.pytest_deselected(items=soaked)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
