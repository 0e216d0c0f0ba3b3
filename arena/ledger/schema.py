"""The tables of a ledger, for both databases.

Results are narrow rows of numbers in the order in which statistics read them: their
primary key is (cell, block, permutation), so a put touches the tails of a few cells
and costs the same at any size. How a game ended (scores, places, sides, roles, cause)
takes few distinct values and is kept once, under a hash of itself; so are the names of
a game's own measures, whose numbers stand in the row.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA = "4"
"""Raised whenever the tables change; a ledger of another schema is brought up by `UPGRADES`, or
refused."""

UPGRADES = {"3": ("4", ("ALTER TABLE records ADD COLUMN told TEXT",))}
"""Schema to the next one and the statements that make it of it."""

metadata = MetaData()

meta = Table(
    "ledger_meta",
    metadata,
    Column("key", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

sweeps = Table(
    "sweeps",
    metadata,
    Column("sweep_id", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("spec", Text, nullable=False),
    Column("seed", Text, nullable=False),  # text: a seed may have 64 unsigned bits
    Column("plan_digest", Text, nullable=False),
    Column("created", Text, nullable=False),
)

cells = Table(
    "cells",
    metadata,
    Column("cell_key", Integer, primary_key=True),
    Column("sweep_id", String(64), ForeignKey("sweeps.sweep_id"), nullable=False),
    Column("cell_id", String(64), nullable=False),
    Column("position", Integer, nullable=False),
    Column("rulebook", Text, nullable=False),
    Column("family", Text, nullable=False),
    Column("rules_digest", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON object
    Column("seats", Integer, nullable=False),
    Column("lineup", Text, nullable=False),  # JSON list
    Column("seatings", Text, nullable=False),  # JSON list of lists
    Column("planned_blocks", Integer, nullable=False),
    UniqueConstraint("sweep_id", "cell_id"),
    UniqueConstraint("sweep_id", "position"),
)

endings = Table(
    "endings",
    metadata,
    Column("ending_key", BigInteger, primary_key=True, autoincrement=False),
    Column("termination", Text, nullable=False),
    Column("culprit", Integer),
    Column("scores", Text, nullable=False),  # JSON lists, by seat
    Column("places", Text, nullable=False),
    Column("sides", Text, nullable=False),
    Column("roles", Text, nullable=False),
)

measures = Table(
    "measures",
    metadata,
    Column("measures_key", BigInteger, primary_key=True, autoincrement=False),
    Column("names", Text, nullable=False),  # JSON list
)

workers = Table(
    "workers",
    metadata,
    Column("worker_key", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
)


def _game_key() -> list[Column[int]]:
    return [
        Column("cell_key", Integer, ForeignKey("cells.cell_key"), primary_key=True),
        Column("block", BigInteger, primary_key=True, autoincrement=False),
        Column("permutation", Integer, primary_key=True, autoincrement=False),
    ]


results = Table(
    "results",
    metadata,
    *_game_key(),
    Column("game_id", LargeBinary(16), nullable=False),
    Column("ending_key", BigInteger, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("worker_key", BigInteger, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("measures_key", BigInteger),  # null where the game has none
    Column("numbers", LargeBinary),  # of those names: 64-bit floats, little-endian
    sqlite_with_rowid=False,
)

records = Table(
    "records",
    metadata,
    *_game_key(),
    Column("game", Text),  # null where only notes were kept
    Column("rules", Text),  # JSON; null where they are the cell's settings
    Column("setup", Text),
    Column("moves", Text),  # JSON list of [seat, move]
    Column("clocks", Text, nullable=False),  # JSON list of [charged, allowed] milliseconds
    Column("notes", Text, nullable=False),  # JSON list
    Column("policies", Text),  # JSON list of [move's number, [[text, probability], …]]; or null
    Column(
        "told", Text
    ),  # JSON list by seat of [plies, links, head, flips, words] or null; or null
    sqlite_with_rowid=False,
)

stops = Table(
    "stops",
    metadata,
    Column("cell_key", Integer, ForeignKey("cells.cell_key"), primary_key=True),
    Column("blocks", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    sqlite_with_rowid=False,
)

voids = Table(
    "voids",
    metadata,
    Column("cell_key", Integer, ForeignKey("cells.cell_key"), primary_key=True),
    Column("block", BigInteger, primary_key=True, autoincrement=False),
    Column("reason", Text, nullable=False),
    sqlite_with_rowid=False,
)

replays = Table(
    "replays",
    metadata,
    Column("cell_key", Integer, ForeignKey("cells.cell_key"), primary_key=True),
    Column("block", BigInteger, primary_key=True, autoincrement=False),
    Column("time", Integer, primary_key=True, autoincrement=False),  # 1, 2, …
    Column("reason", Text, nullable=False),
    Column("games", Integer, nullable=False),  # that were dropped
    Column("workers", Text, nullable=False),  # JSON list: who had played them
    sqlite_with_rowid=False,
)
