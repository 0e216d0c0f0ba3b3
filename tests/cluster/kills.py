"""Kills drivers and workers of a small sweep at random moments, and looks at what is left.

    nice python -m tests.cluster.kills [--kills 100] [--seed 1] [--seconds 8] [--inside]

A sweep on two Ray workers is begun; after a random time its driver or one of its workers is
killed with SIGKILL, and so on; a killed driver is started again with the same command. A sweep
that gets to its end must hold exactly the games of the plan, equal to those of an undisturbed
run, and give the same report byte for byte; a killed driver must leave no process behind. Then
the next sweep begins, until there were enough kills. Prints a line for each sweep; exits with 1
at the first difference.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arena.ledger import Ledger
from arena.plan import Plan
from tests.cluster.sweeps import contents, plan_of, report, undisturbed

ROOT = Path(__file__).parents[2]
ENGINES = """
a = "random"
b = {use = "random", version = "2"}
"""
PROGRAM = """
c = {command = ["{python}", "ROOT/examples/bots/first_move.py"], version = "1", cpus = 0}
"""
GONE_SECONDS = 40.0
"""For the processes of a killed driver to end by themselves."""

AGENTS = ("ray::DashboardAgent", "ray::RuntimeEnvAgent", "/agent.py", "/main.py")
AGENT_SECONDS = 180.0
"""Two of Ray's processes, which play nothing, take a minute to see that they are alone."""

DRIVER = """
import sys
from arena.cluster import LeaseTerms, run_sweep
from arena.ledger import Ledger
from arena.plan import load_sweep, make_plan

def show(progress):
    print("pids", *(w.pid for w in progress.workers if w.alive), flush=True)

plan = make_plan(load_sweep(sys.argv[1]))
with Ledger.open(sys.argv[2]) as ledger:
    summary = run_sweep(
        plan, ledger, workers=2, on_progress=show, show_seconds=0.1,
        terms=LeaseTerms(target_seconds=0.2, tries=1000, backoff_seconds=0.01),
    )
print("complete", summary.complete, flush=True)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=8.0, help="between two kills, at most")
    parser.add_argument("--blocks", type=int, default=400)
    parser.add_argument(
        "--inside", action="store_true", help="without the engine that is a program"
    )
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    os.environ["PYTHONPATH"] = str(ROOT)  # for the program that plays, too
    kills: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        engines = ENGINES + ("" if asked.inside else PROGRAM.replace("ROOT", str(ROOT)))
        plan = plan_of(folder, blocks=asked.blocks, engines=engines)
        wanted = timeless(undisturbed(plan, folder))
        pages = report(plan, folder / "undisturbed.db")
        print(f"{plan.games:,} games", flush=True)
        sweeps = 0
        agents: dict[int, str] = {}
        while kills.total() < asked.kills:
            sweeps += 1
            where = folder / f"{sweeps}.db"
            own = one_sweep(folder / "sweep.toml", where, rng, asked.seconds)
            kills += own.kills
            agents |= own.agents
            problem = difference(plan, where, wanted, pages)
            print(
                f"sweep {sweeps}: {own.runs} runs, killed {dict(sorted(own.kills.items()))}, "
                f"left {own.slowest:.1f} s at most: {problem or 'equal'}",
                flush=True,
            )
            if problem:
                return 1
        ended_after(agents, AGENT_SECONDS)
    print(f"{kills.total()} kills {dict(sorted(kills.items()))} in {sweeps} sweeps: all equal")
    return 0


@dataclass
class Swept:
    """What happened to one sweep."""

    runs: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    failed_starts: int = 0
    slowest: float = 0.0
    """Seconds until the last process of a killed driver had ended."""

    agents: dict[int, str] = field(default_factory=dict)
    """What was left of killed drivers, and when it was born."""


def one_sweep(file: Path, ledger: Path, rng: random.Random, seconds: float) -> Swept:
    """Begin a sweep again and again until it is complete."""
    done = Swept()
    while True:
        done.runs += 1
        driver = Driver(file, ledger)
        if rng.random() < 0.8:  # else it may be killed while it starts
            driver.until_playing()
        while driver.process.poll() is None:
            driver.wait(rng.uniform(0, seconds))
            if driver.process.poll() is not None:
                break
            victim = rng.choice(["driver", "worker"])
            if driver.kill(victim, rng):
                done.kills[victim] += 1
                print(f"  run {done.runs}: {victim}", flush=True)
        driver.listener.join()
        code = driver.process.wait()
        if code == 0:
            assert driver.last == "complete True", driver.last
            return done
        if code != -signal.SIGKILL:  # a machine too busy for Ray to start in time
            done.failed_starts += 1
            assert not driver.workers and done.failed_starts < 10, f"code {code}: {driver.last}"
        done.slowest = max(done.slowest, ended_after(driver.family, GONE_SECONDS, but=AGENTS))
        done.agents |= driver.family


class Driver:
    """A driver in a process of its own, and whatever it started."""

    def __init__(self, file: Path, ledger: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(file), str(ledger)],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.last = ""
        self.workers: list[int] = []
        self.family: dict[int, str] = {}
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.last = line.strip()
            if self.last.startswith("pids"):
                self.workers = [int(pid) for pid in self.last.split()[1:]]

    def until_playing(self) -> None:
        """Wait for the first worker."""
        while not self.workers and self.process.poll() is None:
            self.wait(0.2)

    def wait(self, seconds: float) -> None:
        """Wait, taking down who belongs to the driver."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            self.family |= dict(descendants(self.process.pid))
            time.sleep(0.1)

    def kill(self, victim: str, rng: random.Random) -> bool:
        """Kill one; whether there was such a one."""
        self.family |= dict(descendants(self.process.pid))
        if victim == "driver":
            pids = [self.process.pid]
        else:
            pids = [pid for pid in self.workers if born(pid)]
        if not pids:
            return False
        os.kill(rng.choice(pids), signal.SIGKILL)
        return True


def ended_after(pids: dict[int, str], most: float, but: tuple[str, ...] = ()) -> float:
    """Seconds until these processes have ended. Raises AssertionError if they do not.

    Those in whose command line a word of `but` stands are not waited for.
    """
    began = time.monotonic()
    while left := [
        pid
        for pid, birth in pids.items()
        if born(pid) == birth and not any(word in name(pid) for word in but)
    ]:
        waited = time.monotonic() - began
        assert waited < most, f"left: {[name(pid) for pid in left]}"
        time.sleep(0.1)
    return time.monotonic() - began


def descendants(pid: int) -> Iterator[tuple[int, str]]:
    """(process id, time of birth) of all that a process has started."""
    try:
        children = [
            int(child)
            for thread in Path(f"/proc/{pid}/task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    except OSError:
        return
    for child in children:
        if birth := born(child):
            yield child, birth
            yield from descendants(child)


def born(pid: int) -> str | None:
    """When a process was started, or None if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()[:200]
    except OSError:
        return str(pid)


def timeless(games: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """The games without the time that a program took for each move."""
    return {key: {**game, "moves_ms": None} for key, game in games.items()}


def difference(
    plan: Plan, where: Path, wanted: dict[str, dict[str, object]], pages: dict[str, bytes]
) -> str:
    """What is not as in the undisturbed run, if anything."""
    with Ledger.open(where, create=False) as ledger:
        found = timeless(contents(plan, ledger))
    if found != wanted:
        differ = [key for key in found.keys() & wanted.keys() if found[key] != wanted[key]]
        return (
            f"{len(wanted.keys() - found.keys())} games missing, "
            f"{len(found.keys() - wanted.keys())} too many, {len(differ)} different {differ[:3]}"
        )
    if report(plan, where) != pages:
        return "another report"
    return ""


if __name__ == "__main__":
    sys.exit(main())
