"""Listens in on the stream between the arena's client and a bot."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Collection
from time import monotonic_ns
from typing import TYPE_CHECKING, cast

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from arena.players.base import Limits
from arena.players.command import CommandPlayer
from arena.players.dial_in import DialInPlayer, Line
from arena.players.fault import Fault
from arena.players.grpc_client import GrpcPlayer
from arena.players.spec import EngineKind, EngineSpec
from arena.protocol.v1 import bot_pb2

if TYPE_CHECKING:
    from arena.players.call import Stream

# Messages kept of one check, and messages shown of a failed one: the last of each.
_KEPT = 400
_SHOWN = 12


class Wire:
    """What went over a bot's streams since it was last cleared."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.call: Overheard | None = None
        self.cut_after_turns = False
        """Cut the stream, as a broken network does, as soon as turns have been written."""

        self.written: set[tuple[str, int]] = set()
        """Game and revision of the turns that are on their way."""

        self.losses: list[Fault] = []
        """Streams that broke, and what of; not those that were cut here."""

        self.cuts = 0
        """Streams that were cut."""

        self.decisions = 0
        """Answers that came, of whatever worth."""

        self._log: deque[tuple[int, bool, Message]] = deque(maxlen=_KEPT)
        self._news = asyncio.Event()

    def clear(self) -> None:
        """Forgets what was heard."""
        self._log.clear()
        self.written.clear()
        self.losses.clear()
        self.cuts = 0

    def note(self, sent: bool, message: Message) -> None:
        """Keeps a message."""
        self._log.append((monotonic_ns(), sent, message))
        if isinstance(message, bot_pb2.PlayRequest):
            self.written.update((turn.game, turn.revision) for turn in message.turns)
        if isinstance(message, bot_pb2.PlayResponse):
            self.decisions += len(message.decisions)
        self._news.set()

    def wake(self) -> None:
        """Has whoever waits look again."""
        self._news.set()

    async def until(self, seen: Callable[[], bool], seconds: float) -> bool:
        """Waits for something to be true, which only a message or `wake` makes so."""
        deadline = monotonic_ns() + round(seconds * 1e9)
        while not seen():
            left = (deadline - monotonic_ns()) / 1e9
            if left <= 0:
                return False
            self._news.clear()
            try:
                async with asyncio.timeout(left):
                    await self._news.wait()
            except TimeoutError:
                return seen()
        return True

    def requests(self) -> list[bot_pb2.PlayRequest]:
        """Messages to the bot, oldest first."""
        return [m for _, _, m in self._log if isinstance(m, bot_pb2.PlayRequest)]

    def responses(self) -> list[bot_pb2.PlayResponse]:
        """Messages from the bot, oldest first."""
        return [m for _, _, m in self._log if isinstance(m, bot_pb2.PlayResponse)]

    def exchange(self, games: Collection[str] = ()) -> tuple[str, ...]:
        """The last messages, as lines of JSON; of some games, only what is about them."""
        lines: list[str] = []
        began = self._log[0][0] if self._log else 0
        for at, sent, message in self._log:
            told: Message | None = message
            if games and isinstance(message, bot_pb2.PlayRequest):
                told = _request_about(message, games)
            elif games and isinstance(message, bot_pb2.PlayResponse):
                told = _response_about(message, games)
            if told is not None:
                lines.append(f"{'->' if sent else '<-'} {(at - began) / 1e6:.0f} ms {_text(told)}")
        return tuple(lines[-_SHOWN:])


def _text(message: Message) -> str:
    """Protobuf's own JSON, with the fields' names as the .proto files have them."""
    said = MessageToDict(message, preserving_proto_field_name=True)
    kind = type(message).__name__
    name = "" if kind in ("PlayRequest", "PlayResponse") else f"{kind} "
    return name + json.dumps(said, ensure_ascii=False)


def _request_about(
    message: bot_pb2.PlayRequest, games: Collection[str]
) -> bot_pb2.PlayRequest | None:
    about = bot_pb2.PlayRequest(
        turns=[turn for turn in message.turns if turn.game in games],
        new_games=[new for new in message.new_games if new.game in games],
        game_overs=[over for over in message.game_overs if over.game in games],
        refusals=[refusal for refusal in message.refusals if refusal.game in games],
    )
    if not about.ByteSize():
        return None
    old = sorted({turn.rules for turn in about.turns} | {new.rules for new in about.new_games})
    about.rules.extend(message.rules[index] for index in old)
    for turn in about.turns:
        turn.rules = old.index(turn.rules)
    for new in about.new_games:
        new.rules = old.index(new.rules)
    return about


def _response_about(
    message: bot_pb2.PlayResponse, games: Collection[str]
) -> bot_pb2.PlayResponse | None:
    about = bot_pb2.PlayResponse(
        decisions=[decision for decision in message.decisions if decision.game in games],
        games_ready=[ready for ready in message.games_ready if ready.game in games],
    )
    return about if about.ByteSize() else None


class Overheard:
    """A stream that the wire listens to, and that can be cut."""

    def __init__(self, call: Stream, wire: Wire) -> None:
        """`call` is the stream itself."""
        self._call = call
        self._wire = wire
        self.cut = False
        self._writing = asyncio.Lock()

    async def write(self, request: bot_pb2.PlayRequest) -> None:
        """Sends a message; the kit's own and the client's do not come into each other's way."""
        cuts = self._wire.cut_after_turns and bool(request.turns)
        if cuts:
            # Before the turns are out: a quick bot's answers to them are lost, too.
            self._wire.cut_after_turns = False
            self._wire.cuts += 1
            self.cut = True
        async with self._writing:
            self._wire.note(True, request)
            await self._call.write(request)
        if cuts:
            self._call.cancel()

    async def read(self) -> bot_pb2.PlayResponse | None:
        """The next message; None at the end."""
        try:
            response = await self._call.read()
        except asyncio.CancelledError:
            if self.cut:
                return None
            raise
        if self.cut:
            return None
        if response is not None:
            self._wire.note(False, response)
        return response

    async def code(self) -> grpc.StatusCode:
        """How the stream ended."""
        return await self._call.code()

    async def details(self) -> str:
        """The words beside the code."""
        return await self._call.details()

    async def done_writing(self) -> None:
        """Closes the arena's side."""
        await self._call.done_writing()

    def cancel(self) -> bool:
        """Ends the stream from this side."""
        return self._call.cancel()


class WatchedPlayer(GrpcPlayer):
    """The arena's own client, overheard."""

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        """See `GrpcPlayer`."""
        super().__init__(spec, limits)
        self.wire = Wire()

    def stream(self) -> Stream:
        """The stream of all games, listened to."""
        self.wire.call = Overheard(super().stream(), self.wire)
        self.wire.note(False, self.description)
        return self.wire.call

    async def _lost(self, call: Stream, fault: Fault) -> None:
        if self._call is call and not cast(Overheard, call).cut:
            self.wire.losses.append(fault)
        await super()._lost(call, fault)


class WatchedCommand(WatchedPlayer, CommandPlayer):
    """The same for a program that is started."""

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        """See `CommandPlayer`."""
        super().__init__(spec, limits)
        self.exit_code: int | None = None
        """How the program ended when it was last closed."""

    async def close(self) -> None:
        """Ends the program, and keeps how it took that."""
        process = self._process
        await super().close()
        self.exit_code = None if process is None else process.returncode


class WatchedDialIn(WatchedPlayer, DialInPlayer):
    """The same for a bot that dials in."""

    def __init__(self, spec: EngineSpec, limits: Limits, line: Line) -> None:
        """See `DialInPlayer`."""
        DialInPlayer.__init__(self, spec, limits, line)
        self.wire = Wire()


Watch = Callable[[EngineSpec, Limits], WatchedPlayer]
"""Makes a player that is listened to."""


def watched(spec: EngineSpec, limits: Limits) -> WatchedPlayer:
    """A player that is listened to. Raises ValueError for engines that speak no gRPC."""
    if spec.kind is EngineKind.GRPC:
        return WatchedPlayer(spec, limits)
    if spec.kind is EngineKind.COMMAND:
        return WatchedCommand(spec, limits)
    raise ValueError(
        f"engine '{spec.target}': a check needs a bot that serves the protocol, "
        "host:port or a command that starts one"
    )
