from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena._core import Termination
from arena.balance import balance
from arena.ratings import leaderboard
from tests.ledger.samples import cell, result
from tests.ratings.tables import duel_results, simulated_duel, table_from, through_ledger


def test_two_seats_by_hand() -> None:
    """Ten times (1, 0), (1, 1), (1/2, 1), (0, 1): share 11/16, block means 1/2 1 3/4 1/2."""
    duel = cell(0, blocks=80)
    outcomes = [(1, 0), (1, 1), (0.5, 1), (0, 1)] * 10
    results = [
        replace(
            r,
            plies=20 + r.block % 4,
            termination=Termination.board_full if r.block % 4 == 2 else r.termination,
        )
        for r in duel_results(duel, outcomes)
    ]
    (found,) = balance(table_from([duel], results))
    assert (found.blocks, found.games, found.planned_blocks, found.seats) == (40, 80, 80, 2)
    assert found.level == "a@1 vs b@1"
    first, second = found.by_seat
    assert first.score.value == pytest.approx(11 / 16)
    half = 2.022691 * math.sqrt(np.var([0.5, 1, 0.75, 0.5] * 10, ddof=1) / 40)
    assert first.score.low == pytest.approx(11 / 16 - half, abs=1e-5)
    assert second.score.value == pytest.approx(5 / 16)
    assert second.score.low == pytest.approx(1 - first.score.high)
    assert first.place.value + second.place.value == pytest.approx(3)
    assert found.win is not None and found.draw is not None and found.loss is not None
    assert [found.win.value, found.draw.value, found.loss.value] == [5 / 8, 1 / 8, 2 / 8]
    assert found.advantage is not None
    assert found.advantage.value == pytest.approx(400 * math.log10(11 / 5))
    assert found.advantage.low == pytest.approx(-400 * math.log10(1 / first.score.low - 1))
    assert found.plies.value == pytest.approx(21.5)
    five, full = found.terminations
    assert (five.termination, five.share.value) == ("five", 0.75)
    assert (full.termination, full.share.value) == ("board_full", 0.25)
    assert five.share.low == pytest.approx(1 - full.share.high) and 0.4 < five.share.low < 0.75
    assert found.decisive.value == 7 / 8
    assert found.decisive.low == pytest.approx(1 - found.draw.high)
    assert found.notes == ()
    (found,) = balance(table_from([duel], results[:8]))
    assert any("few blocks (4)" in note.en for note in found.notes)


def test_strength_cancels_within_blocks() -> None:
    """A far stronger engine wins everything from either seat: the seats are even."""
    duel = cell(0, blocks=200)
    (found,) = balance(table_from([duel], duel_results(duel, [(1, 0)] * 200)))
    score = found.by_seat[0].score
    assert score.value == 0.5 and 0 < score.high - score.low < 0.03
    assert found.p_value == 1.0 and not found.uneven
    assert found.win is not None and found.win.value == 0.5


def test_mixed_seats_and_strength_are_noted() -> None:
    fixed = cell(0, seatings=[("a@1", "b@1")], blocks=20)
    (found,) = balance(table_from([fixed], duel_results(fixed, [(1,)] * 20)))
    assert any("seat and strength are mixed" in note.en for note in found.notes)


def test_roles_follow_the_player_through_a_swap() -> None:
    """Black wins always; seats swap colours in half of the blocks."""
    mirror = cell(0, ("a@1", "a@1"), blocks=40)
    results = [
        result(mirror, b, 0, (1, 0), roles=("black", "white"))
        if b % 2
        else result(mirror, b, 0, (0, 1), roles=("white", "black"))
        for b in range(40)
    ]
    (found,) = balance(table_from([mirror], results))
    assert found.level == "a@1"
    assert found.by_seat[0].score.value == 0.5
    black, white = found.by_role
    assert (black.role, black.score.value, black.wins.value, black.share) == ("black", 1, 1, 1)
    assert (white.role, white.score.value) == ("white", 0)
    assert black.score.low == pytest.approx(1 - (1 - 0.025 ** (1 / 40)))


def test_roles_that_several_seats_hold_weigh_by_seat() -> None:
    table = cell(0, ("a@1",) * 3, blocks=4, rulebook="doudizhu/x")
    results = [
        replace(
            result(table, b, 0, (1, 0, 0) if b else (0, 1, 1), roles=("lord", "farmer", "farmer")),
            sides=(0, 1, 1),
        )
        for b in range(4)
    ]
    (found,) = balance(table_from([table], results))
    farmer, lord = found.by_role
    assert (farmer.role, farmer.share, farmer.score.value) == ("farmer", 2.0, 0.25)
    assert (lord.role, lord.share, lord.score.value) == ("lord", 1.0, 0.75)
    assert lord.wins.value == 0.75 and farmer.wins.value == 0.25


def test_many_seats() -> None:
    table = cell(0, ("a@1",) * 4, blocks=3, rulebook="chinese_checkers/four")
    results = [
        result(table, 0, 0, (1, 2 / 3, 1 / 3, 0)),
        result(table, 1, 0, (1, 0.5, 0.5, 0)),
        result(table, 2, 0, (5 / 6, 5 / 6, 1 / 3, 0)),
    ]
    (found,) = balance(table_from([table], results))
    assert found.advantage is None and found.win is None
    places = [seat.place.value for seat in found.by_seat]
    assert places == pytest.approx([3.5 / 3, 6 / 3, 8.5 / 3, 4])
    assert sum(places) == pytest.approx(10)
    wins = [seat.wins.value for seat in found.by_seat]
    assert wins == pytest.approx([2.5 / 3, 0.5 / 3, 0, 0])
    last = found.by_seat[3].place
    assert last.high == 4 and last.low < 3


def test_one_block_bounds_nothing() -> None:
    duel = cell(0, blocks=1)
    (found,) = balance(table_from([duel], duel_results(duel, [(1, 1)])))
    score = found.by_seat[0].score
    assert score.value == 1 and score.low < 0.05 and found.p_value == 1
    assert any("too few blocks" in note.en for note in found.notes)
    assert balance(table_from([duel], [])) == []


def test_p_values() -> None:
    """Student's t over block means, and the sign test where nothing varies."""
    from scipy.stats import ttest_1samp

    rng = np.random.default_rng(8)
    duel = cell(0, blocks=60)
    results = simulated_duel(rng, duel, {"a@1": 0, "b@1": 0}, first=70)
    (found,) = balance(table_from([duel], results))
    means = np.array([r.scores[0] for r in results]).reshape(-1, 2).mean(axis=1)
    assert found.p_value == pytest.approx(ttest_1samp(means, 0.5).pvalue, rel=1e-9)
    assert found.uneven == (found.p_value <= 0.05)
    same = cell(0, blocks=5)
    (found,) = balance(table_from([same], duel_results(same, [(1, 1)] * 5)))
    assert found.p_value == 2 * 0.5**5


def test_p_value_of_three_even_seats_is_level() -> None:
    """Under evenness a 5 % test refutes about 5 % of the time, seats tied together or not."""
    rng = np.random.default_rng(9)
    table = cell(0, ("a@1",) * 3, blocks=25, rulebook="chinese_checkers/three")
    low = 0
    for _ in range(200):
        results = [
            result(table, b, 0, [(3 - p) / 2 for p in rng.permutation([1, 2, 3])])
            for b in range(25)
        ]
        (found,) = balance(table_from([table], results))
        low += found.p_value <= 0.05
    assert 2 <= low <= 20


def test_many_even_variants_do_not_look_uneven() -> None:
    rng = np.random.default_rng(10)
    cells = [cell(i, ("a@1", "a@1"), blocks=60, rulebook=f"gomoku/v{i}") for i in range(40)]
    results = [
        r
        for c in cells
        for r in simulated_duel(rng, c, {"a@1": 0}, first=400 if c.index == 7 else 0)
    ]
    found = balance(table_from(cells, results))
    assert [c.rulebook for c in found if c.uneven] == ["gomoku/v7"]
    assert sum(c.p_value < 0.05 for c in found) >= 1


def test_any_order_of_arrival_gives_equal_bytes() -> None:
    rng = np.random.default_rng(11)
    cells = [cell(0, blocks=20), cell(1, ("a@1", "a@1"), blocks=20)]
    results = [r for c in cells for r in simulated_duel(rng, c, {"a@1": 50, "b@1": 0})]
    straight = repr(balance(through_ledger(cells, results)))
    assert "np." not in straight  # plain numbers: JSON takes them
    for seed in range(3):
        mixed = results.copy()
        random.Random(seed).shuffle(mixed)
        assert repr(balance(through_ledger(cells, mixed + mixed[:9]))) == straight


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_table_gives_sound_numbers(data: st.DataObject) -> None:
    """Shares sum up, intervals hold their value and have a width, whatever the results are."""
    seats = data.draw(st.sampled_from([2, 3, 4, 6]))
    names = data.draw(st.sampled_from([("a@1",) * seats, tuple(f"e{i}@1" for i in range(seats))]))
    blocks = data.draw(st.integers(1, 6))
    rulebook = "chinese_checkers/x" if seats > 2 else "gomoku/x"
    one = cell(0, names, blocks=blocks, rulebook=rulebook)
    results = []
    for b in range(blocks):
        for p in range(len(one.seatings)):
            places = data.draw(st.lists(st.integers(1, seats), min_size=seats, max_size=seats))
            scores = [
                sum((x < y) + (x == y) / 2 for j, y in enumerate(places) if j != i) / (seats - 1)
                for i, x in enumerate(places)
            ]
            results.append(result(one, b, p, scores, plies=data.draw(st.integers(0, 9))))
    table = table_from([one], results)
    (found,) = balance(table)
    shares = [s.score for s in found.by_seat] + [s.wins for s in found.by_seat]
    shares += [r.score for r in found.by_role]
    shares += [i for i in (found.win, found.draw, found.loss) if i is not None]
    for share in shares:
        assert 0 <= share.low <= share.value <= share.high <= 1
        assert share.high - share.low > 0.2
    for seat in found.by_seat:
        assert 1 <= seat.place.low <= seat.place.value <= seat.place.high <= seats
    assert found.plies.low <= found.plies.value <= found.plies.high
    assert sum(s.score.value for s in found.by_seat) == pytest.approx(seats / 2)
    assert sum(s.wins.value for s in found.by_seat) == pytest.approx(1)
    assert sum(s.place.value for s in found.by_seat) == pytest.approx(seats * (seats + 1) / 2)
    assert 0 <= found.p_value <= 1
    board = leaderboard(table, one.family)
    assert sum(e.games for e in board.entries) == seats * len(results)
    assert all(math.isfinite(e.elo) and e.low <= e.elo <= e.high for e in board.entries)


def test_intervals_cover_when_openings_bind_the_games_of_a_block() -> None:
    rounds, covered, naive = 300, 0, 0
    pair = cell(0, ("a@1", "b@1"), blocks=50)
    single = cell(0, ("a@1", "a@1"), blocks=100)
    for seed in range(rounds):
        rng = np.random.default_rng(seed)
        results = simulated_duel(rng, pair, {"a@1": 0, "b@1": 0}, nu=0.3, opening=500)
        (by_block,) = balance(table_from([pair], results))
        games = [result(single, i, 0, r.scores) for i, r in enumerate(results)]
        (by_game,) = balance(table_from([single], games))
        assert by_block.by_seat[0].score.value == by_game.by_seat[0].score.value
        covered += by_block.by_seat[0].score.low <= 0.5 <= by_block.by_seat[0].score.high
        naive += by_game.by_seat[0].score.low <= 0.5 <= by_game.by_seat[0].score.high
    assert 0.92 <= covered / rounds <= 0.98
    assert naive / rounds < 0.90
