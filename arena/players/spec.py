"""What an engine is, before it runs: name, version, and how it is reached."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EngineKind(StrEnum):
    """How an engine is reached."""

    BUILTIN = "builtin"
    """A reference engine in the core: "search:nodes=400"."""

    PYTHON = "python"
    """A class: "python:module:Class"."""

    GRPC = "grpc"
    """An address that serves the bot protocol: "grpc://host:port"."""

    COMMAND = "command"
    """A program that the worker starts beside itself and then talks gRPC to."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """One engine of a sweep. `id` is part of the identity of each of its games."""

    name: str
    version: str
    kind: EngineKind
    target: str
    """Built-in spec, "module:Class", "host:port", or the command line, by kind."""

    @property
    def id(self) -> str:
        """`name@version`: what results are filed under."""
        return f"{self.name}@{self.version}"
