"""Results at rest: one door to SQLite (a path) and PostgreSQL (a URL).

`Ledger`, `GameTable` and the exports are loaded when first asked for, so that a worker,
which only makes `GameResult` values, never loads a database library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from arena.ledger.result import GameResult, Told
from arena.ledger.rows import (
    UNENDING,
    CellRow,
    LedgerError,
    OpenBlock,
    ReplayedBlock,
    SweepRow,
    VoidBlock,
)

if TYPE_CHECKING:
    from arena.ledger.export import export_jsonl, export_parquet
    from arena.ledger.store import Ledger
    from arena.ledger.table import CellGames, GameTable

_LAZY = {
    "Ledger": "store",
    "GameTable": "table",
    "CellGames": "table",
    "export_jsonl": "export",
    "export_parquet": "export",
}

__all__ = [
    "UNENDING",
    "CellGames",
    "CellRow",
    "GameResult",
    "GameTable",
    "Ledger",
    "LedgerError",
    "OpenBlock",
    "ReplayedBlock",
    "SweepRow",
    "Told",
    "VoidBlock",
    "export_jsonl",
    "export_parquet",
]


def __getattr__(name: str) -> object:
    """Load `Ledger` and its kin on first use (PEP 562)."""
    if name not in _LAZY:
        raise AttributeError(f"module 'arena.ledger' has no attribute {name!r}")
    return getattr(import_module(f"arena.ledger.{_LAZY[name]}"), name)
