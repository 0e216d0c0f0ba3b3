"""One bot under test: its connection, the positions put to it, the games played with it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Sequence

from arena.conformance.findings import CheckFailed
from arena.conformance.positions import Position
from arena.conformance.probe import Probe
from arena.conformance.wire import Watch, WatchedPlayer, watched
from arena.games import Game
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.referee import Table
from arena.match.request import GameRequest, NotPlayed
from arena.players.awake import awake_ns
from arena.players.base import Ask, Player
from arena.players.builtin import BuiltinPlayer
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.spec import EngineSpec

_TICK_S = 0.05
_RIVAL = EngineSpec.parse("random")
# What the slowest answer so far is multiplied with before many of them are late.
_PATIENCE = 4
# Time for the moves of one check of many, going by the slowest answer so far.
_BUDGET_MS = 15_000
# What the arena puts into one message for a bot without wishes.
_BATCH = 32


class Session:
    """Holds a player for the bot, and a loop's worth of helpers around it. Close it after use."""

    def __init__(
        self,
        spec: EngineSpec,
        policy: MatchPolicy,
        games: Sequence[Game],
        watch: Watch = watched,
    ) -> None:
        """`policy.move_ms` is what one move may take; `games` are those to be checked.

        `watch` makes the player that is listened to.
        """
        self.spec = spec
        self._watch = watch
        self.policy = policy
        self.games: Sequence[Game] = games
        self.positions: dict[Game, list[Position]] = {}
        self.player: WatchedPlayer = watch(spec, policy.limits())
        self.slowest_ms = 0.0
        """Of the answers that came one at a time."""

        self._rival = BuiltinPlayer(_RIVAL, policy.limits())
        self._tables: set[Table] = set()
        self._numbers = itertools.count(1)
        self._ticking: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connects, or goes on with the connection that stands. Raises CheckFailed."""
        if self._ticking is None:
            self._ticking = asyncio.get_running_loop().create_task(self._tick())
        try:
            await self._rival.open()
            await self.player.open()
        except EngineUnavailable as error:
            raise CheckFailed(error.message) from None

    async def renew(self) -> None:
        """Drops the connection (and a program that was started): the next `open` begins anew."""
        await self.player.close()
        self.player = self._watch(self.spec, self.policy.limits())

    async def close(self) -> None:
        """Says goodbye."""
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        await self.player.close()
        await self._rival.close()

    async def _tick(self) -> None:
        while True:
            now = awake_ns()
            for table in list(self._tables):
                table.due(now)
            self.player.tick(now)
            await asyncio.sleep(_TICK_S)

    @property
    def allowance_ms(self) -> int:
        """Forgiven beyond the limit of a move."""
        return self.policy.margin_ms + self.policy.network_allowance_ms

    @property
    def room(self) -> int | None:
        """Games that the bot takes at once while no clock runs; None: any number."""
        return self.player.capacity(clocked=False)

    @property
    def batch(self) -> int:
        """Turns that the arena puts into one message for this bot, at most."""
        wish = self.player.description.preferred_batch or _BATCH
        return min(wish, self.room or wish)

    def limit_for(self, turns: int) -> int:
        """What each of so many turns at once may take, in milliseconds, for a bot that takes them
        one after the other."""
        return self.policy.move_ms * turns

    def late_s(self, turns: int) -> float:
        """Seconds after which nothing is coming any more, going by the pace so far."""
        pace = max(self.policy.move_ms, _PATIENCE * self.slowest_ms * turns)
        return (min(pace, self.limit_for(turns)) + self.allowance_ms) / 1000

    def affordable(self, least: int, most: int) -> int:
        """Moves that a check may ask for: `most`, or what a slow bot makes in some seconds."""
        made = _BUDGET_MS / max(self.slowest_ms, 0.001)
        return max(least, min(most, round(made)))

    def all_positions(self) -> list[Position]:
        """The positions of all games, the games taking turns."""
        rows = itertools.zip_longest(*self.positions.values())
        return [one for row in rows for one in row if one is not None]

    def probe(self, position: Position) -> Probe:
        """A position in a game of its own."""
        name = f"check-{next(self._numbers)}"
        return Probe(position, name, self.player.wire.wake, self.allowance_ms)

    def ask(self, probes: Iterable[tuple[Probe, Ask]]) -> None:
        """Hands turns over, all of them for the same message if it holds so many."""
        for _, ask in probes:
            self.player.ask(ask)

    async def answers(self, probes: Sequence[Probe], ahead: int = 0) -> None:
        """Waits for an answer to each. Raises CheckFailed where one is missing or wrong.

        `ahead` turns that nobody waits for may keep the bot busy before.
        """
        wire = self.player.wire
        late_s = self.late_s(len(probes) + ahead)
        seen = -1
        while (settled := sum(probe.settled for probe in probes)) < len(probes):
            if settled == seen:
                owed = [probe.game_id for probe in probes if not probe.settled]
                raise CheckFailed(
                    f"no answer to {len(owed)} of {len(probes)} turns for {late_s * 1000:.0f} ms",
                    owed[:1],
                    silent=settled == 0,
                )
            seen = settled

            def more(than: int = settled) -> bool:
                return sum(probe.settled for probe in probes) > than

            await wire.until(more, late_s)
        for probe in probes:
            if probe.trouble:
                raise CheckFailed(f"{_where(probe)}: {probe.trouble}", [probe.game_id])

    async def put(self, positions: Sequence[Position], ahead: int = 0) -> list[Probe]:
        """Puts positions to the bot, all at once, and ends their games after the answers."""
        probes = [self.probe(position) for position in positions]
        limit_ms = self.limit_for(len(probes) + ahead)
        try:
            self.ask([(probe, probe.turn(limit_ms)) for probe in probes])
            await self.answers(probes, ahead)
        finally:
            self.end(probes)
        return probes

    def end(self, probes: Iterable[Probe]) -> None:
        """Ends the games of probes."""
        for probe in probes:
            probe.end(self.player)

    async def alive(self, ahead: int = 0) -> None:
        """Whether the bot still answers. Raises CheckFailed."""
        await self.put(self.all_positions()[:1], ahead)

    async def play(
        self, seatings: Sequence[tuple[Game, Sequence[int]]], max_plies: int
    ) -> list[GameResult]:
        """Whole games, all at once, the bot in the given seats and random moves in the others.

        Raises CheckFailed where one ends by a fault of the bot, or was disturbed by one.
        """
        wire = self.player.wire
        policy = self.policy.model_copy(
            update={"move_ms": self.limit_for(len(seatings)), "max_plies": max_plies}
        )
        results: list[GameResult | NotPlayed] = []

        def ended(table: Table, result: GameResult | NotPlayed) -> None:
            self._tables.discard(table)
            results.append(result)
            wire.wake()

        for game, mine in seatings:
            specs = [self.spec if seat in mine else _RIVAL for seat in range(game.seats)]
            players: list[Player] = [
                self.player if seat in mine else self._rival for seat in range(game.seats)
            ]
            number = next(self._numbers)
            request = GameRequest(
                game_id=f"check-{number}",
                sweep_id="check",
                cell_id="check",
                block=number,
                permutation=0,
                game=game,
                engines=tuple(specs),
                deal_seed=number,
                engine_seed=number,
            )
            table = Table(request, policy, players, ended)
            self._tables.add(table)
            table.start()
        try:
            while len(results) < len(seatings):
                await self._go_on(len(seatings), results)
        finally:
            for table in list(self._tables):
                over = "the check is over"
                table.abort(EngineUnavailable(self.spec.id, Unavailable.UNREACHABLE, over))
        for result in results:
            if isinstance(result, NotPlayed):
                raise CheckFailed(result.message, [result.request.game_id])
            if result.notes:
                raise CheckFailed(f"{result.rulebook}: {result.notes[-1]}", [result.game_id])
        return [result for result in results if isinstance(result, GameResult)]

    async def _go_on(self, games: int, results: Sequence[object]) -> None:
        """Waits for an answer of the bot, or the end of all games. Raises CheckFailed."""
        wire = self.player.wire
        heard = wire.decisions
        late_s = self.late_s(games)

        def more() -> bool:
            return len(results) == games or wire.decisions > heard

        if not await wire.until(more, late_s):
            owed = [table.game_id for table in self._tables]
            raise CheckFailed(
                f"no answer in {len(owed)} games for {late_s * 1000:.0f} ms", owed[:1], silent=True
            )


def _where(probe: Probe) -> str:
    """Which position it was, for an author."""
    position = probe.position
    phase = f", phase {position.phase}" if position.phase else ""
    return f"{position.game.name}{phase}, seat {position.seat}, ply {position.state.plies}"
