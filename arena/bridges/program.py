"""A program behind pipes that talks in lines."""

from __future__ import annotations

import contextlib
import logging
import queue
import resource
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

_log = logging.getLogger("arena.bridge")

_LONGEST_LINE = 65_536
_WAITING_LINES = 10_000
"""Lines that may wait to be read; a program that says more waits itself."""

_LAST_WORDS = 40
"""Lines of standard error that are kept."""

_KILL_S = 1.0


class ProgramError(RuntimeError):
    """The program ended, kept silent or said what its protocol does not know."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may take."""

    start_s: float = 10.0
    """Seconds for its first answers."""

    memory_mib: int = 0
    """Address space; 0: no limit."""


class Program:
    """A started program. Not for two threads at once."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        """Starts it. Raises ProgramError where that cannot be done."""
        self.command = tuple(command)
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            raise ProgramError(f"{self.command[0]}: cannot be started: {error.strerror}") from None
        if limits.memory_mib:
            most = limits.memory_mib * 2**20
            # One that has ended already is found out by its silence.
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(self._process.pid, resource.RLIMIT_AS, (most, most))
        self._lines: queue.Queue[str | None] = queue.Queue(_WAITING_LINES)
        self._errors: deque[str] = deque(maxlen=_LAST_WORDS)
        self._listeners = [
            threading.Thread(target=self._hear, daemon=True),
            threading.Thread(target=self._hear_errors, daemon=True),
        ]
        for listener in self._listeners:
            listener.start()

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def tell(self, *lines: str) -> None:
        """Sends lines. Raises ProgramError where nobody is there to read them."""
        assert self._process.stdin is not None
        for line in lines:
            _log.debug("> %s", line)
        try:
            self._process.stdin.write("".join(line + "\n" for line in lines))
            self._process.stdin.flush()
        except OSError:
            raise self._gone() from None

    def hear(self, until: float) -> str:
        """Its next line that is not blank, at the latest at `until` of `time.monotonic`.

        Raises ProgramError where it keeps silent for so long or has ended.
        """
        while True:
            try:
                line = self._lines.get(timeout=max(until - time.monotonic(), 0.001))
            except queue.Empty:
                raise ProgramError(f"{self.command[0]}: no answer in time") from None
            if line is None:
                self._lines.put(None)  # whoever asks again is told again
                raise self._gone()
            if line := line.strip():
                _log.debug("< %s", line)
                return line

    def close(self, *goodbye: str) -> None:
        """Asks it to end, and ends it."""
        with contextlib.suppress(ProgramError):
            self.tell(*goodbye)
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_KILL_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """Ends it at once, whatever it does. May be called from any thread."""
        self._process.kill()

    def _gone(self) -> ProgramError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_S)  # the pipe may close before the process is through
        self._listeners[1].join(_KILL_S)
        words = "\n".join(self._errors)
        ended = f"{self.command[0]}: ended with code {self._process.returncode}"
        return ProgramError(f"{ended}\n{words}" if words else ended)

    def _hear(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self._process.stdout.readline(_LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(None)

    def _hear_errors(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self._process.stderr.readline(_LONGEST_LINE):
                self._errors.append(line.rstrip())
                _log.debug("! %s", line.rstrip())
