"""Line-ups and positions for the tests of the slow Siguo Junqi rules."""

from __future__ import annotations

from collections.abc import Mapping

from tests.oracles.siguo import RANKS, SEATS, Siguo, Unit
from tests.oracles.siguo_board import Board, board

DEFAULTS: dict[str, object] = {
    "board": "siguo129",
    "seats": 4,
    "teams": "opposite",
    "visibility": "dark",
    "turn_order": "ccw",
    "mine_vs_piece": "mine_survives",
    "bomb_vs_flag": "both_and_out",
    "commander_reveals_flag": True,
    "combat_disclosure": "result_only",
    "eliminated_pieces": "remove",
    "no_move": "eliminated",
    "quiet_limit": 70,
    "quiet_unit": "ply",
    "quiet_reset": "fight",
    "timeout_limit": None,
    "turn_cap": None,
    "short_game": None,
    "hq_locks": "any",
}

CHINESE = dict(zip("司军师旅团营连排工炸雷旗", RANKS, strict=True))
FIXED = "连师排团营 旅.军.排 团工.工连 师.司.旅 营炸工炸连 雷旗雷排雷"


def line_up(where: Board, home: str, text: str = FIXED) -> dict[str, str]:
    """A side from its rows, front to back, left to right."""
    return {
        f"{home}{row}{column}": CHINESE[piece]
        for row, pieces in enumerate(text.split(), 1)
        for column, piece in enumerate(pieces, 1)
        if piece != "."
    }


def start(**changed: object) -> Siguo:
    """All homes in the fixed line-up, but for those given as rows; the rest are settings."""
    rows = {home: str(changed.pop(home, FIXED)) for home in "SENW"}
    settings = {**DEFAULTS, **changed}
    where = board(str(settings["board"]))
    homes = SEATS[int(str(settings["seats"]))]
    return Siguo(settings, {home: line_up(where, home, rows[home]) for home in homes})


def position(pieces: Mapping[str, str], turn: str = "S", **changed: object) -> Siguo:
    """A game where just these pieces stand: point to home and Chinese rank, "S司"."""
    game = start(**changed)
    game.units = {
        i: Unit(piece[0], point, CHINESE[piece[1]], point, piece[0])
        for i, (point, piece) in enumerate(pieces.items())
    }
    game.knowers = {i: game.friends_of(unit.home) for i, unit in game.units.items()}
    game.turn = turn
    return game


FLAGS = {"S62": "S旗", "E62": "E旗", "N62": "N旗", "W62": "W旗"}
MOVERS = {"S55": "S连", "E55": "E连", "N55": "N连", "W55": "W连"}
"""Flags and pieces that can move, so that nobody falls by accident."""
