"""The highest rung of Xiangqi against Debian's HoiXiangqi, an outside program that the arena starts.

    apt-get install hoichess
    python -m benchmarks.hoixiangqi [--games 24] [--engine search:nodes=2000000] [--depth 6]

Without --depth it plays at its own default level, some seconds a move by the clock, so the machine
should have nothing else to do; with it to that depth, however long it takes. Colours change after
each game.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import uuid

import arena
from arena.balance.proportions import clopper_pearson
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import is_fault
from arena.players.spec import EngineSpec
from engines.reference import ladder

PROGRAM = shutil.which("hoixiangqi", path=os.environ.get("PATH", "") + ":/usr/games")


def match(games: int, engine: str, depth: int | None) -> list[float]:
    """Our points, game by game."""
    made = arena.game("xiangqi/axf")
    ours = EngineSpec.parse(engine, name="ours")
    level = "" if depth is None else f" --depth {depth}"
    theirs = EngineSpec.parse(
        f"command:{{python}} -m arena bridge xboard --command {PROGRAM}{level}", name="hoixiangqi"
    )
    requests = [
        GameRequest(
            game_id=uuid.UUID(int=number).hex,
            sweep_id="hoixiangqi",
            cell_id="hoixiangqi",
            block=number // 2,
            permutation=number % 2,
            game=made,
            engines=(theirs, ours) if number % 2 else (ours, theirs),
            deal_seed=number // 2,
            engine_seed=number,
        )
        for number in range(games)
    ]
    points = []
    with MatchRunner(MatchPolicy(connect_ms=60_000), max_parallel_games=1) as runner:
        for result in runner.play(requests):
            match result:
                case NotPlayed():
                    raise RuntimeError(f"not played: {result}")
            if is_fault(result.termination):
                raise RuntimeError(f"not played to its end: {result.termination}: {result.notes}")
            seat = result.permutation
            print(
                f"{'black' if seat else 'red'}: {result.scores[seat]:g} points, "
                f"{result.termination} after {result.plies} plies",
                flush=True,
            )
            points.append(result.scores[seat])
    return points


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--engine", default=ladder("xiangqi")[-1].target, help="ours")
    parser.add_argument("--depth", type=int, help="of theirs; its default level if not given")
    asked = parser.parse_args()
    if PROGRAM is None:
        parser.error("hoixiangqi is not installed: apt-get install hoichess")
    points = match(asked.games, asked.engine, asked.depth)
    wins = clopper_pearson(sum(point == 1.0 for point in points), len(points))
    print(
        f"{sum(points):g} of {len(points)} points; "
        f"wins {wins.value:.1%}, 95 % interval {wins.low:.1%} to {wins.high:.1%}"
    )
    return int(wins.low < 0.5)


if __name__ == "__main__":
    sys.exit(main())
