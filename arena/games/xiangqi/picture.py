"""A position as text for a terminal and as a self-contained SVG."""

from __future__ import annotations

from arena.games.contract import Game, Seat, State
from arena.games.xiangqi.notation import points
from arena.games.xiangqi.observation import Side, XiangqiObservation

_CELL = 48
_MARGIN = 44
_GLYPHS = {
    "K": "帥", "A": "仕", "B": "相", "N": "傌", "R": "俥", "C": "炮", "P": "兵",
    "k": "將", "a": "士", "b": "象", "n": "馬", "r": "車", "c": "砲", "p": "卒",
}  # fmt: skip


def draw_text(game: Game, state: State, viewer: Seat | None = None) -> str:
    """The board with coordinates: FEN letters, Red's in capitals, ``.`` for a free point.

    The man that moved last is in brackets. A line below says whose turn it is.
    """
    del viewer  # nothing is hidden
    del game  # one board for all rules
    seen = XiangqiObservation.from_json(state.observe(-1))
    letters = {(man.file, man.rank): man.letter for man in seen.men()}
    last = points(seen.last) if seen.last else None
    lines = ["    a  b  c  d  e  f  g  h  i"]
    for rank in reversed(range(10)):
        row = f"{rank + 1:2} "
        for file in range(9):
            letter = letters.get((file, rank), ".")
            moved = last is not None and (last.to_file, last.to_rank) == (file, rank)
            row += f"({letter})" if moved else f" {letter} "
        lines.append(row.rstrip())
        if rank == 5:
            lines.append("    ~  ~  ~  ~  ~  ~  ~  ~  ~")
    return "\n".join([*lines, _turn(seen)])


def _turn(seen: XiangqiObservation) -> str:
    if seen.to_act is None:
        return "game over"
    return f"seat {seen.to_act} ({seen.to_move}) to act{', in check' if seen.check else ''}"


def draw_svg(game: Game, state: State) -> str:
    """The board with river, palaces, coordinates and the last move."""
    del game  # one board for all rules
    seen = XiangqiObservation.from_json(state.observe(-1))
    width, height = 2 * _MARGIN + 8 * _CELL, 2 * _MARGIN + 9 * _CELL
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" text-anchor="middle" '
            'font-family="KaiTi, STKaiti, Noto Serif CJK SC, serif">'
        ),
        f"<title>{_turn(seen)}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#ecc98a"/>',
        f'<path d="{_grid()}" stroke="#5b4420" stroke-width="1.2" fill="none"/>',
    ]
    middle = _MARGIN + 4.5 * _CELL + 8
    for x, words in ((_MARGIN + 2 * _CELL, "楚 河"), (_MARGIN + 6 * _CELL, "漢 界")):
        parts.append(f'<text x="{x}" y="{middle}" font-size="24" fill="#5b4420">{words}</text>')
    for file in range(9):
        x, _ = _xy(file, 0)
        parts.append(_label(x, height - 6, chr(ord("a") + file)))
        parts.append(_label(x, 14, chr(ord("a") + file)))
    for rank in range(10):
        _, y = _xy(0, rank)
        parts.append(_label(10, y + 4, str(rank + 1)))
        parts.append(_label(width - 10, y + 4, str(rank + 1)))
    if seen.last:
        at = points(seen.last)
        x, y = _xy(at.from_file, at.from_rank)
        parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="#2060c0" fill-opacity=".6"/>')
        x, y = _xy(at.to_file, at.to_rank)
        parts.append(
            f'<rect x="{x - 23}" y="{y - 23}" width="46" height="46" fill="none" '
            'stroke="#2060c0" stroke-width="2.5"/>'
        )
    for man in seen.men():
        x, y = _xy(man.file, man.rank)
        ink = "#b3201c" if man.side is Side.RED else "#111"
        point = f"{chr(ord('a') + man.file)}{man.rank + 1}"
        parts.append(
            f'<g><title>{point}</title><circle cx="{x}" cy="{y}" r="20" fill="#f8e7c0" '
            f'stroke="{ink}" stroke-width="2"/><text x="{x}" y="{y + 9}" font-size="26" '
            f'fill="{ink}">{_GLYPHS[man.letter]}</text></g>'
        )
    parts.append("</svg>")
    return "".join(parts)


def _label(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="12" fill="#5b4420">{text}</text>'


def _xy(file: int, rank: int) -> tuple[int, int]:
    return _MARGIN + file * _CELL, _MARGIN + (9 - rank) * _CELL


def _grid() -> str:
    lines = []
    for rank in range(10):
        x, y = _xy(0, rank)
        lines.append(f"M{x} {y}h{8 * _CELL}")
    for file in range(9):
        x, top = _xy(file, 9)
        if file in (0, 8):
            lines.append(f"M{x} {top}v{9 * _CELL}")
        else:
            lines.append(f"M{x} {top}v{4 * _CELL}m0 {_CELL}v{4 * _CELL}")
    for rank in (2, 9):
        x, y = _xy(3, rank)
        two = 2 * _CELL
        lines.append(f"M{x} {y}l{two} {two}M{x + two} {y}l{-two} {two}")
    return "".join(lines)
