"""Standing play: from a bot that dials in to a rating, with everything counted once."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import grpc
import pytest

import arena
from arena.ledger import Ledger
from arena.match.audit import audit
from arena.protocol.status import reason_of
from arena.protocol.v1 import arena_pb2, balance_pb2
from arena.sdk import Bot, BotServer, Turn
from arena.server.database import Actor, Database
from arena.server.division import Phase
from arena.server.errors import ServiceError
from arena.server.events import Broadcast, Changed
from arena.server.tokens import Scope, Token, TokenBook
from tests.server.kit import House, house, refusal
from tests.server.test_dial_in import dialled, league, running, until

BOOK = "gomoku/freestyle15"
MATCH = {"connect_ms": 2_000, "ping_ms": 5_000, "disconnect_grace_ms": 500, "max_plies": 60}
PLAY = {
    "rulebooks": [BOOK],
    "rungs": [1, 2],
    "parallel_games": 8,
    "games_per_engine": 4,
    "qualifying_blocks": 2,
    "half_width": 350,
}


class Corner(Bot):
    """The first move of the list: a row along the edge, which nobody random stops."""

    name = "Corner"
    games = ("gomoku/*",)

    def choose(self, turn: Turn) -> str:
        return turn.legal[0]


class Liar(Bot):
    """Plays where no board is."""

    name = "Liar"
    games = ("gomoku/*",)

    def choose(self, turn: Turn) -> str:
        return "z99"


async def engine(at: House, engine_id: str, who: str = "bob") -> arena_pb2.Engine:
    request = arena_pb2.GetEngineRequest(engine_id=engine_id)
    answer = await at.stub.GetEngine(request, metadata=at.auth(who))
    assert isinstance(answer, arena_pb2.GetEngineResponse)
    return answer.engine


def test_from_dialling_in_to_a_rating(tmp_path: Path) -> None:
    async def watch(at: House, call: Any, seen: Counter[str]) -> None:
        async for news in call:
            kind = news.WhichOneof("event")
            game = news.began.id if kind == "began" else news.ended.game.id
            seen[f"{kind} {game}"] += 1

    async def run() -> tuple[str, set[str]]:
        async with house(tmp_path, match=MATCH, play=PLAY) as at:
            seen: Counter[str] = Counter()
            games = at.stub.WatchGames(
                arena_pb2.WatchGamesRequest(rulebooks="gomoku/*"), metadata=at.auth("rita")
            )
            await games.initial_metadata()
            watching = asyncio.ensure_future(watch(at, games, seen))
            async with dialled(at, Corner()) as connection:
                (division,) = league(at).divisions
                await until(
                    lambda: (
                        "Corner@1" in division.entrants
                        and division.phase(division.entrants["Corner@1"]) is Phase.PLACED
                        and not league(at)._going
                    ),
                    30,
                )
                shown = await engine(at, connection.engine.id)
                assert shown.state == arena_pb2.ENGINE_STATE_PLAYING
                (standing,) = shown.standings
                assert standing.phase == arena_pb2.PHASE_PLACED
                assert standing.half_width <= 350 and standing.blocks >= 2

                board = await at.stub.GetLeaderboard(
                    arena_pb2.GetLeaderboardRequest(family="gomoku"), metadata=at.auth("bob")
                )
                row = next(row for row in board.rows if row.engine.name == "Corner")
                assert row.games == 2 * row.blocks == 2 * standing.blocks
                assert row.elo_low <= row.elo <= row.elo_high

                found = await at.stub.GetBalance(
                    balance_pb2.GetBalanceRequest(family="gomoku"), metadata=at.auth("bob")
                )
                assert found.games == board.games
                mine = [row for row in found.rows if "Corner@1" in row.strength]
                assert sum(row.blocks for row in mine) == standing.blocks
                assert all(row.rulebook == BOOK and row.seats == 2 for row in mine)
                assert "a sweep lays that down" in found.notes[0]
            ended = {key.split()[1] for key in seen if key.startswith("ended")}
            assert set(seen.values()) == {1}
            assert ended == {key.split()[1] for key in seen if key.startswith("began")}
            assert len(ended) == board.games >= row.games

            for game in sorted(ended):
                record = await at.stub.GetRecord(
                    arena_pb2.GetRecordRequest(game_id=game), metadata=at.auth("bob")
                )
                players = [player.name for player in record.result.game.players]
                if "Corner" in players:
                    break
            assert len(record.moves) == record.result.plies and record.rules.rulebook == BOOK
            told = dict(zip(players, map(len, record.told), strict=True))
            assert told.pop("Corner") == 64 and set(told.values()) == {0}
            nothing = arena_pb2.GetRecordRequest(game_id="0" * 32)
            found = await refusal(at.stub.GetRecord(nothing, metadata=at.auth("bob")))
            assert found == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
            games.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            return division.sweep_id, ended

    sweep_id, ended = asyncio.run(run())
    with Ledger.open(tmp_path / "ledger.db", create=False) as ledger:
        results = list(ledger.results(sweep_id))
        assert {result.game_id for result in results} == ended
        audited = [audit(arena.game(BOOK), result) for result in results if any(result.told)]
        assert audited and not any(found.findings for found in audited)
        assert not ledger.open_blocks(sweep_id)


def test_a_service_that_comes_back_goes_on_where_it_ended(tmp_path: Path) -> None:
    async def run(qualifying: int) -> int:
        play = {**PLAY, "half_width": 1_000, "qualifying_blocks": qualifying}
        async with house(tmp_path, match=MATCH, play=play) as at:
            (division,) = league(at).divisions
            async with dialled(at, Corner()):
                await until(
                    lambda: (
                        "Corner@1" in division.entrants
                        and division.phase(division.entrants["Corner@1"]) is Phase.PLACED
                        and not league(at)._going
                    ),
                    30,
                )
            return division.entrants["Corner@1"].blocks

    first = asyncio.run(run(2))
    second = asyncio.run(run(first + 3))
    assert second >= first + 3 >= 5
    with Ledger.open(tmp_path / "ledger.db", create=False) as ledger:
        (sweep,) = ledger.sweeps()
        results = list(ledger.results(sweep.sweep_id))
        blocks = Counter((result.cell_id, result.block) for result in results)
        assert set(blocks.values()) == {2}
        mine = {result.block for result in results if "Corner@1" in result.engines}
        assert len(mine) == second
        # Numbers through all line-ups, none twice: each is a deal of its own.
        assert sorted(block for _, block in blocks) == list(range(len(blocks)))


def test_an_engine_that_does_not_keep_the_protocol_is_rejected(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match=MATCH, play=PLAY) as at:
            events = []
            with pytest.raises(Exception, match="check 'moves") as caught:
                async with dialled(at, Liar()) as connection:
                    request = arena_pb2.WatchEngineRequest(engine_id=connection.engine.id)
                    watch = at.stub.WatchEngine(request, metadata=at.auth("ann"))
                    async for event in watch:
                        events.append(event.engine.state)
                        if event.engine.state == arena_pb2.ENGINE_STATE_REJECTED:
                            assert "z99" in event.engine.reason
                            break
                    watch.cancel()
                    await asyncio.wait([running[connection]], timeout=30)
            assert caught.value.reason == "OUT_OF_PLAY"  # type: ignore[attr-defined]
            assert events[-1] == arena_pb2.ENGINE_STATE_REJECTED
            with pytest.raises(Exception, match="is rejected"):
                async with dialled(at, Liar()):
                    pass
            assert not league(at)._going

    asyncio.run(run())


class Crasher(Corner):
    """Plays along in the check, and dies in every real game."""

    name = "Crasher"

    def choose(self, turn: Turn) -> str:
        if len(turn.game_id) == 32:
            raise RuntimeError("the key is under the mat")
        return turn.legal[0]


@pytest.mark.parametrize("steps", range(5))
def test_the_schedule_ends_though_something_happens_at_that_moment(
    steps: int, tmp_path: Path
) -> None:
    async def run() -> None:
        async with house(tmp_path, match=MATCH, play={**PLAY, "rungs": [1]}) as at:
            (schedule,) = (
                task for task in asyncio.all_tasks() if "League._schedule" in repr(task.get_coro())
            )
            await until(lambda: not league(at)._wake.is_set())
            await asyncio.sleep(0.05)
            league(at)._wake.set()
            for _ in range(steps):
                await asyncio.sleep(0)
            schedule.cancel()
            done, _ = await asyncio.wait([schedule], timeout=3)
            assert done

    asyncio.run(run())


def test_notes_on_a_seat_are_its_authors_business(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match={**MATCH, "crashes": 1_000}, play=PLAY) as at:
            ended: asyncio.Queue[str] = asyncio.Queue()

            async def watch() -> None:
                async for news in games:
                    names = [player.name for player in news.ended.game.players]
                    if "Crasher" in names:  # reference engines meet, too
                        assert news.ended.termination == "crash"
                        assert news.ended.scores[news.ended.culprit] == 0
                        ended.put_nowait(news.ended.game.id)

            games = at.stub.WatchGames(arena_pb2.WatchGamesRequest(), metadata=at.auth("rita"))
            await games.initial_metadata()
            watching = asyncio.ensure_future(watch())
            async with dialled(at, Crasher()):
                game = await asyncio.wait_for(ended.get(), 30)
                request = arena_pb2.GetRecordRequest(game_id=game)

                async def notes(who: str) -> str:
                    while True:
                        try:
                            record = await at.stub.GetRecord(request, metadata=at.auth(who))
                        except grpc.aio.AioRpcError as error:
                            assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
                            await asyncio.sleep(0.05)  # the other game of its block goes on
                        else:
                            return " ".join(record.notes)

                (division,) = league(at).divisions
                await until(lambda: division.entrants["Crasher@1"].blocks >= 2)
                assert "under the mat" in await notes("ann")
                assert "under the mat" in await notes("oscar")
                assert "under the mat" not in await notes("bob")
            watching.cancel()

    asyncio.run(run())


def test_a_game_is_shown_once_its_deal_is_played_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with house(tmp_path, match=MATCH, play={**PLAY, "half_width": 450}) as at:
            (division,) = league(at).divisions
            async with dialled(at, Corner()):
                await until(lambda: "Corner@1" in division.entrants, 30)
                await until(lambda: division.entrants["Corner@1"].blocks > 0, 30)
            assert at.server._results is not None
            games = list(at.server._results._ledger.results(division.sweep_id))
            whole = Counter(game.block for game in games)
            game = next(game for game in games if whole[game.block] == 2)
            request = arena_pb2.GetRecordRequest(game_id=game.game_id)
            await at.stub.GetRecord(request, metadata=at.auth("bob"))
            monkeypatch.setattr(division, "is_open", lambda *where: True, raising=False)
            found = await refusal(at.stub.GetRecord(request, metadata=at.auth("bob")))
            assert found == (grpc.StatusCode.FAILED_PRECONDITION, "STILL_PLAYED")

    asyncio.run(run())


def test_bots_at_an_address_are_dialled(tmp_path: Path) -> None:
    async def run() -> None:
        bot = BotServer(Corner())
        address = await bot.start()
        dial = {"allow": ["127.0.0.0/8:*"]}
        async with house(tmp_path, match=MATCH, play=PLAY, dial=dial) as at:
            there = arena_pb2.Access(address=address)
            made = await at.submit("ann", "Corner", access=there)
            (division,) = league(at).divisions
            await until(lambda: "Corner@1" in division.entrants, 30)
            await until(lambda: division.entrants["Corner@1"].blocks > 0, 30)
            assert (await engine(at, made.id)).online
            gone = arena_pb2.WithdrawEngineRequest(engine_id=made.id, reason="enough")
            await at.stub.WithdrawEngine(gone, metadata=at.auth("ann"))
            await until(lambda: not league(at)._going, 30)
            blocks = division.entrants["Corner@1"].blocks
            await asyncio.sleep(0.2)
            assert division.entrants["Corner@1"].blocks == blocks
        await bot.stop()

    asyncio.run(run())


def test_who_watches_with_a_token_that_is_revoked_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.run.TOKENS_S", 0.05)

    async def run() -> None:
        async with house(tmp_path) as at:
            engine = await at.submit("ann")
            for who, call in (
                ("bob", at.stub.WatchGames(arena_pb2.WatchGamesRequest(), metadata=at.auth("bob"))),
                (
                    "cid",
                    at.stub.WatchEngine(
                        arena_pb2.WatchEngineRequest(engine_id=engine.id), metadata=at.auth("cid")
                    ),
                ),
            ):
                await call.initial_metadata()
                token_id = at.tokens[who].split("_")[1]
                with Database.open(at.path) as database:
                    TokenBook(database).revoke(token_id, Actor("test"))
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    async with asyncio.timeout(10):
                        async for _ in call:
                            pass
                assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
                assert reason_of(caught.value) == "BAD_TOKEN"

    asyncio.run(run())


def watches(account: str) -> Token:
    return Token(account, account, frozenset({Scope.AUTHOR}), "", 0, None, None)


def test_who_watches_too_slowly_is_told_so() -> None:
    async def run() -> None:
        broadcast = Broadcast(most=3, most_each=2)
        ann, bob, cid = (watches(name) for name in ("ann", "bob", "cid"))
        with (
            broadcast.watching(ann) as watcher,
            broadcast.watching(ann),
            pytest.raises(ServiceError, match="this account is watching 2 streams"),
            broadcast.watching(ann),
        ):
            pass
        with broadcast.watching(ann) as watcher:
            with (
                broadcast.watching(ann),
                broadcast.watching(bob),
                pytest.raises(ServiceError, match="3 streams are being watched already"),
                broadcast.watching(cid),
            ):
                pass
            for number in range(1_000):
                broadcast.tell(Changed(str(number)))
            seen = []
            with pytest.raises(ServiceError, match="watch again"):
                async for news in watcher.news():
                    assert isinstance(news, Changed)
                    seen.append(news.engine)
            assert seen == [str(number) for number in range(512)]

    asyncio.run(run())
