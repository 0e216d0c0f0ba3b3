"""Our Xiangqi search against Debian's HoiXiangqi, an outside program that the arena starts.

    apt-get install hoichess
    python -m benchmarks.hoixiangqi [--games 20] [--nodes 2000000] [--depth 6]

Without --depth it plays at its own default level, by the clock, so the machine should have
nothing else to do; with it to that depth, however long it takes. Colours change after each game.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import uuid

import arena
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.spec import EngineSpec

PROGRAM = shutil.which("hoixiangqi", path=os.environ.get("PATH", "") + ":/usr/games")


def match(games: int, nodes: int, depth: int | None) -> tuple[float, int]:
    """Our points and the games that were played to a result of the game itself."""
    made = arena.game("xiangqi/axf")
    ours = EngineSpec.parse(f"search:nodes={nodes}", name="search")
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
    points, played = 0.0, 0
    with MatchRunner(MatchPolicy(connect_ms=60_000), max_parallel_games=1) as runner:
        for result in runner.play(requests):
            match result:
                case NotPlayed():
                    raise RuntimeError(f"not played: {result}")
            seat = result.permutation
            print(
                f"{'black' if seat else 'red'}: {result.scores[seat]:g} points, "
                f"{result.termination} after {result.plies} plies",
                flush=True,
            )
            points += result.scores[seat]
            played += 1
    return points, played


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=2_000_000, help="of ours a move; about 1 s")
    parser.add_argument("--depth", type=int, help="of theirs; its default level if not given")
    asked = parser.parse_args()
    if PROGRAM is None:
        parser.error("hoixiangqi is not installed: apt-get install hoichess")
    points, played = match(asked.games, asked.nodes, asked.depth)
    print(f"{points:g} of {played} points")
    return int(points < 0.75 * played)


if __name__ == "__main__":
    sys.exit(main())
