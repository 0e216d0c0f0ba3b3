"""Time in which this process ran.

A laptop is shut, a container frozen, a process stopped and set going again: no bot can be heard
meanwhile, and what it said in time would be found late. Such a time is left out of the clock that
games go by, so that a bot has after it what it had before.

It is seen by beats that stay away, so that time is left out only where somebody beats. Plays
that take the interpreter for themselves for so long look the same, and are treated alike: what
bots elsewhere say meanwhile cannot be heard either.
"""

from __future__ import annotations

from threading import Lock
from time import monotonic_ns

STILL_NS = 1_000_000_000
"""Without a beat for so long the process stood still. Beats come twenty times as often."""


class Awake:
    """A clock that stops while its beats stay away."""

    def __init__(self) -> None:
        """It is like any other until somebody beats."""
        self._lock = Lock()
        self._beating = 0
        self._heard_ns = 0
        self._still_ns = 0

    def begin(self) -> None:
        """Somebody beats from now on."""
        with self._lock:
            if not self._beating:
                self._heard_ns = monotonic_ns()
            self._beating += 1

    def end(self) -> None:
        """One of those who beat no longer does."""
        with self._lock:
            self._beating -= 1

    def now_ns(self) -> int:
        """The time, which is a beat as well: whoever asks first after a stillness sees it."""
        with self._lock:
            now = monotonic_ns()
            if self._beating:
                if now - self._heard_ns > STILL_NS:
                    self._still_ns += now - self._heard_ns
                self._heard_ns = now
            return now - self._still_ns


_awake = Awake()

awake_ns = _awake.now_ns
begin_to_beat = _awake.begin
stop_beating = _awake.end
