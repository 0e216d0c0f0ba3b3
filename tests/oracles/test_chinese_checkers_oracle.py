"""The slow Chinese checkers rules against counts and positions known from elsewhere."""

from __future__ import annotations

import pytest

from tests.oracles.chinese_checkers import ChineseCheckers
from tests.oracles.chinese_checkers_star import Hole, Star

DEFAULTS: dict[str, object] = {
    "players": 2,
    "board": "star121",
    "pegs": 10,
    "sets_per_player": 1,
    "jump": "adjacent",
    "foreign_triangles": "free",
    "leave_target": False,
    "anti_block": "none",
    "home_deadline": 40,
    "late_finish": "none",
    "finish": "first_only",
    "max_turns": 500,
    "cap_result": "draw",
}
STAR = Star(4)


def game(**changed: object) -> ChineseCheckers:
    return ChineseCheckers({**DEFAULTS, **changed})


def perft(state: ChineseCheckers, depth: int) -> int:
    moves = state.moves(state.seat)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = state.clone()
        after.apply(after.seat, move)
        total += perft(after, depth - 1)
    return total


def names(*holes: Hole) -> set[str]:
    return {STAR.name[hole] for hole in holes}


def place(state: ChineseCheckers, own: list[Hole], others: list[Hole]) -> ChineseCheckers:
    state.pieces = {**dict.fromkeys(own, "N"), **dict.fromkeys(others, "S")}
    return state


def ends(own: Hole, others: list[Hole], **changed: object) -> set[str]:
    state = place(game(**changed), [own], others)
    return {STAR.name[hole] for hole in state.ends(own)}


def test_the_boards() -> None:
    assert [len(Star(n).holes) for n in (2, 3, 4)] == [37, 73, 121]
    star = Star(4)
    degree = [len(star.steps(set(), hole)) for hole in star.holes]
    assert [degree.count(d) for d in (6, 5, 4, 2)] == [73, 6, 36, 6]
    assert sum(degree) == 2 * 312
    assert star.name[4, -8] == "q1"
    assert star.name[-4, 8] == "a1"
    assert star.name[0, 0] == "i5"
    assert star.name[-4, -4] == "m1"
    assert star.name[8, -4] == "m13"
    assert {h for h in star.camp("S", 15) if h[1] == 4} == {(q, 4) for q in range(-4, 1)}


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ({}, [14, 196, 4760]),
        ({"jump": "equidistant"}, [14, 196, 5348]),
        ({"pegs": 15}, [22, 484]),
        ({"players": 3}, [14, 196, 2744]),
        ({"players": 4}, [14, 199, 2786]),
    ],
)
def test_perft(changed: dict[str, object], counts: list[int]) -> None:
    """Distinct pairs of ends; the first line is also what OpenSpiel counts."""
    assert [perft(game(**changed), depth) for depth in range(1, len(counts) + 1)] == counts


def test_first_turn() -> None:
    """C01."""
    pairs = {
        (1, -5): [(0, -4), (1, -4)],
        (2, -5): [(1, -4), (2, -4)],
        (3, -5): [(2, -4), (3, -4)],
        (4, -5): [(3, -4), (4, -4)],
        (2, -6): [(0, -4), (2, -4)],
        (3, -6): [(1, -4), (3, -4)],
        (4, -6): [(2, -4), (4, -4)],
    }
    expected = {STAR.name[a] + STAR.name[b] for a, all_b in pairs.items() for b in all_b}
    assert game().moves(0) == expected


def test_hops() -> None:
    """C02-C06, C10, C11."""
    assert names((2, 0)) < ends((0, 0), [(1, 0)])
    assert names((2, 0), (4, 0)) < ends((0, 0), [(1, 0), (3, 0)])
    assert not names((3, 0)) & ends((0, 0), [(1, 0), (2, 0)])
    assert not names((4, 0)) & ends((0, 0), [(2, 0)])
    assert names((4, 0)) < ends((0, 0), [(2, 0)], jump="equidistant")
    for jump in ("adjacent", "equidistant"):
        assert not names((4, 0)) & ends((0, 0), [(2, 0), (3, 0)], jump=jump)
        assert not names((3, 0)) & ends((0, 0), [(1, 0)], jump=jump)
        assert not names((3, 0)) & ends((0, 0), [(2, 0)], jump=jump)


def test_chain_into_another_tip() -> None:
    """C08."""
    expected = names((4, -3), (6, -3), (1, -3), (1, -2), (2, -4), (2, -2), (3, -4))
    assert ends((2, -3), [(3, -3), (5, -4), (5, -3)]) == expected


def test_locked_target() -> None:
    """C12."""
    out_of_goal = names((-4, 4), (-3, 4))
    assert not out_of_goal & ends((-4, 5), [])
    assert out_of_goal < ends((-4, 5), [], leave_target=True)


def test_three_seats_run_to_empty_corners() -> None:
    """C17."""
    state = game(players=3)
    assert [home for home in state.sets] == ["N", "SE", "SW"]
    assert not any(hole in state.pieces for home in state.sets for hole in state.target(home))


def test_pass_only_when_blocked() -> None:
    """C18."""
    state = place(game(), [(4, -8)], [(3, -7), (4, -7), (2, -6), (4, -6)])
    assert state.moves(0) == {"pass"}
    state = place(game(), [(4, -8)], [(3, -7), (4, -7), (2, -6)])
    assert "pass" not in state.moves(0)


def almost(state: ChineseCheckers, *seats: int) -> ChineseCheckers:
    """Each set one step from its won target."""
    state.pieces = {}
    for home in state.sets:
        holes = sorted(state.target(home), key=lambda h: abs(h[1]))
        state.pieces.update(dict.fromkeys(holes, home))
        if state.owner[home] in seats:
            last = next(h for h in holes if state.star.steps(state.pieces, h))
            del state.pieces[last]
            before = next(h for h in state.star.steps(state.pieces, last) if h not in holes)
            state.pieces[before] = home
    return state


def finishing_move(state: ChineseCheckers) -> str:
    def wins(move: str) -> bool:
        after = state.clone()
        after.apply(after.seat, move)
        return (state.seat, state.round) in after.finished

    return next(move for move in sorted(state.moves(state.seat)) if wins(move))


def test_equal_turns_are_a_draw() -> None:
    """C14: the first mover fills with its turn 40, the second with its turn 40."""
    state = almost(game(late_finish="same_round_draw"), 0, 1)
    state.round = 40
    state.apply(0, finishing_move(state))
    assert state.seats_to_act() == {1}
    state.apply(1, finishing_move(state))
    assert state.ended is not None
    assert state.ended.termination == "late_finish"
    assert state.ended.scores == (0.5, 0.5)


def test_the_second_mover_wins_at_once() -> None:
    """C15: the second mover fills with its turn 40, the first has not."""
    state = almost(game(late_finish="same_round_draw"), 0, 1)
    state.round, state.seat = 40, 1
    state.apply(1, finishing_move(state))
    assert state.ended is not None
    assert state.ended.termination == "goal_filled"
    assert state.ended.scores == (0.0, 1.0)


def test_one_more_round() -> None:
    """Document 000 (6): the later mover arrives one round late and draws."""
    state = almost(game(late_finish="one_more_round_draw"), 0, 1)
    state.round = 40
    state.apply(0, finishing_move(state))
    win = finishing_move(state)
    state.apply(1, next(m for m in sorted(state.moves(1)) if m != win and m[:2] != win[:2]))
    assert (state.seat, state.round) == (1, 41)


def test_passive_loss() -> None:
    state = game(anti_block="passive_loss", home_deadline=2)
    for _ in range(2):
        state.apply(0, min(state.moves(0)))
        if state.ended:
            break
        state.apply(1, min(state.moves(1)))
    assert state.ended is not None
    assert state.ended.termination == "passive_loss"
    assert state.ended.places == (2, 1)
