"""Plays planned games: whole blocks inside the core, or many at once through the referee."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter
from types import TracebackType
from typing import Self

from arena._core import PlayedGame, PlayTask
from arena.games import Game
from arena.ledger.result import GameResult
from arena.match.floor import MakePlayer, Played
from arena.match.hall import Hall
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.players.build import player_for
from arena.players.fault import Unavailable
from arena.players.spec import EngineKind

# A chunk of core games takes about this long, so that results flow and Ctrl-C is heard.
_CHUNK_S = 0.25
_MAX_CHUNK = 4_096


class MatchRunner:
    """Plays games for one worker. Engines stay up between calls of `play`; close it after use.

    >>> with MatchRunner(MatchPolicy()) as runner:
    ...     list(runner.play([]))
    []
    """

    def __init__(
        self,
        policy: MatchPolicy,
        max_parallel_games: int = 64,
        worker: str = "",
        make_player: MakePlayer = player_for,
    ) -> None:
        """`max_parallel_games` bounds the games that go on at once outside the core.

        `worker` is written into each result; `make_player` makes the players of engines that
        the core does not play alone.
        """
        if max_parallel_games < 1:
            raise ValueError(f"max_parallel_games: {max_parallel_games} is not at least 1")
        self.policy = policy
        self.max_parallel_games = max_parallel_games
        self.worker = worker
        self._make_player = make_player
        self._hall: Hall | None = None
        self._opening = threading.Lock()
        self._unknown: dict[tuple[Game, str], str | None] = {}

    def play(self, requests: Iterable[GameRequest]) -> Iterator[Played]:
        """Each request's result as it ends, in any order; exactly one for each request.

        A game whose engine cannot be reached or does not play it comes back as a
        `NotPlayed`. Faults in play are results, with their cause and culprit. May be called from
        several threads at once; each has its own results.
        """
        inside: dict[Game, list[GameRequest]] = {}
        watched: list[GameRequest] = []
        for request in requests:
            if self._fits_core(request):
                inside.setdefault(request.game, []).append(request)
            else:
                watched.append(request)
        if watched:
            with self._opening:
                if self._hall is None:
                    self._hall = Hall(
                        self.policy, self.max_parallel_games, self.worker, self._make_player
                    )
            yield from self._hall.play(watched)
        for game, group in inside.items():
            yield from self._play_inside(game, group)

    @property
    def unlimited(self) -> frozenset[str]:
        """Ids of engines at an address that take as many games at once as anybody likes."""
        return frozenset() if self._hall is None else self._hall.unlimited

    def _fits_core(self, request: GameRequest) -> bool:
        return not self.policy.watches_moves and all(
            spec.kind is EngineKind.BUILTIN for spec in request.engines
        )

    def _play_inside(self, game: Game, requests: Sequence[GameRequest]) -> Iterator[Played]:
        """Whole games in the core, without the referee."""
        todo = deque(requests)
        size = 1
        while todo:
            chunk: list[GameRequest] = []
            while todo and len(chunk) < size:
                request = todo.popleft()
                refused = self._refused(request)
                if refused is None:
                    chunk.append(request)
                else:
                    yield refused
            began = perf_counter()
            played = game.core.play([self._task(request) for request in chunk])
            seconds = perf_counter() - began
            for request, one in zip(chunk, played, strict=True):
                yield self._result(request, one, seconds / len(chunk))
            size = min(_MAX_CHUNK, max(1, round(size * min(4.0, _CHUNK_S / max(seconds, 1e-9)))))

    def _refused(self, request: GameRequest) -> NotPlayed | None:
        """What is said of a request with an engine that these rules do not have."""
        game = request.game
        for spec in request.engines:
            key = (game, spec.target)
            if key not in self._unknown:
                try:
                    game.core.engine(spec.target)
                    self._unknown[key] = None
                except ValueError as error:
                    self._unknown[key] = str(error)
            message = self._unknown[key]
            if message is not None:
                return NotPlayed(request, spec.id, Unavailable.UNFIT, message)
        return None

    def _task(self, request: GameRequest) -> PlayTask:
        return PlayTask(
            engines=[spec.target for spec in request.engines],
            deal_seed=request.deal_seed,
            engine_seed=request.engine_seed,
            opening_plies=request.opening_plies,
            max_plies=self.policy.max_plies,
            keep_moves=request.keep_record,
        )

    def _result(self, request: GameRequest, played: PlayedGame, seconds: float) -> GameResult:
        game, outcome = request.game, played.outcome
        record = None
        if request.keep_record:
            record = game.record(game.new_state(request.deal_seed).setup(), played.moves)
        return GameResult(
            game_id=request.game_id,
            sweep_id=request.sweep_id,
            cell_id=request.cell_id,
            block=request.block,
            permutation=request.permutation,
            rulebook=game.label,
            rules_digest=game.rules.digest,
            engines=tuple(spec.id for spec in request.engines),
            scores=outcome.scores,
            places=outcome.places,
            sides=outcome.sides,
            roles=outcome.roles,
            termination=outcome.termination,
            culprit=None,
            plies=played.plies,
            measures=tuple(outcome.measures.items()),
            worker=self.worker,
            seconds=seconds,
            record=record,
        )

    def close(self) -> None:
        """Ends connections and started programs."""
        hall, self._hall = self._hall, None
        if hall is not None:
            hall.close()

    def __enter__(self) -> Self:
        """The runner itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes."""
        self.close()
