"""Moves as people and programs write them: ICCS, UCCI, WXF and Chinese, both ways, and PGN."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from arena.games.contract import FOUL, Game, State
from arena.games.xiangqi.observation import Man, Side, XiangqiObservation, men_of
from arena.games.xiangqi.tandem import NUMBERS, chinese_heads, seen_file, wxf_heads

_MOVE = re.compile(r"([a-i])(10|[1-9])([a-i])(10|[1-9])")
_ZERO_BASED = re.compile(r"([a-iA-I])([0-9])-?([a-iA-I])([0-9])")

# What is understood in place of the signs that are written.
_FOREIGN = str.maketrans(
    "0123456789一二三四五六七八九進車俥馬傌砲包帥將後軍仕相帥帅兵",
    "0１２３４５６７８９１２３４５６７８９进车车马马炮炮将将后车士象将将卒",
)


@dataclass(frozen=True, slots=True)
class Points:
    """The two ends of a move, files 0 to 8 and ranks 0 to 9."""

    from_file: int
    from_rank: int
    to_file: int
    to_rank: int


def points(move: str) -> Points:
    """The ends of a canonical move. Raises ValueError for other text."""
    found = _MOVE.fullmatch(move)
    if found is None:
        raise ValueError(f"{move!r} is not a move such as h3e3")
    return Points(
        ord(found[1]) - ord("a"), int(found[2]) - 1, ord(found[3]) - ord("a"), int(found[4]) - 1
    )


def iccs(move: str) -> str:
    """`h3e3` as ICCS writes it, "H2-E2": ranks from 0."""
    return ucci(move).upper()[:2] + "-" + ucci(move).upper()[2:]


def ucci(move: str) -> str:
    """`h3e3` as UCCI and most Chinese programs write it, "h2e2": ranks from 0."""
    at = points(move)
    return f"{_file(at.from_file)}{at.from_rank}{_file(at.to_file)}{at.to_rank}"


def from_zero_based(text: str) -> str:
    """The canonical move of an ICCS or UCCI text. Raises ValueError for other text."""
    found = _ZERO_BASED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a move such as H2-E2 or h2e2")
    a, b, c, d = found.groups()
    return f"{a.lower()}{int(b) + 1}{c.lower()}{int(d) + 1}"


def fen(state: State) -> str:
    """The board as it stands, as a FEN of six fields; how it came about is left out.

    `state.setup()` begins at the last capture or soldier's step and goes on with the moves
    since, which repetition is judged on.
    """
    seen = XiangqiObservation.from_json(state.observe(-1))
    side = "w" if seen.to_move is Side.RED else "b"
    return f"{seen.board} {side} - - {seen.quiet} {seen.plies // 2 + 1}"


def describe_move(game: Game, move: str, zh: bool) -> str:
    """A canonical move without its position: "h3-e3", "claims the natural limit".

    `chinese` and `wxf` say it as players do, but need the board. Text that is no canonical
    move is given back as it is.
    """
    del game  # one notation for all rules
    if move == "claim":
        return "提出自然限着" if zh else "claims the natural move limit"
    if move == FOUL:
        return "技术犯规" if zh else "technical foul"
    found = _MOVE.fullmatch(move)
    return f"{found[1]}{found[2]}-{found[3]}{found[4]}" if found else move


def chinese(board: str, move: str) -> str:
    """A move in Chinese notation, 炮二平五; `board` is the position before it.

    Men of a kind on one file are 前, 中, 后 (numbered from the front where there are more than
    three); where soldiers stand so on two files, the file follows in place of the name.
    Advisors and elephants need no such word: forward and back tell them apart.
    """
    man, at = _mover(board, move)
    return chinese_heads(board, man)[0] + _chinese_tail(man, at)


def wxf(board: str, move: str) -> str:
    """A move in WXF notation, C2.5 written C2=5; `board` is the position before it.

    Of two men of a kind on one file the front one is `C+`, the rear one `C-`. The middle one of
    three or five soldiers goes by its file; of four or five the first is `++`, the last `--`.
    Where soldiers stand so on two files, the file comes in place of the letter: `3+=4`.
    """
    man, at = _mover(board, move)
    return wxf_heads(board, man)[0] + _wxf_tail(man, at)


def from_chinese(state: State, text: str) -> str:
    """The canonical legal move that a Chinese text names. Raises ValueError where none does.

    Traditional characters, 砲, and figures of any kind are understood, and other usual words for
    soldiers behind one another: 前, 二, 三, 后 of four; 一兵, 二兵, … from the right where they
    stand so on two files.
    """

    def says(board: str, move: str) -> list[str]:
        man, at = _mover(board, move)
        tail = _chinese_tail(man, at)
        return [(head + tail).translate(_FOREIGN) for head in chinese_heads(board, man)]

    return _only(state, text, text.strip().translate(_FOREIGN), says)


def from_wxf(state: State, text: str) -> str:
    """The canonical legal move that a WXF text names. Raises ValueError where none does.

    `.` and `=` both say "sideways"; `N`, `B`, `M`, `G`, `S` stand for horse, elephant, advisor,
    king, soldier. `+C` is read as `C+`, and `1P`, `PA`, `13` as the first soldier of a file.
    """
    plain = text.strip().upper().translate(str.maketrans("NGMS", "HKAP"))
    plain = f"E{plain[1:]}" if plain.startswith("B") else plain
    if len(plain) == 4 and plain[2] == ".":
        plain = plain[:2] + "=" + plain[3]

    def says(board: str, move: str) -> list[str]:
        man, at = _mover(board, move)
        return [head + _wxf_tail(man, at) for head in wxf_heads(board, man)]

    return _only(state, text, plain, says)


def pgn(
    game: Game,
    start: str,
    moves: Sequence[str],
    result: str,
    red: str = "?",
    black: str = "?",
    chinese_moves: bool = False,
) -> str:
    """A game as PGN for Xiangqi programs: tags, ICCS or Chinese moves, result.

    `start` is the setup text of the first position; `result` is "1-0", "0-1", "1/2-1/2" or "*".
    Claims are comments: PGN has no such move. Raises ValueError for another result.
    """
    if result not in ("1-0", "0-1", "1/2-1/2", "*"):
        raise ValueError(f"result {result!r} is none of 1-0, 0-1, 1/2-1/2, *")
    state = game.new_state(setup=start)
    seen = XiangqiObservation.from_json(state.observe(-1))
    tags = {
        "Game": "Chinese Chess",
        "Event": game.label,
        "Red": red,
        "Black": black,
        "Result": result,
        "Format": "Chinese" if chinese_moves else "ICCS",
        "FEN": fen(state),
    }
    lines = [f'[{key} "{value.translate(_PGN_SAFE)}"]' for key, value in tags.items()]
    words: list[str] = []
    ply = seen.plies
    for move in moves:
        if move == FOUL:  # of either side; it changes nothing on the board
            words.append("{technical foul}")
            continue
        (seat,) = state.seats_to_act()
        if move == "claim":
            words.append("{claims the natural move limit}")
        else:
            if ply % 2 == 0:
                words.append(f"{ply // 2 + 1}.")
            elif not words:
                words.append(f"{ply // 2 + 1}...")
            board = XiangqiObservation.from_json(state.observe(-1)).board
            words.append(chinese(board, move) if chinese_moves else iccs(move))
            ply += 1
        state.apply(seat, move)
    return "\n".join([*lines, "", *_wrapped([*words, result])]) + "\n"


_PGN_SAFE = str.maketrans({'"': "'", "\\": "/", "\n": " "})


def _wrapped(words: Iterable[str], width: int = 78) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _file(file: int) -> str:
    return chr(ord("a") + file)


def _target(man: Man, at: Points, forward: int) -> int:
    """What the last sign of a move counts, from 0: a file, or points walked."""
    if forward == 0 or man.letter in "AaBbNn":
        return seen_file(man.side, at.to_file)
    return abs(forward) - 1


def _mover(board: str, move: str) -> tuple[Man, Points]:
    at = points(move)
    for man in men_of(board):
        if (man.file, man.rank) == (at.from_file, at.from_rank):
            return man, at
    raise ValueError(f"{move}: the board {board} has no man there")


def _chinese_tail(man: Man, at: Points) -> str:
    forward = _forward(man, at)
    verb = "平" if forward == 0 else "进" if forward > 0 else "退"
    return verb + NUMBERS[man.side][_target(man, at, forward)]


def _wxf_tail(man: Man, at: Points) -> str:
    forward = _forward(man, at)
    verb = "=" if forward == 0 else "+" if forward > 0 else "-"
    return verb + str(_target(man, at, forward) + 1)


def _forward(man: Man, at: Points) -> int:
    return at.to_rank - at.from_rank if man.side is Side.RED else at.from_rank - at.to_rank


def _only(state: State, text: str, plain: str, says: Callable[[str, str], list[str]]) -> str:
    """The legal move that is written so, else the only one that may be."""
    (seat,) = state.seats_to_act()
    board = XiangqiObservation.from_json(state.observe(-1)).board
    texts = {str(m): says(board, str(m)) for m in state.moves(seat) if str(m) != "claim"}
    found = [move for move, words in texts.items() if words[0] == plain]
    found = found or [move for move, words in texts.items() if plain in words]
    if len(found) != 1:
        what = "no legal move" if not found else "more than one legal move: " + ", ".join(found)
        raise ValueError(f"{text!r} names {what}")
    return found[0]
