"""The slow Siguo Junqi rules: flags shown, homes that fall, and how games end."""

from __future__ import annotations

import pytest

from tests.oracles.siguo import Siguo
from tests.oracles.siguo_positions import FLAGS, MOVERS, position, start


def wander(game: Siguo) -> None:
    """The seat to act moves its piece on or off the point where `MOVERS` has it."""
    ends = f"{game.turn}55", f"{game.turn}45"
    game.play(*(ends if game.standing(ends[0]) is not None else ends[::-1]))


@pytest.mark.parametrize(
    ("attacker", "defender", "shown"), [("司", "炸", "S"), ("司", "司", "SE"), ("司", "军", "")]
)
def test_a_dead_commander_shows_the_flag(attacker: str, defender: str, shown: str) -> None:
    pieces = {**FLAGS, **MOVERS, "S13": "S" + attacker, "C23": "E" + defender}
    game = position(pieces)
    game.play("S13", "C23")
    assert game.shown == set(shown)
    game = position(pieces, commander_reveals_flag=False)
    game.play("S13", "C23")
    assert not game.shown


# -- falling, and the end --------------------------------------------------------------


def test_without_a_move_a_home_falls() -> None:
    pieces = {**FLAGS, **MOVERS, "W64": "W连", "W51": "W雷"}
    del pieces["W55"]
    game = position(pieces, "N")
    game.play("N55", "N45")
    assert game.out == {"W": "no_move"}
    assert game.turn == "S"
    assert not any(unit.owner == "W" and unit.at for unit in game.units.values())


def test_a_fallen_flag_and_the_last_side() -> None:
    pieces = {**FLAGS, **MOVERS, "S61": "E连", "N61": "E排"}
    game = position(pieces, "E")
    game.play("S61", "S62")
    assert game.out == {"S": "flag_captured"}
    assert game.ended is None
    assert not any(unit.home == "S" and unit.at for unit in game.units.values())
    assert game.turn == "N"
    game.play("N55", "N45")
    game.play("W55", "W45")
    game.quiet = 69
    game.play("N61", "N62")
    assert game.ended
    assert game.ended.termination == "flag_captured"
    assert game.ended.places == {"E": 1, "W": 1, "S": 3, "N": 3}


def test_quiet_moves() -> None:
    game = position({**FLAGS, **MOVERS})
    for _ in range(70):
        assert game.ended is None
        wander(game)
    assert game.ended
    assert set(game.ended.places.values()) == {1}


def test_time_outs_count_to_the_limit() -> None:
    game = start(timeout_limit=5)
    for turn in range(17):
        assert not game.out
        game.quiet = 3
        game.time_out()
        assert game.quiet == 3
        assert game.ply == turn + 1
    assert game.out == {"S": "timeout_limit"}
    assert game.turn == "E"
    game.time_out()
    assert game.ended is None
    game.time_out()
    assert game.ended
    assert game.ended.termination == "timeout_limit"
    assert list(game.out) == ["S", "E", "N"]
    assert game.ended.scores == {"S": 0, "N": 0, "E": 1, "W": 1}


@pytest.mark.parametrize(("fate", "owner"), [("remove", None), ("stay", "S"), ("to_captor", "E")])
def test_what_becomes_of_a_fallen_home(fate: str, owner: str | None) -> None:
    """S falls by its flag; its 连 on S55 leaves, stands there, or is E's from now on."""
    pieces = {**FLAGS, **MOVERS, "S61": "E师", "W54": "W军"}
    game = position(pieces, "E", eliminated_pieces=fate)
    game.play("S61", "S62")
    stands = game.standing("S55")
    if owner is None:
        assert stands is None
        return
    assert stands is not None
    assert game.units[stands].owner == owner
    assert game.turn == "N"
    game.play("N55", "N45")
    in_reach = {end for begin, end in game.moves("W") if begin == "W54"}
    assert "S55" not in in_reach
    game.play("W55", "W45")
    assert game.turn == "E"
    own = {begin for begin, _ in game.moves("E")}
    assert ("S55" in own) == (owner == "E")
    game.play("E55", "E45")
    assert game.turn == "N"


def test_a_fallen_home_that_stays_can_be_attacked() -> None:
    pieces = {**FLAGS, **MOVERS, "S61": "E师", "C31": "W军", "S15": "S司", "S64": "S排"}
    game = position(pieces, "E", eliminated_pieces="stay")
    game.play("S61", "S62")
    game.play("N55", "N45")
    game.play("C31", "S15")
    assert game.out == {"S": "flag_captured"}
    assert not game.shown
    commander = next(unit for unit in game.units.values() if unit.rank == "commander")
    assert commander.at == "S15"
    assert game.turn == "E"


def test_a_home_that_fell_for_want_of_a_move_still_has_its_flag_to_show_or_lose() -> None:
    pieces = {**FLAGS, **MOVERS, "S55": "S雷", "S64": "S司", "S63": "E炸", "S61": "E连"}
    game = position(pieces, "W", eliminated_pieces="stay")
    game.play("W55", "W45")
    assert game.out == {"S": "no_move"}
    assert game.turn == "E"
    game.play("S63", "S64")
    assert game.shown == {"S"}
    game.play("N55", "N45")
    game.play("W45", "W55")
    game.play("S61", "S62")
    assert game.out == {"S": "no_move"}
    assert game.battles[-1].result.flag
    assert game.ended is None


def test_passed_over() -> None:
    pieces = {**FLAGS, **MOVERS, "S55": "S雷"}
    game = position(pieces, "W", no_move="pass")
    game.play("W55", "W45")
    assert not game.out
    assert game.turn == "E"
    assert game.ply == 1
    nobody = {**FLAGS, "S55": "S雷", "E51": "W连", "E61": "E雷", "E62": "E旗"}
    game = position(nobody, "W", no_move="pass")
    game.play("E51", "E52")
    assert game.ended is None
    game.play("E52", "E62")
    assert game.ended
    assert game.ended.termination == "no_move"
    assert game.ended.scores == dict.fromkeys("SENW", 0.5)


def test_locks() -> None:
    pieces = {**FLAGS, **MOVERS, "S64": "S连", "W64": "S营"}
    origins = {
        locks: {begin for begin, _ in position(pieces, hq_locks=locks).moves("S")}
        for locks in ("any", "own_only", "none")
    }
    assert origins == {
        "any": {"S55"},
        "own_only": {"S55", "W64"},
        "none": {"S55", "S64", "W64"},
    }


def test_quiet_in_rounds_and_what_resets_it() -> None:
    game = position({**FLAGS, **MOVERS}, quiet_limit=2, quiet_unit="round")
    for ply in range(8):
        assert game.ended is None, ply
        wander(game)
    assert game.ended
    assert game.ended.termination == "quiet_limit"
    assert game.quiet == 8
    stuck = {**FLAGS, **MOVERS, "E55": "E雷"}
    for reset, count in (("fight", 6), ("any_removal", 0)):
        game = position(stuck, quiet_reset=reset)
        game.quiet = 5
        game.play("S55", "S45")
        assert game.out == {"E": "no_move"}
        assert game.quiet == count


def test_the_cap_on_turns() -> None:
    game = position({**FLAGS, **MOVERS}, turn_cap=1)
    for _ in range(4):
        assert game.ended is None
        wander(game)
    assert game.ended
    assert game.ended.termination == "turn_cap"


def test_each_for_itself() -> None:
    pieces = {**FLAGS, **MOVERS, "S61": "E师", "N61": "E团", "W61": "E连"}
    game = position(pieces, "E", teams="ffa")
    for flag in ("S62", "W62", "N62"):
        while game.turn != "E":
            wander(game)
        game.play(f"{flag[0]}61", flag)
    assert game.ended
    assert game.ended.places == {"E": 1, "N": 2, "W": 3, "S": 4}
    assert game.ended.scores == {"E": 1, "N": 2 / 3, "W": 1 / 3, "S": 0}


def test_homes_without_a_seat_are_closed() -> None:
    pieces = {"S62": "S旗", "N62": "N旗", "S31": "S师", "N55": "N连"}
    two = position(pieces, seats=2)
    ends = {end for begin, end in two.moves("S") if begin == "S31"}
    assert "N45" in ends
    assert not {end for end in ends if end[0] in "EW"}
    four = position(pieces)
    assert any(end[0] == "W" for begin, end in four.moves("S") if begin == "S31")


def test_seats_and_order() -> None:
    assert start(seats=3, teams="ffa").order == ["S", "E", "N"]
    assert start(seats=3, teams="ffa", turn_order="cw").order == ["S", "N", "E"]
    assert start(board="luzhanqi60", seats=2, teams="ffa").order == ["S", "N"]
    game: Siguo = start(turn_order="cw")
    assert [game.seats.index(home) for home in game.order] == [0, 3, 2, 1]
