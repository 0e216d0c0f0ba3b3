"""Which man of several of a kind: by its file, or by its place among those behind one another.

Every way to say it, the one that is written first. Soldiers alone can be more than two on a file,
or behind one another on two files at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.xiangqi.observation import Man, Side, men_of

_NAMES = {
    "K": "帅", "A": "仕", "B": "相", "N": "马", "R": "车", "C": "炮", "P": "兵",
    "k": "将", "a": "士", "b": "象", "n": "马", "r": "车", "c": "炮", "p": "卒",
}  # fmt: skip
_LETTERS = {"K": "K", "A": "A", "B": "E", "N": "H", "R": "R", "C": "C", "P": "P"}
NUMBERS = {Side.RED: "一二三四五六七八九", Side.BLACK: "１２３４５６７８９"}
_ORDER = "一二三四五"

# By how many stand on the file, front first. The official WXF signs; "" is the man in the middle,
# which goes by its file; two signs need no letter.
_SIGNS = {
    2: ("+", "-"),
    3: ("+", "", "-"),
    4: ("++", "+", "-", "--"),
    5: ("++", "+", "", "-", "--"),
}
_PLACES = {
    2: ("前", "后"),
    3: ("前", "中", "后"),
    4: ("前", "二", "三", "后"),
    5: ("前", "二", "三", "四", "后"),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A man among those of its kind on its file, front first."""

    man: Man
    size: int
    place: int
    crowded: bool
    """Whether men of its kind stand behind one another on another file, too."""

    turn: int
    """Its place among all that stand so, files from its side's right."""


def seen_file(side: Side, file: int) -> int:
    """A file counted from 0 at the side's own right hand."""
    return 8 - file if side is Side.RED else file


def _row(board: str, man: Man) -> _Row:
    files: dict[int, list[Man]] = {}
    for other in men_of(board):
        if other.letter == man.letter:
            files.setdefault(seen_file(man.side, other.file), []).append(other)
    for men in files.values():
        men.sort(key=lambda m: m.rank, reverse=man.side is Side.RED)
    tandem = [m for _, men in sorted(files.items()) if len(men) > 1 for m in men]
    mates = files[seen_file(man.side, man.file)]
    if len(mates) == 1 or man.letter in "AaBb":  # forward and back tell those apart
        return _Row(man, 1, 0, False, 0)
    crowded = len(tandem) > len(mates)
    return _Row(man, len(mates), mates.index(man), crowded, tandem.index(man))


def chinese_heads(board: str, man: Man) -> list[str]:
    """The first two signs of a move in Chinese, and other ways to say them."""
    row = _row(board, man)
    name = _NAMES[man.letter]
    number = NUMBERS[man.side][seen_file(man.side, man.file)]
    plain = name + number
    if row.size == 1:
        return [plain]
    place = _PLACES[row.size][row.place]
    if row.crowded:
        return [place + number, place + name + number, _ORDER[row.turn] + name, place + name]
    if row.size <= 3:
        return [place + name, _ORDER[row.place] + name, plain]
    return [_ORDER[row.place] + name, place + name]


def wxf_heads(board: str, man: Man) -> list[str]:
    """The first two signs of a move in WXF notation, and other ways to say them."""
    row = _row(board, man)
    letter = _LETTERS[man.letter.upper()]
    number = str(seen_file(man.side, man.file) + 1)
    plain = letter + number
    if row.size == 1:
        return [plain]
    sign = _SIGNS[row.size][row.place]
    first = number if row.crowded else letter
    official = sign if len(sign) == 2 else first + (sign or number)
    placed = "+.-"[row.place] if row.size == 3 else sign
    several = row.size > 2 or row.crowded
    indexed = [str(row.place + 1) + number, str(row.place + 1) + letter] if several else []
    lettered = letter + "ABCDE"[row.turn if row.crowded else row.place]
    others = [placed + first, first + placed, lettered, *indexed, *([] if row.crowded else [plain])]
    return [official, *(head for head in others if len(head) == 2 and head != official)]
