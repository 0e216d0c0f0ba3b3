"""The service's database: transactions, and the log of who did what."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, select

from arena.ledger.connect import connect, guard, lock
from arena.server import schema

ARENA = "arena"
"""Who the log names where nobody asked: the service itself."""

OPERATOR = "command line"
"""Who it names for what is done on the machine itself."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something."""

    account: str
    token_id: str = ""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One line of the log."""

    number: int
    at: int
    account: str
    token_id: str
    action: str
    subject: str
    detail: str


class Database:
    """Transactions over the service's tables. Any number of processes may have it open.

    Every method raises LedgerError, naming the database, where it fails.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        """Use `Database.open`."""
        self._engine = engine
        self.name = name

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True) -> Self:
        """A path, "sqlite:///path" or "postgresql://user@host/database"."""
        engine, name = connect(where, create, schema.SERVICE)
        if create:  # one that an older version has made may lack a table
            try:
                with guard(name), engine.connect() as connection:
                    lock(connection)
                    schema.metadata.create_all(connection)
                    connection.commit()
            except BaseException:
                engine.dispose()
                raise
        return cls(engine, name)

    def close(self) -> None:
        """Lets go of it."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes."""
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One transaction that writes nothing."""
        with guard(self.name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction; what it reads does not change before it has written."""
        with guard(self.name), self._engine.connect() as connection:
            lock(connection)
            yield connection
            connection.commit()

    def setting(self, key: str, value: str) -> str:
        """What is on file under a key; `value`, from now on, where nothing is."""
        with self.writing() as connection:
            found = connection.execute(
                select(schema.meta.c.value).where(schema.meta.c.key == key)
            ).scalar()
            if found is None:
                connection.execute(schema.meta.insert(), {"key": key, "value": value})
            return value if found is None else str(found)

    def audit(self, first: int = 0, limit: int = 1_000) -> list[AuditRow]:
        """The log from line `first` on, oldest first."""
        query = (
            select(schema.audit)
            .where(schema.audit.c.number >= first)
            .order_by(schema.audit.c.number)
            .limit(limit)
        )
        with self.reading() as connection:
            return [AuditRow(*row) for row in connection.execute(query)]


def log(connection: Connection, actor: Actor, action: str, subject: str, detail: str = "") -> None:
    """Adds a line to the log, in the same transaction as what it tells of."""
    connection.execute(
        schema.audit.insert(),
        {
            "at": now(),
            "account": actor.account,
            "token_id": actor.token_id,
            "action": action,
            "subject": subject,
            "detail": detail[:2_000],
        },
    )


def now() -> int:
    """Seconds since 1970, UTC."""
    return int(time.time())
