"""Reference engines: each rung beats the one below, games end, the same seed gives the same game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from arena._core import PlayTask
from arena.games import family
from tests.games.chinese_checkers.positions import checkers, place

RUNGS = family("chinese_checkers").rungs


def share(book: str, strong: str, weak: str, pairs: int, **settings: object) -> float:
    """Share of games in which a strong seat is first; half the seats are strong, then the rest."""
    game = checkers(book, **settings)
    seats = range(game.seats)
    tasks = []
    for pair in range(pairs):
        for turn in range(2):
            line_up = [strong if (seat + turn) % 2 == 0 else weak for seat in seats]
            tasks.append(PlayTask(line_up, 100 + pair, 7 + pair, 3))
    won = 0.0
    for task, played in zip(tasks, game.core.play(tasks), strict=True):
        first = [seat for seat in seats if played.outcome.places[seat] == 1]
        won += sum(task.engines[seat] == strong for seat in first) / len(first)
    return won / len(tasks)


@pytest.mark.parametrize(("weak", "strong"), list(pairwise(RUNGS)))
@pytest.mark.parametrize(("book", "pairs"), [("west10_2", 8), ("west10_4", 5), ("west10_6", 4)])
def test_rungs(book: str, pairs: int, weak: str, strong: str) -> None:
    """Measured over hundreds of games: 0.75 to 1.0. With equal strength this would be 0.5."""
    settings = {"max_turns": 150, "cap_result": "pieces_home"}
    assert share(book, strong, weak, pairs, **settings) >= 0.65


def test_rungs_of_three() -> None:
    for weak, strong in pairwise(RUNGS):
        assert share("west10_3", strong, weak, 8, max_turns=150) >= 0.5


@pytest.mark.parametrize(
    "book",
    [
        "doc000",
        "doc000_three",
        "doc001",
        "west10_2",
        "west10_5",
        "west10_6",
        "west10_two_sets",
        "west10_3_two_sets",
        "super",
        "west15",
        "kids6",
        "masters_6",
        "open_middle",
        "openspiel_2",
        "openspiel_6",
        "ranked_6",
        "small73",
        "small37",
    ],
)
@pytest.mark.parametrize("engine", ["greedy", "search:nodes=200"])
def test_games_end(book: str, engine: str) -> None:
    game = checkers(book)
    tasks = [PlayTask([engine] * game.seats, i, i, 2) for i in range(3)]
    ends = [played.outcome.termination.name for played in game.core.play(tasks)]
    assert set(ends) <= {"goal_filled", "late_finish"}, ends


def lines(book: str, engines: Sequence[str], seed: int) -> list[tuple[int, str]]:
    game = checkers(book)
    (played,) = game.core.play([PlayTask(list(engines), 1, seed, 2, 40, True)])
    return list(played.moves)


@pytest.mark.parametrize("book", ["west10_2", "west10_4"])
@pytest.mark.parametrize("engine", ["random", "greedy:noise=30", "search:nodes=150,noise=10"])
def test_the_seed_decides(book: str, engine: str) -> None:
    seats = checkers(book).seats
    assert lines(book, [engine] * seats, 5) == lines(book, [engine] * seats, 5)
    assert lines(book, [engine] * seats, 5) != lines(book, [engine] * seats, 6)


@pytest.mark.parametrize("book", ["west10_2", "west10_3", "doc000"])
def test_a_win_in_one_is_played(book: str) -> None:
    from tests.games.chinese_checkers.positions import nearly

    game = checkers(book)
    close = nearly(game, "N")
    others = [view for view in ("NE", "SE", "S", "SW") if f"{view}=" in game.new_state().setup()]
    middle = dict(zip(others, (["i3"], ["i5"], ["i7"]), strict=False))
    state = place(game, {"N": close.pieces, **middle})
    for spec in ("greedy", "search:nodes=500"):
        engine = game.core.engine(spec)
        engine.new_game(1)
        move, _ = engine.choose(state, 0)
        twin = state.clone()
        twin.apply(0, move)
        assert '"finished":[{"seat":0' in twin.observe(0), (spec, str(move))


def test_a_seat_without_moves_passes() -> None:
    game = checkers("openspiel_2")
    state = place(game, {"N": ["a1"], "S": ["b1", "b2", "c1", "c2", "c3"]})
    for spec in ("random", "greedy", "search:nodes=50", "search:nodes=50,table=0"):
        engine = game.core.engine(spec)
        engine.new_game(1)
        move, _ = engine.choose(state, 0)
        assert str(move) == "pass"


def test_nodes_are_a_budget() -> None:
    game = checkers("west10_2")
    for book in ("west10_2", "west10_6"):
        game = checkers(book)
        state = game.new_state()
        for nodes in (1, 50, 1000):
            engine = game.core.engine(f"search:nodes={nodes}")
            engine.new_game(1)
            move, decision = engine.choose(state, 0)
            assert state.check(0, move) is None
            assert 0 < decision.nodes <= nodes + game.seats


def test_the_table_changes_speed_and_not_sense() -> None:
    # Without a node limit in reach, both see the same tree and agree on its value.
    game = checkers("small73")
    values = []
    for table in (0, 1):
        engine = game.core.engine(f"search:nodes=10000000,depth=3,width=1000,table={table}")
        engine.new_game(1)
        _, decision = engine.choose(game.new_state(), 0)
        values.append((decision.value, decision.nodes))
    assert values[0][0] == values[1][0]
    assert values[1][1] <= values[0][1]


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("minimax", "none of random, greedy, search"),
        ("", "none of random, greedy, search"),
        ("random:noise=1", "no option 'noise'"),
        ("greedy:noise=101", "101 is not in 0..100"),
        ("greedy:nodes=5", "it takes: noise"),
        ("search:nodes=0", "nodes"),
        ("search:nodes", "key=integer"),
        ("search:node=5", "nodes, noise, depth, width, table"),
    ],
)
def test_wrong_specs_are_explained(spec: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        checkers("west10_2").core.engine(spec)
