"""A bot that serves the protocol from within the test, right but for one thing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.protocol.v1 import bot_pb2, bot_pb2_grpc

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # ships no types
    def __init__(self, status: health_pb2.HealthCheckResponse.ServingStatus.ValueType) -> None:
        self.status = status

    async def Check(self, request: Any, context: Any) -> Any:
        return health_pb2.HealthCheckResponse(status=self.status)


class Wrong(bot_pb2_grpc.BotServiceServicer):
    """`mode` is what is wrong with it; "good": nothing."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.answered: set[tuple[str, int]] = set()
        self.first: dict[str, int] = {}
        self.going: set[str] = set()
        self.turns: Counter[str] = Counter()

    async def Describe(self, request: Any, context: Any) -> bot_pb2.DescribeResponse:
        said = bot_pb2.DescribeResponse(
            name="Wrong",
            version="1",
            protocols=["arena.v1"],
            games=[bot_pb2.GameSupport(rulebooks="gomoku/*")],
            wants_legal_moves=True,
            wants_new_game=True,
            observation_form=bot_pb2.OBSERVATION_FORM_TYPED,
            answers_pings_while_thinking=self.mode != "slow",
        )
        match self.mode:
            case "nameless":
                said.name = " "
            case "no_version":
                said.version = ""
            case "at_version":
                said.version = "1@2"
            case "no_games":
                del said.games[:]
            case "unknown_game":
                said.games[0].rulebooks = "chess/*"
            case "unknown_limit":
                said.games[0].limits.add(setting="sise", max=19)
            case "unfit":
                said.games[0].limits.add(setting="size", max=5)
            case "future":
                said.protocols[:] = ["arena.v99"]
        return said

    async def Play(
        self, requests: AsyncIterator[bot_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[bot_pb2.PlayResponse]:
        if self.mode == "hangs_up":
            return
        while self.mode == "never_ready":
            await asyncio.sleep(1)
        yield bot_pb2.PlayResponse(ready=bot_pb2.Ready())
        async for request in requests:
            if request.welcome.epoch > 1 and self.mode == "one_stream":
                await context.abort(grpc.StatusCode.UNAVAILABLE, "served one stream already")
            response = await self.response(request)
            if response.ByteSize():
                yield response
        while self.mode == "clingy":
            await asyncio.sleep(1)

    async def response(self, request: bot_pb2.PlayRequest) -> bot_pb2.PlayResponse:
        mode = self.mode
        response = bot_pb2.PlayResponse()
        if request.HasField("ping") and mode != "no_pong":
            response.pong.number = 1 if mode == "first_pong" else request.ping.number
        for new in request.new_games:
            self.going.add(new.game)
            if mode != "never_game":
                response.games_ready.add(game=new.game, seat=new.seat)
        for over in request.game_overs:
            self.going.discard(over.game)
            if mode == "mourner" and over.HasField("culprit"):
                raise ValueError("nobody told me of that game")
        if mode == "touchy" and request.refusals:
            raise ValueError("how dare you")
        moves = [turn.legal_moves.moves[0] for turn in request.turns]
        if mode == "swapped":
            moves = moves[1:] + moves[:1]
        turns = list(request.turns)[:1] if mode == "only_first" else request.turns
        for turn, move in zip(turns, moves, strict=False):
            if mode == "slow":
                await asyncio.sleep(0.7)
            if self.silent(turn):
                continue
            decision = bot_pb2.Decision(
                game=turn.game, revision=turn.revision, seat=turn.seat, move=move
            )
            self.spoil(turn, decision)
            response.decisions.append(decision)
        return response

    def silent(self, turn: bot_pb2.Turn) -> bool:
        again = (turn.game, turn.revision) in self.answered
        self.answered.add((turn.game, turn.revision))
        self.first.setdefault(turn.game, turn.revision)
        self.turns[turn.game] += 1
        return (
            self.mode == "mute"
            or (self.mode == "once" and again)
            or (self.mode == "proud" and bool(turn.refused))
            or (self.mode == "no_draws" and bool(turn.draw_offers))
        )

    def spoil(self, turn: bot_pb2.Turn, decision: bot_pb2.Decision) -> None:
        match self.mode:
            case "nonsense":
                decision.move = "I think I am winning"
            case "no_declaring" if turn.gomoku.phase == "declare":
                decision.move = "h8"
            case "empty":
                decision.move = ""
            case "gives_up":
                decision.failure = "out of ideas"
            case "raises":
                raise ValueError("no idea what to do")
            case "first_revision":
                decision.revision = self.first[turn.game]
            case "other_seat":
                decision.seat += 1
            case "crowded" if len(self.going) > 20:
                decision.failure = "too many games"
            case "tired" if self.turns[turn.game] > 5:
                decision.failure = "a long game"


@asynccontextmanager
async def serving(mode: str) -> AsyncIterator[str]:
    """The address of such a bot."""
    # A bot that takes no more than 6 KiB in one message, less than two or three turns need.
    options = [("grpc.max_receive_message_length", 6_144)] if mode == "small_mailbox" else []
    server = grpc.aio.server(options=options)
    bot_pb2_grpc.add_BotServiceServicer_to_server(Wrong(mode), server)
    if mode != "no_health":
        status = NOT_SERVING if mode == "not_serving" else SERVING
        health_pb2_grpc.add_HealthServicer_to_server(Health(status), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"grpc://127.0.0.1:{port}"
    finally:
        await server.stop(0)
