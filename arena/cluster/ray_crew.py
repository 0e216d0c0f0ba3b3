"""Workers as Ray actors, on this machine or on a cluster. The only module that loads Ray."""

from __future__ import annotations

import importlib
import logging
import math
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayError, RayTaskError

from arena.cluster.crew import ClusterError, Crew, Died, Joined, News, R, Reported
from arena.cluster.lease import Lease
from arena.cluster.work import LeasePlayer, LeaseReport, PlanMismatch
from arena.plan import Plan

_STORE_BYTES = 256 * 2**20
"""Object store of a local run: reports are small and fetched at once."""

_LOOK_SECONDS = 5.0
"""How often to look whether the cluster has grown."""

_REACH_SECONDS = 10.0
"""To connect to a cluster's address."""

_STILLBORN = 5
"""Workers in a row that die before they can play: then the sweep stops."""

# Ray leaves these without types.
_cluster_resources: Callable[[], Mapping[str, float]] = ray.cluster_resources
_nodes: Callable[[], list[dict[str, Any]]] = ray.nodes

_WORKERS_PER_CORE = 8
_MOST_WORKERS = 32
"""More processes than that on one machine only wait for one another, for minutes to begin with."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the driver runs, for workers on the same machine."""

    folder: str
    path: list[str]


class Given(Protocol):
    """A piece of work that is handed to a worker."""

    @property
    def worker(self) -> str:
        """Whose it is."""
        ...


class Hand(Protocol):
    """What does the work in the process of a worker."""

    def play(self, lease: Any, /) -> Any:
        """Do a piece of work; what it returns is reported."""
        ...

    def close(self) -> None:
        """End whatever it started."""


L = TypeVar("L", bound=Given)
Recipe = Callable[[str], Hand]
"""From the name of a worker to what does its work, made in its process. May raise PlanMismatch."""


class _Actor:
    """One worker process, on one core."""

    def __init__(self, name: str, recipe: Recipe, place: _Place | None) -> None:
        if place:  # a local worker finds modules and commands where the driver does
            os.chdir(place.folder)
            sys.path[:] = place.path + [e for e in sys.path if e not in place.path]
        self._name = name
        self._recipe = recipe

    def ready(self) -> tuple[str, int]:
        """The ids of its node and process, once it can play. Raises PlanMismatch."""
        self._player = self._recipe(self._name)
        return str(ray.get_runtime_context().get_node_id()), os.getpid()

    def turn_to(self, recipe: Recipe) -> tuple[str, int]:
        """Turn to other work; returns and raises as `ready`."""
        self._player.close()
        self._recipe = recipe
        return self.ready()

    def play(self, lease: Any) -> Any:
        """Play a lease."""
        return self._player.play(lease)

    def stop(self) -> None:
        """End the engines that this worker started."""
        self._player.close()


@dataclass(slots=True)
class _Pending:
    worker: str
    call: str
    """"ready" or "play"."""


class RayCrew(Generic[L, R]):
    """As many actors as there are cores, or as were asked for; the dead are replaced."""

    def __init__(
        self, recipe: Recipe, address: str | None, workers: int | None, at_once: int = 1
    ) -> None:
        """Start Ray here, or connect to a cluster. Raises ClusterError.

        Each worker plays `at_once` leases side by side, each in a thread of its own.
        """
        self._recipe = recipe
        self._at_once = at_once
        self._owner = _start(address, workers)
        here = os.getcwd()
        path = [entry or here for entry in sys.path]
        self._place = _Place(here, path) if address is None else None
        self._wanted = workers
        self._actors: dict[str, Any] = {}
        self._pending: dict[Any, _Pending] = {}
        self._pids: dict[str, int] = {}
        self._news: list[News[R]] = []
        self._born = 0
        self._stillborn = 0
        self._hire_at: list[float] = []
        self._looked = -math.inf
        self._hire_missing()

    def turn_to(self, recipe: Recipe) -> None:
        """Turn all workers to other work; each joins anew."""
        self._recipe = recipe
        for pending in list(self._pending.values()):  # late, or not up yet: nobody waits for it
            self._bury(_Pending(pending.worker, "play"), "its plan is over")
        self._news.clear()
        for name, actor in self._actors.items():
            reference = actor.turn_to.remote(recipe)
            self._pending[reference] = _Pending(name, "ready")

    def give(self, lease: L) -> None:
        """Queue a lease at its worker."""
        reference = self._actors[lease.worker].play.remote(lease)
        self._pending[reference] = _Pending(lease.worker, "play")

    def wait(self, seconds: float) -> list[News[R]]:
        """What actors returned, and which of them died."""
        self._hire_missing()
        ready: list[Any] = []
        if self._pending:
            ready, _ = ray.wait(list(self._pending), num_returns=1, timeout=seconds)
        elif not self._news:
            time.sleep(seconds)
        if ready:  # whatever else has come in by now
            ready, _ = ray.wait(list(self._pending), num_returns=len(self._pending), timeout=0)
        news, self._news = self._news, []
        for reference in ready:
            if reference in self._pending:  # not if its worker died a moment ago
                news += self._read(reference)
        return news

    def dismiss(self, worker: str, cause: str) -> None:
        """End an actor that may be past hearing of it."""
        if self._place is not None:  # on this machine: a stopped process obeys this only
            with suppress(ProcessLookupError):
                os.kill(self._pids[worker], signal.SIGKILL)
        self._news += self._bury(_Pending(worker, "play"), cause)

    def close(self) -> None:
        """End the engines, the actors, and Ray where it was started here."""
        stops = [actor.stop.remote() for actor in self._actors.values()]
        try:
            ray.wait(stops, num_returns=len(stops), timeout=2.0) if stops else None
            for actor in self._actors.values():
                ray.kill(actor)
        except RayError:
            pass  # the cluster is gone, and the actors with it
        if self._owner:
            ray.shutdown()

    def _read(self, reference: Any) -> list[News[R]]:
        pending = self._pending.pop(reference)
        try:
            value: Any = ray.get(reference, timeout=60)
        except RayTaskError as error:
            if isinstance(error.cause, PlanMismatch):
                raise ClusterError(str(error.cause)) from None
            return self._bury(pending, f"{type(error.cause).__name__}: {error.cause}")
        except RayActorError as error:
            return self._bury(pending, _words(error))
        except (RayError, GetTimeoutError) as error:  # a report that was lost on its way
            return self._bury(pending, _words(error))
        if pending.call == "ready":
            self._stillborn = 0
            node, pid = value
            self._pids[pending.worker] = pid
            cores, gpus = _resources(node)
            return [Joined(pending.worker, node, cores, pid, gpus)]
        return [Reported(pending.worker, value)]

    def _bury(self, pending: _Pending, cause: str) -> list[News[R]]:
        worker = pending.worker
        actor = self._actors.pop(worker, None)
        if actor is None:
            return []
        ray.kill(actor)
        self._pending = {r: p for r, p in self._pending.items() if p.worker != worker}
        delay = 0.0
        if pending.call == "ready":
            self._stillborn += 1
            if self._stillborn >= _STILLBORN:
                raise ClusterError(
                    f"{_STILLBORN} workers in a row could not start: {cause}"
                ) from None
            delay = 0.5 * 2.0**self._stillborn
        self._hire_at.append(time.monotonic() + delay)
        return [Died(worker, cause)]

    def _hire_missing(self) -> None:
        now = time.monotonic()
        due = [at for at in self._hire_at if at <= now]
        self._hire_at = [at for at in self._hire_at if at > now]
        for _ in due:
            self._hire()
        if self._wanted is None and now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        wanted = self._wanted
        if wanted is None:
            wanted = max(1, int(_cluster_resources().get("CPU", 1)))
        for _ in range(wanted - len(self._actors) - len(self._hire_at)):
            self._hire()

    def _hire(self) -> None:
        name = f"worker-{self._born}"
        self._born += 1
        remote: Callable[..., Any] = (
            ray.remote(_Actor)
            .options(
                num_cpus=1,
                max_restarts=0,
                max_task_retries=0,
                max_concurrency=self._at_once,
                scheduling_strategy="SPREAD",
            )
            .remote
        )
        actor = remote(name, self._recipe, self._place)
        self._actors[name] = actor
        self._pending[actor.ready.remote()] = _Pending(name, "ready")


class StandingCrew:
    """A crew that plays one plan after the other, for plans that follow from one another."""

    def __init__(self, address: str | None, workers: int | None) -> None:
        """Nobody is hired before the first plan."""
        self._address, self._workers = address, workers
        self._crew: RayCrew[Lease, LeaseReport] | None = None

    def hire(self, plan: Plan) -> Crew:
        """The crew for a plan; what its driver closes stays up. Raises ClusterError."""
        if self._crew is None:
            self._crew = crew_of(plan, self._address, self._workers)
        else:
            self._crew.turn_to(_playing(plan))
        return _Lent(self._crew)

    def close(self) -> None:
        """End all workers."""
        if self._crew is not None:
            self._crew.close()


@dataclass(frozen=True, slots=True)
class _Lent:
    """A crew in the hands of one driver."""

    crew: RayCrew[Lease, LeaseReport]

    def give(self, lease: Lease) -> None:
        self.crew.give(lease)

    def wait(self, seconds: float) -> list[News[LeaseReport]]:
        return self.crew.wait(seconds)

    def dismiss(self, worker: str, cause: str) -> None:
        self.crew.dismiss(worker, cause)

    def close(self) -> None:
        """It is not the driver's to end."""


def crew_of(plan: Plan, address: str | None, workers: int | None) -> RayCrew[Lease, LeaseReport]:
    """Workers that play the leases of a plan. Raises ClusterError."""
    return RayCrew(_playing(plan), address, workers)


def _playing(plan: Plan) -> Recipe:
    return partial(LeasePlayer.rebuilt, portable=plan.portable(), digest=plan.digest)


def _start(address: str | None, workers: int | None) -> bool:
    """Whether Ray was started here, to be stopped here."""
    cores = os.cpu_count() or 1
    most = max(_MOST_WORKERS, _WORKERS_PER_CORE * cores)
    if address is None and workers is not None and workers > most:
        raise ClusterError(
            f"{workers:,} workers: at most {most} on this machine of {cores} cores; each of them "
            "plays many games at once"
        )
    if ray.is_initialized():
        return False
    _hush()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    common: dict[str, Any] = {
        "log_to_driver": False,
        "logging_level": logging.ERROR,
        "configure_logging": True,
        "namespace": "arena",
    }
    try:
        if address is not None:
            _reach(address)
            ray.init(address=address, **common)
        else:
            with _fewer_processes():
                ray.init(
                    address="local",
                    num_cpus=max(cores, workers or 0),
                    include_dashboard=False,
                    object_store_memory=_STORE_BYTES,
                    **common,
                )
    except Exception as error:  # noqa: BLE001 - Ray raises bare ones where it starts too slowly
        where = f"no Ray cluster at '{address}'" if address else "Ray cannot start here"
        raise ClusterError(f"{where}: {str(error).strip().splitlines()[0]}") from None
    return True


def _hush() -> None:
    """Keep Ray from printing lost workers into our standard output, where JSON may be read.

    The driver reports them itself, and Ray has no setting for it. Where its own function has
    another name, its words are seen and nothing else changes.
    """
    module: Any = importlib.import_module("ray._private.worker")
    if hasattr(module, "print_worker_logs"):
        module.print_worker_logs = lambda *_: None


@contextmanager
def _fewer_processes() -> Iterator[None]:
    """Has Ray on one machine start neither its autoscaler nor what carries workers' logs to us.

    Two processes of seven, and a fifth of the wait for Ray: the one has no machines to add, the
    other nothing to print. Ray has no setting for either; where its own functions have other names,
    they are started and nothing else changes.
    """
    node: Any = importlib.import_module("ray._private.node").Node
    needless = [name for name in ("start_monitor", "start_log_monitor") if hasattr(node, name)]
    kept = {name: getattr(node, name) for name in needless}
    try:
        for name in needless:
            setattr(node, name, lambda _: None)
        yield
    finally:
        for name, function in kept.items():
            setattr(node, name, function)


def _reach(address: str) -> None:
    """Raise OSError where nobody listens: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():  # not a word such as "auto"
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_SECONDS).close()


def _resources(node: str) -> tuple[float, float]:
    """Cores and GPUs of a machine."""
    for entry in _nodes():
        if entry["NodeID"] == node:
            found = entry["Resources"]
            return float(found.get("CPU", 1.0)), float(found.get("GPU", 0.0))
    return 1.0, 0.0


def _words(error: Exception) -> str:
    """The first sentence that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
