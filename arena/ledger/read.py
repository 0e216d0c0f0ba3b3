"""Queries of the ledger, each over an open connection."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, and_, func, select

from arena.ledger import schema
from arena.ledger.codec import Ending, dumps, row_to_cell, row_to_kept, row_to_measures
from arena.ledger.result import GameResult
from arena.ledger.rows import CellRow, LedgerError, ReplayedBlock, SweepRow

_CHUNK = 500
"""Keys in one IN list; every database takes as many."""

_FETCH = 20_000
"""Narrow rows held at a time."""


@dataclass(frozen=True, slots=True)
class KeyedCell:
    """A cell and its key in this ledger."""

    key: int
    row: CellRow


def load_sweeps(connection: Connection) -> list[SweepRow]:
    """Every sweep, by creation and id."""
    query = select(schema.sweeps).order_by(schema.sweeps.c.created, schema.sweeps.c.sweep_id)
    return [
        SweepRow(row.sweep_id, row.name, row.spec, int(row.seed), row.plan_digest, row.created)
        for row in connection.execute(query)
    ]


def require_sweep(connection: Connection, sweep_id: str) -> None:
    """Raise LedgerError, with the sweeps there are, for an unknown one."""
    known = sorted(sweep.sweep_id for sweep in load_sweeps(connection))
    if sweep_id not in known:
        raise LedgerError(f"no sweep '{sweep_id}'; there are: {', '.join(known) or 'none'}")


def load_cells(connection: Connection, sweep_id: str | None) -> list[KeyedCell]:
    """Cells by (sweep id, plan order)."""
    cells, stops = schema.cells, schema.stops
    query = (
        select(cells, stops.c.blocks.label("stop_blocks"), stops.c.reason.label("stop_reason"))
        .join_from(cells, stops, stops.c.cell_key == cells.c.cell_key, isouter=True)
        .order_by(cells.c.sweep_id, cells.c.position)
    )
    if sweep_id is not None:
        query = query.where(schema.cells.c.sweep_id == sweep_id)
    found = [
        KeyedCell(row.cell_key, row_to_cell(row._asdict())) for row in connection.execute(query)
    ]
    # Databases collate text differently; Python's order is the one that reports follow.
    return sorted(found, key=lambda cell: (cell.row.sweep_id, cell.row.index))


def games_per_block(connection: Connection, cell: KeyedCell) -> NDArray[np.int64]:
    """(planned_blocks,) how many games of each block are there."""
    query = select(schema.results.c.block).where(schema.results.c.cell_key == cell.key)
    stream = connection.execution_options(yield_per=_FETCH).execute(query)
    blocks = np.fromiter(chain.from_iterable(stream), dtype=np.int64)
    return np.bincount(blocks, minlength=cell.row.planned_blocks).astype(np.int64)


def void_blocks(connection: Connection, sweep_id: str | None) -> dict[int, list[int]]:
    """Voided block numbers by cell key."""
    query = select(schema.voids.c.cell_key, schema.voids.c.block)
    if sweep_id is not None:
        query = query.join(schema.cells, schema.cells.c.cell_key == schema.voids.c.cell_key).where(
            schema.cells.c.sweep_id == sweep_id
        )
    found: dict[int, list[int]] = {}
    for row in connection.execute(query):
        found.setdefault(row.cell_key, []).append(row.block)
    return found


def complete_games(
    connection: Connection, cell: KeyedCell, void: Sequence[int]
) -> NDArray[np.int64]:
    """(games, 4) ordered rows of block, permutation, ending key, plies.

    Half-finished and void blocks are left out.
    """
    c = schema.results.c
    query = (
        select(c.block, c.permutation, c.ending_key, c.plies)
        .where(c.cell_key == cell.key)
        .order_by(c.block, c.permutation)
    )
    stream = connection.execution_options(yield_per=_FETCH).execute(query)
    games = np.fromiter(chain.from_iterable(stream), dtype=np.int64).reshape(-1, 4)
    blocks = games[:, 0]
    keep = np.bincount(blocks)[blocks] == len(cell.row.seatings)
    keep &= ~np.isin(blocks, np.array(void, dtype=np.int64))
    whole: NDArray[np.int64] = games[keep]
    return whole


def measures_of(
    connection: Connection, cell: KeyedCell, games: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    """The measures by name of the games of `complete_games`, NaN where a game lacks one."""
    c = schema.results.c
    query = (
        select(c.block, c.permutation, c.measures_key, c.numbers)
        .where(c.cell_key == cell.key, c.measures_key.is_not(None))
        .order_by(c.block, c.permutation)
    )
    m = len(cell.row.seatings)
    wanted = games[:, 0] * m + games[:, 1]
    rows: dict[int, tuple[list[int], list[bytes]]] = {}
    for block, permutation, key, numbers in connection.execution_options(yield_per=_FETCH).execute(
        query
    ):
        at, values = rows.setdefault(key, ([], []))
        at.append(block * m + permutation)
        values.append(numbers)
    found: dict[str, NDArray[np.float64]] = {}
    for key, (at, values) in sorted(rows.items()):
        chosen = select(schema.measures.c.names).where(schema.measures.c.measures_key == key)
        names = json.loads(connection.execute(chosen).scalar_one())
        table = np.frombuffer(b"".join(values), dtype="<f8").reshape(len(values), len(names))
        keys = np.array(at, dtype=np.int64)
        place = np.searchsorted(wanted, keys)
        there = place < len(wanted)
        there[there] = wanted[place[there]] == keys[there]
        for column, name in enumerate(names):
            into = found.setdefault(name, np.full(len(games), np.nan))
            into[place[there]] = table[there, column]
    return {name: found[name] for name in sorted(found)}


def load_endings(connection: Connection, keys: Sequence[int]) -> dict[int, Ending]:
    """Endings by key."""
    found: dict[int, Ending] = {}
    for start in range(0, len(keys), _CHUNK):
        chosen = schema.endings.c.ending_key.in_(keys[start : start + _CHUNK])
        for row in connection.execute(select(schema.endings).where(chosen)):
            found[row.ending_key] = Ending.read(row._asdict())
    return found


def wide_query(cell_key: int) -> Select[*tuple[Any, ...]]:
    """Results of a cell with what was kept of each, ordered by (block, permutation)."""
    r, k, w = schema.results.c, schema.records.c, schema.workers.c
    same = and_(k.cell_key == r.cell_key, k.block == r.block, k.permutation == r.permutation)
    named = schema.measures.c.measures_key == r.measures_key
    tables = (
        schema.results.join(schema.records, same, isouter=True)
        .join(schema.workers, w.worker_key == r.worker_key)
        .join(schema.measures, named, isouter=True)
    )
    result = (r.block, r.permutation, r.game_id, r.ending_key, r.plies, r.seconds, r.numbers)
    kept = (k.game, k.rules, k.setup, k.moves, k.clocks, k.notes, k.policies, k.told)
    return (
        select(*result, w.name.label("worker"), schema.measures.c.names, *kept)
        .select_from(tables)
        .where(r.cell_key == cell_key)
        .order_by(r.block, r.permutation)
    )


def read_results(
    connection: Connection,
    cell: KeyedCell,
    query: Select[*tuple[Any, ...]],
    known: dict[int, Ending],
) -> Iterator[GameResult]:
    """The results of a `wide_query`; `known` remembers endings between calls."""
    stream = connection.execution_options(yield_per=1000).execute(query)
    for page in stream.partitions():
        missing = {row.ending_key for row in page} - known.keys()
        known.update(load_endings(connection, sorted(missing)))
        for row in page:
            yield _result(row._asdict(), cell.row, known[row.ending_key])


def _result(row: Mapping[str, Any], cell: CellRow, ending: Ending) -> GameResult:
    kept = row_to_kept(row, cell)
    return GameResult(
        game_id=bytes(row["game_id"]).hex(),
        sweep_id=cell.sweep_id,
        cell_id=cell.cell_id,
        block=row["block"],
        permutation=row["permutation"],
        rulebook=cell.rulebook,
        rules_digest=cell.rules_digest,
        engines=cell.seatings[row["permutation"]],
        scores=ending.scores,
        places=ending.places,
        sides=ending.sides,
        roles=ending.roles,
        termination=ending.termination,
        culprit=ending.culprit,
        plies=row["plies"],
        measures=row_to_measures(row["names"], row["numbers"]),
        worker=row["worker"],
        seconds=row["seconds"],
        record=kept.record,
        moves_ms=kept.moves_ms,
        notes=kept.notes,
        policies=kept.policies,
        told=kept.told,
    )


def trail_of(connection: Connection, cell: KeyedCell, block: int) -> dict[str, Any]:
    """What `Ledger.replay` keeps of a block that it drops."""
    r, w, before = schema.results.c, schema.workers.c, schema.replays.c
    played = (
        select(w.name)
        .join_from(schema.results, schema.workers, w.worker_key == r.worker_key)
        .where(r.cell_key == cell.key, r.block == block)
    )
    names = [row.name for row in connection.execute(played)]
    times = select(func.count()).where(before.cell_key == cell.key, before.block == block)
    return {
        "time": 1 + int(connection.execute(times).scalar_one()),
        "games": len(names),
        "workers": dumps(sorted(set(names))),
    }


def replayed_blocks(connection: Connection, sweep_id: str) -> list[ReplayedBlock]:
    """The trail of a sweep, in plan order."""
    c, t = schema.cells.c, schema.replays.c
    query = (
        select(c.cell_id, t.block, t.time, t.reason, t.games, t.workers)
        .join_from(schema.cells, schema.replays, t.cell_key == c.cell_key)
        .where(c.sweep_id == sweep_id)
        .order_by(c.position, t.block, t.time)
    )
    return [
        ReplayedBlock(*row[:-1], tuple(json.loads(row[-1]))) for row in connection.execute(query)
    ]
