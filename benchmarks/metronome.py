"""How fast the machine itself is while something is measured.

A machine that is shared, or gets warm, runs the same instructions up to a fifth slower for
minutes. A figure that sets one stretch of time beside another has to tell that from what it
looks for: beside what is measured, one process plays the same few games again and again, and
notes what processor time they take.
"""

from __future__ import annotations

import multiprocessing
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from statistics import fmean

from arena.match.runner import MatchRunner
from arena.plan import SweepSpec, make_plan

PAUSE_S = 1.0
"""Between two beats; a beat is a hundredth of a second or two."""


@dataclass(frozen=True)
class Beats:
    """What was noted: moments of `time.perf_counter`, ascending, and the costs of a beat then."""

    at: list[float]
    cost: list[float]

    def speed(self, since: float, until: float) -> float:
        """The machine's speed in between, of its speed at all times. Raises ValueError."""
        part = self.cost[bisect_left(self.at, since) : bisect_left(self.at, until)]
        if not part:
            raise ValueError(f"no beat between {since} and {until}: longer stretches are needed")
        return fmean(self.cost) / fmean(part)


def _beat(ended: Connection) -> None:
    spec = {
        "name": "metronome",
        "seed": 1,
        "blocks": 1,
        "games": [{"rulebooks": ["gomoku/freestyle15"]}],
        "engines": {"search": {"use": "search:nodes=100"}},
        "match": {"max_plies": 30},
        "records": {"keep": "none"},
    }
    plan = make_plan(SweepSpec.model_validate(spec))
    requests = plan.requests(plan.cells[0], range(1))
    beats = Beats([], [])
    with MatchRunner(plan.spec.match) as runner:
        while not ended.poll(PAUSE_S):
            began = time.process_time()
            for _ in runner.play(requests):
                pass
            beats.at.append(time.perf_counter())
            beats.cost.append(time.process_time() - began)
    ended.send(beats)


@contextmanager
def metronome() -> Iterator[list[Beats]]:
    """Beats from here to the end of the block; the list holds them once it has ended."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_beat, args=(theirs,))
    process.start()
    noted: list[Beats] = []
    try:
        yield noted
    finally:
        ours.send(None)
        noted.append(ours.recv())
        process.join()
