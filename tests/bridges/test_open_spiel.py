"""OpenSpiel's bots play here, and our games are games of OpenSpiel."""

from __future__ import annotations

import random
from typing import Any

import pytest

import arena
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.spec import EngineSpec

pyspiel: Any = pytest.importorskip("pyspiel", reason="needs OpenSpiel")
from arena.bridges import open_spiel as bridge


@pytest.mark.parametrize(
    "rulebook", ["gomoku/renju_rif", "chinese_checkers/doc001", "xiangqi/cxa", "gomoku/swap2"]
)
def test_a_game_there_is_the_game_here(rulebook: str) -> None:
    game = pyspiel.load_game(f"arena(rulebook={rulebook})")
    own = arena.game(rulebook)
    there, here = game.new_initial_state(), own.new_state(0)
    chance = random.Random(5)
    for _ in range(60):
        if there.is_terminal():
            break
        seat = there.current_player()
        assert seat == min(here.seats_to_act())
        texts = [there.action_to_string(seat, action) for action in there.legal_actions()]
        assert texts == [str(move) for move in here.moves(seat)]
        action = chance.choice(there.legal_actions())
        before = there.clone()
        there.apply_action(action)
        assert str(before) == here.setup()
        here.apply(seat, texts[action])
        assert str(there) == here.setup()
        assert game.make_py_observer().string_from(there, 0) == here.observe(0)


def test_an_end_there_is_an_end_here() -> None:
    game = bridge.SpielGame(rules=arena.game("gomoku/freestyle15", size=9))
    state = game.at("black=a1,b1,c1,d1 white=a9,b9,c9,d9 move=black")
    assert state.returns() == [0.0, 0.0]
    state.apply_action([state.action_to_string(0, a) for a in state.legal_actions()].index("e1"))
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.returns() == [1.0, -1.0]
    assert state.legal_actions() == []


def test_hidden_hands_and_unknown_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="does not see the whole state"):
        bridge.SpielGame(rules=arena.game("doudizhu/doc003"))
    with pytest.raises(Exception, match="gomoku/renju_rif"):
        bridge.SpielGame({"rulebook": "gomoku/renju_riff"})


def test_its_search_finds_the_win_and_says_the_same_twice() -> None:
    game = bridge.SpielGame(rules=arena.game("gomoku/freestyle15", size=9))
    state = game.at("black=a1,b1,c1,d1 white=a9,b9,c9,d9 move=black")
    first, again = (bridge.mcts(200)(game, 0, 3).step(state) for _ in range(2))
    assert first == again
    assert state.action_to_string(0, first) == "e1"


def test_its_bot_plays_whole_games() -> None:
    bot = EngineSpec.parse("python:tests.bridges.test_open_spiel:Quick", "quick")
    rival = EngineSpec.parse("random")
    game = arena.game("gomoku/freestyle15", size=9)
    requests = [
        GameRequest(f"{i:032x}", "s", "c", i, 0, game, pair, i, i)
        for i, pair in enumerate([(bot, rival), (rival, bot)])
    ]
    with MatchRunner(MatchPolicy()) as runner:
        played = list(runner.play(requests))
    results = [result for result in played if not isinstance(result, NotPlayed)]
    assert len(results) == 2
    assert all(result.culprit is None for result in results)
    by_block = {result.block: result for result in results}
    assert by_block[0].scores[0] + by_block[1].scores[1] >= 1.5, "it beats random play"


class Quick(bridge.Mcts):
    """A little of the search: the rest is OpenSpiel's affair."""

    def __init__(self) -> None:
        """As a sweep makes it."""
        super().__init__(20)
