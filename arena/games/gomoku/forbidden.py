"""The forbidden points of a position, as the core judges them."""

from __future__ import annotations

from arena._core import IllegalReason
from arena._core import game as core_game
from arena.games.contract import Game, State
from arena.games.gomoku.observation import GomokuObservation, point_text
from arena.games.gomoku.rules import Enforcement, FirstStone, Opening


def forbidden_points(game: Game, state: State) -> dict[str, str]:
    """Free points forbidden to the colour whose stone is due, with the kind of foul.

    Whatever the enforcement of `game`, the position is put to the same board rules with
    `forbidden_enforcement = illegal`, under which every forbidden point is refused.
    """
    seen = GomokuObservation.from_json(state.observe(-1))
    if seen.colour is None:
        return {}
    rules = game.rules.model_copy(
        update={
            "forbidden_enforcement": Enforcement.ILLEGAL,
            "opening": Opening.FREE,
            "opening_n": None,
            "first_stone": FirstStone.FREE,
            "pro_second_adjacent": False,
            "max_moves": None,
        }
    )
    stones: dict[str, list[str]] = {"b": [], "w": [], ".": []}
    for row, line in enumerate(seen.rows):
        for column, stone in enumerate(line):
            stones[stone].append(point_text(column, row))
    setup = (
        f"black={','.join(stones['b']) or '-'} white={','.join(stones['w']) or '-'} "
        f"move={seen.colour}"
    )
    judged = core_game(game.family.id, rules.settings()).from_setup(setup)
    if not judged.seats_to_act():  # every free point is forbidden: the judged game is over
        return {}
    (seat,) = judged.seats_to_act()
    found = {}
    for point in stones["."]:
        illegal = judged.check(seat, point)
        if illegal is not None and illegal.reason == IllegalReason.forbidden:
            found[point] = illegal.detail
    return found
