"""Results out: JSON lines and Parquet."""

from __future__ import annotations

from pathlib import Path

from arena.ledger.store import Ledger


def export_jsonl(ledger: Ledger, sweep_id: str, path: str | Path) -> int:
    """Write every result of a sweep, records included, one JSON object a line; the count."""
    raise NotImplementedError


def export_parquet(ledger: Ledger, sweep_id: str, path: str | Path) -> int:
    """Write every result of a sweep as a Parquet table without records; the count."""
    raise NotImplementedError
