"""Any request to any call of the arena service: an answer or a typed refusal, and nothing breaks."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.games import family_ids
from arena.protocol.status import reason_of
from arena.protocol.v1 import arena_pb2, bot_pb2
from arena.server.errors import Reason
from tests.fuzz.budget import fuzz_seconds, seeds
from tests.fuzz.messages import Maker, Pool, rss_mib, send
from tests.server.kit import House, bearer, described, house
from tests.server.sweep_kit import QUICK

_SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]
_CALLERS = 8
_EACH = 25
"""Calls of one caller with one seed."""

_PATIENCE_S = 120.0
_KEPT = ("engine_id", "sweep_id", "id", "game_id", "next_page_token", "account", "name", "version")
"""Fields of answers that later requests are made of."""

_WIDE = {
    "calls_per_second": 1e9,
    "burst": 10**9,
    "failures_per_minute": 1e9,
    "watchers": 1_000,
    "watchers_each": 1_000,
}
_QUOTAS = {"engines": 10**6, "submissions_a_day": 10**6, "sweeps": 1, "sweep_games_a_day": 10**4}

# What a caller may be told. INTERNAL and UNKNOWN are mistakes of ours.
_TYPED = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.ABORTED,
    }
)
_Metadata = tuple[tuple[str, str], ...]


def _same(data: bytes) -> bytes:
    return data


class Caller:
    """Calls anything with anything."""

    def __init__(self, seed: int, at: House, channel: grpc.aio.Channel, pool: Pool) -> None:
        self.rng = random.Random(seed)
        self.maker = Maker(self.rng, pool)
        self.pool = pool
        self.sent = 0
        self.told: Counter[str] = Counter()
        self._at = at
        self._channel = channel

    async def call(self) -> None:
        """One call."""
        method = self.rng.choice(list(_SERVICE.methods))
        kind = GetMessageClass(method.input_type)
        if method.name == "LaunchSweep" and self.rng.random() < 0.9:
            return  # each is planned by a process of its own: few are enough
        path = f"/{_SERVICE.full_name}/{method.name}"
        try:
            async with asyncio.timeout(_PATIENCE_S):
                if method.client_streaming:
                    await self._connect(path)
                elif method.server_streaming:
                    await self._watch(path, self._request(kind))
                else:
                    await self._ask(path, self._request(kind), method)
        except grpc.aio.AioRpcError as error:
            self._judge(method.name, error)
        else:
            self.told["answered"] += 1

    def _judge(self, name: str, error: grpc.aio.AioRpcError) -> None:
        reason = reason_of(error)
        said = f"{name}: {error.code()} {reason}: {error.details()}"
        assert error.code() in _TYPED, said
        assert reason in set(Reason) - {Reason.INTERNAL, Reason.RATE_LIMITED}, said
        self.told[f"{error.code().name}/{reason}"] += 1

    def _auth(self) -> _Metadata:
        known = ("ann", "ann", "bob", "rita", "rita", "oscar")
        who = self.rng.choice((*known, *known, "nobody", "wrong"))
        if who == "nobody":
            return ()
        if who == "wrong":
            return bearer(self.rng.choice(("", "x", "arena_", "arena_0123456789ab_" + "A" * 43)))
        return self._at.auth(who)

    def _request(self, kind: type[Message]) -> bytes:
        self.sent += 1
        made = self.maker.message(kind)
        if isinstance(made, arena_pb2.SubmitEngineRequest) and self.rng.random() < 0.7:
            made.description.CopyFrom(self._description())
            made.access.dial_in.SetInParent()
        raw = made.SerializeToString()
        return self.maker.bent(raw) if self.rng.random() < 0.15 else raw

    def _description(self) -> bot_pb2.DescribeResponse:
        good = described(self.rng.choice(("one", "two", "three")), self.rng.choice("123"))
        return good if self.rng.random() < 0.5 else self.maker.changed(good)

    async def _ask(self, path: str, request: bytes, method: MethodDescriptor) -> None:
        ask = self._channel.unary_unary(path, request_serializer=_same, response_deserializer=_same)
        answer = GetMessageClass(method.output_type)()
        answer.ParseFromString(await ask(request, metadata=self._auth()))
        self._keep(answer)

    def _keep(self, answer: Message) -> None:
        for field, value in answer.ListFields():
            if field.message_type is None and not field.is_repeated and field.name in _KEPT:
                assert field.cpp_type == FieldDescriptor.CPPTYPE_STRING
                name = field.name.removeprefix("next_")
                if name == "id":
                    kind = answer.DESCRIPTOR.name.lower()
                    name = f"{kind}_id"
                self.pool.add(self.rng, name, value)
            elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
                for inner in value if field.is_repeated else (value,):
                    self._keep(inner)

    async def _watch(self, path: str, request: bytes) -> None:
        watch = self._channel.unary_stream(
            path, request_serializer=_same, response_deserializer=_same
        )
        call = watch(request, metadata=self._auth())
        try:
            async with asyncio.timeout(self.rng.choice((0.05, 0.5))):
                async for _ in call:
                    pass
        except TimeoutError:
            pass
        finally:
            call.cancel()

    async def _connect(self, path: str) -> None:
        connect = self._channel.stream_stream(
            path, request_serializer=_same, response_deserializer=_same
        )
        call = connect(metadata=self._auth())
        reading = asyncio.ensure_future(self._read(call))
        try:
            if self.rng.random() < 0.8:
                first = arena_pb2.ConnectRequest(describe=self._description())
                await self._send(call, first.SerializeToString())
            for _ in range(self.rng.randrange(12)):
                if self.rng.random() < 0.8:
                    play = self.maker.message(bot_pb2.PlayResponse)
                    raw = arena_pb2.ConnectRequest(play=play).SerializeToString()
                    raw = self.maker.bent(raw) if self.rng.random() < 0.1 else raw
                else:
                    raw = self._request(arena_pb2.ConnectRequest)
                await self._send(call, raw)
                await asyncio.sleep(self.rng.choice((0, 0.01)))
            if self.rng.random() < 0.5:
                if not call.done():
                    await call.done_writing()
                await asyncio.wait({reading}, timeout=1)
        except (asyncio.InvalidStateError, grpc.aio.InternalError):
            pass  # it has ended: the status says how
        finally:
            if not call.done():
                call.cancel()
            with_errors = await asyncio.gather(reading, return_exceptions=True)
        for error in with_errors:
            if isinstance(error, grpc.aio.AioRpcError):
                raise error

    async def _send(self, call: Any, raw: bytes) -> None:
        self.sent += 1
        await send(call, raw)

    async def _read(self, call: Any) -> None:
        try:
            while (data := await call.read()) is not grpc.aio.EOF:
                arena_pb2.ConnectResponse.FromString(data)
        except asyncio.CancelledError:
            return  # by ourselves


def test_whatever_is_asked_of_the_service_it_answers_or_refuses_by_type(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    pool = Pool(
        family=family_ids(),
        rulebooks=["gomoku/*", "*", "gomoku/freestyle15"],
        protocols=["arena.v1"],
        account=["ann", "bob", "rita", "oscar"],
        address=["127.0.0.1:9", "127.0.0.1:50051", "x.bots.example.org:1", "..:1"],
        words=["true"],
        toml=[QUICK, QUICK.replace("20", "1"), "x = ", 'name = "\\u0000"', "[[games]]"],
        margin=[0.05],
    )
    told, sizes, sent = Counter[str](), list[float](), 0

    async def run() -> None:
        nonlocal sent
        broken: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, why: broken.append(why))
        play = {"rulebooks": ["gomoku/freestyle15"], "rungs": [1]}
        dial = {"allow": ["127.0.0.0/8:9", "*.bots.example.org:*"]}
        sweeps = {"folder": str(tmp_path / "sweeps"), "workers": 0}
        async with (
            house(
                tmp_path, limits=_WIDE, quotas=_QUOTAS, play=play, dial=dial, sweeps=sweeps
            ) as at,
            grpc.aio.insecure_channel(at.address) as channel,
        ):
            for seed in seeds(2):
                callers = [Caller(1_000 * seed + n, at, channel, pool) for n in range(_CALLERS)]

                async def work(caller: Caller) -> None:
                    for _ in range(_EACH):
                        await caller.call()

                await asyncio.gather(*map(work, callers))
                for caller in callers:
                    sent += caller.sent
                    told.update(caller.told)
                await at.stub.ListEngines(
                    arena_pb2.ListEnginesRequest(), metadata=at.auth("ann"), timeout=30
                )
                sizes.append(rss_mib())
            async with asyncio.timeout(30):
                while at.server._switchboard.streams:  # type: ignore[union-attr]
                    await asyncio.sleep(0.05)
        assert not broken, broken

    asyncio.run(run())
    assert not caplog.records, caplog.text
    print(f"{sent:,} messages: {dict(told)}")
    assert told["answered"] and told["INVALID_ARGUMENT/INVALID"]
    if fuzz_seconds():
        assert sizes[-1] < 1.3 * sizes[len(sizes) // 4] + 64, sizes[:: max(1, len(sizes) // 10)]
