"""Where workers live: the interface between the driver and whatever runs them."""

from __future__ import annotations

import math
import os
from collections import deque
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from arena.cluster.lease import Lease
from arena.cluster.work import LeasePlayer, LeaseReport
from arena.plan import Plan

R = TypeVar("R")
"""What a worker brings back."""


class ClusterError(RuntimeError):
    """Workers cannot be had: no cluster at the address, or none that stays alive."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A worker is ready to play."""

    worker: str
    node: str
    """Id of its machine in the cluster; empty for this process."""

    cores: float
    """Of that machine, for all of its workers."""

    pid: int
    gpus: float
    """Of that machine."""


@dataclass(frozen=True, slots=True)
class Reported(Generic[R]):
    """A worker is through with a lease."""

    worker: str
    report: R


@dataclass(frozen=True, slots=True)
class Died:
    """A worker is gone, and another has been asked for."""

    worker: str
    cause: str


News = Joined | Reported[R] | Died


class Crew(Protocol):
    """Workers. Whatever dies is replaced under a new name; nothing here is certain."""

    def give(self, lease: Lease) -> None:
        """Hand a lease to its worker."""

    def wait(self, seconds: float) -> list[News[LeaseReport]]:
        """What happened, waiting at most so long for the first of it."""
        ...

    def dismiss(self, worker: str, cause: str) -> None:
        """End a worker that brings nothing; its death is reported like any other."""

    def close(self) -> None:
        """End all workers."""


class InlineCrew:
    """One worker, in this process: for tests, tiny sweeps and debuggers."""

    def __init__(self, plan: Plan) -> None:
        """Ready at once."""
        self._player = LeasePlayer("inline", plan)
        joined = Joined("inline", "", float(os.cpu_count() or 1), os.getpid(), math.inf)
        self._news: list[News[LeaseReport]] = [joined]
        self._leases: deque[Lease] = deque()

    def give(self, lease: Lease) -> None:
        """Keep it until `wait`."""
        self._leases.append(lease)

    def wait(self, seconds: float) -> list[News[LeaseReport]]:
        """Play the oldest lease, however long it takes."""
        news, self._news = self._news, []
        if not news and self._leases:
            news.append(Reported("inline", self._player.play(self._leases.popleft())))
        return news

    def dismiss(self, worker: str, cause: str) -> None:
        """The only worker is this process; nothing to end."""

    def close(self) -> None:
        """End the engines."""
        self._player.close()
