"""Small programs of the protocols that bridges speak: right, or wrong in one way.

    python tests/bridges/programs.py gomocup|uci|ucci|xboard [MODE [MARKER]]

They play the first move that comes to mind.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import arena
from arena.games.xiangqi.notation import from_zero_based, ucci

MODE = sys.argv[2] if len(sys.argv) > 2 else "good"
MARKER = Path(sys.argv[3]) if len(sys.argv) > 3 else None


def say(line: str) -> None:
    print(line, flush=True)


def misbehave() -> None:
    """What a wrong program does when it is asked for a move."""
    if MODE == "crash" or (MODE == "crash_once" and MARKER is not None and not MARKER.exists()):
        if MARKER is not None:
            MARKER.touch()
        sys.stderr.write("cannot open the book\n")
        sys.exit(7)
    if MODE == "silent" or (MODE == "silent_once" and MARKER is not None and not MARKER.exists()):
        if MARKER is not None:
            MARKER.touch()
        time.sleep(60)


def gomocup() -> None:
    size, board, swap2 = 0, set[str](), False
    listing = False
    for line in map(str.strip, sys.stdin):
        word, _, rest = line.partition(" ")
        if listing and line != "DONE":
            board.add(",".join(line.split(",")[:2]))
        elif word == "ABOUT":
            say('name="Small", version="1"')
        elif word == "START":
            size = int(rest)
            say("OK")
        elif word in ("BOARD", "SWAP2BOARD"):
            board, listing, swap2 = set(), True, word == "SWAP2BOARD"
        elif word == "END":
            return
        elif line == "DONE" or word == "BEGIN":
            board = set() if word == "BEGIN" else board
            listing = False
            misbehave()
            free = [f"{x},{y}" for y in range(size) for x in range(size)]
            free = [at for at in free if at not in board]
            say("MESSAGE thinking")
            if MODE == "nonsense":
                say("perhaps the centre")
            elif MODE == "off_board":
                say(f"{size},{size}")
            elif swap2 and len(board) == 0:
                say(" ".join(free[:3]))
            elif swap2 and (MODE == "SWAP" or (MODE == "two" and len(board) == 5)):
                say("SWAP")
            else:
                say(" ".join(free[: 2 if swap2 and MODE == "two" else 1]))


def best(setup: str) -> str:
    """The first legal move of a position, that is no claim."""
    state = arena.game("xiangqi/axf").new_state(setup=setup)
    (seat,) = state.seats_to_act()
    return next(str(move) for move in state.moves(seat) if str(move) != "claim")


def uci(zero_based: bool) -> None:
    word = "ucci" if zero_based else "uci"
    setup = ""
    for line in map(str.strip, sys.stdin):
        words = line.split()
        if line == word:
            say("id name Small")
            say(f"{word}ok")
        elif line == "isready":
            say("readyok")
        elif words[:2] == ["position", "fen"]:
            moves = [from_zero_based(m) if zero_based else m for m in words[9:]]
            setup = " ".join(words[2:8]) + (f" moves={','.join(moves)}" if moves else "")
        elif words[:1] == ["go"]:
            misbehave()
            say("info depth 1 nodes 12 score cp 40")
            move = best(setup)
            say(
                "nobestmove"
                if MODE == "resign"
                else f"bestmove {ucci(move) if zero_based else move}"
            )
        elif line == "quit":
            return


def xboard() -> None:
    game = arena.game("xiangqi/axf")
    state = game.new_state()
    for line in map(str.strip, sys.stdin):
        word, _, rest = line.partition(" ")
        if word == "protover":
            say('feature myname="Small" done=1')
        elif word == "new":
            state = game.new_state()
        elif word == "usermove":
            (seat,) = state.seats_to_act()
            state.apply(seat, from_zero_based(rest))
        elif word == "go":
            misbehave()
            if MODE == "resign":
                say("1-0 {gives up}")
                continue
            (seat,) = state.seats_to_act()
            move = next(str(m) for m in state.moves(seat) if str(m) != "claim")
            state.apply(seat, move)
            say(f"move {ucci(move)}")
        elif word == "quit":
            return


if __name__ == "__main__":
    match sys.argv[1]:
        case "gomocup":
            gomocup()
        case "xboard":
            xboard()
        case dialect:
            uci(dialect == "ucci")
