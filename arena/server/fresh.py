"""Answers that take long to work out, kept for as long as they are fresh."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Generic, TypeVar

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")

FRESH_S = 5.0
"""Nothing is worked out again within this time."""

_MOST = 64


class Fresh(Generic[_K, _V]):
    """Answers by question, at most so many. For one thread."""

    def __init__(self) -> None:
        """Nothing has been asked."""
        self._kept: dict[_K, tuple[float, int, _V]] = {}

    def get(self, key: _K, revision: int, work: Callable[[], _V]) -> _V:
        """What `work` answered when there was no later `revision`, or some seconds ago."""
        kept = self._kept.get(key)
        if kept is not None and (kept[1] == revision or monotonic() - kept[0] < FRESH_S):
            return kept[2]
        found = work()
        if len(self._kept) >= _MOST:
            self._kept.clear()
        self._kept[key] = (monotonic(), revision, found)
        return found
