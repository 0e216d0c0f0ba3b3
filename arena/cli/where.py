"""Which ledger a command means, and which of its sweeps."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandError

if TYPE_CHECKING:
    from arena.ledger import Ledger, SweepRow

RUNS = Path("runs")
"""Where sweeps put their ledgers, in the current directory."""

LedgerArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[LEDGER]",
        help="A ledger (runs/NAME.db or a postgresql:// URL) or the sweep or event file that made it. "
        "Default: the only one in runs/.",
    ),
]
SweepOption = Annotated[
    str | None,
    typer.Option("--sweep", metavar="NAME", help="Only this sweep of the ledger: name or id."),
]


def default_ledger(sweep_name: str) -> Path:
    """Where the ledger of a sweep is unless told otherwise: ``runs/<name>.db``.

    Characters that are no good in a file name become "_", and a few letters of a digest keep
    names apart that differ in these only.
    """
    safe = "".join(c if c.isalnum() or c in "-_. " else "_" for c in sweep_name).strip(". ")
    while len(safe.encode()) > 200:  # file systems take 255 bytes, and "-journal" comes to it
        safe = safe[:-1]
    if safe != sweep_name:
        safe += "-" + blake2b(sweep_name.encode(), digest_size=3).hexdigest()
    return RUNS / f"{safe}.db"


def ledger_to_write(option: str | None, sweep_name: str) -> str:
    """Where a run puts its results. Raises CommandError for a ``--ledger`` that names nothing."""
    if option is None:
        return str(default_ledger(sweep_name))
    if not option.strip():
        raise CommandError(f"--ledger: must be a path or a postgresql:// URL (got {option!r})")
    return option


def find_ledger(where: str | None) -> str:
    """The ledger that an argument means. Raises CommandError saying which there are."""
    if where is None:
        found = sorted(RUNS.glob("*.db"))
        if len(found) == 1:
            return str(found[0])
        if not found:
            raise CommandError("no ledger in runs/; name one, or run `arena sweep` first")
        listed = ", ".join(str(path) for path in found)
        raise CommandError(f"several ledgers in runs/; name one of {listed}")
    if not where.strip():
        raise CommandError(f"a ledger must be a path or a postgresql:// URL (got {where!r})")
    if where.endswith(".toml"):
        from arena.plan import load_sweep
        from arena.plan.tournament import is_event, load_event

        path = Path(where)
        event = path.is_file() and is_event(path.read_text("utf-8-sig", errors="replace"))
        return str(default_ledger((load_event if event else load_sweep)(where).name))
    return where


def open_ledger(where: str | None) -> Ledger:
    """Open an existing ledger. Raises LedgerError or CommandError where there is none."""
    from arena.ledger import Ledger

    return Ledger.open(find_ledger(where), create=False)


def pick_sweep(ledger: Ledger, wanted: str | None) -> SweepRow | None:
    """The sweep of a name or id (or its beginning); None means all of them.

    Raises CommandError for an unknown or ambiguous one, listing the ledger's sweeps.
    """
    if wanted is None:
        return None
    rows = ledger.sweeps()
    found = [row for row in rows if wanted == row.name or row.sweep_id.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{row.name} ({row.sweep_id})" for row in rows) or "none"
    problem = "several sweeps match" if found else "no sweep"
    raise CommandError(f"{problem} '{wanted}'; the ledger has {listed}")


def only_sweep(ledger: Ledger, wanted: str | None) -> SweepRow:
    """The sweep of a name, or the ledger's only one. Raises CommandError as `pick_sweep`."""
    found = pick_sweep(ledger, wanted)
    if found is not None:
        return found
    rows = ledger.sweeps()
    if len(rows) == 1:
        return rows[0]
    listed = ", ".join(f"{row.name} ({row.sweep_id})" for row in rows) or "none"
    raise CommandError(f"name a sweep with --sweep; the ledger has {listed}")
