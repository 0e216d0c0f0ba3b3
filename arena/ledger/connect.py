"""Opening a database, and saying plainly why it cannot be opened."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    MetaData,
    Table,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from arena.ledger.rows import LedgerError
from arena.ledger.schema import SCHEMA, UPGRADES, meta, metadata

_SQLITE_MAGIC = b"SQLite format 3\x00"
_PATIENCE_S = 30
"""For others who write to the same file."""

_LOCK = 0x6172656E61  # any number that all versions of arena agree on


@dataclass(frozen=True, slots=True)
class Kind:
    """What a database of ours holds: its tables, and the words for it in errors."""

    noun: str
    metadata: MetaData
    meta: Table
    """Of (key, value): says under "schema" which tables there are."""

    schema: str
    made_by: str
    """What makes one."""

    upgrades: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)
    """Older schemas that are brought up on opening: the next schema, and statements."""

    @property
    def forms(self) -> str:
        """How one is named."""
        return f"a {self.noun} is a file path, sqlite:///path or postgresql://user@host/database"


LEDGER = Kind("ledger", metadata, meta, SCHEMA, "`arena sweep` makes one", UPGRADES)


def connect(where: str | Path, create: bool, kind: Kind = LEDGER) -> tuple[Engine, str]:
    """An engine whose database is one of this kind and schema, and a name without passwords.

    Raises LedgerError.
    """
    url, name = _parse(where, kind)
    with guard(name):
        if url.get_backend_name() == "sqlite":
            _check_file(url, name, create, kind)
            # A put's statement is as long as its batch and may be prepared again: keeping many
            # would make a long sweep grow.
            url = _for_reading(url) if not create else url
            engine = create_engine(
                url, connect_args={"timeout": _PATIENCE_S, "cached_statements": 8}
            )
            event.listen(engine, "connect", _tune_sqlite)
        else:
            engine = _postgresql(url, name)
        try:
            _prepare(engine, name, create, kind)
        except BaseException:
            engine.dispose()
            raise
    return engine, name


@contextmanager
def guard(name: str) -> Iterator[None]:
    """Turn any failure of the database into a LedgerError, and name it in every one."""
    try:
        yield
    except LedgerError as error:
        if str(error).startswith(f"{name}: "):
            raise
        raise LedgerError(f"{name}: {error}") from None
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise LedgerError(f"{name}: {reason}{_advice(reason)}") from error
    except OSError as error:
        where = f"{error.filename}: " if error.filename and str(error.filename) != name else ""
        raise LedgerError(f"{name}: {where}{error.strerror or error}") from error


def _advice(reason: str) -> str:
    if "locked" in reason:
        return "; another process is writing to it: there is one writer at a time"
    if "full" in reason or "No space" in reason:
        return "; free some space and run the same command again: nothing was half-written"
    if "disk I/O" in reason:
        return (
            "; the disk may be full, over quota or broken: see to it and run the same command "
            "again: nothing was half-written"
        )
    if "readonly" in reason or "unable to open" in reason:
        return "; this user may not write there, or nobody may"
    if "not a database" in reason or "malformed" in reason:
        return "; the file is damaged, or no ledger or other database of arena"
    return ""


def _parse(where: str | Path, kind: Kind) -> tuple[URL, str]:
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite", database=str(where)), str(where)
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        shown = re.sub(r":[^:@/]*@", ":***@", where)  # as SQLAlchemy hides a password
        raise LedgerError(f"{shown}: not a URL; {kind.forms}") from None
    name = url.render_as_string(hide_password=True)
    scheme = url.drivername.partition("+")[0]
    if scheme in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg"), name
    if scheme == "sqlite" and url.database:
        return url.set(drivername="sqlite"), name
    raise LedgerError(f"{name}: no such kind of {kind.noun}; {kind.forms}")


def _check_file(url: URL, name: str, create: bool, kind: Kind) -> None:
    path = Path(str(url.database))
    if path.is_dir():
        raise LedgerError(f"{name}: is a folder; a {kind.noun} is one file in it")
    if path.exists() and not path.is_file():
        raise LedgerError(f"{name}: is no file (a device or a pipe); {kind.forms}")
    if not path.exists():
        if not create:
            raise LedgerError(f"{name}: no such {kind.noun}; {kind.made_by}")
        path.parent.mkdir(parents=True, exist_ok=True)
        return
    with path.open("rb") as file:
        head = file.read(len(_SQLITE_MAGIC))
    if head and head != _SQLITE_MAGIC:
        raise LedgerError(f"{name}: is no {kind.noun} (not an SQLite database); {kind.forms}")


def _for_reading(url: URL) -> URL:
    """A ledger where we may not write: as a file that nobody changes, without helper files."""
    path = Path(str(url.database))
    log = Path(f"{path}-wal")
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return url
    if log.exists() and log.stat().st_size:
        return url  # a run is writing it, or was killed: only with its log is it whole
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    return url.set(database=path.resolve().as_uri(), query=query)


def _tune_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    # With the write-ahead log NORMAL survives `kill -9` whole; only a power cut may lose
    # the last puts, and the same command plays those again.
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA cache_size=-4096")  # 4 MiB: a long sweep keeps its size
    cursor.close()


def _postgresql(url: URL, name: str) -> Engine:
    try:
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
    except ImportError:
        raise LedgerError(f"{name}: needs psycopg: pip install 'leitai[postgres]'") from None


def _prepare(engine: Engine, name: str, create: bool, kind: Kind) -> None:
    with engine.connect() as connection:
        found = _schema_of(connection, kind)
        if found is None and create:
            found = _create(connection, name, kind)
        if found in kind.upgrades:
            found = _upgrade(connection, name, kind, found)
    noun, schema = kind.noun, kind.schema
    if found is None:
        raise LedgerError(f"{name}: is no {noun} (it has no table {kind.meta.name})")
    if found != schema:
        raise LedgerError(
            f"{name}: is a {noun} of schema {found}; this version of arena reads schema "
            f"{schema}: open it with the version that wrote it, `arena export`, or start a new one"
        )


def _create(connection: Connection, name: str, kind: Kind) -> str | None:
    # One transaction: a process killed here leaves an empty database, which is none yet.
    connection.rollback()
    if connection.dialect.name == "sqlite":
        _write_ahead(connection)
    lock(connection)
    found = _schema_of(connection, kind)  # another process may have been faster
    if found is None:
        clash = set(inspect(connection).get_table_names())
        if connection.dialect.name != "sqlite":  # a server's database may be shared
            clash &= set(kind.metadata.tables)
        if clash:
            raise LedgerError(
                f"{name}: has a table '{min(clash)}' but is no {kind.noun}; "
                "give it an empty database"
            )
        kind.metadata.create_all(connection)
        connection.execute(kind.meta.insert(), {"key": "schema", "value": kind.schema})
        found = kind.schema
    connection.commit()
    return found


def _write_ahead(connection: Connection) -> None:
    """Turns the write-ahead log on, waiting for others that do: SQLite itself would not."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            return
        except OperationalError as error:
            if "locked" not in str(error.orig) or time.monotonic() > until:
                raise
        finally:
            connection.rollback()
        time.sleep(0.05)


def _upgrade(connection: Connection, name: str, kind: Kind, found: str | None) -> str | None:
    """Brings an older database up, in one transaction."""
    connection.rollback()
    old = found
    try:
        lock(connection)
        found = _schema_of(connection, kind)  # another process may have been faster
        while found is not None and found in kind.upgrades:
            found, statements = kind.upgrades[found]
            for statement in statements:
                connection.exec_driver_sql(statement)
            row = kind.meta.update().where(kind.meta.c.key == "schema")
            connection.execute(row, {"value": found})
        connection.commit()
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise LedgerError(
            f"{name}: is a {kind.noun} of schema {old} and cannot be brought up to {kind.schema}: "
            f"{reason}{_advice(reason)}"
        ) from error
    return found


def lock(connection: Connection) -> None:
    """Begin a transaction that sees what it reads unchanged until it has written."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def _schema_of(connection: Connection, kind: Kind) -> str | None:
    if not inspect(connection).has_table(kind.meta.name):
        return None
    row = connection.execute(kind.meta.select().where(kind.meta.c.key == "schema")).first()
    return str(row.value) if row else None
