"""The reference engines: legal in every phase, deterministic, and each stronger than the last."""

from __future__ import annotations

import pytest

from arena import _core
from arena.games import Game, game
from arena.games.gomoku import FAMILY
from tests.games.gomoku.helpers import ended, play, setup_text

BOOKS = sorted(FAMILY.rulebooks)


def score(made: Game, engine: str, rival: str, games: int, opening_plies: int = 4) -> float:
    """Mean score of `engine`; each opening is played in both seats."""
    tasks = []
    for i in range(games // 2):
        tasks.append(_core.PlayTask([engine, rival], i, i, opening_plies))
        tasks.append(_core.PlayTask([rival, engine], i, i, opening_plies))
    played = made.core.play(tasks)
    return sum(g.outcome.scores[i % 2] for i, g in enumerate(played)) / len(played)


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize("spec", ["greedy:noise=20", "search:nodes=60", "search:nodes=60,noise=30"])
def test_engines_play_whole_games_of_every_rulebook_legally(rulebook: str, spec: str) -> None:
    made = game(f"gomoku/{rulebook}", max_moves=60)
    engine = made.core.engine(spec)
    for seed in range(2):
        engine.new_game(seed)
        state = made.new_state(seed)
        while state.seats_to_act():
            (seat,) = state.seats_to_act()
            move, decision = engine.choose(state, seat)
            assert state.check(seat, move) is None
            assert decision.value is None or 0.0 <= decision.value <= 1.0
            state.apply(seat, move)
        # A thinking engine never plays a forbidden point.
        assert ended(state)[0] not in ("forbidden", "forbidden_claimed", "false_claim")


@pytest.mark.parametrize("spec", ["random", "greedy:noise=30", "search:nodes=200"])
def test_a_seed_gives_the_same_game(spec: str) -> None:
    made = game("gomoku/renju_rif")
    tasks = [_core.PlayTask([spec, spec], 3, 9, keep_moves=True) for _ in range(2)]
    first, second = made.core.play(tasks)
    assert first.moves == second.moves
    (other,) = made.core.play([_core.PlayTask([spec, spec], 3, 10, keep_moves=True)])
    assert other.moves != first.moves


LADDER = list(zip(FAMILY.rungs[1:], FAMILY.rungs[:-1], strict=True))


@pytest.mark.parametrize(("stronger", "weaker"), LADDER[:3])
@pytest.mark.parametrize("rulebook", ["freestyle15", "renju_free"])
def test_each_lower_rung_beats_the_one_before(rulebook: str, stronger: str, weaker: str) -> None:
    assert score(game(f"gomoku/{rulebook}"), stronger, weaker, 60) > 0.65


@pytest.mark.parametrize(("stronger", "weaker"), LADDER[3:])
def test_each_upper_rung_beats_the_one_before(stronger: str, weaker: str) -> None:
    # Among strong players the first move decides too much without balanced openings.
    assert score(game("gomoku/renju_gomocup"), stronger, weaker, 30, opening_plies=0) > 0.58


@pytest.mark.parametrize("spec", ["greedy", "search:nodes=50"])
def test_engines_claim_a_foul_and_claim_nothing_else(spec: str) -> None:
    made = game("gomoku/doc001")
    text = setup_text(["f11", "g11", "h9", "g8"], ["a1", "a3", "a5", "a7"])
    engine = made.core.engine(spec)
    engine.new_game(1)
    foul = play(made.new_state(setup=text), "g10")
    assert str(engine.choose(foul, 1)[0]) == "claim"
    sound = play(made.new_state(setup=text), "g9")
    assert str(engine.choose(sound, 1)[0]) != "claim"


@pytest.mark.parametrize("spec", ["greedy", "search:nodes=100"])
@pytest.mark.parametrize(
    ("rulebook", "black", "white", "move", "answers"),
    [
        # wins where it can
        ("freestyle15", "a1 b1 c1 d1", "h8 h9 j8 k8", "black", {"e1"}),
        # an overline is no win to black under renju's rules
        ("renju_free", "a1 b1 c1 e1 f1 d5 d6 d7 d8", "d4 j8 j9 j10 k2", "black", {"d9"}),
        # stops a four
        ("freestyle15", "a1 b1 c1 d1", "h8 j8 l8", "white", {"e1"}),
    ],
)
def test_engines_see_fives(
    spec: str, rulebook: str, black: str, white: str, move: str, answers: set[str]
) -> None:
    made = game(f"gomoku/{rulebook}")
    state = made.new_state(setup=setup_text(black.split(), white.split(), move=move))
    engine = made.core.engine(spec)
    engine.new_game(0)
    (seat,) = state.seats_to_act()
    assert str(engine.choose(state, seat)[0]) in answers


def test_search_drives_black_onto_a_forbidden_point() -> None:
    # A four with h8 or c8 can only be stopped at d8, an overline of black's.
    made = game("gomoku/renju_illegal")
    black = ["i8", "d5", "d6", "d7", "d9", "d10", "o1"]
    white = ["e8", "f8", "g8", "o15", "a15", "a13"]
    state = made.new_state(setup=setup_text(black, white, move="white"))
    engine = made.core.engine("search:nodes=200")
    engine.new_game(0)
    move, decision = engine.choose(state, 1)
    assert str(move) in ("h8", "c8")
    assert decision.value is not None
    assert decision.value > 0.99


def test_search_stays_within_its_nodes() -> None:
    made = game("gomoku/renju_free")
    for nodes in (1, 50, 2000):
        engine = made.core.engine(f"search:nodes={nodes}")
        engine.new_game(0)
        state = made.new_state(setup="black=h8,i9,g6 white=h9,g9")
        _, decision = engine.choose(state, 1)
        assert decision.nodes <= nodes + 200


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("best", "random, greedy, search"),
        ("search:depth=3", "nodes, noise"),
        ("greedy:noise=101", "0..100"),
        ("search:nodes", "key=integer"),
    ],
)
def test_wrong_engines_are_named(spec: str, says: str) -> None:
    with pytest.raises(ValueError, match="engine") as error:
        game("gomoku/doc001").core.engine(spec)
    assert says in str(error.value)


def test_random_freestyle_games_have_the_known_statistics() -> None:
    """Black wins 50.9 % of uniform random games; they last 109.3 stones (20,000 games)."""
    made = game("gomoku/freestyle15")
    played = made.core.play([_core.PlayTask(["random", "random"], i, i) for i in range(6000)])
    black = sum(g.outcome.scores[0] for g in played) / len(played)
    plies = sum(g.plies for g in played) / len(played)
    assert 0.485 < black < 0.533  # four standard errors are 0.026
    assert 107.0 < plies < 111.5
    assert {g.outcome.termination.name for g in played} <= {"five", "board_full"}


def test_claim_or_lapse_is_another_game_to_random_players() -> None:
    def black(rulebook: str) -> float:
        made = game(f"gomoku/{rulebook}")
        played = made.core.play([_core.PlayTask(["random", "random"], i, i) for i in range(2000)])
        return sum(g.outcome.scores[0] for g in played) / len(played)

    # Nearly every foul lapses where nobody looks for it; at once it costs black the game.
    assert black("renju_free") < 0.35
    assert black("doc001") > 0.42
