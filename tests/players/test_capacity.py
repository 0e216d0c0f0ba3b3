"""How many games at once a started program gets."""

from __future__ import annotations

import os

import pytest

from arena.match.policy import MatchPolicy
from arena.players.command import CommandPlayer
from arena.players.spec import EngineSpec


@pytest.mark.parametrize(
    ("threads", "declared", "wanted"),
    [(0, 0, None), (1, 5, 5), (4, 0, 2), (4, 1, 1), (4, 9, 2), (8, 0, 1), (1_000, 3, 1)],
)
def test_threads_of_a_program_leave_room_for_so_many_games(
    threads: int, declared: int, wanted: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R11, R12."""
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    player = CommandPlayer(EngineSpec.parse("command:bot"), MatchPolicy().limits())
    player.description.resources.threads = threads
    player.description.max_parallel_games = declared
    assert player.capacity(clocked=False) == wanted
