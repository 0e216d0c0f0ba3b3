"""The arena dials what stands on the operator's list, and reaches into no private network."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from arena.players.base import Limits
from arena.players.fault import EngineUnavailable
from arena.players.spec import EngineSpec
from arena.server.targets import DialList, ListedPlayer, TargetError

LINES = ["*.example.org:50000-50100", "10.1.0.0/16:50051", "[2001:db8::]/32:*"]
LIMITS = Limits(1_000, 1_000, 1_000, 1_000, 1_000, 0, 0, 0, 1, 1 << 20)


@pytest.mark.parametrize(
    "target", ["a.example.org:50000", "A.Example.org:50100", "10.1.2.3:50051", "[2001:db8::7]:9"]
)
def test_what_the_list_covers_may_be_named(target: str) -> None:
    DialList(LINES).may_be_named(target)


@pytest.mark.parametrize(
    "target",
    [
        "a.example.org:49999",
        "example.org:50000",
        "a.example.org.evil.net:50000",
        "10.2.0.1:50051",
        "10.1.2.3:50052",
        "127.0.0.1:50051",
        "[::1]:50051",
        "[::ffff:127.0.0.1]:50051",
        "a.example.org",
        "a.example.org:0",
        "unix:/run/docker.sock",
    ],
)
def test_nothing_else_may(target: str) -> None:
    with pytest.raises(TargetError):
        DialList(LINES).may_be_named(target)
    with pytest.raises(TargetError):
        DialList([]).may_be_named(target)


@pytest.mark.parametrize(
    ("address", "admitted"),
    [
        ("93.184.216.34", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:169.254.169.254", False),
        ("2606:4700::1111", True),
    ],
)
def test_a_name_is_good_for_public_addresses_only(address: str, admitted: bool) -> None:
    assert DialList(LINES).admits("a.example.org:50051", address) is admitted
    assert not DialList(LINES).admits("b.example.net:50051", address)


@pytest.mark.parametrize("host", ["a..example.org", f"{'a' * 70}.example.org"])
def test_a_host_that_is_no_name_does_not_resolve(host: str) -> None:
    with pytest.raises(TargetError, match="is no name"):
        asyncio.run(DialList(LINES).resolve(f"{host}:50051"))


def test_a_private_network_on_the_list_is_meant() -> None:
    assert DialList([*LINES, "127.0.0.0/8:*"]).admits("a.example.org:50051", "127.0.0.1")


def test_the_address_that_was_looked_at_is_the_one_that_is_dialled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [["127.0.0.1"], ["10.9.9.9", "93.184.216.34"]]

    async def looked_up(self: Any, host: str, port: int, **_: Any) -> list[Any]:
        kind = (socket.AF_INET, socket.SOCK_STREAM, 0, "")
        return [(*kind, (address, port)) for address in answers.pop(0)]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", looked_up)

    async def run() -> None:
        spec = EngineSpec.parse("grpc://a.example.org:50051")
        player = ListedPlayer(spec, LIMITS, DialList(LINES))
        with pytest.raises(EngineUnavailable, match="may not be dialled"):
            await player.open()
        assert await player.reach() == "93.184.216.34:50051"

    asyncio.run(run())


@pytest.mark.parametrize("line", ["example.org", "example.org:x", "10.0.0.0/40:1", ":1", "a:9-1"])
def test_a_wrong_line_is_refused(line: str) -> None:
    with pytest.raises(TargetError, match="dial target"):
        DialList([line])
