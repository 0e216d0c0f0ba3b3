"""Playing a plan on many cores or machines: leases, workers, retries, resume."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.cluster.crew import ClusterError, Crew, InlineCrew
from arena.cluster.lease import LeaseTerms
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


def run_sweep(
    plan: Plan,
    ledger: Ledger,
    *,
    address: str | None = None,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    terms: LeaseTerms | None = None,
    show_seconds: float = 0.5,
    crew: Callable[[Plan], Crew] | None = None,
    on_wait: Callable[[str], None] | None = None,
) -> SweepSummary:
    """Play what the ledger lacks of a plan, on local cores or a Ray cluster.

    `address` is that of a running Ray cluster ("auto", "ray://host:10001"); without it
    the run is local. `workers` is the number of worker processes, all cores by default;
    0 plays in this process, without Ray. `on_progress` is called
    every `show_seconds` or so. `terms` says how leases are sized and retried.
    `crew` hires the workers instead. Where another run is playing the sweep, its end is waited
    for, and `on_wait` told so; without `on_wait` that is a LedgerError.

    The run may be interrupted (SIGINT) or killed at any time: the same call goes on where
    it ended. Raises ClusterError where no worker can be had, and whatever the ledger
    raises where results cannot be stored.
    """
    from arena.cluster.driver import Driver

    def hire() -> Crew:
        if crew is not None:
            return crew(plan)
        if workers == 0:
            return InlineCrew(plan)
        from arena.cluster.ray_crew import crew_of

        return crew_of(plan, address, workers)

    terms = terms or LeaseTerms(patience_seconds=plan.patience_seconds)
    with ledger.playing(plan.sweep_id, on_wait):
        return Driver(
            plan, ledger, hire, terms=terms, on_progress=on_progress, show_seconds=show_seconds
        ).run()


__all__ = [
    "CellProgress",
    "ClusterError",
    "LeaseTerms",
    "ParkedBlock",
    "Progress",
    "SweepSummary",
    "WorkerProgress",
    "run_sweep",
]
