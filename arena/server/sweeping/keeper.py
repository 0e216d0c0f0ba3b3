"""The sweeps that are waiting or running: whose turn it is, how far they are, who watches."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

import grpc

from arena.players.spec import EngineKind
from arena.server.config import ServiceConfig
from arena.server.database import ARENA, Actor
from arena.server.desk import Desk
from arena.server.errors import Reason, ServiceError, denied, not_good, over_quota
from arena.server.sweeping.book import SweepEntry, SweepState
from arena.server.sweeping.child import Child, incident, planned
from arena.server.sweeping.job import Broken, Ended, Job, Planned, PlannedEngine, Tally
from arena.server.targets import DialList, TargetError
from arena.server.tokens import Token

_log = logging.getLogger(__name__)
_ARENA = Actor(ARENA)
_PLANS_AT_ONCE = 2
_KEEP_S = 5.0
_PAUSE_S = 5.0

TOKEN_S = 5.0
"""How often the token of one who watches is looked at again."""


@dataclass(slots=True)
class _Live:
    """A sweep that is waiting or running, or whose process has not ended yet."""

    entry: SweepEntry
    news: asyncio.Event = field(default_factory=asyncio.Event)
    child: Child | None = None
    running: bool = False
    overdue: bool = False
    not_before: float = 0.0

    def tell(self) -> None:
        """Wakes who watches."""
        self.news.set()
        self.news = asyncio.Event()


class Sweeps:
    """The sweeps of a service."""

    def __init__(self, config: ServiceConfig, desk: Desk, targets: DialList) -> None:
        """Starts nothing before `open`."""
        self._terms = config.sweeps
        self._sandbox = config.sandbox or None
        self._desk = desk
        self._targets = targets
        self._live: dict[str, _Live] = {}
        """In order of launch."""

        self._looking: set[str] = set()
        """Accounts whose file is being planned."""

        self._planning = asyncio.Semaphore(_PLANS_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def open(self) -> None:
        """Goes on with what is on file. Raises LedgerError or OSError."""
        self._terms.folder.mkdir(parents=True, exist_ok=True)
        for entry in await self._desk.ask(self._desk.sweeps.live):
            # A process of a service that was killed may still be ending: the next one waits for it.
            self._live[entry.sweep_id] = _Live(replace(entry, state=SweepState.WAITING))
        self._begin_due()

    def ledger(self, sweep_id: str) -> Path:
        """Where a sweep's results are."""
        return self._terms.folder / f"{sweep_id}.db"

    # What callers ask for.

    async def look(self, toml: str, token: Token) -> Planned:
        """What a file means, if this caller may have it played. Raises ServiceError."""
        if token.account in self._looking:
            raise over_quota(
                f"account:{token.account}/plans", "a sweep of this account is being looked at"
            )
        self._looking.add(token.account)
        try:
            async with self._planning:
                plan = await planned(Job(toml=toml, most_cells=self._terms.cells))
        finally:
            self._looking.discard(token.account)
        for engine in plan.engines:
            match engine.kind:
                case EngineKind.BUILTIN:
                    continue
                case EngineKind.GRPC:
                    try:
                        self._targets.may_be_named(engine.target)
                    except TargetError as error:
                        said = f"{engine.place}{error}"
                        raise denied(Reason.TARGET_NOT_ALLOWED, said, **_place(engine)) from None
                case _ if not token.may():
                    raise denied(
                        Reason.SCOPE_MISSING,
                        f"{engine.place}only an operator's sweeps start programs or classes; "
                        "name a built-in engine, or an address on the operator's list",
                        **_place(engine),
                    )
                case _:
                    continue
        return plan

    async def launch(self, toml: str, token: Token) -> SweepEntry:
        """Files a sweep and has it played in its turn. Raises ServiceError."""
        plan = await self.look(toml, token)
        book = self._desk.sweeps
        entry = await self._desk.ask(book.launch, plan, toml, token.actor, unlimited=token.may())
        live = self._live.get(entry.sweep_id)
        if entry.state.live and live is None:
            self._live[entry.sweep_id] = _Live(entry)
        elif entry.state is SweepState.WAITING and live is not None and not live.entry.state.live:
            live.entry = entry  # its process is ending: then it begins anew
        self._begin_due()
        return await self.get(entry.sweep_id)

    async def cancel(self, sweep_id: str, reason: str, token: Token) -> SweepEntry:
        """Ends a sweep. Raises ServiceError."""
        book = self._desk.sweeps
        entry = await self._desk.ask(
            book.cancel, sweep_id, reason, token.actor, operator=token.may()
        )
        live = self._live.get(sweep_id)
        if live is None or entry.state.live:
            return entry
        live.entry = replace(entry, tally=live.entry.tally)
        if live.child is not None:
            live.child.stop()
        elif not live.running:
            del self._live[sweep_id]
        live.tell()
        return live.entry

    async def get(self, sweep_id: str) -> SweepEntry:
        """One sweep, as far as it is now. Raises ServiceError."""
        live = self._live.get(sweep_id)
        if live is not None:
            return live.entry
        return await self._desk.ask(self._desk.sweeps.get, sweep_id)

    def now(self, entry: SweepEntry) -> SweepEntry:
        """An entry of a list, as far as it is now."""
        live = self._live.get(entry.sweep_id)
        return entry if live is None else live.entry

    async def watch(self, sweep_id: str, token: Token) -> AsyncIterator[SweepEntry]:
        """A sweep each time it has moved, until it has come to stand. Raises ServiceError."""
        looked = monotonic()
        while True:
            if self._closing:
                raise ServiceError(
                    grpc.StatusCode.UNAVAILABLE,
                    Reason.SHUTTING_DOWN,
                    "the arena is shutting down; the sweep goes on when it is back",
                )
            live = self._live.get(sweep_id)
            news = None if live is None else live.news  # before anybody can be told anything else
            entry = await self.get(sweep_id)
            yield entry
            if news is None:
                if entry.state.live:
                    continue  # launched again a moment ago
                return
            while not news.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(TOKEN_S):
                        await news.wait()
                if monotonic() - looked >= TOKEN_S:
                    looked = monotonic()
                    await self._require_good(token)

    async def _require_good(self, token: Token) -> None:
        if not await self._desk.ask(self._desk.tokens.good, {token.token_id}):
            raise not_good()

    # Whose turn it is.

    def _begin_due(self) -> None:
        """Begins sweeps as places become free: of the account that has the fewest, the oldest."""
        while not self._closing:
            running = [live for live in self._live.values() if live.running]
            if len(running) >= self._terms.at_once:
                return
            busy = Counter(live.entry.account for live in running)
            due = [
                live
                for live in self._live.values()
                if not live.running and live.not_before <= monotonic()
            ]
            if not due:
                return
            live = min(due, key=lambda each: busy[each.entry.account])
            live.running = True
            task = asyncio.ensure_future(self._run(live))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, live: _Live) -> None:
        sweep_id = live.entry.sweep_id
        try:
            entry = await self._desk.ask(
                self._desk.sweeps.move, sweep_id, SweepState.RUNNING, "", _ARENA
            )
            if entry.state is SweepState.RUNNING:  # not cancelled a moment ago
                live.entry = replace(entry, tally=live.entry.tally)
                live.tell()
                await self._come_to_stand(live, *await self._play(live))
        except Exception as error:  # noqa: BLE001 - what is on file is gone on with after a restart
            _log.exception("sweep %s", sweep_id)
            with suppress(Exception):
                words = incident(f"sweep {sweep_id}", str(error))
                await self._come_to_stand(live, SweepState.INTERRUPTED, words)
        finally:
            live.running, live.child = False, None
            if live.entry.state is not SweepState.WAITING and not self._closing:
                self._live.pop(sweep_id, None)
            live.tell()
            self._begin_due()

    async def _come_to_stand(self, live: _Live, state: SweepState, reason: str) -> None:
        if live.entry.state is not SweepState.RUNNING:
            return  # cancelled meanwhile
        if self._closing and state is not SweepState.FINISHED:
            return  # to be gone on with
        book = self._desk.sweeps
        if state is SweepState.WAITING:
            live.entry = replace(live.entry, state=state)
            live.not_before = monotonic() + _PAUSE_S
            asyncio.get_running_loop().call_later(_PAUSE_S + 0.1, self._begin_due)
            return
        live.entry = await self._desk.ask(book.move, live.entry.sweep_id, state, reason, _ARENA)

    async def _play(self, live: _Live) -> tuple[SweepState, str]:
        """Plays what is missing of a sweep; the state that this leaves it in, and why."""
        entry = live.entry
        assert entry.plan is not None
        try:
            targets = {
                engine.name: await self._targets.resolve(engine.target)
                for engine in entry.plan.engines
                if engine.kind is EngineKind.GRPC
            }
        except TargetError as error:
            return SweepState.INTERRUPTED, str(error)
        job = Job(
            toml=entry.toml,
            most_cells=self._terms.cells,
            ledger=self.ledger(entry.sweep_id),
            workers=self._terms.workers,
            address=self._terms.address,
            targets=targets,
            sandbox=self._sandbox,
        )
        live.overdue = False
        live.child = child = await Child.start(job)
        seconds = self._terms.hours * 3_600
        limit = asyncio.get_running_loop().call_later(seconds, self._too_long, live)
        try:
            if self._closing or live.entry.state is not SweepState.RUNNING:
                child.stop()
            ended = await self._listen(live, child)
        except BaseException:
            child.kill()
            raise
        finally:
            limit.cancel()
            live.child = None
            code = await child.gone()
        match ended:
            case Ended(interrupted=False):
                return SweepState.FINISHED, ""
            case _ if self._closing or live.entry.state is not SweepState.RUNNING:
                return SweepState.WAITING, ""  # it was told to end
            case _ if live.overdue:
                hours = f"{self._terms.hours:g} hours"
                reason = f"ran for {hours}, the longest at a time; launched again it goes on"
                return SweepState.INTERRUPTED, reason
            case Ended():
                return SweepState.WAITING, ""  # somebody else has interrupted it
            case Broken():
                words = ended.words
            case None:
                words = f"its process ended with {code}"
        return SweepState.INTERRUPTED, incident(f"sweep {entry.sweep_id}", words)

    def _too_long(self, live: _Live) -> None:
        live.overdue = True
        if live.child is not None:
            live.child.stop()

    async def _listen(self, live: _Live, child: Child) -> Ended | Broken | None:
        """Follows a process to its end; its last word."""
        sweep_id, book = live.entry.sweep_id, self._desk.sweeps
        kept = monotonic()
        last: Ended | Broken | None = None
        async for report in child.reports():
            match report:
                case Tally():
                    if report != live.entry.tally:
                        live.entry = replace(live.entry, tally=report)
                        live.tell()
                    if monotonic() - kept > _KEEP_S:
                        await self._desk.ask(book.keep, sweep_id, report)
                        kept = monotonic()
                case Ended(tally=tally, remarks=remarks):
                    last = report
                    if tally is not None:
                        live.entry = replace(live.entry, tally=tally, remarks=remarks)
                        await self._desk.ask(book.keep, sweep_id, tally, remarks)
                case Broken():
                    last = report
                case _:
                    last = Broken(words=f"said {report.kind}: {report}")
        if not isinstance(last, Ended):  # its last word on how far it is was one of many
            await self._desk.ask(book.keep, sweep_id, live.entry.tally)
        return last

    async def close(self) -> None:
        """Has all processes end; what they have not played is gone on with next time."""
        self._closing = True
        for live in list(self._live.values()):
            if live.child is not None:
                live.child.stop()
            live.tell()
        if self._tasks:
            await asyncio.wait(self._tasks)


def _place(engine: PlannedEngine) -> dict[str, str]:
    return {"line": str(engine.line), "setting": engine.setting}
