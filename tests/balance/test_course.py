"""How games go: branching and lead changes, from records played again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import arena
from arena._core import Rng, State
from arena.balance.course import course_of, courses
from arena.balance.leads import LEADS, leader
from arena.cluster import run_sweep
from arena.games import Record, Seat
from arena.games.registry import rulebooks
from arena.ledger import Ledger
from arena.plan import SweepSpec, make_plan


def record_of(rulebook: str, moves: tuple[tuple[Seat, str], ...], setup: str) -> Record:
    game = arena.game(rulebook)
    return Record(game.name, game.rules.settings(), setup, moves)


def played(rulebook: str, seed: int, most: int = 400) -> tuple[Record, list[State]]:
    """A random game and its states, the first one included."""
    game, rng = arena.game(rulebook), Rng(seed)
    state = game.new_state(seed=seed)
    setup, states = state.setup(), [state.clone()]
    moves: list[tuple[Seat, str]] = []
    while (seats := state.seats_to_act()) and len(moves) < most:
        seat = min(seats)
        move = str(state.sample_move(seat, rng))
        state.apply(seat, move)
        moves.append((Seat(seat), move))
        states.append(state.clone())
    return record_of(rulebook, tuple(moves), setup), states


@pytest.mark.parametrize("rulebook", ["gomoku/doc001", "xiangqi/axf", "doudizhu/pagat"])
def test_choices_are_counted_where_they_were_made(rulebook: str) -> None:
    record, states = played(rulebook, 3)
    offered = [
        view
        for state, (seat, _) in zip(states, record.moves, strict=False)
        if (view := state.moves(seat)).complete
    ]
    found = course_of(record)
    assert found.turns == len(offered) > 0
    assert found.choices == sum(len(list(view)) for view in offered)


def test_turns_without_a_whole_list_do_not_count() -> None:
    """What to bury of a hand of 33 cards is a choice among millions, of which some are offered."""
    record, states = played("tuolaji/r10_qq_two_deck", 5)
    whole = sum(
        state.moves(seat).complete for state, (seat, _) in zip(states, record.moves, strict=False)
    )
    assert course_of(record).turns == whole < len(record.moves)


def test_material_leads_in_xiangqi() -> None:
    game = arena.game("xiangqi/axf")
    state = game.new_state(seed=1)
    assert leader("xiangqi", state) is None
    start = state.setup()
    # The cannon takes a horse, is taken by the chariot; the other cannon takes the other horse.
    moves = [(0, "b3b10"), (1, "a10b10"), (0, "h3h10"), (1, "i10h10")]
    leads = []
    for seat, move in moves:
        state.apply(seat, move)
        leads.append(leader("xiangqi", state))
    assert leads == [0, 1, 0, 1]
    record = record_of("xiangqi/axf", tuple((Seat(s), m) for s, m in moves), start)
    assert course_of(record).changes == 3


def test_counts_of_the_other_games() -> None:
    lead = {family: LEADS[family] for family in LEADS}
    cards = {"landlord": 1, "phase": "play", "counts": [9, 4, 5]}
    assert lead["doudizhu"](cards) == {0: -4, 1: -5}
    assert lead["doudizhu"]({**cards, "landlord": None}) == {}
    tricks = [
        {"winner": 1, "points": 20},
        {"winner": 2, "points": 5},
        {"winner": None, "points": 0},
    ]
    assert lead["tuolaji"]({"tricks": tricks}) == {0: 5, 1: 20}
    units = [{"seat": 0, "at": "S12"}, {"seat": 2, "at": None}, {"seat": 1, "at": "E11"}]
    seats = [{"team": 0}, {"team": 1}, {"team": 0}]
    assert lead["siguo"]({"units": units, "seats": seats}) == {0: 1, 1: 1}


def test_steps_left_lead_in_chinese_checkers() -> None:
    """Only at the ends of rounds: the first seat to move is not ahead for having moved."""
    state = arena.game("chinese_checkers/doc001").new_state(seed=1)
    seen = json.loads(state.observe(arena.SPECTATOR))
    count = LEADS["chinese_checkers"]
    start = count(seen)
    assert set(start) == {0, 1} and start[0] == start[1] < 0
    moves = [str(move) for move in state.moves(0)]
    forward = next(m for m in moves if count_after(state, 0, m)[0] == start[0] + 1)
    state.apply(0, forward)
    assert leader("chinese_checkers", state) is None, "half a round says nothing"
    longer = max((str(move) for move in state.moves(1)), key=lambda m: steps_gained(state, 1, m))
    gained = steps_gained(state, 1, longer)
    state.apply(1, longer)
    found = count(json.loads(state.observe(arena.SPECTATOR)))
    assert found == {0: start[0] + 1, 1: start[1] + gained} and gained == 2
    assert leader("chinese_checkers", state) == 1


def count_after(state: State, seat: int, move: str) -> dict[int, float]:
    """The count after a move, as if the round ended with it."""
    after = state.clone()
    after.apply(seat, move)
    seen = json.loads(after.observe(arena.SPECTATOR))
    return LEADS["chinese_checkers"](seen | {"seat_to_act": 0})


def steps_gained(state: State, seat: int, move: str) -> float:
    before = LEADS["chinese_checkers"](
        json.loads(state.observe(arena.SPECTATOR)) | {"seat_to_act": 0}
    )
    return count_after(state, seat, move)[seat] - before[seat]


def test_who_is_home_leads_and_who_is_out_does_not() -> None:
    """A finisher is over 0, the first over the second; pieces taken off are no steps saved."""
    state = arena.game("chinese_checkers/west10_3").new_state(seed=1)
    seen = json.loads(state.observe(arena.SPECTATOR))
    count = LEADS["chinese_checkers"]
    assert len(set(count(seen).values())) == 1
    home = [{"seat": 2, "turn": 40, "place": 1}, {"seat": 1, "turn": 41, "place": 2}]
    found = count(seen | {"finished": home})
    assert found[2] > found[1] > 0 > found[0]
    # Seat 0 does not move any more: a round begins with seat 1.
    assert count(seen | {"out": [0], "seat_to_act": 1}).keys() == {1, 2}
    assert count(seen | {"seat_to_act": 1}) == {}


def test_open_lines_lead_in_gomoku() -> None:
    """Black has three in a row, open at both ends: three lines of five hold them and no stone of White's."""
    state = arena.game("gomoku/freestyle15").new_state(seed=1)
    count = LEADS["gomoku"]
    for seat, move in [(0, "h8"), (1, "a1"), (0, "g8"), (1, "c1"), (0, "i8")]:
        state.apply(seat, move)
    assert count(json.loads(state.observe(arena.SPECTATOR))) == {}, "Black has a stone more"
    state.apply(1, "o15")
    assert count(json.loads(state.observe(arena.SPECTATOR))) == {0: 3, 1: 0}
    assert leader("gomoku", state) == 0
    state.apply(0, "o1")
    state.apply(1, "e8")  # takes one of the lines
    assert count(json.loads(state.observe(arena.SPECTATOR))) == {0: 2, 1: 0}
    state.apply(0, "j8")
    state.apply(1, "b1")  # White has three on the edge, of which one line is open
    assert count(json.loads(state.observe(arena.SPECTATOR))) == {0: 3, 1: 1}
    for seat, move in [(0, "o3"), (1, "d1"), (0, "o5"), (1, "e1")]:
        state.apply(seat, move)
    assert state.outcome() is not None and leader("gomoku", state) == 1, "five in a row"


@pytest.mark.parametrize("family", sorted(LEADS))
def test_every_count_reads_what_a_spectator_sees(family: str) -> None:
    """In every rulebook, from the first move to the last; and somebody leads at some time."""
    ever = False
    for name in rulebooks(f"{family}/*"):
        _, states = played(name, 2, most=150)
        ever |= any(leader(family, state) is not None for state in states[::5])
    assert ever


def test_blocks_are_the_datum(tmp_path: Path) -> None:
    plan = make_plan(
        SweepSpec.model_validate(
            {
                "name": "course",
                "seed": 4,
                "blocks": 12,
                "games": ({"rulebooks": ("doudizhu/pagat",)},),
                "engines": {"greedy": {"use": "greedy"}},
                "records": {"keep": 0.5},
            }
        )
    )
    with Ledger.open(tmp_path / "course.db") as ledger:
        assert run_sweep(plan, ledger, workers=0).complete
        (row,), (part,) = ledger.sweeps(), ledger.table().by_cell()
        kept = list(ledger.records(row.sweep_id))
        found = courses(part, kept, 99)
        fewer = courses(part, kept, 2)
        size = len(part.cell.seatings)
        assert courses(part, [r for r in kept if r.permutation < size - 1], 99) is None
        with pytest.raises(ValueError, match="at least 1"):
            courses(part, kept, 0)
    assert found is not None and fewer is not None and fewer.blocks == 2
    assert 2 < found.blocks == len(kept) / size < 12
    own = [course_of(result.record) for result in kept if result.record]
    assert found.branching is not None and found.lead_changes is not None
    mean = sum(game.choices for game in own) / sum(game.turns for game in own)
    assert found.branching.value == pytest.approx(mean)
    assert found.branching.low < mean < found.branching.high
    changes = [game.changes for game in own if game.changes is not None]
    assert found.lead_changes.value == pytest.approx(np.mean(changes))
