"""A bot at an address that dies and comes back; and one that does not."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import arena
from arena._core import Termination
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import Unavailable
from arena.sdk import Bot, Turn
from tests.match.table_kit import request_for

ROOT = Path(__file__).resolve().parents[2]
SLOW = "python:tests.players.test_reconnect:Slow"


REACHED, GATE = threading.Event(), threading.Event()


class Slow(Bot):
    """Stops in the middle of a game until the test lets it go on."""

    def choose(self, turn: Turn) -> str:
        if turn.ply >= 9:
            REACHED.set()
            assert GATE.wait(30)
        return turn.legal[-1 - 2 * (turn.ply % 8)]


@pytest.fixture(autouse=True)
def closed_gate() -> None:
    REACHED.clear()
    GATE.clear()


@contextmanager
def bot(mode: str = "plain", port: int = 0) -> Iterator[tuple[subprocess.Popen[str], int]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bots.raw", mode, "0", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, int(line.strip().removeprefix("ARENA_BOT_PORT="))
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def requests_for(port: int, count: int) -> list[GameRequest]:
    # Exactly five on a small board: games of many moves.
    game = arena.game("gomoku/standard15", size=9)
    engines = (f"grpc://127.0.0.1:{port}", SLOW)
    return [request_for(game, engines, number, opening_plies=4) for number in range(count)]


@contextmanager
def playing(runner: MatchRunner, port: int, count: int) -> Iterator[list[GameResult | NotPlayed]]:
    """Games that have come to their middle; all results are there afterwards."""
    results: list[GameResult | NotPlayed] = []
    requests = requests_for(port, count)
    listener = threading.Thread(target=lambda: results.extend(runner.play(requests)))
    listener.start()
    assert REACHED.wait(30)
    yield results
    listener.join(60)
    assert len(results) == count


@pytest.mark.parametrize("owes", [True, False])
def test_a_bot_that_comes_back_goes_on_without_loss_or_double_move(owes: bool) -> None:
    """R15, R16: the turns that are owed are sent again, in full, once."""
    games = 6 if owes else 1
    policy = MatchPolicy(connect_ms=30_000)
    with (
        bot() as (first, port),
        MatchRunner(policy) as runner,
        playing(runner, port, games) as results,
    ):
        first.kill()
        first.wait()
        if owes:
            GATE.set()
            time.sleep(0.3)
        with bot(port=port) as (_, again):
            assert again == port
            GATE.set()
            while len(results) < games:
                time.sleep(0.01)
    for result in results:
        assert isinstance(result, GameResult), result
        assert result.culprit is None, result
        assert result.record is not None
        assert arena.game("gomoku/standard15", size=9).replay(result.record).outcome()
    notes = [note for r in results if isinstance(r, GameResult) for note in r.notes]
    assert not owes or any("back after" in note for note in notes)


@pytest.mark.parametrize("owes", [True, False])
def test_a_bot_that_stays_away_loses_what_it_owes_and_is_unreachable_then(owes: bool) -> None:
    policy = MatchPolicy(connect_ms=2_000, disconnect_grace_ms=500)
    with bot() as (process, port), MatchRunner(policy) as runner:
        with playing(runner, port, 3) as results:
            process.kill()
            if not owes:
                time.sleep(1.0)  # the grace ends before its turn comes
            GATE.set()
        causes = [r.termination for r in results if isinstance(r, GameResult)]
        assert causes == [Termination.disconnect] * 3
        (after,) = runner.play(requests_for(port, 1))
    assert isinstance(after, NotPlayed)
    assert after.cause is Unavailable.UNREACHABLE


def test_nobody_at_an_address_is_unreachable_and_found_out_once() -> None:
    with MatchRunner(MatchPolicy(connect_ms=300)) as runner:
        began = time.monotonic()
        results = list(runner.play(requests_for(9, 20)))
        assert time.monotonic() - began < 5
    assert len(results) == 20
    assert all(isinstance(r, NotPlayed) and "127.0.0.1:9" in r.message for r in results)
