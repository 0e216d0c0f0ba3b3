"""The tables of the service's database. Results are not here but in a ledger."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from arena.ledger.connect import Kind

metadata = MetaData()

meta = Table(
    "service_meta",
    metadata,
    Column("key", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

tokens = Table(
    "service_tokens",
    metadata,
    Column("token_id", String(16), primary_key=True),
    Column("digest", LargeBinary(32), nullable=False),  # SHA-256 of the secret
    Column("account", Text, nullable=False),
    Column("scopes", Text, nullable=False),  # words joined by blanks
    Column("note", Text, nullable=False),
    Column("created", BigInteger, nullable=False),  # all times: seconds since 1970, UTC
    Column("expires", BigInteger),  # null: never
    Column("revoked", BigInteger),  # null: not
)

names = Table(
    "service_names",
    metadata,
    # As `names.folded` makes it: names that look alike are one name, and it has one owner.
    Column("folded", String(400), primary_key=True),
    Column("name", Text, nullable=False),
    Column("account", Text, nullable=False),
)

engines = Table(
    "service_engines",
    metadata,
    Column("position", Integer, primary_key=True),  # in order of submission
    Column("engine_id", String(16), nullable=False, unique=True),
    Column("folded", String(400), ForeignKey("service_names.folded"), nullable=False),
    Column("version", String(200), nullable=False),
    Column("account", Text, nullable=False),
    Column("description", LargeBinary, nullable=False),  # a DescribeResponse
    Column("access", LargeBinary, nullable=False),  # an Access
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("submitted", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    UniqueConstraint("folded", "version"),
    Index("service_engines_by_account", "account", "submitted"),
)

sweeps = Table(
    "service_sweeps",
    metadata,
    Column("position", Integer, primary_key=True),  # in order of first launch
    Column("sweep_id", String(16), nullable=False, unique=True),
    Column("account", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", String(64), nullable=False),  # of the plan
    Column("games", BigInteger, nullable=False),  # planned
    Column("done", BigInteger, nullable=False),  # played so far
    Column("totals", Text, nullable=False),  # a `Tally` of one cell that stands for all, as JSON
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("launched", BigInteger, nullable=False),  # the last time
    Column("ended", BigInteger),  # null: waiting or running
    # What a list of sweeps does without:
    Column("toml", Text, nullable=False),
    Column("plan", Text, nullable=False),  # a `Planned` as JSON
    Column("tally", Text, nullable=False),  # a `Tally` as JSON
    Column("remarks", Text, nullable=False),  # on the end of the last run: a list as JSON
    UniqueConstraint("account", "digest"),
    Index("service_sweeps_by_state", "state"),
)

audit = Table(
    "service_audit",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("account", Text, nullable=False),
    Column("token_id", String(16), nullable=False),  # empty: the command line, or the arena itself
    Column("action", String(32), nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text, nullable=False),
)

SERVICE = Kind("service database", metadata, meta, "1", "`arena token new` makes one")
"""What `arena.ledger.connect.connect` has to know of it."""
