"""Random games of Chinese checkers, the compiled core beside the slow rules.

At every ply: seats to act, roles, position, observation, the whole set of legal moves, the
outcome, and a handful of texts that are mostly illegal, paths among them. ARENA_FUZZ_SECONDS
makes each test run longer (see tests/fuzz/budget.py); `-s` shows what was met:

    ARENA_FUZZ_SECONDS=300 pytest -s tests/fuzz/test_chinese_checkers_oracle.py
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping

import pytest

import arena
from arena._core import State
from arena.games import family
from tests.fuzz.budget import seeds
from tests.oracles.chinese_checkers import HOMES, SIDES, ChineseCheckers
from tests.oracles.chinese_checkers_star import OPPOSITE, distance

BOOKS = [f"chinese_checkers/{book}" for book in family("chinese_checkers").rulebooks]


class Pair:
    """One game in the core and in the slow rules, move by move."""

    def __init__(self, game: arena.Game, setup: str | None, met: Counter[str]) -> None:
        self.core: State = game.new_state(setup=setup) if setup else game.new_state()
        self.slow = ChineseCheckers(game.rules.settings())
        if setup:
            self.slow.load(setup)
        self.met = met
        self.legal: set[str] = set()
        self.where = f"{game.label} from {self.slow.setup()!r}:"

    def compare(self, rng: random.Random) -> None:
        """Everything that can be seen of the position."""
        core, slow, where = self.core, self.slow, self.where
        self.met["positions"] += 1
        assert set(core.seats_to_act()) == slow.seats_to_act(), where
        assert core.roles() == slow.roles(), where
        assert core.setup() == slow.setup(), where
        assert json.loads(core.observe(arena.SPECTATOR)) == slow.observation(), where
        outcome = core.outcome()
        assert (outcome is None) == (slow.ended is None), f"{where} {outcome} {slow.ended}"
        if outcome and slow.ended:
            assert outcome.termination.name == slow.ended.termination, where
            assert outcome.places == slow.ended.places, where
            assert outcome.scores == pytest.approx(slow.ended.scores), where
            return
        legal = self.legal = slow.moves(slow.seat)
        listed = [str(move) for move in core.moves(slow.seat)]
        assert len(listed) == len(set(listed)), where
        assert set(listed) == legal, f"{where} {set(listed) ^ legal}"
        self.met["moves"] += len(legal)
        for _ in range(4):
            self.compare_text(rng)
            self.compare_path(rng)

    def compare_text(self, rng: random.Random) -> None:
        """A pair of ends, often with an own piece at its start."""
        slow, names = self.slow, list(self.slow.star.hole)
        own = [h for h, s in slow.pieces.items() if slow.owner[s] == slow.seat]
        start = slow.star.name[rng.choice(own)] if own and rng.random() < 0.9 else rng.choice(names)
        end = rng.choice(["a99", "z1", *rng.sample(names, 20)])
        text = "pass" if rng.random() < 0.05 else start + end
        expected = None if text in self.legal else slow.refusal(text)
        found = self.core.check(slow.seat, text)
        assert (found and found.reason.name) == expected, f"{self.where} {text} {found}"
        self.met[f"refused {expected}" if expected else "accepted"] += 1

    def compare_path(self, rng: random.Random) -> None:
        """A walk of hops, or one step, sometimes with a wrong leg in it."""
        slow = self.slow
        own = [h for h, s in slow.pieces.items() if slow.owner[s] == slow.seat]
        if not own:
            return
        at = rng.choice(own)
        way, occupied = [at], set(slow.pieces) - {at}
        for _ in range(rng.randrange(1, 5)):
            hops = sorted(slow.star.hops(occupied, at, slow.long_jumps))
            near = sorted(slow.star.steps(occupied, at)) if len(way) == 1 or not hops else []
            if rng.random() < 0.1:
                hops = sorted(slow.star.holes)
            elif slow.anti_block == "swap" and rng.random() < 0.3:
                hops = sorted(slow.exchangeable(slow.pieces[way[0]])) or hops
            if not hops + near:
                break
            at = rng.choice(hops + near)
            way.append(at)
        text = "-".join(slow.star.name[hole] for hole in way)
        if len(way) < 2:
            return
        legal = slow.path(text) is not None
        found = self.core.check(slow.seat, text)
        assert (found is None) == legal, f"{self.where} {text} {found}"
        self.met["paths played" if legal else "paths refused"] += 1
        if legal:
            other = self.core.clone()
            other.apply(slow.seat, text)
            assert other.history()[-1] == (slow.seat, slow.path(text)), f"{self.where} {text}"

    def play(self, move: str) -> None:
        """The same move in both."""
        self.where += f" {move}"
        self.core.apply(self.slow.seat, move)
        self.slow.apply(self.slow.seat, move)


def eager(pair: Pair, rng: random.Random) -> str:
    """A move that brings a piece nearer to its goal, mostly; random play never ends."""
    slow, moves = pair.slow, sorted(pair.legal)
    rng.shuffle(moves)
    if moves == ["pass"] or rng.random() < 0.15:
        return moves[0]

    def gain(move: str) -> float:
        cut = next(i for i in range(1, len(move)) if move[i].isalpha())
        start, end = slow.star.hole[move[:cut]], slow.star.hole[move[cut:]]
        tip = slow.star.outermost[OPPOSITE[slow.pieces[start]]]
        near, far = distance(end, tip), distance(start, tip)
        return far - near + 0.1 * far

    return max(moves, key=gain)


def scattered(slow: ChineseCheckers, rng: random.Random) -> str:
    """A position with pieces anywhere, or nearly home, at some round of the game."""
    free = set(slow.star.holes)
    slow.pieces = {}
    nearly = rng.random() < 0.7
    for home in slow.sets:
        goal = sorted(slow.target(home), key=lambda h: distance(h, slow.star.outermost[home]))
        for i in range(slow.pegs if nearly else rng.randint(0, slow.pegs)):
            wanted = goal[-1 - i]
            stray = not nearly or i >= slow.pegs - 2 or rng.random() < 0.15
            if stray or wanted not in free:
                near = sorted(free, key=lambda h: distance(h, wanted))
                wanted = rng.choice(near[:12] if nearly and rng.random() < 0.8 else near)
            slow.pieces[wanted] = home
            free.discard(wanted)
    slow.seat = rng.randrange(slow.players)
    slow.round = rng.randint(1, min(slow.max_turns, slow.home_deadline + 10))
    return slow.setup()


def play_beside(
    game: arena.Game, seed: int, met: Counter[str], plies: int, start: str | None = None
) -> None:
    """One game to its end, or so many plies of it."""
    rng = random.Random(seed)
    if start is None and rng.random() < 0.6:
        start = scattered(ChineseCheckers(game.rules.settings()), rng)
    pair = Pair(game, start, met)
    for _ in range(plies):
        pair.compare(rng)
        if not pair.slow.seats_to_act():
            break
        pair.play(eager(pair, rng))
    pair.compare(rng)
    if pair.slow.ended:
        met[f"ended {pair.slow.ended.termination}"] += 1
        met[f"places {''.join(map(str, pair.slow.ended.places))}"] += 1


def random_settings(rng: random.Random) -> Mapping[str, bool | int | str]:
    """Any settings that the page allows, small boards and near deadlines preferred."""
    board = rng.choice(list(SIDES))
    players, sets = rng.choice(list(HOMES))
    n = SIDES[board]
    camps = [n * (n - 1) // 2, n * (n + 1) // 2]
    if (players, sets) == (2, 1):
        camps.append((n + 1) * (n + 2) // 2)
    return {
        "board": board,
        "players": players,
        "sets_per_player": sets,
        "pegs": rng.choice(camps),
        "jump": rng.choice(["adjacent", "equidistant"]),
        "foreign_triangles": rng.choice(["free", "pass_through", "closed"]),
        "leave_target": rng.random() < 0.5,
        "anti_block": rng.choice(["none", "filled_any_own", *["swap", "passive_loss"] * 2]),
        "home_deadline": rng.choice([1, 2, 5, 10, 20, 40]),
        "late_finish": rng.choice(["none", "same_round_draw", "one_more_round_draw"]),
        "finish": rng.choice(["first_only", "rank_all"]),
        "max_turns": rng.choice([3, 10, 30, 60, 500]),
        "cap_result": rng.choice(["draw", "pieces_home", "distance"]),
    }


@pytest.mark.parametrize("name", BOOKS)
def test_rulebooks(name: str) -> None:
    met: Counter[str] = Counter()
    game = arena.game(name)
    for seed in seeds(2):
        play_beside(game, seed, met, plies=40)
    print(f"\n{name}: {dict(sorted(met.items()))}")
    assert met["positions"] > 20


def test_random_settings() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(150):
        rng = random.Random(f"settings {seed}")
        game = arena.game(rng.choice(BOOKS), **random_settings(rng))
        play_beside(game, seed, met, plies=rng.choice([20, 60, 200]))
    print(f"\nrandom settings: {dict(sorted(met.items()))}")
    for kind in ("turn_cap", "late_finish", "goal_filled", "passive_loss"):
        assert met[f"ended {kind}"] >= 3, met
    for kind in ("locked_in_goal", "zone_closed", "unreachable", "occupied", "pass_not_allowed"):
        assert met[f"refused {kind}"] >= 20, met
    assert met["paths played"] > 500, met
    assert met["paths refused"] > 500, met
