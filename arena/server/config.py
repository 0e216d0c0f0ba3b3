"""The operator's file: everything a service goes by, as typed values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from arena.match.policy import MatchPolicy
from arena.plan.load import load_model
from arena.plan.spec import MOST_OPENING_PLIES, PlacedTable, SandboxEntry, Table
from arena.server.targets import DialList

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]


class Tls(Table):
    """``[tls]``: files in PEM form. Without them the service is for its own machine only."""

    cert: Path
    """The certificate, and those it is signed by."""

    key: Path
    client_ca: Path | None = None
    """Set: callers need a certificate of this authority, beside their token (mutual TLS)."""


class Caps(Table):
    """``[limits]``: what callers may ask of the service."""

    calls_per_second: Positive = 20
    """Of one host, and of one account, in the long run."""

    burst: Count = 60
    """Calls at once before that counts."""

    failures_per_minute: Positive = 20
    """Wrong tokens of one host, after which it is not listened to for a while."""

    request_kib: Count = 64
    """Largest request of a plain call."""

    call_seconds: Positive = 30
    """Longest time of a plain call, whatever deadline the caller has set."""

    calls_at_once: Count = 2_000
    """Of all callers, streams included."""

    watchers: Count = 200
    """Streams of `WatchGames`, `WatchEngine` and `WatchSweep`, of all callers."""

    watchers_each: Count = 20
    """The same of one account."""


class Quotas(Table):
    """``[quotas]``: what one account may have. Operators have none."""

    engines: Count = 10
    """In play, or on the way there."""

    submissions_a_day: Count = 20
    sweeps: Count = 2
    """Waiting or running."""

    sweeps_a_day: Count = 50
    """Launched in the last 24 hours."""

    sweep_games_a_day: Count = 1_000_000
    """Of those: games that are planned, or were played where a sweep has ended."""


class Dial(Table):
    """``[dial]``: bots that the arena dials."""

    allow: tuple[str, ...] = ()
    """"host:port", "*.host:port-port" or "network/bits:port". Names only where they resolve to
    public addresses; private networks stand here as networks. Empty: bots dial in instead."""

    require_tls: bool = False
    """Whether an engine may be submitted only with an address that is dialled by TLS."""

    root_ca: Path | None = None
    """The authority of the bots' certificates, where it is none that everybody knows. PEM form,
    as the files below."""

    cert: Path | None = None
    """The arena's own certificate, for bots that ask for one (mutual TLS)."""

    key: Path | None = None

    @model_validator(mode="after")
    def _lines(self) -> Self:
        DialList(self.allow)
        if (self.cert is None) != (self.key is None):
            raise ValueError("cert and key go together")
        return self


class Play(Table):
    """``[play]``: games that the service plays by itself, to rate the engines on file."""

    rulebooks: tuple[str, ...] = ()
    """By name or glob. Empty: nothing is played."""

    rungs: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Steps of each family's ladder of reference engines, 1 the weakest; empty: all."""

    parallel_games: Count = 64
    """Going on at once, wherever they are played."""

    workers: Annotated[int, Field(ge=0)] | None = None
    """Worker processes, as of `arena sweep`: they play whatever has no bot in it that has dialled in.
    Left out: one a core; 0: this process plays everything."""

    address: str | None = None
    """Of a running Ray cluster, such as "auto"; left out: this machine."""

    games_per_engine: Count = 16
    """At once, of one engine, if it takes as many."""

    opening_plies: Annotated[int, Field(ge=0, le=MOST_OPENING_PLIES)] = 4
    """Random moves before the engines start, in games whose seats see everything."""

    qualifying_blocks: Count = 6
    """Against reference engines only, before an engine meets others."""

    half_width: Positive = 40
    """Elo to either side that is narrow enough, over the nearest reference engine."""

    floor: Annotated[float, Field(ge=0, le=1)] = 0.5
    """What everybody who is still to be placed has at least, of an equal share of the blocks."""


class Sweeping(Table):
    """``[sweeps]``: sweeps that researchers launch."""

    folder: Path = Path("runs/sweeps")
    """Their ledgers: one file each, which all commands read."""

    at_once: Count = 1
    """Running at once, of all accounts; the others wait for their turn."""

    workers: Annotated[int, Field(ge=0)] | None = None
    """Worker processes of each, as of `arena sweep`; left out: one a core."""

    address: str | None = None
    """Of a running Ray cluster, such as "auto"; left out: this machine."""

    hours: Positive = 24
    """Longest that one runs without being launched again."""

    cells: Count = 2_000
    """Most of one plan."""


_LAST_PORT = 65_535


def host_and_port(text: str) -> tuple[str, int]:
    """The parts of "host:port". Raises ValueError for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _LAST_PORT:
        raise ValueError(f"must be host:port, port 0..{_LAST_PORT}")
    return host, int(port)


def _checked(listen: str) -> str:
    host_and_port(listen)
    return listen


class ServiceConfig(PlacedTable):
    """A whole file."""

    listen: Annotated[str, AfterValidator(_checked)] = "127.0.0.1:50100"
    """"host:port"; port 0 takes any free one."""

    database: str = "service.db"
    """Accounts and engines: a path or a postgresql:// URL."""

    ledger: str = "runs/service.db"
    """Results: a path or a postgresql:// URL."""

    tls: Tls | None = None
    limits: Caps = Caps()
    quotas: Quotas = Quotas()
    dial: Dial = Dial()
    play: Play = Play()
    sweeps: Sweeping = Sweeping()
    sandbox: SandboxEntry | Literal[False] = SandboxEntry()
    """What engines that are started by a command are kept in, as in a sweep file; false: nothing."""

    match: MatchPolicy = MatchPolicy()
    """As in a sweep file: clock, limits, grace, what an illegal move costs."""


def load_config(path: str | Path) -> ServiceConfig:
    """Reads a service file. Raises SweepError naming file, line, field and what is valid."""
    config, text = load_model(path, ServiceConfig, _as_written)
    return config.placed(str(path), text)


def _as_written(data: dict[str, Any]) -> dict[str, Any]:
    return data
