"""Runs the checks, one after the other, and says how each went."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from functools import partial
from time import perf_counter

from arena.conformance import checks
from arena.conformance.findings import CheckFailed, CheckSkipped, Finding, Outcome
from arena.conformance.positions import positions
from arena.conformance.session import Session
from arena.conformance.wire import Watch, watched
from arena.games import game
from arena.match.policy import MatchPolicy
from arena.players.spec import EngineSpec

POLICY = MatchPolicy(
    connect_ms=10_000,
    new_game_ms=5_000,
    move_ms=1_000,
    disconnect_grace_ms=3_000,
    crashes=1_000,
)
"""Limits of a check: a second for a move."""

_SEED = 20
# Silent so many times in a row, a bot is waited for no longer.
_SILENCES = 3


class Kit:
    """The checks of one bot.

    >>> from arena.players.spec import EngineSpec
    >>> kit = Kit(EngineSpec.parse("grpc://localhost:50051"), ["gomoku/doc001"])
    """

    def __init__(
        self,
        spec: EngineSpec,
        rulebooks: Sequence[str],
        policy: MatchPolicy = POLICY,
        only: Collection[str] = (),
        watch: Watch = watched,
    ) -> None:
        """Checks the rulebooks of these that the bot declares, by the checks named in `only`
        (empty: all; "ready" and what the others need are always there). `watch` makes the player
        that is listened to.

        Raises ValueError for engines that speak no gRPC.
        """
        self._session = Session(spec, policy, (), watch)
        self._rulebooks = rulebooks
        self._only = only
        self._silences = 0

    async def run(self) -> AsyncIterator[Finding]:
        """One finding after the other, as the checks end."""
        try:
            async for finding in self._all():
                yield finding
        finally:
            await self._session.close()

    async def _all(self) -> AsyncIterator[Finding]:
        session = self._session
        ready = await self._checked("ready", "", self._ready)
        yield ready
        if ready.outcome is Outcome.FAILED:
            return
        for check in checks.FIRST:
            if not check.needed and not self._wanted(check.name):
                continue
            finding = await self._checked(check.name, "", partial(check.run, session))
            yield finding
            if check.needed and finding.outcome is Outcome.FAILED:
                return
        for name, about, run in self._rest():
            if self._wanted(name):
                yield await self._checked(name, about, run)

    def _wanted(self, name: str) -> bool:
        return not self._only or name in self._only

    def _rest(self) -> Iterator[tuple[str, str, Callable[[], Awaitable[str]]]]:
        session = self._session
        for each in session.games:
            yield checks.MOVES, each.name, partial(checks.moves, session, each)
        for check in checks.THEN:
            yield check.name, "", partial(check.run, session)
        # The first rulebook of each family stands for all of it.
        families = {each.family.id: each for each in reversed(session.games)}
        for family_id, each in sorted(families.items()):
            yield checks.WHOLE_GAME, family_id, partial(checks.whole_game, session, each)
        for check in checks.LAST:
            yield check.name, "", partial(check.run, session)

    async def _ready(self) -> str:
        """Connects; the bot describes itself in a protocol we speak and gets ready."""
        session = self._session
        began = perf_counter()
        await session.open()
        took = perf_counter() - began
        made = [game(name) for name in self._rulebooks]
        session.games = [each for each in made if session.player.unfit(each) is None]
        session.positions = {each: positions(each, _SEED) for each in session.games}
        return f"after {took * 1000:.0f} ms"

    async def _checked(self, name: str, about: str, run: Callable[[], Awaitable[str]]) -> Finding:
        session = self._session
        if self._silences >= _SILENCES:
            quiet = f"it was silent in {_SILENCES} checks in a row"
            return Finding(name, about, Outcome.SKIPPED, 0.0, quiet)
        began = perf_counter()
        exchange: tuple[str, ...] = ()
        session.player.wire.clear()
        try:
            if name != "ready":
                await session.open()
            outcome, detail = Outcome.PASSED, await run()
            if session.player.wire.losses:
                broken = checks.told(session.player.wire.losses[0])
                raise CheckFailed(f"the stream broke: {broken}")
            self._silences = 0
        except CheckSkipped as skipped:
            outcome, detail = Outcome.SKIPPED, str(skipped)
        except CheckFailed as failed:
            outcome, detail = Outcome.FAILED, failed.message
            for loss in session.player.wire.losses[:1]:
                if loss.detail not in detail:
                    detail = f"{detail}; the stream broke: {checks.told(loss)}"
            exchange = session.player.wire.exchange(failed.games)
            self._silences = self._silences + 1 if failed.silent else 0
            # The next check shall not suffer from what this one left behind.
            await session.renew()
        return Finding(name, about, outcome, perf_counter() - began, detail, exchange)
