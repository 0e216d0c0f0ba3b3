"""Bots that dial in: played over their own stream, one stream each, found again when lost."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

import arena
from arena._core import Termination
from arena.ledger.result import GameResult
from arena.match.floor import Played, Run
from arena.players.spec import EngineSpec
from arena.protocol.v1 import arena_pb2, bot_pb2
from arena.sdk import Bot, ConnectError, Connection, Turn
from arena.server.database import Actor, Database
from arena.server.league import League
from arena.server.tokens import TokenBook
from tests.match.table_kit import request_for
from tests.server.kit import House, described, house, refusal, submission

BOOK = "gomoku/freestyle15"
FAST = {"connect_ms": 2_000, "ping_ms": 200, "disconnect_grace_ms": 3_000, "max_plies": 8}
# Nobody has five in a row by then.
MOVES = 4
ROOT = Path(__file__).parents[2]
NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION


class Spread(Bot):
    """Stones that never make a row; `gate` holds it up."""

    name = "Spread"
    games = ("gomoku/*",)

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = 0
        self.seen: list[tuple[str, int]] = []

    async def choose(self, turn: Turn) -> str:
        self.asked += 1
        self.seen.append((turn.game_id, turn.ply))
        await self.gate.wait()
        return turn.legal[(turn.ply * 7) % len(turn.legal)]


running: dict[Connection, asyncio.Future[None]] = {}


@asynccontextmanager
async def dialled(at: House, bot: Bot, who: str = "ann") -> AsyncIterator[Connection]:
    at.auth(who)
    connection = Connection(bot, at.address, at.tokens[who])
    task = running[connection] = asyncio.ensure_future(connection.run())
    try:
        await until(lambda: task.done() or online(at, connection))
        if task.done():
            task.result()
        yield connection
    finally:
        connection.stop()
        del running[connection]
        await asyncio.wait([task])
    task.result()


def league(at: House) -> League:
    assert at.server._league is not None
    return at.server._league


def online(at: House, connection: Connection) -> bool:
    assert at.server._switchboard is not None
    return at.server._switchboard.live(connection.engine.id)


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


async def spec_of(at: House, engine_id: str) -> EngineSpec:
    assert at.server._desk is not None
    return league(at)._reach.spec(at.server._desk.engines.get(engine_id))


def begin(at: House, spec: EngineSpec, games: int = 1) -> asyncio.Future[list[Played]]:
    """Games against `random`, on the service's own floor."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[list[Played]] = loop.create_future()
    found: list[Played] = []

    def deliver(result: Played | Exception) -> None:
        if isinstance(result, Exception):
            done.set_exception(result)
            return
        found.append(result)
        if len(found) == games:
            done.set_result(found)

    rival = EngineSpec.parse("random")
    seats = [(spec, rival) if n % 2 else (rival, spec) for n in range(games)]
    requests = [
        replace(request_for(arena.game(BOOK), number=number), engines=pair)
        for number, pair in enumerate(seats)
    ]
    at.keep = loop.create_task(Run(league(at).floor, requests, deliver).work())
    return done


def whole(played: list[Played]) -> list[GameResult]:
    """Games that were played to the end without a fault."""
    for result in played:
        assert isinstance(result, GameResult), result
        assert result.termination is Termination.move_limit, (result.termination, result.notes)
    return [result for result in played if isinstance(result, GameResult)]


def test_a_bot_is_played_over_the_stream_that_it_opened(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match=FAST) as at:
            bot = Spread()
            async with dialled(at, bot) as connection:
                shown = arena_pb2.GetEngineRequest(engine_id=connection.engine.id)
                found = await at.stub.GetEngine(shown, metadata=at.auth("bob"))
                assert found.engine.online and found.engine.name == "Spread"
                spec = await spec_of(at, connection.engine.id)
                whole(await asyncio.wait_for(begin(at, spec, games=8), 30))
                assert len(bot.seen) == len(set(bot.seen)) == 8 * MOVES
            await until(lambda: not online(at, connection))
            found = await at.stub.GetEngine(shown, metadata=at.auth("bob"))
            assert not found.engine.online

    asyncio.run(run())


def test_a_newer_stream_takes_over_and_the_games_go_on(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match=FAST) as at:
            first, second = Spread(), Spread()
            first.gate.clear()
            with pytest.raises(ConnectError, match="has taken over") as caught:
                async with dialled(at, first) as connection:
                    spec = await spec_of(at, connection.engine.id)
                    game = begin(at, spec, games=4)
                    await until(lambda: first.asked > 0)
                    async with dialled(at, second):
                        whole(await asyncio.wait_for(game, 30))
                        first.gate.set()
                        await asyncio.wait_for(asyncio.shield(running[connection]), 10)
            assert caught.value.reason == "FENCED"
            assert len(second.seen) == len(set(second.seen)) == 4 * MOVES

    asyncio.run(run())


def test_a_stream_that_is_lost_is_made_again_within_the_grace(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match=FAST) as at:
            bot = Spread()
            bot.gate.clear()
            async with dialled(at, bot) as connection:
                spec = await spec_of(at, connection.engine.id)
                game = begin(at, spec, games=3)
                await until(lambda: bot.asked >= 3)
                assert at.server._switchboard is not None
                line = at.server._switchboard.line(connection.engine.id)
                line.end(grpc.StatusCode.UNAVAILABLE, "the cable was pulled")
                await until(lambda: line.epoch == 2)
                bot.gate.set()
                results = whole(await asyncio.wait_for(game, 30))
            assert all(any("back after" in note for note in r.notes) for r in results)

    asyncio.run(run())


def test_who_does_not_come_back_loses_by_disconnection(tmp_path: Path) -> None:
    async def run() -> None:
        match = {**FAST, "disconnect_grace_ms": 300}
        async with house(tmp_path, match=match) as at:
            bot = Spread()
            bot.gate.clear()
            async with dialled(at, bot) as connection:
                spec = await spec_of(at, connection.engine.id)
                game = begin(at, spec)
                await until(lambda: bot.asked > 0)
            (result,) = await asyncio.wait_for(game, 10)
            assert isinstance(result, GameResult)
            assert result.termination is Termination.disconnect
            assert result.scores[result.engines.index("Spread@1")] == 0

    asyncio.run(run())


async def opened(at: House, who: str, *messages: arena_pb2.ConnectRequest) -> Any:
    call = at.stub.Connect(metadata=at.auth(who))
    for message in messages:
        await call.write(message)
    return call


async def ended(call: Any) -> tuple[grpc.StatusCode, str]:
    async def read() -> None:
        while await call.read() is not grpc.aio.EOF:
            pass

    return await asyncio.wait_for(refusal(read()), 10)


def test_only_the_engine_itself_may_dial_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hello(*what: Any, **more: Any) -> arena_pb2.ConnectRequest:
        return arena_pb2.ConnectRequest(describe=described(*what, **more))

    async def run() -> None:
        monkeypatch.setattr("arena.server.lines.FIRST_S", 0.2)
        allowed = {"allow": ["bots.example.org:50051"]}
        async with house(tmp_path, match=FAST, dial=allowed) as at:
            made = await at.submit("ann", "Ours")
            there = arena_pb2.Access(address="bots.example.org:50051")
            await at.submit("ann", "There", access=there)
            play = arena_pb2.ConnectRequest(play=bot_pb2.PlayResponse())
            for who, messages, code, reason in (
                ("ann", [hello("Nobody")], grpc.StatusCode.NOT_FOUND, "NOT_FOUND"),
                ("ann", [hello("Ours", "2")], grpc.StatusCode.NOT_FOUND, "NOT_FOUND"),
                ("bob", [hello("Ours")], grpc.StatusCode.PERMISSION_DENIED, "NOT_YOURS"),
                ("rita", [hello("Ours")], grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING"),
                ("ann", [hello("There")], NOT_NOW, "NOT_DIAL_IN"),
                ("ann", [hello("Ours", games=("*",))], NOT_NOW, "DESCRIPTION_DIFFERS"),
                ("ann", [play], grpc.StatusCode.INVALID_ARGUMENT, "INVALID"),
                ("ann", [], grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE"),
                (
                    "ann",
                    [hello("Ours"), hello("Ours")],
                    grpc.StatusCode.INVALID_ARGUMENT,
                    "INVALID",
                ),
            ):
                found = await ended(await opened(at, who, *messages))
                assert found == (code, reason), messages
            call = await opened(at, "ann", hello("Ours"))
            first = await call.read()
            assert first.engine.id == made.id
            gone = arena_pb2.WithdrawEngineRequest(engine_id=made.id)
            await at.stub.WithdrawEngine(gone, metadata=at.auth("ann"))
            assert await ended(call) == (NOT_NOW, "OUT_OF_PLAY")
            assert await ended(await opened(at, "ann", hello("Ours"))) == (NOT_NOW, "OUT_OF_PLAY")
            assert at.server._switchboard is not None and at.server._switchboard.streams == 0

    asyncio.run(run())


def test_a_token_that_is_revoked_holds_no_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        monkeypatch.setattr("arena.server.run.TOKENS_S", 0.05)
        async with house(tmp_path, match=FAST) as at:
            with pytest.raises(ConnectError, match="not good any more"):
                async with dialled(at, Spread()) as connection:
                    token_id = at.tokens["ann"].split("_")[1]
                    with Database.open(at.path) as database:
                        TokenBook(database).revoke(token_id, Actor("test"))
                    await asyncio.wait([running[connection]], timeout=30)

    asyncio.run(run())


def test_a_bot_that_floods_is_hung_up_on(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match=FAST) as at:
            await at.submit("ann")
            call = await opened(at, "ann", arena_pb2.ConnectRequest(describe=described()))
            ready = bot_pb2.PlayResponse(ready=bot_pb2.Ready())
            await call.write(arena_pb2.ConnectRequest(play=ready))
            junk = bot_pb2.PlayResponse(
                decisions=[bot_pb2.Decision(game="nobody's", move="x" * 1_000)] * 100
            )

            async def flood() -> None:
                while True:
                    await call.write(arena_pb2.ConnectRequest(play=junk))

            flooding = asyncio.ensure_future(flood())
            # A write of its own that fails just then puts another status in place of ours.
            code, _ = await ended(call)
            assert code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL)
            assert at.server._switchboard is not None and at.server._switchboard.streams == 0
            flooding.cancel()
            await asyncio.gather(flooding, return_exceptions=True)

    asyncio.run(run())


def test_an_author_sees_that_the_bot_is_connected(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> str:
        async with house(tmp_path, match=FAST) as at, dialled(at, Spread()) as connection:
            assert at.server._switchboard is not None
            line = at.server._switchboard.line(connection.engine.id)
            line.end(grpc.StatusCode.UNAVAILABLE, "the cable was pulled")
            await until(lambda: len(caplog.messages) == 3)
            return at.address

    caplog.set_level(logging.INFO, "arena.sdk")
    where = asyncio.run(run())
    first, cut_off, again = caplog.messages[:3]
    assert first == f"dialled in to {where}: Spread@1 is submitted"
    words = f"cut off from {where}: UNAVAILABLE: the cable was pulled; again in "
    assert cut_off.startswith(words), cut_off
    assert again == f"dialled in to {where} again: Spread@1 is submitted"


CONNECTS = """
from arena.sdk import Bot, serve

class Mute(Bot):
    games = ("gomoku/*",)

serve(Mute())
"""


def test_a_program_without_logging_of_its_own_says_it_on_standard_error(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match=FAST) as at:
            at.auth("ann")
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", CONNECTS, "--connect", at.address),
                env={**os.environ, "PYTHONPATH": str(ROOT), "ARENA_TOKEN": at.tokens["ann"]},
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                assert bot.stderr is not None
                said = await asyncio.wait_for(bot.stderr.readline(), 30)
            finally:
                bot.terminate()
                await asyncio.wait_for(bot.wait(), 30)
            assert f"dialled in to {at.address}: Mute@1 is submitted" in said.decode()
            assert bot.returncode == 0

            stranger = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", CONNECTS, "--connect", at.address),
                env={**os.environ, "PYTHONPATH": str(ROOT), "ARENA_TOKEN": "arena_nobody_knows"},
                stderr=asyncio.subprocess.PIPE,
            )
            _, words = await asyncio.wait_for(stranger.communicate(), 30)
            assert stranger.returncode == 1
            assert words.decode().startswith(f"{at.address}: ") and b"token" in words

    asyncio.run(run())


def test_a_description_that_is_refused_ends_the_bot(tmp_path: Path) -> None:
    class Wrong(Spread):
        games = ("chess/*",)

    async def run() -> None:
        async with house(tmp_path) as at:
            await at.stub.SubmitEngine(submission("Spread"), metadata=at.auth("bob"))
            for bot, reason in ((Wrong(), "INVALID"), (Spread(), "NAME_TAKEN")):
                with pytest.raises(ConnectError) as caught:
                    async with dialled(at, bot):
                        pass
                assert caught.value.reason == reason

    asyncio.run(run())


@pytest.mark.parametrize("built", ["go/src/bot/bot"])
def test_the_bot_of_a_template_dials_in(built: str, tmp_path: Path) -> None:
    program = ROOT / "build" / built
    if not program.is_file():
        pytest.skip(f"{program} is not built: run tools/bots.sh")

    async def started(at: House, token: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            program,
            *("--connect", at.address),
            env={**os.environ, "ARENA_TOKEN": token},
            stderr=asyncio.subprocess.PIPE,
        )

    async def run() -> None:
        async with house(tmp_path, match=FAST) as at:
            at.auth("ann")
            bot = await started(at, at.tokens["ann"])
            try:
                switchboard = at.server._switchboard
                assert switchboard is not None
                await until(lambda: switchboard.streams == 1)
                everything = arena_pb2.ListEnginesRequest()
                found = await at.stub.ListEngines(everything, metadata=at.auth("ann"))
                (engine,) = found.engines
                assert (engine.name, engine.version, engine.online) == ("bot", "1", True)
                spec = await spec_of(at, engine.id)
                whole(await asyncio.wait_for(begin(at, spec, games=8), 30))
                line = switchboard.line(engine.id)
                line.end(grpc.StatusCode.UNAVAILABLE, "the cable was pulled")
                await until(lambda: line.epoch == 2)
                whole(await asyncio.wait_for(begin(at, spec, games=8), 30))
            finally:
                bot.terminate()
                _, said = await asyncio.wait_for(bot.communicate(), 30)
            assert bot.returncode == 0
            assert b"the cable was pulled" in said
            await until(lambda: switchboard.streams == 0)

            stranger = await started(at, "arena_nobody_knows")
            _, said = await asyncio.wait_for(stranger.communicate(), 30)
            assert stranger.returncode == 1
            assert b"token" in said

    asyncio.run(run())
