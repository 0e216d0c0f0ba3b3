"""Strengths with seat effects, fitted from counts, with errors clustered by setup.

Two seats win, draw and lose by one of the laws of `draw_laws`, at the difference of strength and
seat; more seats are taken pair by pair over their places (a composite likelihood). The fit reads
exact integer counts per (cell, engines, pair of seats), so that it costs the same for a
thousand games and for a million and cannot depend on the order of arrival. One more pass
over the games gives the errors: every line-up meets the same deals and openings under the
same rules, so what is independent is a *setup* (rules, block number) with all of its games.

Sources: Varin, Reid and Firth 2011 (composite likelihood and its
sandwich covariance); Coulom, BayesElo (virtual games as the prior).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import SuperLU

from arena.ratings.counts import CellCounts, compared_by, setups, union
from arena.ratings.design import FirstSeatTerms, Layout, Ties
from arena.ratings.draw_laws import DrawLaw
from arena.ratings.levels import Levels, Worths, compare

_ROUNDS = 200
_TOLERANCE = 1e-10
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates in natural log units, and their covariance clustered by setup."""

    law: DrawLaw
    layout: Layout
    x: Floats
    """(parameters,)."""

    covariance: Floats
    """(engines, engines) of the strengths."""

    first: Floats
    """(terms,) what seat 0 is worth over the mean of the others."""

    first_variance: Floats
    levels: Levels | None
    """How strengths differ in what seats are worth; None where they share one worth."""

    @property
    def engines(self) -> tuple[str, ...]:
        """By name."""
        return self.layout.engines

    @property
    def rulebooks(self) -> tuple[str, ...]:
        """By name."""
        return self.layout.rulebooks

    @property
    def strength(self) -> Floats:
        """(engines,)."""
        return self.x[: len(self.engines)]

    @property
    def draw(self) -> Floats:
        """(rulebooks,) the law's `t`."""
        return self.x[self.layout.draw_at :]

    def seat(self, term: int) -> Floats:
        """(seats,) what sitting there is worth."""
        return self.x[self.layout.seats(term)]


def fit(
    cells: Sequence[CellCounts],
    law: DrawLaw = DrawLaw.DAVIDSON,
    near: Sequence[tuple[str, str]] = (),
    variance: float = 1.0,
    terms: FirstSeatTerms = FirstSeatTerms.POOLED,
) -> Fit:
    """Fit strengths, seat effects and draw parameters of one family together.

    Beforehand the engines of each pair of `near` differ by a normal step of mean 0 and this
    variance, in natural log units. Where no rulebook was met at two strengths, terms for both are
    pooled ones.
    """
    levels = None
    if terms is FirstSeatTerms.BOTH:
        levels = fit(cells, law, near, variance, FirstSeatTerms.STRENGTH).levels
        if levels is None:
            terms = FirstSeatTerms.POOLED
    layout = Layout.of(cells, terms)
    model = _Model(layout, cells, law, _ties(layout, near, variance, levels))
    x, factors = model.climb()
    n = len(layout.engines)
    # Only some combinations of the parameters are asked for: the columns of `wanted`. With
    # them, and a sparse factor, a thousand rulebooks cost little more than one.
    wanted = np.zeros((layout.size, n + len(layout.terms)))
    wanted[np.arange(n), np.arange(n)] = 1
    for i in range(len(layout.terms)):
        own = layout.seats(i)
        wanted[own, n + i] = -1 / (own.stop - own.start - 1)
        wanted[own.start, n + i] = 1
    reach = factors.solve(wanted)
    spread: Floats = np.asarray(model.scatter(x) @ reach)
    covariance = reach[:, :n].T @ spread[:, :n]
    first = (wanted[:, n:] * x[:, None]).sum(axis=0)
    if terms is FirstSeatTerms.STRENGTH:
        worths = []
        for rulebook in layout.rulebooks:
            levels_at = layout.levels(rulebook)
            at = [n + level for level in levels_at]
            variances = (wanted[:, at] * reach[:, at]).sum(axis=0)
            errors = reach[:, at].T @ spread[:, at]
            worths.append(Worths(first[levels_at], errors, 1 / variances))
        levels = compare(worths, setups(cell.games for cell in cells))
    return Fit(
        law=law,
        layout=layout,
        x=x,
        covariance=(covariance + covariance.T) / 2,
        first=first,
        first_variance=(reach[:, n:] * spread[:, n:]).sum(axis=0),
        levels=levels,
    )


def _ties(
    layout: Layout, near: Sequence[tuple[str, str]], variance: float, levels: Levels | None
) -> Ties:
    both = layout.kind is FirstSeatTerms.BOTH
    return layout.ties(near, variance, levels.variance if both and levels else None)


def refits(
    cells: Sequence[CellCounts], found: Fit, rounds: int, rng: np.random.Generator
) -> Floats:
    """(rounds, engines) strengths fitted to results that the fitted model gives on the same schedule.

    Every comparison is drawn by itself: of two seats it is a game.
    """
    layout, x = found.layout, found.x
    model = _Model(layout, cells, found.law, _ties(layout, (), 1.0, found.levels))
    chances = found.law.chances(_difference(x, model.rows), x[model.draw]).T
    chances /= chances.sum(axis=1, keepdims=True)
    games = np.rint(model.counts.sum(axis=0)).astype(np.int64)
    fitted = []
    for _ in range(rounds):
        model.counts = rng.multinomial(games, chances).T.astype(np.float64)
        fitted.append(model.climb(x)[0][: len(found.engines)])
    return np.array(fitted)


def _difference(x: Floats, rows: Ints) -> Floats:
    """Strength and seat of the first of each comparison over those of the second."""
    found: Floats = x[rows[:, 0]] + x[rows[:, 1]] - x[rows[:, 2]] - x[rows[:, 3]]
    return found


class _Model:
    """The penalised likelihood. It is concave, see `draw_laws`."""

    def __init__(
        self,
        layout: Layout,
        cells: Sequence[CellCounts],
        law: DrawLaw,
        near: Ties,
    ) -> None:
        self.near = near
        self.layout = layout
        self.cells = cells
        self.law = law
        designs = layout.designs(cells)
        self.designs = designs
        self.rows = np.concatenate([rows for rows, _ in designs])
        self.draw = np.concatenate([np.full(len(rows), draw) for rows, draw in designs])
        self.counts = np.stack(
            [
                np.concatenate([cell.wins for cell in cells]),
                np.concatenate([cell.draws for cell in cells]),
                np.concatenate([cell.losses for cell in cells]),
            ]
        )
        # The prior: every engine and every seat has drawn one virtual game, counted as half
        # won and half lost, against a fixed zero; every rulebook has seen half a draw in one
        # game of equals. A perfect score then has a finite rating.
        self.virtual = layout.virtual()
        self.centre = np.zeros(layout.size)
        self.centre[layout.draw_at :] = law.centre

    def value(self, x: Floats) -> float:
        logs = self.law.log_chances(_difference(x, self.rows), x[self.draw])
        found = float((self.counts * np.where(self.counts > 0, logs, 0.0)).sum())
        away = x - self.centre
        found -= float(self.near.tight @ self.steps(x) ** 2) / 2
        return found - float(self.virtual @ (np.logaddexp(0, away) + np.logaddexp(0, -away))) / 2

    def steps(self, x: Floats) -> Floats:
        """(pairs of `near`,) how far each pair is apart."""
        found: Floats = x[self.near.other] - x[self.near.one]
        return found

    def ties(self) -> list[tuple[Ints, Ints, Floats]]:
        """What the pairs of `near` add to the information."""
        one, other, tight = self.near
        return [
            (one, one, tight),
            (other, other, tight),
            (one, other, -tight),
            (other, one, -tight),
        ]

    def slope_and_information(self, x: Floats) -> tuple[Floats, csc_array[np.float64]]:
        at = (_difference(x, self.rows), x[self.draw])
        by_u, by_t = (self.counts[:, None] * self.law.slopes(*at)).sum(axis=0)
        uu, ut, tt = -(self.counts[:, None] * self.law.bends(*at)).sum(axis=0)

        slope = np.zeros(self.layout.size)
        np.add.at(slope, self.draw, by_t)
        entries = [(self.draw, self.draw, tt)]
        sign = (1.0, 1.0, -1.0, -1.0)
        for i, s in enumerate(sign):
            row = self.rows[:, i]
            np.add.at(slope, row, s * by_u)
            entries += [(row, self.draw, s * ut), (self.draw, row, s * ut)]
            entries += [(row, self.rows[:, j], s * r * uu) for j, r in enumerate(sign)]
        high = 1 / (1 + np.exp(-(x - self.centre)))
        every = np.arange(self.layout.size)
        entries.append((every, every, self.virtual * high * (1 - high)))
        pull = self.near.tight * self.steps(x)
        np.add.at(slope, self.near.one, pull)
        np.add.at(slope, self.near.other, -pull)
        return slope + self.virtual * (0.5 - high), self.sparse([*entries, *self.ties()])

    def sparse(self, entries: Sequence[tuple[Ints, Ints, Floats]]) -> csc_array[np.float64]:
        """A matrix from (rows, columns, values) to be added up."""
        from scipy.sparse import coo_array

        rows, columns, values = (np.concatenate(part) for part in zip(*entries, strict=True))
        size = self.layout.size
        return coo_array((values, (rows, columns)), shape=(size, size)).tocsc()

    def climb(self, start: Floats | None = None) -> tuple[Floats, SuperLU]:
        """The maximum by Newton's method with step halving, and the information there, factored."""
        from scipy.sparse.linalg import splu

        x = self.centre.copy() if start is None else start
        value = self.value(x)
        for _ in range(_ROUNDS):
            slope, information = self.slope_and_information(x)
            factors = splu(information)
            step = factors.solve(slope)
            gain = float(slope @ step)
            if gain < _TOLERANCE:
                return x, factors
            scale = 1.0
            while scale > 1e-9:
                trial = self.value(x + scale * step)
                if trial > value + 1e-4 * scale * gain:
                    break
                scale /= 2
            else:
                return x, factors  # no better value in floating point
            x, value = x + scale * step, trial
        raise ArithmeticError("ratings: the fit did not settle; this is a defect of the program")

    def scatter(self, x: Floats) -> csc_array[np.float64]:
        """Sum over setups of the products of their scores, virtual games included.

        Without the virtual games a perfect score would have almost no error: its
        residuals vanish while nothing is known of how large the lead is.
        """
        by_rules: dict[str, list[int]] = {}
        for i, cell in enumerate(self.cells):
            by_rules.setdefault(cell.games.cell.rules_digest, []).append(i)
        independent = setups(cell.games for cell in self.cells)
        sample = independent / max(1, independent - 1)
        entries = []
        for members in by_rules.values():
            used, products = self.products(x, members)
            rows, columns = np.meshgrid(used, used, indexing="ij")
            entries.append((rows.ravel(), columns.ravel(), sample * products.ravel()))
        high = 1 / (1 + np.exp(-(x - self.centre)))
        every = np.arange(self.layout.size)
        entries.append((every, every, self.virtual * (high**2 + (1 - high) ** 2) / 2))
        # The steps are as unsure as the prior says: of a right model, its own information.
        return self.sparse([*entries, *self.ties()])

    def products(self, x: Floats, members: Sequence[int]) -> tuple[Ints, Floats]:
        """Of the cells of one set of rules: the parameters used, and the sum over setups."""
        rows = np.concatenate([self.designs[m][0] for m in members])
        sizes = [len(self.designs[m][0]) for m in members]
        draw = np.repeat([self.designs[m][1] for m in members], sizes)
        used = np.unique(np.concatenate([rows.ravel(), draw]))
        scorer = _Scorer(
            slopes=self.law.slopes(_difference(x, rows), x[draw]),
            columns=np.searchsorted(used, np.column_stack([rows, draw])),
            width=len(used),
        )
        first = np.cumsum([0, *sizes[:-1]]).tolist()
        cells = [self.cells[m] for m in members]
        alike: dict[tuple[int, ...], list[tuple[CellCounts, int]]] = {}
        for cell, at in zip(cells, first, strict=True):
            alike.setdefault(cell.games.places.shape[1:], []).append((cell, at))
        blocks = union([cell.games.block for cell in cells])
        found = np.zeros((len(used), len(used)))
        at_once = max(256, _HELD // max(len(used), 5 * max(len(cell.made) for cell in cells)))
        step = max(256, _ONE_THREAD // len(used) ** 2)
        for start in range(0, len(blocks), at_once):
            some = blocks[start : start + at_once]
            scores = np.zeros((len(some), len(used)))
            for group in alike.values():
                scorer.add(group, some, scores)
            for low in range(0, len(some), step):
                part = scores[low : low + step]
                found += part.T @ part
        return used, found


_ONE_THREAD = 200_000
"""Multiplications in a matrix product that OpenBLAS does not split. Where other programs
share the cores, its threads wait for each other a hundred times longer than they work."""

_HELD = 10_000_000
"""Numbers of a matrix held at once."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scorer:
    """The scores (slopes of the likelihood) of setups at the estimate."""

    slopes: Floats
    """(3, 2, comparisons) of the law."""

    columns: Ints
    """(comparisons, 5): where the two engines and seats and the draw parameter stand."""

    width: int

    def add(self, group: Sequence[tuple[CellCounts, int]], blocks: Ints, scores: Floats) -> None:
        """Add the part of cells of one shape to the (blocks, parameters) scores of some blocks.

        With each cell comes the number of its first comparison. Hundreds of small cells are
        taken together.
        """
        waiting: list[tuple[CellCounts, int, slice]] = []
        held = 0
        for cell, first in group:
            own = cell.games.block
            low, high = 0, len(own)
            if own[0] < blocks[0] or own[-1] > blocks[-1]:
                low, high = np.searchsorted(own, (blocks[0], blocks[-1] + 1)).tolist()
            waiting.append((cell, first, slice(low, high)))
            held += (high - low) * len(cell.made)
            if 5 * held > _HELD:
                self._add(waiting, blocks, scores)
                waiting, held = [], 0
        if held:
            self._add(waiting, blocks, scores)

    def _add(
        self, parts: Sequence[tuple[CellCounts, int, slice]], blocks: Ints, scores: Floats
    ) -> None:
        places = np.concatenate([cell.games.places[part] for cell, _, part in parts])
        sides = np.concatenate([cell.games.sides[part] for cell, _, part in parts])
        own = np.concatenate([cell.games.block[part] for cell, _, part in parts])
        first = np.array([first for _, first, _ in parts])
        made = np.repeat(
            np.stack([cell.made for cell, _, _ in parts]) + first[:, None],
            [part.stop - part.start for _, _, part in parts],
            axis=0,
        )
        compared, order = compared_by(places, sides)
        there = compared.reshape(made.shape)
        setup = np.broadcast_to(np.searchsorted(blocks, own)[:, None], made.shape)[there]
        made = made[there]
        # 0 where the first won, 1 for a draw, 2 where it lost.
        outcome = (1 - order.reshape(there.shape)[there]).astype(np.int64)
        by_u, by_t = self.slopes[outcome, :, made].T
        base = setup * self.width
        weights = (by_u, by_u, -by_u, -by_u, by_t)
        for column, weight in zip(self.columns[made].T, weights, strict=True):
            more = np.bincount(base + column, weight, minlength=scores.size)
            scores += more.reshape(scores.shape)
