"""Our Xiangqi search against Debian's HoiXiangqi, an outside program that the arena starts.

    apt-get install hoichess
    python -m benchmarks.hoixiangqi [--games 20] [--nodes 2000000] [--depth 6]

Without --depth it plays at its own default level, by the clock, so the machine should have
nothing else to do; with it to that depth, however long it takes. Colours change after each game.
The program speaks the xboard protocol and counts ranks from 0, ours from 1.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import uuid

import arena
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.spec import EngineSpec
from arena.protocol.v1 import bot_pb2
from arena.sdk import Bot, Decision, Turn, serve

PROGRAM = shutil.which("hoixiangqi", path=os.environ.get("PATH", "") + ":/usr/games")
DEPTH = "ARENA_HOIXIANGQI_DEPTH"
"""Environment variable: the depth that the bot has the program search to; empty for its default."""


def shifted(move: str, by: int) -> str:
    """A move with its ranks counted from another number: h3e3 and h2e2."""
    cut = next(i for i in range(2, len(move)) if move[i].isalpha())
    return "".join(part[0] + str(int(part[1:]) + by) for part in (move[:cut], move[cut:]))


class Game:
    """One running program and the moves that it knows."""

    def __init__(self) -> None:
        """Starts it."""
        if PROGRAM is None:
            raise RuntimeError("hoixiangqi is not installed: apt-get install hoichess")
        self.known = 0
        self._process = subprocess.Popen(
            [PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.tell("xboard", "new", "easy", "nopost", "force")
        if depth := os.environ.get(DEPTH):
            self.tell("st 100000", f"sd {depth}")

    def tell(self, *lines: str) -> None:
        """Sends commands."""
        assert self._process.stdin is not None
        print(*lines, sep="\n", file=self._process.stdin, flush=True)

    def think(self) -> str:
        """Its move, or nothing where it gives the game up."""
        assert self._process.stdout is not None
        self.tell("go")
        for line in self._process.stdout:
            if line.startswith("move "):
                self.tell("force")
                return line.split()[1]
            if line.startswith(("0-1", "1-0", "resign")):
                return ""
        raise RuntimeError("hoixiangqi ended in the middle of a game")

    def end(self) -> None:
        """Stops it."""
        self._process.kill()
        self._process.wait()


class Hoixiangqi(Bot):
    """Plays what the program answers; games start from the usual position."""

    name = "HoiXiangqi"
    games = ("xiangqi/*",)

    def __init__(self) -> None:
        """No game yet."""
        self._playing: dict[str, Game] = {}

    def choose(self, turn: Turn) -> Decision:
        """Tells the program the moves that it has not seen and asks for the next."""
        if turn.game_id not in self._playing:
            self._playing[turn.game_id] = Game()
        game = self._playing[turn.game_id]
        for event in turn.events:
            if event.kind == "move" and event.seat != turn.seat:
                game.tell(f"usermove {shifted(event.text, -1)}")
        move = game.think()
        return Decision(shifted(move, 1)) if move else Decision(turn.legal[0], resign=True)

    def game_over(self, over: bot_pb2.GameOver) -> None:
        """Ends the program of that game."""
        if game := self._playing.pop(over.game, None):
            game.end()


def match(games: int, nodes: int) -> tuple[float, int]:
    """Our points and the games that were played to a result of the game itself."""
    made = arena.game("xiangqi/axf")
    ours = EngineSpec.parse(f"search:nodes={nodes}", name="search")
    theirs = EngineSpec.parse(
        "command:{python} -m benchmarks.hoixiangqi --serve", name="hoixiangqi"
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
    parser.add_argument("--serve", action="store_true", help="be the bot")
    asked, rest = parser.parse_known_args()
    if asked.serve:
        sys.argv[1:] = rest
        serve(Hoixiangqi())
        return 0
    if PROGRAM is None:
        parser.error("hoixiangqi is not installed: apt-get install hoichess")
    os.environ[DEPTH] = "" if asked.depth is None else str(asked.depth)
    points, played = match(asked.games, asked.nodes)
    print(f"{points:g} of {played} points")
    return int(points < 0.75 * played)


if __name__ == "__main__":
    sys.exit(main())
