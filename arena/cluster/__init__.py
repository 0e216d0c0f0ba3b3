"""Playing a plan on many cores or machines: leases, workers, retries, resume."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.cluster.progress import (
    CellProgress,
    ParkedBlock,
    Progress,
    SweepSummary,
    WorkerProgress,
)

if TYPE_CHECKING:
    from arena.ledger import Ledger
    from arena.plan import Plan


class ClusterError(RuntimeError):
    """Workers cannot be had: no cluster at the address, or none that stays alive."""


def run_sweep(
    plan: Plan,
    ledger: Ledger,
    *,
    address: str | None = None,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> SweepSummary:
    """Play what the ledger lacks of a plan, on local cores or a Ray cluster.

    `address` is that of a running Ray cluster ("auto", "ray://host:10001"); without it
    the run is local. `workers` is the number of worker processes, all cores by default;
    0 plays in this process, without Ray. `on_progress` is called about twice a second.

    The run may be interrupted (SIGINT) or killed at any time: the same call goes on where
    it ended. Raises ClusterError where no worker can be had, and whatever the ledger
    raises where results cannot be stored.
    """
    raise NotImplementedError("landing shortly")


__all__ = [
    "CellProgress",
    "ClusterError",
    "ParkedBlock",
    "Progress",
    "SweepSummary",
    "WorkerProgress",
    "run_sweep",
]
