"""A board as text for a terminal and as a self-contained SVG.

Pictures show the whole truth: every unit with its rank, as the referee sees them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from xml.sax.saxutils import escape

from arena._core import State
from arena.games.contract import SPECTATOR, Game, Seat
from arena.games.siguo.notation import CHARACTERS, step_of
from arena.games.siguo.observation import Observation, UnitView
from arena.games.siguo.rules import Board, SiguoRules

Place = tuple[int, int]
"""Column from the west and row from the north, of a grid of 17 by 17."""

_CELL = 40
_COLOURS = {"S": "#c0392b", "E": "#1f6fd6", "N": "#2a8a4a", "W": "#7b3fb5"}
_CAMPS = {"22", "24", "33", "42", "44"}
_HEADQUARTERS = {"62", "64"}


def places(kind: Board, seats: int) -> dict[str, Place]:
    """Every point of a board with its place on the grid."""
    small = kind is Board.LUZHANQI60
    homes = {2: "SN", 3: "SEN", 4: "SENW"}[seats]
    found = {}
    for home in homes:
        for row in range(1, 7):
            for column in range(1, 6):
                found[f"{home}{row}{column}"] = {
                    "S": (5 + column, (6 if small else 10) + row),
                    "E": (10 + row, 11 - column),
                    "N": (11 - column, 6 - row),
                    "W": (6 - row, 5 + column),
                }[home]
    if not small:
        found |= {f"C{i}{j}": (4 + 2 * i, 4 + 2 * j) for i in range(1, 4) for j in range(1, 4)}
    return found


def draw_text(game: Game, state: State, viewer: Seat | None = None) -> str:
    """The board: rank letters with the home's letter before them, `o` camps, `#` headquarters.

    `?` is a unit whose rank the viewer does not know. The last step is in brackets; a line
    below says whose turn it is.
    """
    assert isinstance(game.rules, SiguoRules)
    seen = Observation.from_json(state.observe(SPECTATOR))
    board = places(game.rules.board, game.rules.seats)
    cells = {place: _ground(point) for point, place in board.items()}
    for unit in (
        _units(game, state)
        if viewer is None
        else Observation.from_json(state.observe(viewer)).units
    ):
        if unit.at is not None:
            home = seen.seats[unit.seat].home.lower()
            cells[board[unit.at]] = home + (unit.ranks if len(unit.ranks) == 1 else "?")
    last = {board[point] for point in _last_step(state)}
    left, right = (find(x for x, _ in board.values()) for find in (min, max))
    lines = []
    for y in range(max(y for _, y in board.values()) + 1):
        row = ""
        for x in range(left, right + 1):
            cell = cells.get((x, y), "")
            row += f"[{cell}]".rjust(4) if (x, y) in last else f"{cell:>3} "
        lines.append(row.rstrip())
    return "\n".join([*lines, _headline(seen)])


def _ground(point: str) -> str:
    return "o" if point[1:] in _CAMPS else "#" if point[1:] in _HEADQUARTERS else "."


def _units(game: Game, state: State) -> list[UnitView]:
    """All units with their true ranks: each army as its own seat sees it."""
    return [
        unit
        for seat in range(game.seats)
        for unit in Observation.from_json(state.observe(Seat(seat))).units
        if unit.unit // 25 == seat
    ]


def _last_step(state: State) -> tuple[str, ...]:
    return (step_of(state.history()[-1][1]) or ()) if state.plies else ()


def _headline(seen: Observation) -> str:
    out = ", ".join(f"{view.home} {view.out}" for view in seen.seats if view.out is not None)
    text = f"{seen.phase}, move {seen.ply}, quiet {seen.quiet}" + (f", out: {out}" if out else "")
    if not seen.to_act:
        return text
    who = ", ".join(f"{seat} ({seen.seats[seat].home})" for seat in seen.to_act)
    return f"{text}, to act: seat {who}"


def draw_svg(game: Game, state: State) -> str:
    """Roads thin, railways thick, camps round, headquarters arched; units in their seat's colour."""
    assert isinstance(game.rules, SiguoRules)
    rules = game.rules
    seen = Observation.from_json(state.observe(SPECTATOR))
    board = places(rules.board, rules.seats)
    left = min(x for x, _ in board.values())
    wide = max(x for x, _ in board.values()) - left + 1
    high = max(y for _, y in board.values()) + 1

    def xy(point: str) -> tuple[int, int]:
        x, y = board[point]
        return (x - left) * _CELL + _CELL // 2, y * _CELL + _CELL // 2

    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide * _CELL} {high * _CELL}" '
            'role="img" text-anchor="middle" font-family="KaiTi, STKaiti, Noto Serif CJK SC, serif">'
        ),
        f"<title>{escape(f'{game.label}, {_headline(seen)}')}</title>",
        _ground_svg(rules.board, rules.seats),
    ]
    for point in _last_step(state):
        x, y = xy(point)
        parts.append(
            f'<rect x="{x - 19}" y="{y - 16}" width="38" height="32" fill="#ffd54a" '
            'fill-opacity=".7"/>'
        )
    for unit in _units(game, state):
        if unit.at is None:
            continue
        x, y = xy(unit.at)
        colour = _COLOURS[seen.seats[unit.seat].home]
        parts.append(
            f'<g><title>{unit.at}</title><rect x="{x - 16}" y="{y - 12}" width="32" height="24" '
            f'rx="3" fill="{colour}" stroke="#222"/><text x="{x}" y="{y + 6}" font-size="17" '
            f'fill="#fff">{CHARACTERS[unit.ranks]}</text></g>'
        )
    parts.append("</svg>")
    return "\n".join(parts)


@cache
def _ground_svg(kind: Board, seats: int) -> str:
    """What stays from move to move. A replay draws hundreds of positions."""
    board = places(kind, seats)
    left = min(x for x, _ in board.values())
    high = max(y for _, y in board.values()) + 1
    wide = max(x for x, _ in board.values()) - left + 1

    def xy(place: Place) -> tuple[int, int]:
        return (place[0] - left) * _CELL + _CELL // 2, place[1] * _CELL + _CELL // 2

    parts = [f'<rect width="{wide * _CELL}" height="{high * _CELL}" fill="#f1e6cc"/>']
    for rail in (False, True):
        parts.append(
            f'<g fill="none" stroke="{"#4a4a4a" if rail else "#a08c62"}" '
            f'stroke-width="{5 if rail else 1.5}">'
        )
        for start, end in edges(kind, seats, rail):
            (x, y), (x2, y2) = xy(board[start]), xy(board[end])
            if rail and start[0] != end[0] and "C" not in (start[0], end[0]) and x != x2:
                # A curve leaves each front corner along its side column.
                corner = f"{x} {y2}" if start[0] in "SN" else f"{x2} {y}"
                parts.append(f'<path d="M{x} {y}Q{corner} {x2} {y2}"/>')
            else:
                parts.append(f'<line x1="{x}" y1="{y}" x2="{x2}" y2="{y2}"/>')
        parts.append("</g>")
    for point, place in board.items():
        x, y = xy(place)
        if point[1:] in _CAMPS and point[0] != "C":
            shape = f'<circle cx="{x}" cy="{y}" r="15"'
        else:
            rx = 12 if point[1:] in _HEADQUARTERS else 2
            shape = f'<rect x="{x - 16}" y="{y - 12}" width="32" height="24" rx="{rx}"'
        parts.append(f'{shape} fill="#fffaf0" stroke="#7a6640"><title>{point}</title>')
        parts.append("</circle>" if "circle" in shape else "</rect>")
    return "\n".join(parts)


def edges(kind: Board, seats: int, rail: bool) -> Iterator[tuple[str, str]]:
    """Pairs of neighbouring points joined by a railway, or by a road."""
    board = places(kind, seats)
    for home in (letter for letter in "SENW" if f"{letter}11" in board):
        for row in range(1, 7):
            for column in range(1, 6):
                side = row in (1, 5)
                if column < 5 and rail == side:
                    yield f"{home}{row}{column}", f"{home}{row}{column + 1}"
                if row < 6 and rail == (row < 5 and column in (1, 5)):
                    yield f"{home}{row}{column}", f"{home}{row + 1}{column}"
        if not rail:
            for camp in sorted(_CAMPS):
                row, column = int(camp[0]), int(camp[1])
                for up in (-1, 1):
                    for aside in (-1, 1):
                        yield f"{home}{camp}", f"{home}{row + up}{column + aside}"
    if not rail:
        return
    if kind is Board.LUZHANQI60:
        yield from ((f"S1{column}", f"N1{6 - column}") for column in (1, 3, 5))
        return
    for i in range(1, 4):
        for j in range(1, 4):
            if i < 3:
                yield f"C{i}{j}", f"C{i + 1}{j}"
            if j < 3:
                yield f"C{i}{j}", f"C{i}{j + 1}"
        yield f"S1{2 * i - 1}", f"C{i}3"
        yield f"N1{7 - 2 * i}", f"C{i}1"
        if "E11" in board:
            yield f"E1{7 - 2 * i}", f"C3{i}"
        if "W11" in board:
            yield f"W1{2 * i - 1}", f"C1{i}"
    for home, neighbour in zip("SWNE", "WNES", strict=True):
        if f"{home}11" in board and f"{neighbour}15" in board:
            yield f"{home}11", f"{neighbour}15"
