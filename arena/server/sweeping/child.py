"""A process of a sweep from the service's side: started, heard, told to end."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Self

from arena.server.errors import ServiceError, invalid
from arena.server.sweeping.job import FILE, Broken, Job, Planned, Refused, Report, report_of
from arena.server.sweeping.process import PLAN_CPU_S

_log = logging.getLogger(__name__)

PLAN_S = 25.0
"""For a plan: less than a call may take."""

STOP_S = 30.0
"""To end after being told to; then it is killed."""

_MOST_LINE = 16 << 20


class Child:
    """A process that does one job."""

    def __init__(self, process: Process) -> None:
        """Use `start`."""
        self._process = process
        self._stopping: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, job: Job) -> Self:
        """Starts it. What it writes to standard error goes to the service's."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "arena.server.sweeping.process"),
            stdin=PIPE,
            stdout=PIPE,
            limit=_MOST_LINE,
            start_new_session=True,  # an interrupt at the operator's terminal is not for it
        )
        assert process.stdin is not None
        with suppress(ConnectionError):  # it died at once: `reports` will find nothing
            process.stdin.write(job.model_dump_json().encode() + b"\n")
            await process.stdin.drain()
        return cls(process)

    async def reports(self) -> AsyncIterator[Report]:
        """What it says, until it has ended."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            yield report_of(line)

    def stop(self) -> None:
        """Tells it to end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._kill_late())

    async def _kill_late(self) -> None:
        await asyncio.sleep(STOP_S)
        self.kill()

    def kill(self) -> None:
        """Ends it at once."""
        # Not by `Process.kill`: that would take the exit code of one that has just ended away
        # from the loop.
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    async def gone(self) -> int:
        """Waits until it is gone, which follows its last report; its exit code, or minus a signal."""
        try:
            async with asyncio.timeout(STOP_S):
                code = await self._process.wait()
        except TimeoutError:
            self.kill()
            code = await self._process.wait()
        if self._stopping is not None:
            self._stopping.cancel()
        return code


async def planned(job: Job) -> Planned:
    """What a file means. Raises ServiceError, in the words of `arena plan`."""
    child = await Child.start(job)
    last: Report | None = None
    late = False
    try:
        async with asyncio.timeout(PLAN_S):
            async for report in child.reports():
                last = report
    except BaseException as error:
        child.kill()
        late = isinstance(error, TimeoutError)
        if not late:
            raise
    finally:
        code = await child.gone()
    match last:
        case Planned():
            return last
        case Refused():
            raise wrong(last.message, last.line, last.setting)
        case Broken():
            raise RuntimeError(f"a sweep could not be planned\n{last.words}")
    if late or code < 0:
        raise wrong(
            f"{FILE}: takes too much time ({PLAN_CPU_S} s) or memory to plan: name fewer rulebooks, "
            "values of settings, or engines"
        )
    raise RuntimeError(f"the process that plans ended with {code} and said nothing")


def wrong(message: str, line: int | None = None, setting: str = "") -> ServiceError:
    """A sweep file that is refused."""
    place = {} if line is None else {"line": str(line), "setting": setting}
    return invalid("toml", message, message, **place)


def incident(what: str, words: str) -> str:
    """Notes a mistake of ours; what others are told of it."""
    number = secrets.token_hex(4)
    _log.error("incident %s: %s: %s", number, what, words)
    return f"a mistake of the arena; tell its operator: incident {number}"
