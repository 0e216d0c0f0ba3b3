"""Sequential tests of synthetic blocks: how often they err, and what is said after a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import ELO, elo_of
from arena.ratings.draws import BayesElo
from arena.ratings.sequential import Hypotheses, Method, Scale, decided_llrs
from arena.ratings.stopping import Decision, Schedule, beaten, decide, steps_of
from benchmarks.counting import Count, holds

Floats = NDArray[np.float64]
Rng = np.random.Generator


def pentanomial(elo: float) -> Floats:
    """Pairs at an Elo of the score, drawelo 327, openings of -90 and +200 (vdbergh)."""

    def law(bayes: float) -> Floats:
        found = np.zeros(5)
        for bias in (-90, 200):
            one, two = (BayesElo(bayes + b, 327).chances()[::-1] for b in (bias, -bias))
            found += np.convolve(one, two) / 2
        return found

    low, high = -200.0, 200.0
    wanted = 1 / (1 + 10 ** (-elo / 400))
    for _ in range(60):
        middle = (low + high) / 2
        if law(middle) @ np.linspace(0, 1, 5) < wanted:
            low = middle
        else:
            high = middle
    return law(low)


def sequential(sweeps: int) -> Iterator[Count]:
    """Long tests and short ones, looked at pair by pair and in batches, and blocks of six."""
    cases = (("pairs", 10.0, 4, 1, 8000), ("pairs", 40.0, 1, 1, 2000), ("six", 20.0, 1, 3, 2000))
    for kind, elo1, batch, together, most in cases:
        test = Hypotheses(0, elo1, Scale.LOGISTIC)
        for elo in (0.0, elo1):
            rng, pair = np.random.default_rng([10, int(elo1), int(elo)]), pentanomial(elo)
            law = np.ones(1)
            for _ in range(together):
                law = np.convolve(law, pair)
            label = f"sequential, {kind}, logistic 0, {elo1:g} at {elo:g}"
            games = 2 * together
            yield from stopped(rng, law, games, test, elo, label, sweeps, batch=batch, most=most)


def sequential_errors(sweeps: int) -> Iterator[Count]:
    """Wrong decisions alone, a hundred tests for each sweep."""
    test = Hypotheses(0, 40, Scale.LOGISTIC)
    for elo in (0.0, 40.0):
        rng, tests = np.random.default_rng([14, int(elo)]), 100 * sweeps
        accepted = at_once(rng, pentanomial(elo), 2, test, tests)
        what = f"sequential, pairs, logistic 0, 40 at {elo:g}: wrong decisions, all at once"
        yield Count(what, accepted[0 if elo else 1], tests, 0, 0.05)


def at_once(rng: Rng, law: Floats, games: int, test: Hypotheses, tests: int) -> tuple[int, int]:
    """How many tests accept H0, and H1: all walk at once, look by look."""
    counts, records = np.zeros((tests, len(law))), np.zeros((2, 3, tests))
    accepted = np.zeros(2, dtype=np.int64)
    while len(counts):
        counts += rng.multinomial(1, law, size=len(counts))
        # Many stand alike, and one ratio does for all of them.
        alike, which = np.unique(counts, axis=0, return_inverse=True)
        ratio = decided_llrs(alike, games, test)[which.reshape(-1)]
        stop = []
        for (record, jumps, squares), bound, sign in zip(
            records, (-test.lower, test.upper), (-1, 1), strict=True
        ):
            over = np.divide(squares, 2 * jumps, out=np.zeros(len(jumps)), where=jumps > 0)
            stop.append(sign * ratio >= bound - over)
            jump = np.maximum(0, sign * ratio - record)
            record += jump
            jumps += jump
            squares += jump * jump
        accepted += [int(stop[0].sum()), int(stop[1].sum())]
        on = ~(stop[0] | stop[1])
        counts, records = counts[on], records[:, :, on]
    return int(accepted[0]), int(accepted[1])


def sequential_tables(sweeps: int) -> Iterator[Count]:
    """Tables of four and one against two, by bets: both line-ups of a deal are a datum."""
    for what, seats, deal in (("four seats", 4, free_for_all), ("one against two", 3, landlords)):
        odd = np.eye(seats, dtype=bool)
        chairs = np.concatenate([odd, ~odd])
        steps, games = steps_of(chairs), len(chairs)

        def law_of(
            lead: float,
            chairs: NDArray[np.bool_] = chairs,
            steps: int = steps,
            deal: Callable[[Rng, NDArray[np.bool_], float], Floats] = deal,
        ) -> Floats:
            rng = np.random.default_rng([15, len(chairs), int(lead)])
            won = [beaten(deal(rng, chairs, lead), chairs) for _ in range(40_000)]
            found: Floats = np.bincount(won, minlength=steps + 1) / len(won)
            # Of equals neither is the one that is tested.
            return found if lead else (found + found[::-1]) / 2

        even, better = law_of(0.0), law_of(60.0)
        elo1 = elo_of(float(better @ np.linspace(0, 1, steps + 1)))
        test = Hypotheses(0, elo1, Scale.LOGISTIC)
        for law, elo, name in ((even, 0.0, "equals"), (better, elo1, "the better one")):
            rng = np.random.default_rng([16, seats, int(elo)])
            label = f"sequential, {what}, e-process 0, {elo1:.1f}, {name}"
            yield from stopped(rng, law, games, test, elo, label, sweeps, Method.E_PROCESS)


def stopped(
    rng: Rng,
    law: Floats,
    games: int,
    test: Hypotheses,
    elo: float,
    label: str,
    sweeps: int,
    method: Method = Method.GSPRT,
    batch: int = 1,
    most: int = 4000,
) -> Iterator[Count]:
    """Tests of blocks of a law whose difference is `elo`, one of the hypotheses."""
    steps = len(law) - 1
    right = Decision.ACCEPT_H1 if elo == test.elo1 else Decision.ACCEPT_H0
    wrong = held = over = blocks = 0
    for _ in range(sweeps):
        scores = rng.choice(steps + 1, most, p=law) / steps
        part, verdict = batch * 64, None
        # Most end early, and what comes later decides nothing.
        while verdict is None or (verdict.decision is Decision.GO_ON and part < 4 * most):
            schedule = Schedule(scores[:part], games, steps, waiting=False)
            verdict = decide(schedule, test, batch, method)
            part *= 4
        wrong += verdict.decision is not right
        blocks += verdict.blocks
        if verdict.estimate is not None:
            held += holds(verdict.estimate, elo)
            over += verdict.estimate.value > elo
    yield Count(f"{label}: wrong decisions", wrong, sweeps, 0, 0.05)
    length = f"{games * blocks / sweeps:,.0f} games on average"
    yield Count(f"  interval after the stop ({length})", held, sweeps, 0.94, 0.96)
    yield Count("  estimate over the truth", over, sweeps, 0.47, 0.53)


def free_for_all(rng: Rng, chairs: NDArray[np.bool_], lead: float) -> Floats:
    """Shares of opponents beaten in all games of a deal, which leans to some of the seats."""
    luck = rng.normal(0, 1, chairs.shape[1])
    utility = luck + lead / ELO * chairs + rng.gumbel(size=chairs.shape)
    beats = (utility[:, :, None] > utility[:, None, :]).sum(axis=2)
    shares: Floats = beats / (chairs.shape[1] - 1)
    return shares


def landlords(rng: Rng, chairs: NDArray[np.bool_], lead: float) -> Floats:
    """Scores where whoever bids plays the others, who win two games in three."""
    games, seats = chairs.shape
    alone = np.arange(seats) == rng.integers(seats, size=(games, 1))
    weight: Floats = np.where(chairs, 0.5, -0.5) * np.where(alone, 1, -0.5)
    strength = lead / ELO * weight @ np.ones((seats, 1))
    won = rng.random((games, 1)) < 1 / (1 + np.exp(0.7 + rng.normal(0, 1) - strength))
    scores: Floats = (alone == won).astype(np.float64)
    return scores
