"""What counts towards quarantine, and what takes it back."""

from __future__ import annotations

import pytest

import arena
from arena._core import Termination
from arena.ledger import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import Fault, FaultKind, Unavailable
from arena.players.strikes import Strikes
from arena.sdk import Bot, Turn
from tests.match.table_kit import request_for
from tests.match.test_audit_wire import served

GAMES = 8


class Gives(Bot):
    """Gives every game up, after so many moves of its own."""

    games = ("gomoku/*",)

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def choose(self, turn: Turn) -> str:
        if turn.ply >= 2 * self.moves:
            raise RuntimeError("out of ideas")
        return turn.legal[0]


@pytest.mark.parametrize(("moves", "played"), [(0, 3), (1, GAMES)])
def test_games_given_up_in_a_row_are_enough_and_a_move_takes_them_back(
    moves: int, played: int
) -> None:
    game = arena.game("gomoku/freestyle15")
    with served(Gives(moves)) as (_, server):
        engines = (f"grpc://127.0.0.1:{server.port}", "random")
        requests = [request_for(game, engines, number) for number in range(GAMES)]
        with MatchRunner(MatchPolicy(crashes=3), max_parallel_games=1) as runner:
            found = list(runner.play(requests))
    lost = [one for one in found if isinstance(one, GameResult)]
    parked = [one for one in found if isinstance(one, NotPlayed)]
    assert len(lost) == played and len(parked) == GAMES - played
    assert {one.termination for one in lost} == {Termination.crash}
    assert all(one.culprit == 0 for one in lost)
    for one in parked:
        assert one.cause is Unavailable.QUARANTINED
        assert "failed 3 times in a row without a move between; the last, crash: " in one.message
        assert "out of ideas" in one.message


def test_only_failures_without_a_move_between_add_up() -> None:
    fault = Fault(FaultKind.DISCONNECT, "gone")
    strikes = Strikes("e@1", 2)
    assert strikes.add(fault) is None
    strikes.moved()
    assert strikes.add(fault) is None
    reason = strikes.add(fault)
    assert reason is not None and reason.cause is Unavailable.QUARANTINED
    assert (reason.engine, "disconnect: gone" in reason.message) == ("e@1", True)
