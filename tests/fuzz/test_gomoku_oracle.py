"""Gomoku, the compiled core beside the slow rules: whole games and dense boards.

Games: at every ply the seats to act, roles, observation, the whole set of legal moves (offers:
each listed one, and proposals of our own), the outcome, and texts that are mostly illegal.
Boards: every forbidden point with its kind, on crowded boards where the tests of a three call
one another. ARENA_FUZZ_SECONDS makes each test run longer (see tests/fuzz/budget.py); `-s`
shows what was met:

    ARENA_FUZZ_SECONDS=300 pytest -s tests/fuzz/test_gomoku_oracle.py
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping

import pytest

import arena
from arena._core import IllegalReason, Rng, State
from arena.games import family
from tests.fuzz.budget import seeds
from tests.oracles.gomoku import DEFAULT_N, WORD, Gomoku, point_of, text_of
from tests.oracles.gomoku_judge import Board, Judge, Point

BOOKS = [f"gomoku/{book}" for book in family("gomoku").rulebooks]
CENTRED = {*DEFAULT_N, "pro", "long_pro"}
OPENINGS = ["free", "swap", "swap1", "swap2", *sorted(CENTRED)]

Settings = Mapping[str, bool | int | str | None]


class Pair:
    """One game in the core and in the slow rules, move by move."""

    def __init__(self, game: arena.Game, state: State, met: Counter[str]) -> None:
        self.core = state
        self.slow = Gomoku(game.rules.settings())
        self.where = f"{game.label} from {state.setup()!r}:"
        self.legal: set[str] = set()
        self.met = met

    def compare(self, rng: random.Random) -> None:
        """Everything that can be seen of the position."""
        core, slow, where = self.core, self.slow, self.where
        self.met["positions"] += 1
        assert set(core.seats_to_act()) == slow.seats_to_act(), where
        assert core.roles() == slow.roles(), where
        assert json.loads(core.observe(arena.SPECTATOR)) == slow.observation(), where
        outcome = core.outcome()
        assert (outcome is None) == (slow.ended is None), f"{where} {outcome} {slow.ended}"
        if outcome and slow.ended:
            assert outcome.termination.name == slow.ended.termination, where
            assert outcome.scores == slow.ended.scores, where
            assert outcome.places == slow.ended.places, where
            return
        seat = slow.actor()
        view = core.moves(seat)
        listed = [str(move) for move in view]
        assert len(listed) == len(set(listed)), where
        offers = {text for text in listed if text.startswith("offer")}
        self.legal = slow.moves()
        assert set(listed) - offers == self.legal, f"{where} {set(listed) ^ self.legal}"
        assert view.complete == (slow.owed() is None), where
        for text in sorted(offers)[:20]:
            assert slow.is_legal(text), f"{where} {text}"
        self.met["moves"] += len(listed)
        for _ in range(6 if slow.owed() is None else 60):
            self.compare_text(rng)

    def compare_text(self, rng: random.Random) -> None:
        """Any word of the game, in any phase."""
        slow = self.slow
        point = text_of((rng.randrange(slow.size), rng.randrange(slow.size)))
        text = rng.choice(
            [
                *[point] * 4,
                *["pass", "claim", "swap", "stay", "black", "white", "add", "pick " + point],
                f"declare {rng.randrange(13)}",
                offer_text(slow, rng),
                offer_text(slow, rng),
            ]
        )
        found = self.core.check(slow.actor(), text)
        legal = slow.is_legal(text) if text.startswith("offer") else text in self.legal
        assert (found is None) == legal, f"{self.where} {text} {found}"
        self.met["accepted" if found is None else f"refused {found.reason.name}"] += 1
        if text == point and slow.phase in ("place", "main"):
            reason = found and (found.reason.name + " " + found.detail).split()
            expected = slow.stone_refusal(point_of(point))
            kind = expected and expected.split()
            if kind and kind[0] == "forbidden":
                assert reason == kind, f"{self.where} {text} {found}"
            else:
                assert (reason and reason[0]) == (kind and kind[0]), f"{self.where} {text} {found}"

    def play(self, move: str, rng: random.Random) -> None:
        """The same move in both; the core gets it in some spelling that it takes."""
        words = move.split(" ")
        if words[0] == "offer":
            points = words[1:]
            rng.shuffle(points)
            words = ["offer", *points]
        spelled = rng.choice([" ", " ", "  "]).join(words)
        seat = self.slow.actor()
        self.core.apply(seat, rng.choice([spelled, spelled.upper()]))
        assert self.core.history()[-1] == (seat, move), f"{self.where} {spelled}"
        self.slow.apply(move)
        self.where += f" {move},"


def canonical_offer(points: list[Point]) -> str:
    """By row from the bottom, then by column."""
    ordered = sorted(points, key=lambda p: (p[1], p[0]))
    return " ".join(["offer", *map(text_of, ordered)])


def offer_text(slow: Gomoku, rng: random.Random) -> str:
    """About the owed number of points near the centre; often two are alike by symmetry."""
    count = max(1, (slow.owed() or 2) + rng.choice([0, 0, 0, 0, -1, 1]))
    middle, top = slow.size // 2, slow.size - 1
    reach = rng.choice([1, 2, middle]) if count < 6 else middle
    points: list[Point] = []
    while len(points) < count:
        x, y = (middle + rng.randint(-reach, min(reach, top - middle)) for _ in range(2))
        alike = [(x, y), *[f((x, y)) for f in rng.sample(slow.symmetries(), 1)]]
        extra = [p for p in alike[: rng.choice([1, 1, 2])] if p not in points]
        points += extra[: count - len(points)]
    return canonical_offer(points)


def next_move(pair: Pair, rng: random.Random, mood: str) -> str:
    """Stones near stones; claims, passes and fouls often enough."""
    slow = pair.slow
    if slow.owed() is not None:
        proposal = offer_text(slow, rng)
        if slow.is_legal(proposal):
            return proposal
        return str(pair.core.sample_move(slow.actor(), Rng(rng.getrandbits(60))))
    moves = sorted(pair.legal)
    words = [move for move in moves if not move[-1].isdigit() or " " in move]
    stones = [move for move in moves if move not in words]
    if mood == "fouls" and "claim" in words and slow.claim_is_right():
        return "claim"
    if words and (not stones or rng.random() < (0.3 if mood == "wild" else 0.1)):
        return rng.choice(words)
    near = rng.sample(stones, min(len(stones), 12))
    on_axis = [text for text in stones if point_of(text)[0] == slow.size // 2]
    if slow.phase == "place" and on_axis and rng.random() < 0.7:
        return rng.choice(on_axis)
    if mood == "peaceful":
        colour = slow.due()
        quiet = [
            text
            for text in near
            if not slow.makes_five(colour, point_of(text)) and not slow.foul(colour, point_of(text))
        ]
        return (quiet or near)[0]
    if mood == "fouls":
        bad = [text for text in stones if slow.foul(slow.due(), point_of(text))]
        if bad:
            return rng.choice(bad)

    def crowd(text: str) -> int:
        x, y = point_of(text)
        return sum(max(abs(x - a), abs(y - b)) <= 2 for a, b in slow.board)

    return max(near, key=crowd)


def crowded(size: int, rng: random.Random) -> Board:
    """Many black stones, some white ones, in a small part of the board; no fives."""
    board: Board = {}
    width, height = (rng.randint(5, min(9, size)) for _ in range(2))
    left, low = rng.randint(0, size - width), rng.randint(0, size - height)
    area = width * height
    black, white = int(area * rng.uniform(0.25, 0.6)), int(area * rng.uniform(0, 0.3))
    for colour in rng.sample("B" * black + "W" * white, black + white):
        point = (left + rng.randrange(width), low + rng.randrange(height))
        if point not in board and not five_or_more(board, size, point, colour):
            board[point] = colour
    return board


def five_or_more(board: Board, size: int, point: Point, colour: str) -> bool:
    """Whether a stone would make a row of five or more."""
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            k = way
            while board.get((point[0] + k * dx, point[1] + k * dy)) == colour:
                length += 1
                k += way
        if length >= 5:
            return True
    return False


def nearly_full(size: int, rng: random.Random) -> Board:
    """Two by one bricks all over, some stones the other way, a few empty points; no fives.

    Sometimes a point that would make an overline of black's is the last one but one.
    """
    board = {(x, y): "BW"[(x // 2 + y) % 2] for x in range(size) for y in range(size)}
    for point in rng.sample(list(board), size * 2):
        colour = rng.choice("BW")
        if not five_or_more(board, size, point, colour):
            board[point] = colour
    empty = rng.sample(list(board), rng.randint(2, 8))
    if rng.random() < 0.5:
        x, y = rng.randrange(size - 5), rng.randrange(size)
        board |= {(x + k, y): "B" for k in (0, 1, 2, 4, 5)}
        empty = [(x + 3, y), rng.choice([p for p in board if p[1] != y])]
    board = {point: colour for point, colour in board.items() if point not in empty}
    if any(five_or_more(board, size, point, colour) for point, colour in board.items()):
        return nearly_full(size, rng)
    return board


def begun(board: Board, rng: random.Random) -> str:
    """A position of the main phase with these stones, the last one known mostly."""
    to_move = rng.choice("BW")
    rivals = [text_of(point) for point, colour in board.items() if colour != to_move]
    return setup_of(board, to_move, rng.choice([*rivals, "-"]))


def setup_of(board: Board, to_move: str, last: str = "-") -> str:
    """The board as setup text."""
    stones = {
        colour: ",".join(text_of(p) for p, c in board.items() if c == colour) or "-"
        for colour in "BW"
    }
    return f"black={stones['B']} white={stones['W']} move={WORD[to_move]} last={last}"


def play_beside(game: arena.Game, seed: int, met: Counter[str], setup: str | None = None) -> None:
    """One game to its end, from its opening or from a setup."""
    rng = random.Random(seed)
    mood = rng.choice(["peaceful", "wild", "crowded", "fouls", "fouls"])
    state = game.new_state(seed, setup=setup)
    if setup and state.outcome():
        return
    pair = Pair(game, state, met)
    if pair.slow.phase == "main":
        pair.slow.load(state.setup())
    while True:
        pair.compare(rng)
        if not pair.slow.seats_to_act():
            break
        met[f"phase {pair.slow.phase}"] += 1
        pair.play(next_move(pair, rng, mood), rng)
    assert pair.slow.ended
    met[f"ended {pair.slow.ended.termination}"] += 1


def random_settings(rng: random.Random) -> Settings:
    """Settings of every kind; the few that make no sense together are left out."""
    opening = rng.choice([*["free"] * 7, *OPENINGS])
    caro = rng.random() < 0.15
    five_black = "exact" if caro else rng.choice(["exact", "exact", "at_least"])
    overline = rng.choice(["forbidden", "forbidden", "neutral"])
    foul = ["forbidden", "allowed"]
    return {
        "size": rng.choice([9, 9, 10, 11, 13, 15, 15, 22]),
        "five_black": five_black,
        "five_white": "exact" if caro else rng.choice(["exact", "at_least"]),
        "both_ends_block": caro,
        "overline_black": "win" if five_black == "at_least" else overline,
        "double_three_black": rng.choice(["forbidden", *foul]),
        "double_four_black": rng.choice(["forbidden", *foul]),
        "double_three_white": rng.choice(["allowed", *foul]),
        "double_four_white": rng.choice(["allowed", *foul]),
        "three_test": rng.choice(["rif_recursive", "rif_recursive", "rif_9_3a", "naive"]),
        "forbidden_enforcement": rng.choice(["illegal", "auto_loss", "claim_or_lapse"]),
        "false_claim": rng.choice(["none", "lose_move", "technical_foul", "loss"]),
        "false_claim_limit": rng.choice([1, 2, 3]),
        "five_beats_forbidden": rng.random() < 0.8,
        "first_stone": "centre" if opening in CENTRED else rng.choice(["free", "centre"]),
        "opening": opening,
        "opening_n": rng.choice([None, 1, 2, 3, 12]) if opening in DEFAULT_N else None,
        "pro_second_adjacent": opening in ("pro", "long_pro") and rng.random() < 0.5,
        "passes": rng.choice(["no", "yes_two_passes_draw"]),
        "max_moves": rng.choice([None, None, None, 30, 100]),
    }


@pytest.mark.parametrize("name", BOOKS)
def test_rulebooks(name: str) -> None:
    met: Counter[str] = Counter()
    game = arena.game(name)
    for seed in seeds(1):
        play_beside(game, seed, met)
    print(f"\n{name}: {dict(sorted(met.items()))}")
    assert met["positions"] > 5


def test_random_settings() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(70):
        rng = random.Random(f"settings {seed}")
        settings = random_settings(rng)
        board = crowded(int(str(settings["size"])), rng)
        setup = begun(board, rng) if settings["opening"] == "free" else None
        play_beside(arena.game("gomoku/doc001", **settings), seed, met, setup)
    print(f"\nrandom settings: {dict(sorted(met.items()))}")
    for phase in ("place", "swap", "choose", "declare", "offer", "swap_or_offer", "pick", "main"):
        assert met[f"phase {phase}"] >= 3, met
    for kind in ("five", "forbidden", "forbidden_claimed", "false_claim", "move_limit"):
        assert met[f"ended {kind}"] >= 3, met
    for kind in ("occupied", "forbidden", "wrong_phase", "wrong_count", "symmetric"):
        assert met[f"refused {kind}"] >= 1, met


def test_the_last_points_of_a_board() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(300):
        rng = random.Random(f"last {seed}")
        board = nearly_full(9, rng)
        fixed: Settings = {
            "size": 9,
            "opening": "free",
            "opening_n": None,
            "pro_second_adjacent": False,
            "max_moves": rng.choice([None, None, rng.randint(76, 81)]),
            "forbidden_enforcement": rng.choice(["illegal", "illegal", "claim_or_lapse"]),
            "passes": rng.choice(["no", "no", "yes_two_passes_draw"]),
        }
        game = arena.game("gomoku/doc001", **{**random_settings(rng), **fixed})
        play_beside(game, seed, met, begun(board, rng))
    print(f"\nlast points: {dict(sorted(met.items()))}")
    for kind in ("two_passes", "board_full", "move_limit", "no_move"):
        assert met[f"ended {kind}"] >= 2, met


def core_fouls(state: State, board: Board, size: int) -> dict[Point, str]:
    """Every point that the core refuses as forbidden, with its kind."""
    (seat,) = state.seats_to_act()
    found = {}
    for point in ((x, y) for x in range(size) for y in range(size) if (x, y) not in board):
        refusal = state.check(seat, text_of(point))
        if refusal is not None:
            assert refusal.reason == IllegalReason.forbidden, refusal
            found[point] = refusal.detail
    return found


def compare_board(game: arena.Game, board: Board, colour: str, met: Counter[str]) -> None:
    """The forbidden points of one board, and how the slow judge comes to them."""
    settings = game.rules.settings()
    judge = Judge(settings, colour)
    expected = judge.fouls(board)
    setup = setup_of(board, colour)
    free = judge.size**2 - len(board)
    if len(expected) == free:
        return
    found = core_fouls(game.new_state(setup=setup), board, judge.size)
    assert found == expected, (
        f"{game.label} {setup}: core {names(found)}, slow rules {names(expected)}"
    )
    met["boards"] += 1
    met["points"] += free
    for kind in expected.values():
        met[kind] += 1
    if settings["three_test"] == "rif_recursive" and judge.bans_three:
        plain = Judge({**settings, "three_test": "rif_9_3a"}, colour)
        shape = Judge({**settings, "three_test": "naive"}, colour)
        for point in ((x, y) for x in range(judge.size) for y in range(judge.size)):
            if point in board or not shape.foul(board, point):
                continue
            met["legal by 9.3 (b)"] += bool(plain.foul(board, point)) and point not in expected
            met["legal by 9.3 (a)"] += not plain.foul(board, point)


def names(fouls: Mapping[Point, str]) -> dict[str, str]:
    """Points as texts."""
    return {text_of(point): kind for point, kind in sorted(fouls.items())}


def test_crowded_boards_under_renju_rules() -> None:
    met: Counter[str] = Counter()
    games = {
        size: arena.game("gomoku/doc001", size=size, forbidden_enforcement="illegal")
        for size in (9, 10, 11, 15)
    }
    for seed in seeds(250):
        rng = random.Random(f"boards {seed}")
        size = rng.choice([9, 9, 9, 10, 11, 15])
        compare_board(games[size], crowded(size, rng), "B", met)
    print(f"\ncrowded boards: {dict(sorted(met.items()))}")
    assert met["double_three"] >= 200, met
    assert met["double_four"] >= 200, met
    assert met["overline"] >= 50, met
    assert met["legal by 9.3 (a)"] >= 20, met
    assert met["legal by 9.3 (b)"] >= 5, met


def test_crowded_boards_under_random_settings() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(400):
        rng = random.Random(f"any boards {seed}")
        size = rng.choice([9, 9, 10, 11])
        fixed: dict[str, bool | int | str | None] = {
            "forbidden_enforcement": "illegal",
            "opening": "free",
            "opening_n": None,
        }
        fixed |= {"size": size, "pro_second_adjacent": False, "max_moves": None}
        settings = {**random_settings(rng), **fixed}
        game = arena.game("gomoku/doc001", **settings)
        board, colour = crowded(size, rng), rng.choice("BBW")
        if colour == "W" or rng.random() < 0.2:
            board = {point: "W" if c == "B" else "B" for point, c in board.items()}
        compare_board(game, board, colour, met)
    print(f"\ncrowded boards, any settings: {dict(sorted(met.items()))}")
    assert min(met[kind] for kind in ("double_three", "double_four", "overline")) >= 20, met
