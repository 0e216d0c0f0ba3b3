"""One run at a time plays a sweep: two would each play all that is missing."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO

from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from arena.ledger.rows import LedgerError

_LOOK_SECONDS = 0.2


class _Taken(Exception):
    """Another run has the sweep: who."""


@contextmanager
def claim(
    engine: Engine, sweep_id: str, on_wait: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Hold a sweep of a ledger until the block ends, or the process does, however it ends.

    Where another run holds it, `on_wait` is told so once and its end is waited for; without
    `on_wait` that is a LedgerError.
    """
    take = _file_lock if engine.dialect.name == "sqlite" else _server_lock
    told = False
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(take(engine, sweep_id))
                break
            except _Taken as taken:
                text = f"another run{taken} is playing this sweep"
                if on_wait is None:
                    raise LedgerError(f"{text}: wait for its end, or end it") from None
                if not told:
                    on_wait(f"{text}; this one goes on after it")
                told = True
            time.sleep(_LOOK_SECONDS)
        yield


@contextmanager
def _file_lock(engine: Engine, sweep_id: str) -> Iterator[None]:
    """A locked file beside the ledger; nothing where the system knows no such locks."""
    handle = _locked(Path(f"{engine.url.database}-{sweep_id[:12]}.lock"))
    try:
        yield
    finally:
        if handle is not None:
            Path(handle.name).unlink(missing_ok=True)
            handle.close()


def _locked(path: Path) -> IO[str] | None:
    """The file, locked; None where the file system knows no locks."""
    if sys.platform == "win32":  # two runs stay right there, and each plays all
        return None
    import fcntl

    while True:
        handle = path.open("a+", encoding="ascii", errors="replace")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The one before may have taken the file away between the two calls.
            if os.path.samestat(os.fstat(handle.fileno()), path.stat()):
                handle.truncate(0)
                handle.write(f"{os.getpid()}\n")
                handle.flush()
                return handle
        except BlockingIOError:
            handle.seek(0)
            owner = handle.readline().strip()
            handle.close()
            raise _Taken(f" (process {owner})" if owner else "") from None
        except FileNotFoundError:
            pass
        except OSError:
            handle.close()
            return None
        handle.close()


@contextmanager
def _server_lock(engine: Engine, sweep_id: str) -> Iterator[None]:
    key = int.from_bytes(blake2b(sweep_id.encode(), digest_size=8).digest(), signed=True)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # A machine that loses its power says no goodbye: after a minute of silence it is gone.
        for setting, value in (("idle", 30), ("interval", 10), ("count", 3)):
            connection.execute(text(f"SET tcp_keepalives_{setting} = {value}"))
        held = connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": key})
        if not held.scalar():
            raise _Taken
        try:
            yield
        finally:
            with suppress(SQLAlchemyError):  # a lost connection has lost its locks
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})
