"""R19: what bots say while the arena stands still was said in time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.players.awake import STILL_NS, Awake

ROOT = Path(__file__).resolve().parents[2]


class Time:
    ns = 50 * STILL_NS

    def __call__(self) -> int:
        return self.ns


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr("arena.players.awake.monotonic_ns", found)
    return found


def test_a_stillness_is_left_out_where_somebody_beats(time: Time) -> None:
    awake = Awake()
    began = awake.now_ns()
    time.ns += 3 * STILL_NS
    assert awake.now_ns() - began == 3 * STILL_NS, "nobody beats: nothing is known of it"
    awake.begin()
    began = awake.now_ns()
    time.ns += STILL_NS
    assert awake.now_ns() - began == STILL_NS, "not long enough"
    time.ns += STILL_NS + 1
    assert awake.now_ns() - began == STILL_NS
    assert awake.now_ns() - began == STILL_NS, "left out once"
    time.ns += 7
    assert awake.now_ns() - began == STILL_NS + 7


def test_it_beats_until_the_last_who_beats_has_ended(time: Time) -> None:
    awake = Awake()
    awake.begin()
    awake.begin()
    awake.end()
    began = awake.now_ns()
    time.ns += 2 * STILL_NS
    assert awake.now_ns() == began
    awake.end()
    time.ns += 2 * STILL_NS
    assert awake.now_ns() == began + 2 * STILL_NS
    # What is between two times of beating is no stillness.
    time.ns += 2 * STILL_NS
    awake.begin()
    assert awake.now_ns() == began + 4 * STILL_NS


def test_a_bot_that_answers_a_stopped_arena_loses_nothing() -> None:
    """A second a move; the arena is stopped for three while the bot owes an answer."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bots.paused", "3"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert ran.stdout.split()[:2] == ["five", "None"], ran.stdout + ran.stderr
