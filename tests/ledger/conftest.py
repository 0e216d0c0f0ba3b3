from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.ledger import Ledger


def _binaries() -> Path | None:
    """Debian keeps each major version apart; the newest serves."""
    found = [p.parent for p in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda p: float(p.parent.name))
    there = shutil.which("initdb")
    return Path(there).parent if there else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Callable[[str], str]]:
    """A real server on a private port; gives the URL of a database, which it makes afresh."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server binaries (Debian: apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))
    port = _free_port()
    user: str | None = None
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        user = "postgres"
        entry = pwd.getpwnam(user)
        os.chown(folder, entry.pw_uid, entry.pw_gid)

    def run(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(binaries / program), *arguments],
            user=user,
            group=user,
            extra_groups=[] if user else None,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{program}: {done.stdout}"

    data, log = str(folder / "data"), str(folder / "log")
    run("initdb", "-D", data, "-U", "arena", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run("pg_ctl", "-D", data, "-l", log, "-w", "-t", "30", "-o", options, "start")

    def database(name: str) -> str:
        import psycopg

        with psycopg.connect(f"postgresql://arena@127.0.0.1:{port}/postgres", autocommit=True) as c:
            c.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
            c.execute(f'CREATE DATABASE "{name}"'.encode())
        return f"postgresql://arena@127.0.0.1:{port}/{name}"

    try:
        yield database
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty ledger can be made, once in each database."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.sqlite")
    database: Callable[[str], str] = request.getfixturevalue("postgres_server")
    return database("ledger_test")


@pytest.fixture
def ledger(where: str) -> Iterator[Ledger]:
    with Ledger.open(where) as ledger:
        yield ledger
