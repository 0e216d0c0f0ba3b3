"""Reference engines: legal in every rulebook, blind to hidden cards, each rung above the last."""

from __future__ import annotations

import pytest

import arena
from arena._core import PlayTask, Rng, derive_seed
from arena.games import family
from arena.games.contract import Game

BOOKS = tuple(family("tuolaji").rulebooks)


def tuolaji(book: str, **settings: bool | int | str | None) -> Game:
    return arena.game(f"tuolaji/{book}", **settings)


def share(book: str, strong: str, weak: str, blocks: int) -> float:
    """Share of hands won by one side; each deal is played twice with the sides swapped."""
    game = tuolaji(book)
    tasks = [
        PlayTask(
            [(strong, weak)[(seat + swapped) % 2] for seat in range(game.seats)],
            derive_seed(5, block),
            derive_seed(6, 2 * block + swapped),
        )
        for block in range(blocks)
        for swapped in (0, 1)
    ]
    played = game.core.play(tasks)
    return sum(hand.outcome.scores[i % 2] for i, hand in enumerate(played)) / len(tasks)


@pytest.mark.parametrize("book", BOOKS)
def test_greedy_plays_legally_to_the_end(book: str) -> None:
    """With some random moves in between, so that odd positions come up as well."""
    game = tuolaji(book)
    for seed in range(3):
        engine = game.core.engine("greedy:noise=15")
        engine.new_game(seed)
        state = game.new_state(seed)
        while seats := state.seats_to_act():
            seat = min(seats)
            move, _ = engine.choose(state, seat)
            assert state.check(seat, move) is None
            state.apply(seat, move)


@pytest.mark.parametrize(
    "book",
    [
        "r01_two_deck_to_8",
        "r03_four_deck_3_to_7",
        "r04_three_deck_3_to_K",
        "r13_two_deck_joker_level",
        "r16_four_deck_pk",
    ],
)
def test_greedy_sees_only_what_its_seat_may_know(book: str) -> None:
    """Another hidden world with the same observation: the same move."""
    game = tuolaji(book)
    rng = Rng(3)
    engine, other = game.core.engine("greedy"), game.core.engine("greedy")
    different_worlds = 0
    for seed in range(2):
        state = game.new_state(seed)
        turn = 0
        while seats := state.seats_to_act():
            seat = min(seats)
            move, _ = engine.choose(state, seat)
            if turn % 4 == 0:
                world = state.resample(seat, rng)
                different_worlds += world.snapshot() != state.snapshot()
                assert other.choose(world, seat)[0] == move
            state.apply(seat, move)
            turn += 1
    assert different_worlds > 20


@pytest.mark.parametrize("book", ["r04_three_deck_3_to_K", "r10_qq_two_deck"])
def test_each_rung_beats_the_one_below(book: str) -> None:
    """Measured over 30 to 100 blocks: 0.57 to 1.0. With equal strength this would be 0.5."""
    assert share(book, "greedy:noise=40", "random", 15) >= 0.65
    assert share(book, "greedy", "greedy:noise=40", 30) >= 0.6


@pytest.mark.parametrize(
    "book", ["r01_two_deck_to_8", "r10_qq_two_deck", "r13_two_deck_joker_level"]
)
def test_the_highest_rung_thinks_ahead(book: str) -> None:
    """Clear of one half over many blocks (docs/games/tuolaji.md); fewer here, to be quick."""
    assert family("tuolaji").rungs == ("random", "greedy:noise=40", "greedy", "solver:worlds=24")
    assert share(book, "solver:worlds=24", "greedy", 40) >= 0.54


def test_the_same_seed_gives_the_same_hand() -> None:
    game = tuolaji("r10_qq_two_deck")
    task = PlayTask(["solver:worlds=2,candidates=2"] * 4, 1, 2, keep_moves=True)
    first, second = (game.core.play([task])[0] for _ in range(2))
    assert first.moves == second.moves
    assert len({hand for hand, _ in first.moves}) == 4


def test_the_solver_thinks_to_the_end_of_a_hand_of_a_match() -> None:
    game = tuolaji("r10_qq_two_deck", unit="match", max_hands=2)
    task = PlayTask(["solver:worlds=1,candidates=2", "greedy"] * 2, 4, 5)
    (played,) = game.core.play([task])
    assert played.plies > 120


def test_engines_state_their_options() -> None:
    game = tuolaji("r10_qq_two_deck")
    with pytest.raises(ValueError, match="is none of random, greedy, solver"):
        game.core.engine("search")
    with pytest.raises(ValueError, match="it takes: worlds, candidates"):
        game.core.engine("solver:nodes=4")
