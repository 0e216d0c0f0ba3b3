"""The methods of ArenaService: requests looked at, work handed on, answers put together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

import grpc

from arena.players.dial_in import BotStream
from arena.players.fitness import misdescribed
from arena.protocol.convert import PROTOCOL
from arena.protocol.v1 import arena_pb2, arena_pb2_grpc, bot_pb2
from arena.server.engines import EngineBook, EngineRow, EngineState
from arena.server.errors import Reason, ServiceError, denied, invalid
from arena.server.gate import caller, require
from arena.server.league import League
from arena.server.lines import Requests, Switchboard, first_of, require_itself
from arena.server.names import engine_name, version_name
from arena.server.targets import DialList, TargetError
from arena.server.tokens import Scope, Token, TokenBook
from arena.server.views import STATES_BACK, engine_message

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Context = grpc.aio.ServicerContext[Any, Any]

_MOST_GAMES = 100
_MOST_LIMITS = 50
_GLOB_CHARS = 100
_TEXT_CHARS = 2_000
_WORDS = 100


class Desk:
    """The service's database, asked by one thread of its own so that the loop never waits."""

    def __init__(self, tokens: TokenBook, engines: EngineBook) -> None:
        """Starts no thread before it is asked."""
        self.tokens = tokens
        self.engines = engines
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="service database")

    async def ask(self, work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        """Has the thread do something with a book."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: work(*arguments, **named))

    async def find(self, text: str) -> Token | None:
        """The token of a text."""
        return await self.ask(self.tokens.find, text)

    def close(self) -> None:
        """Lets the thread end."""
        self._thread.shutdown(wait=True, cancel_futures=True)


class ArenaService(arena_pb2_grpc.ArenaServiceServicer):
    """Every method runs behind a `Gate`, which knows the caller."""

    def __init__(
        self, desk: Desk, targets: DialList, switchboard: Switchboard, league: League
    ) -> None:
        """`targets` may be dialled; who dials in comes to the `switchboard`."""
        self._desk = desk
        self._targets = targets
        self._switchboard = switchboard
        self._league = league

    def _shown(self, row: EngineRow, viewer: Token) -> arena_pb2.Engine:
        return engine_message(row, viewer, online=self._switchboard.live(row.engine_id))

    async def SubmitEngine(
        self, request: arena_pb2.SubmitEngineRequest, context: _Context
    ) -> arena_pb2.SubmitEngineResponse:
        """Files an engine."""
        token = require(Scope.AUTHOR)
        description = looked_at(request.description)
        access = self._access(request.access, token)
        book = self._desk.engines
        row = await self._desk.ask(
            book.submit, description, access, token.actor, unlimited=token.may()
        )
        return arena_pb2.SubmitEngineResponse(engine=self._shown(row, token))

    def _access(self, access: arena_pb2.Access, token: Token) -> arena_pb2.Access:
        """How an engine is reached, if its submitter may say so. Raises ServiceError."""
        match access.WhichOneof("way"):
            case "address":
                try:
                    self._targets.may_be_named(access.address)
                except TargetError as error:
                    raise denied(Reason.TARGET_NOT_ALLOWED, str(error)) from None
            case "command":
                if not token.may():
                    raise denied(
                        Reason.SCOPE_MISSING, "only an operator submits commands; dial in instead"
                    )
                words = access.command.words
                if not words or not words[0] or len(words) > _WORDS:
                    raise invalid("access.command", f"needs 1 to {_WORDS} words")
            case None:
                raise invalid("access", "is empty: address, dial_in or command")
        return access

    async def WithdrawEngine(
        self, request: arena_pb2.WithdrawEngineRequest, context: _Context
    ) -> arena_pb2.WithdrawEngineResponse:
        """Takes an engine out of play."""
        token = require(Scope.AUTHOR)
        if len(request.reason) > _TEXT_CHARS:
            raise invalid("reason", f"is longer than {_TEXT_CHARS} characters")
        row = await self._desk.ask(
            self._desk.engines.withdraw,
            request.engine_id,
            request.reason,
            token.actor,
            operator=token.may(),
        )
        self._switchboard.hang_up(row.engine_id, f"{row.id} was withdrawn")
        return arena_pb2.WithdrawEngineResponse(engine=self._shown(row, token))

    async def Connect(  # type: ignore[override]  # grpc.aio also takes a coroutine that writes
        self, request_iterator: Requests, context: _Context
    ) -> None:
        """Has a bot dial in, and plays it until the stream ends."""
        token = require(Scope.AUTHOR)
        first = await first_of(request_iterator)
        said = first.describe
        row = await self._desk.ask(self._desk.engines.named, said.name, said.version)
        require_itself(row, first, token)
        await context.write(arena_pb2.ConnectResponse(engine=self._shown(row, token)))
        stream = BotStream(said)
        self._league.arrived(row)
        await self._switchboard.carry(stream, row, token, request_iterator, context)

    async def GetEngine(
        self, request: arena_pb2.GetEngineRequest, context: _Context
    ) -> arena_pb2.GetEngineResponse:
        """Shows one engine."""
        book = self._desk.engines
        match request.WhichOneof("which"):
            case "engine_id":
                row = await self._desk.ask(book.get, request.engine_id)
            case "engine":
                row = await self._desk.ask(book.named, request.engine.name, request.engine.version)
            case None:
                raise invalid("which", "is empty: an id, or name and version")
        return arena_pb2.GetEngineResponse(engine=self._shown(row, caller()))

    async def ListEngines(
        self, request: arena_pb2.ListEnginesRequest, context: _Context
    ) -> arena_pb2.ListEnginesResponse:
        """Shows a page of engines."""
        states: list[EngineState] = []
        for state in request.states:
            if state not in STATES_BACK:
                raise invalid("states", f"{state} is no state of an engine")
            states.append(STATES_BACK[state])
        rows, following = await self._desk.ask(
            self._desk.engines.page,
            request.account,
            states,
            request.page_size,
            request.page_token,
        )
        viewer = caller()
        return arena_pb2.ListEnginesResponse(
            engines=[self._shown(row, viewer) for row in rows],
            next_page_token=following,
        )


def looked_at(said: bot_pb2.DescribeResponse) -> bot_pb2.DescribeResponse:
    """A description in its usual form. Raises ServiceError naming the field that is wrong."""
    description = bot_pb2.DescribeResponse()
    description.CopyFrom(said)
    for field, usual in (("name", engine_name), ("version", version_name)):
        try:
            setattr(description, field, usual(getattr(said, field)))
        except ValueError as error:
            raise invalid(f"description.{field}", str(error)) from None
    if PROTOCOL not in said.protocols:
        raise invalid("description.protocols", f"lacks {PROTOCOL}, which is spoken here")
    if len(said.games) > _MOST_GAMES:
        raise invalid("description.games", f"has more than {_MOST_GAMES} entries")
    for support in said.games:
        if len(support.rulebooks) > _GLOB_CHARS or len(support.limits) > _MOST_LIMITS:
            raise invalid("description.games", "a glob is too long, or has too many limits")
    for field in ("description", "url"):
        if len(getattr(said, field)) > _TEXT_CHARS:
            raise invalid(f"description.{field}", f"is longer than {_TEXT_CHARS} characters")
    wrong = misdescribed(description)
    if wrong is not None:
        raise invalid(f"description.{wrong[0]}", wrong[1])
    return description


def shutting_down() -> ServiceError:
    """What callers are told who come too late."""
    return ServiceError(
        grpc.StatusCode.UNAVAILABLE, Reason.SHUTTING_DOWN, "the arena is shutting down"
    )
