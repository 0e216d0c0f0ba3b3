"""Positions as text for a terminal and as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from xml.sax.saxutils import escape

from arena._core import State
from arena.games.chinese_checkers.notation import TIPS, Axial, Star, ends, find_path, star_of
from arena.games.chinese_checkers.observation import Observation
from arena.games.contract import SPECTATOR, Game, Seat, SetupError

LETTERS = {"N": "N", "NE": "E", "SE": "D", "S": "S", "SW": "W", "NW": "U"}
"""The letter of each set in text, by home tip."""

COLOURS = {
    "N": "#d7263d",
    "NE": "#f2a71b",
    "SE": "#2a9d4a",
    "S": "#1f6fd6",
    "SW": "#7b3fb5",
    "NW": "#15a3a3",
}
"""Fill of each set by home tip."""

_STEP = 30.0
"""Distance of neighbouring holes in SVG units."""


def draw_text(game: Game, state: State, viewer: Seat | None = None) -> str:
    """The star with row letters, pieces as letters (see LETTERS), `.` for empty holes.

    The last move's ends are in brackets; a line below says who is to move.
    """
    del viewer  # nothing is hidden
    layout, seen = star_of(game), Observation.from_json(state.observe(SPECTATOR))
    piece = {hole: LETTERS[s.home] for s in seen.sets for hole in s.holes}
    last = _last_ends(state)
    west = min(2 * hole.q + hole.r for hole in layout.at)
    lines = []
    for letter, row in _rows(layout):
        # Neighbours in a row are two columns apart, rows shifted by one.
        line = [letter, *" " * (8 * layout.side + 6)]
        for hole in row:
            column, name = 2 * hole.q + hole.r - west + 3, layout.at[hole]
            line[column] = piece.get(name, ".")
            if name in last:
                line[column - 1], line[column + 1] = "[]"
        lines.append("".join(line).rstrip())
    sets = "; ".join(
        f"{LETTERS[s.home]} = seat {s.seat}, {s.home} to {s.target}" for s in seen.sets
    )
    now = "over" if seen.seat_to_act is None else f"seat {seen.seat_to_act} to move"
    return "\n".join([*lines, sets, f"round {seen.round}, {now}"])


def draw_svg(game: Game, state: State) -> str:
    """A self-contained SVG: the star, six colours, names of rows, the last move's way."""
    layout, seen = star_of(game), Observation.from_json(state.observe(SPECTATOR))
    margin = 1.4 * _STEP
    places = {hole: _place(hole) for hole in layout.at}
    left = min(x for x, _ in places.values()) - margin - _STEP
    top = min(y for _, y in places.values()) - margin
    width = max(x for x, _ in places.values()) + margin - left
    height = max(y for _, y in places.values()) + margin - top
    box = f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">',
        f"<title>{escape(_title(game, seen))}</title>",
        f'<rect x="{left:.1f}" y="{top:.1f}" width="100%" height="100%" fill="#f7efdd"/>',
    ]
    parts += _ground(layout)
    colour = {hole: COLOURS[s.home] for s in seen.sets for hole in s.holes}
    for hole, (x, y) in places.items():
        fill = colour.get(layout.at[hole])
        radius, paint = (0.4, fill) if fill else (0.2, "#e4d6b5")
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * _STEP:.1f}" fill="{paint}" '
            f'stroke="#5b4a2b" stroke-width="1"><title>{layout.at[hole]}</title></circle>'
        )
    parts += _last_way(game, state, layout)
    for letter, row in _rows(layout):
        x, y = places[row[0]]
        parts.append(
            f'<text x="{x - 0.75 * _STEP:.1f}" y="{y + 4:.1f}" font-size="11" font-family="sans-serif" fill="#5b4a2b" '
            f'text-anchor="middle">{letter}</text>'
        )
    parts.append("</svg>")
    return "\n".join(parts)


@cache
def _ground(layout: Star) -> tuple[str, ...]:
    """What stays from move to move: tips and lines. A report draws thousands of positions."""
    parts = [*_tips(layout), '<g stroke="#b9a57f" stroke-width="1">']
    for hole in layout.at:
        for step in ((1, 0), (1, -1), (0, 1)):
            if (other := hole + step) in layout.at:
                (x, y), (x2, y2) = _place(hole), _place(other)
                parts.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    return (*parts, "</g>")


def _rows(layout: Star) -> Iterator[tuple[str, list[Axial]]]:
    """Row letter and holes from the west, from the north down."""
    rows: dict[str, list[Axial]] = {}
    for name, hole in layout.names.items():
        rows.setdefault(name[0], []).append(hole)
    yield from rows.items()


def _place(hole: Axial) -> tuple[float, float]:
    return _STEP * (hole.q + hole.r / 2), _STEP * hole.r * math.sqrt(3) / 2


def _title(game: Game, seen: Observation) -> str:
    now = "over" if seen.seat_to_act is None else f"seat {seen.seat_to_act} to move"
    return f"{game.label}, round {seen.round}, {now}"


def _tips(layout: Star) -> list[str]:
    """The six tips as pale triangles in the colour of the set that starts there."""
    parts = []
    for tip in TIPS:
        holes = [hole for hole in layout.at if layout.tip(hole) == tip]
        inside = set(holes)
        # The corners of the triangle are its holes with the fewest neighbours inside it.
        corners = [h for h in holes if sum(n in inside for n in _near(h)) <= 2]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_place(h) for h in corners))
        parts.append(
            f'<polygon points="{points}" fill="{COLOURS[tip]}" opacity="0.18" '
            f'stroke="{COLOURS[tip]}" stroke-width="{0.9 * _STEP:.1f}" stroke-linejoin="round"/>'
        )
    return parts


def _near(hole: Axial) -> Iterator[Axial]:
    yield from (hole + step for step in ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)))


def _last_ends(state: State) -> tuple[str, ...]:
    return (ends(state.history()[-1][1]) or ()) if state.plies else ()


def _last_way(game: Game, state: State, layout: Star) -> list[str]:
    """The last move as a line through its holes and rings around its ends."""
    if not (holes := _last_ends(state)):
        return []
    seat, move = state.history()[-1]
    path = _way(game, state, Seat(seat), move) or holes
    points = [_place(layout.names[hole]) for hole in path]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [f'<polyline points="{line}" fill="none" stroke="#111" stroke-width="2.5"/>']
    for x, y in (points[0], points[-1]):
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.46 * _STEP:.1f}" fill="none" '
            'stroke="#111" stroke-width="2"/>'
        )
    return parts


def _way(game: Game, state: State, seat: Seat, move: str) -> tuple[str, ...] | None:
    """The way of the last move, found in the position before it; None where that is gone."""
    seen = Observation.from_json(state.observe(SPECTATOR))
    start, end = ends(move) or ("", "")
    back = {start: end, end: start}
    words = []
    for view in seen.sets:
        holes = [back.get(hole, hole) for hole in view.holes]
        words.append(f"{view.home}={','.join(holes) or '-'}")
    try:
        before = game.new_state(setup=f"{' '.join(words)} seat={seat} round=1")
    except SetupError:  # the pieces of a seat that is out are off the board
        return None
    return find_path(game, before, seat, move)
