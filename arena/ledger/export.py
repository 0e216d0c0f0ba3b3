"""Results out: JSON lines and Parquet.

Both hold every result of a sweep; `counted` is false for those of half-finished and void
blocks, which are no part of any statistic.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from arena._core import Termination
from arena.games import Record, Seat
from arena.ledger.codec import json_to_told, told_to_json
from arena.ledger.result import GameResult
from arena.ledger.rows import LedgerError
from arena.ledger.store import Ledger

_ROWS = 50_000
"""Rows in one row group of a Parquet file."""


def export_jsonl(ledger: Ledger, sweep_id: str, path: str | Path) -> int:
    """Write a sweep, records included, as one JSON object a line; return the number of lines.

    Raises LedgerError where the ledger or the file fails; the file appears whole or not at all.
    """
    count = 0
    with _whole_file(Path(path)) as part, part.open("w", encoding="utf-8") as file:
        for row, result in _rows(ledger, sweep_id):
            record = result.record.to_json() if result.record else None
            measures = dict(result.measures)
            full = {
                **row,
                "measures": measures,
                "record": record,
                "moves_ms": result.moves_ms,
                "notes": result.notes,
                "told": told_to_json(result.told),
            }
            file.write(json.dumps(full, ensure_ascii=True, separators=(",", ":")) + "\n")
            count += 1
    return count


def read_line(data: Mapping[str, Any]) -> GameResult:
    """A game of its line of `export_jsonl`. Raises ValueError naming what is missing or wrong."""
    try:
        return GameResult(
            game_id=str(data["game_id"]),
            sweep_id=str(data["sweep_id"]),
            cell_id=str(data["cell_id"]),
            block=int(data["block"]),
            permutation=int(data["permutation"]),
            rulebook=str(data["rulebook"]),
            rules_digest=str(data["rules_digest"]),
            engines=tuple(map(str, data["engines"])),
            scores=tuple(map(float, data["scores"])),
            places=tuple(map(int, data["places"])),
            sides=tuple(map(int, data["sides"])),
            roles=tuple(map(str, data["roles"])),
            termination=Termination[data["termination"]],
            culprit=None if data["culprit"] is None else Seat(int(data["culprit"])),
            plies=int(data["plies"]),
            measures=tuple((str(name), float(x)) for name, x in data["measures"].items()),
            worker=str(data["worker"]),
            seconds=float(data["seconds"]),
            record=Record.from_json(data["record"]) if data["record"] else None,
            moves_ms=tuple((int(spent), int(network)) for spent, network in data["moves_ms"]),
            notes=tuple(map(str, data["notes"])),
            told=json_to_told(data["told"]),
        )
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is missing or unknown") from None
    except (TypeError, AttributeError) as error:
        raise ValueError(str(error)) from None


def export_parquet(ledger: Ledger, sweep_id: str, path: str | Path) -> int:
    """Write a sweep as a Parquet table without records; return the number of rows.

    Raises LedgerError where the ledger or the file fails; the file appears whole or not at all.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema(
        {
            "game_id": pa.string(),
            "sweep_id": text,
            "cell_id": text,
            "rulebook": text,
            "rules_digest": text,
            "block": pa.int64(),
            "permutation": pa.int32(),
            "counted": pa.bool_(),
            "engines": pa.list_(pa.string()),
            "scores": pa.list_(pa.float64()),
            "places": pa.list_(pa.int32()),
            "sides": pa.list_(pa.int32()),
            "roles": pa.list_(pa.string()),
            "termination": text,
            "culprit": pa.int32(),
            "plies": pa.int32(),
            "worker": text,
            "seconds": pa.float64(),
            "measures": pa.map_(pa.string(), pa.float64()),
        }
    )
    count = 0
    rows = ({**row, "measures": list(result.measures)} for row, result in _rows(ledger, sweep_id))
    with _whole_file(Path(path)) as part, pq.ParquetWriter(part, schema) as writer:
        while page := list(islice(rows, _ROWS)):
            writer.write_table(pa.Table.from_pylist(page, schema=schema))
            count += len(page)
    return count


@contextmanager
def _whole_file(path: Path) -> Iterator[Path]:
    """A path to write to that becomes `path` when all went well.

    A link, a pipe or a device (`/dev/stdout`) is written through: it must not be replaced.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        try:
            yield path
        except OSError as error:
            raise LedgerError(f"{path}: cannot write: {error.strerror or error}") from error
        return
    part = path.with_name(path.name + ".part")
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise LedgerError(f"{path}: cannot write: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def _rows(ledger: Ledger, sweep_id: str) -> Iterator[tuple[dict[str, Any], GameResult]]:
    """Every result, and its narrow columns as a row."""
    done = ledger.complete_blocks(sweep_id)
    for result in ledger.results(sweep_id):
        row = {
            "game_id": result.game_id,
            "sweep_id": result.sweep_id,
            "cell_id": result.cell_id,
            "rulebook": result.rulebook,
            "rules_digest": result.rules_digest,
            "block": result.block,
            "permutation": result.permutation,
            "counted": bool(done[result.cell_id][result.block]),
            "engines": list(result.engines),
            "scores": list(result.scores),
            "places": list(result.places),
            "sides": list(result.sides),
            "roles": list(result.roles),
            "termination": result.termination.name,
            "culprit": result.culprit,
            "plies": result.plies,
            "worker": result.worker,
            "seconds": result.seconds,
        }
        yield row, result
