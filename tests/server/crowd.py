"""Very many bots dial in at once, go away all together, and come back.

    python -m tests.server.crowd --bots 500

A service in a process of its own plays them against one another while all of them are cut off,
three times. It ends with exit code 1 where a game was lost by a disconnection within the grace, was
played twice or not to its end, or where the service's memory grew by more than a fifth.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import grpc

from arena.ledger import Ledger
from arena.protocol.v1 import arena_pb2, bot_pb2
from arena.protocol.v1.arena_pb2_grpc import ArenaServiceStub
from arena.server.config import Quotas
from arena.server.database import Actor, Database
from arena.server.engines import EngineBook, EngineState
from arena.server.tokens import Scope, TokenBook
from tests.server.kit import bearer, described

FILE = """
listen = "127.0.0.1:0"
[play]
rulebooks = ["gomoku/freestyle15"]
rungs = [1]
parallel_games = {games}
workers = 0
games_per_engine = 4
half_width = 1
[match]
disconnect_grace_ms = 60000
ping_ms = 5000
connect_ms = 60000
max_plies = 40
[limits]
calls_per_second = 100000
burst = 100000
"""


class Crowd:
    """The bots: each has a token, an account and a connection of its own."""

    def __init__(self, address: str, tokens: list[str]) -> None:
        self.address, self.tokens = address, tokens
        self.up = [False] * len(tokens)
        self.answered = 0
        self.ends: Counter[str] = Counter()
        self.calls: dict[int, object] = {}
        self.cutting: set[int] = set()

    async def bot(self, number: int) -> None:
        """Dials in again and again."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        while True:
            async with grpc.aio.insecure_channel(self.address, options=options) as channel:
                try:
                    await self.once(number, ArenaServiceStub(channel))
                    self.ends["closed"] += 1
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
                    code = error.code().name if isinstance(error, grpc.aio.AioRpcError) else "late"
                    self.ends[code] += 1
                except asyncio.CancelledError:
                    if number not in self.cutting:
                        raise
                    self.cutting.discard(number)
                    self.ends["cut"] += 1
            self.up[number] = False
            await asyncio.sleep(0.2)

    async def once(self, number: int, stub: object) -> None:
        call = stub.Connect(metadata=bearer(self.tokens[number]))  # type: ignore[attr-defined]
        self.calls[number] = call
        hello = described(f"bot {number}")
        hello.answers_pings_while_thinking = True
        await call.write(arena_pb2.ConnectRequest(describe=hello))
        await call.read()
        await self.say(call, bot_pb2.PlayResponse(ready=bot_pb2.Ready()))
        self.up[number] = True
        while isinstance(message := await call.read(), arena_pb2.ConnectResponse):
            answer = bot_pb2.PlayResponse()
            if message.play.HasField("ping"):
                answer.pong.number = message.play.ping.number
            for turn in message.play.turns:
                move = free_point(turn, (number + 7 * turn.ply) % 60)
                answer.decisions.add(
                    game=turn.game, revision=turn.revision, seat=turn.seat, move=move
                )
            if answer.ByteSize():
                self.answered += len(answer.decisions)
                await self.say(call, answer)

    async def say(self, call: object, play: bot_pb2.PlayResponse) -> None:
        await call.write(arena_pb2.ConnectRequest(play=play))  # type: ignore[attr-defined]

    def cut(self) -> None:
        """Everybody is gone at once."""
        self.cutting = set(self.calls)
        for call in self.calls.values():
            call.cancel()  # type: ignore[attr-defined]

    async def all_up(self, seconds: float) -> float:
        """Seconds until everybody is there."""
        began = time.monotonic()
        while not all(self.up):
            if time.monotonic() - began > seconds:
                raise SystemExit(f"only {sum(self.up)} of {len(self.up)} came: {self.ends}")
            await asyncio.sleep(0.05)
        return time.monotonic() - began


def free_point(turn: bot_pb2.Turn, skip: int) -> str:
    """The first empty point of a Gomoku board after so many others."""
    rows = json.loads(turn.observation)["board"].split("/")
    free = [
        f"{chr(ord('a') + column)}{len(rows) - number}"
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        if cell == "."
    ]
    return free[skip % len(free)]


def rss_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def enrolled(database: Path, bots: int) -> list[str]:
    """Engines on file that have passed their check, and a token for each."""
    tokens = []
    with Database.open(database) as opened:
        book = EngineBook(opened, Quotas())
        dials_in = arena_pb2.Access(dial_in=arena_pb2.DialIn())
        for number in range(bots):
            actor = Actor(f"account {number}")
            tokens.append(TokenBook(opened).new(actor.account, [Scope.AUTHOR], actor)[0])
            row = book.submit(described(f"bot {number}"), dials_in, actor)
            book.move(row.engine_id, EngineState.PLAYING, "", actor)
    return tokens


async def run(bots: int, seconds: float, pid: int, address: str, tokens: list[str]) -> bool:
    crowd = Crowd(address, tokens)
    tasks = [asyncio.create_task(crowd.bot(number)) for number in range(bots)]
    print(f"{bots} bots there after {await crowd.all_up(120):.1f} s", flush=True)
    sizes = []
    for cut in range(4):
        before, began = crowd.answered, time.monotonic()
        await asyncio.sleep(seconds)
        rate = (crowd.answered - before) / (time.monotonic() - began)
        sizes.append(rss_mib(pid))
        print(f"{rate:,.0f} moves/s, service {sizes[-1]:.0f} MiB", flush=True)
        if cut < 3:
            crowd.up = [False] * bots
            crowd.cut()
            print(f"all cut; all back after {await crowd.all_up(60):.1f} s", flush=True)
    crowd.cutting = set()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(f"streams ended: {dict(crowd.ends)}")
    return sizes[-1] < 1.2 * sizes[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10, help="of play between two cuts")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        (where / "service.toml").write_text(FILE.format(games=2 * given.bots))
        tokens = enrolled(where / "service.db", given.bots)
        server = subprocess.Popen(
            [sys.executable, "-m", "arena", "serve", "service.toml", "--ledger", "ledger.db"],
            cwd=where,
            env={**os.environ, "PYTHONPATH": os.getcwd()},
            stdout=subprocess.PIPE,
            stderr=(where / "log").open("w"),
            text=True,
        )
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip().removeprefix("ARENA_SERVICE=")
            flat = asyncio.run(run(given.bots, given.seconds, server.pid, address, tokens))
            server.send_signal(signal.SIGTERM)
            server.wait(60)
        finally:
            server.kill()
            server.wait()
        log = (where / "log").read_text()
        with Ledger.open(where / "ledger.db", create=False) as ledger:
            (sweep,) = ledger.sweeps()
            results = list(ledger.results(sweep.sweep_id))
        causes = Counter(result.termination.name for result in results)
        games = Counter(result.game_id for result in results)
        broken = [r for r in results if r.record is None or len(r.record.moves) != r.plies]
        disturbed = sum(any("back after" in note for note in r.notes) for r in results)
        print(f"{len(results):,} games, {disturbed:,} of them cut: {dict(causes)}")
        wrong = causes["disconnect"] + causes["crash"] + causes["protocol_error"]
        errors = log.count("Traceback")
        print(f"lost by a fault {wrong}, twice {max(games.values()) - 1}, errors logged {errors}")
        return int(bool(wrong or broken or errors or max(games.values()) > 1 or not flat))


if __name__ == "__main__":
    raise SystemExit(main())
