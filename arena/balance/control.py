"""Control variates: what a deal's cards say beforehand is taken off what its block scored.

A deal that hands one seat all jokers says more of the cards than of the rules. Numbers of the
deal (who holds how many high cards) are known before a card is played, and so is their mean over
all deals, from deals that nobody plays. A block's value less what such numbers predict, over what
they predict of the mean deal, has the same expectation and less spread. The prediction for a block
is fitted on other blocks only, so that the block's own luck is in none of its coefficients: the
mean stays unbiased, whatever the numbers are worth.

Sources: S. S. Lavenberg and P. D. Welch, Management Science 27 (1981): control variates;
A. N. Avramidis and J. R. Wilson, Operations Research 41 (1993): splitting.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.balance.choices import NotDrawn, draws_of
from arena.balance.deals import FEATURES
from arena.balance.parties import parties_of
from arena.games import Names
from arena.games.registry import game_from_rules
from arena.ledger.result import GameResult
from arena.ledger.rows import SweepRow
from arena.ledger.table import CellGames, GameTable
from arena.plan.plan import seed_of
from arena.ratings.blocks import Interval, Z, bounded_interval, t_quantile, unseen_share

Floats = NDArray[np.float64]

_FOLDS = 10
_LEAST = 50
"""Blocks below which coefficients are too rough to gain anything."""

_FRESH = 5_000
"""Deals that nobody plays, for the mean of the numbers over all deals."""

_FRESH_SEED = 0x0DEA1
_RIDGE = 1.0
"""Blocks' worth of pull towards no prediction, so that numbers that add up do no harm."""


@dataclass(frozen=True, slots=True)
class Controlled:
    """A mean with and without the luck of the deal."""

    rulebook: str
    level: str
    of: str
    """The roles of the first party or "seat 0" in self-play, else the first engine."""

    blocks: int
    plain: Interval
    """Mean of the block values; 95 %."""

    controlled: Interval
    """The same mean, less what the deals predict; 95 %."""

    gain: Interval
    """Variance before over after: so many times the blocks would be needed. Jackknife by block."""

    moves: int = 0
    """Moves that were drawn by chances that their engines sent: their luck is taken off as well."""

    note: Names | None = None
    """Why the chances that engines sent were not believed, if so."""


def control(
    values: Floats, numbers: Floats, fresh: Floats, fair: Floats | None = None
) -> tuple[Interval, Interval]:
    """The mean of (n,) block values in [0, 1], and the gain, from (n, k) numbers of their deals.

    `fresh` are (m, k) numbers of other deals; `fair` are (n, j) further numbers of the blocks, of
    mean 0 whatever happens (see `arena.balance.choices`). Raises ValueError for fewer than 50 blocks.
    """
    n = len(values)
    if n < _LEAST:
        raise ValueError(f"{n} blocks: control variates take {_LEAST} or more")
    spread = fresh.std(axis=0)
    varied = spread > 1e-12
    unit = (numbers[:, varied] - fresh[:, varied].mean(axis=0)) / spread[varied]
    dealt = unit.shape[1]
    if fair is not None:
        wide = np.sqrt((fair**2).mean(axis=0))
        unit = np.concatenate([unit, fair[:, wide > 1e-12] / wide[wide > 1e-12]], axis=1)
    # Every tenth block: whatever drifts along the plan is in all folds alike.
    fold = np.arange(n) % _FOLDS
    adjusted, mean_slope = values.copy(), np.zeros(unit.shape[1])
    for k in range(_FOLDS):
        others = fold != k
        x = unit[others] - unit[others].mean(axis=0)
        y = values[others] - values[others].mean()
        slope = np.linalg.solve(x.T @ x + _RIDGE * np.eye(x.shape[1]), x.T @ y)
        adjusted[fold == k] -= unit[fold == k] @ slope
        mean_slope += slope / _FOLDS
    mean = float(adjusted.mean())
    # The mean over all deals is itself estimated, from the fresh ones.
    fresh_unit = (fresh[:, varied] - fresh[:, varied].mean(axis=0)) / spread[varied]
    rough = float((fresh_unit @ mean_slope[:dealt]).var()) / len(fresh)
    half = t_quantile(n - 1) * math.sqrt(float(adjusted.var(ddof=1)) / n + rough)
    unseen, inside = unseen_share(n), min(1.0, max(0.0, mean))
    interval = Interval(
        mean,
        max(0.0, min(mean - half, mean - inside * unseen)),
        min(1.0, max(mean + half, mean + (1 - inside) * unseen)),
    )
    return interval, _gain(values, adjusted)


def _gain(values: Floats, adjusted: Floats) -> Interval:
    """Ratio of variances; the jackknife on its logarithm."""
    n = len(values)
    before, after = float(values.var(ddof=1)), float(adjusted.var(ddof=1))
    if before <= 1e-15 or after <= 1e-15:
        return Interval(1.0, 0.0, math.inf)

    def without_one(x: Floats) -> Floats:
        away = x - x.mean()
        left: Floats = (float(away @ away) - away**2 * n / (n - 1)) / (n - 2)
        return left

    logs = np.log(without_one(values) / without_one(adjusted))
    error = math.sqrt((n - 1) / n * float(((logs - logs.mean()) ** 2).sum()))
    value = before / after
    return Interval(value, value * math.exp(-Z * error), value * math.exp(Z * error))


def controlled(
    table: GameTable, sweep: SweepRow, drawn: Iterable[GameResult] = ()
) -> list[Controlled]:
    """Every cell of a sweep whose game has numbers of its deals, with 50 blocks or more.

    The deals follow from the sweep's seed; `drawn` are results with the chances that engines sent
    (`Ledger.drawn`), whose luck is taken off too. Cells in which some game ended before its parties
    were known, or that were stopped by their result, are left out. In plan order.
    """
    found = []
    fresh: dict[str, Floats] = {}
    sent: dict[str, list[GameResult]] = {}
    for result in drawn:
        sent.setdefault(result.cell_id, []).append(result)
    for part in table.by_cell():
        numbers_of = FEATURES.get(part.cell.family)
        if numbers_of is None or part.cell.stop or len(part.block) < _LEAST:
            continue
        chosen = _values(part, table)
        if chosen is None:
            continue
        name, values = chosen
        digest = part.cell.rules_digest
        deal = _dealer(part, numbers_of)
        if digest not in fresh:
            fresh[digest] = np.array([deal(seed_of(_FRESH_SEED, digest, i)) for i in range(_FRESH)])
        numbers = np.array([deal(seed_of(sweep.seed, digest, int(b))) for b in part.block])
        fair, moves, note = _fair(part, table, sent.get(part.cell.cell_id, ()))
        mean, gain = control(values, numbers, fresh[digest], fair)
        found.append(
            Controlled(
                part.cell.rulebook,
                part.cell.level,
                name,
                len(values),
                bounded_interval(values),
                mean,
                gain,
                moves,
                note,
            )
        )
    return found


def _fair(
    part: CellGames, table: GameTable, results: Sequence[GameResult]
) -> tuple[Floats | None, int, Names | None]:
    """Of each block the luck of what was drawn in it, for whom the values are about."""
    try:
        draws = draws_of(results)
    except NotDrawn as error:
        return None, 0, error.why
    if not draws.luck:
        return None, 0, None
    width = len(next(iter(draws.luck.values())))
    found = np.zeros((len(part.block), width))
    at = {block: i for i, block in enumerate(part.block.tolist())}
    lineup = part.cell.lineup
    own = [[who == lineup[0] for who in seating] for seating in part.cell.seatings]
    chairs = sum(map(sum, own))
    for result in results:
        luck = draws.luck.get(result.game_id)
        if luck is None or result.block not in at:
            continue
        # The first party's luck is the misfortune of the others.
        first = result.sides[result.roles.index(_FIRST[part.cell.family])]
        signs = [1.0 if side == first else -1.0 for side in result.sides]
        if len(set(lineup)) == 1:
            share = 1 / len(part.cell.seatings)
        else:
            mine = own[result.permutation]
            share = sum(s for s, is_mine in zip(signs, mine, strict=True) if is_mine) / chairs
        found[at[result.block]] += share * luck
    return found, draws.moves, None


_FIRST = {"doudizhu": "landlord"}
"""Whose numbers those of `arena.balance.choices` are."""


def _dealer(
    part: CellGames, numbers_of: Callable[[Mapping[str, str]], list[float]]
) -> Callable[[int], list[float]]:
    game = game_from_rules(part.cell.rulebook.partition("[")[0], part.cell.settings)

    def deal(seed: int) -> list[float]:
        words = game.new_state(seed=seed).setup().split(" ")
        return numbers_of(dict(word.split("=", 1) for word in words))

    return deal


def _values(part: CellGames, table: GameTable) -> tuple[str, Floats] | None:
    lineup = part.cell.lineup
    if len(set(lineup)) > 1:
        chairs = np.array([[who == lineup[0] for who in seating] for seating in part.cell.seatings])
        means: Floats = part.scores[:, chairs].mean(axis=1)
        return lineup[0], means
    parties = parties_of(part, table.role_names)
    if parties is None:
        return "seat 0", part.scores[:, :, 0].mean(axis=1)
    whole, by_party = parties.block_means()
    # To leave blocks out for how they went would be a choice of deals.
    return (" + ".join(parties.roles[0]), by_party[:, 0]) if whole.all() else None
