"""The service's ledger: one thread writes, another reads, the loop waits for neither."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from arena.balance import CellBalance, Correction, balance
from arena.ledger import CellRow, GameResult, GameTable, Ledger, SweepRow
from arena.ledger.table import table_of
from arena.ratings import Leaderboard, leaderboard
from arena.server.errors import not_found
from arena.server.fresh import Fresh

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Played:
    """One game on file, without its record."""

    cell_id: str
    block: int
    permutation: int
    engines: tuple[str, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A ledger that another process writes."""

    ledger: Path
    written: int
    """Games in it."""


_Kept = Fresh[tuple[Path | None, tuple[str | float, ...]], _T]


class Results:
    """What has been played."""

    def __init__(self, where: str) -> None:
        """Opens the ledger, or makes one. Raises LedgerError."""
        self._ledger = Ledger.open(where)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="ledger writer")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="ledger reader")
        self._boards: _Kept[Leaderboard] = Fresh()
        self._balances: _Kept[list[CellBalance]] = Fresh()
        self.written = 0
        """Games written so far."""

    async def register(self, sweep: SweepRow) -> None:
        """Files a sweep whose cells come later."""
        await self._write(lambda: self._ledger.register(sweep, [], grows=True))

    async def extend(self, sweep: SweepRow, cells: Sequence[CellRow]) -> None:
        """Files cells of it."""
        await self._write(lambda: self._ledger.extend(sweep, cells))

    async def put(self, result: GameResult) -> None:
        """Files one game."""
        await self._write(lambda: self._ledger.put([result]))
        self.written += 1

    async def played(self, sweep_id: str) -> tuple[list[CellRow], list[Played]]:
        """The cells and games of a sweep; none where it is not on file yet."""

        def load() -> tuple[list[CellRow], list[Played]]:
            if sweep_id not in {row.sweep_id for row in self._ledger.sweeps()}:
                return [], []
            games = [
                Played(r.cell_id, r.block, r.permutation, r.engines, r.scores)
                for r in self._ledger.results(sweep_id)
            ]
            return self._ledger.cells(sweep_id), games

        return await self._read(load)

    async def record(self, game_id: str) -> GameResult | None:
        """One game with its record."""
        return await self._read(lambda: self._ledger.result(game_id))

    async def board(
        self, family: str, rulebooks: str, elsewhere: Elsewhere | None = None
    ) -> Leaderboard:
        """The leaderboard of a family's rulebooks (a glob), some seconds old at most."""

        def fit(table: GameTable) -> Leaderboard:
            return leaderboard(table, family)

        return await self._fresh(self._boards, elsewhere, (family, rulebooks), fit)

    async def balance(
        self,
        family: str,
        rulebooks: str,
        margin: float,
        correction: Correction,
        elsewhere: Elsewhere | None = None,
    ) -> list[CellBalance]:
        """The balance of all cells of a family's rulebooks (a glob), some seconds old at most."""

        def weigh(table: GameTable) -> list[CellBalance]:
            return balance(table, margin, correction)

        key = (family, rulebooks, margin, correction)
        return await self._fresh(self._balances, elsewhere, key, weigh)

    async def _fresh(
        self,
        kept: _Kept[_T],
        elsewhere: Elsewhere | None,
        key: tuple[str | float, ...],
        work: Callable[[GameTable], _T],
    ) -> _T:
        family, rulebooks = str(key[0]), str(key[1])

        def own() -> _T:
            return work(self._ledger.table(family=family, rulebooks=rulebooks))

        if elsewhere is None:
            return await self._read(lambda: kept.get((None, key), self.written, own))

        def others() -> _T:
            if not elsewhere.written:  # it may not be there yet
                return work(table_of([], [], {}, []))
            if not elsewhere.ledger.exists():
                raise not_found("ledger", elsewhere.ledger.stem)
            with Ledger.open(elsewhere.ledger, create=False) as ledger:
                return work(ledger.table(family=family, rulebooks=rulebooks))

        return await self._read(
            lambda: kept.get((elsewhere.ledger, key), elsewhere.written, others)
        )

    async def _write(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, work)

    async def _read(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, work)

    def close(self) -> None:
        """Writes what is on its way, and lets go of the ledger."""
        self._reader.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self._ledger.close()
