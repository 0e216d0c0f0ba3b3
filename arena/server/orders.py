"""What a worker of the standing play is handed, what it does with it, and what it brings back.

An order is one block, or what is missing of one. The service has looked at the addresses of its bots:
a worker looks nothing up, and dials those and no others.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial

import grpc

import arena
from arena.cluster.work import PlanMismatch
from arena.games import Game, game
from arena.ledger.result import GameResult, at_host
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.base import Limits, Player
from arena.players.build import player_for
from arena.players.fault import Unavailable
from arena.players.spec import EngineKind, EngineSpec
from arena.server.targets import ListedPlayer, TargetError


@dataclass(frozen=True, slots=True)
class DialKeys:
    """What bots are dialled with by TLS, in PEM form: it goes to workers, which credentials cannot."""

    root_ca: bytes | None = None
    key: bytes | None = field(default=None, repr=False)
    cert: bytes | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """As gRPC takes them."""
        return grpc.ssl_channel_credentials(self.root_ca, self.key, self.cert)


@dataclass(frozen=True, slots=True)
class Seating:
    """What differs between the games of a block."""

    game_id: str
    permutation: int
    engines: tuple[EngineSpec, ...]
    engine_seed: int


@dataclass(frozen=True, slots=True)
class Order:
    """Games of one block, for one worker."""

    id: int
    worker: str
    rulebook: str
    sweep_id: str
    cell_id: str
    block: int
    deal_seed: int
    opening_plies: int
    seatings: tuple[Seating, ...]
    addresses: Mapping[str, str]
    """Target to the address to dial for it, of bots at an address."""

    @classmethod
    def of(
        cls, number: int, worker: str, requests: Sequence[GameRequest], addresses: Mapping[str, str]
    ) -> Order:
        """From games of one block."""
        first = requests[0]
        return cls(
            id=number,
            worker=worker,
            rulebook=first.game.name,
            sweep_id=first.sweep_id,
            cell_id=first.cell_id,
            block=first.block,
            deal_seed=first.deal_seed,
            opening_plies=first.opening_plies,
            seatings=tuple(
                Seating(each.game_id, each.permutation, each.engines, each.engine_seed)
                for each in requests
            ),
            addresses=addresses,
        )

    def requests(self, game: Game) -> list[GameRequest]:
        """The games again."""
        return [
            GameRequest(
                game_id=each.game_id,
                sweep_id=self.sweep_id,
                cell_id=self.cell_id,
                block=self.block,
                permutation=each.permutation,
                game=game,
                engines=each.engines,
                deal_seed=self.deal_seed,
                engine_seed=each.engine_seed,
                opening_plies=self.opening_plies,
                keep_record=True,
            )
            for each in self.seatings
        ]


@dataclass(frozen=True, slots=True)
class Refused:
    """A game that was not played, as `NotPlayed` without its request."""

    game_id: str
    engine: str
    cause: Unavailable
    message: str


@dataclass(slots=True)
class OrderReport:
    """What became of an order."""

    order_id: int
    results: list[GameResult] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    broken: str = ""
    """A mistake of ours that ended it, in words for the log."""


class _Pinned:
    """The addresses that the service has looked at."""

    def __init__(self) -> None:
        self.addresses: dict[str, str] = {}

    async def resolve(self, target: str, *, tls: bool = False) -> str:
        """The one for a target."""
        try:
            return self.addresses[target]
        except KeyError:
            raise TargetError(f"address '{target}' was not handed to this worker") from None


class OrderPlayer:
    """Plays orders in the process of a worker, any number of them side by side."""

    def __init__(
        self, worker: str, policy: MatchPolicy, parallel: int, games: Sequence[Game], keys: DialKeys
    ) -> None:
        """`parallel` bounds the games of one order."""
        self._games = {each.name: each for each in games}
        self._pinned = _Pinned()
        self._keys = keys
        self._credentials: grpc.ChannelCredentials | None = None
        self._runner = MatchRunner(policy, parallel, at_host(worker), self._player)
        # A worker has one core. Engines of the core that nobody watches would take one each.
        self._core = threading.Lock()

    @classmethod
    def made(
        cls,
        worker: str,
        *,
        version: str,
        rules: Mapping[str, str],
        policy: MatchPolicy,
        parallel: int,
        keys: DialKeys,
    ) -> OrderPlayer:
        """`rules` are the digests of all rulebooks. Raises PlanMismatch where this is another arena."""
        games = [game(name) for name in rules]
        if version != arena.__version__ or any(g.rules.digest != rules[g.name] for g in games):
            raise PlanMismatch(
                f"the worker runs {arena.__version__}, the service {version}: "
                "install the same version of this package on every machine"
            )
        return cls(worker, policy, parallel, games, keys)

    def play(self, order: Order) -> OrderReport:
        """Plays every game of an order."""
        report = OrderReport(order.id)
        self._pinned.addresses.update(order.addresses)
        requests = order.requests(self._games[order.rulebook])
        inside = all(e.kind is EngineKind.BUILTIN for each in requests for e in each.engines)
        try:
            with self._core if inside else nullcontext():
                for outcome in self._runner.play(requests):
                    if isinstance(outcome, NotPlayed):
                        game_id = outcome.request.game_id
                        report.refused.append(
                            Refused(game_id, outcome.engine, outcome.cause, outcome.message)
                        )
                    else:
                        report.results.append(outcome)
        except Exception as error:  # noqa: BLE001 - any error ends its order, not the worker
            report.broken = f"{type(error).__name__}: {error}"
        return report

    def close(self) -> None:
        """Ends connections and started programs."""
        self._runner.close()

    def _player(self, spec: EngineSpec, limits: Limits) -> Player:
        if spec.kind is not EngineKind.GRPC:
            return player_for(spec, limits)
        if spec.tls and self._credentials is None:
            self._credentials = self._keys.credentials()
        return ListedPlayer(spec, limits, self._pinned, self._credentials)


def recipe_of(
    policy: MatchPolicy, parallel: int, games: Sequence[Game], keys: DialKeys
) -> partial[OrderPlayer]:
    """What makes the player of a worker from its name."""
    return partial(
        OrderPlayer.made,
        version=arena.__version__,
        rules={each.name: each.rules.digest for each in games},
        policy=policy,
        parallel=parallel,
        keys=keys,
    )
