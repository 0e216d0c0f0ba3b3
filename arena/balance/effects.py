"""What each rule setting does to a seat, a side or a measure: a regression over a sweep's grid.

Cells of one strength and one number of seats are compared. The model is additive: a cell's
mean is a base plus what each of its settings adds over that setting's first value, so that an
effect is the mean over the rest of the grid. Whether sums are enough is tested against the cells'
own means; where they are not, pairs of settings that matter together are shown, and nothing
is proposed that was not played.

Cells are fixed and blocks are the datum: errors are those of the cells' means by block. Sources:
G. E. P. Box, W. G. Hunter and J. S. Hunter, Statistics for Experimenters (factorial designs);
S. R. Searle, Linear Models (estimable functions).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from arena.balance.cells import is_mixed, known_measures
from arena.balance.multiple import holm
from arena.balance.parties import parties_of
from arena.balance.room import room_of
from arena.balance.search import Factor, Proposal, Reach, worth_a_try
from arena.balance.verdict import LEVEL, MARGIN
from arena.games import Names, RulesError
from arena.games import family as family_of
from arena.ledger.table import CellGames, GameTable
from arena.ratings.blocks import Interval, t_quantile, unseen_share

Floats = NDArray[np.float64]
Value = bool | int | str | None

_PROPOSALS = 3
_MOST_COMBINATIONS = 20_000


@dataclass(frozen=True, slots=True)
class Effect:
    """What one value of a setting adds to the seat's score, over the value it is held against."""

    setting: str
    """Several, joined by " + ", where the sweep only ever changed them together."""

    value: str
    against: str
    where: str
    """"" for the mean over the grid; "other = value" for an effect that depends on another."""

    effect: Interval
    """As a share of the points (0.018 is 1.8 %), or in the measure's own unit."""

    p_value: float
    """Of "no effect", adjusted over all effects of the table (Holm)."""


@dataclass(frozen=True, slots=True)
class EffectTable:
    """The effects of settings for one number of seats at one strength."""

    family: str
    seats: int
    level: str
    of: str
    """What is explained: "seat 0", the roles of a side ("dealer + partner"), or a measure."""

    even: float | None
    """The value at which nobody is ahead; None where the measure says nothing of that."""

    cells: int
    blocks: int
    effects: tuple[Effect, ...]
    additive: float
    """P-value of "sums are enough"; small: some settings matter together. NaN where every
    degree of freedom is used up."""

    closest: tuple[Proposal, ...]
    """Combinations closest to `even`, the best first, of values that were met."""

    search: tuple[Proposal, ...]
    """Combinations that were not played, numbers not met included: those that by the worst
    their intervals allow would be closest to `even`."""

    notes: tuple[Names, ...]


def effects(
    table: GameTable, seat: int | None = None, role: str | None = None, measure: str | None = None
) -> list[EffectTable]:
    """The effects of every group of cells in which some setting varies, in plan order.

    Explained is the score of a seat, of the side that a role is on, or a measure; of the first
    side, or without partners of seat 0, where none of them is given. Cells that mix seat and
    strength are left out, and of scores those in which strength hides the seats: a group of which no
    others are left has an empty table that says so. Raises ValueError for a seat, role or measure that no game has.
    """
    groups: dict[tuple[str, int, str, str], list[_Cell]] = {}
    parts = [part for part in table.by_cell() if not is_mixed(part) and len(part.block) > 1]
    hidden: Counter[tuple[str, int, str, str]] = Counter()
    for part in parts:
        chosen = _Chosen.of(part, table, seat, role, measure)
        if chosen is None:
            continue
        key = (part.cell.family, part.cell.seats, part.cell.level, chosen.name)
        own = groups.setdefault(key, [])
        if measure is None and room_of(part) <= MARGIN:
            hidden[key] += 1
        else:
            own.append(_Cell.of(part, chosen))
    if parts and not groups:
        raise ValueError(_nothing(parts, table, seat, role, measure))
    found = []
    for key, cells in groups.items():
        factors = _factors([cell.settings for cell in cells])
        if factors:
            found.append(_Grid(cells, factors).table(*key, hidden[key]))
        elif hidden[key] and hidden[key] + len(cells) > 1:  # one cell alone compares nothing
            blank = EffectTable(
                *key, None, 0, 0, (), math.nan, (), (), (_hidden_note(hidden[key]),)
            )
            found.append(blank)
    return found


def _hidden_note(cells: int) -> Names:
    return Names(
        f"cells left out: {cells} (one engine wins so nearly everything there that no seat can show "
        "what it is worth)",
        f"略去 {cells} 个单元（其中某引擎几乎全胜，看不出座位的价值）",
    )


def _nothing(
    parts: Sequence[CellGames],
    table: GameTable,
    seat: int | None,
    role: str | None,
    measure: str | None,
) -> str:
    if measure is not None:
        known = sorted({name for part in parts for name in part.measures})
        return f"measure '{measure}': there are {', '.join(known) or 'none'}"
    if role is not None:
        return f"role '{role}' has no side of its own: roles are {', '.join(table.role_names)}"
    last = max(part.cell.seats for part in parts) - 1
    return f"seat {seat}: the largest table here has seats 0 to {last}"


@dataclass(frozen=True, slots=True, eq=False)
class _Chosen:
    """What is explained of one cell: its block means."""

    name: str
    means: Floats
    even: float | None
    reach: float
    """Blocks of a kind not yet seen lie within this of the mean."""

    @classmethod
    def of(
        cls,
        part: CellGames,
        table: GameTable,
        seat: int | None,
        role: str | None,
        measure: str | None,
    ) -> _Chosen | None:
        if measure is not None:
            values = part.measures.get(measure)
            if values is None:
                return None
            there = ~np.isnan(values)
            counts = there.sum(axis=1)
            sums = np.where(there, values, 0.0).sum(axis=1)
            met = counts > 0
            known = known_measures(part.cell.family).get(measure)
            even = known.even if known is not None else None
            reach = float(np.abs(values[there]).max()) or 1.0
            means = sums[met] / counts[met]
            return cls(measure, means, even, reach) if len(means) > 1 else None
        parties = parties_of(part, table.role_names) if seat is None else None
        if parties is not None:
            at = next((i for i, own in enumerate(parties.roles) if role in (None, *own)), None)
            if at is None:
                return None
            _, by_party = parties.block_means()
            if len(by_party) < 2:
                return None
            return cls(" + ".join(parties.roles[at]), by_party[:, at], 0.5, 0.5)
        if role is not None:
            if role not in table.role_names:
                return None
            held = part.roles == table.role_names.index(role)
            counts = held.sum(axis=(1, 2))
            sums = (part.scores * held).sum(axis=(1, 2))
            met = counts > 0
            return cls(role, sums[met] / counts[met], 0.5, 0.5) if met.sum() > 1 else None
        own = seat or 0
        if own >= part.cell.seats:
            return None
        return cls(f"seat {own}", part.scores[:, :, own].mean(axis=1), 0.5, 0.5)


@dataclass(frozen=True, slots=True)
class _Cell:
    settings: Mapping[str, Value]
    blocks: int
    mean: float
    variance: float
    """Of the mean; no less than blocks of a kind not yet seen could still move it."""

    even: float | None

    @classmethod
    def of(cls, part: CellGames, chosen: _Chosen) -> _Cell:
        means, n = chosen.means, len(chosen.means)
        # As of the intervals of the tables: of scores half of the unseen share, at even scores.
        floor = (unseen_share(n) * chosen.reach / t_quantile(n - 1)) ** 2
        variance = max(float(means.var(ddof=1)) / n, floor)
        return cls(part.cell.settings, n, float(means.mean()), variance, chosen.even)


def _factors(settings: Sequence[Mapping[str, Value]]) -> list[Factor]:
    alike: dict[tuple[int, ...], list[str]] = {}
    texts: dict[str, list[str]] = {}
    for name in sorted({name for each in settings for name in each}):
        values = [_text(each.get(name)) for each in settings]
        order = list(dict.fromkeys(values))
        if len(order) > 1:
            alike.setdefault(tuple(map(order.index, values)), []).append(name)
            texts[name] = order
    found = []
    for at, names in alike.items():
        values = [" + ".join(each) for each in zip(*(texts[name] for name in names), strict=True)]
        found.append(Factor(" + ".join(names), tuple(values), at))
    return found


def _text(value: Value) -> str:
    return (
        str(value).lower() if isinstance(value, bool) else "none" if value is None else str(value)
    )


class _Grid:
    def __init__(self, cells: Sequence[_Cell], factors: Sequence[Factor]) -> None:
        self.cells, self.factors = cells, factors
        self.weights = np.array([cell.blocks for cell in cells], dtype=np.float64)
        self.means = np.array([cell.mean for cell in cells])
        self.variances = np.array([cell.variance for cell in cells])
        self.freedom = int(self.weights.sum()) - len(cells)
        self.choices = list(zip(*(f.at for f in factors), strict=True))
        self.base = np.array([self.row(choice) for choice in self.choices])

    def row(self, choice: Sequence[int]) -> list[float]:
        """The design of a combination: a base, and every value but the first of each factor."""
        found = [1.0]
        for factor, chosen in zip(self.factors, choice, strict=True):
            found += [float(chosen == value) for value in range(1, len(factor.values))]
        return found

    def column(self, factor: int, value: int) -> int:
        return 1 + sum(len(f.values) - 1 for f in self.factors[:factor]) + value - 1

    def table(self, family: str, seats: int, level: str, of: str, left_out: int) -> EffectTable:
        fitted = _Fitted(self, self.base)
        additive = fitted.lack_of_fit()
        rows: list[tuple[str, str, str, str, Interval, float]] = []
        unknown = []
        for f, factor in enumerate(self.factors):
            for v in range(1, len(factor.values)):
                contrast = np.zeros(self.base.shape[1])
                contrast[self.column(f, v)] = 1
                if fitted.knows(contrast):
                    interval, p = fitted.of(contrast)
                    rows.append((factor.name, factor.values[v], factor.values[0], "", interval, p))
                else:
                    unknown.append(f"{factor.name} = {factor.values[v]}")
        if additive <= LEVEL:
            rows += self.together()
        adjusted = holm([row[-1] for row in rows])
        found = [Effect(*row[:-1], p) for row, p in zip(rows, adjusted, strict=True)]
        # What depends on another setting is shown only where it is shown to.
        found = [e for e in found if not e.where or e.p_value <= LEVEL]
        return EffectTable(
            family=family,
            seats=seats,
            level=level,
            of=of,
            even=self.cells[0].even,
            cells=len(self.cells),
            blocks=int(self.weights.sum()),
            effects=tuple(found),
            additive=additive,
            closest=tuple(self.closest(fitted, sums_are_enough=not additive <= LEVEL)),
            search=tuple(self.search(family)) if not additive <= LEVEL else (),
            notes=tuple(self.notes(unknown, additive, left_out)),
        )

    def notes(self, unknown: Sequence[str], additive: float, left_out: int) -> Iterator[Names]:
        if left_out:
            yield _hidden_note(left_out)
        if unknown:
            which = ", ".join(unknown[:6]) + (" …" if len(unknown) > 6 else "")
            yield Names(
                f"{len(unknown)} values cannot be told apart from others in this sweep: {which}",
                f"本次循环中有 {len(unknown)} 个取值无法与其他取值区分：{which}",
            )
        if math.isnan(additive):
            yield Names(
                "no cell is left to test whether sums of effects are enough",
                "没有多余的单元可检验各影响能否相加",
            )
        elif additive <= LEVEL:
            yield Names(
                f"sums of effects are not enough (p = {additive:.2g}): settings matter together",
                f"各影响不能简单相加（p = {additive:.2g}）：设置之间互相影响",
            )

    def together(self) -> Iterator[tuple[str, str, str, str, Interval, float]]:
        """What a setting does at each value of another, for pairs that matter together."""
        tests = []
        for f, g in combinations(range(len(self.factors)), 2):
            design = np.concatenate([self.base, self.products(f, g)], axis=1)
            fitted = _Fitted(self, design)
            columns = np.eye(design.shape[1])[self.base.shape[1] :]
            known = [c for c in columns if fitted.knows(c)]
            if known:
                tests.append((fitted.joint(np.array(known)), f, g, fitted))
        for adjusted, (_, f, g, fitted) in zip(holm([t[0] for t in tests]), tests, strict=True):
            if adjusted > LEVEL:
                continue
            one, other = self.factors[f], self.factors[g]
            for v, w in product(range(1, len(one.values)), range(len(other.values))):
                contrast = np.zeros(fitted.design.shape[1])
                contrast[self.column(f, v)] = 1
                if w:
                    at = (v - 1) * (len(other.values) - 1) + w - 1
                    contrast[self.base.shape[1] + at] = 1
                if fitted.knows(contrast):
                    where = f"{other.name} = {other.values[w]}"
                    yield one.name, one.values[v], one.values[0], where, *fitted.of(contrast)

    def products(self, f: int, g: int) -> Floats:
        one, other = self.factors[f], self.factors[g]
        return np.stack(
            [
                self.base[:, self.column(f, v)] * self.base[:, self.column(g, w)]
                for v in range(1, len(one.values))
                for w in range(1, len(other.values))
            ],
            axis=1,
        )

    def closest(self, fitted: _Fitted, *, sums_are_enough: bool) -> list[Proposal]:
        """Combinations whose mean is closest to even: of all values met, or of those played."""
        even = self.cells[0].even
        if even is None:
            return []
        played = {choice: i for i, choice in enumerate(self.choices)}
        sizes = [len(factor.values) for factor in self.factors]
        choices: Sequence[tuple[int, ...]] = list(played)
        if sums_are_enough and math.prod(sizes) <= _MOST_COMBINATIONS:
            choices = list(product(*map(range, sizes)))
        found = []
        for choice in choices:
            if sums_are_enough:
                row = np.array(self.row(choice))
                if not fitted.knows(row):
                    continue
                score, _ = fitted.of(row)
            else:
                i = played[choice]
                half = t_quantile(self.cells[i].blocks - 1) * math.sqrt(self.variances[i])
                score = Interval(self.cells[i].mean, self.means[i] - half, self.means[i] + half)
            named = tuple(
                (factor.name, factor.values[v])
                for factor, v in zip(self.factors, choice, strict=True)
            )
            reach = Reach.PLAYED if choice in played else Reach.COMBINED
            found.append(Proposal(named, score, reach))
        found.sort(key=lambda p: (round(abs(p.score.value - even), 9), not p.played, p.settings))
        return found[:_PROPOSALS]

    def search(self, family_id: str) -> list[Proposal]:
        """Combinations not played that are worth a try."""
        even = self.cells[0].even
        if even is None:
            return []
        # By the names that stand in one line of the table: "a + b" stands for both.
        takes = _rules_of(family_id, self.cells[0].settings)
        return worth_a_try(self.factors, even, lambda design: _Fitted(self, design), takes)


def _rules_of(family_id: str, settings: Mapping[str, Value]) -> Callable[[Mapping[str, str]], bool]:
    """Whether a family's rules take changed settings; everything, of rules not known here."""
    from pydantic import ValidationError

    try:
        rules = family_of(family_id).rules
        rules.model_validate(settings, strict=False)
    except (RulesError, ValidationError):
        return lambda _: True

    def takes(changed: Mapping[str, str]) -> bool:
        new: dict[str, Value] = dict(settings)
        for names, values in changed.items():
            for name, value in zip(names.split(" + "), values.split(" + "), strict=True):
                new[name] = None if value == "none" else value
        try:
            rules.model_validate(new, strict=False)
        except ValidationError:
            return False
        return True

    return takes


class _Fitted:
    """Least squares by block over the cells' means, and the errors of what may be known."""

    def __init__(self, grid: _Grid, design: Floats) -> None:
        self.grid, self.design = grid, design
        root = np.sqrt(grid.weights)
        self.pinv = np.linalg.pinv(root[:, None] * design, rcond=1e-10) * root
        self.beta = self.pinv @ grid.means
        self.covariance = (self.pinv * grid.variances) @ self.pinv.T
        self.rank = int(np.linalg.matrix_rank(design, tol=1e-8))
        self.seen = np.linalg.pinv(design, rcond=1e-10) @ design

    def knows(self, contrast: Floats) -> bool:
        """Whether the cells tell this combination of parameters apart from all others."""
        return bool(np.abs(contrast @ self.seen - contrast).max() < 1e-6)

    def of(self, contrast: Floats) -> tuple[Interval, float]:
        """Estimate with its 95 % interval, and the p-value of 0."""
        from scipy.special import stdtr

        value = float(contrast @ self.beta)
        error = math.sqrt(max(1e-300, float(contrast @ self.covariance @ contrast)))
        half = t_quantile(self.grid.freedom) * error
        p = 2 * float(stdtr(self.grid.freedom, -abs(value) / error))
        return Interval(value, value - half, value + half), p

    def joint(self, contrasts: Floats) -> float:
        """P-value of "all of these are 0" (Wald)."""
        from scipy.special import chdtrc

        value = contrasts @ self.beta
        spread = contrasts @ self.covariance @ contrasts.T
        return float(chdtrc(len(contrasts), value @ np.linalg.pinv(spread) @ value))

    def lack_of_fit(self) -> float:
        """P-value of the cells' means lying on the model, NaN where nothing is left over."""
        from scipy.special import chdtrc

        left = len(self.grid.means) - self.rank
        if left < 1:
            return math.nan
        # Weighted by the cells' own errors, so that the residual is chi-square if it holds.
        root = 1 / np.sqrt(self.grid.variances)
        scaled = root[:, None] * self.design
        residual = root * self.grid.means
        residual = residual - scaled @ (np.linalg.pinv(scaled, rcond=1e-10) @ residual)
        return float(chdtrc(left, float(residual @ residual)))
