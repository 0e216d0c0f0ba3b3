"""What a seat knows: the ranks a unit can still be, and other worlds that look the same."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

import arena
from arena import SPECTATOR
from arena._core import Rng
from tests.games.siguo.boards import FOUR, LAYOUT, at, board, seen

ALL = "F123456789MB"
MOVERS = "123456789B"
IDLE = {"E": "2-@E51", "N": "2-@N51", "W": "2-@W51"}
VISIBILITIES = ["doc001", "double_bright", "half_bright", "bright", "captor", "dark60"]


def without(letters: str, of: str = ALL) -> str:
    return "".join(letter for letter in of if letter not in letters)


def test_the_start_leaves_what_may_begin_there() -> None:
    state = arena.game("siguo/doc001").new_state(setup=FOUR)
    assert at(state, "W11", 0).ranks == without("FMB")
    assert at(state, "W21", 0).ranks == without("FM")
    assert at(state, "W51", 0).ranks == without("F")
    assert at(state, "W62", 0).ranks == ALL
    assert at(state, "S62", 0).ranks == "F"
    assert at(state, "S62").ranks == ALL


def test_what_moved_is_no_mine() -> None:
    state = board(S="2-@S55,3-@S54,M-@S51,F-@S62", **IDLE)
    assert at(state, "S55", 1).ranks == "F23M"
    state.apply(0, "S55-S45")
    assert at(state, "S45", 1).ranks == "23"
    assert at(state, "S45", 1).moves == 1


def test_only_a_turn_shows_an_engineer() -> None:
    state = board(S="1-@S11,1-@S15,2-@S51,3-@S55", **IDLE)
    straight, turned = state.clone(), state.clone()
    straight.apply(0, "S11-C12")
    assert at(straight, "C12", 1).ranks == "123"
    events = turned.apply(0, "S11-C23")
    assert at(turned, "C23", 1).ranks == "1"
    assert ("reveal", "1 C23") in [(event.kind, event.text) for event in events]


def test_the_way_that_was_free_then_counts() -> None:
    """With the straight way blocked, only an engineer comes round."""
    state = board(S="1-@S11,1-@S15,2-@S51,3-@S55", E="2-@E51", N="2-@C12", W="2-@W51")
    state.apply(0, "S11-C11")
    assert at(state, "C11", 1).ranks == "1"


def test_what_beat_a_known_unit_is_higher() -> None:
    """W sees its brigade (6) lose to an attacker: 7, 8 or 9, and no bomb, which is lost too."""
    state = board(S="7-@C11,8-@S51,9-@S52,6-@S53,B-@S54", E="2-@E51", N="2-@N51", W="6-@C12,2-@W51")
    state.apply(0, "C11-C12")
    assert at(state, "C12", 3).ranks == "789"
    # A bystander knows neither; the attacker is above something.
    assert at(state, "C12", 1).ranks == "6789"


def test_the_engineer_that_beat_an_immobile_unit_met_a_mine() -> None:
    state = board(S="1-@C11,2-@S51", E="2-@E51", N="2-@N51", W="M-@C12,2-@W51,3-@W55")
    state.apply(0, "C11-C12")
    (lost,) = [unit for unit in seen(state, 0).units if unit.unit == 75]
    assert lost.ranks == "M"
    assert lost.at is None


def test_equal_ranks_or_a_bomb() -> None:
    state = board(S="5-@C11,B-@S51,2-@S55", E="2-@E51", N="2-@N51", W="5-@C12,B-@W51,2-@W55")
    state.apply(0, "C11-C12")
    mine, theirs = (unit for unit in seen(state, 0).units if unit.at is None)
    assert (mine.ranks, theirs.ranks) == ("5", "5B")
    mine, theirs = (unit for unit in seen(state, 1).units if unit.at is None)
    assert (mine.ranks, theirs.ranks) == ("25B", "25B")


def test_a_lost_commander_is_told_by_the_flag() -> None:
    """J12 and J35: both are lost, only W's flag shows, so W lost its commander to a bomb."""
    state = board(
        S="B-@C11,F-@S62,2-@S51,9-@S55",
        E="2-@E51",
        N="2-@N51",
        W="9-@C12,F-@W62,2-@W64,B-@W55,3-@W51",
    )
    events = state.apply(0, "C11-C12")
    assert ("reveal", "F W62") in [(event.kind, event.text) for event in events]
    for viewer in (SPECTATOR, 1, 2):
        mine, theirs = (unit for unit in seen(state, viewer).units if unit.at is None)
        assert (mine.ranks, theirs.ranks) == ("B", "9")
        assert at(state, "W62", viewer).ranks == "F"
        # No more than that: nothing else of either army is told apart.
        assert len(at(state, "W51", viewer).ranks) > 1
        assert len(at(state, "S51", viewer).ranks) > 1


def test_a_lost_unit_without_a_flag_shown_was_no_commander() -> None:
    state = board(S="7-@C11,F-@S62,9-@S51,2-@S55", E="2-@E51", N="2-@N51", W="8-@C12,F-@W62,9-@W51")
    state.apply(0, "C11-C12")
    (lost,) = [unit for unit in seen(state, 1).units if unit.at is None]
    assert lost.ranks == "27"
    off = board(
        S="7-@C11,F-@S62,9-@S51,2-@S55",
        E="2-@E51",
        N="2-@N51",
        W="8-@C12,F-@W62,9-@W51",
        commander_reveals_flag=False,
    )
    off.apply(0, "C11-C12")
    (lost,) = [unit for unit in seen(off, 1).units if unit.at is None]
    assert lost.ranks == "27", "nothing of W beats a commander but a bomb, which is lost too"


def test_an_army_has_so_many_of_a_rank() -> None:
    """Both engineers of an army of four have shown themselves: the others are none."""
    state = board(S="1-@S11=1,1-@S15=1,2-@S51,3-@S55", **IDLE)
    assert at(state, "S51", 1).ranks == "23"
    # Two units that share two ranks leave none of them to others.
    state = board(S="4-@S11=45,5-@S15=45,6-@S51,7-@S55", **IDLE)
    assert at(state, "S51", 1).ranks == "67"


@pytest.mark.parametrize(
    ("book", "ally", "enemy", "attacker"),
    [
        ("doc001", "2345", "345", "789"),
        ("double_bright", "2", "345", "789"),
        ("half_bright", "2345", "3", "789"),
        ("bright", "2", "3", "8"),
    ],
)
def test_what_each_visibility_shows(book: str, ally: str, enemy: str, attacker: str) -> None:
    """Seat 2 looks at its ally (south), at what was attacked, and at the attacker."""
    state = board(
        book,
        S="8-@C11=789,7-@S35=789,9-@S25=789,2-@S51=2345,3-@S45=2345,4-@S52=2345,5-@S53=2345"
        if book != "bright"
        else "8-@C11,7-@S35,9-@S25,2-@S51,3-@S45,4-@S52,5-@S53",
        W="3-@C12=345,4-@W51=345,5-@W55=345" if book != "bright" else "3-@C12,4-@W51,5-@W55",
        E="2-@E51",
        N="2-@N51",
    )
    state.apply(0, "C11-C12")
    (lost,) = [
        unit for unit in seen(state, 1 if book == "double_bright" else 2).units if unit.unit == 75
    ]
    if book == "double_bright":
        assert lost.ranks == "3", "west is east's ally"
        (lost,) = [unit for unit in seen(state, 0).units if unit.unit == 75]
    assert lost.ranks == enemy
    assert at(state, "S51", 2).ranks == ally
    assert at(state, "C12", 2 if book != "double_bright" else 1).ranks == attacker


def test_ranks_of_a_fight_may_be_shown() -> None:
    state = board(
        S="8-@C11,9-@S51", W="3-@C12,4-@W51", E="2-@E51", N="2-@N51", combat_disclosure="ranks"
    )
    state.apply(0, "C11-C12")
    for viewer in (SPECTATOR, 1, 2, 3):
        assert at(state, "C12", viewer).ranks == "8"
        (lost,) = [unit for unit in seen(state, viewer).units if unit.at is None]
        assert lost.ranks == "3"


def test_a_seat_that_cannot_move_shows_what_stays() -> None:
    state = board(
        S="2-@S51", E="2-@E51", N="2-@N51", W="M-@W61,F-@W62,3-@W64", turn=2, no_move="pass"
    )
    assert at(state, "W61", 0).ranks == "F3M"
    state.apply(2, "N51-N41")
    # In the open and yet stuck: mine or flag. The others are held where they are.
    assert at(state, "W61", 0).ranks == "FM"
    assert at(state, "W64", 0).ranks == "F3M"


def test_the_only_unit_that_can_move_is_no_mine() -> None:
    state = board(S="2-@S51", E="2-@E51", N="2-@N51", W="3-@W61,F-@W62,M-@W64", turn=2)
    state.apply(2, "N51-N41")
    assert state.seats_to_act() == {3}
    assert at(state, "W61", 0).ranks == "3"


def test_nothing_is_hidden_once_it_is_over() -> None:
    state = board(S="8-@W61,9-@S51", W="F-@W62,3-@W51", N="2-@N51", E="-", rest="out=1n")
    state.apply(0, "W61-W62")
    assert state.outcome() is not None
    assert [unit.ranks for unit in seen(state).units] == ["8", "9", "2", "F", "3"]


# Brute force: small armies, every way to give their ranks out.


def consistent(state: arena.State, viewer: int) -> list[tuple[str, ...]]:
    """Every giving out of ranks whose set-up the rules accept and that looks the same."""
    game = arena.game("siguo/doc001")
    setup = state.setup()
    words = dict(word.split("=", 1) for word in setup.split())
    armies = {home: words[home].split(",") for home in "SENW" if words[home] != "-"}
    seat = {"S": 0, "E": 1, "N": 2, "W": 3}
    text = state.observe(viewer)
    ways: list[list[tuple[str, ...]]] = []
    for home, units in armies.items():
        given = tuple(unit[0] for unit in units)
        hidden = sorted(set(itertools.permutations(given)))
        ways.append([given] if seat[home] == viewer else hidden)
    found = []
    for world in itertools.product(*ways):
        parts = dict(words)
        for (home, units), letters in zip(armies.items(), world, strict=True):
            parts[home] = ",".join(r + unit[1:] for r, unit in zip(letters, units, strict=True))
        try:
            other = game.new_state(setup=" ".join(f"{k}={v}" for k, v in parts.items()))
        except arena.games.SetupError:
            continue
        if other.observe(viewer) == text:
            found.append(tuple(letter for letters in world for letter in letters))
    return found


SMALL = [
    ("S=7-@C11,8-@C12,2-@S51,B-@S55 W=6-@W11,M-@W51,F-@W62 E=2-@E51 N=3-@N51", ["C11-W11", "E51-E41", "N51-N41"]),
    ("S=B-@C11,9-@C12,F-@S62,2-@S51 W=9-@W11,5-@W15,F-@W62,3-@W64 E=2-@E51 N=3-@N51", ["C11-W11", "E51-E41"]),
    ("S=1-@C11,1-@C12,2-@S51,3-@S55 W=M-@W11,5-@W15,B-@W51 E=2-@E51 N=3-@N51", ["C11-W11", "E51-E41", "N51-N41", "W15-C13"]),
]  # fmt: skip


@pytest.mark.parametrize(("setup", "moves"), SMALL)
def test_sets_hold_every_consistent_rank_and_worlds_are_among_them(
    setup: str, moves: list[str]
) -> None:
    state = arena.game("siguo/doc001").new_state(setup=setup)
    for move in moves:
        (seat,) = state.seats_to_act()
        state.apply(seat, move)
    for viewer in (0, 1, 3):
        worlds = consistent(state, viewer)
        truth = tuple(
            unit[0]
            for word in state.setup().split()
            if word[0] in "SENW" and word[1] == "="
            for unit in word[2:].split(",")
        )
        assert truth in worlds
        for number, unit in enumerate(seen(state, viewer).units):
            possible = {world[number] for world in worlds}
            assert possible <= set(unit.ranks)
            assert unit.ranks == "".join(letter for letter in ALL if letter in possible)
        rng = Rng(3)
        drawn: Counter[tuple[str, ...]] = Counter()
        for _ in range(40 * len(worlds)):
            other = state.resample(viewer, rng)
            drawn[
                tuple(
                    unit[0]
                    for word in other.setup().split()
                    if word[0] in "SENW" and word[1] == "="
                    for unit in word[2:].split(",")
                )
            ] += 1
        assert set(drawn) == set(worlds)
        assert max(drawn.values()) < 4 * min(drawn.values()) + 40


# Whole games.


@pytest.mark.parametrize("book", VISIBILITIES)
def test_other_worlds_look_the_same_and_do_not_remember_the_true_one(book: str) -> None:
    """A world drawn from another world is the world drawn from the truth: nothing leaks."""
    game = arena.game(f"siguo/{book}", layout_source="random")
    checked = 0
    for seed in range(3):
        state, rng = game.new_state(seed), Rng(seed)
        engine = game.core.engine("greedy:noise=40")
        engine.new_game(seed)
        while state.seats_to_act() and state.plies < 160:
            (seat,) = state.seats_to_act()
            if state.plies % 16 == 8:
                for viewer in range(game.seats):
                    text = state.observe(viewer)
                    other = state.resample(viewer, rng)
                    assert other.observe(viewer) == text
                    again = state.resample(viewer, Rng(7)).setup()
                    assert other.resample(viewer, Rng(7)).setup() == again
                    checked += 1
            state.apply(seat, engine.choose(state, seat)[0])
    assert checked > 20


@pytest.mark.parametrize("book", VISIBILITIES)
def test_sets_hold_the_truth_and_shrink(book: str) -> None:
    game = arena.game(f"siguo/{book}")
    state = game.new_state(setup=FOUR if game.seats == 4 else f"S={LAYOUT} N={LAYOUT}")
    engine = game.core.engine("greedy:noise=30")
    engine.new_game(2)
    known: dict[tuple[int, int], set[str]] = {}
    while state.seats_to_act() and state.plies < 240:
        (seat,) = state.seats_to_act()
        state.apply(seat, engine.choose(state, seat)[0])
        if not state.seats_to_act():
            break
        truth = {
            u.unit: u.ranks
            for s in range(game.seats)
            for u in seen(state, s).units
            if u.unit // 25 == s
        }
        for viewer in (SPECTATOR, *range(game.seats)):
            for unit in seen(state, viewer).units:
                assert truth[unit.unit] in unit.ranks
                before = known.get((viewer, unit.unit), set(ALL))
                assert set(unit.ranks) <= before
                known[viewer, unit.unit] = set(unit.ranks)


def test_what_is_known_reads_back() -> None:
    game = arena.game("siguo/captor", layout_source="random")
    state, rng = game.new_state(5), Rng(5)
    while state.seats_to_act() and state.plies < 500:
        (seat,) = state.seats_to_act()
        state.apply(seat, state.sample_move(seat, rng))
        if state.plies % 25 == 0:
            again = game.new_state(setup=state.setup())
            assert again.setup() == state.setup()
            for viewer in (SPECTATOR, *range(4)):
                assert again.observe(viewer) == state.observe(viewer)
