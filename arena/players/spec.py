"""What an engine is, before it runs: name, version, and how it is reached."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum

from arena.players.sandbox import IMAGE, Sandbox


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

    DIAL_IN = "dial_in"
    """A bot that has opened a stream to the arena service. Only there, and never from a text."""


class EngineSpecError(ValueError):
    """A text that names no engine; the message shows it and what would be right."""


_DIAL_IN = re.compile(r"dial[_-]?in\b.*|connect\b.*", re.IGNORECASE)
_BUILTIN = re.compile(r"[a-z][a-z0-9_]*(:[a-z][a-z0-9_]*=-?\d+(,[a-z][a-z0-9_]*=-?\d+)*)?")
_PYTHON = re.compile(r"(?P<module>[^\W\d]\w*(\.[^\W\d]\w*)*):(?P<name>[^\W\d]\w*)")
_HOST = re.compile(r"\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+")
_FORMS = (
    "a built-in engine such as 'search:nodes=400', 'python:module:Class', "
    "'grpc://host:port', or 'command:program arguments'"
)


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """One engine of a sweep. `id` is part of the identity of each of its games."""

    name: str
    version: str
    kind: EngineKind
    target: str
    """Built-in spec, "module:Class", "host:port", or the command line, by kind."""

    sandbox: Sandbox | None = None
    """What a started program is kept in; None: nothing."""

    tls: bool = False
    """Whether an address is dialled by TLS, with the service's files. Never from a text."""

    @property
    def id(self) -> str:
        """`name@version`: what results are filed under."""
        return f"{self.name}@{self.version}"

    @classmethod
    def parse(cls, text: str, name: str = "", version: str = "1") -> EngineSpec:
        """An engine from its text; `name` defaults to the text itself.

        ``search:nodes=400`` is a reference engine, ``python:module:Class`` a class,
        ``grpc://host:port`` an address, ``command:program arguments`` (or any text with a
        blank or a slash in it) a program to start, ``image://name arguments`` a container image.
        Raises EngineSpecError.
        """
        kind, target = _split(text.strip())
        if "@" in version or not version.strip():
            raise EngineSpecError(f"engine version '{version}': must be text without '@'")
        return cls(name or text.strip(), version, kind, target)


def _split(text: str) -> tuple[EngineKind, str]:
    if text.startswith("grpc://"):
        return EngineKind.GRPC, _address(text)
    if text.startswith("python:"):
        target = text.removeprefix("python:")
        if not _PYTHON.fullmatch(target):
            raise EngineSpecError(f"engine '{text}': must be python:module:Class")
        return EngineKind.PYTHON, target
    if re.match(r"\w+://", text) and not text.startswith(IMAGE):
        raise EngineSpecError(f"engine '{text}': the only addresses are grpc://host:port")
    command = text.removeprefix("command:")
    if command != text or re.search(r"[\s/\\]", text):
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise EngineSpecError(f"engine '{text}': {error}") from None
        if not words:
            raise EngineSpecError(f"engine '{text}': the command is empty")
        if words[0] == IMAGE:
            raise EngineSpecError(f"engine '{text}': must be {IMAGE}NAME, a container image")
        return EngineKind.COMMAND, command.strip()
    if _DIAL_IN.fullmatch(text):
        raise EngineSpecError(
            f"engine '{text}': a bot that dials in is at the end of a stream of the arena service, and "
            "plays in its standing play only; have it serve (--host, --port), and name grpc://host:port"
        )
    if _BUILTIN.fullmatch(text):
        return EngineKind.BUILTIN, text
    if re.match(r"[a-z][a-z0-9_]*:", text):
        raise EngineSpecError(
            f"engine '{text}': options must be key=integer, as in 'search:nodes=400'"
        )
    raise EngineSpecError(f"engine '{text}': must be {_FORMS}")


def _address(text: str) -> str:
    target = text.removeprefix("grpc://")
    host, _, port = target.rpartition(":")
    if not _HOST.fullmatch(host) or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise EngineSpecError(f"engine '{text}': must be grpc://host:port, port 1..65535")
    return target
