"""A replayed turn tells an engine what it was told when the game was played."""

from __future__ import annotations

import pytest

import arena
from arena._core import Rng
from arena.conformance.replay import turns
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.referee import Table
from arena.players.base import Answer, Ask
from arena.players.messages import TurnWriter
from tests.match.table_kit import Puppet, request_for


def told(ask: Ask, writer: TurnWriter) -> tuple[int, str, list[str]]:
    """What a seat is told with a turn: its seat, its observation, what happened since."""
    (turn,) = writer.request([ask]).turns
    return turn.seat, turn.observation, [event.text for event in turn.events]


@pytest.mark.parametrize(
    ("rulebook", "plies"),
    [("gomoku/swap2", 30), ("siguo/doc001", 40), ("doudizhu/doc003", 0), ("tuolaji/r17", 90)],
)
def test_turns_are_as_they_were(rulebook: str, plies: int) -> None:
    game = arena.game(next(n for n in arena.games.rulebooks("*") if n.startswith(rulebook)))
    puppets = [Puppet() for _ in range(game.seats)]
    ended: list[object] = []
    policy = MatchPolicy(max_plies=plies)
    table = Table(request_for(game), policy, puppets, lambda _, result: ended.append(result))
    writer = TurnWriter()
    played: dict[tuple[int, str, str], list[str]] = {}
    rng = Rng(5)
    table.start()
    while not ended:
        owed = [p.asked[-1] for p in puppets if p.asked and not p.asked[-1].done]
        asked = [told(ask, writer) for ask in owed]
        for ask, (seat, observation, events) in zip(owed, asked, strict=True):
            move = str(table.state.sample_move(ask.seat, rng))
            played[seat, move, observation] = events
            table.answered(ask, Answer(move=move), 1.0, 0.0)
    (result,) = ended
    assert isinstance(result, GameResult) and result.record is not None
    again = {}
    for _, move, position in turns(game, result.record):
        ask = Ask(table, position.seat, 1, 1, (), position.events, (), 0)
        table.state = position.state
        seat, observation, events = told(ask, writer)
        again[seat, move, observation] = events
    assert again == played
    assert len(again) > 20
