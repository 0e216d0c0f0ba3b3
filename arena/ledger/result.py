"""One finished game as it travels: from the referee or the core, through Ray, to rest."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field

from arena._core import Termination
from arena.games import Record, Seat

Policies = tuple[tuple[int, tuple[tuple[str, float], ...]], ...]
"""(Number of the move in the record from 0, ((canonical text, probability), …)) of each move whose
engine said what else it might have played, and how likely."""

Words = tuple[int, tuple[int, ...], str, str]
"""(Number of the turn, seats whose offers of a draw stood, why the last answer was refused, that
answer): what was told beside the game, word for word."""

LINK_BYTES = 4
"""Kept of each digest of a log but the last: enough to find the place."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the engine of one seat was told, turn by turn, as digests; see `arena.players.told`."""

    plies: tuple[int, ...]
    """Moves of the record before each turn."""

    links: str
    """Hex: the beginning of the chained digest after each turn."""

    head: str
    """64 hex digits: the digest after the last turn, which stands for all of them."""

    flips: tuple[int, ...] = ()
    """Turns from which on legal moves were listed, then were not, and so on."""

    words: tuple[Words, ...] = ()

    def lists_moves(self, number: int) -> bool:
        """Whether legal moves came with a turn."""
        return sum(flip <= number for flip in self.flips) % 2 == 1


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one planned game. Writing it twice is the same as writing it once."""

    game_id: str
    """32 hex digits: hash of sweep, rules digest, engine ids by seat, block, permutation."""

    sweep_id: str
    cell_id: str
    """16 hex digits: the rules and the line-up; all blocks of a cell are exchangeable."""

    block: int
    permutation: int
    """Which seating of the block's line-up this game is."""

    rulebook: str
    """`Game.label`, overrides included."""

    rules_digest: str
    engines: tuple[str, ...]
    """Engine id, "name@version", by seat."""

    scores: tuple[float, ...]
    places: tuple[int, ...]
    sides: tuple[int, ...]
    roles: tuple[str, ...]
    termination: Termination
    culprit: Seat | None
    """The seat whose fault, resignation or time ended the game."""

    plies: int
    measures: tuple[tuple[str, float], ...] = ()
    """The game's own numbers by name, `Outcome.measures`."""

    worker: str = ""
    """Who played it, `worker-3@host`."""

    seconds: float = 0.0
    """Wall time. Kept for throughput and latency; no number of a report depends on it."""

    record: Record | None = None
    moves_ms: tuple[tuple[int, int], ...] = ()
    """(charged, allowed for the network) milliseconds of each recorded move."""

    notes: tuple[str, ...] = field(default=())
    """Faults and remarks: stderr tail of a crash, illegal move text, evaluations off."""

    policies: Policies = ()
    """What engines that draw their moves by chance said of their chances; with a record only."""

    told: tuple[Told | None, ...] = ()
    """By seat, what its engine was told, with a record only; None for an engine that is told
    nothing because it is part of the arena's core. Empty where no seat was."""


def at_host(worker: str) -> str:
    """A worker's name as results carry it, with the name of this machine."""
    return f"{worker}@{platform.node()}"


def host_of(worker: str) -> str:
    """The machine in a worker's name; empty where it has none, as in older ledgers."""
    return worker.rpartition("@")[2] if "@" in worker else ""
