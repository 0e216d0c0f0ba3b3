"""Which addresses the arena may dial: those on the operator's list, and no others.

A name on the list is good for public addresses only, whatever its owner lets it resolve to; an
address of a private network has to stand on the list itself. The address that was looked at is
the one that is dialled.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Protocol

import grpc

from arena.players.base import Limits
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.grpc_client import GrpcPlayer
from arena.players.spec import EngineKind, EngineSpec, EngineSpecError

_Address = IPv4Address | IPv6Address
_FORM = "such as 'bots.example.org:50000-50100', '*.example.org:50051' or '10.1.0.0/16:50051'"


class TargetError(ValueError):
    """An address that may not be dialled, or a line of the list that is none."""


@dataclass(frozen=True, slots=True)
class _Rule:
    network: IPv4Network | IPv6Network | None
    pattern: str
    low: int
    high: int


class DialList:
    """The operator's list. Empty: nothing is dialled."""

    def __init__(self, lines: Sequence[str], *, require_tls: bool = False) -> None:
        """Raises TargetError for a line that is none. `require_tls`: nothing in the clear."""
        self._rules = [_rule(line) for line in lines]
        self._require_tls = require_tls

    def may_be_named(self, target: str, *, tls: bool = False) -> None:
        """Raises TargetError where no line can cover "host:port", whatever it resolves to."""
        host, port = split_target(target)
        if self._require_tls and not tls:
            raise TargetError(f"address '{target}': the operator has bots dialled by TLS only")
        address = _literal(host)
        for rule in self._rules:
            if not rule.low <= port <= rule.high:
                continue
            if address is not None and rule.network is not None and address in rule.network:
                return
            if address is None and rule.network is None and fnmatchcase(host.lower(), rule.pattern):
                return
        raise TargetError(f"address '{target}' is not on the operator's list of dial targets")

    def admits(self, target: str, address: str, *, tls: bool = False) -> bool:
        """Whether "host:port" may be dialled at this address of it."""
        try:
            self.may_be_named(target, tls=tls)
        except TargetError:
            return False
        _, port = split_target(target)
        found = _unmapped(ip_address(address.partition("%")[0]))
        if any(
            rule.network is not None and found in rule.network and rule.low <= port <= rule.high
            for rule in self._rules
        ):
            return True
        return found.is_global and not found.is_multicast and not found.is_reserved

    async def resolve(self, target: str, *, tls: bool = False) -> str:
        """An address to dial for "host:port". Raises TargetError where none may be."""
        self.may_be_named(target, tls=tls)
        host, port = split_target(target)
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise TargetError(f"'{host}' does not resolve: {error.strerror}") from None
        except UnicodeError as error:  # a name with a part that is empty, or too long
            raise TargetError(f"'{host}' is no name: {error}") from None
        for family, _, _, _, where in found:
            address = str(where[0])
            if self.admits(target, address, tls=tls):
                return f"[{address}]:{port}" if family is socket.AF_INET6 else f"{address}:{port}"
        raise TargetError(f"'{host}' resolves to addresses that may not be dialled")


class Targets(Protocol):
    """Who knows the address to dial for a target."""

    async def resolve(self, target: str, *, tls: bool = False) -> str:
        """An address for "host:port". Raises TargetError where none may be dialled."""
        ...


class ListedPlayer(GrpcPlayer):
    """A bot at an address that is looked up, and looked at, each time it is dialled."""

    def __init__(
        self,
        spec: EngineSpec,
        limits: Limits,
        targets: Targets,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        """`spec.target` is "host:port"; `credentials` are for engines with `spec.tls`."""
        super().__init__(spec, limits)
        self._targets = targets
        self._credentials = credentials

    async def reach(self) -> str:
        """The address to dial. Raises EngineUnavailable where the list has none."""
        try:
            return await self._targets.resolve(self.spec.target, tls=self.spec.tls)
        except TargetError as error:
            raise EngineUnavailable(self.spec.id, Unavailable.UNREACHABLE, str(error)) from None

    def channel(self, address: str, options: Sequence[tuple[str, int]]) -> grpc.aio.Channel:
        """By TLS where the engine was submitted so; its certificate is for the name, not the address."""
        if not self.spec.tls:
            return super().channel(address, options)
        assert self._credentials is not None
        host, _ = split_target(self.spec.target)
        named = [] if _literal(host) is not None else [("grpc.ssl_target_name_override", host)]
        return grpc.aio.secure_channel(address, self._credentials, options=[*options, *named])


def split_target(target: str) -> tuple[str, int]:
    """Host and port. Raises TargetError."""
    try:
        spec = EngineSpec.parse(f"grpc://{target}")
    except EngineSpecError:
        raise TargetError(f"address '{target}': must be host:port, port 1..65535") from None
    assert spec.kind is EngineKind.GRPC
    host, _, port = spec.target.rpartition(":")
    return host.strip("[]"), int(port)


def _rule(line: str) -> _Rule:
    where, _, ports = line.strip().rpartition(":")
    low, _, high = ports.partition("-")
    try:
        first, last = (1, 65_535) if ports == "*" else (int(low), int(high or low))
    except ValueError:
        first, last = 0, 0
    if not where or not 0 < first <= last < 65_536:
        raise TargetError(f"dial target '{line}': must be host:port, {_FORM}")
    bare = where.replace("[", "").replace("]", "")
    try:
        return _Rule(ip_network(bare), "", first, last)
    except ValueError:
        pass
    if "/" in bare or ":" in bare or _literal(bare) is not None:
        raise TargetError(f"dial target '{line}': '{bare}' is no network, {_FORM}")
    return _Rule(None, bare.lower(), first, last)


def _literal(host: str) -> _Address | None:
    try:
        return _unmapped(ip_address(host))
    except ValueError:
        return None


def _unmapped(address: _Address) -> _Address:
    """An IPv4 address in IPv6 clothes is that IPv4 address."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped if mapped is not None else address
