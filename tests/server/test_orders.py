"""Handing blocks to workers and taking them back, without Ray: a crew that does as it is told."""

from __future__ import annotations

import asyncio
import pickle
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import arena
from arena.cluster import ClusterError
from arena.cluster.crew import Died, Joined, News, Reported
from arena.cluster.work import PlanMismatch
from arena.match.floor import Deliver, Played
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.players.fault import Unavailable
from arena.players.sandbox import Sandbox
from arena.players.spec import EngineKind, EngineSpec
from arena.protocol.v1 import arena_pb2
from arena.sdk import BotServer
from arena.server.config import ServiceConfig
from arena.server.orders import DialKeys, Order, OrderPlayer, OrderReport, Refused, recipe_of
from arena.server.run import Server
from arena.server.workers import NoWorkers, SetAside, Workers
from tests.match.table_kit import request_for
from tests.server.kit import house
from tests.server.test_dial_in import league, until
from tests.server.test_play import BOOK, MATCH, PLAY, Corner, engine

KEYS = DialKeys()
GAME = arena.game(BOOK)
RANDOM = EngineSpec.parse("random")


def block(number: int, one: EngineSpec = RANDOM, other: EngineSpec = RANDOM) -> list[GameRequest]:
    """Two games that differ in who sits where."""
    return [
        replace(
            request_for(GAME, number=2 * number + seating),
            engines=pair,
            block=number,
            permutation=seating,
            deal_seed=number,
            opening_plies=4,
            keep_record=True,
        )
        for seating, pair in enumerate(((one, other), (other, one)))
    ]


# A worker.


def test_an_order_survives_the_way_to_a_worker() -> None:
    boxed = EngineSpec("Low", "1", EngineKind.COMMAND, "./low", Sandbox(memory_mib=64))
    requests = block(3, boxed, RANDOM)
    order = pickle.loads(pickle.dumps(Order.of(1, "worker-0", requests, {"a:1": "10.0.0.1:1"})))
    assert order.requests(requests[0].game) == requests
    assert order.seatings[0].engines[0].sandbox == Sandbox(memory_mib=64)
    assert order.addresses == {"a:1": "10.0.0.1:1"}


def test_a_worker_dials_the_address_that_was_handed_to_it_and_no_other() -> None:
    async def run() -> tuple[OrderReport, OrderReport]:
        bot = BotServer(Corner())
        address = await bot.start()
        make = recipe_of(MatchPolicy(connect_ms=5_000), 8, [GAME], KEYS)
        player = await asyncio.to_thread(make, "worker-0")
        # A name that resolves nowhere: whoever looked it up would not come far.
        there = EngineSpec("Corner", "1", EngineKind.GRPC, "bot.invalid:50051")
        requests = block(0, there, RANDOM)
        try:
            without = Order.of(1, "worker-0", requests, {})
            refused = await asyncio.to_thread(player.play, without)
            order = Order.of(2, "worker-0", requests, {there.target: address})
            return refused, await asyncio.to_thread(player.play, order)
        finally:
            await asyncio.to_thread(player.close)
            await bot.stop()

    refused, played = asyncio.run(run())
    assert [each.cause for each in refused.refused] == [Unavailable.UNREACHABLE] * 2
    assert "was not handed to this worker" in refused.refused[0].message and not refused.results
    assert [each.worker.partition("@")[0] for each in played.results] == ["worker-0"] * 2
    assert not played.refused and not played.broken


def test_a_worker_of_another_release_is_not_taken() -> None:
    rules = {BOOK: GAME.rules.digest}
    for version, digests in ((arena.__version__, {BOOK: "0" * 16}), ("0.0.1", rules)):
        with pytest.raises(PlanMismatch, match="install the same version"):
            OrderPlayer.made(
                "worker-0",
                version=version,
                rules=digests,
                policy=MatchPolicy(),
                parallel=1,
                keys=KEYS,
            )


def test_a_mistake_of_ours_ends_its_order_and_not_the_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player = OrderPlayer("worker-0", MatchPolicy(), 1, [GAME], KEYS)

    def fail(requests: object) -> None:
        raise RuntimeError("out of order")

    order = Order.of(1, "worker-0", block(0), {})
    with monkeypatch.context() as patch:
        patch.setattr(player._runner, "play", fail)
        assert player.play(order).broken == "RuntimeError: out of order"
    assert len(player.play(order).results) == 2
    player.close()


# Who hands out.


class Crew:
    """Workers that are what a test says they are."""

    here: ClassVar[Crew]
    script: ClassVar[list[News[OrderReport] | Exception]]
    """What has happened when it is first waited for."""

    def __init__(self, recipe: Any, address: str | None, workers: int | None, at_once: int) -> None:
        Crew.here = self
        self.orders: list[Order] = []
        self.news: list[News[OrderReport] | Exception] = list(self.script)
        self.dismissed: list[str] = []
        self.when_dismissed: Callable[[], None] = lambda: None
        self.closed = False

    def give(self, order: Order) -> None:
        if order.worker in self.dismissed:
            raise KeyError(order.worker)
        self.orders.append(order)

    def wait(self, seconds: float) -> list[News[OrderReport]]:
        time.sleep(0.001)
        found, self.news = self.news, []
        for item in found:
            if isinstance(item, Exception):
                raise item
        return [item for item in found if not isinstance(item, Exception)]

    def dismiss(self, worker: str, cause: str) -> None:
        self.dismissed.append(worker)
        self.news.append(Died(worker, cause))
        self.when_dismissed()

    def close(self) -> None:
        self.closed = True


def joined(worker: str) -> Joined:
    return Joined(worker, "", 1.0, 0, 0.0)


@dataclass
class Desk:
    """Workers, and what was delivered of each block."""

    workers: Workers
    delivered: dict[int, list[Played | Exception]] = field(default_factory=dict)

    def hand(self, number: int) -> None:
        found = self.delivered[number] = []
        self.workers.hand(block(number), {}, found.append)

    def orders(self, number: int) -> list[Order]:
        return [order for order in Crew.here.orders if order.block == number]


@asynccontextmanager
async def desk(*there: str, game_ms: int = 7_200_000) -> AsyncIterator[Desk]:
    match, play = {"game_ms": game_ms}, {"rulebooks": [BOOK], "workers": 2}
    config = ServiceConfig.model_validate({"match": match, "play": play})
    Crew.script = [joined(worker) for worker in there]
    workers = Workers(config, [GAME], KEYS)
    await workers.start()
    try:
        yield Desk(workers)
    finally:
        await workers.close()
        assert Crew.here.closed


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cluster.ray_crew.RayCrew", Crew)


def test_the_worker_with_the_fewest_games_gets_the_next_block(crew: None) -> None:
    async def run() -> None:
        async with desk("worker-0", "worker-1") as at:
            for number in range(4):
                at.hand(number)
            await until(lambda: len(Crew.here.orders) == 4)
            assert [order.worker for order in Crew.here.orders] == ["worker-0", "worker-1"] * 2

    asyncio.run(run())


def test_a_block_over_which_three_workers_died_is_set_aside_and_the_others_are_played(
    crew: None,
) -> None:
    async def run() -> None:
        async with desk("worker-0", "worker-1") as at:
            at.hand(0)
            at.hand(1)
            at.hand(2)  # with the first, at one worker
            await until(lambda: len(Crew.here.orders) == 3)
            Crew.here.news += [Died("worker-0", "killed"), joined("worker-2")]
            await until(lambda: len(at.orders(0)) == len(at.orders(2)) == 2)
            bad, good = at.orders(0)[1], at.orders(2)[1]
            assert bad.worker != good.worker  # either may have been its death
            assert bad.requests(GAME) == at.orders(0)[0].requests(GAME)
            done = OrderReport(good.id, results=[])
            Crew.here.news += [Reported(good.worker, done), Died(bad.worker, "killed again")]
            Crew.here.news += [joined("worker-3")]
            await until(lambda: len(at.orders(0)) == 3)
            Crew.here.news += [Died(at.orders(0)[2].worker, "and again"), joined("worker-4")]
            await until(lambda: bool(at.delivered[0]))
            (error,) = at.delivered[0]
            assert isinstance(error, SetAside) and "3 workers died" in str(error)
            assert not at.delivered[1] and not at.delivered[2]

    asyncio.run(run())


def test_what_comes_back_from_a_worker_that_is_gone_counts_for_nothing(crew: None) -> None:
    async def run() -> None:
        async with desk("worker-0") as at:
            at.hand(0)
            await until(lambda: len(Crew.here.orders) == 1)
            Crew.here.news += [Died("worker-0", "killed"), joined("worker-1")]
            await until(lambda: len(Crew.here.orders) == 2)
            first, second = Crew.here.orders
            words = "no such file"
            for order in (first, second):
                game_id = order.seatings[0].game_id
                refused = Refused(game_id, "random@1", Unavailable.UNFIT, words)
                report = OrderReport(order.id, refused=[refused])
                Crew.here.news.append(Reported(order.worker, report))
            await until(lambda: bool(at.delivered[0]))
            (missing,) = at.delivered[0]
            assert isinstance(missing, NotPlayed) and missing.message == words
            assert missing.request == block(0)[0]

    asyncio.run(run())


def test_a_worker_whose_games_must_have_ended_is_ended(
    crew: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with desk("worker-0") as at:
            at.workers._game_s = 0.05
            at.hand(0)
            await until(lambda: bool(Crew.here.dismissed))
            assert Crew.here.dismissed[0] == "worker-0"
            at.workers._game_s = 600.0
            Crew.here.news.append(joined("worker-1"))
            await until(lambda: any(order.worker == "worker-1" for order in at.orders(0)))

    asyncio.run(run())


def test_a_block_that_comes_while_a_worker_is_ended_goes_to_another(crew: None) -> None:
    async def run() -> None:
        async with desk("worker-0") as at:
            Crew.here.when_dismissed = lambda: at.hand(1)
            at.workers._game_s = 0.02
            at.hand(0)
            await until(lambda: bool(Crew.here.dismissed))
            at.workers._game_s = 600.0
            Crew.here.news.append(joined("worker-1"))
            await until(lambda: bool(at.orders(1)) or not at.workers.up)
            assert at.workers.up and at.orders(1)[0].worker == "worker-1"

    asyncio.run(run())


def test_a_worker_has_time_for_all_blocks_that_it_has_in_hand(crew: None) -> None:
    async def run() -> None:
        async with desk("worker-0") as at:
            at.workers._game_s = 0.1
            for number in range(8):
                at.hand(number)
            await until(lambda: len(Crew.here.orders) == 8)
            for order in list(Crew.here.orders):
                await asyncio.sleep(0.12)  # of 0.2 s that a block of two games may take
                Crew.here.news.append(Reported(order.worker, OrderReport(order.id)))
            assert not Crew.here.dismissed

    asyncio.run(run())


def test_without_workers_blocks_come_back(crew: None) -> None:
    async def run() -> None:
        async with desk("worker-0") as at:
            at.hand(0)
            await until(lambda: len(Crew.here.orders) == 1)
            Crew.here.news.append(ClusterError("5 workers in a row could not start"))
            await until(lambda: bool(at.delivered[0]))
            assert isinstance(at.delivered[0][0], NoWorkers) and not at.workers.up
            at.hand(1)  # whoever was still looking up an address
            assert isinstance(at.delivered[1][0], NoWorkers)

    asyncio.run(run())


def test_workers_that_go_at_once_are_not_taken_to_be_there(crew: None) -> None:
    async def run() -> None:
        Crew.script = [ClusterError("the cluster is gone")]
        play = {"rulebooks": [BOOK], "workers": 2}
        workers = Workers(ServiceConfig.model_validate({"play": play}), [GAME], KEYS)
        asyncio.get_running_loop().call_soon(time.sleep, 0.2)  # all is over before it looks
        await workers.start()
        await until(lambda: Crew.here.closed)
        assert not workers.up
        await workers.close()

    asyncio.run(run())


def test_workers_that_cannot_be_loaded_are_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        monkeypatch.setitem(sys.modules, "arena.cluster.ray_crew", None)
        workers = Workers(ServiceConfig(), [GAME], KEYS)
        with pytest.raises(ImportError):
            await asyncio.wait_for(workers.start(), 10)
        await workers.close()

    asyncio.run(run())


def test_the_key_of_the_arena_is_not_shown() -> None:
    recipe = recipe_of(MatchPolicy(), 1, [GAME], DialKeys(key=b"hush"))
    assert "hush" not in repr(recipe)


# What the league makes of it.


class Refusing:
    """Workers that play nothing, and say so."""

    def __init__(self, answer: Callable[[GameRequest], NotPlayed] | None) -> None:
        self.up = True
        self.answer = answer
        self.handed: list[int] = []

    def hand(self, requests: list[GameRequest], addresses: object, deliver: Deliver) -> None:
        if all(engine.kind is EngineKind.BUILTIN for engine in requests[0].engines):
            deliver(NoWorkers())
            self.up = False
            return
        self.handed.append(requests[0].block)
        for request in requests:
            if self.answer is None:
                deliver(SetAside("out of order"))
                return
            deliver(self.answer(request))

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("cause", [Unavailable.UNREACHABLE, Unavailable.UNFIT])
def test_an_engine_that_a_worker_cannot_play_is_played_by_the_service(
    cause: Unavailable, tmp_path: Path
) -> None:
    async def run() -> None:
        bot = BotServer(Corner())
        address = await bot.start()
        dial = {"allow": ["127.0.0.0/8:*"]}
        refusing = Refusing(lambda request: NotPlayed(request, "Corner@1", cause, "not from here"))
        async with house(tmp_path, match=MATCH, play=PLAY, dial=dial) as at:
            league(at).workers = refusing  # type: ignore[assignment] # a stand-in
            made = await at.submit("ann", "Corner", access=arena_pb2.Access(address=address))
            (division,) = league(at).divisions
            await until(lambda: "Corner@1" in division.entrants, 30)
            await until(lambda: division.entrants["Corner@1"].blocks >= 2, 30)
            assert refusing.handed
            found = await engine(at, made.id)
            assert found.online and found.state == arena_pb2.ENGINE_STATE_PLAYING
        await bot.stop()

    asyncio.run(run())


def test_a_block_that_is_set_aside_is_not_begun_again(tmp_path: Path) -> None:
    async def run() -> None:
        bot = BotServer(Corner())
        address = await bot.start()
        dial = {"allow": ["127.0.0.0/8:*"]}
        refusing = Refusing(None)
        async with house(tmp_path, match=MATCH, play=PLAY, dial=dial) as at:
            league(at).workers = refusing  # type: ignore[assignment] # a stand-in
            await at.submit("ann", "Corner", access=arena_pb2.Access(address=address))
            (division,) = league(at).divisions
            await until(lambda: bool(refusing.handed), 30)
            refusing.up = False
            await until(lambda: division.entrants["Corner@1"].blocks >= 2, 30)
            assert all(division._open[number].going for number in refusing.handed)
        await bot.stop()

    asyncio.run(run())


class Holding(Refusing):
    """Workers that bring nothing yet."""

    def __init__(self) -> None:
        super().__init__(None)
        self.held: list[Deliver] = []

    def hand(self, requests: list[GameRequest], addresses: object, deliver: Deliver) -> None:
        self.held.append(deliver)


def test_an_engine_has_its_places_back_whatever_it_takes_by_then(tmp_path: Path) -> None:
    async def run() -> None:
        bot = BotServer(Corner())
        address = await bot.start()
        dial = {"allow": ["127.0.0.0/8:*"]}
        holding = Holding()
        async with house(tmp_path, match=MATCH, play=PLAY, dial=dial) as at:
            league(at).workers = holding  # type: ignore[assignment] # a stand-in
            await at.submit("ann", "Corner", access=arena_pb2.Access(address=address))
            await until(lambda: "Corner@1" in league(at)._members, 30)
            member = league(at)._members["Corner@1"]
            await until(lambda: member.running > 0, 30)
            await until(lambda: bool(holding.held), 30)
            member.capacity = 1  # as it may say when it is greeted anew
            holding.up = False
            league(at)._paused_until = time.monotonic() + 60
            for deliver in holding.held:
                deliver(NoWorkers())
            await until(lambda: not league(at)._going, 30)
            assert member.running == 0
        await bot.stop()

    asyncio.run(run())


def test_a_cluster_that_is_not_there_is_told_at_the_start(tmp_path: Path) -> None:
    async def run() -> None:
        play = {**PLAY, "workers": 1, "address": "127.0.0.1:1"}
        files = {"database": str(tmp_path / "a.db"), "ledger": str(tmp_path / "b.db")}
        server = Server(ServiceConfig.model_validate({"play": play, **files}))
        with pytest.raises(ClusterError, match=r"no Ray cluster at '127\.0\.0\.1:1'"):
            await server.start()
        await server.stop()

    asyncio.run(run())
