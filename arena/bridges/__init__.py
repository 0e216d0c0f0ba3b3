"""Bridges: programs that speak another protocol, as bots of this arena.

A bridge starts the program, translates turns and answers, and serves the lot over gRPC:
Gomocup engines, and Xiangqi engines by UCI, UCCI or xboard. `arena bridge` is the command.
"""

from arena.bridges.bridge import Bridge, Dialect, Pace, Terms, bridge_bot
from arena.bridges.gomocup import Gomocup
from arena.bridges.program import Limits, Program, ProgramError
from arena.bridges.uci import Ucci, Uci
from arena.bridges.xboard import Xboard

DIALECTS: dict[str, type[Dialect]] = {
    "gomocup": Gomocup,
    "uci": Uci,
    "ucci": Ucci,
    "xboard": Xboard,
}
"""By the word that the command line knows them by."""

__all__ = [
    "DIALECTS",
    "Bridge",
    "Dialect",
    "Gomocup",
    "Limits",
    "Pace",
    "Program",
    "ProgramError",
    "Terms",
    "Ucci",
    "Uci",
    "Xboard",
    "bridge_bot",
]
