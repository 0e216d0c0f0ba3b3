"""A fuzz test that is asked to run longer may take longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.budget import fuzz_seconds

STANDARD = 300
"""Seconds that any test of the project may take (pyproject.toml)."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Adds the time asked for to the limit of each fuzz test."""
    limit = pytest.mark.timeout(STANDARD + fuzz_seconds())
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(limit)
