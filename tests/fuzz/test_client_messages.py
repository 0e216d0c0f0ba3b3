"""A bot that says anything: every game ends once, by the rules or by the bot's own fault."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
from collections import Counter
from collections.abc import Callable

import grpc
import pytest
from google.protobuf.message import DecodeError

import arena
from arena._core import Termination
from arena.games import Game, family_ids, rulebooks
from arena.ledger.result import GameResult
from arena.match.policy import IllegalMoves, MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.base import Limits, Player
from arena.players.call import Stream
from arena.players.fault import is_fault
from arena.players.grpc_client import GrpcPlayer
from arena.players.spec import EngineKind, EngineSpec
from arena.protocol.reading import Unreadable
from arena.protocol.v1 import bot_pb2
from arena.sdk.turn import RulesCache, Turn
from tests.fuzz.budget import fuzz_seconds, seeds
from tests.fuzz.messages import Maker, Pool, rss_mib

_GAMES = 24
_GOOD = bot_pb2.DescribeResponse(
    name="b",
    version="1",
    protocols=["arena.v1"],
    games=[bot_pb2.GameSupport(rulebooks="*")],
    wants_legal_moves=True,
    answers_pings_while_thinking=True,
)
_CODES = [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK]
_LONGEST_MESSAGE = 10_000


class Script:
    """The far side of one stream: answers well, with anything else between."""

    def __init__(self, rng: random.Random, chaos: float) -> None:
        """`chaos`: how much else; 0: nothing."""
        self.rng = rng
        self.chaos = chaos
        self.sent = 0
        self.pool = Pool(seat=range(4), number=range(4))
        self.maker = Maker(rng, self.pool)
        self._rules: list[bot_pb2.PlayRequest] = []
        self._due: list[tuple[bot_pb2.Turn, bot_pb2.PlayRequest]] = []
        self._out: list[bot_pb2.PlayResponse] = []
        self._wake = asyncio.Event()
        self._over = False
        self._code = grpc.StatusCode.OK
        self._cache = RulesCache()

    async def write(self, request: bot_pb2.PlayRequest) -> None:
        if request.HasField("welcome"):
            self._out.append(bot_pb2.PlayResponse(ready=bot_pb2.Ready()))
        if request.HasField("ping"):
            self._out.append(bot_pb2.PlayResponse(pong=bot_pb2.Pong(number=request.ping.number)))
            self.pool.add(self.rng, "number", request.ping.number)
        for new in request.new_games:
            ready = bot_pb2.GameReady(game=new.game, seat=new.seat)
            self._out.append(bot_pb2.PlayResponse(games_ready=[ready]))
        for over in request.game_overs:
            self._due = [(turn, r) for turn, r in self._due if turn.game != over.game]
        for turn in request.turns:
            self._due.append((turn, request))
            self.pool.add(self.rng, "game", turn.game)
            for ahead in (-1, 0, 0, 1):
                self.pool.add(self.rng, "revision", max(0, turn.revision + ahead))
            for move in turn.legal_moves.moves[:4]:
                self.pool.add(self.rng, "move", move)
        self._wake.set()

    async def read(self) -> bot_pb2.PlayResponse | None:
        await asyncio.sleep(0)
        while not self._over and not self._out and not self._due:
            self._wake.clear()
            await self._wake.wait()
        if self._over:
            return None
        self.sent += 1
        if self.chaos and self.sent > 1 and self.rng.random() < self.chaos:
            return self._anything()
        if self._out:
            return self._out.pop(0)
        turn, request = self._due.pop(self.rng.randrange(len(self._due)))
        return bot_pb2.PlayResponse(decisions=[self._answer(turn, request)])

    def _answer(self, turn: bot_pb2.Turn, request: bot_pb2.PlayRequest) -> bot_pb2.Decision:
        decision = bot_pb2.Decision(game=turn.game, revision=turn.revision, seat=turn.seat)
        if turn.HasField("legal_moves") or turn.position:
            moves = Turn(turn, request.rules[turn.rules], self._cache).legal
            decision.move = moves[self.rng.randrange(len(moves))]
        else:
            decision.resign = True
        return decision

    def _anything(self) -> bot_pb2.PlayResponse:
        chance = self.rng.random()
        if chance < 0.002:
            self._code = self.rng.choice(_CODES)
            self._over = True
            details = self.maker.text()[:2_000]
            empty = grpc.aio.Metadata()
            raise grpc.aio.AioRpcError(self._code, empty, empty, details)
        if chance < 0.5 and self._due:
            # A good answer, but for a field or two.
            good = bot_pb2.PlayResponse(decisions=[self._answer(*self.rng.choice(self._due))])
            return self.maker.changed(good)
        made = self.maker.message(bot_pb2.PlayResponse)
        if chance < 0.6:
            try:
                return bot_pb2.PlayResponse.FromString(self.maker.bent(made.SerializeToString()))
            except DecodeError:
                if self.rng.random() < 0.01:
                    raise Unreadable from None
        return made

    async def code(self) -> grpc.StatusCode:
        return self._code

    async def details(self) -> str:
        return ""

    async def done_writing(self) -> None:
        self.cancel()

    def cancel(self) -> bool:
        self._over = True
        self._wake.set()
        return True


class Scripted(GrpcPlayer):
    """Plays against scripts instead of over a network."""

    def __init__(
        self,
        spec: EngineSpec,
        limits: Limits,
        describe: Callable[[], bot_pb2.DescribeResponse],
        stream: Callable[[], Script],
    ) -> None:
        super().__init__(spec, limits)
        self._describe = describe
        self._make = stream

    async def dial(self) -> bot_pb2.DescribeResponse:
        return self._describe()

    def stream(self) -> Stream:
        return self._make()

    def left(self) -> list[object]:
        """What should be gone with the last game."""
        return [self._owed, self._preparing, self._answered, self._ready_games]


class Round:
    """Some games of a wild bot against a good one."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.players: list[Scripted] = []
        self.scripts: list[Script] = []
        self.maker = Maker(self.rng, Pool(rulebooks=["*", "gomoku/*"], protocols=["arena.v1"]))

    def description(self) -> bot_pb2.DescribeResponse:
        if self.rng.random() < 0.5:
            return _GOOD
        return self.maker.changed(_GOOD)

    def script(self, chaos: float) -> Script:
        made = Script(self.rng, chaos)
        self.scripts.append(made)
        return made

    def player(self, spec: EngineSpec, limits: Limits) -> Player:
        wild = spec.name == "wild"
        chaos = self.rng.choice((0.3, 0.6, 0.9)) if wild else 0.0
        made = Scripted(
            spec,
            limits,
            self.description if wild else lambda: _GOOD,
            lambda: self.script(chaos),
        )
        self.players.append(made)
        return made

    def policy(self) -> MatchPolicy:
        return MatchPolicy(
            max_plies=60,
            move_ms=20_000,
            new_game_ms=20_000,
            ping_ms=20_000,
            disconnect_grace_ms=5_000,
            crashes=20,
            illegal_retries=self.rng.choice((0, 3, 200)),
            illegal=IllegalMoves.model_validate({"cost": self.rng.choice(("rules", "substitute"))}),
        )


def known_games() -> list[Game]:
    """One of each family."""
    return [arena.game(rulebooks(f"{family}/*")[0]) for family in family_ids()]


def specs(game: Game, seat: int) -> tuple[EngineSpec, ...]:
    wild = EngineSpec("wild", "1", EngineKind.GRPC, "wild")
    good = EngineSpec("good", "1", EngineKind.GRPC, "good")
    return tuple(wild if other == seat else good for other in range(game.seats))


def require_fair(played: GameResult | NotPlayed) -> str:
    """Nobody but the wild bot suffers; how it ended."""
    if isinstance(played, NotPlayed):
        assert played.engine == "wild@1", played
        assert len(played.message) < _LONGEST_MESSAGE, len(played.message)
        return f"not played: {played.cause}"
    if is_fault(played.termination):
        assert played.culprit is not None
        assert played.engines[played.culprit] == "wild@1", played
    elif played.culprit is not None:
        assert played.termination in (Termination.resignation, Termination.adjudicated), played
        assert played.engines[played.culprit] == "wild@1", played
    assert sum(map(len, played.notes)) < 1_000_000
    assert played.record is not None and len(played.record.moves) == played.plies
    return played.termination.name


def test_games_with_a_bot_that_says_anything_end_once_and_fairly(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    games = known_games()
    sent, endings, sizes = 0, Counter[str](), list[float]()
    threads = threading.active_count()
    for seed in seeds(4):
        one = Round(seed)
        requests = [
            GameRequest(
                f"{seed}-{n}",
                "s",
                "c",
                n,
                0,
                game,
                specs(game, n % game.seats),
                n,
                n,
                keep_record=True,
            )
            for n, game in enumerate(one.rng.choices(games, k=_GAMES))
        ]
        with MatchRunner(one.policy(), _GAMES, make_player=one.player) as runner:
            played = list(runner.play(requests))
            for player in one.players:
                assert not any(player.left()), player.left()
        ended = [p.request.game_id if isinstance(p, NotPlayed) else p.game_id for p in played]
        assert sorted(ended) == sorted(request.game_id for request in requests)
        endings.update(map(require_fair, played))
        sent += sum(script.sent for script in one.scripts if script.chaos)
        sizes.append(rss_mib())
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert threading.active_count() <= threads
    print(f"{sent:,} messages, {sum(endings.values()):,} games: {dict(endings)}")
    assert sent > 1_000
    if fuzz_seconds():
        assert sizes[-1] < 1.3 * sizes[len(sizes) // 4] + 32, sizes[:: max(1, len(sizes) // 10)]
