"""Naive rules of gomoku with forbidden moves: whole games, from docs/games/gomoku.md alone.

Slow and plain on purpose: the compiled core is fuzzed against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from tests.oracles.gomoku_judge import Board, Judge, Point

RIVAL = {"B": "W", "W": "B"}
WORD = {"B": "black", "W": "white"}
LETTER = {"black": "B", "white": "W"}


@dataclass(frozen=True)
class Outcome:
    """Why a game ended and who won; None is a draw."""

    termination: str
    winner: int | None

    @property
    def scores(self) -> tuple[float, float]:
        """1 for a win, one half for a draw."""
        if self.winner is None:
            return (0.5, 0.5)
        return (1.0, 0.0) if self.winner == 0 else (0.0, 1.0)

    @property
    def places(self) -> tuple[int, int]:
        """A draw shares the better place."""
        if self.winner is None:
            return (1, 1)
        return (1, 2) if self.winner == 0 else (2, 1)


@dataclass(frozen=True)
class Step:
    """One move that an opening protocol asks for."""

    phase: str
    actor: str
    """"opener", "other", or the colour of the seat that acts."""

    inside: int | None = None
    """Only in the square of so many points a side round the centre."""

    outside: int | None = None
    """Only outside that square."""

    points: int | None = None
    """How many points to offer; None where the declared number is owed."""

    may_add: bool = False


def place(actor: str, inside: int | None = None, outside: int | None = None) -> Step:
    """One opening stone."""
    return Step("place", actor, inside, outside)


def zones(actor: str, *sizes: int) -> list[Step]:
    """Stones by one actor, each in its square."""
    return [place(actor, size) for size in sizes]


def swap(actor: str) -> Step:
    """The actor may exchange the colours."""
    return Step("swap", actor)


DEFAULT_N = {
    "renju_swap": 2,
    "rif": 2,
    "chinese_national": 2,
    "yamaguchi": 10,
    "soosorv": 8,
    "taraguchi": 10,
    "super_taraguchi": 10,
    "super_sakata": 3,
}


def protocol(opening: str, n: int, second_adjacent: bool) -> list[Step]:
    """The table of opening protocols, one list of steps for each."""
    fifths = [place("white"), Step("offer", "black", points=n), Step("pick", "white")]
    declared = [Step("offer", "black"), Step("pick", "white")]
    first_three = zones("opener", 1, 3, 5)
    if opening in ("pro", "long_pro"):
        second = place("white", 3 if second_adjacent else None)
        third = place("black", outside=5 if opening == "pro" else 7)
        return [place("black", 1), second, third]
    if opening in ("taraguchi", "super_taraguchi"):
        two, three, four = (3, 5, 7) if opening == "taraguchi" else (5, 7, 9)
        return [
            place("black", 1),
            swap("white"),
            place("white", two),
            swap("black"),
            place("black", three),
            swap("white"),
            place("white", four),
            Step("swap_or_offer", "black", points=n),
        ]
    return {
        "free": [],
        "book": [],
        "swap": [*[place("opener")] * 3, swap("other")],
        "swap1": [place("opener"), swap("other")],
        "swap2": [*[place("opener")] * 3, Step("choose", "other", may_add=True)],
        "renju_swap": [
            place("black", 1),
            place("white", 3),
            place("black", 5),
            swap("other"),
            *fifths,
        ],
        "rif": [*first_three, swap("other"), *fifths],
        "chinese_national": [*first_three, swap("other"), *fifths],
        "yamaguchi": [
            *first_three,
            Step("declare", "opener", points=n),
            swap("other"),
            place("white"),
            *declared,
        ],
        "soosorv": [
            *first_three,
            swap("other"),
            place("white"),
            Step("declare", "white", points=n),
            swap("black"),
            *declared,
        ],
        "super_sakata": [
            *first_three,
            *zones("other", 7, 9),
            Step("choose", "opener", may_add=True),
        ],
    }[opening]


def text_of(point: Point) -> str:
    """Column letter and row number from the bottom."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[point[0]]}{point[1] + 1}"


def point_of(text: str) -> Point:
    """The point that a text names."""
    return "abcdefghijklmnopqrstuvwxyz".index(text[0]), int(text[1:]) - 1


class Gomoku:
    """One game in progress under a dict of settings."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self.settings = settings
        self.size = int(str(settings["size"]))
        self.opening = str(settings["opening"])
        given = settings["opening_n"]
        self.n = DEFAULT_N.get(self.opening, 0) if given is None else int(str(given))
        self.judges = {colour: Judge(settings, colour) for colour in "BW"}
        self.enforcement = settings["forbidden_enforcement"]
        self.may_pass = settings["passes"] == "yes_two_passes_draw"
        self.false_claim = settings["false_claim"]
        limit = settings["max_moves"]
        self.max_moves = None if limit is None else int(str(limit))

        self.board: Board = {}
        self.colour_of = ["B", "W"]
        self.todo = protocol(self.opening, self.n, bool(settings["pro_second_adjacent"]))
        self.to_move = "B"
        self.last: Point | str | None = None
        """The last stone, or "pass"; choices in between do not count."""
        self.passes = 0
        self.declared: int | None = None
        self.offers: list[Point] = []
        self.adds = 0
        self.claimed = False
        self.false_claims = [0, 0]
        self.ended: Outcome | None = None

    # -- who and what is due -----------------------------------------------------------

    @property
    def phase(self) -> str:
        """The word of the phase table."""
        if self.ended:
            return "over"
        return self.todo[0].phase if self.todo else "main"

    def holder(self, colour: str) -> int:
        """The seat that has a colour now."""
        return self.colour_of.index(colour)

    def due(self) -> str:
        """Opening stones alternate black, white, black; in `main` the colour to move."""
        return ("B", "W")[len(self.board) % 2] if self.todo else self.to_move

    def actor(self) -> int:
        """The seat to act."""
        if not self.todo:
            return self.holder(self.to_move)
        who = self.todo[0].actor
        if who in LETTER:
            return self.holder(LETTER[who])
        return {"opener": 0, "other": 1}[who]

    def seats_to_act(self) -> set[int]:
        """One seat, or none when the game is over."""
        return set() if self.ended else {self.actor()}

    def roles(self) -> tuple[str, ...]:
        """The colours as they stand now."""
        return tuple(WORD[colour] for colour in self.colour_of)

    # -- legal moves -------------------------------------------------------------------

    def points(self) -> Iterable[Point]:
        """The whole board by row, then column."""
        return ((x, y) for y in range(self.size) for x in range(self.size))

    def in_square(self, point: Point, size: int) -> bool:
        """Whether a point lies in the square of `size` points a side round the centre."""
        middle = self.size // 2
        return all(abs(c - middle) <= size // 2 for c in point)

    def has_fouls(self, colour: str) -> bool:
        """Whether a colour has forbidden moves at all."""
        judge = self.judges[colour]
        return judge.bans_three or judge.bans_four or judge.overline_rule == "forbidden"

    def foul(self, colour: str, point: Point) -> str | None:
        """The kind of foul that a stone on an empty point is."""
        return self.judges[colour].foul(self.board, point)

    def makes_five(self, colour: str, point: Point) -> bool:
        """Whether a stone on an empty point makes a five."""
        return self.judges[colour].wins({**self.board, point: colour}, point)

    def misses_centre(self, point: Point) -> bool:
        """Rule 〖1〗 "从天元开始": whether the first stone would not be on the centre."""
        first = self.settings["first_stone"] == "centre" and not self.board
        return first and not self.in_square(point, 1)

    def opening_refusal(self, step: Step, point: Point) -> str | None:
        """Zone, then "may not make a five nor a foul"."""
        if step.inside and not self.in_square(point, step.inside):
            return "outside_zone"
        if step.outside and self.in_square(point, step.outside):
            return "outside_zone"
        if self.misses_centre(point):
            return "outside_zone"
        kind = self.foul(self.due(), point)
        if kind or self.makes_five(self.due(), point):
            return f"forbidden {kind or 'five'}"
        return None

    def stone_refusal(self, point: Point) -> str | None:
        """Why the stone that is due may not be put on a point of the board, or None."""
        if point in self.board:
            return "occupied"
        if self.draw_due():
            return "wrong_phase"
        if self.todo:
            return self.opening_refusal(self.todo[0], point)
        if self.misses_centre(point):
            return "outside_zone"
        if self.enforcement == "illegal" and (kind := self.foul(self.to_move, point)):
            return f"forbidden {kind}"
        return None

    def claim_allowed(self) -> bool:
        """On the ply right after the rival's stone, of a colour with fouls, once."""
        rival = RIVAL[self.to_move]
        return (
            self.phase == "main"
            and self.enforcement == "claim_or_lapse"
            and isinstance(self.last, tuple)
            and self.board[self.last] == rival
            and self.has_fouls(rival)
            and not self.claimed
        )

    def owed(self) -> int | None:
        """How many points an offer must name now."""
        if self.phase not in ("offer", "swap_or_offer"):
            return None
        return self.declared if self.todo[0].points is None else self.todo[0].points

    def symmetries(self) -> list[Callable[[Point], Point]]:
        """Rotations and mirrors of the board that map the present stones onto themselves."""
        top = self.size - 1
        every: list[Callable[[Point], Point]] = [
            lambda p: (p[0], p[1]),
            lambda p: (top - p[0], p[1]),
            lambda p: (p[0], top - p[1]),
            lambda p: (top - p[0], top - p[1]),
            lambda p: (p[1], p[0]),
            lambda p: (top - p[1], p[0]),
            lambda p: (p[1], top - p[0]),
            lambda p: (top - p[1], top - p[0]),
        ]
        return [f for f in every if {f(p): c for p, c in self.board.items()} == self.board]

    def offer_refusal(self, points: list[Point]) -> str | None:
        """Exactly the owed number of free points, no two equal or alike by symmetry."""
        if len(points) != self.owed():
            return "wrong_count"
        if any(not (0 <= c < self.size) for point in points for c in point):
            return "off_board"
        if any(point in self.board for point in points):
            return "occupied"
        if len(set(points)) != len(points):
            return "duplicate"
        for a, b in combinations(points, 2):
            if any(f(a) == b for f in self.symmetries()):
                return "symmetric"
        return None

    def moves(self) -> set[str]:
        """Every legal move of the seat to act as its canonical text, offers left out."""
        phase = self.phase
        if phase in ("place", "main"):
            found = {text_of(p) for p in self.points() if self.stone_refusal(p) is None}
            if phase == "main":
                found |= {"pass"} if self.may_pass or self.draw_due() else set()
                found |= {"claim"} if self.claim_allowed() else set()
            return found
        if phase in ("swap", "swap_or_offer"):
            return {"swap", "stay"}
        if phase == "choose":
            return {"black", "white"} | ({"add"} if self.todo[0].may_add else set())
        if phase == "declare":
            return {f"declare {k}" for k in range(1, self.n + 1)}
        if phase == "pick":
            return {f"pick {text_of(p)}" for p in self.offers}
        return set()

    def stuck(self) -> bool:
        """A side whose free points are all forbidden and who may not pass."""
        if self.draw_due():
            return False
        free = (point for point in self.points() if point not in self.board)
        return not self.may_pass and all(self.stone_refusal(point) for point in free)

    def is_legal(self, text: str) -> bool:
        """Whether a canonical text is a legal move now."""
        if text.startswith("offer ") and self.phase in ("offer", "swap_or_offer"):
            words = text.split()[1:]
            if not all(re.fullmatch(r"[a-z][1-9][0-9]?", word) for word in words):
                return False
            return self.offer_refusal([point_of(word) for word in words]) is None
        return text in self.moves()

    # -- playing -----------------------------------------------------------------------

    def apply(self, text: str) -> None:
        """Plays a move of the seat to act, which is taken to be legal."""
        word, *rest = text.split()
        if self.phase == "main":
            self.play_main(word)
        else:
            self.play_opening(word, rest)
        if not self.ended and not self.todo and self.stuck():
            self.ended = Outcome("no_move", self.holder(RIVAL[self.to_move]))

    def play_opening(self, word: str, rest: list[str]) -> None:
        """One step of a protocol."""
        seat = self.actor()
        step = self.todo.pop(0)
        if step.phase == "place":
            self.put(("B", "W")[len(self.board) % 2], point_of(word))
        elif word == "swap":
            self.colour_of.reverse()
        elif word in ("black", "white"):
            if self.colour_of[seat] != LETTER[word]:
                self.colour_of.reverse()
        elif word == "add":
            self.add(seat)
        elif word == "declare":
            self.declared = int(rest[0])
        elif word == "offer":
            self.offers = [point_of(text) for text in rest]
        elif word == "pick":
            self.put("B", point_of(rest[0]))
            self.offers, self.declared = [], None
        if step.phase == "swap_or_offer":
            five = [place("black", 9), swap("white")]
            self.todo += [Step("pick", "white")] if word == "offer" else five
        if not self.todo:
            self.to_move = ("B", "W")[len(self.board) % 2]

    def add(self, seat: int) -> None:
        """Two more stones by the seat that said it, then the rival chooses.

        In swap2 that choice is between the colours; in Super Sakata `add` may be said N
        times in a game.
        """
        self.adds += 1
        me, rival = ("opener", "other") if seat == 0 else ("other", "opener")
        again = self.opening == "super_sakata" and self.adds < self.n
        self.todo += [place(me), place(me), Step("choose", rival, may_add=again)]

    def put(self, colour: str, point: Point) -> None:
        """A stone on the board."""
        assert point not in self.board
        self.board[point] = colour
        self.last = point
        self.claimed = False

    def play_main(self, word: str) -> None:
        """A stone, a pass or a claim."""
        me, seat = self.to_move, self.holder(self.to_move)
        if word == "claim":
            self.claim(seat)
            return
        if word == "pass" and (draw := self.draw_due()):
            self.ended = Outcome(draw, None)
            return
        if word == "pass":
            twice = self.last == "pass"
            self.last, self.claimed = "pass", False
            self.passes += 1
            if twice:
                self.ended = Outcome("two_passes", None)
        else:
            point = point_of(word)
            kind, five = self.foul(me, point), self.makes_five(me, point)
            self.put(me, point)
            if kind and self.enforcement == "auto_loss":
                self.ended = Outcome("forbidden", 1 - seat)
            elif five and not kind:
                self.ended = Outcome("five", seat)
        self.to_move = RIVAL[me]
        if self.ended or not (draw := self.draw_due()):
            return
        # Rules 〖4〗 and 〖6〗: a game that a claim can still decide is not drawn yet.
        if not (self.claim_allowed() and self.claim_is_right()):
            self.ended = Outcome(draw, None)

    def draw_due(self) -> str | None:
        """The draw by a full board, or by so many stones and passes together."""
        if len(self.board) == self.size**2:
            return "board_full"
        if self.max_moves is not None and len(self.board) + self.passes >= self.max_moves:
            return "move_limit"
        return None

    def claim_is_right(self) -> bool:
        """Whether the rival's last stone was a forbidden move when it was put."""
        assert isinstance(self.last, tuple)
        before = {p: c for p, c in self.board.items() if p != self.last}
        return self.judges[RIVAL[self.to_move]].foul(before, self.last) is not None

    def claim(self, seat: int) -> None:
        """Rule 〖6〗: the rival's last stone is called a forbidden move."""
        rival = RIVAL[self.to_move]
        if self.claim_is_right():
            self.ended = Outcome("forbidden_claimed", seat)
            return
        self.claimed = True
        self.false_claims[seat] += 1
        limit = int(str(self.settings["false_claim_limit"]))
        if self.false_claim == "loss" or (
            self.false_claim == "technical_foul" and self.false_claims[seat] >= limit
        ):
            self.ended = Outcome("false_claim", 1 - seat)
        elif self.false_claim == "lose_move":
            self.to_move = rival

    # -- texts -------------------------------------------------------------------------

    def load(self, text: str) -> None:
        """Takes over a running position of the main phase."""
        words = dict(word.split("=") for word in text.split())
        assert words.get("phase", "main") == "main"
        self.board = {
            point_of(name): LETTER[colour]
            for colour in ("black", "white")
            for name in words.get(colour, "-").split(",")
            if name != "-"
        }
        self.colour_of = list(words.get("seats", "bw").upper())
        stones = list(self.board.values())
        ahead = stones.count("B") > stones.count("W")
        self.to_move = LETTER[words.get("move", "white" if ahead else "black")]
        last = words.get("last", "-")
        self.last = {"-": None, "pass": "pass"}[last] if last in ("-", "pass") else point_of(last)
        self.passes = int(words.get("passes", "0"))
        self.claimed = words.get("claimed") == "yes"
        self.false_claims = [int(n) for n in words.get("false_claims", "0,0").split(",")]
        self.todo, self.ended = [], None

    def observation(self) -> dict[str, object]:
        """What everybody sees, as the page describes it."""
        char = {"B": "b", "W": "w"}
        rows = [
            "".join(char.get(self.board.get((x, y), ""), ".") for x in range(self.size))
            for y in reversed(range(self.size))
        ]
        last = text_of(self.last) if isinstance(self.last, tuple) else self.last
        stone_due = self.phase in ("place", "main")
        return {
            "size": self.size,
            "board": "/".join(rows),
            "phase": self.phase,
            "to_act": None if self.ended else self.actor(),
            "colour": WORD[self.due()] if stone_due else None,
            "roles": list(self.roles()),
            "stones": len(self.board),
            "moves": len(self.board) + self.passes,
            "passes": self.passes,
            "last": last,
            "claim": self.claim_allowed(),
            "declared": self.declared,
            "owed": self.owed(),
            "offers": [text_of(p) for p in self.offers],
            "false_claims": self.false_claims,
        }
