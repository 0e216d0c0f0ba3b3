"""How long the fuzz tests run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator


def fuzz_seconds() -> float:
    """Seconds that each fuzz test is asked to run at least."""
    return float(os.environ.get("ARENA_FUZZ_SECONDS", "0"))


def seeds(at_least: int) -> Iterator[int]:
    """Seeds 0, 1, 2 …: `at_least` of them, and more until ARENA_FUZZ_SECONDS have passed.

    The variable gives the seconds of each fuzz test; ARENA_FUZZ_FIRST moves the first seed,
    so that two runs need not try the same games.
    """
    first = int(os.environ.get("ARENA_FUZZ_FIRST", "0"))
    end = time.monotonic() + fuzz_seconds()
    seed = first
    while seed < first + at_least or time.monotonic() < end:
        yield seed
        seed += 1
