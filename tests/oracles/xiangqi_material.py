"""Slow rule of men with which nobody can win, from docs/games/xiangqi.md."""

from __future__ import annotations

from collections import Counter

from tests.oracles.xiangqi import Board, legal_steps, played


def in_table(men: Counter[str]) -> bool:
    """Whether engine_table names these men; capitals are Red's, generals may be left out."""
    if any(men[man] for man in "RNPrnp"):
        return False
    match men["C"], men["c"]:
        case 0, 0:
            return True
        case 1, 0:
            return not men["A"] and (men["a"] < 2 or not men["B"])
        case 0, 1:
            return not men["a"] and (men["A"] < 2 or not men["b"])
        case 1, 1:
            return not men["A"] and not men["a"]
    return False


def drawn(setting: str, board: Board, red_moves: bool) -> bool:
    """Whether a setting of insufficient_material ends the game here. A mate comes before it."""
    men = Counter(board.values())
    if setting == "off":
        return False
    if not any(men[man] for man in "RNCPrncp"):
        return True
    if setting == "no_attackers" or not in_table(men):
        return False
    after = (played(board, *step) for step in legal_steps(board, red_moves))
    return all(any(legal_steps(there, not red_moves)) for there in after)
