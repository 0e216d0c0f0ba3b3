"""Errors of ratings by simulation, as Ordo makes them: a check of those that come from the covariance.

The fitted model plays the same schedule again and again, every game by itself, and is fitted to each
of these results. By how much the ratings scatter is what their errors would be if the model were right
and games independent. Errors clustered by setup assume neither; where the two part, games that share an opening
or a deal are not independent (pairs that exchange seats then err less than games, and the first move more), or
the model does not fit. Source: M. A. Ballicora, Ordo.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena.ledger.table import GameTable
from arena.ratings.blocks import ELO
from arena.ratings.counts import counted
from arena.ratings.fitting import fit, refits
from arena.ratings.leaderboard import Leaderboard

_SEED = 0x02D0
LEAST = 50
"""Simulations below which their scatter says too little."""


@dataclass(frozen=True, slots=True)
class SimulatedError:
    """What two ways say of the error of one rating."""

    engine: str
    error: float
    """Standard error in Elo, from the covariance clustered by setup."""

    simulated: float
    """Standard deviation in Elo over the simulations."""

    bias: float
    """Mean of the simulated ratings over the one they were made with: what the prior, and perfect
    scores, pull."""


def simulate(
    table: GameTable, board: Leaderboard, rounds: int, *, anchor: str | None = None
) -> tuple[SimulatedError, ...]:
    """Simulate `rounds` times what a board's engines did, in its order; engines that met none are left out.

    `table` and `anchor` are those that the board was made with. The seed is fixed. Raises ValueError
    for games of more than two seats, whose places two seats at a time do not make up, and for fewer than
    50 rounds.
    """
    if rounds < LEAST:
        raise ValueError(f"{rounds} simulations: at least {LEAST}")
    parts = [part for part in table.by_cell() if part.cell.family == board.family]
    if any(part.cell.seats > 2 for part in parts):
        raise ValueError(f"{board.family}: simulated errors are for games of two seats")
    if not parts:
        return ()
    counts = counted(parts)
    found = fit(counts, board.law, terms=board.first_seat_terms)
    strengths = refits(counts, found, rounds, np.random.default_rng(_SEED))
    elo = ELO * board.scale * strengths
    column = {engine: i for i, engine in enumerate(found.engines)}
    made = ELO * board.scale * found.strength
    rows = {entry.engine: i for i, entry in enumerate(board.entries)}
    errors = []
    for entry in board.entries:
        if not entry.opponents:
            continue
        group = next(group for group in board.groups if entry.engine in group)
        zero = [column[e] for e in ([anchor] if anchor in group and anchor else group)]
        own = column[entry.engine]
        rated = elo[:, own] - elo[:, zero].mean(axis=1)
        true = float(made[own] - made[zero].mean())
        i = rows[entry.engine]
        errors.append(
            SimulatedError(
                entry.engine,
                math.sqrt(max(0.0, board.covariance[i][i])),
                float(rated.std(ddof=1)),
                float(rated.mean()) - true,
            )
        )
    return tuple(errors)
