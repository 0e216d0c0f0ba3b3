"""Davidson's model with seat effects, fitted from sufficient statistics.

For two seats: win : draw : loss = g : nu : 1/g with g = exp((R_a - R_b + A) / 2 ELO);
more seats are taken pair by pair over their places (a composite likelihood). What the fit
reads are exact integer counts per (cell, permutation, pair of seats) and, for the errors,
their products within blocks: it costs the same for a thousand games and for a million,
and cannot depend on the order of arrival.

Sources: Davidson 1970 (ties); Varin, Reid and Firth 2011 (composite likelihood and its
sandwich covariance); Coulom, BayesElo (virtual games as the prior).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.ledger.table import CellGames

_ROUNDS = 200
_TOLERANCE = 1e-10
_CHUNK = 4096
"""Blocks at a time, so that memory does not grow with a cell."""

_ONE_THREAD = 200_000
"""Multiplications in a matrix product that OpenBLAS does not split."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CellCounts:
    """The sufficient statistics of a cell.

    A comparison is (engine, engine, seat, seat): there are K of them, each made in one
    or more permutations of a block.
    """

    rulebook: str
    seats: int
    blocks: int
    pairs: tuple[tuple[int, int], ...]
    """Seats (a, b) of each comparison, a < b."""

    engines: tuple[tuple[str, str], ...]
    """Who sat there."""

    products: Floats
    """(3K, 3K) sums over blocks of products of a block's [wins - losses, draws, compared]
    by comparison; exact integers."""

    wins: Floats
    draws: Floats
    losses: Floats
    """(K,) counts, of seat a against seat b."""


def count(games: CellGames) -> CellCounts:
    """The sufficient statistics of one cell."""
    cell = games.cell
    seat_pairs = list(combinations(range(cell.seats), 2))
    a = [i for i, _ in seat_pairs]
    b = [j for _, j in seat_pairs]
    made = [(s[i], s[j], i, j) for s in cell.seatings for i, j in seat_pairs]
    kinds = sorted(set(made))
    k = len(kinds)
    to_kind = np.zeros((len(made), k))
    to_kind[np.arange(len(made)), [kinds.index(one) for one in made]] = 1

    products = np.zeros((3 * k, 3 * k))
    totals = np.zeros((3, k))
    # Products of this size stay in one thread: where other programs share the cores, the
    # threads of BLAS wait for each other a hundred times longer than they work.
    step = _ONE_THREAD // (3 * k) ** 2
    step = step if step >= 16 else _CHUNK
    for start in range(0, len(games.block), _CHUNK):
        part = slice(start, start + _CHUNK)
        places, sides = games.places[part], games.sides[part]
        compared = (sides[:, :, a] != sides[:, :, b]).reshape(-1, len(made))
        order = np.sign(places[:, :, b] - places[:, :, a]).reshape(-1, len(made)) * compared
        drawn = compared & (order == 0)
        columns = np.concatenate([order @ to_kind, drawn @ to_kind, compared @ to_kind], axis=1)
        for low in range(0, len(columns), step):
            products += columns[low : low + step].T @ columns[low : low + step]
        totals += columns.sum(axis=0).reshape(3, k)
    lead, draws, compared_total = totals
    decisive = compared_total - draws
    return CellCounts(
        rulebook=cell.rulebook,
        seats=cell.seats,
        blocks=len(games.block),
        pairs=tuple((i, j) for _, _, i, j in kinds),
        engines=tuple((one, other) for one, other, _, _ in kinds),
        products=products,
        wins=(decisive + lead) / 2,
        draws=draws,
        losses=(decisive - lead) / 2,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates in natural log units, and their covariance clustered by block."""

    engines: tuple[str, ...]
    rulebooks: tuple[str, ...]
    strength: Floats
    """(engines,)."""

    seat: tuple[Floats, ...]
    """For each rulebook (seats,) what sitting there is worth."""

    log_nu: Floats
    """(rulebooks,)."""

    seat_at: tuple[int, ...]
    """Where each rulebook's seats begin in `covariance`; strengths come first."""

    covariance: Floats


def fit(cells: Sequence[CellCounts]) -> Fit:
    """Fit strengths, seat effects and draw parameters of one family together."""
    layout = _Layout.of(cells)
    model = _Model(layout, cells)
    x, information = model.climb()
    inverse = np.linalg.inv(information)
    covariance = inverse @ model.scatter(x) @ inverse
    covariance = (covariance + covariance.T) / 2
    n = len(layout.engines)
    first_nu = len(x) - len(layout.rulebooks)
    ends = [*layout.seat_at[1:], first_nu]
    return Fit(
        layout.engines,
        layout.rulebooks,
        x[:n],
        tuple(x[low:high] for low, high in zip(layout.seat_at, ends, strict=True)),
        x[first_nu:],
        layout.seat_at,
        covariance,
    )


def probabilities(advantage: Floats, log_nu: Floats) -> tuple[Floats, Floats, Floats]:
    """Win, draw and loss of the first of two at a difference in log units."""
    logits = np.stack([advantage / 2, log_nu + 0 * advantage, -advantage / 2])
    weights = np.exp(logits - logits.max(axis=0))
    win, draw, loss = weights / weights.sum(axis=0)
    return win, draw, loss


def _difference(x: Floats, rows: Ints) -> Floats:
    """Strength and seat of the first of each comparison over those of the second."""
    found: Floats = x[rows[:, 0]] + x[rows[:, 1]] - x[rows[:, 2]] - x[rows[:, 3]]
    return found


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which parameter stands where: strengths, seat effects, draw parameters."""

    engines: tuple[str, ...]
    rulebooks: tuple[str, ...]
    seat_at: tuple[int, ...]
    size: int

    @classmethod
    def of(cls, cells: Sequence[CellCounts]) -> _Layout:
        engines = tuple(sorted({e for cell in cells for pair in cell.engines for e in pair}))
        seats = {cell.rulebook: cell.seats for cell in cells}
        rulebooks = tuple(sorted(seats))
        at, starts = len(engines), []
        for rulebook in rulebooks:
            starts.append(at)
            at += seats[rulebook]
        return cls(engines, rulebooks, tuple(starts), at + len(rulebooks))

    def design(self, cell: CellCounts) -> tuple[Ints, int]:
        """(K, 4) indices of what is added (engine, seat) and taken off, and that of nu."""
        engine = {name: i for i, name in enumerate(self.engines)}
        r = self.rulebooks.index(cell.rulebook)
        rows = [
            (engine[ea], self.seat_at[r] + a, engine[eb], self.seat_at[r] + b)
            for (ea, eb), (a, b) in zip(cell.engines, cell.pairs, strict=True)
        ]
        nu = self.size - len(self.rulebooks) + r
        return np.array(rows, dtype=np.int64).reshape(-1, 4), nu


class _Model:
    """The penalised likelihood. It is concave: a softmax, linear in the parameters."""

    def __init__(self, layout: _Layout, cells: Sequence[CellCounts]) -> None:
        self.layout = layout
        self.cells = cells
        designs = [layout.design(cell) for cell in cells]
        self.designs = designs
        self.rows = np.concatenate([rows for rows, _ in designs])
        self.nu = np.concatenate([np.full(len(rows), nu) for rows, nu in designs])
        self.wins = np.concatenate([cell.wins for cell in cells])
        self.draws = np.concatenate([cell.draws for cell in cells])
        self.losses = np.concatenate([cell.losses for cell in cells])
        self.total = self.wins + self.draws + self.losses
        # The prior: every engine and every seat has drawn one virtual game, counted as half
        # won and half lost, against a fixed zero; every rulebook has seen half a draw in one
        # game of equals (nu = 2). A perfect score then has a finite rating.
        self.centre = np.zeros(layout.size)
        self.centre[layout.size - len(layout.rulebooks) :] = math.log(2)

    def difference(self, x: Floats) -> Floats:
        return _difference(x, self.rows)

    def value(self, x: Floats) -> float:
        chances = probabilities(self.difference(x), x[self.nu])
        counts = (self.wins, self.draws, self.losses)
        found = sum(
            float((n * np.log(np.maximum(p, 1e-300))).sum())
            for n, p in zip(counts, chances, strict=True)
        )
        virtual = x - self.centre
        return found - float((np.logaddexp(0, virtual) + np.logaddexp(0, -virtual)).sum()) / 2

    def slope_and_information(self, x: Floats) -> tuple[Floats, Floats]:
        win, draw, loss = probabilities(self.difference(x), x[self.nu])
        n, lead = self.total, (win - loss) / 2
        slope_u = (self.wins - self.losses) / 2 - n * lead
        slope_nu = self.draws - n * draw
        uu = n * ((win + loss) / 4 - lead**2)
        un = -n * lead * draw
        nn = n * draw * (1 - draw)

        size = self.layout.size
        slope, information = np.zeros(size), np.zeros((size, size))
        sign = (1.0, 1.0, -1.0, -1.0)
        for i, s in enumerate(sign):
            np.add.at(slope, self.rows[:, i], s * slope_u)
            np.add.at(information, (self.rows[:, i], self.nu), s * un)
            np.add.at(information, (self.nu, self.rows[:, i]), s * un)
            for j, t in enumerate(sign):
                np.add.at(information, (self.rows[:, i], self.rows[:, j]), s * t * uu)
        np.add.at(slope, self.nu, slope_nu)
        np.add.at(information, (self.nu, self.nu), nn)

        high = 1 / (1 + np.exp(-(x - self.centre)))
        slope += 0.5 - high
        information[np.diag_indices(size)] += high * (1 - high)
        return slope, information

    def climb(self) -> tuple[Floats, Floats]:
        """The maximum by Newton's method with step halving, and the information there."""
        x = self.centre.copy()
        value = self.value(x)
        for _ in range(_ROUNDS):
            slope, information = self.slope_and_information(x)
            step = np.linalg.solve(information, slope)
            gain = float(slope @ step)
            if gain < _TOLERANCE:
                return x, information
            scale = 1.0
            while scale > 1e-9:
                trial = self.value(x + scale * step)
                if trial > value + 1e-4 * scale * gain:
                    break
                scale /= 2
            else:
                return x, information  # no better value in floating point
            x, value = x + scale * step, trial
        raise ArithmeticError("ratings: the fit did not settle; this is a defect of the program")

    def scatter(self, x: Floats) -> Floats:
        """Sum over blocks of the products of their scores, virtual games included.

        Without the virtual games a perfect score would have almost no error: its
        residuals vanish while nothing is known of how large the lead is.
        """
        found = np.zeros((self.layout.size, self.layout.size))
        for cell, (rows, nu) in zip(self.cells, self.designs, strict=True):
            used, local = np.unique(np.append(rows, nu), return_inverse=True)
            k = len(rows)
            # The score of a block is linear in its residuals: [win - loss, draw] - expected.
            to_score = np.zeros((2 * k, len(used)))
            at = local[:-1].reshape(k, 4)
            for i, s in enumerate((0.5, 0.5, -0.5, -0.5)):
                np.add.at(to_score, (np.arange(k), at[:, i]), s)
            to_score[k:, local[-1]] = 1
            win, draw, loss = probabilities(_difference(x, rows), x[np.full(k, nu)])
            expected = np.concatenate([win - loss, draw])
            seen, compared = cell.products[:, : 2 * k], cell.products[:, 2 * k :]
            both = np.concatenate([compared, compared], axis=1)
            residual = (
                seen[: 2 * k]
                - both[: 2 * k] * expected
                - (both[: 2 * k] * expected).T
                + np.tile(both[2 * k :], (2, 1)) * np.outer(expected, expected)
            )
            found[np.ix_(used, used)] += to_score.T @ residual @ to_score
        blocks = sum(cell.blocks for cell in self.cells)
        found *= blocks / max(1, blocks - 1)
        high = 1 / (1 + np.exp(-(x - self.centre)))
        found[np.diag_indices(len(x))] += (high**2 + (1 - high) ** 2) / 2
        return found
