"""One set of rules of the standing play: who takes part, what they played, who plays next."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from arena.games import Game
from arena.ledger import UNENDING, CellRow, GameResult, SweepRow
from arena.match.request import GameRequest
from arena.plan.plan import cell_id, digest_of, pair_lineups, rotations
from arena.players.spec import EngineSpec
from arena.ratings.pairing import Belief, Floats, believe, gains, next_pair
from arena.server.results import Played

_CALIBRATION = 0.25
"""Most of the blocks of late that reference engines play among themselves."""

_STALE = 8
"""Of so many engines one block each may be missing in the belief by which games are chosen."""

_FADING = 0.98
"""What a block counts for when the next one begins, in the shares of late."""


class Phase(Enum):
    """How far an engine is."""

    QUALIFYING = auto()
    PLAYING = auto()
    PLACED = auto()


@dataclass(slots=True)
class Entrant:
    """An engine in a division."""

    spec: EngineSpec
    account: str
    """Whose it is; empty: a reference engine of the arena."""

    number: int
    """Its row in the tallies."""

    lately: float = 0.0
    """Blocks it began, the older the less."""

    blocks: int = 0
    """Whole blocks it has played."""

    active: bool = True
    """Whether it may be given games: in play, and not out of this division."""

    @property
    def reference(self) -> bool:
        """Whether it is one of the arena's own."""
        return not self.account


@dataclass(slots=True)
class _Cell:
    row: CellRow
    lineup: tuple[EngineSpec, ...]
    seatings: tuple[tuple[int, ...], ...]
    begun: int = 0
    """Blocks that were begun."""


@dataclass(slots=True)
class _Open:
    """A block that is not whole."""

    cell: _Cell
    going: bool = False
    games: dict[int, tuple[float, float]] = field(default_factory=dict)
    """(points of the line-up's first engine, of the other) by permutation."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games to play now: a new block, or what is missing of one that was interrupted."""

    division: Division
    cell_id: str
    number: int
    requests: tuple[GameRequest, ...]
    entrants: tuple[Entrant, Entrant]


class Division:
    """The standing play of one set of rules. Knows no clock, no network and no database."""

    def __init__(
        self,
        game: Game,
        secret: bytes,
        *,
        opening_plies: int,
        half_width: float,
        floor: float,
        qualifying: int,
    ) -> None:
        """`secret` is what deals and openings are drawn from.

        An engine is placed once half its 95 % interval is `half_width` Elo or less; until it has
        `qualifying` whole blocks it meets reference engines only; whoever is still to be placed has
        at least `floor` of an equal share.
        """
        self.game = game
        self.sweep_id = digest_of("standing play", game.rules.digest, opening_plies)
        self.entrants: dict[str, Entrant] = {}
        """By engine id."""

        self._secret = secret
        self._opening_plies = opening_plies if game.family.full_information else 0
        self._half_width, self._floor, self._qualifying = half_width, floor, qualifying
        sides = game.new_state(0).sides()
        self._alternate = tuple(sides) == tuple(seat % 2 for seat in range(game.seats))
        self._cells: dict[str, _Cell] = {}
        self._filed: list[CellRow] = []
        # Blocks are numbered through all cells: the ledger takes equal numbers for equal deals.
        self._numbered = 0
        self._lately = self._among_references = 0.0
        self._open: dict[int, _Open] = {}
        self._games = np.zeros((0, 0))
        self._points = np.zeros((0, 0))
        self._belief = believe(self._games, self._points)
        self._half: Floats | None = None
        self._gain: Floats | None = None
        self._news = 0

    # Who takes part.

    def enter(self, spec: EngineSpec, account: str) -> Entrant:
        """Has an engine take part; an account of "" makes it a reference engine."""
        found = self.entrants.get(spec.id)
        if found is not None:
            found.spec, found.account, found.active = spec, account, True
            for cell in self._cells.values():
                cell.lineup = tuple(spec if e.id == spec.id else e for e in cell.lineup)
            return found
        n = len(self.entrants)
        found = self.entrants[spec.id] = Entrant(spec, account, n)
        self._games = np.pad(self._games, ((0, 1), (0, 1)))
        self._points = np.pad(self._points, ((0, 1), (0, 1)))
        self._belief = self._belief.with_one_more()
        self._half = self._gain = None
        return found

    def leave(self, engine: str) -> None:
        """Gives an engine no more games."""
        if engine in self.entrants:
            self.entrants[engine].active = False

    @property
    def belief(self) -> Belief:
        """What the results so far let one believe; the last few of many may not be in it yet."""
        if self._news > len(self.entrants) // _STALE:
            self._belief = believe(self._games, self._points, before=self._belief)
            self._news = 0
            self._half = self._gain = None
        return self._belief

    def _widths(self) -> Floats:
        belief = self.belief
        if self._half is None:
            self._half = belief.half_widths(self._contrasts())
        return self._half

    def _contrasts(self) -> Floats:
        """(entrants, entrants) each engine over the reference engine that is nearest to it.

        Over all of them, every rating would wait for the two ends of the ladder, which hardly
        ever lose or win.
        """
        n = len(self.entrants)
        references = [e.number for e in self.entrants.values() if e.reference]
        found = np.eye(n)
        if references:
            away = np.abs(self._belief.elo[:, None] - self._belief.elo[references][None, :])
            away[references, range(len(references))] = np.inf
            near = np.array(references)[away.argmin(axis=1)]
            rows = np.flatnonzero(near != np.arange(n))  # all but an only reference engine
            found[rows, near[rows]] -= 1
        return found

    def _gains(self) -> Floats:
        belief = self.belief
        if self._gain is None:
            everybody = self.entrants.values()
            wide = [e.number for e in everybody if e.active and not self._placed(e)]
            self._gain = gains(belief, self._contrasts()[wide])
        return self._gain

    def half_width(self, entrant: Entrant) -> float:
        """Half the 95 % interval of its Elo over the nearest reference engine, as believed."""
        return float(self._widths()[entrant.number])

    def elo(self, entrant: Entrant) -> float:
        """Its Elo over the mean of the reference engines, as believed."""
        references = [e.number for e in self.entrants.values() if e.reference]
        zero = float(self.belief.elo[references].mean()) if references else 0.0
        return float(self.belief.elo[entrant.number]) - zero

    def phase(self, entrant: Entrant) -> Phase:
        """How far it is."""
        if entrant.blocks < self._qualifying:
            return Phase.QUALIFYING
        return Phase.PLACED if self._placed(entrant) else Phase.PLAYING

    def _placed(self, entrant: Entrant) -> bool:
        return entrant.blocks >= self._qualifying and self.half_width(entrant) <= self._half_width

    # Who plays next.

    def next(self, free: Sequence[Entrant]) -> Block | None:
        """A block for two of those who are free, if any two of them should meet."""
        here = {e.number: e for e in free if e.active}
        resumed = self._resumed(here)
        if resumed is not None:
            return resumed
        wide = [e for e in here.values() if self.phase(e) is not Phase.PLACED]
        due = [e.number for e in wide if not e.reference]
        if not due:
            return None
        # What an engine is worth over the reference engines takes knowing those: they play one
        # another, too, where that tells more.
        open_ = [e.number for e in wide]
        calibrate = self._among_references < _CALIBRATION * self._lately
        lately = [entrant.lately for entrant in self.entrants.values()]
        may_meet = self._may_meet(list(here), calibrate)
        pair = next_pair(self._gains(), may_meet, open_, due, lately, self._floor)
        if pair is None:
            return None
        one, other = (here[number] for number in pair)
        return self._begun(self._cell_for(one, other), one, other)

    def _may_meet(self, here: Sequence[int], calibrate: bool) -> NDArray[np.bool_]:
        """(entrants, entrants) who of those that are here may meet whom."""
        everybody = self.entrants.values()
        n = len(everybody)
        if self._numbered >= UNENDING:
            return np.zeros((n, n), dtype=bool)
        there = np.zeros(n, dtype=bool)
        there[list(here)] = True
        reference = np.array([e.reference for e in everybody])
        new = ~reference & np.array([e.blocks < self._qualifying for e in everybody])
        accounts: dict[str, int] = {}
        account = np.array([accounts.setdefault(e.account, len(accounts)) for e in everybody])
        found: NDArray[np.bool_] = there[:, None] & there[None, :]
        # Engines of one account do not meet: they could let one another win.
        found &= (account[:, None] != account[None, :]) | (reference[:, None] & calibrate)
        found &= ~new[:, None] | reference[None, :]
        found &= ~new[None, :] | reference[:, None]
        np.fill_diagonal(found, False)
        return found

    def _resumed(self, here: dict[int, Entrant]) -> Block | None:
        """What is missing of a block that was interrupted, before anything new."""
        by_id = {e.spec.id: e for e in here.values()}
        for number, open_ in self._open.items():
            ids = list(dict.fromkeys(open_.cell.row.lineup))
            if not open_.going and by_id.keys() >= set(ids):
                open_.going = True
                return self._block(number, by_id[ids[0]], by_id[ids[1]])
        return None

    def _cells_of(self, one: Entrant, other: Entrant) -> list[_Cell]:
        """The cells of a pair, made when first asked for; the same whoever is named first."""
        a, b = sorted((one.spec, other.spec), key=lambda spec: spec.id)
        found = []
        for lineup in pair_lineups(self.game.seats, a, b, alternate=self._alternate):
            seatings = rotations(lineup)
            key = cell_id(self.game, lineup, seatings, self._opening_plies)
            if key not in self._cells:
                row = CellRow(
                    cell_id=key,
                    sweep_id=self.sweep_id,
                    index=-1,  # until it is filed
                    rulebook=self.game.label,
                    family=self.game.family.id,
                    rules_digest=self.game.rules.digest,
                    settings=self.game.rules.settings(),
                    seats=self.game.seats,
                    lineup=tuple(engine.id for engine in lineup),
                    seatings=tuple(tuple(lineup[m].id for m in seating) for seating in seatings),
                    planned_blocks=UNENDING,
                )
                self._cells[key] = _Cell(row, lineup, seatings)
            found.append(self._cells[key])
        return found

    def _cell_for(self, one: Entrant, other: Entrant) -> _Cell:
        return min(self._cells_of(one, other), key=lambda cell: cell.begun)

    def _begun(self, cell: _Cell, one: Entrant, other: Entrant) -> Block:
        number = self._numbered
        self._numbered += 1
        cell.begun += 1
        if cell.row.index < 0:
            cell.row = replace(cell.row, index=len(self._filed))
            self._filed.append(cell.row)
        self._open[number] = _Open(cell, going=True)
        for entrant in self.entrants.values():
            entrant.lately *= _FADING
        self._lately = self._lately * _FADING + 1
        self._among_references *= _FADING
        self._among_references += one.reference and other.reference
        one.lately += 1
        other.lately += 1
        return self._block(number, one, other)

    def _block(self, number: int, one: Entrant, other: Entrant) -> Block:
        cell, done = self._open[number].cell, self._open[number].games
        deal = self._drawn(cell.row.cell_id, number, "deal")
        requests = tuple(
            GameRequest(
                game_id=digest_of(
                    self.sweep_id,
                    cell.row.cell_id,
                    list(cell.row.seatings[permutation]),
                    number,
                    length=32,
                ),
                sweep_id=self.sweep_id,
                cell_id=cell.row.cell_id,
                block=number,
                permutation=permutation,
                game=self.game,
                engines=tuple(cell.lineup[member] for member in seating),
                deal_seed=deal,
                # Bots are told numbers made of this one: no way leads from it to the deal.
                engine_seed=self._drawn(cell.row.cell_id, number, f"engines {permutation}"),
                opening_plies=self._opening_plies,
                keep_record=True,
            )
            for permutation, seating in enumerate(cell.seatings)
            if permutation not in done
        )
        return Block(self, cell.row.cell_id, number, requests, (one, other))

    def _drawn(self, *what: object) -> int:
        """64 bits that follow from the secret, and tell nothing of it or of one another."""
        text = "/".join(map(str, what)).encode()
        return int.from_bytes(hmac.digest(self._secret, text, hashlib.sha256)[:8], "big")

    # What came of it.

    def took(self, result: GameResult) -> bool:
        """Counts a game; True where it made its block whole."""
        return self._count(
            Played(result.cell_id, result.block, result.permutation, result.engines, result.scores)
        )

    def over(self, block: Block) -> None:
        """Nothing of a block is being played any more; what is missing of it comes later."""
        open_ = self._open.get(block.number)
        if open_ is None:
            return
        open_.going = False
        if not open_.games and block.number == self._numbered - 1:
            # Nothing of it was played, and none came after it: the number is free again.
            del self._open[block.number]
            open_.cell.begun -= 1
            self._numbered -= 1

    def is_open(self, cell: str, block: int) -> bool:
        """Whether some games of a block are still to be played."""
        return block in self._open and self._open[block].cell.row.cell_id == cell

    def restore(
        self, cells: Sequence[CellRow], games: Sequence[Played], specs: dict[str, EngineSpec]
    ) -> None:
        """Takes up what is on file. `specs` are the engines by id, those out of play included."""
        self._filed = list(cells)
        for row in cells:
            if not set(row.lineup) <= specs.keys():
                continue  # a reference engine of another release: its games count, but no new ones
            lineup = tuple(specs[engine] for engine in row.lineup)
            self._cells[row.cell_id] = _Cell(row, lineup, rotations(lineup))
        for played in games:
            self._numbered = max(self._numbered, played.block + 1)
            if played.cell_id in self._cells:
                if played.block not in self._open:
                    self._open[played.block] = _Open(self._cells[played.cell_id])
                    self._cells[played.cell_id].begun += 1
                self._count(played)

    def _count(self, played: Played) -> bool:
        open_ = self._open.get(played.block)
        if open_ is None:
            return False  # doubled: the block was whole before
        cell = open_.cell
        first = cell.lineup[0].id
        mine = [s for e, s in zip(played.engines, played.scores, strict=True) if e == first]
        theirs = [s for e, s in zip(played.engines, played.scores, strict=True) if e != first]
        open_.games[played.permutation] = (sum(mine) / len(mine), sum(theirs) / len(theirs))
        if len(open_.games) < len(cell.seatings):
            return False
        del self._open[played.block]
        other = next(engine.id for engine in cell.lineup if engine.id != first)
        one, two = self.entrants.get(first), self.entrants.get(other)
        if one is None or two is None:
            return True
        for i, j, sign in ((one.number, two.number, 1), (two.number, one.number, -1)):
            share = sum(0.5 + sign * (a - b) / 2 for a, b in open_.games.values())
            self._games[i, j] += len(open_.games)
            self._points[i, j] += min(float(len(open_.games)), max(0.0, share))
        one.blocks += 1
        two.blocks += 1
        self._news += 1
        return True

    # For the ledger.

    def sweep_row(self, created: str) -> SweepRow:
        """The standing play as the ledger files it."""
        return SweepRow(
            sweep_id=self.sweep_id,
            name=f"standing play: {self.game.label}",
            spec=f"# The standing play of an arena service under {self.game.label}.\n",
            seed=0,  # the real one is the service's secret
            plan_digest=self.sweep_id,  # a plan without an end has no other
            created=created,
        )

    def cell_rows(self, first: int = 0) -> list[CellRow]:
        """The cells that are on file, or are to be, from a position on."""
        return self._filed[first:]
