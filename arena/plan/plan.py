"""The exact list of games to play: a pure function of the sweep file and its seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from arena._core import derive_seed
from arena.games import Game
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest
from arena.plan.spec import FileSpec, Pairing, Stop, SweepSpec
from arena.players.spec import EngineKind, EngineSpec

_OUTSIDE = frozenset({EngineKind.GRPC, EngineKind.COMMAND})


@dataclass(frozen=True, slots=True)
class Cell:
    """Blocks that are alike: one set of rules, one line-up."""

    index: int
    id: str
    """16 hex digits over rules, line-up, seatings and opening; see `digest_of`."""

    game: Game
    pairing: Pairing | None
    """None in an event, whose format pairs."""

    lineup: tuple[EngineSpec, ...]
    """Engine by seat in the block's first game."""

    seatings: tuple[tuple[int, ...], ...]
    """For each game of a block, which member of the line-up has each seat."""

    blocks: int
    opening_plies: int
    first_deal: int = 0
    """Where its blocks begin among the deals of its rules."""

    @property
    def games(self) -> int:
        """Games of all blocks."""
        return self.blocks * len(self.seatings)

    @property
    def engines(self) -> tuple[EngineSpec, ...]:
        """The different engines of the line-up, in order of first seat."""
        return tuple(dict.fromkeys(self.lineup))

    @property
    def label(self) -> str:
        """The game and who plays: "gomoku/doc001: a – b"."""
        return f"{self.game.label}: {self.lineup_label}"

    @property
    def lineup_label(self) -> str:
        """Who plays, by seat, neighbours of one engine together: "a – b ×2"."""
        runs = [(name, len(list(run))) for name, run in groupby(e.name for e in self.lineup)]
        return " – ".join(name if count == 1 else f"{name} ×{count}" for name, count in runs)


@dataclass(frozen=True)
class Plan:
    """What a sweep file means: cells of blocks of games, enumerated when asked for."""

    spec: FileSpec
    cells: tuple[Cell, ...]
    skipped: tuple[str, ...]
    """Combinations of settings that the rules refuse, with the reason (`skip_invalid`)."""

    merged: tuple[str, ...]
    """Games left out because their rules equal those of a game already in the plan."""

    @cached_property
    def digest(self) -> str:
        """64 hex digits over everything that decides what is played and kept."""
        return digest_of(
            self.spec.name,
            self.spec.seed,
            self.spec.match.model_dump(mode="json"),
            self.spec.records.model_dump(mode="json"),
            [[cell.id, cell.blocks] for cell in self.cells],
            *([self.stop.model_dump(mode="json")] if self.stop else []),
            length=64,
        )

    @property
    def sweep_id(self) -> str:
        """16 hex digits: a changed file is another sweep, a changed comment is not."""
        return self.digest[:16]

    @cached_property
    def blocks(self) -> int:
        """Blocks of all cells."""
        return sum(cell.blocks for cell in self.cells)

    @cached_property
    def games(self) -> int:
        """Games of all cells: exact."""
        return sum(cell.games for cell in self.cells)

    @cached_property
    def engines(self) -> tuple[EngineSpec, ...]:
        """Every engine that plays, in order of first appearance."""
        return tuple(dict.fromkeys(e for cell in self.cells for e in cell.lineup))

    @property
    def grows(self) -> bool:
        """Whether more cells may follow these once their results are known."""
        return False

    @property
    def stop(self) -> Stop | None:
        """When blocks need not be played although they are planned."""
        return self.spec.stop if isinstance(self.spec, SweepSpec) else None

    @property
    def match(self) -> MatchPolicy:
        """What the referee goes by."""
        return self.spec.match

    def portable(self) -> str:
        """A text from which `arena.plan.rebuilt` makes the same plan on another machine."""
        return json.dumps({"sweep": self.spec.portable()})

    @property
    def patience_seconds(self) -> float:
        """Longest silence of a worker that can be innocent: ten minutes, or a whole game
        of engines outside of the core."""
        outside = any(engine.kind in _OUTSIDE for engine in self.engines)
        return max(600.0, 60.0 + self.match.game_ms / 1000 if outside else 0.0)

    def requests(self, cell: Cell, block_range: range) -> list[GameRequest]:
        """The games of some blocks of a cell, block by block."""
        games = []
        rules_digest = cell.game.rules.digest
        for block in block_range:
            # Not of the line-up: every pairing of a game meets the same deals, openings
            # and seeds.
            deal_seed = seed_of(self.spec.seed, rules_digest, cell.first_deal + block)
            keep = self._keeps(deal_seed)
            for permutation, seating in enumerate(cell.seatings):
                engines = tuple(cell.lineup[member] for member in seating)
                games.append(
                    GameRequest(
                        game_id=digest_of(
                            self.sweep_id, cell.id, [e.id for e in engines], block, length=32
                        ),
                        sweep_id=self.sweep_id,
                        cell_id=cell.id,
                        block=block,
                        permutation=permutation,
                        game=cell.game,
                        engines=engines,
                        deal_seed=deal_seed,
                        engine_seed=derive_seed(deal_seed, 2 + permutation),
                        opening_plies=cell.opening_plies,
                        keep_record=keep,
                    )
                )
        return games

    def _keeps(self, deal_seed: int) -> bool:
        keep = self.spec.records.keep
        if isinstance(keep, str):
            return keep == "all"
        return (derive_seed(deal_seed, 0) >> 11) * 2.0**-53 < keep


def seed_of(seed: int, rules_digest: str, block: int) -> int:
    """64 bits for one block of one set of rules."""
    return derive_seed(seed ^ int(rules_digest, 16), block)


def digest_of(*parts: object, length: int = 16) -> str:
    """`length` hex digits of SHA-256 over the canonical JSON of the parts."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def pair_lineups(
    seats: int, a: EngineSpec, b: EngineSpec, *, alternate: bool
) -> tuple[tuple[EngineSpec, ...], ...]:
    """How two engines fill a game's chairs: one line-up, or each of them against the other's many.

    With `alternate` they take chair by chair in turn.
    """
    if seats == 2:
        return ((a, b),)
    if alternate:
        return (tuple((a, b)[seat % 2] for seat in range(seats)),)
    return ((a, *[b] * (seats - 1)), (b, *[a] * (seats - 1)))


def rotations(lineup: Sequence[object]) -> tuple[tuple[int, ...], ...]:
    """The line-up moved on chair by chair, the first of each kind."""
    first = tuple(range(len(lineup)))
    return distinct_seatings(lineup, [first[shift:] + first[:shift] for shift in first])


def cell_id(
    game: Game,
    lineup: Sequence[EngineSpec],
    seatings: Sequence[Sequence[int]],
    opening_plies: int,
) -> str:
    """16 hex digits over what makes blocks alike."""
    return digest_of(game.rules.digest, [engine.id for engine in lineup], seatings, opening_plies)


def distinct_seatings(
    lineup: Sequence[object], orders: Sequence[tuple[int, ...]]
) -> tuple[tuple[int, ...], ...]:
    """The orders that seat somebody differently, the first of each kind."""
    kinds: dict[tuple[object, ...], tuple[int, ...]] = {}
    for order in orders:
        kinds.setdefault(tuple(lineup[i] for i in order), order)
    return tuple(kinds.values())
