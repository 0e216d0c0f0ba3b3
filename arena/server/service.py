"""The methods of ArenaService: requests looked at, work handed on, answers put together."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import grpc

from arena.balance import MARGIN
from arena.games import family_ids, family_named
from arena.ledger import GameResult
from arena.match.request import GameRequest
from arena.players.dial_in import BotStream
from arena.players.fitness import misdescribed
from arena.protocol.convert import PROTOCOL
from arena.protocol.v1 import arena_pb2, balance_pb2, bot_pb2
from arena.server.balance_views import balance_row, correction_of, margin_of
from arena.server.desk import Desk
from arena.server.engines import EngineRow, EngineState, offset_of, page_of, page_token
from arena.server.errors import Reason, ServiceError, denied, invalid, not_found
from arena.server.events import Changed
from arena.server.gate import caller, require
from arena.server.league import League
from arena.server.lines import Requests, Switchboard, first_of, require_itself
from arena.server.names import engine_name, version_name
from arena.server.results import Results
from arena.server.sweeping.calls import SweepCalls
from arena.server.sweeping.keeper import Sweeps
from arena.server.targets import DialList, TargetError
from arena.server.tokens import Scope, Token
from arena.server.views import (
    STATES_BACK,
    board_row,
    engine_message,
    game_message,
    record_message,
    result_message,
    standings,
)

_Context = grpc.aio.ServicerContext[Any, Any]

_MOST_GAMES = 100
_MOST_LIMITS = 50
_GLOB_CHARS = 100
_TEXT_CHARS = 2_000
_WORDS = 100
_BY_RESULTS = (
    "in the standing play, results decide who meets whom and how long: a sweep lays that down "
    "before it begins"
)


class ArenaService(SweepCalls):
    """Every method runs behind a `Gate`, which knows the caller."""

    def __init__(
        self,
        desk: Desk,
        results: Results,
        targets: DialList,
        switchboard: Switchboard,
        league: League,
        sweeps: Sweeps,
    ) -> None:
        """`targets` may be dialled; who dials in comes to the `switchboard`."""
        super().__init__(desk, sweeps, league.broadcast.places)
        self._results = results
        self._targets = targets
        self._switchboard = switchboard
        self._league = league

    def _shown(self, row: EngineRow, viewer: Token) -> arena_pb2.Engine:
        message = engine_message(row, viewer, online=self._league.online(row))
        message.standings.extend(standings(self._league.divisions, row.id))
        return message

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
        if access.WhichOneof("way") != "dial_in" and row.state.in_play:
            self._league.arrived(row)
        return arena_pb2.SubmitEngineResponse(engine=self._shown(row, token))

    def _access(self, access: arena_pb2.Access, token: Token) -> arena_pb2.Access:
        """How an engine is reached, if its submitter may say so. Raises ServiceError."""
        way = access.WhichOneof("way")
        if access.tls and way != "address":
            raise invalid("access.tls", "has no effect: only an address is dialled")
        match way:
            case "address":
                try:
                    self._targets.may_be_named(access.address, tls=access.tls)
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
        self._league.left(row)
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

    async def WatchEngine(  # type: ignore[override]  # as Connect
        self, request: arena_pb2.WatchEngineRequest, context: _Context
    ) -> None:
        """Tells of one engine until the caller has enough."""
        viewer, book = caller(), self._desk.engines
        row = await self._desk.ask(book.get, request.engine_id)
        with self._league.broadcast.watching(viewer) as watcher:
            await context.write(arena_pb2.WatchEngineResponse(engine=self._shown(row, viewer)))
            async for news in watcher.news():
                if isinstance(news, Changed):
                    if news.engine == row.id:
                        row = await self._desk.ask(book.get, row.engine_id)
                        shown = self._shown(row, viewer)
                        await context.write(arena_pb2.WatchEngineResponse(engine=shown))
                elif isinstance(news, GameRequest):
                    if row.id in {spec.id for spec in news.engines}:
                        began = game_message(news)
                        await context.write(arena_pb2.WatchEngineResponse(began=began))
                elif row.id in news.engines:
                    ended = result_message(news)
                    await context.write(arena_pb2.WatchEngineResponse(ended=ended))

    async def WatchGames(  # type: ignore[override]  # as Connect
        self, request: arena_pb2.WatchGamesRequest, context: _Context
    ) -> None:
        """Tells of games until the caller has enough."""
        pattern = _glob(request.rulebooks)
        with self._league.broadcast.watching(caller()) as watcher:
            await context.send_initial_metadata(())
            async for news in watcher.news():
                if isinstance(news, GameRequest):
                    if fnmatchcase(news.game.label, pattern):
                        began = game_message(news)
                        await context.write(arena_pb2.WatchGamesResponse(began=began))
                elif isinstance(news, GameResult) and fnmatchcase(news.rulebook, pattern):
                    ended = result_message(news)
                    await context.write(arena_pb2.WatchGamesResponse(ended=ended))

    async def GetLeaderboard(
        self, request: arena_pb2.GetLeaderboardRequest, context: _Context
    ) -> arena_pb2.GetLeaderboardResponse:
        """Ratings, page by page."""
        _require_family(request.family)
        first = offset_of(request.page_token)
        where = await self.ledger_of(request.sweep_id) if request.sweep_id else None
        board = await self._results.board(request.family, _glob(request.rulebooks), where)
        size = page_of(request.page_size)
        entries = board.entries[first : first + size]
        groups = {engine: n for n, group in enumerate(board.groups, 1) for engine in group}
        more = len(board.entries) > first + size
        return arena_pb2.GetLeaderboardResponse(
            rows=[board_row(entry, groups[entry.engine]) for entry in entries],
            next_page_token=page_token(first + size) if more else "",
            anchor=board.anchor.en,
            notes=[note.en for note in board.notes],
            games=board.games,
        )

    async def GetBalance(
        self, request: balance_pb2.GetBalanceRequest, context: _Context
    ) -> balance_pb2.GetBalanceResponse:
        """What rules are worth to the seats, page by page."""
        _require_family(request.family)
        first, size = offset_of(request.page_token), page_of(request.page_size)
        margin, rulebooks = margin_of(request.margin, MARGIN), _glob(request.rulebooks)
        correction = correction_of(request.correction)
        where = await self.ledger_of(request.sweep_id) if request.sweep_id else None
        cells = await self._results.balance(request.family, rulebooks, margin, correction, where)
        cells = sorted(cells, key=lambda cell: cell.rulebook)
        more = len(cells) > first + size
        return balance_pb2.GetBalanceResponse(
            rows=[balance_row(cell) for cell in cells[first : first + size]],
            next_page_token=page_token(first + size) if more else "",
            margin=margin,
            judged=cells[0].verdict.family if cells else 0,
            notes=[_BY_RESULTS] if cells and where is None else [],
            games=sum(cell.games for cell in cells),
        )

    async def GetRecord(
        self, request: arena_pb2.GetRecordRequest, context: _Context
    ) -> arena_pb2.GetRecordResponse:
        """One game, unless others are still to be played from the same deal."""
        viewer = caller()
        result = await self._results.record(request.game_id)
        if result is None:
            raise not_found("game", request.game_id)
        if self._league.is_open(result):
            raise ServiceError(
                grpc.StatusCode.FAILED_PRECONDITION,
                Reason.STILL_PLAYED,
                "other games of the same deal are still to be played",
            )
        rows = await self._desk.ask(self._desk.engines.everybody)
        mine = {row.id for row in rows if viewer.may() or row.account == viewer.account}
        return record_message(result, mine, everything=viewer.may())


def _require_family(family: str) -> None:
    if family not in family_ids():
        named = family_named(family)
        right = ", ".join(family_ids()) if named is None else f"the ids of games; write {named.id}"
        raise invalid("family", f"'{family}' is none of {right}")


def _glob(text: str) -> str:
    if len(text) > _GLOB_CHARS:
        raise invalid("rulebooks", f"is longer than {_GLOB_CHARS} characters")
    return text or "*"


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
