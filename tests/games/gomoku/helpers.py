"""What the Gomoku tests share."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from arena.games import Game, game
from arena.games.contract import State

FACTS = Path(__file__).parents[2] / "facts" / "gomoku"


def facts(table: str, kind: str) -> list[dict[str, Any]]:
    """The rows of a facts table."""
    rows = tomllib.loads((FACTS / f"{table}.toml").read_text("utf-8"))[kind]
    assert isinstance(rows, list)
    return rows


def setup_text(black: list[str], white: list[str], **more: str) -> str:
    """Setup text of a main-phase position with black to move unless `move` says else."""
    items = {"black": ",".join(black) or "-", "white": ",".join(white) or "-", "move": "black"}
    return " ".join(f"{key}={value}" for key, value in {**items, **more}.items())


def judged(row: dict[str, Any], rulebook: str = "gomoku/renju_illegal", **settings: Any) -> State:
    """A fact's position under rules that refuse forbidden points: `check` shows them."""
    more = {"result": row["result"]} if "result" in row else {}
    return game(rulebook, **settings).new_state(
        setup=setup_text(row["black"], row["white"], **more)
    )


def forbidden_in(state: State, size: int = 15) -> dict[str, str]:
    """Every point that `check` refuses as forbidden, with the kind."""
    (seat,) = state.seats_to_act()
    found = {}
    for column in range(size):
        for row in range(size):
            point = f"{chr(ord('a') + column)}{row + 1}"
            illegal = state.check(seat, point)
            if illegal is not None and illegal.reason.name == "forbidden":
                found[point] = illegal.detail
    return found


def play(state: State, *moves: str) -> State:
    """Plays moves by whoever is to act and gives the state back."""
    for move in moves:
        (seat,) = state.seats_to_act()
        state.apply(seat, move)
    return state


def refused(state: State, move: str, reason: str, detail: str | None = None) -> str:
    """Asserts that the acting seat's move is refused for this reason; gives the message."""
    (seat,) = state.seats_to_act()
    illegal = state.check(seat, move)
    assert illegal is not None, f"{move} was accepted"
    assert illegal.reason.name == reason, illegal
    if detail is not None:
        assert illegal.detail == detail, illegal
    assert illegal.message
    return illegal.message


def acting(state: State) -> int:
    """The seat to act."""
    (seat,) = state.seats_to_act()
    return seat


def ended(state: State) -> tuple[str, tuple[float, ...]]:
    """Termination and scores of a finished game."""
    outcome = state.outcome()
    assert outcome is not None, "the game goes on"
    return outcome.termination.name, outcome.scores


def new(rulebook: str, **settings: Any) -> tuple[Game, State]:
    """A game and its first state."""
    made = game(f"gomoku/{rulebook}", **settings)
    return made, made.new_state(0)
