"""A position as text for a terminal and as a self-contained SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from arena.games.contract import Game, Seat, State
from arena.games.gomoku.forbidden import forbidden_points
from arena.games.gomoku.observation import Colour, GomokuObservation, parse_point, point_text

_CELL = 32
_MARGIN = 34


def draw_text(game: Game, state: State, viewer: Seat | None = None) -> str:
    """The board with coordinates: ``X`` black, ``O`` white, ``#`` forbidden, ``?`` offered.

    The last stone is in brackets. A line below says whose turn it is.
    """
    del viewer  # nothing is hidden
    seen = GomokuObservation.from_json(state.observe(-1))
    forbidden = forbidden_points(game, state)
    lines = []
    columns = " ".join(chr(ord("a") + column) for column in range(seen.size))
    for row in reversed(range(seen.size)):
        cells = ""
        for column in range(seen.size):
            point = point_text(column, row)
            mark = {"b": "X", "w": "O", ".": "."}[seen.rows[row][column]]
            mark = "#" if point in forbidden else "?" if point in seen.offers else mark
            cells += f"({mark}" if point == seen.last else f" {mark}"
            if column and point_text(column - 1, row) == seen.last:
                cells = cells[:-2] + ")" + mark
        cells += ")" if point_text(seen.size - 1, row) == seen.last else " "
        lines.append(f"{row + 1:2}{cells}{row + 1}")
    lines = [f"   {columns}", *lines, f"   {columns}", _turn(seen)]
    return "\n".join(lines)


def _turn(seen: GomokuObservation) -> str:
    if seen.to_act is None:
        return "game over"
    role = seen.roles[seen.to_act]
    stone = f", {seen.colour} stone" if seen.colour else ""
    return f"seat {seen.to_act} ({role}) to act: {seen.phase}{stone}"


def draw_svg(game: Game, state: State) -> str:
    """The board with coordinates, last move, forbidden and offered points."""
    return board_svg(
        GomokuObservation.from_json(state.observe(-1)),
        forbidden=forbidden_points(game, state),
        numbers=(),
    )


def move_numbers(state: State) -> tuple[str, ...]:
    """Points of the stones played since the setup, in order: `numbers` of `board_svg`."""
    stones = []
    for _, move in state.history():
        point = move.removeprefix("pick ")
        if point[:1].isalpha() and point[1:].isdigit():
            stones.append(point)
    return tuple(stones)


def board_svg(seen: GomokuObservation, forbidden: Mapping[str, str], numbers: Sequence[str]) -> str:
    """An SVG of an observation.

    `forbidden` maps points to kinds of foul; `numbers` are points in order of play, whose
    stones get the numbers 1, 2, …; with no numbers only the last stone is marked.
    """
    size = seen.size
    side = 2 * _MARGIN + (size - 1) * _CELL
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
            f'width="{side}" height="{side}" font-family="sans-serif" text-anchor="middle">'
        ),
        f"<title>{escape(_turn(seen))}</title>",
        (
            '<defs><radialGradient id="b" cx="35%" cy="30%"><stop offset="0" stop-color="#666"/>'
            '<stop offset="1" stop-color="#111"/></radialGradient>'
            '<radialGradient id="w" cx="35%" cy="30%"><stop offset="0" stop-color="#fff"/>'
            '<stop offset="1" stop-color="#d8d8d0"/></radialGradient></defs>'
        ),
        f'<rect width="{side}" height="{side}" rx="6" fill="#e3b96b"/>',
        f'<path d="{_grid(size)}" stroke="#5b4420" stroke-width="1" fill="none"/>',
    ]
    for column, row in _star_points(size):
        x, y = _xy(column, row, size)
        parts.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="#5b4420"/>')
    for i in range(size):
        x, y = _xy(i, i, size)
        label = chr(ord("a") + i)
        for text, tx, ty in (
            (label, x, side - 8),
            (label, x, 16),
            (str(i + 1), 12, y + 4),
            (str(i + 1), side - 12, y + 4),
        ):
            parts.append(f'<text x="{tx}" y="{ty}" font-size="12" fill="#5b4420">{text}</text>')
    for point in forbidden:
        x, y = _xy(*parse_point(point, size), size)
        parts.append(
            f'<path d="M{x - 6} {y - 6}l12 12m0 -12l-12 12" stroke="#c0281c" stroke-width="2.5">'
            f"<title>{point}: {escape(forbidden[point])}</title></path>"
        )
    for point in seen.offers:
        x, y = _xy(*parse_point(point, size), size)
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="12" fill="#111" fill-opacity=".25" stroke="#111" '
            f'stroke-dasharray="3 3"><title>{point}: offered</title></circle>'
        )
    order = {point: str(i) for i, point in enumerate(numbers, 1)}
    for row in range(size):
        for column in range(size):
            point = point_text(column, row)
            colour = seen.at(point)
            if colour is None:
                continue
            parts.append(_stone(point, colour, seen, order))
    parts.append("</svg>")
    return "".join(parts)


def _stone(point: str, colour: Colour, seen: GomokuObservation, order: Mapping[str, str]) -> str:
    x, y = _xy(*parse_point(point, seen.size), seen.size)
    black = colour is Colour.BLACK
    stone = (
        f'<circle cx="{x}" cy="{y}" r="14" fill="url(#{"b" if black else "w"})" '
        f'stroke="#222" stroke-width=".8"><title>{point}</title></circle>'
    )
    if point in order:
        ink = "#d02020" if point == seen.last else "#fff" if black else "#000"
        stone += f'<text x="{x}" y="{y + 4}" font-size="12" fill="{ink}">{order[point]}</text>'
    elif point == seen.last:
        stone += f'<circle cx="{x}" cy="{y}" r="4.5" fill="#d02020"/>'
    return stone


def _xy(column: int, row: int, size: int) -> tuple[int, int]:
    return _MARGIN + column * _CELL, _MARGIN + (size - 1 - row) * _CELL


def _grid(size: int) -> str:
    length = (size - 1) * _CELL
    lines = []
    for i in range(size):
        offset = _MARGIN + i * _CELL
        lines.append(f"M{_MARGIN} {offset}h{length}M{offset} {_MARGIN}v{length}")
    return "".join(lines)


def _star_points(size: int) -> list[tuple[int, int]]:
    middle = size // 2
    if size % 2 == 0:
        return [(middle, middle)]
    edge = 3 if size >= 13 else 2
    near = (edge, size - 1 - edge)
    return [(middle, middle), *((column, row) for column in near for row in near)]
