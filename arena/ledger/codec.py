"""Values to rows and back: cells, endings, records."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from arena._core import Termination
from arena.games import Record, Seat
from arena.ledger.result import GameResult, Policies, Told
from arena.ledger.rows import CellRow, LedgerError


def dumps(value: object) -> str:
    """Canonical JSON in ASCII: stderr tails and names may hold anything, NUL included."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def key64(text: str) -> int:
    """A signed 64-bit key that is the same in every ledger."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


class Ending(NamedTuple):
    """How a game ended: what takes few distinct values over many games."""

    termination: Termination
    culprit: Seat | None
    scores: tuple[float, ...]
    places: tuple[int, ...]
    sides: tuple[int, ...]
    roles: tuple[str, ...]

    @classmethod
    def of(cls, result: GameResult) -> Ending:
        """The ending of a result."""
        return cls(
            result.termination,
            result.culprit,
            result.scores,
            result.places,
            result.sides,
            result.roles,
        )

    def problem(self, seats: int) -> str | None:
        """What is wrong with it for a game of so many seats, or None."""
        for name in ("scores", "places", "sides", "roles"):
            if len(getattr(self, name)) != seats:
                return f"{name} has {len(getattr(self, name))} values; the cell has {seats} seats"
        if not all(math.isfinite(x) and 0 <= x <= 1 for x in self.scores):
            return f"scores {self.scores} must lie in [0, 1]"
        if not all(1 <= place <= seats for place in self.places):
            return f"places {self.places} must lie in 1 to {seats}"
        if self.culprit is not None and not 0 <= self.culprit < seats:
            return f"culprit {self.culprit} is no seat; seats are 0 to {seats - 1}"
        return None

    def row(self) -> dict[str, Any]:
        """The row of table `endings`."""
        row = {
            "termination": self.termination.name,
            "culprit": self.culprit,
            "scores": dumps([float(x) for x in self.scores]),
            "places": dumps(self.places),
            "sides": dumps(self.sides),
            "roles": dumps(self.roles),
        }
        return {"ending_key": key64(dumps(row)), **row}

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Ending:
        """From a row. Raises LedgerError for a cause of game end that this build lacks."""
        try:
            termination = Termination[row["termination"]]
        except KeyError:
            raise LedgerError(
                f"endings: termination '{row['termination']}' is unknown to this version of arena"
            ) from None
        return cls(
            termination,
            None if row["culprit"] is None else Seat(row["culprit"]),
            tuple(json.loads(row["scores"])),
            tuple(json.loads(row["places"])),
            tuple(json.loads(row["sides"])),
            tuple(json.loads(row["roles"])),
        )


def measures_to_row(result: GameResult) -> tuple[dict[str, Any] | None, bytes | None]:
    """The row of table `measures` that names a result's numbers, and the numbers.

    Raises LedgerError for a number that is not finite or a name given twice.
    """
    if not result.measures:
        return None, None
    names = [name for name, _ in result.measures]
    numbers = [float(number) for _, number in result.measures]
    if len(set(names)) < len(names) or not all(math.isfinite(number) for number in numbers):
        raise LedgerError(
            f"game {result.game_id}: measures {dict(result.measures)}: finite numbers, a name once"
        )
    text = dumps(names)
    return {"measures_key": key64(text), "names": text}, struct.pack(f"<{len(numbers)}d", *numbers)


def row_to_measures(names: str | None, numbers: bytes | None) -> tuple[tuple[str, float], ...]:
    """The inverse of `measures_to_row`."""
    if names is None or numbers is None:
        return ()
    values = struct.unpack(f"<{len(numbers) // 8}d", numbers)
    return tuple(zip(json.loads(names), values, strict=True))


@dataclass(frozen=True, slots=True)
class Kept:
    """The wide part of a result."""

    record: Record | None
    moves_ms: tuple[tuple[int, int], ...]
    notes: tuple[str, ...]
    policies: Policies = ()
    told: tuple[Told | None, ...] = ()


def cell_to_row(cell: CellRow) -> dict[str, Any]:
    """The row of table `cells`, its key left to the database."""
    return {
        "sweep_id": cell.sweep_id,
        "cell_id": cell.cell_id,
        "position": cell.index,
        "rulebook": cell.rulebook,
        "family": cell.family,
        "rules_digest": cell.rules_digest,
        "settings": dumps(dict(cell.settings)),
        "seats": cell.seats,
        "lineup": dumps(cell.lineup),
        "seatings": dumps(cell.seatings),
        "planned_blocks": cell.planned_blocks,
    }


def row_to_cell(row: Mapping[str, Any]) -> CellRow:
    """The inverse of `cell_to_row`, with what table `stops` says of the cell."""
    return CellRow(
        cell_id=row["cell_id"],
        sweep_id=row["sweep_id"],
        index=row["position"],
        rulebook=row["rulebook"],
        family=row["family"],
        rules_digest=row["rules_digest"],
        settings=json.loads(row["settings"]),
        seats=row["seats"],
        lineup=tuple(json.loads(row["lineup"])),
        seatings=tuple(tuple(seating) for seating in json.loads(row["seatings"])),
        planned_blocks=(
            row["planned_blocks"] if row["stop_blocks"] is None else row["stop_blocks"]
        ),
        stop=row["stop_reason"] or "",
    )


def kept_to_row(result: GameResult, cell: CellRow) -> dict[str, Any] | None:
    """The row of table `records` without its key, or None where there is nothing to keep."""
    record = result.record
    if not any((record, result.notes, result.moves_ms, result.policies, result.told)):
        return None
    own_rules = record is not None and dict(record.rules) != dict(cell.settings)
    return {
        "game": record.game if record else None,
        "rules": dumps(dict(record.rules)) if record and own_rules else None,
        "setup": dumps(record.setup) if record else None,
        "moves": dumps(record.moves) if record else None,
        "clocks": dumps(result.moves_ms),
        "notes": dumps(result.notes),
        "policies": dumps(result.policies) if result.policies else None,
        "told": dumps(told_to_json(result.told)) if result.told else None,
    }


def row_to_kept(row: Mapping[str, Any], cell: CellRow) -> Kept:
    """The inverse of `kept_to_row`."""
    if row["notes"] is None:  # an outer join that found no record
        return Kept(None, (), ())
    record = None
    if row["game"] is not None:
        moves = tuple((Seat(seat), move) for seat, move in json.loads(row["moves"]))
        rules = json.loads(row["rules"]) if row["rules"] else dict(cell.settings)
        record = Record(row["game"], rules, json.loads(row["setup"]), moves)
    clocks = tuple((charged, allowed) for charged, allowed in json.loads(row["clocks"]))
    policies = tuple(
        (at, tuple((move, chance) for move, chance in law))
        for at, law in json.loads(row["policies"] or "[]")
    )
    told = json_to_told(json.loads(row["told"] or "[]"))
    return Kept(record, clocks, tuple(json.loads(row["notes"])), policies, told)


def told_to_json(told: Sequence[Told | None]) -> list[Any]:
    """Logs of what seats were told as plain lists; null for a seat that was told nothing."""
    return [one and [one.plies, one.links, one.head, one.flips, one.words] for one in told]


def json_to_told(lists: Any) -> tuple[Told | None, ...]:
    """The inverse of `told_to_json`. Raises ValueError for anything else."""
    try:
        return tuple(one and _told(*one) for one in lists)
    except (TypeError, ValueError):
        raise ValueError(
            "told: by seat null or [plies, links, head, flips, words], as `arena export` writes it"
        ) from None


def _told(plies: Any, links: Any, head: Any, flips: Any, words: Any) -> Told:
    return Told(
        tuple(map(int, plies)),
        bytes.fromhex(links).hex(),
        bytes.fromhex(head).hex(),
        tuple(map(int, flips)),
        tuple(
            (int(number), tuple(map(int, offers)), str(refused), str(answer))
            for number, offers, refused, answer in words
        ),
    )
