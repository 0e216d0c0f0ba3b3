"""Who is at fault when a position of Xiangqi comes back, from the sentences of docs/games/xiangqi.md.

Slow and plain on purpose: boards are dicts, men are known by where they stood when the cycle
began, and every "could" is tried out on a copy of the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.oracles.xiangqi import Board, Square, attacked, legal_steps, played, reaches, red

Step = tuple[Square, Square]
Pairs = set[tuple[Square, Square]]
"""Attacker and victim, each by its name: the point where it stood when the cycle began."""

GRAVITY = ("", "chase", "threat", "check")
"""将 > 杀 > 捉."""

TERMINATION = {
    "": "repetition",
    "chase": "perpetual_chase",
    "threat": "perpetual_threat",
    "check": "perpetual_check",
}


@dataclass(frozen=True)
class Scene:
    """A board, and the names of the men on it."""

    board: Board
    names: dict[Square, Square]

    @classmethod
    def of(cls, board: Board) -> Scene:
        return cls(board, {point: point for point in board})

    def after(self, start: Square, end: Square) -> Scene:
        names = {end if point == start else point: name for point, name in self.names.items()}
        return Scene(played(self.board, start, end), names)


def read_steps(text: str) -> list[Step]:
    """Steps from a text such as "a8b8 h9h10"."""
    found = re.findall(r"([a-i])(\d+)([a-i])(\d+)", text)
    return [
        (("abcdefghi".index(a), int(b) - 1), ("abcdefghi".index(c), int(d) - 1))
        for a, b, c, d in found
    ]


def crossed(man: str, point: Square) -> bool:
    """Whether a soldier has crossed the river."""
    return point[1] >= 5 if red(man) else point[1] <= 4


def worth_winning(man: str, point: Square) -> bool:
    """Soldiers that have not crossed the river may be chased; of a general it is a check."""
    kind = man.lower()
    return kind != "k" and (kind != "p" or crossed(man, point))


def greater(victim: str, attacker: str) -> bool:
    """Whether winning the victim gains something although it is protected."""
    kind = attacker.lower()
    if kind in "nc":
        return victim.lower() == "r"
    return kind in "ab" and victim.lower() in "rnc"


def captures(board: Board, is_red: bool) -> Iterator[Step]:
    """Every capture of a side as the men go, the safety of its own general apart."""
    for start in [point for point, man in board.items() if red(man) == is_red]:
        for end in reaches(board, start):
            if end in board:
                yield start, end


def pinned(board: Board, point: Square) -> bool:
    """Whether the general of this man would be attacked if the man were not there."""
    without = {where: man for where, man in board.items() if where != point}
    is_red = red(board[point])
    return attacked(without, is_red) and not attacked(board, is_red)


def threatens(board: Board, start: Square, end: Square, at_any_price: bool) -> bool:
    """Whether this capture is a threat to win something."""
    attacker, victim = board[start], board[end]
    is_red = red(attacker)
    if attacker.lower() in "kp" or not worth_winning(victim, end):
        return False
    after = played(board, start, end)
    if not at_any_price and (attacked(after, is_red) or pinned(board, start)):
        return False
    if attacker.lower() == victim.lower() and (end, start) in legal_steps(board, not is_red):
        return False  # an offer to exchange
    taken_back = any(target == end for _, target in legal_steps(after, not is_red))
    return greater(victim, attacker) or not taken_back


def threats(scene: Scene, is_red: bool, at_any_price: bool = False) -> Pairs:
    """Who threatens to win whom, were this side to move."""
    return {
        (scene.names[start], scene.names[end])
        for start, end in captures(scene.board, is_red)
        if threatens(scene.board, start, end, at_any_price)
    }


def newly_threatened(
    before: Scene, after: Scene, is_red: bool, general_stepped: bool
) -> set[Square]:
    """Whom the step that led from one scene to the other has begun to threaten."""
    if general_stepped:
        # Only lines that it opens count: whom nobody was pointing at before.
        old = {(before.names[a], before.names[v]) for a, v in captures(before.board, is_red)}
    else:
        # A side in check could not have carried out its threats, but they were there.
        old = threats(before, is_red, at_any_price=attacked(before.board, is_red))
    return {victim for attacker, victim in threats(after, is_red) - old}


def threatens_mate(board: Board, is_red: bool) -> bool:
    """Whether this side, were it to move again, could mate at once."""
    for start, end in legal_steps(board, is_red):
        after = played(board, start, end)
        if attacked(after, not is_red) and not any(legal_steps(after, not is_red)):
            return True
    return False


def chased_in_the_league(scene: Scene, start: Square, end: Square) -> set[Square]:
    """Whom the man that went from start to end attacks, by the list of the UCCI league."""
    board = scene.board
    attacker = board[end].lower()
    wanted = {"n": "rcp", "c": "rnp", "r": "ncp"}.get(attacker, "")
    found = set()
    for target in reaches(board, end):
        victim = board.get(target, "-")
        if victim.lower() not in wanted or not worth_winning(victim, target):
            continue
        if attacker == "r":
            moved_along_file, attacks_along_file = start[0] == end[0], target[0] == end[0]
            if moved_along_file == attacks_along_file:
                continue
        after = played(board, end, target)
        guards = (p for p, man in after.items() if red(man) != red(after[target]))
        if victim.lower() == "r" or not any(target in reaches(after, guard) for guard in guards):
            found.add(scene.names[target])
    return found


def fault(code: str, moves: Sequence[tuple[bool, bool, set[Square]]]) -> str:
    """The fault of a side: of each of its moves, check, mate threat, and whom it chased."""
    if all(check for check, _, _ in moves):
        return "check"
    if code == "perpetual_check_only":
        return ""
    if code == "cxa" and all(check or mate for check, mate, _ in moves):
        return "threat"
    if code == "cxa":
        moves = [move for move in moves if not (move[0] or move[1])]
    return "chase" if set.intersection(*(chased for _, _, chased in moves)) else ""


def judge(code: str, board: Board, red_moves: bool, cycle: Sequence[Step]) -> tuple[str, str]:
    """The end of a game by the steps that led back to a board: its cause, and who loses."""
    if code == "draw":
        return "repetition", ""
    told: dict[bool, list[tuple[bool, bool, set[Square]]]] = {True: [], False: []}
    scene = Scene.of(board)
    for number, (start, end) in enumerate(cycle):
        mover = red_moves == (number % 2 == 0)
        before, scene = scene, scene.after(start, end)
        check = attacked(scene.board, not mover)
        chased: set[Square] = set()
        if code == "ucci_league":
            chased = chased_in_the_league(scene, start, end)
        elif code in ("axf", "cxa"):
            stepped = before.board[start].lower() == "k"
            chased = newly_threatened(before, scene, mover, stepped)
        mate = code == "cxa" and not check and threatens_mate(scene.board, mover)
        told[mover].append((check, mate, chased))
    reds, blacks = fault(code, told[True]), fault(code, told[False])
    if reds == blacks:
        return "repetition", ""
    guilty = max(reds, blacks, key=GRAVITY.index)
    return TERMINATION[guilty], "red" if guilty == reds else "black"


class Course:
    """A game as boards and steps: whose position has come back how often, and what that means."""

    def __init__(
        self,
        code: str,
        count: int | None,
        board: Board,
        red_moves: bool,
        limit: int | None = None,
        mode: str = "position",
    ) -> None:
        if code == "ban_third_move":  # no judge, but a ban at the count that would have called one
            code, limit, count = "draw", count, None if mode == "position" else count
        self.code, self.count, self.red_moves = code, count, red_moves
        self.limit, self.mode = limit, mode
        self.boards = [board]
        self.steps: list[Step] = []

    def play(self, start: Square, end: Square) -> None:
        """Plays a legal step."""
        self.boards.append(played(self.boards[-1], start, end))
        self.steps.append((start, end))
        self.red_moves = not self.red_moves

    def legal(self) -> set[Step]:
        """Legal steps; without those that have been played often enough in this position."""
        found = set(legal_steps(self.boards[-1], self.red_moves))
        if self.limit is not None:
            found = {step for step in found if self.times(step) + 1 < self.limit}
        return found

    def times(self, step: Step) -> int:
        """How often a step has been played in the position that stands; literally, in a row."""
        if self.mode == "position":
            return sum(self.steps[at] == step for at in self.alike() if at < len(self.steps))
        own = self.steps[-2::-2]
        return next((i for i, before in enumerate(own) if before != step), len(own))

    def alike(self) -> list[int]:
        """Numbers of the plies, the present one last, that found this board and this turn."""
        now = len(self.boards) - 1
        return [i for i in range(now % 2, now + 1, 2) if self.boards[i] == self.boards[-1]]

    def verdict(self) -> tuple[str, str] | None:
        """What the position that stands brings, where it has come often enough."""
        alike = self.alike()
        if self.count is None or len(alike) < self.count:
            return None
        first = alike[-self.count]
        began = self.red_moves == ((len(self.boards) - 1 - first) % 2 == 0)
        return judge(self.code, self.boards[first], began, self.steps[first:])
