"""How games go: branching and lead changes, from records played again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import arena
from arena._core import Rng, State
from arena.balance.course import LEADS, course_of, courses, leader
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
