"""Bots that bend the protocol itself, without the SDK: ``python raw.py MODE [PLY [PORT [MARKER]]]``.

MARKER is a file by which a bot knows that it has done it before.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc

from arena.protocol.v1 import bot_pb2, bot_pb2_grpc

MODE = sys.argv[1]
PLY = int(sys.argv[2]) if len(sys.argv) > 2 else 0
PORT = int(sys.argv[3]) if len(sys.argv) > 3 else 0
MARKER = Path(sys.argv[4]) if len(sys.argv) > 4 else None
COLUMNS = "abcdefghijklmnopqrstuv"


def first_free(turn: bot_pb2.Turn) -> str:
    """The first empty point of a Gomoku board, by the text of the observation."""
    rows = json.loads(turn.observation)["board"].split("/")
    for number, row in enumerate(rows):
        column = row.find(".")
        if column >= 0:
            return f"{COLUMNS[column]}{len(rows) - number}"
    return "pass"


class Raw(bot_pb2_grpc.BotServiceServicer):
    """Counts its streams and does what the mode says."""

    def __init__(self) -> None:
        self.streams = 0
        self.held: bot_pb2.Decision | None = None
        self.unanswered: list[bot_pb2.Turn] = []

    async def Describe(self, request: bot_pb2.DescribeRequest, context: Any) -> Any:
        limits = [bot_pb2.SettingLimit(setting="size", max=13)] if MODE == "limited" else []
        return bot_pb2.DescribeResponse(
            name=MODE,
            version="1",
            protocols=["arena.v99"] if MODE == "future" else ["arena.v1"],
            games=[bot_pb2.GameSupport(rulebooks="gomoku/*", limits=limits)],
            wants_new_game=MODE in ("new_game", "never_game"),
            wants_legal_moves=MODE == "typed",
            observation_form=(
                bot_pb2.OBSERVATION_FORM_TYPED
                if MODE == "typed"
                else bot_pb2.OBSERVATION_FORM_UNSPECIFIED
            ),
            max_parallel_games=1 if MODE == "single" else 0,
        )

    async def Play(
        self, requests: AsyncIterator[bot_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[bot_pb2.PlayResponse]:
        self.streams += 1
        if MODE == "never_ready":
            await asyncio.sleep(60)
        while MODE == "always_loading":
            yield bot_pb2.PlayResponse(loading=bot_pb2.Loading(note="x" * 1_000_000))
            await asyncio.sleep(0.05)
        yield bot_pb2.PlayResponse(ready=bot_pb2.Ready())
        async for request in requests:
            if request.HasField("ping"):
                yield bot_pb2.PlayResponse(pong=bot_pb2.Pong(number=request.ping.number))
            if MODE == "new_game":
                for new in request.new_games:
                    ready = bot_pb2.GameReady(game=new.game, seat=new.seat)
                    yield bot_pb2.PlayResponse(games_ready=[ready])
            for turn in request.turns:
                late = turn.ply >= PLY
                if MODE == "hang_up" and late and self.streams == 1:
                    return
                if MODE == "hang_up_always" and late:
                    return
                if MODE == "noise" and late:
                    junk = bot_pb2.Decision(game="nobody knows", revision=1, move="h8")
                    for _ in range(100_000):
                        yield bot_pb2.PlayResponse(decisions=[junk] * 50)
                if MODE == "noise_at_once" and late:
                    junk = bot_pb2.Decision(game="nobody knows", revision=1, move="h8")
                    yield bot_pb2.PlayResponse(decisions=[junk] * 100_000)
                if MODE == "empty_noise" and late:
                    while True:
                        yield bot_pb2.PlayResponse()
                if MODE == "ready_noise" and late:
                    while True:
                        yield bot_pb2.PlayResponse(ready=bot_pb2.Ready(), pong=bot_pb2.Pong())
                if MODE == "deaf" and late:
                    await asyncio.sleep(60)
                if MODE == "late" and late and self.held is None:
                    self.held = self.answers(turn)[0]
                    continue
                if MARKER is not None and not MARKER.exists() and late:
                    # Over a single turn a crash would be that turn's; over two it is nobody's.
                    self.unanswered.append(turn)
                    if len(self.unanswered) < 2:
                        continue
                    MARKER.touch()
                    os._exit(7)
                for decision in self.answers(turn):
                    yield bot_pb2.PlayResponse(decisions=[decision])
            if self.held is not None:
                # The answer to a game that is over is refused as such; only then play on.
                if any(over.game == self.held.game for over in request.game_overs):
                    yield bot_pb2.PlayResponse(decisions=[self.held])
                for refusal in request.refusals:
                    assert refusal.game == self.held.game
                    assert refusal.reason == bot_pb2.REFUSAL_REASON_GAME_OVER
                    print("told that it was late", file=sys.stderr, flush=True)

    def answers(self, turn: bot_pb2.Turn) -> list[bot_pb2.Decision]:
        answer = bot_pb2.Decision(game=turn.game, revision=turn.revision, seat=turn.seat)
        if MODE == "typed":
            assert turn.observation == "" and turn.legal_moves.complete
            cells = turn.gomoku.cells
            where = cells.index(0)
            size = turn.gomoku.size
            answer.gomoku.stone = f"{COLUMNS[where % size]}{where // size + 1}"
            assert answer.gomoku.stone in turn.legal_moves.moves
            return [answer]
        answer.move = first_free(turn)
        if turn.ply >= PLY:
            match MODE:
                case "long_move":
                    answer.move = "h8" * 1_500_000
                case "long_failure":
                    answer.failure = "the board is on fire; " * 100_000
                case "long_claim":
                    answer.claim = "five in a row! " * 100_000
                case "long_comment":
                    answer.comment = "let me think ... " * 100_000
                case "stutter":
                    return [answer] * 500
                case "long_game":
                    foreign = bot_pb2.Decision(game=turn.game * 50_000, seat=turn.seat)
                    return [foreign, answer]
                case "tomorrow":
                    ahead = bot_pb2.Decision()
                    ahead.CopyFrom(answer)
                    ahead.revision = 2**64 - 1
                    return [ahead, answer]
        if MODE != "echo":
            return [answer]
        stale, foreign, seat = bot_pb2.Decision(), bot_pb2.Decision(), bot_pb2.Decision()
        for other in (stale, foreign, seat):
            other.CopyFrom(answer)
        stale.revision -= 1
        foreign.game = "another"
        seat.seat += 1
        return [stale, foreign, seat, answer, answer, answer]


async def main() -> None:
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    server = grpc.aio.server()
    bot_pb2_grpc.add_BotServiceServicer_to_server(Raw(), server)
    port = server.add_insecure_port(f"127.0.0.1:{PORT}")
    await server.start()
    print(f"ARENA_BOT_PORT={port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main())
