"""What is played for a seat that ran out of time."""

from __future__ import annotations

from arena._core import Rng, State, derive_seed
from arena.match.policy import MatchPolicy

# Beside the seeds of the engines, which are numbered by seat.
_LATE_STREAM = 1_000
# The move of a seat whose turn is let pass, in games whose rules know one.
_LET_PASS = "timeout"


def instead_of(state: State, seat: int, policy: MatchPolicy, seed: int) -> str | None:
    """The move that stands in for a late one; None where being late costs the game.

    A random move is drawn from `seed`, the place in the game and the seat, and from nothing
    else: the same game is late in the same way again.
    """
    if policy.on_timeout == "skip" and len(state.seats_to_act()) == 1:
        return _LET_PASS if state.check(seat, _LET_PASS) is None else None
    if policy.on_timeout == "random":
        rng = Rng(derive_seed(derive_seed(seed, _LATE_STREAM + seat), state.plies))
        return str(state.sample_move(seat, rng))
    return None
