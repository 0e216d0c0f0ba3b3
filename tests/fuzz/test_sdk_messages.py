"""Any request to a bot of the SDK: streams may be refused, the bot goes on."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import grpc
import pytest

import arena
from arena.games import Game, family_ids, rulebooks
from arena.protocol.convert import rules_message
from arena.protocol.v1 import bot_pb2
from arena.sdk import Bot, Turn
from arena.sdk.server import BotServer
from tests.fuzz.budget import fuzz_seconds, seeds
from tests.fuzz.messages import Maker, Pool, rss_mib, send

_STREAMS = 12
_PATIENCE_S = 60.0
_TYPED = frozenset({grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED})


class Plain(Bot):
    """Looks at much of a turn, and plays its first move."""

    def choose(self, turn: Turn) -> str:
        look(turn)
        return turn.legal[0]


class Later(Bot):
    """The same, thinking of many turns at once."""

    async def choose(self, turn: Turn) -> str:
        look(turn)
        await asyncio.sleep(0)
        return turn.legal[0]


class Together(Bot):
    """The same, of a whole message at once."""

    def choose_batch(self, turns: Sequence[Turn]) -> list[str]:
        return [turn.legal[0] for turn in turns]


def look(turn: Turn) -> None:
    """What bots usually read."""
    assert repr(turn) and turn.settings is not None
    assert turn.observation and len(turn.events) >= 0 and turn.ply >= 0


class Desk:
    """Good requests, and what makes others of them."""

    def __init__(self, seed: int, games: Sequence[Game]) -> None:
        self.rng = random.Random(seed)
        self.games = games
        names = [name for game in games for name in game.rules.settings()]
        self.maker = Maker(
            self.rng,
            Pool(
                rulebook=[game.name for game in games],
                digest=[game.rules.digest for game in games],
                key=names,
                rules=[0, 1],
                seat=range(4),
                game=["g"],
            ),
        )

    def good(self, name: str) -> bot_pb2.PlayRequest:
        """One turn of a game that has gone on for some moves."""
        game = self.rng.choice(self.games)
        state = game.new_state(self.rng.randrange(2**32))
        request = bot_pb2.PlayRequest(rules=[rules_message(game)])
        seat = min(state.seats_to_act())
        turn = request.turns.add(game=name, revision=1, seat=seat, observation=state.observe(seat))
        turn.legal_moves.moves.extend(str(move) for move in islice(state.moves(seat), 5))
        if game.family.full_information:
            turn.position = state.setup()
        return request

    def anything(self) -> bytes:
        """A request changed, made up, or bent."""
        chance = self.rng.random()
        request = self.good("x")
        if chance < 0.5:
            return self.maker.changed(request).SerializeToString()
        if chance < 0.97:
            return self.maker.message(bot_pb2.PlayRequest).SerializeToString()
        return self.maker.bent(request.SerializeToString())


def _same(data: bytes) -> bytes:
    return data


async def answered(call: object, name: str) -> bool:
    """Whether the turn of this game is answered with a move before the stream ends."""
    async for data in call:  # type: ignore[attr-defined]
        for decision in bot_pb2.PlayResponse.FromString(data).decisions:
            if decision.game == name:
                assert decision.move, decision.failure
                return True
    return False


async def wild_stream(channel: grpc.aio.Channel, desk: Desk, number: str) -> tuple[int, str]:
    """Anything, then a good turn; how many messages, and how it ended."""
    call = channel.stream_stream(
        "/arena.v1.BotService/Play", request_serializer=_same, response_deserializer=_same
    )()
    name = f"last-{number}"
    count = desk.rng.randrange(1, 60)
    made = [desk.anything() for _ in range(count)]

    async def write() -> None:
        for request in [*made, desk.good(name).SerializeToString()]:
            await send(call, request)

    writing = asyncio.ensure_future(write())
    try:
        if await answered(call, name):
            call.cancel()
            return count, "answered"
        code = await call.code()
        assert code in _TYPED, f"{code}: {await call.details()}"
        return count, code.name
    except grpc.aio.AioRpcError as error:
        assert error.code() in _TYPED, error
        return count, error.code().name
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)


async def described(channel: grpc.aio.Channel, desk: Desk) -> str:
    """A wild question what the bot is."""
    request = desk.maker.message(bot_pb2.DescribeRequest).SerializeToString()
    if desk.rng.random() < 0.5:
        request = desk.maker.bent(request)
    ask = channel.unary_unary(
        "/arena.v1.BotService/Describe", request_serializer=_same, response_deserializer=_same
    )
    try:
        assert bot_pb2.DescribeResponse.FromString(await ask(request)).protocols == ["arena.v1"]
    except grpc.aio.AioRpcError as error:
        assert error.code() in _TYPED, error
        return f"describe {error.code().name}"
    return "described"


@pytest.mark.parametrize("kind", [Plain, Later, Together])
def test_whatever_is_asked_of_a_bot_it_answers_the_next_good_turn(
    kind: type[Bot], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    games = [arena.game(rulebooks(f"{family}/*")[0]) for family in family_ids()]
    told, sizes, sent = Counter[str](), list[float](), 0

    async def run() -> None:
        nonlocal sent
        broken: list[object] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: broken.append(context))
        server = BotServer(kind())
        address = await server.start()
        before = len(asyncio.all_tasks())
        async with grpc.aio.insecure_channel(address) as channel:
            for seed in seeds(3):
                async with asyncio.timeout(_PATIENCE_S):
                    desks = [Desk(1_000 * seed + n, games) for n in range(_STREAMS)]
                    ends = await asyncio.gather(
                        *(wild_stream(channel, d, f"{seed}-{n}") for n, d in enumerate(desks))
                    )
                    for count, end in ends:
                        sent += count
                        told[end] += 1
                    for desk in desks:
                        told[await described(channel, desk)] += 1
                        sent += 1
                    # A stream of its own that has nothing wild in it.
                    call = channel.stream_stream(
                        "/arena.v1.BotService/Play",
                        request_serializer=_same,
                        response_deserializer=_same,
                    )()
                    await call.write(desks[0].good("good").SerializeToString())
                    assert await answered(call, "good")
                    call.cancel()
                sizes.append(rss_mib())
        async with asyncio.timeout(_PATIENCE_S):
            while len(asyncio.all_tasks()) > before:
                await asyncio.sleep(0.05)
        await server.stop()
        assert not broken, broken

    asyncio.run(run())
    assert not caplog.records, caplog.text
    print(f"{kind.__name__}: {sent:,} messages: {dict(told)}")
    assert told["answered"] and told["INVALID_ARGUMENT"]
    if fuzz_seconds():
        assert sizes[-1] < 1.3 * sizes[len(sizes) // 4] + 32, sizes[:: max(1, len(sizes) // 10)]
