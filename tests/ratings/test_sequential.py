"""Published log-likelihood ratios and what the input checks refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.ratings.blocks import ELO, elo_of, opening_bias, share_of
from arena.ratings.draw_laws import DrawLaw
from arena.ratings.draws import BayesElo, Davidson, bayes_elo, davidson
from arena.ratings.sequential import Hypotheses, Scale, check_pairs, llr, llrs, llrs_of_mean

N, L, B = Scale.NORMALISED, Scale.LOGISTIC, Scale.BAYES

# Messages of commits of official-stockfish/Stockfish: bounds, Ptnml(0-2), LLR as printed.
STOCKFISH = [
    ("b52f01471", -1.75, 0.25, (1721, 77704, 208246, 77189, 1732), N, 3.19),
    ("d077f9a81", 0, 2, (20, 1334, 3810, 1569, 35), N, 2.95),
    ("218c74ec4", 0.5, 2.5, (39, 11353, 31686, 11822, 33), N, 2.96),
    ("a169c78b6", 0, 10, (0, 1, 56, 82, 0), N, 2.95),
    ("03e4cde72", 0, 2, (1303, 46287, 100253, 47055, 1342), N, 2.96),
    ("675f6a038", 0, 2.5, (857, 17346, 41642, 17833, 866), N, 2.95),
    ("18389e269", -2.25, 0.25, (1344, 31488, 81366, 31213, 1373), N, 2.96),
    ("6ad4f485d", -0.2, 1.1, (406, 8728, 41933, 8848, 493), L, 2.94),
    ("6ad4f485d", 0.2, 0.9, (23, 1079, 15473, 1255, 14), L, 2.94),
    ("508906165", 0.25, 1.25, (13, 1176, 17184, 1178, 21), L, -3.00),
    ("84f3e8679", -6, -4, (571, 4082, 8434, 3861, 520), L, 2.94),
]

# fastchess, app/tests/sprt_test.cpp: from all lost to all won; its tolerance is 1 %.
FASTCHESS = [
    ((36027, 68692, 36433), N, 0, 2, 0.92),
    ((10650, 20431, 10871), N, -1.75, 0.25, 2.30),
    ((0, 0, 4250), N, 0, 10, 120.56),
    ((21184, 40708, 21404), L, 0.5, 2.5, -1.57),
    ((57030, 106593, 57433), L, 0, 2, -2.59),
    ((68526, 128429, 68965), B, 0, 2, -1.26),
    ((21484, 41111, 21629), B, 0.5, 2.5, -1.13),
    ((365, 16618, 36229, 16974, 390), N, 0, 2, 2.25),
    ((127, 4883, 10712, 5150, 104), N, -1.75, 0.25, 3.01),
    ((0, 0, 0, 0, 5550), N, 0, 5, 111.82),
    ((223, 9863, 21279, 10037, 246), L, 0.5, 2.5, -3.07),
    ((871, 26175, 55983, 26678, 821), L, 0, 2, -4.98),
]


@pytest.mark.parametrize(("commit", "elo0", "elo1", "pairs", "scale", "printed"), STOCKFISH)
def test_stockfish(
    commit: str, elo0: float, elo1: float, pairs: tuple[int, ...], scale: Scale, printed: float
) -> None:
    assert llr(pairs, Hypotheses(elo0, elo1, scale)) == pytest.approx(printed, abs=0.0051), commit


@pytest.mark.parametrize(("counts", "scale", "elo0", "elo1", "printed"), FASTCHESS)
def test_fastchess(
    counts: tuple[int, ...], scale: Scale, elo0: float, elo1: float, printed: float
) -> None:
    found = llr(counts, Hypotheses(elo0, elo1, scale))
    # fastchess looks for its root to 1e-7 only, which shows where all blocks are alike.
    alike = sum(n > 0 for n in counts) == 1
    assert found == pytest.approx(printed, abs=0.0051, rel=2.1e-4 if alike else 0)


def slow_llr(counts: list[int], test: Hypotheses) -> float:
    """As the documents have it, row by row and by bisection; nothing of the fast one is used."""
    filled = [n or 1e-3 for n in counts]
    blocks = sum(filled)
    shares = [n / blocks for n in filled]
    ladder = [i / (len(counts) - 1) for i in range(len(counts))]

    def nearest(leads: list[float]) -> list[float]:
        low, high = -1 / max(leads), -1 / min(leads)
        theta = 0.0
        for _ in range(70):
            theta = (low + high) / 2
            slope = sum(
                p * lead / (1 + theta * lead) for p, lead in zip(shares, leads, strict=True)
            )
            low, high = (theta, high) if slope > 0 else (low, theta)
        return [p / (1 + theta * lead) for p, lead in zip(shares, leads, strict=True)]

    def law(elo: float) -> list[float]:
        if test.scale is L:
            return nearest([x - share_of(elo) for x in ladder])
        t = elo * math.sqrt((len(counts) - 1) / 2) / (800 / math.log(10))
        found = [1 / len(counts)] * len(counts)
        for _ in range(10):
            mean = sum(p * x for p, x in zip(found, ladder, strict=True))
            sd = math.sqrt(sum(p * (x - mean) ** 2 for p, x in zip(found, ladder, strict=True)))
            found = nearest([x - 0.5 - 0.5 * t * sd * (1 + ((x - mean) / sd) ** 2) for x in ladder])
        return found

    laws = zip(shares, law(test.elo0), law(test.elo1), strict=True)
    return blocks * sum(p * math.log(p1 / p0) for p, p0, p1 in laws)


@pytest.mark.parametrize("cells", [3, 5, 7, 13])
def test_any_counts_as_the_documents_have_it(cells: int) -> None:
    """Large and small, with cells that are empty: to the digits that are printed."""
    rng = np.random.default_rng(cells)
    for _ in range(20):
        middle = rng.multinomial(cells - 1, [0.5, 0.5])[0]
        law = np.exp(-((np.arange(cells) - middle) ** 2) / rng.uniform(1, 2 * cells))
        counts = rng.poisson(10 ** rng.uniform(0.5, 5) * law).tolist()
        if sum(n > 0 for n in counts) < 2:
            continue
        low = rng.uniform(-10, 10)
        for scale in (N, L):
            test = Hypotheses(low, low + rng.uniform(0.5, 10), scale)
            assert llr(counts, test) == pytest.approx(slow_llr(counts, test), rel=1e-6, abs=1e-6), (
                counts,
                test,
            )


def test_bounds_of_five_per_cent() -> None:
    test = Hypotheses(0, 5)
    assert (test.lower, test.upper) == pytest.approx((-2.9444, 2.9444), abs=5e-5)


def test_longer_blocks_are_on_the_scale_of_a_game() -> None:
    """Independent games weigh the same in blocks of 1 to 6, on either scale."""
    game = np.array([0.32, 0.35, 0.33])
    for scale in (N, L):
        test = Hypotheses(-5, 5, scale)
        alone = llr(60_000 * game, test)
        law = game
        for k in range(2, 7):
            law = np.convolve(law, game)
            assert llr(60_000 / k * law, test) == pytest.approx(alone, rel=3e-3), k


def test_a_first_step_onto_the_end_of_the_bracket() -> None:
    """Where the lead is half of the spread exactly, Newton's first step is a pole's place.

    Such counts of some thirty pairs made a ratio of -31, and H0 of a test that leaned to H1.
    """
    for pairs in ((1, 1, 19, 11, 1), (1, 2, 27, 14, 0), (1, 3, 16, 17, 0), (1, 1, 17, 11, 0)):
        away = np.linspace(-0.5, 0.5, 5)
        assert np.dot(pairs, away) == 2 * np.dot(pairs, away**2)
        found = llr(pairs, Hypotheses(0, 40, L))
        assert 1.5 < found < 2.5
        # Its neighbours, whose first step is elsewhere, lie beside it.
        more = [llr(np.add(pairs, step), Hypotheses(0, 40, L)) for step in np.eye(5) / 1000]
        assert more == pytest.approx([found] * 5, abs=0.01)
        assert llr(pairs[::-1], Hypotheses(-40, 0, L)) == pytest.approx(-found)


def test_the_normal_approximation() -> None:
    """N (s1 - s0)(2 s - s0 - s1) / (2 variance), as in the Fishtest documents."""
    counts = np.array([500.0, 9000, 20000, 9300, 520])
    n, ladder = counts.sum(), np.linspace(0, 1, 5)
    s = counts @ ladder / n
    variance = counts @ (ladder - s) ** 2 / n
    s0, s1 = share_of(0), share_of(2)
    near = n * (s1 - s0) * (2 * s - s0 - s1) / (2 * variance)
    assert llr(counts, Hypotheses(0, 2, L)) == pytest.approx(near, rel=5e-3)


def test_the_approximation_by_standard_deviations() -> None:
    """games / 2 x ln[(1 + (t - t0)^2) / (1 + (t - t1)^2)], as in the Fishtest documents."""
    for counts in ((20, 1334, 3810, 1569, 35), (1303, 46287, 100253, 47055, 1342)):
        n, ladder = sum(counts), np.linspace(0, 1, 5)
        mean = np.dot(counts, ladder) / n
        t = (mean - 0.5) / math.sqrt(np.dot(counts, (ladder - mean) ** 2) / n)
        t1 = 2 * math.sqrt(2) / 347.43558552
        near = n / 2 * math.log((1 + t**2) / (1 + (t - t1) ** 2))
        assert llr(counts, Hypotheses(0, 2)) == pytest.approx(near, rel=5e-3)


def test_any_finite_datum() -> None:
    """Mean shares of a table of three take steps that are no ladder of pairs."""
    counts = np.array([[30.0, 40, 42]])
    found = llrs_of_mean(counts, np.linspace(0, 1, 3), share_of(0), share_of(10))
    assert found[0] == pytest.approx(llr([30, 40, 42], Hypotheses(0, 10, L)))
    with pytest.raises(ValueError, match="between"):
        llrs_of_mean(counts, np.linspace(0, 1, 3), 0.5, 1.0)


def test_no_block_says_nothing_and_symmetry_holds() -> None:
    for scale in (N, L):
        assert llr([0] * 5, Hypotheses(0, 5, scale)) == 0
        one = llr([3, 20, 50, 26, 4], Hypotheses(0, 5, scale))
        other = llr([4, 26, 50, 20, 3], Hypotheses(-5, 0, scale))
        assert one == pytest.approx(-other, abs=1e-9)
    assert llr([0, 5, 7], Hypotheses(0, 5, B)) == 0


def test_rows_are_independent() -> None:
    rows = np.random.default_rng(1).integers(0, 50, (20, 5)).astype(float)
    for scale in (N, L):
        test = Hypotheses(-3, 4, scale)
        assert llrs(rows, test) == pytest.approx([llr(row, test) for row in rows], abs=1e-9)


def test_bad_input() -> None:
    for bad in ([1, 2], [1, 2, 3, 4], [1, -1, 2]):
        with pytest.raises(ValueError, match="2k \\+ 1"):
            llr(bad, Hypotheses(0, 5))
    for elos in ((5, 5), (5, 0), (0, math.inf), (math.nan, 1)):
        with pytest.raises(ValueError, match="elo0"):
            Hypotheses(*elos)
    with pytest.raises(ValueError, match="alpha"):
        Hypotheses(0, 5, alpha=0)
    with pytest.raises(ValueError, match="single games"):
        llr([1, 2, 3, 4, 5], Hypotheses(0, 5, B))
    with pytest.raises(ValueError, match="beyond"):
        llr([10, 10, 10], Hypotheses(0, 5000))


def test_balance_of_games_and_pairs() -> None:
    pairs = (20, 1334, 3810, 1569, 35)
    check_pairs(3000 + 265, 13536 - 6265, 3000, pairs)
    with pytest.raises(ValueError, match="wins less losses are 265"):
        check_pairs(3000, 13536 - 6000, 3000, pairs)
    with pytest.raises(ValueError, match="13536 games, not 13535"):
        check_pairs(3265, 13536 - 6266, 3000, pairs)
    # One pair of a draw and a win and one of a draw and a loss hold two draws, not none.
    check_pairs(1, 2, 1, (0, 1, 0, 1, 0))
    for wins, draws, losses in ((2, 0, 2), (0, 4, 0)):
        with pytest.raises(ValueError, match="draws do not fit"):
            check_pairs(wins, draws, losses, (0, 1, 0, 1, 0))


def test_rao_kupper_and_its_inverse() -> None:
    for elo in (-120.0, 0.0, 33.0):
        for drawelo in (30.0, 97.3, 327.0):
            chances = BayesElo(elo, drawelo).chances()
            assert sum(chances) == pytest.approx(1)
            back = bayes_elo(chances.win, chances.loss)
            assert tuple(back) == pytest.approx((elo, drawelo), abs=1e-9)
    assert BayesElo(0, 0).scale == 1
    assert BayesElo(0, 97.3).scale == pytest.approx(0.9251, abs=0.01)
    for win, loss in ((0, 0.5), (0.5, 0), (0.7, 0.4), (1, 0)):
        with pytest.raises(ValueError, match="over 0"):
            bayes_elo(win, loss)


def test_davidson_and_its_inverse() -> None:
    for elo in (-5000.0, -120.0, 0.0, 33.0):
        for nu in (0.0, 0.5, 3.0):
            chances = Davidson(elo, nu).chances()
            assert sum(chances) == pytest.approx(1)
            if elo > -5000:
                back = davidson(chances.win, chances.loss)
                assert tuple(back) == pytest.approx((elo, nu), abs=1e-9)
    # Equals draw nu / (2 + nu); Ordo's phi is 1 / nu; small leads score 2 / (2 + nu) as much.
    equal = Davidson(0, 0.5).chances()
    assert equal.draw == pytest.approx(0.5 / 2.5)
    win, draw, loss = Davidson(70, 0.8).chances()
    assert win * loss == pytest.approx((draw / 0.8) ** 2)
    slope = (Davidson(1e-3, 0.8).chances().score - 0.5) / (share_of(1e-3) - 0.5)
    assert slope == pytest.approx(Davidson(0, 0.8).scale, rel=1e-6)
    assert Davidson(0, 0.8).scale == pytest.approx(2 / 2.8)
    # The fits take the same laws, in natural logs.
    u, t = np.array([70 / ELO]), np.array([math.log(0.8)])
    assert DrawLaw.DAVIDSON.chances(u, t)[:, 0] == pytest.approx([win, draw, loss])
    with pytest.raises(ValueError, match="over 0"):
        davidson(0.7, 0.4)


def test_openings_that_favour_a_side() -> None:
    """README of vdbergh/pentanomial: drawelo 327, biases -90 and +200, equal players."""
    games, pairs = np.zeros(3), np.zeros(5)
    for bias in (-90, 200):
        first, second = (BayesElo(b, 327).chances()[::-1] for b in (bias, -bias))
        games += (np.array(first) + np.array(second)) / 4
        pairs += np.convolve(first, second) / 2
    assert games == pytest.approx([0.1644, 0.6712, 0.1644], abs=5e-5)
    assert pairs == pytest.approx([0.0159, 0.2189, 0.5303, 0.2189, 0.0159], abs=6e-5)
    # Sides change, and with them who the opening is for: pairs vary less, by its square.
    given = [BayesElo(bias, 327).chances().score - 0.5 for bias in (-90, 200)]
    counts = [np.rint(1e12 * law).astype(int).tolist() for law in (games, pairs)]
    found = opening_bias(*counts)
    assert found == pytest.approx(elo_of(0.5 + math.sqrt(np.mean(np.square(given)))), abs=1e-6)
    assert opening_bias([1, 0, 1], [0, 0, 1, 0, 0]) == math.inf
    assert opening_bias([2, 0, 2], [1, 0, 0, 0, 1]) == 0
    with pytest.raises(ValueError, match="expected 3 and 5"):
        opening_bias([1, 0, 1], [0, 1, 0])
