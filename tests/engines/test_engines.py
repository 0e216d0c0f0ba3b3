from __future__ import annotations

import pytest

import arena
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.runner import MatchRunner
from arena.players.spec import EngineKind
from engines.reference import ladder
from tests.match.table_kit import request_for

OPPORTUNIST = "python:engines.opportunist:Opportunist"


@pytest.mark.parametrize("family_id", arena.games.family_ids())
def test_every_rung_plays_its_game(family_id: str) -> None:
    rungs = ladder(family_id)
    assert len(rungs) >= 3
    assert len({rung.id for rung in rungs}) == len(rungs)
    book = arena.rulebooks(f"{family_id}/*")[0]
    for rung in rungs:
        assert rung.kind is EngineKind.BUILTIN
        arena.game(book).core.engine(rung.target)


def test_the_opportunist_beats_random_and_repeats_itself() -> None:
    game = arena.game("gomoku/freestyle15", size=9)
    requests = [request_for(game, (OPPORTUNIST, "random"), number) for number in range(20)]
    runs = []
    for _ in range(2):
        with MatchRunner(MatchPolicy()) as runner:
            results = [r for r in runner.play(requests) if isinstance(r, GameResult)]
        assert len(results) == len(requests)
        assert all(result.culprit is None for result in results)
        runs.append({result.game_id: result.record for result in results})
        assert sum(result.scores[0] for result in results) > 12
    assert runs[0] == runs[1]
