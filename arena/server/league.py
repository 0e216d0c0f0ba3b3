"""The standing play: who is there, who is checked, who plays whom, and what comes of it.

What is decided is decided in the service's event loop. Games with a bot that has dialled in are played
there, too, since it is at the end of a stream of this process; Ray workers play the others, where there are
any.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic

import arena
from arena.games import Game, game, no_rulebook, rulebooks
from arena.ledger import GameResult, LedgerError
from arena.match.floor import Floor, Played, Run
from arena.match.request import NotPlayed
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.fitness import unfit
from arena.players.spec import EngineKind, EngineSpec
from arena.server.checking import check
from arena.server.config import ServiceConfig
from arena.server.database import ARENA, Actor
from arena.server.desk import Desk
from arena.server.division import Block, Division, Entrant
from arena.server.engines import EngineRow, EngineState
from arena.server.events import Broadcast, Changed
from arena.server.lines import Switchboard
from arena.server.reach import Reach
from arena.server.results import Results
from arena.server.workers import NoWorkers, SetAside, Workers
from engines.reference import ladder

_log = logging.getLogger(__name__)
_ARENA = Actor(ARENA)
# Games of one reference engine at once: they wait for one another's moves, not on the clock.
_REFERENCE_GAMES = 16
# An engine that could not be reached is left alone for so long: it, or the list of who is there.
_AWAY_S = 10.0
# An engine that a worker could not reach or start, and that may be fine from here, plays here so long.
_HOME_S = 300.0
_CHECKS = 2
# Checks have limits of time, which many of them at once would make each other break.
_CHECKS_AT_ONCE = 4
_PAUSE_S = 10.0


@dataclass(slots=True)
class _Member:
    """An engine that is in play, whether it is there or not."""

    row: EngineRow
    spec: EngineSpec
    capacity: int = 0
    """Games at once; 0 before it has been reached."""

    running: int = 0
    away_until: float = 0.0
    home_until: float = 0.0
    """Its games are played in this process."""

    checks: int = 0
    attending: bool = False
    again: asyncio.Event = field(default_factory=asyncio.Event)


class League:
    """The standing play of a service."""

    def __init__(
        self,
        config: ServiceConfig,
        desk: Desk,
        results: Results,
        switchboard: Switchboard,
        reach: Reach,
        secret: bytes,
    ) -> None:
        """`secret` is what deals are drawn from. Raises ValueError for rulebooks that are none."""
        self._config = config
        self._desk = desk
        self._results = results
        self._switchboard = switchboard
        self._reach = reach
        self.broadcast = Broadcast(config.limits.watchers, config.limits.watchers_each)
        self.floor = Floor(config.match, config.play.parallel_games, "service", reach.player)
        self.divisions = [
            Division(
                each,
                secret,
                opening_plies=config.play.opening_plies,
                half_width=config.play.half_width,
                floor=config.play.floor,
                qualifying=config.play.qualifying_blocks,
            )
            for each in _games(config)
        ]
        self._members: dict[str, _Member] = {}
        """By engine id in results."""
        self._references: dict[str, int] = {}
        """Games of each reference engine that are going on."""
        self._registered: dict[str, int] = {}
        """Cells on file, by sweep."""
        self._going = 0
        self._first = 0
        self._paused_until = 0.0
        self.workers = self._hired(config)
        self._wake = asyncio.Event()
        self._checking = asyncio.Semaphore(_CHECKS_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    def _hired(self, config: ServiceConfig) -> Workers | None:
        if config.play.workers == 0 or not self.divisions:
            return None
        games = [division.game for division in self.divisions]
        return Workers(config, games, self._reach.keys)

    async def open(self) -> None:
        """Takes up what is on file, and begins. Raises LedgerError."""
        rows = await self._desk.ask(self._desk.engines.everybody)
        specs = {row.id: self._reach.spec(row) for row in rows}
        accounts = {row.id: row.account for row in rows}
        for division in self.divisions:
            own = dict(specs)
            rungs = ladder(division.game.family.id, arena.__version__)
            for step, spec in enumerate(rungs, start=1):
                if self._config.play.rungs and step not in self._config.play.rungs:
                    continue
                division.enter(spec, "")
                self._references.setdefault(spec.id, 0)
                own[spec.id] = spec
            cells, games = await self._results.played(division.sweep_id)
            for engine in {engine for row in cells for engine in row.lineup} & accounts.keys():
                division.enter(specs[engine], accounts[engine])
                division.leave(engine)  # until it is there
            division.restore(cells, games, own)
            created = datetime.now(UTC).isoformat(timespec="seconds")
            await self._results.register(division.sweep_row(created))
            self._registered[division.sweep_id] = len(cells)
        self.floor.open()
        for row in rows:
            if row.state.in_play and row.access.WhichOneof("way") != "dial_in":
                self.arrived(row)
        self._spawn(self._schedule())

    # Who is there.

    def arrived(self, row: EngineRow) -> None:
        """An engine is there, or should be dialled: it is checked, greeted, and plays."""
        member = self._members.get(row.id)
        if member is None:
            member = self._members[row.id] = _Member(row, self._reach.spec(row))
        if member.attending:
            member.again.set()
        else:
            self._spawn(self._attend(member))

    async def _attend(self, member: _Member) -> None:
        member.attending = True
        try:
            while member.row.state.in_play:
                member.again.clear()
                try:
                    if await self._welcomed(member):
                        return
                except EngineUnavailable as error:
                    if error.cause is not Unavailable.UNREACHABLE:
                        await self._out(member, error)
                        return
                    _log.info("%s", error)
                if member.spec.kind is EngineKind.DIAL_IN and not member.again.is_set():
                    return  # it will be heard of
                with suppress(TimeoutError):
                    async with asyncio.timeout(_AWAY_S):
                        await member.again.wait()
        finally:
            member.attending = False

    async def _welcomed(self, member: _Member) -> bool:
        """Checks an engine that is new, and has it take part; False: to be tried again."""
        games = [d.game for d in self.divisions if unfit(member.row.description, d.game) is None]
        if member.row.state is EngineState.SUBMITTED and games:
            member.checks += 1
            async with self._checking:
                wrong = await check(member.spec, games, self._config.match, self._reach.watched)
            if wrong and member.checks < _CHECKS and not self._there(member):
                return False  # it went away: that may have been its network
            state = EngineState.REJECTED if wrong else EngineState.PLAYING
            await self._move(member, state, wrong)
            if wrong:
                self._switchboard.hang_up(member.row.engine_id, f"{member.row.id}: {wrong}")
                return True
        player = self.floor.player(member.spec)
        await player.open()
        most = self._config.play.games_per_engine
        clocked = self._config.match.clock.kind != "none"
        member.capacity = min(most, player.capacity(clocked) or most)
        for division in self.divisions:
            if player.unfit(division.game) is None:
                division.enter(member.spec, member.row.account)
        member.away_until = 0.0
        self.broadcast.tell(Changed(member.row.id))
        self._wake.set()
        return True

    def _there(self, member: _Member) -> bool:
        if member.spec.kind is EngineKind.DIAL_IN:
            return self._switchboard.live(member.row.engine_id)
        return member.capacity > 0 and member.away_until <= monotonic()

    def online(self, row: EngineRow) -> bool:
        """Whether an engine is there, as far as is known."""
        if row.access.WhichOneof("way") == "dial_in":
            return self._switchboard.live(row.engine_id)
        member = self._members.get(row.id)
        return member is not None and row.state.in_play and self._there(member)

    async def _move(self, member: _Member, state: EngineState, reason: str) -> None:
        book = self._desk.engines
        member.row = await self._desk.ask(book.move, member.row.engine_id, state, reason, _ARENA)
        self.broadcast.tell(Changed(member.row.id))

    async def _out(self, member: _Member, error: EngineUnavailable) -> None:
        """An engine that cannot go on."""
        quarantined = error.cause is Unavailable.QUARANTINED
        state = EngineState.QUARANTINED if quarantined else EngineState.REJECTED
        await self._move(member, state, error.message)
        self.left(member.row)

    def left(self, row: EngineRow) -> None:
        """An engine is out of play: it gets no more games."""
        for division in self.divisions:
            division.leave(row.id)
        member = self._members.get(row.id)
        if member is not None:
            member.row = row
        self._switchboard.hang_up(row.engine_id, f"{row.id} is {row.state}: {row.reason}")
        self.broadcast.tell(Changed(row.id))

    # Who plays.

    async def _schedule(self) -> None:
        """Begins blocks as places become free."""
        while True:
            self._wake.clear()
            wait_s = self._paused_until - monotonic()
            if wait_s <= 0:
                wait_s = 1.0  # who was away may be back
                try:
                    await self._fill()
                except Exception:  # noqa: BLE001 - a mistake of ours must not end the play for good
                    _log.exception("nothing new is begun for %g s", _PAUSE_S)
                    self._paused_until = monotonic() + _PAUSE_S
            # Not `wait_for`: before Python 3.12 it loses a cancellation that comes with the event.
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()

    async def _fill(self) -> None:
        while self._going < self._config.play.parallel_games:
            block = self._next()
            if block is None:
                return
            self._spawn(self._play(block, self._taken(block)))
            await asyncio.sleep(0)  # bots that have answered come first

    def _next(self) -> Block | None:
        """The next block, the divisions taking turns."""
        n = len(self.divisions)
        for turn in range(n):
            division = self.divisions[(self._first + turn) % n]
            block = division.next(self._free(division))
            if block is not None:
                self._first = (self._first + turn + 1) % n
                return block
        return None

    def _free(self, division: Division) -> list[Entrant]:
        now = monotonic()
        found = []
        for engine, entrant in division.entrants.items():
            if entrant.reference:
                if self._references[engine] < _REFERENCE_GAMES:
                    found.append(entrant)
                continue
            member = self._members.get(engine)
            if member is None or not entrant.active or not self._there(member):
                continue
            wanted = min(member.capacity, division.game.seats)
            if member.away_until <= now and member.running + wanted <= member.capacity:
                found.append(entrant)
        return found

    def _taken(self, block: Block) -> dict[str, int]:
        """Takes places for a block; those of each engine, which are to be given back."""
        games = len(block.requests)
        self._going += games
        taken = {}
        for entrant in block.entrants:
            engine = entrant.spec.id
            if entrant.reference:
                taken[engine] = games
                self._references[engine] += games
            else:
                member = self._members[engine]
                taken[engine] = min(member.capacity, games)
                member.running += taken[engine]
        return taken

    def _give_back(self, block: Block, taken: dict[str, int]) -> None:
        """What was taken: an engine may have come back with another capacity."""
        self._going -= len(block.requests)
        for entrant in block.entrants:
            engine = entrant.spec.id
            if entrant.reference:
                self._references[engine] -= taken[engine]
            else:
                self._members[engine].running -= taken[engine]

    async def _play(self, block: Block, taken: dict[str, int]) -> None:
        """One block, from its cell being filed to its last game."""
        again = True
        try:
            await self._file(block)
            addresses = await self._addresses(block)
            for request in block.requests:
                self.broadcast.tell(request)
            if addresses is None:
                await self._play_here(block)
            else:
                await self._play_there(block, addresses)
        except LedgerError as error:
            _log.error("%s; nothing new is begun for %g s", error, _PAUSE_S)
            self._paused_until = monotonic() + _PAUSE_S
        except NoWorkers:
            pass  # it is begun again, here
        except SetAside as error:
            # Begun again at once it would do the same.
            again = False
            _log.error("block %d of %s waits for a restart: %s", block.number, block.cell_id, error)
        finally:
            if again:
                block.division.over(block)
            self._give_back(block, taken)
            self._wake.set()

    async def _addresses(self, block: Block) -> dict[str, str] | None:
        """For the workers, what to dial for the bots of a block; None: it is played here."""
        if self.workers is None or not self.workers.up:
            return None
        specs = {entrant.spec for entrant in block.entrants}
        if any(spec.kind is EngineKind.DIAL_IN for spec in specs):
            return None
        members = (self._members.get(spec.id) for spec in specs)
        if any(m is not None and m.home_until > monotonic() for m in members):
            return None
        return await self._reach.addresses(specs)

    async def _play_here(self, block: Block) -> None:
        arrived: asyncio.Queue[Played | Exception] = asyncio.Queue()
        run = Run(self.floor, block.requests, arrived.put_nowait)
        self.floor.runs.add(run)
        try:
            working = asyncio.ensure_future(run.work())
            async for result in _each(block, arrived):
                if isinstance(result, NotPlayed):
                    await self._not_played(result)
                else:
                    await self._played(block, result)
            await working
        finally:
            run.stop()
            self.floor.runs.discard(run)

    async def _play_there(self, block: Block, addresses: dict[str, str]) -> None:
        assert self.workers is not None
        arrived: asyncio.Queue[Played | Exception] = asyncio.Queue()
        self.workers.hand(block.requests, addresses, arrived.put_nowait)
        async for result in _each(block, arrived):
            if not isinstance(result, NotPlayed):
                await self._played(block, result)
                continue
            member = self._members.get(result.engine)
            if member is not None and result.cause is not Unavailable.QUARANTINED:
                # It may be the worker's machine: what the engine does here decides.
                _log.info("%s, at a worker: %s", result.engine, result.message)
                member.home_until = monotonic() + _HOME_S
            else:
                await self._not_played(result)

    async def _file(self, block: Block) -> None:
        division = block.division
        rows = division.cell_rows(self._registered[division.sweep_id])
        if rows:
            await self._results.extend(division.sweep_row(""), rows)
            self._registered[division.sweep_id] = rows[-1].index + 1

    async def _played(self, block: Block, result: GameResult) -> None:
        await self._results.put(result)
        whole = block.division.took(result)
        self.broadcast.tell(result)
        if whole:
            for entrant in block.entrants:
                if not entrant.reference:
                    self.broadcast.tell(Changed(entrant.spec.id))

    async def _not_played(self, result: NotPlayed) -> None:
        """A game that could not begin or go on: comes again when its engine does."""
        _log.info("%s: %s", result.engine, result.message)
        member = self._members.get(result.engine)
        if member is None:
            return
        match result.cause:
            case Unavailable.UNREACHABLE:
                member.away_until = monotonic() + _AWAY_S
                if member.spec.kind is not EngineKind.DIAL_IN:
                    self.arrived(member.row)
            case Unavailable.QUARANTINED:
                error = EngineUnavailable(result.engine, result.cause, result.message)
                await self._out(member, error)
            case Unavailable.UNFIT:
                for division in self.divisions:
                    if division.game.label == result.request.game.label:
                        division.leave(result.engine)

    def is_open(self, result: GameResult) -> bool:
        """Whether some games of a result's block are still to be played."""
        return any(
            division.sweep_id == result.sweep_id and division.is_open(result.cell_id, result.block)
            for division in self.divisions
        )

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("standing play", exc_info=error)

    async def close(self) -> None:
        """Ends all games without results, and says goodbye to everybody."""
        self.broadcast.close()
        while self._tasks:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.workers is not None:
            await self.workers.close()
        await self.floor.close()


async def _each(block: Block, arrived: asyncio.Queue[Played | Exception]) -> AsyncIterator[Played]:
    """What becomes of each game of a block. Raises what is no result."""
    for _ in block.requests:
        result = await arrived.get()
        if isinstance(result, Exception):
            raise result
        yield result


def _games(config: ServiceConfig) -> list[Game]:
    """Every game of the rulebooks, once. Raises SweepError for a pattern that matches none."""
    found: dict[str, Game] = {}
    for pattern in config.play.rulebooks:
        names = rulebooks(pattern)
        if not names:
            raise config.error(("play", "rulebooks"), no_rulebook(pattern), pattern)
        for name in names:
            made = game(name)
            found.setdefault(made.rules.digest, made)
    return list(found.values())
