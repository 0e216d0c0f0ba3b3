"""The ledger: register a plan, put results, read tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    ARRAY,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Table,
    and_,
    bindparam,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from arena._core import Termination
from arena.ledger import read, schema
from arena.ledger.claim import claim
from arena.ledger.codec import Ending, cell_to_row, kept_to_row, key64, measures_to_row
from arena.ledger.connect import connect, guard, lock
from arena.ledger.read import KeyedCell
from arena.ledger.result import GameResult
from arena.ledger.rows import CellRow, LedgerError, OpenBlock, ReplayedBlock, SweepRow, VoidBlock
from arena.ledger.table import GameTable, table_of

_CACHE = 100_000
"""Endings remembered between puts."""


class Ledger:
    """Results at rest. One writer at a time; any number of readers.

    Every method raises LedgerError, naming the ledger, where the database fails; what a
    failed or killed call was about to write is then not there at all.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        """Use `Ledger.open`."""
        self._engine = engine
        self.name = name
        self._cells: dict[tuple[str, str], KeyedCell] = {}
        self._ending_keys: dict[tuple[int, Ending], int] = {}
        self._workers: set[str] = set()
        self._measure_keys: set[int] = set()

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True) -> Self:
        """Open a ledger: a path, "sqlite:///path" or "postgresql://user@host/database".

        With `create`, a missing file, an empty file or an empty database becomes one.
        Raises LedgerError for anything else that is no ledger of this schema.
        """
        return cls(*connect(where, create))

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    @contextmanager
    def playing(
        self, sweep_id: str, on_wait: Callable[[str], None] | None = None
    ) -> Iterator[None]:
        """Keep other runs from playing the same sweep meanwhile, in this process or another.

        Where one is at it, its end is waited for, and `on_wait` told so; without `on_wait` that
        is a LedgerError. The claim of a run that was killed is gone with it.
        """
        with ExitStack() as held:
            with guard(self.name):
                held.enter_context(claim(self._engine, sweep_id, on_wait))
            yield

    # -- writing ---------------------------------------------------------------------

    def register(self, sweep: SweepRow, cells: Sequence[CellRow], *, grows: bool = False) -> None:
        """File a plan. Idempotent; another plan under the same id is an error saying what.

        A plan that `grows` may have more cells than before, or not yet as many.
        """
        for cell in cells:
            _check_cell(cell, sweep)
        with self._writing() as connection:
            lock(connection)  # two runs may begin at once
            known = {row.sweep_id: row for row in read.load_sweeps(connection)}
            if sweep.sweep_id in known:
                there = [cell.row for cell in read.load_cells(connection, sweep.sweep_id)]
                difference = _difference(known[sweep.sweep_id], sweep, there, cells, grows)
                if difference:
                    raise LedgerError(
                        f"sweep '{sweep.sweep_id}' is there with another plan: {difference}"
                    )
                cells = sorted(cells, key=lambda cell: cell.index)[len(there) :]
                if cells:
                    same = schema.sweeps.c.sweep_id == sweep.sweep_id
                    # The file too: who is absent may have been added since.
                    connection.execute(
                        schema.sweeps.update().where(same),
                        {"plan_digest": sweep.plan_digest, "spec": sweep.spec},
                    )
            else:
                row = {field.name: getattr(sweep, field.name) for field in fields(SweepRow)}
                connection.execute(schema.sweeps.insert(), {**row, "seed": str(sweep.seed)})
            if cells:
                connection.execute(schema.cells.insert(), [cell_to_row(cell) for cell in cells])

    def extend(self, sweep: SweepRow, cells: Sequence[CellRow]) -> None:
        """File further cells of a sweep that grows, which costs the same however many there are.

        Idempotent by cell. Raises LedgerError for a position that another cell has.
        """
        for cell in cells:
            _check_cell(cell, sweep)
        c = schema.cells.c
        with self._writing() as connection:
            lock(connection)
            self._insert_new(connection, schema.cells, [cell_to_row(cell) for cell in cells])
            for cell in cells:
                same = and_(c.sweep_id == sweep.sweep_id, c.cell_id == cell.cell_id)
                found = connection.execute(select(c.cell_key, c.position).where(same)).first()
                if found is None or found.position != cell.index:
                    raise LedgerError(
                        f"cell {cell.cell_id}: position {cell.index} of sweep '{sweep.sweep_id}' "
                        "is another cell's"
                    )
                self._cells[cell.sweep_id, cell.cell_id] = KeyedCell(found.cell_key, cell)

    def put(self, results: Sequence[GameResult]) -> int:
        """Write results in one transaction; return how many were new.

        A game that is there already stays as it was first written, so a doubled or late
        message changes nothing. Raises LedgerError, writing none of the batch, for a result
        that no registered plan asked for.
        """
        if not results:
            return 0
        rows: dict[tuple[int, int, int], dict[str, Any]] = {}
        wide: dict[tuple[int, int, int], dict[str, Any]] = {}
        endings: dict[tuple[int, Ending], dict[str, Any]] = {}
        named: dict[int, dict[str, Any]] = {}
        with self._writing() as connection:
            for result in results:
                cell = self._cell_of(connection, result)
                at = (cell.key, result.block, result.permutation)
                game_id = _game_id(result)
                if at in rows:
                    _require_same(rows[at]["game_id"], game_id, at)
                    continue
                names_row, numbers = measures_to_row(result)
                if names_row and names_row["measures_key"] not in self._measure_keys:
                    named[names_row["measures_key"]] = names_row
                rows[at] = {
                    "cell_key": at[0],
                    "block": at[1],
                    "permutation": at[2],
                    "game_id": game_id,
                    "ending_key": self._ending_key(result, cell.row.seats, endings),
                    "plies": result.plies,
                    "worker_key": key64(result.worker),
                    "seconds": float(result.seconds),
                    "measures_key": names_row["measures_key"] if names_row else None,
                    "numbers": numbers,
                }
                kept = kept_to_row(result, cell.row)
                if kept is not None:
                    wide[at] = {"cell_key": at[0], "block": at[1], "permutation": at[2], **kept}
            names = {result.worker for result in results} - self._workers
            self._insert_new(connection, schema.endings, list(endings.values()))
            self._insert_new(connection, schema.measures, list(named.values()))
            self._insert_new(
                connection,
                schema.workers,
                [{"worker_key": key64(name), "name": name} for name in sorted(names)],
            )
            new = self._insert_results(connection, rows)
            self._insert_new(connection, schema.records, [wide[at] for at in wide if at in new])
        # Only now is it certain that they are in the database.
        if len(self._ending_keys) > _CACHE:
            self._ending_keys.clear()
        self._ending_keys.update({at: row["ending_key"] for at, row in endings.items()})
        self._workers |= names
        self._measure_keys |= named.keys()
        return len(new)

    def void(self, sweep_id: str, cell_id: str, block: int, reason: str) -> None:
        """Take a block out of all statistics. Idempotent: the last reason stays."""
        with self._writing() as connection:
            cell = self._cell(connection, sweep_id, cell_id)
            if not 0 <= block < cell.row.planned_blocks:
                raise LedgerError(
                    f"block {block} of cell {cell_id} is not planned; it has blocks 0 to "
                    f"{cell.row.planned_blocks - 1}"
                )
            c = schema.voids.c
            there = and_(c.cell_key == cell.key, c.block == block)
            connection.execute(schema.voids.delete().where(there))
            row = {"cell_key": cell.key, "block": block, "reason": reason}
            connection.execute(schema.voids.insert(), row)

    def unvoid(self, sweep_id: str, cell_id: str, block: int) -> None:
        """Take a void back; the block's results, if any, count again."""
        with self._writing() as connection:
            cell = self._cell(connection, sweep_id, cell_id)
            block_of = _block_of(schema.voids, cell, block)
            connection.execute(schema.voids.delete().where(block_of))

    def replay(self, sweep_id: str, blocks: Iterable[tuple[str, int]], reason: str) -> int:
        """Drop what there is of some (cell id, block), so that the same plan plays them anew.

        Void ones too. That it was done stays in the ledger, see `replayed`; a block without
        any result leaves no trail. Returns how many games were dropped.
        """
        dropped = 0
        with self._writing() as connection:
            for cell_id, block in sorted(set(blocks)):
                cell = self._cell(connection, sweep_id, cell_id)
                trail = read.trail_of(connection, cell, block)
                if trail["games"]:
                    row = {"cell_key": cell.key, "block": block, "reason": reason, **trail}
                    connection.execute(schema.replays.insert(), row)
                    dropped += int(trail["games"])
                for table in (schema.voids, schema.results, schema.records):
                    connection.execute(table.delete().where(_block_of(table, cell, block)))
        return dropped

    def stop(self, sweep_id: str, cell_id: str, blocks: int, reason: str) -> None:
        """Let a cell end after so many blocks of its plan, and drop what is there of later ones.

        Later blocks are no part of the sweep any more: whether some of them were played before
        the decision is an accident of timing that no report may show. Idempotent; another
        number of blocks than before is an error.
        """
        with self._writing() as connection:
            cell = self._cell(connection, sweep_id, cell_id)
            if cell.row.stop and cell.row.planned_blocks == blocks:
                return
            if not 0 <= blocks <= cell.row.planned_blocks or cell.row.stop:
                raise LedgerError(
                    f"cell {cell_id} cannot stop after {blocks} blocks: it has "
                    f"{cell.row.planned_blocks}" + (f" ({cell.row.stop})" if cell.row.stop else "")
                )
            for table in (schema.results, schema.records, schema.voids):
                later = and_(table.c.cell_key == cell.key, table.c.block >= blocks)
                connection.execute(table.delete().where(later))
            row = {"cell_key": cell.key, "blocks": blocks, "reason": reason}
            connection.execute(schema.stops.insert(), row)
            self._cells[sweep_id, cell_id] = KeyedCell(
                cell.key, replace(cell.row, planned_blocks=blocks, stop=reason)
            )

    # -- reading ---------------------------------------------------------------------

    def sweeps(self) -> list[SweepRow]:
        """Every sweep, by creation and id."""
        with self._reading() as connection:
            return read.load_sweeps(connection)

    def cells(self, sweep_id: str) -> list[CellRow]:
        """The cells of a sweep, in plan order. Raises LedgerError for an unknown sweep."""
        with self._reading(sweep_id) as connection:
            return [cell.row for cell in read.load_cells(connection, sweep_id)]

    def complete_blocks(self, sweep_id: str) -> dict[str, NDArray[np.bool_]]:
        """For every cell id a bitmap (planned_blocks,): True where the block is done, not void."""
        found: dict[str, NDArray[np.bool_]] = {}
        with self._reading(sweep_id) as connection:
            void = read.void_blocks(connection, sweep_id)
            for cell in read.load_cells(connection, sweep_id):
                games = read.games_per_block(connection, cell)
                found[cell.row.cell_id] = games == len(cell.row.seatings)
                found[cell.row.cell_id][void.get(cell.key, [])] = False
        return found

    def open_blocks(self, sweep_id: str) -> list[OpenBlock]:
        """The half-finished blocks, in plan order, void ones included."""
        found: list[OpenBlock] = []
        with self._reading(sweep_id) as connection:
            for cell in read.load_cells(connection, sweep_id):
                games, planned = read.games_per_block(connection, cell), len(cell.row.seatings)
                found += [
                    OpenBlock(cell.row.cell_id, int(block), int(games[block]), planned)
                    for block in np.flatnonzero((games > 0) & (games < planned))
                ]
        return found

    def terminations(self, sweep_id: str, *, cell_id: str | None = None) -> dict[Termination, int]:
        """How many games of a sweep, or of a cell of it, ended by each cause.

        Half-finished blocks are included.
        """
        cells, results = schema.cells.c, schema.results.c
        cause = schema.endings.c.termination
        query = (
            select(cause, func.count())
            .join_from(schema.cells, schema.results, results.cell_key == cells.cell_key)
            .join(schema.endings, schema.endings.c.ending_key == results.ending_key)
            .where(cells.sweep_id == sweep_id)
            .group_by(cause)
            .order_by(cause)
        )
        if cell_id is not None:
            query = query.where(cells.cell_id == cell_id)
        with self._reading(sweep_id) as connection:
            return {Termination[name]: games for name, games in connection.execute(query)}

    def voided(self, sweep_id: str) -> list[VoidBlock]:
        """The voided blocks, in plan order."""
        cells, voids = schema.cells.c, schema.voids.c
        query = (
            select(cells.cell_id, voids.block, voids.reason)
            .join_from(schema.cells, schema.voids, voids.cell_key == cells.cell_key)
            .where(cells.sweep_id == sweep_id)
            .order_by(cells.position, voids.block)
        )
        with self._reading(sweep_id) as connection:
            return [VoidBlock(*row) for row in connection.execute(query)]

    def replayed(self, sweep_id: str) -> list[ReplayedBlock]:
        """The blocks that were dropped to be played again, in plan order."""
        with self._reading(sweep_id) as connection:
            return read.replayed_blocks(connection, sweep_id)

    def table(
        self, sweep_id: str | None = None, *, family: str | None = None, rulebooks: str = "*"
    ) -> GameTable:
        """Complete, unvoided blocks of one sweep or of all; `rulebooks` is a glob over labels.

        Cells come by (sweep id, plan order), whatever the order of arrival was.
        """
        with self._reading(sweep_id) as connection:
            chosen = [
                cell
                for cell in read.load_cells(connection, sweep_id)
                if family in (None, cell.row.family) and fnmatchcase(cell.row.rulebook, rulebooks)
            ]
            void = read.void_blocks(connection, sweep_id)
            parts = [
                read.complete_games(connection, cell, void.get(cell.key, [])) for cell in chosen
            ]
            keys = {int(key) for part in parts for key in np.unique(part[:, 2])}
            endings = read.load_endings(connection, sorted(keys))
            measures = [
                read.measures_of(connection, cell, part)
                for cell, part in zip(chosen, parts, strict=True)
            ]
        return table_of([cell.row for cell in chosen], parts, endings, measures)

    def result(self, game_id: str) -> GameResult | None:
        """One game with its record, or None. Reads every row: for people, not for loops."""
        try:
            wanted = bytes.fromhex(game_id)
        except ValueError:
            return None
        results = schema.results.c
        where = select(results.cell_key, results.block, results.permutation)
        with self._reading() as connection:
            row = connection.execute(where.where(results.game_id == wanted)).first()
            if row is None:
                return None
            (cell,) = (c for c in read.load_cells(connection, None) if c.key == row.cell_key)
            query = read.wide_query(cell.key).where(
                results.block == row.block, results.permutation == row.permutation
            )
            return next(read.read_results(connection, cell, query, {}))

    def records(
        self, sweep_id: str, *, cell_id: str | None = None, limit: int | None = None
    ) -> Iterator[GameResult]:
        """Results that have a full record, ordered by (cell, block, permutation)."""
        left = limit
        for result in self._every(sweep_id, cell_id, schema.records.c.game.is_not(None)):
            if left is not None:
                if left <= 0:
                    return
                left -= 1
            yield result

    def drawn(self, sweep_id: str) -> Iterator[GameResult]:
        """The results with a record whose engines said by what chances they drew moves."""
        return self._every(sweep_id, None, schema.records.c.policies.is_not(None))

    def results(self, sweep_id: str, *, cell_id: str | None = None) -> Iterator[GameResult]:
        """Every result of a sweep, half-finished and void blocks included, in plan order."""
        return self._every(sweep_id, cell_id, None)

    # -- inside ----------------------------------------------------------------------

    @contextmanager
    def _reading(self, sweep_id: str | None = None) -> Iterator[Connection]:
        with guard(self.name), self._engine.connect() as connection:
            if sweep_id is not None:
                read.require_sweep(connection, sweep_id)
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with guard(self.name), self._engine.begin() as connection:
            yield connection

    def _every(
        self, sweep_id: str, cell_id: str | None, where: ColumnElement[bool] | None
    ) -> Iterator[GameResult]:
        known: dict[int, Ending] = {}
        with self._reading(sweep_id) as connection:
            for cell in read.load_cells(connection, sweep_id):
                if cell_id in (None, cell.row.cell_id):
                    query = read.wide_query(cell.key)
                    if where is not None:
                        query = query.where(where)
                    yield from read.read_results(connection, cell, query, known)

    def _cell(self, connection: Connection, sweep_id: str, cell_id: str) -> KeyedCell:
        if (sweep_id, cell_id) not in self._cells:
            for cell in read.load_cells(connection, sweep_id):
                self._cells[sweep_id, cell.row.cell_id] = cell
        try:
            return self._cells[sweep_id, cell_id]
        except KeyError:
            raise LedgerError(f"cell '{cell_id}' of sweep '{sweep_id}' is not registered") from None

    def _cell_of(self, connection: Connection, result: GameResult) -> KeyedCell:
        """The cell of a result. Raises LedgerError where its plan did not ask for the game."""
        cell = self._cell(connection, result.sweep_id, result.cell_id)
        row, where = cell.row, f"game {result.game_id}"
        if not 0 <= result.block < row.planned_blocks:
            raise LedgerError(
                f"{where}: block {result.block}; planned are 0 to {row.planned_blocks - 1}"
            )
        if not 0 <= result.permutation < len(row.seatings):
            raise LedgerError(
                f"{where}: permutation {result.permutation}; planned are 0 to "
                f"{len(row.seatings) - 1}"
            )
        planned = row.seatings[result.permutation]
        if result.engines != planned:
            raise LedgerError(f"{where}: engines {list(result.engines)}, planned {list(planned)}")
        if result.rules_digest != row.rules_digest:
            raise LedgerError(
                f"{where}: rules {result.rules_digest}, planned {row.rules_digest} ({row.rulebook})"
            )
        return cell

    def _ending_key(
        self, result: GameResult, seats: int, new: dict[tuple[int, Ending], dict[str, Any]]
    ) -> int:
        at = (seats, Ending.of(result))
        known = self._ending_keys.get(at)
        if known is None and at not in new:
            problem = at[1].problem(seats)
            if problem:
                raise LedgerError(f"game {result.game_id}: {problem}")
            new[at] = at[1].row()
        return int(new[at]["ending_key"]) if known is None else known

    def _insert_new(
        self,
        connection: Connection,
        into: Table,
        rows: Sequence[Mapping[str, Any]],
        *returning: Column[Any],
    ) -> list[tuple[Any, ...]]:
        """Insert the rows that are not there yet, and return of those what is asked for."""
        if not rows:
            return []
        if self._engine.dialect.name == "sqlite":
            plain = sqlite.insert(into).on_conflict_do_nothing()
            done = connection.execute(plain.returning(*returning) if returning else plain, rows)
        else:
            # One array a column: the statement stays small whatever the number of rows.
            columns = [
                func.unnest(bindparam(name, [row[name] for row in rows], ARRAY(into.c[name].type)))
                for name in rows[0]
            ]
            arrays = postgresql.insert(into).from_select(list(rows[0]), select(*columns), False)
            unless = arrays.on_conflict_do_nothing()
            done = connection.execute(unless.returning(*returning) if returning else unless)
        return [tuple(row) for row in done] if returning else []

    def _insert_results(
        self, connection: Connection, rows: Mapping[tuple[int, int, int], dict[str, Any]]
    ) -> set[tuple[Any, ...]]:
        """Insert; return the keys that were new. Where one was there, it must be the same game."""
        c = schema.results.c
        # Sorted: neighbours share a page, and writers that meet lock in one order.
        ordered = [rows[at] for at in sorted(rows)]
        key = (c.cell_key, c.block, c.permutation)
        new = set(self._insert_new(connection, schema.results, ordered, *key))
        for at in sorted(rows.keys() - new):
            game = and_(c.cell_key == at[0], c.block == at[1], c.permutation == at[2])
            there = connection.execute(select(c.game_id).where(game)).scalar_one()
            _require_same(bytes(there), rows[at]["game_id"], at)
        return new


def _block_of(table: Table, cell: KeyedCell, block: int) -> ColumnElement[bool]:
    return and_(table.c.cell_key == cell.key, table.c.block == block)


def _check_cell(cell: CellRow, sweep: SweepRow) -> None:
    where = f"cell {cell.index} ({cell.rulebook})"
    if cell.sweep_id != sweep.sweep_id:
        raise LedgerError(f"{where}: belongs to sweep '{cell.sweep_id}', not '{sweep.sweep_id}'")
    if not cell.seatings or any(len(seating) != cell.seats for seating in cell.seatings):
        raise LedgerError(f"{where}: every seating needs {cell.seats} engines: {cell.seatings}")
    if cell.planned_blocks < 0:
        raise LedgerError(f"{where}: planned_blocks is {cell.planned_blocks}; 0 or more is right")


def _difference(
    known: SweepRow,
    sweep: SweepRow,
    there: Sequence[CellRow],
    cells: Sequence[CellRow],
    grows: bool,
) -> str | None:
    """What differs between a registered plan and another, or None."""
    if known.seed != sweep.seed:
        return f"its seed is {known.seed}, now {sweep.seed}"
    ordered = sorted(cells, key=lambda cell: cell.index)
    for old, new in zip(there, ordered, strict=False):
        for field in fields(CellRow):
            if old.stop and field.name in ("planned_blocks", "stop"):
                continue  # what a stop left of the plan; the plan's digest holds the rest
            a, b = getattr(old, field.name), getattr(new, field.name)
            if a != b:
                return f"{field.name} of cell {old.index} ({old.rulebook}) is {a}, now {b}"
    if grows:
        return None
    if len(there) != len(ordered):
        return f"it has {len(there)} cells, now {len(ordered)}"
    if known.plan_digest != sweep.plan_digest:
        return f"its plan digest is {known.plan_digest}, now {sweep.plan_digest}"
    return None


def _game_id(result: GameResult) -> bytes:
    try:
        game_id = bytes.fromhex(result.game_id)
    except ValueError:
        game_id = b""
    if len(game_id) != 16:
        raise LedgerError(f"game id '{result.game_id}' must be 32 hex digits")
    return game_id


def _require_same(there: bytes, new: bytes, at: tuple[int, int, int]) -> None:
    if there != new:
        raise LedgerError(
            f"block {at[1]} permutation {at[2]} is game {there.hex()} already, not {new.hex()}: "
            "the identity of a game must follow from its plan"
        )
