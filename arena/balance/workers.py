"""Whether the results of some worker, or machine, differ from those of the others on the same plan.

Workers get blocks of every cell without choosing, so that their block scores should differ
by chance only, and nobody's engines should lose on time more often than elsewhere. A worker
that stands out is named with the blocks it touched; voiding them (`Ledger.void`) or playing them
again (`Ledger.replay`) is a decision of people, with a reason that the report lists. Machines are
judged in the same way, by all the workers that ran on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

from arena._core import Termination
from arena.balance.multiple import holm
from arena.balance.verdict import LEVEL
from arena.ledger.result import GameResult, host_of

_FAULTS = frozenset(
    {
        Termination.timeout,
        Termination.disconnect,
        Termination.crash,
        Termination.illegal_move,
        Termination.protocol_error,
        Termination.interrupted,
    }
)
_LEAST_EXPECTED = 5.0
"""Cells of a chi-square test with less expected are pooled."""


_LEAST_HALF = 10
"""Blocks of a half below which nothing is said of drift."""

_LEAST_BLOCKS = 5
"""Blocks of a cell, a worker's and the others', below which their means are not compared."""

_TESTS = 4
"""That tell an outlier: of faults, losses on time, results and block scores."""


@dataclass(frozen=True, slots=True)
class WorkerQuality:
    """One worker, or one machine, against the rest."""

    worker: str
    """Its name; of a machine, the name of the host."""

    games: int
    faults: int
    """Games that a fault ended: time, crash, disconnect, illegal move, protocol."""

    faults_expected: float
    """From the share of all workers, cell by cell."""

    faults_p: float
    """Adjusted (Holm over all workers) p-value of "no more faults than expected"."""

    results_p: float
    """Adjusted p-value of "results like those of the others" (chi-square by cell and score
    of seat 0, games without faults); 1 where there is too little to compare."""

    residual: float
    """By how many of its own standard errors its mean block scores miss those of all, cell by
    cell: the root of the mean square, 1 by chance; NaN where there is too little to compare."""

    residual_p: float
    """Adjusted p-value of "block scores like those of the others". The block is the datum, so that
    openings which decide most games do not feign a difference."""

    time_losses: int
    """Games lost on time, of the faults."""

    time_losses_expected: float
    time_losses_p: float
    """As `faults_p`, of losses on time alone."""

    seconds_ratio: float
    """Wall time over that of all workers at the same cells; NaN without any."""

    drift: float
    """Wall time of a game in the later half of its blocks over that in the earlier half; 1 with
    too little to compare. Blocks are played about in the order of the plan."""

    drift_p: float
    """Adjusted p-value of "no drift" (Welch's t on the logarithms of the blocks' times)."""

    outlier: bool
    """Some test of faults, losses on time, results or block scores under 5 % for all four together."""

    blocks: tuple[tuple[str, int], ...]
    """(Cell id, block) of every block it played a game of; empty unless an outlier."""


@dataclass(slots=True)
class _Counts:
    games: int = 0
    faults: int = 0
    time_losses: int = 0
    seconds: float = 0.0
    scores: dict[float, int] = field(default_factory=dict)

    def add(self, result: GameResult) -> None:
        self.games += 1
        self.seconds += result.seconds
        if result.termination in _FAULTS:
            self.faults += 1
            self.time_losses += result.termination is Termination.timeout
        else:
            score = result.scores[0]
            self.scores[score] = self.scores.get(score, 0) + 1


@dataclass(frozen=True, slots=True)
class Quality:
    """Everybody who played, by name."""

    workers: list[WorkerQuality]
    hosts: list[WorkerQuality]
    """Machines whose names the workers' tell (`worker-3@host`)."""


def quality(results: Iterable[GameResult]) -> Quality:
    """Judge the workers, and the machines, of a sweep's results. One pass over the results.

    Only cells and permutations that several played are compared. The results' chi-square takes
    the games of a block apart, as if independent: where openings decide most games it is a
    little too ready to suspect. The test of block scores is not.
    """
    workers, hosts = _Tally(), _Tally()
    for result in results:
        workers.add(result.worker, result)
        if host := host_of(result.worker):
            hosts.add(host, result)
    return Quality(workers.judge(), hosts.judge())


Block = tuple[str, int]
"""Cell id and block."""


@dataclass(slots=True)
class _Block:
    """What one worker played of a block."""

    games: int = 0
    faults: int = 0
    seconds: float = 0.0
    score: float = 0.0


@dataclass(slots=True)
class _Tally:
    every: dict[tuple[str, int], _Counts] = field(default_factory=dict)
    """By cell and permutation."""

    own: dict[str, dict[tuple[str, int], _Counts]] = field(default_factory=dict)
    blocks: dict[str, dict[Block, _Block]] = field(default_factory=dict)

    def add(self, name: str, result: GameResult) -> None:
        key = (result.cell_id, result.permutation)
        self.every.setdefault(key, _Counts()).add(result)
        self.own.setdefault(name, {}).setdefault(key, _Counts()).add(result)
        block = self.blocks.setdefault(name, {}).setdefault(
            (result.cell_id, result.block), _Block()
        )
        block.games += 1
        block.faults += result.termination in _FAULTS
        block.seconds += result.seconds
        block.score += _score(result)

    def judge(self) -> list[WorkerQuality]:
        own, every = self.own, self.every
        names = sorted(own)
        faults = [_fault_test(own[name], every, "faults") for name in names]
        late = [_fault_test(own[name], every, "time_losses") for name in names]
        residuals = _residual_tests([self.blocks[name] for name in names])
        drifts = [_drift(self.blocks[name]) for name in names]
        fault_p, late_p, residual_p, drift_p = (
            holm([p for _, p in tests]) for tests in (faults, late, residuals, drifts)
        )
        result_p = holm([_result_test(own[name], every) for name in names])
        found = []
        for i, name in enumerate(names):
            least = min(fault_p[i], late_p[i], result_p[i], residual_p[i])
            outlier = _TESTS * least <= LEVEL
            expected = sum(
                n.games * every[key].seconds / every[key].games for key, n in own[name].items()
            )
            seconds = sum(n.seconds for n in own[name].values())
            found.append(
                WorkerQuality(
                    worker=name,
                    games=sum(n.games for n in own[name].values()),
                    faults=sum(n.faults for n in own[name].values()),
                    faults_expected=faults[i][0],
                    faults_p=fault_p[i],
                    results_p=result_p[i],
                    residual=residuals[i][0],
                    residual_p=residual_p[i],
                    time_losses=sum(n.time_losses for n in own[name].values()),
                    time_losses_expected=late[i][0],
                    time_losses_p=late_p[i],
                    seconds_ratio=seconds / expected if expected else math.nan,
                    drift=drifts[i][0],
                    drift_p=drift_p[i],
                    outlier=outlier,
                    blocks=tuple(sorted(self.blocks[name])) if outlier else (),
                )
            )
        return found


def _score(result: GameResult) -> float:
    """What the first engine by name scored; in self-play, seat 0."""
    first = min(result.engines)
    if max(result.engines) == first:
        return result.scores[0]
    own = [s for s, who in zip(result.scores, result.engines, strict=True) if who == first]
    return sum(own) / len(own)


def _fault_test(
    own: dict[tuple[str, int], _Counts], every: dict[tuple[str, int], _Counts], what: str
) -> tuple[float, float]:
    """Faults (or losses on time) expected, and the p-value of as many as there are (Mantel and Haenszel).

    Given a cell's faults, those of one worker are drawn without replacement.
    """
    from scipy.special import ndtr

    seen = expected = variance = 0.0
    for key, mine in own.items():
        total, faults = every[key].games, getattr(every[key], what)
        if total < 2 or total == mine.games:
            continue
        seen += getattr(mine, what)
        mean = mine.games * faults / total
        expected += mean
        variance += mean * (1 - faults / total) * (total - mine.games) / (total - 1)
    if variance <= 0:
        return expected, 1.0
    # Half a fault less: the counts are whole numbers.
    return expected, float(ndtr(-(seen - 0.5 - expected) / math.sqrt(variance)))


def _result_test(
    own: dict[tuple[str, int], _Counts], every: dict[tuple[str, int], _Counts]
) -> float:
    """Chi-square of this worker's results against all others', cell by cell."""
    from scipy.special import chdtrc

    statistic, freedom = 0.0, 0
    for key, mine in own.items():
        n = sum(mine.scores.values())
        rest = {s: c - mine.scores.get(s, 0) for s, c in every[key].scores.items()}
        m = sum(rest.values())
        if not n or not m:
            continue
        share = n / (n + m)
        pools: list[tuple[int, int]] = [(0, 0)]
        for score in sorted(every[key].scores):
            a, b = pools[-1]
            pools[-1] = (a + mine.scores.get(score, 0), b + rest[score])
            if min(share, 1 - share) * sum(pools[-1]) >= _LEAST_EXPECTED:
                pools.append((0, 0))
        leftover = pools.pop()
        if pools:
            pools[-1] = (pools[-1][0] + leftover[0], pools[-1][1] + leftover[1])
        if len(pools) > 1:
            statistic += sum(
                (a - share * (a + b)) ** 2 / (share * (1 - share) * (a + b)) for a, b in pools
            )
            freedom += len(pools) - 1
    return float(chdtrc(freedom, statistic)) if freedom else 1.0


def _residual_tests(workers: Sequence[Mapping[Block, _Block]]) -> list[tuple[float, float]]:
    """How far the mean block scores of each are off those of all, and the p-value of "not at all".

    Given a cell's blocks, those of one worker are drawn without replacement. Blocks that a fault
    spoiled, or that several played, are left out.
    """
    from scipy.special import chdtrc

    size: dict[str, int] = {}
    for played in workers:
        for (cell, _), block in played.items():
            size[cell] = max(size.get(cell, 0), block.games)
    scores: list[dict[str, list[float]]] = []
    every: dict[str, list[float]] = {}
    for played in workers:
        own: dict[str, list[float]] = {}
        for (cell, _), block in played.items():
            if block.games == size[cell] and not block.faults:
                own.setdefault(cell, []).append(block.score / block.games)
                every.setdefault(cell, []).append(block.score / block.games)
        scores.append(own)
    known = {cell: (len(x), fsum(x) / len(x)) for cell, x in every.items()}
    spread = {cell: fsum((x - known[cell][1]) ** 2 for x in own) for cell, own in every.items()}
    found = []
    for own in scores:
        statistic, freedom = 0.0, 0
        for cell, mine in own.items():
            (total, mean), n = known[cell], len(mine)
            if min(n, total - n) < _LEAST_BLOCKS or spread[cell] < 1e-9:
                continue
            variance = n * (total - n) / total * spread[cell] / (total - 1)
            statistic += (fsum(mine) - n * mean) ** 2 / variance
            freedom += 1
        found.append(
            (math.sqrt(statistic / freedom), float(chdtrc(freedom, statistic)))
            if freedom
            else (math.nan, 1.0)
        )
    return found


def _drift(played: Mapping[Block, _Block]) -> tuple[float, float]:
    """How much longer the later blocks took than the earlier ones, and the p-value of "as long".

    Cell by cell, so that a cell of long games that comes late is no drift.
    """
    from scipy.special import stdtr

    cells: dict[str, list[tuple[int, float]]] = {}
    for (cell, number), block in played.items():
        if block.seconds > 0:
            cells.setdefault(cell, []).append((number, math.log(block.seconds / block.games)))
    early: list[float] = []
    later: list[float] = []
    for times in cells.values():
        times.sort()
        half = len(times) // 2
        mean = sum(log for _, log in times) / len(times)
        early += [log - mean for _, log in times[:half]]
        later += [log - mean for _, log in times[len(times) - half :]]
    n = len(early)
    if n < _LEAST_HALF:
        return 1.0, 1.0
    one, two = sum(early) / n, sum(later) / n
    squares = sum((x - one) ** 2 for x in early) + sum((x - two) ** 2 for x in later)
    error = math.sqrt(squares / (n - 1) / n)
    if error < 1e-12:
        return math.exp(two - one), 1.0 if abs(two - one) < 1e-9 else 0.0
    return math.exp(two - one), 2 * float(stdtr(2 * n - 2, -abs(two - one) / error))
