"""Who plays whom next: what a game tells, and that nobody is forgotten."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings.blocks import ELO
from arena.ratings.pairing import Belief, believe, expected, gains, next_pair


def tally(n: int, *results: tuple[int, int, float, float]) -> Belief:
    games, points = np.zeros((n, n)), np.zeros((n, n))
    for i, j, count, mine in results:
        games[i, j] += count
        games[j, i] += count
        points[i, j] += mine
        points[j, i] += count - mine
    return believe(games, points)


def test_without_games_everybody_is_average_and_unknown() -> None:
    belief = tally(3)
    assert belief.elo == pytest.approx([0, 0, 0])
    assert belief.covariance == pytest.approx(np.eye(3) * 500**2)
    assert belief.half_widths(np.eye(3))[0] == pytest.approx(1.959964 * 500)
    assert belief.half_widths(np.array([[1, -0.5, -0.5]]))[0] == pytest.approx(
        1.959964 * 500 * 1.5**0.5
    )


def test_many_games_give_the_elo_of_the_score() -> None:
    belief = tally(2, (0, 1, 100_000, 75_000))
    assert belief.elo[0] - belief.elo[1] == pytest.approx(ELO * np.log(3), rel=1e-3)
    # One game of p = 3/4 tells 3/16 of a squared logit.
    spread = ELO / (100_000 * 3 / 16) ** 0.5
    assert belief.half_widths(np.array([[1.0, -1.0]]))[0] == pytest.approx(
        1.959964 * spread, rel=1e-3
    )


def test_the_gain_is_what_the_game_takes_off() -> None:
    belief = tally(3, (0, 1, 10, 6), (1, 2, 4, 1))
    s = belief.covariance / ELO**2
    for i, j in ((0, 1), (0, 2), (1, 2)):
        p = float(expected(np.array((belief.elo[i] - belief.elo[j]) / ELO)))
        x = np.eye(3)[i] - np.eye(3)[j]
        after = np.linalg.inv(np.linalg.inv(s) + p * (1 - p) * np.outer(x, x))
        saved = np.trace((s - after)[:2, :2])
        assert gains(belief, np.eye(3)[:2])[i, j] == pytest.approx(saved, rel=1e-9)


@pytest.mark.parametrize("gap", [0, 1_000, 5_000, 20_000])
def test_every_number_is_finite_at_any_gap(gap: float) -> None:
    belief = Belief(np.array([0.0, gap, -gap]), np.eye(3) * 500.0**2)
    found = gains(belief, np.eye(3))
    assert np.all(np.isfinite(found)) and np.all(found >= 0)
    if gap <= 5_000:
        assert found[0, 1] > 0
    perfect = tally(3, (0, 1, 10_000, 10_000), (1, 2, 10_000, 10_000))
    assert np.all(np.isfinite(perfect.elo)) and np.all(np.isfinite(perfect.covariance))
    assert perfect.elo[0] > perfect.elo[1] > perfect.elo[2]


def test_an_unknown_engine_meets_who_is_near_and_known() -> None:
    belief = tally(4, (0, 1, 200, 20), (1, 2, 200, 20))  # 0 far below 1 far below 2; 3 is new
    met = np.ones((4, 4), dtype=bool) & ~np.eye(4, dtype=bool)
    assert next_pair(gains(belief, np.eye(4)[3:]), met, [3], [3], [200, 200, 200, 0], 0.5) == (3, 1)


def test_what_is_asked_decides_what_is_played() -> None:
    """Next to a rung that it knows, an engine need not know how far the top of the ladder is."""
    # 0 is so far above 1 that nobody knows how far; 2 is about as strong as 1.
    belief = tally(3, (0, 1, 40, 40), (1, 2, 40, 20))
    over_mean = gains(belief, np.array([[-0.5, -0.5, 1.0]]))
    over_low = gains(belief, np.array([[0.0, -1.0, 1.0]]))
    assert divmod(int(over_low.argmax()), 3) == (1, 2)
    assert 0 in divmod(int(over_mean.argmax()), 3)


def test_nobody_is_forgotten() -> None:
    """One that could always tell more does not take all: each has nine tenths of an equal share."""
    truth = [0.0, 100.0, 200.0, 300.0, -2_500.0, 2_500.0]
    rng = np.random.default_rng(1)
    n = len(truth)
    games, points, played = np.zeros((n, n)), np.zeros((n, n)), [0.0] * n
    met = ~np.eye(n, dtype=bool)
    shares = []
    for floor in (0.0, 0.9):
        games[:], points[:], played = 0, 0, [0.0] * n
        for _ in range(300):
            pair = next_pair(
                gains(believe(games, points), np.eye(n)), met, range(n), range(n), played, floor
            )
            assert pair is not None
            i, j = pair
            win = rng.random() < 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400))
            games[i, j] += 1
            games[j, i] += 1
            points[i, j] += win
            points[j, i] += 1 - win
            played[i] += 1
            played[j] += 1
        shares.append(min(played) / (sum(played) / n))
    assert shares[1] >= 0.9 - 0.03 > shares[0]


def test_only_who_may_meet_and_is_to_be_placed_plays() -> None:
    belief = tally(3)
    none = np.zeros((3, 3), dtype=bool)
    gain = gains(belief, np.eye(3)[:2])
    assert next_pair(gain, none, [0, 1], [0, 1], [0, 0, 0], 0.5) is None
    one = none.copy()
    one[1, 2] = one[2, 1] = True
    assert next_pair(gain, one, [0, 1], [0, 1], [0, 0, 0], 0.5) == (1, 2)
    assert next_pair(gain, one, [0], [0], [0, 0, 0], 0.5) is None


def test_it_does_not_matter_where_one_starts_from() -> None:
    games = np.array([[0.0, 9.0, 4.0], [9.0, 0.0, 2.0], [4.0, 2.0, 0.0]])
    points = np.array([[0.0, 6.0, 1.0], [3.0, 0.0, 0.5], [3.0, 1.5, 0.0]])
    cold = believe(games, points)
    warm = believe(games, points, before=Belief(np.array([900.0, -50.0]), np.eye(2)))
    assert warm.elo == pytest.approx(cold.elo, abs=1e-3)
    assert warm.covariance == pytest.approx(cold.covariance, rel=1e-4)


def test_one_more_is_nobody_of_whom_anything_is_known() -> None:
    two = tally(2, (0, 1, 10, 7))
    three = tally(3, (0, 1, 10, 7))
    assert two.with_one_more().elo == pytest.approx(three.elo)
    assert two.with_one_more().covariance == pytest.approx(three.covariance)


def test_a_step_too_far_is_taken_back() -> None:
    """From here Newton's whole steps go to and fro for ever."""
    even = np.array([[0.0, 4.0], [4.0, 0.0]])
    far = Belief(np.array([217.0, -217.0]), np.eye(2))
    assert believe(even, even / 2, before=far).elo == pytest.approx([0, 0], abs=1e-3)


def test_numbers_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="add up"):
        believe(np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([[0.0, 2.0], [1.0, 0.0]]))
    with pytest.raises(ValueError, match="both"):
        believe(np.zeros((2, 2)), np.zeros((3, 3)))
