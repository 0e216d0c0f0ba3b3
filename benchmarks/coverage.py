"""Do 95 % intervals hold the truth 95 times in 100, and do tests err as seldom as they say?

    python -m benchmarks.coverage [--sweeps 2000] [--only WORD]

Each case plays synthetic sweeps whose truth is known, with fixed seeds, and counts. Numbers of
sweeps are scaled by case: fits are slower than means. A figure is shown with the standard
error of the count itself; a bar is missed only beyond two of them.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from arena.balance.control import control
from arena.balance.verdict import Balance, Correction, SeatMeans, verdicts
from arena.ledger import CellRow, GameTable
from arena.ratings import FirstSeatTerms, leaderboard
from arena.ratings.anytime import confidence_sequence
from arena.ratings.blocks import ELO, Z, bounded_interval, ratio_interval
from arena.ratings.choice import Effects, strengths
from benchmarks.counting import Count, holds
from benchmarks.stops import pentanomial, sequential, sequential_errors, sequential_tables

Floats = NDArray[np.float64]
Rng = np.random.Generator


# --- means by block ------------------------------------------------------------------------


def pairs(rng: Rng, blocks: int, lead: float, opening: float) -> Floats:
    """(blocks, 2) scores of an engine as first and as second, openings leaning either way."""
    luck = rng.normal(0, opening, blocks)
    chance = 1 / (1 + np.exp(-np.stack([lead + luck, lead - luck], axis=1) / ELO))
    draw = 0.3 * 4 * chance * (1 - chance)
    u = rng.random((blocks, 2))
    scores: Floats = np.where(u < chance - draw / 2, 1.0, np.where(u < chance + draw / 2, 0.5, 0.0))
    return scores


def duels(sweeps: int) -> Iterator[Count]:
    for lead, opening, blocks in ((0, 400, 200), (60, 0, 200), (60, 400, 25), (0, 400, 2000)):
        truth = float(pairs(np.random.default_rng(99), 2_000_000, lead, opening).mean())
        rng = np.random.default_rng([1, blocks, lead])
        block = sum(
            holds(bounded_interval(pairs(rng, blocks, lead, opening).mean(axis=1)), truth)
            for _ in range(sweeps)
        )
        what = f"duel, {blocks} pairs, lead {lead}, openings ± {opening} Elo: score"
        yield Count(what, block, sweeps, 0.94, 0.96)
    # What a seat is worth: the opening helps the same seat in both games of a pair.
    rng, naive, block = np.random.default_rng(2), 0, 0
    for _ in range(sweeps):
        scores = pairs(rng, 100, 0, 400)
        seat = np.stack([scores[:, 0], 1 - scores[:, 1]], axis=1)
        half = Z * seat.std() / math.sqrt(seat.size)
        naive += abs(float(seat.mean()) - 0.5) <= half
        block += holds(bounded_interval(seat.mean(axis=1)), 0.5)
    yield Count("the same, first seat, by block", block, sweeps, 0.94, 0.96)
    yield Count("the same, first seat, naive by game (must fail)", naive, sweeps, 0.0, 0.9)


def tables_of_four(sweeps: int) -> Iterator[Count]:
    """First places of seat 0 at tables of four equals that share a deal."""

    def first(rng: Rng, blocks: int) -> Floats:
        deal = rng.normal(0, 1, (blocks, 1, 4)) + np.array([0.3, 0, 0, 0])
        order = (deal + rng.gumbel(size=(blocks, 4, 4))).argmax(axis=2)
        won: Floats = (order == 0).mean(axis=1)
        return won

    truth = float(first(np.random.default_rng(99), 250_000).mean())
    for blocks in (30, 300):
        rng = np.random.default_rng([3, blocks])
        found = sum(holds(bounded_interval(first(rng, blocks)), truth) for _ in range(sweeps))
        yield Count(f"table of four, {blocks} blocks: wins of a seat", found, sweeps, 0.94, 0.96)


def roles(sweeps: int) -> Iterator[Count]:
    """Landlord's share where bidding leaves some deals without one: a ratio over blocks."""

    def deals(rng: Rng, blocks: int) -> tuple[Floats, Floats]:
        deal = rng.normal(0, 1, blocks)
        played = (rng.random((blocks, 3)) < 0.8).astype(np.float64)
        won = rng.random((blocks, 3)) < 1 / (1 + np.exp(-(deal[:, None] + 0.3)))
        return (played * won).sum(axis=1), played.sum(axis=1)

    won, played = deals(np.random.default_rng(98), 1_000_000)
    truth = float(won.sum() / played.sum())
    for blocks in (40, 400):
        rng = np.random.default_rng([4, blocks])
        found = sum(holds(ratio_interval(*deals(rng, blocks)), truth) for _ in range(sweeps))
        yield Count(f"one against two, {blocks} blocks: landlord", found, sweeps, 0.94, 0.96)


def nearly_perfect(sweeps: int) -> Iterator[Count]:
    """Most sweeps see no loss at all: the interval must be wide, not right on average."""
    for share, blocks in ((0.99, 50), (0.999, 100)):
        rng = np.random.default_rng([5, blocks])
        found = sum(
            holds(bounded_interval((rng.random(blocks) < share).astype(np.float64)), share)
            for _ in range(sweeps)
        )
        what = f"perfect scores, {blocks} blocks, truth {share}"
        yield Count(what, found, sweeps, 0.94, 1.0)


# --- fits -----------------------------------------------------------------------------------


def cell_row(
    index: int, rulebook: str, seatings: Sequence[tuple[str, ...]], blocks: int
) -> CellRow:
    return CellRow(
        cell_id=f"c{index}",
        sweep_id="synthetic",
        index=index,
        rulebook=rulebook,
        family=rulebook.partition("/")[0],
        rules_digest=rulebook,
        settings={},
        seats=len(seatings[0]),
        lineup=seatings[0],
        seatings=tuple(seatings),
        planned_blocks=blocks,
    )


def table_of(
    cells: Sequence[CellRow],
    places: Sequence[NDArray[np.int64]],
    sides: Sequence[int],
    names: Sequence[str] = ("",),
    role_of: Sequence[int] | None = None,
) -> GameTable:
    """A table from each cell's (blocks, permutations, seats) places; sides are the same always."""
    seats = cells[0].seats
    flat = np.concatenate([each.reshape(-1, seats) for each in places])
    better = (flat[:, :, None] < flat[:, None, :]).sum(axis=2)
    level = (flat[:, :, None] == flat[:, None, :]).sum(axis=2) - 1
    n = len(flat)

    def number(values: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        return np.concatenate(values)

    shapes = [each.shape[:2] for each in places]
    return GameTable(
        cells=tuple(cells),
        cell=number([np.full(b * m, i) for i, (b, m) in enumerate(shapes)]).astype(np.int32),
        block=number([np.repeat(np.arange(b), m) for b, m in shapes]),
        permutation=number([np.tile(np.arange(m), b) for b, m in shapes]).astype(np.int16),
        scores=(better + level / 2) / (seats - 1),
        places=flat.astype(np.int16),
        sides=np.tile(np.array(sides, dtype=np.int16), (n, 1)),
        roles=np.tile(np.array(role_of or [0] * seats, dtype=np.int16), (n, 1)),
        termination=np.zeros(n, dtype=np.int16),
        culprit=np.full(n, -1, dtype=np.int16),
        plies=np.full(n, 30, dtype=np.int32),
        role_names=tuple(names),
        termination_names=("five",),
        measures={},
    )


WORTH = {"a": 80.0, "b": 0.0, "c": -80.0}


def duel_table(rng: Rng, blocks: int, opening: float) -> GameTable:
    """A round robin of three over the same openings, each of which leans to one seat."""
    return duels_of(rng, blocks, opening, {("a", "b"): 40, ("b", "c"): 40, ("a", "c"): 40})


def duels_of(
    rng: Rng, blocks: int, opening: float, first: Mapping[tuple[str, str], float]
) -> GameTable:
    """The same of any line-ups, each with what moving first is worth to it."""
    luck = rng.normal(0, opening, blocks)
    cells, places = [], []
    for i, ((one, other), seat) in enumerate(first.items()):
        seatings = list(dict.fromkeys([(one, other), (other, one)]))
        cells.append(cell_row(i, "duel/x", seatings, blocks))
        lead = np.array([WORTH[p] - WORTH[q] + seat for p, q in seatings]) + luck[:, None]
        win, draw = davidson(lead, 0.5)
        u = rng.random(win.shape)
        went = np.where(u < win, 1, np.where(u < win + draw, 0, -1))
        places.append(np.stack([1 + (went < 0), 1 + (went > 0)], axis=2))
    return table_of(cells, places, (0, 1))


def rated_duels(sweeps: int) -> Iterator[Count]:
    """Differences of Elo of three engines, openings shared by all pairings."""
    for blocks, opening in ((30, 0), (150, 0), (150, 200)):
        truth = 160.0
        if opening:
            # Luck flattens the curve: the truth is what endless games with luck would give.
            long = leaderboard(duel_table(np.random.default_rng(97), 100_000, opening), "duel")
            truth = long.difference("a", "c").value / long.scale
        rng = np.random.default_rng([6, blocks, opening])
        held = 0
        for _ in range(sweeps):
            board = leaderboard(duel_table(rng, blocks, opening), "duel")
            held += holds(board.difference("a", "c"), truth * board.scale)
        what = f"Davidson, {blocks} setups, openings ± {opening} Elo: a - c"
        yield Count(what, held, sweeps, 0.94, 0.96)


def first_seats(sweeps: int) -> Iterator[Count]:
    """What moving first is worth at six strengths that scatter around their rulebook, or do not."""
    lineups = [(p, q) for p in WORTH for q in WORTH if p <= q]
    for spread, blocks in ((0, 60), (60, 60), (60, 300)):
        rng = np.random.default_rng([61, spread, blocks])
        alone, leaning, middle, small = 0, 0, 0, 0
        for _ in range(sweeps):
            worth = dict(zip(lineups, rng.normal(50, spread, len(lineups)).tolist(), strict=True))
            table = duels_of(rng, blocks, 0, worth)
            each, both = (
                leaderboard(table, "duel", first_seat=terms)
                for terms in (FirstSeatTerms.STRENGTH, FirstSeatTerms.BOTH)
            )
            rows = zip(worth.values(), each.first_seat, both.first_seat[1:], strict=True)
            for true, own, leans in rows:
                alone += holds(own.advantage, true * each.scale)
                leaning += holds(leans.advantage, true * both.scale)
            middle += holds(both.first_seat[0].advantage, 50 * both.scale)
            small += both.between is not None and both.between.p_value < 0.05
        what = f"first seats {spread} Elo apart, {blocks} setups"
        n = sweeps * len(lineups)
        yield Count(f"{what}: each strength by itself", alone, n, 0.94, 0.98)
        yield Count(f"{what}: each around its rulebook", leaning, n, 0.94, 1.0)
        yield Count(f"{what}: the rulebook", middle, sweeps, 0.94, 1.0)
        if not spread:
            yield Count(f"{what}: found to differ", small, sweeps, 0.0, 0.05)


def davidson(lead: Floats, nu: float) -> tuple[Floats, Floats]:
    up, down = np.exp(lead / 2 / ELO), np.exp(-lead / 2 / ELO)
    total = up + nu + down
    return up / total, nu / total


def rated_tables(sweeps: int) -> Iterator[Count]:
    """Plackett-Luce at tables of four with seat effects."""
    worth = np.array([90.0, 30.0, -30.0, -90.0])
    seat = np.array([60.0, 0.0, 0.0, -60.0])
    names = ("a", "b", "c", "d")
    turns = [tuple(names[(s + t) % 4] for s in range(4)) for t in range(4)]
    who = np.array([[names.index(e) for e in turn] for turn in turns])
    for blocks in (25, 150):
        rng = np.random.default_rng([7, blocks])
        held = 0
        cell = cell_row(0, "four/x", turns, blocks)
        for _ in range(sweeps):
            utility = (worth[who] + seat) / ELO + rng.gumbel(size=(blocks, 4, 4))
            places = 1 + (-utility).argsort(axis=2).argsort(axis=2)
            found = strengths(table_of([cell], [places], range(4)))
            held += holds(found.difference("a", "c"), 120)
        yield Count(f"Plackett-Luce, {blocks} setups of four: a - c", held, sweeps, 0.94, 0.96)


def rated_teams(sweeps: int) -> Iterator[Count]:
    """Two against two: partners told apart by whom they play with."""
    worth = {"a": 60.0, "b": 20.0, "c": -20.0, "d": -60.0}
    for blocks in (40, 200):
        rng = np.random.default_rng([8, blocks])
        held = 0
        cells, leads = [], []
        for i, (w, x, y, z) in enumerate(
            (("a", "b", "c", "d"), ("a", "c", "b", "d"), ("a", "b", "d", "c"))
        ):
            seatings = [(w, x, y, z), (x, y, z, w)]
            cells.append(cell_row(i, "team/x", seatings, blocks))
            leads.append([worth[p] + worth[r] - worth[q] - worth[s] for p, q, r, s in seatings])
        for _ in range(sweeps):
            places = []
            for lead in leads:
                won = rng.random((blocks, 2)) < 1 / (1 + np.exp(-(np.array(lead) + 30) / ELO))
                first, second = np.where(won, 1, 3), np.where(won, 3, 1)
                places.append(np.stack([first, second, first, second], axis=2))
            found = strengths(table_of(cells, places, (0, 1, 0, 1)))
            held += holds(found.difference("a", "d"), 120)
        yield Count(f"team Bradley-Terry, {blocks} setups: a - d", held, sweeps, 0.94, 0.96)


def rated_landlords(sweeps: int) -> Iterator[Count]:
    """One against two with a strength in each role."""
    seatings = [("a", "b", "b"), ("b", "a", "a"), ("a", "a", "b"), ("b", "b", "a")]
    lord, peasant = {"a": 80.0, "b": 0.0}, {"a": 0.0, "b": 40.0}
    lead = np.array([lord[p] - peasant[q] - peasant[r] + 20 for p, q, r in seatings])
    for blocks in (60, 300):
        rng = np.random.default_rng([9, blocks])
        held = 0
        cell = cell_row(0, "lord/x", seatings, blocks)
        for _ in range(sweeps):
            won = rng.random((blocks, 4)) < 1 / (1 + np.exp(-lead / ELO))
            places = np.stack([np.where(won, 1, 3), *[np.where(won, 2, 1)] * 2], axis=2)
            table = table_of([cell], [places], (0, 1, 1), ("lord", "peasant"), (0, 1, 1))
            found = strengths(table, effects=Effects.ROLE, by_role=True)
            held += holds(found.difference("a as lord", "b as lord"), 80)
        yield Count(f"one against two, {blocks} setups: landlords", held, sweeps, 0.94, 0.96)


# --- families, intervals at any time ------------------------------------------------------------


def anytime(sweeps: int) -> Iterator[Count]:
    rng, ladder = np.random.default_rng(11), np.linspace(0, 1, 5)
    law = pentanomial(0)
    missed = naive = 0
    n = np.arange(1, 501)
    for _ in range(sweeps):
        values = rng.choice(ladder, 500, p=law)
        bounds = confidence_sequence(values)
        missed += bool(((bounds[:, 0] > 0.5) | (bounds[:, 1] < 0.5)).any())
        mean = np.cumsum(values) / n
        sd = np.sqrt(np.maximum(np.cumsum(values**2) / n - mean**2, 1e-9))
        naive += bool((np.abs(mean - 0.5) > Z * sd / np.sqrt(n))[19:].any())
    yield Count("confidence sequence: ever wrong in 500 blocks", missed, sweeps, 0, 0.05)
    yield Count("ordinary interval: ever wrong (must fail)", naive, sweeps, 0.1, 1)


def families(sweeps: int) -> Iterator[Count]:
    """Forty variants, half of them even, half at the very edge of the margin."""
    for correction in (Correction.HOLM, Correction.MAX_T):
        rng, wrong = np.random.default_rng(12), 0
        for _ in range(sweeps):
            cells = []
            for i in range(40):
                first = rng.binomial(2, 0.5 if i < 20 else 0.55, 150) / 2
                means = np.stack([first, 1 - first], axis=1)
                cells.append(SeatMeans(f"r{i}", np.arange(150), means))
            found = verdicts(cells, 0.05, correction)
            wrong += any(v.balance is Balance.FAVOURS for v in found[:20]) or any(
                v.balance is Balance.BALANCED or v.seat == 1 for v in found[20:]
            )
        what = f"any false verdict among 40 variants, {correction.value}"
        yield Count(what, wrong, sweeps, 0, 0.05)


def deals(sweeps: int) -> Iterator[Count]:
    """Means less what skewed numbers of the deal predict, where they do and where they do not."""

    def numbers(rng: Rng, blocks: int) -> Floats:
        two = rng.exponential(1, (blocks, 2))
        return np.concatenate([two, two.sum(axis=1, keepdims=True)], axis=1)

    def won(rng: Rng, known: Floats, weight: float) -> Floats:
        chance = 1 / (1 + np.exp(0.3 - weight * (known[:, 0] - 1)))
        return (rng.random(len(known)) < chance).astype(np.float64)

    for weight, blocks in ((3.0, 60), (3.0, 400), (0.0, 60)):
        rng = np.random.default_rng([13, int(weight), blocks])
        truth = float(won(rng, numbers(rng, 2_000_000), weight).mean())
        held = over = 0
        gain = 0.0
        for _ in range(sweeps):
            known = numbers(rng, blocks)
            mean, gained = control(won(rng, known, weight), known, numbers(rng, 5000))
            held += holds(mean, truth)
            over += mean.value > truth
            gain += gained.value / sweeps
        what = f"control variates, {blocks} blocks, gain {gain:.2f}"
        yield Count(what, held, sweeps, 0.94, 0.96)
        yield Count("  estimate over the truth", over, sweeps, 0.47, 0.53)


CASES: tuple[tuple[Callable[[int], Iterator[Count]], float], ...] = (
    (duels, 1),
    (tables_of_four, 1),
    (roles, 1),
    (nearly_perfect, 1),
    (rated_duels, 0.5),
    (first_seats, 0.25),
    (rated_tables, 0.5),
    (rated_teams, 0.5),
    (rated_landlords, 0.5),
    (sequential, 0.5),
    (sequential_errors, 0.5),
    (sequential_tables, 1),
    (anytime, 0.5),
    (families, 0.25),
    (deals, 1),
)
"""Each case, and its share of the sweeps asked for."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweeps", type=int, default=2000)
    parser.add_argument("--only", default="", help="cases whose name holds this word")
    asked = parser.parse_args()
    for case, share in CASES:
        if asked.only in case.__name__:
            start = time.process_time()
            for count in case(max(10, round(asked.sweeps * share))):
                print(count.row(), flush=True)
            print(f"  [{case.__name__}: {time.process_time() - start:.0f} s]", flush=True)


if __name__ == "__main__":
    main()
