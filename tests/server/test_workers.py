"""Standing play on Ray workers: what they play, what stays here, and what happens when one dies.

The long tests are one story of a service that is stopped and begun again, since Ray takes its time to start.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.ledger import GameResult, Ledger
from arena.match.audit import audit
from arena.players.fault import is_fault
from arena.protocol.v1 import arena_pb2
from arena.sdk import Bot, BotServer, Turn
from arena.server.division import Phase
from arena.server.workers import Workers
from tests.server.kit import House, house
from tests.server.test_dial_in import dialled, league, until
from tests.server.test_play import BOOK, MATCH, PLAY, Corner, engine

ROOT = Path(__file__).parents[2]
HERE = "service"
REAL = 32
"""Characters of the name of a game that counts; those of the check have others."""

AT_ONCE = 4
"""Games that the bot at an address takes: two blocks."""

BLOCKS = 4
"""That everybody has to play: twice what the bot at an address plays at once."""

LOW = """
from arena.sdk import Bot, serve

class Low(Bot):
    name = "Low"
    games = ("gomoku/*",)

    def choose(self, turn):
        return turn.legal[-1]

serve(Low())
"""


class Cornered(Corner):
    """At an address; its games that count stand still until they are let go."""

    name = "Cornered"
    max_parallel_games = AT_ONCE

    def __init__(self) -> None:
        self.free = False
        self.held: Counter[str] = Counter()
        """How often each game was held up."""

        self._released: set[str] = set()
        self._moved = asyncio.Event()

    def release(self, *games: str) -> None:
        """Lets games go; none named: all there will be."""
        self.free = not games
        self._released.update(games)
        self._moved.set()
        self._moved = asyncio.Event()

    def _stands(self, game: str) -> bool:
        return len(game) == REAL and not self.free and game not in self._released

    async def choose(self, turn: Turn) -> str:  # type: ignore[override] # either is allowed
        self.held[turn.game_id] += self._stands(turn.game_id)
        while self._stands(turn.game_id):
            await self._moved.wait()
        return turn.legal[0]

    def standing(self) -> set[str]:
        """Games that are held up, or were."""
        return {game for game, times in self.held.items() if times}


@asynccontextmanager
async def served(bot: Bot) -> AsyncIterator[str]:
    server = BotServer(bot)
    address = await server.start()
    try:
        yield address
    finally:
        await server.stop()


@dataclass
class Story:
    """What was seen of it."""

    held: set[str] = field(default_factory=set)
    """Games that stood still when nothing else could be begun."""

    holds: dict[str, int] = field(default_factory=dict)
    """How often each of them was begun, after a worker was killed."""

    holders: set[str] = field(default_factory=set)
    """The workers that had them."""

    again: set[str] = field(default_factory=set)
    """Of those, the games of the worker that was killed."""

    news: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(kind, game) of each event, until the service was stopped."""

    state: int = 0
    results: list[GameResult] = field(default_factory=list)
    open_blocks: int = 0
    whole: dict[str, int] = field(default_factory=dict)
    """Blocks of each engine, as the service counts them."""


ENGINES = ("Cornered@1", "Low@1", "Corner@1")


def placed(at: House, *names: str) -> bool:
    (division,) = league(at).divisions
    found = [division.entrants.get(name) for name in names]
    return all(e is not None and division.phase(e) is Phase.PLACED for e in found)


def hands(at: House) -> Workers:
    workers = league(at).workers
    assert workers is not None
    return workers


async def first_part(story: Story, at: House, bot: Cornered) -> None:
    """Everybody else is placed, and the bot at an address stands still; a worker dies; it plays on, and
    stands still again."""
    await until(lambda: placed(at, "Low@1", "Corner@1"), 120)
    await until(lambda: len(bot.standing()) == league(at)._going == AT_ONCE, 60)
    story.held = bot.standing()
    given = list(hands(at)._given.values())
    story.holders = {handed.worker for handed in given}
    story.again = {request.game_id for request in given[0].requests}
    os.kill(hands(at).pids[given[0].worker], signal.SIGKILL)
    await until(lambda: all(bot.held[game] == 2 for game in story.again), 60)
    story.holds = {game: bot.held[game] for game in story.held}
    bot.release(*story.held)
    await until(lambda: len(bot.standing()) == 2 * AT_ONCE and league(at)._going == AT_ONCE, 60)


async def watched(story: Story, at: House, ready: asyncio.Event) -> None:
    """Who watches, until the arena goes away."""
    games = at.stub.WatchGames(arena_pb2.WatchGamesRequest(), metadata=at.auth("rita"))
    await games.initial_metadata()
    ready.set()
    async for news in games:
        kind = news.WhichOneof("event")
        story.news[kind, news.began.id if kind == "began" else news.ended.game.id] += 1


async def second_part(story: Story, at: House, bot: Cornered, engine_id: str) -> None:
    """The service is there again, and everybody plays to the end."""
    bot.release()
    await until(lambda: placed(at, *ENGINES) and not league(at)._going, 120)
    story.state = (await engine(at, engine_id)).state
    (division,) = league(at).divisions
    story.whole = {name: division.entrants[name].blocks for name in ENGINES}


async def told(story: Story, folder: Path) -> None:
    (folder / "low.py").write_text(LOW)
    words = [sys.executable, str(folder / "low.py")]
    settings: dict[str, Any] = {
        "match": MATCH,
        # One reference engine: else it might play others while the first blocks are handed out.
        "play": {
            **PLAY,
            "workers": 2,
            "rungs": [1],
            "half_width": 3_000,
            "qualifying_blocks": BLOCKS,
        },
        "dial": {"allow": ["127.0.0.0/8:*"]},
        "sandbox": False,
    }
    bot = Cornered()
    async with served(bot) as address:
        async with house(folder, **settings) as at:
            there = arena_pb2.Access(address=address)
            await until(lambda: len(hands(at).pids) == 2, 60)
            ready = asyncio.Event()
            watching = asyncio.ensure_future(watched(story, at, ready))
            await asyncio.wait_for(ready.wait(), 30)
            made = await at.submit("ann", "Cornered", access=there)
            await until(lambda: len(bot.standing()) == AT_ONCE, 60)
            started = arena_pb2.Access(command=arena_pb2.Command(words=words))
            await at.submit("oscar", "Low", access=started)
            async with dialled(at, Corner(), "bob"):
                await first_part(story, at, bot)
        await asyncio.wait([watching], timeout=30)
        async with house(folder, **settings) as at, dialled(at, Corner(), "bob"):
            await second_part(story, at, bot, made.id)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    found, folder = Story(), tmp_path_factory.mktemp("workers")
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", str(ROOT))
    with patch.context():
        asyncio.run(told(found, folder))
    patch.undo()
    with Ledger.open(folder / "ledger.db", create=False) as ledger:
        (sweep,) = ledger.sweeps()
        found.results = list(ledger.results(sweep.sweep_id))
        found.open_blocks = len(ledger.open_blocks(sweep.sweep_id))
    return found


def test_workers_play_whatever_has_no_bot_in_it_that_has_dialled_in(story: Story) -> None:
    for result in story.results:
        here = "Corner@1" in result.engines
        assert (result.worker == HERE) is here
        assert here or result.worker.startswith("worker-")
    for name in ENGINES:
        games = sum(name in result.engines for result in story.results)
        assert games >= 2 * BLOCKS


def test_a_bot_at_an_address_has_no_more_games_than_it_takes_over_all_workers(story: Story) -> None:
    assert len(story.held) == AT_ONCE
    assert len(story.holders) == 2


def test_what_a_worker_had_in_hand_when_it_died_is_played_again_and_counted_once(
    story: Story,
) -> None:
    assert story.again < story.held
    assert story.holds == {game: 1 + (game in story.again) for game in story.held}
    counted = Counter(result.game_id for result in story.results)
    assert {counted[game] for game in story.held} == {1}
    mine = [result for result in story.results if "Cornered@1" in result.engines]
    assert not any(is_fault(result.termination) for result in mine)
    assert story.state == arena_pb2.ENGINE_STATE_PLAYING


def test_a_service_that_is_stopped_in_mid_block_goes_on_to_exact_totals(story: Story) -> None:
    blocks = Counter((result.cell_id, result.block) for result in story.results)
    assert set(blocks.values()) == {2} and not story.open_blocks
    assert sorted(block for _, block in blocks) == list(range(len(blocks)))
    games = Counter(name for result in story.results for name in result.engines)
    assert {name: 2 * whole for name, whole in story.whole.items()} == {
        n: games[n] for n in ENGINES
    }


def test_who_watches_sees_the_games_of_workers_begin_and_end(story: Story) -> None:
    assert set(story.news.values()) == {1}
    began = {game for kind, game in story.news if kind == "began"}
    ended = {game for kind, game in story.news if kind == "ended"}
    assert ended < began and story.held <= ended
    assert len(began - ended) == AT_ONCE  # those that stood still when the service was stopped


def test_what_engines_were_told_at_a_worker_can_be_proved(story: Story) -> None:
    there = [result for result in story.results if result.worker != HERE and any(result.told)]
    assert {name for result in there for name in result.engines} >= {"Cornered@1", "Low@1"}
    assert not any(audit(arena.game(BOOK), result).findings for result in there)
