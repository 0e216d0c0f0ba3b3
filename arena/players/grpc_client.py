"""A bot at an address: one stream that carries all of its games.

Turns that fall due in the same step of the event loop go out in one message. Answers are
fenced by (game, seat, revision). A lost connection is looked for again within the grace; then
turns are sent again, one at a time until all that were on the way have been answered, so that a
turn that breaks the bot breaks no other game (see `Outbox`).
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import Awaitable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

from arena import __version__
from arena.games import Game
from arena.players.awake import awake_ns
from arena.players.base import Ask, Ending, Limits, Player, Verdict
from arena.players.call import DialledCall, Stream
from arena.players.fault import EngineUnavailable, Fault, FaultKind, Unavailable
from arena.players.fitness import unfit
from arena.players.messages import answer_of
from arena.players.outbox import Outbox
from arena.players.spec import EngineSpec
from arena.players.strikes import Strikes
from arena.protocol.convert import PROTOCOL
from arena.protocol.reading import Unreadable
from arena.protocol.v1 import bot_pb2
from arena.protocol.v1.bot_pb2_grpc import BotServiceStub

if TYPE_CHECKING:
    from arena.protocol.v1.bot_pb2_grpc import BotServiceAsyncStub

_ARENA = f"leitai {__version__}"
# Messages and refused answers without a good one between, after which a stream is noise.
_NOISE = 1_000
# Steps of the event loop in which a message gathers turns, where more than one may come.
_GATHER = 3
_TLS = "; by TLS: its certificate has to be for the host of the address, by an authority known here"
_BACK_OFF_S = (0.05, 0.1, 0.2, 0.5, 1.0)
_Key = tuple[str, int]
_log = logging.getLogger(__name__)


class _Noise(Exception):
    """The bot sends what is of no use, and no end of it."""


@dataclass(slots=True)
class _Preparing:
    """A turn that waits until the bot is ready for the game."""

    ask: Ask
    since_ns: int
    heard_ns: int


class GrpcPlayer(Player):
    """A bot that serves `BotService` at `spec.target`, "host:port"."""

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        """Nothing is opened before `open`."""
        super().__init__(spec)
        self._limits = limits
        self.description = bot_pb2.DescribeResponse()
        self._outbox = Outbox()
        self._session = uuid.uuid4().hex
        self._epoch = 0
        self._channel: grpc.aio.Channel | None = None
        self._stub: BotServiceAsyncStub | None = None
        self._call: Stream | None = None
        self._up = False
        self._lock = asyncio.Lock()
        self._owed: dict[_Key, Ask] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard_ns = 0
        self._ping_ns = 0
        self._pings = 0
        self._ponged = 0
        self._round_trips: deque[float] = deque(maxlen=8)
        self._network_ms = 0.0
        self._noise = 0
        self._strikes = Strikes(spec.id, limits.crashes)
        self._lost_ns = 0
        self._gone: Fault | None = None
        self._fatal: EngineUnavailable | None = None
        self._ready_games: set[_Key] = set()
        self._preparing: dict[_Key, _Preparing] = {}
        self._answered: dict[_Key, int] = {}
        self._over: deque[_Key] = deque(maxlen=1_024)

    # Coming up.

    async def open(self) -> None:
        """Connects, reads the description, waits for readiness. Raises EngineUnavailable."""
        async with self._lock:
            if self._fatal is not None:
                raise self._fatal
            if not self._up and not self._lost_ns:
                await self._connect()
        while self._lost_ns:  # nothing is begun with a bot that is being looked for
            await asyncio.sleep(_BACK_OFF_S[0])
        if not self._up:
            await self.open()

    async def reach(self) -> str:
        """The address to dial; subclasses start a program first. Raises EngineUnavailable."""
        return self.spec.target

    async def dial(self) -> bot_pb2.DescribeResponse:
        """Finds the bot, and what it says of itself. Subclasses may be found by it instead."""
        self._channel = self.channel(
            await self.reach(),
            [
                ("grpc.max_receive_message_length", self._limits.max_message_bytes),
                ("grpc.max_send_message_length", -1),
                ("grpc.use_local_subchannel_pool", 1),
                ("grpc.enable_http_proxy", 0),
            ],
        )
        self._stub = BotServiceStub(self._channel)
        request = bot_pb2.DescribeRequest(arena=_ARENA, protocols=[PROTOCOL])
        said = await self.answer(self._stub.Describe(request, wait_for_ready=True))
        if said is None:
            raise Unreadable
        return said

    async def answer(
        self, call: Awaitable[bot_pb2.DescribeResponse | None]
    ) -> bot_pb2.DescribeResponse | None:
        """Waits for what the bot says of itself; subclasses may see that nothing will come."""
        return await call

    def channel(self, address: str, options: Sequence[tuple[str, int]]) -> grpc.aio.Channel:
        """A channel to an address, in the clear; subclasses may know better."""
        return grpc.aio.insecure_channel(address, options=options)

    def stream(self) -> Stream:
        """Opens the stream of all games with who was dialled; subclasses listen in on it."""
        assert self._stub is not None
        return DialledCall(self._stub.Play())

    def grace_ms(self) -> int:
        """Time to come back after a lost connection."""
        return self._limits.disconnect_grace_ms

    async def abandon(self) -> None:
        """The bot did not come back; subclasses end what they started."""

    def last_words(self, limit: int) -> str:
        """What the bot wrote last, at most `limit` bytes of it, where subclasses can see it."""
        return ""

    async def why_lost(self, code: grpc.StatusCode, words: str) -> Fault:
        """What a lost stream means."""
        if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
            return Fault(FaultKind.PROTOCOL_ERROR, words)
        if code is grpc.StatusCode.UNKNOWN:  # what servers say of an exception in a handler
            return Fault(FaultKind.CRASH, words)
        return Fault(FaultKind.DISCONNECT, words)

    async def _connect(self) -> None:
        limits = self._limits
        try:
            async with asyncio.timeout(limits.connect_ms / 1000):
                self.description = await self.dial()
            self._accept(self.description)
            self._epoch += 1
            self._call = self.stream()
            async with asyncio.timeout(limits.ready_cap_ms / 1000):
                await self._until_ready(self._call)
        except TimeoutError:
            await self._hang_up()
            raise self._unreachable(
                "no answer within its limits of [match]: "
                f"connect_ms = {limits.connect_ms}, ready_ms = {limits.ready_ms}{_TLS * self.spec.tls}"
            ) from None
        except grpc.aio.AioRpcError as error:
            await self._hang_up()
            if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                raise self._unfit_engine("does not serve arena.v1.BotService") from None
            # The status may be no more than "the stream is gone": a program's own words say why.
            said = f"{error.code().name}: {error.details()}{self.last_words(2_000)}"
            raise self._unreachable(said) from None
        except Unreadable as error:
            await self._hang_up()
            raise self._unfit_engine(f"its answer {error}") from None
        except EngineUnavailable:
            await self._hang_up()
            raise
        self._up = True
        self._gone = None
        self._lost_ns = 0
        self._noise = 0
        self._heard_ns = awake_ns()
        self._ping_ns = 0
        self._ready_games.clear()
        for preparing in self._preparing.values():
            self._outbox.announce(preparing.ask)
        self._start(self._read(self._call))
        self._start(self._write(self._call))
        self._ping()
        self._outbox.wake.set()

    def _accept(self, description: bot_pb2.DescribeResponse) -> None:
        if PROTOCOL not in description.protocols:
            spoken = ", ".join(description.protocols) or "none"
            raise self._unfit_engine(f"speaks protocols {spoken}, not {PROTOCOL}")
        self._outbox.describe(description)

    async def _until_ready(self, call: Stream) -> None:
        welcome = bot_pb2.Welcome(
            arena=_ARENA, session=self._session, epoch=self._epoch, ping_ms=self._limits.ping_ms
        )
        await call.write(bot_pb2.PlayRequest(welcome=welcome))
        while True:
            async with asyncio.timeout(self._limits.ready_ms / 1000):
                response = await call.read()
            if response is None:
                said = f"closed the stream before it was ready{self.last_words(2_000)}"
                raise self._unreachable(said)
            if response.HasField("ready"):
                return

    def _start(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            # A mistake of ours, not of the bot: its games are given up rather than left hanging.
            _log.error("client of %s failed", self.spec.id, exc_info=error)
            self._give_up(self._unreachable(f"client failed: {error!r}"))

    def _unreachable(self, message: str) -> EngineUnavailable:
        message = f"{self.spec.target}: {message}"
        return EngineUnavailable(self.spec.id, Unavailable.UNREACHABLE, message)

    def _unfit_engine(self, message: str) -> EngineUnavailable:
        message = f"{self.spec.target}: {message}"
        return EngineUnavailable(self.spec.id, Unavailable.UNFIT, message)

    # What it is fit for.

    def unfit(self, game: Game) -> str | None:
        """Why the bot's description does not cover these rules, or None."""
        return unfit(self.description, game)

    def capacity(self, clocked: bool) -> int | None:
        """As the bot declares; one at a time under a clock where it says nothing."""
        return self.description.max_parallel_games or (1 if clocked else None)

    # Turns out.

    def ask(self, ask: Ask) -> None:
        """Queues a turn for the next message."""
        ask.started_ns = ask.asked_ns
        key = (ask.table.game_id, ask.seat)
        self._owed[key] = ask
        if self._fatal is not None:
            asyncio.get_running_loop().call_soon(ask.table.abort, self._fatal)
            return
        if self._gone is not None:
            del self._owed[key]
            asyncio.get_running_loop().call_soon(ask.table.failed, ask, self._gone)
            return
        if self.description.wants_new_game and key not in self._ready_games:
            ask.started_ns = 0
            self._preparing[key] = _Preparing(ask, ask.asked_ns, ask.asked_ns)
            self._outbox.announce(ask)
            return
        self._outbox.turn(ask)

    def withdraw(self, ask: Ask) -> None:
        """Forgets a turn."""
        key = (ask.table.game_id, ask.seat)
        if self._owed.get(key) is ask:
            del self._owed[key]
        self._preparing.pop(key, None)
        self._outbox.settled(ask)

    def game_over(self, game: Game, seats: Sequence[int], ending: Ending) -> None:
        """Pushes the news at once."""
        for seat in seats:
            key = (ending.game_id, seat)
            self._owed.pop(key, None)
            self._preparing.pop(key, None)
            self._answered.pop(key, None)
            self._ready_games.discard(key)
            self._over.append(key)
        if self._up:
            self._outbox.game_over(ending, seats)

    async def _write(self, call: Stream) -> None:
        while self._call is call:
            request = self._outbox.next()
            if request is None:
                self._outbox.wake.clear()
                await self._outbox.wake.wait()
                if len(self._owed) > 1:
                    # Other answers are here already, or nearly: with their next turns the
                    # message is fuller, and costs the same.
                    for _ in range(_GATHER):
                        await asyncio.sleep(0)
                continue
            if request.HasField("ping"):
                self._ping_ns = awake_ns()
            await call.write(request)

    # Answers in.

    async def _read(self, call: Stream) -> None:
        code, words = grpc.StatusCode.OK, "the bot closed the stream"
        try:
            while True:
                response = await call.read()
                if response is None:
                    break
                now = awake_ns()
                self._count_noise()
                for decision in response.decisions:
                    self._decided(decision, now)
                if response.HasField("pong"):
                    self._pong(response.pong.number, now)
                self._heard_ns = now
                for ready in response.games_ready:
                    self._game_ready(ready, now)
                if response.HasField("loading"):
                    self._loading(now)
            code = await call.code()
            words = f"{code.name}: {await call.details() or words}"
        except grpc.aio.AioRpcError as error:
            code, words = error.code(), f"{error.code().name}: {error.details()}"
        except Unreadable as error:
            await self._lost(call, Fault(FaultKind.PROTOCOL_ERROR, f"an answer {error}"))
            return
        except _Noise:
            words = f"more than {_NOISE} messages and answers in a row that were of no use"
            await self._lost(call, Fault(FaultKind.PROTOCOL_ERROR, words))
            return
        except asyncio.CancelledError:
            return
        if self._call is call:
            await self._lost(call, await self.why_lost(code, words))

    def _decided(self, decision: bot_pb2.Decision, now: int) -> None:
        key = (decision.game, decision.seat)
        ask = self._owed.get(key)
        if ask is None or ask.revision != decision.revision:
            self._refuse(decision, *self._why_stale(key, ask, decision.revision))
            return
        spent_ms = (now - ask.started_ns) / 1e6
        del self._owed[key]
        self._answered[key] = decision.revision
        answer = answer_of(decision)
        verdict, message = ask.table.answered(ask, answer, spent_ms, self._network_ms)
        self._outbox.settled(ask)
        if verdict is Verdict.ACCEPTED:
            self._noise = 0
            if answer.failure:
                self._strike(Fault(FaultKind.CRASH, answer.failure))
            else:
                self._strikes.moved()
        else:
            self._refuse(decision, verdict, message)

    def _why_stale(self, key: _Key, ask: Ask | None, revision: int) -> tuple[Verdict | None, str]:
        answered = self._answered.get(key)
        if answered == revision:
            return Verdict.DUPLICATE, f"revision {revision} has been answered"
        if ask is not None:
            return Verdict.STALE, f"revision {ask.revision} is due"
        if answered is not None:
            return Verdict.STALE, f"revision {answered} was the last that was asked"
        if key in self._over:
            return Verdict.GAME_OVER, "the game is over"
        return None, "no turn of this game and seat is due"

    def _refuse(self, decision: bot_pb2.Decision, verdict: Verdict | None, message: str) -> None:
        self._count_noise()
        self._outbox.refuse(decision, verdict, message)

    def _count_noise(self) -> None:
        self._noise += 1
        if self._noise > _NOISE:
            raise _Noise

    def _game_ready(self, ready: bot_pb2.GameReady, now: int) -> None:
        key = (ready.game, ready.seat)
        preparing = self._preparing.pop(key, None)
        if preparing is not None:
            self._ready_games.add(key)
            preparing.ask.started_ns = now
            self._noise = 0
            self._outbox.turn(preparing.ask)

    def _loading(self, now: int) -> None:
        for preparing in self._preparing.values():
            if now - preparing.since_ns < self._limits.ready_cap_ms * 1_000_000:
                preparing.heard_ns = now

    # Life and death.

    def _ping(self) -> None:
        self._pings += 1
        self._ping_ns = awake_ns()  # set again when it goes out
        self._outbox.ping(self._pings)

    def _pong(self, number: int, now: int) -> None:
        if number == self._pings and number != self._ponged:
            self._ponged = number
            self._noise = 0
            # The least of the last few: a busy bot answers late, its network is no slower.
            self._round_trips.append((now - self._ping_ns) / 1e6)
            self._network_ms = min(self._round_trips)

    def tick(self, now_ns: int) -> None:
        """Pings a silent bot, gives up a dead one, and games that never get ready."""
        limits = self._limits
        for key, preparing in list(self._preparing.items()):
            if now_ns - preparing.heard_ns > limits.new_game_ms * 1_000_000:
                del self._preparing[key]
                self._owed.pop(key, None)
                detail = f"not ready for the game after {limits.new_game_ms} ms"
                preparing.ask.table.failed(preparing.ask, Fault(FaultKind.TIMEOUT, detail))
        if not self._up or self._call is None or now_ns - self._ping_ns < limits.ping_ms * 1e6:
            return
        if self._heard_ns >= self._ping_ns:
            self._ping()
        elif not self._owed or self.description.answers_pings_while_thinking:
            words = f"no sign of life for {(now_ns - self._heard_ns) / 1e9:.1f} s"
            self._start(self._lost(self._call, Fault(FaultKind.DISCONNECT, words)))

    async def _lost(self, call: Stream, fault: Fault) -> None:
        if self._call is not call:
            return
        self._up = False
        self._lost_ns = awake_ns()
        await self._hang_up()
        crashed = fault.kind is FaultKind.CRASH
        kept = self._outbox.unsent() | {p.ask for p in self._preparing.values()}
        sent = [ask for ask in self._owed.values() if not ask.done and ask not in kept]
        for ask in sent:
            ask.table.remark(f"seat {ask.seat}: {fault.kind.value}: {fault.detail}")
        blamed = len(sent) == 1 and self._blame(sent[0], fault)
        self._outbox.suspect(ask for ask in sent if not ask.done)
        if not ((crashed or blamed) and self._strike(fault)):
            self._start(self._come_back(fault))

    def _strike(self, fault: Fault) -> bool:
        """Counts a failure; True where it was one too many."""
        reason = self._strikes.add(fault)
        if reason is not None:
            self._give_up(reason)
        return reason is not None

    def _blame(self, ask: Ask, fault: Fault) -> bool:
        """A stream broke over one single turn; whether that costs the game."""
        ask.drops += 1
        if fault.kind is FaultKind.DISCONNECT and ask.drops <= self._limits.reconnects:
            return False
        self._owed.pop((ask.table.game_id, ask.seat), None)
        ask.table.failed(ask, fault)
        return True

    async def _come_back(self, fault: Fault) -> None:
        """Looks for the bot again until the grace is over."""
        began = self._lost_ns
        grace_ns = self.grace_ms() * 1_000_000
        attempt = 0
        while (left_ns := grace_ns - (awake_ns() - began)) > 0:
            try:
                async with self._lock, asyncio.timeout(left_ns / 1e9):
                    await self._connect()
            except TimeoutError:
                break
            except EngineUnavailable as error:
                if error.cause is not Unavailable.UNREACHABLE:
                    self._give_up(error)
                    return
                await asyncio.sleep(_BACK_OFF_S[min(attempt, len(_BACK_OFF_S) - 1)])
                attempt += 1
                continue
            away = (awake_ns() - began) / 1e6
            for ask in self._owed.values():
                ask.table.remark(f"seat {ask.seat}: back after {away:.0f} ms")
            return
        await self._hang_up()
        await self.abandon()
        self._lost_ns = 0
        # Its games are lost, now or when its next turn is due; a later `open` may find it again.
        self._gone = Fault(fault.kind, f"{fault.detail}; not back within the grace")
        lost = list(self._owed.items())
        for key, ask in lost:
            self._owed.pop(key, None)
            ask.table.failed(ask, self._gone)
        self._outbox.clear()
        if lost and fault.kind is not FaultKind.CRASH:  # that was counted when it happened
            self._strike(self._gone)

    def _give_up(self, reason: EngineUnavailable) -> None:
        self._fatal = reason
        self._lost_ns = 0
        for ask in list(self._owed.values()):
            ask.table.abort(reason)
        self._owed.clear()
        self._outbox.clear()

    async def _hang_up(self) -> None:
        call, self._call = self._call, None
        channel, self._channel = self._channel, None
        if call is not None:
            call.cancel()
        if channel is not None:
            await channel.close()
        self._outbox.wake.set()

    async def close(self) -> None:
        """Says goodbye and closes the stream."""
        self._up = False
        call = self._call  # a reader that sees the stream end takes the attribute away
        if call is not None:
            try:
                goodbye = bot_pb2.Goodbye(reason="no more games")
                async with asyncio.timeout(0.5):
                    await call.write(bot_pb2.PlayRequest(goodbye=goodbye))
                    await call.done_writing()
            except (grpc.aio.BaseError, TimeoutError):
                pass  # it is gone already, which is what closing is for
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hang_up()
