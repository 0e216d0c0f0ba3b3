"""Bots that misbehave at random, for as long as one likes: nothing may be lost, leak or hang.

    python -m benchmarks.bot_soak --minutes 10

Eight bots in another process crash, stall, flood, lie, hang up, drop answers and send messages of
random content, now and then, while games of theirs against `random` go on. Checked of every round:
each game has one result; a fault is the bot's and has its cause; points add up. Checked at the end:
memory, threads and open files are what they were after the first fifth of the time. Exits with 1
where anything of that does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc

import arena
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import is_fault
from arena.players.spec import EngineKind, EngineSpec
from arena.protocol.v1 import bot_pb2, bot_pb2_grpc

BOTS = 8
ROUND = 256
PARALLEL = 64
GOOD = 0.97
"""Share of turns that are answered as they should be."""

DROPPED = 0.2
"""Share of the others that are not answered at all."""

SILENT_S = 60.0
"""Without a single result for so long, the run hangs."""

SLACK = 1.1
RULEBOOK = "gomoku/freestyle15"
POLICY = MatchPolicy(
    move_ms=1_500,
    ping_ms=1_000,
    ready_ms=5_000,
    disconnect_grace_ms=20_000,
    crashes=100_000,
    reconnects=20,
)


class Mischief(bot_pb2_grpc.BotServiceServicer):
    """One bot."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.said = 0

    async def Describe(self, request: bot_pb2.DescribeRequest, context: Any) -> Any:
        return bot_pb2.DescribeResponse(
            name="mischief",
            version="1",
            protocols=["arena.v1"],
            games=[bot_pb2.GameSupport(rulebooks="*")],
            wants_legal_moves=True,
            wants_new_game=True,
            observation_form=bot_pb2.OBSERVATION_FORM_TEXT,
        )

    async def Play(
        self, requests: AsyncIterator[bot_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[bot_pb2.PlayResponse]:
        yield bot_pb2.PlayResponse(ready=bot_pb2.Ready())
        chance = self.chance
        async for request in requests:
            if request.HasField("ping"):
                yield bot_pb2.PlayResponse(pong=bot_pb2.Pong(number=request.ping.number))
            if request.new_games:
                ready = [bot_pb2.GameReady(game=n.game, seat=n.seat) for n in request.new_games]
                yield bot_pb2.PlayResponse(games_ready=ready)
            for turn in request.turns:
                self.said += 1
                if chance.random() < GOOD:
                    yield bot_pb2.PlayResponse(decisions=[self.right(turn)])
                elif chance.random() >= DROPPED:
                    whim = chance.randrange(60)
                    if whim == 0:
                        raise ValueError("whim")
                    if whim == 1:
                        return
                    if whim == 2:
                        await context.abort(grpc.StatusCode.UNAVAILABLE, "whim")
                    if whim == 3:
                        await asyncio.sleep(0.3)
                    for _ in range(1_200 if whim == 4 else 1):
                        yield self.wrong(turn)

    def right(self, turn: bot_pb2.Turn) -> bot_pb2.Decision:
        return bot_pb2.Decision(
            game=turn.game,
            revision=turn.revision,
            seat=turn.seat,
            move=self.chance.choice(turn.legal_moves.moves),
        )

    def wrong(self, turn: bot_pb2.Turn) -> bot_pb2.PlayResponse:
        """A message that is all right here and there."""
        chance = self.chance
        response = bot_pb2.PlayResponse()
        for _ in range(chance.choice((0, 1, 1, 1, 3))):
            response.decisions.append(self.random_decision(turn))
        if chance.random() < 0.2:
            response.pong.number = chance.choice((0, 1, chance.getrandbits(64)))
        if chance.random() < 0.1:
            response.ready.SetInParent()
        if chance.random() < 0.1:
            response.loading.note = "l" * chance.choice((0, 10, 100_000))
        if chance.random() < 0.2:
            response.games_ready.add(game=self.name(turn), seat=chance.choice((0, 1, 77)))
        return response

    def name(self, turn: bot_pb2.Turn) -> str:
        return self.chance.choice((turn.game, turn.game, "", "nobody", "\u202e\0", turn.game[::-1]))

    def random_decision(self, turn: bot_pb2.Turn) -> bot_pb2.Decision:
        chance = self.chance
        near = (turn.revision, turn.revision, turn.revision - 1, turn.revision + 1)
        decision = bot_pb2.Decision(
            game=self.name(turn),
            revision=chance.choice((*near, 0, chance.getrandbits(64))),
            seat=chance.choice((turn.seat, turn.seat, 1 - turn.seat, 0, 4_294_967_295)),
        )
        text = chance.choice(
            (chance.choice(turn.legal_moves.moves), "a1", "", "\0", "z99", "走", "x" * 50_000)
        )
        match chance.randrange(9):
            case 0:
                decision.failure = text
            case 1:
                decision.gomoku.stone = text
            case 2:
                decision.xiangqi.SetInParent()
            case 3:
                decision.resign = True
            case 4:
                decision.accept_draw = True
            case _:
                decision.move = text
        decision.offer_draw = chance.random() < 0.2
        if chance.random() < 0.2:
            decision.value = chance.choice((0.5, -1.0, float("nan"), float("inf")))
        if chance.random() < 0.1:
            decision.claim = text
            decision.comment = text
            decision.thought_ms = 4_294_967_295
        return decision


async def serve(seed: int) -> None:
    servers, ports = [], []
    for number in range(BOTS):
        server = grpc.aio.server()
        bot_pb2_grpc.add_BotServiceServicer_to_server(Mischief(seed + number), server)
        ports.append(server.add_insecure_port("127.0.0.1:0"))
        await server.start()
        servers.append(server)
    print(" ".join(map(str, ports)), flush=True)
    await asyncio.gather(*(server.wait_for_termination() for server in servers))


class Use:
    """What this process holds: resident memory, threads, open files."""

    def __init__(self) -> None:
        status = Path("/proc/self/status").read_text("ascii")
        self.mib = int(status.partition("VmRSS:")[2].split()[0]) / 1024
        self.threads = threading.active_count()
        self.files = len(os.listdir("/proc/self/fd"))

    def __str__(self) -> str:
        return f"{self.mib:.1f} MiB, {self.threads} threads, {self.files} open files"


def problem(result: GameResult, bot_seat: int) -> str:
    """What is wrong with a result, or nothing."""
    if abs(sum(result.scores) - 1) > 1e-9:
        return f"points {result.scores}"
    if is_fault(result.termination):
        if result.culprit != bot_seat:
            return f"{result.termination.name} of seat {result.culprit}, the bot is {bot_seat}"
        if result.scores[bot_seat] != 0:
            return f"{result.termination.name} earned {result.scores[bot_seat]}"
    return ""


def soak(ports: list[int], minutes: float) -> list[str]:
    """What went wrong."""
    game = arena.game(RULEBOOK)
    rival = EngineSpec("random", "1", EngineKind.BUILTIN, "random")
    bots = [EngineSpec(f"bot{p}", "1", EngineKind.GRPC, f"127.0.0.1:{p}") for p in ports]
    wrong: list[str] = []
    causes: Counter[str] = Counter()
    early: Use | None = None
    began = time.monotonic()
    until = began + 60 * minutes
    number = 0
    heard = [time.monotonic()]
    threading.Thread(target=watch, args=(heard,), daemon=True).start()
    with MatchRunner(POLICY, PARALLEL) as runner:
        while time.monotonic() < until:
            requests = {}
            for _ in range(ROUND):
                number += 1
                pair = (bots[number % BOTS], rival)
                name = f"{number:032x}"
                requests[name] = GameRequest(
                    name, "s", "c", number, 0, game, pair[:: number % 2 * 2 - 1], number, number
                )
            for result in runner.play(requests.values()):
                heard[0] = time.monotonic()
                if isinstance(result, NotPlayed):
                    del requests[result.request.game_id]
                    wrong.append(f"not played: {result.message}")
                    continue
                request = requests.pop(result.game_id, None)
                if request is None:
                    wrong.append(f"{result.game_id}: a second result, or one that nobody asked for")
                    continue
                causes[result.termination.name] += 1
                if fault := problem(
                    result, request.engines.index(bots[int(result.game_id, 16) % BOTS])
                ):
                    wrong.append(f"{result.game_id}: {fault}")
            wrong += [f"{name}: no result" for name in requests]
            if early is None and time.monotonic() - began > 12 * minutes:
                early = Use()
        late = Use()
    print(f"{number} games: {dict(causes.most_common())}")
    if early is not None:
        print(f"after a fifth of the time {early}; at the end {late}")
        for what in ("mib", "threads", "files"):
            before, after = getattr(early, what), getattr(late, what)
            if after > before * SLACK:
                wrong.append(f"{what}: {before} after a fifth of the time, {after} at the end")
    return wrong


def watch(heard: list[float]) -> None:
    """Ends the process where nothing comes any more."""
    while time.monotonic() - heard[0] < SILENT_S:
        time.sleep(1)
    print(f"no result for {SILENT_S} s: it hangs", flush=True)
    os._exit(1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.seed))
        return 0
    bots = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.bot_soak", "--serve", "--seed", str(given.seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert bots.stdout is not None
        wrong = soak([int(port) for port in bots.stdout.readline().split()], given.minutes)
    finally:
        bots.terminate()
        bots.wait()
    for line in wrong[:20]:
        print(f"WRONG  {line}")
    print(f"{len(wrong)} things wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
