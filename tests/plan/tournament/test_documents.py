"""What the documents, and two leagues of programs, say of their events: presets sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any

import pytest

from arena.plan.tournament import EventSpec, Programme
from arena.plan.tournament.load import presets, stopping_warning
from arena.plan.tournament.values import By, Fixture
from tests.plan.tournament.kit import engines, matches, names, play, ranking, spec_of, winner_of

RULEBOOKS = {
    "doc000/xiangqi": "xiangqi/doc000",
    "doc000/checkers": "chinese_checkers/doc000",
    "doc001/knockout": "gomoku/doc001",
    "doc001/xiangqi": "xiangqi/doc001",
    "doc001/junqi": "siguo/doc001",
    "doc001/shengji": "tuolaji/r02_ourgame_to_10",
    "doc002/knockout": "tuolaji/r04_three_deck_3_to_K",
    "doc002/groups": "tuolaji/r13_two_deck_joker_level",
    "doc002/swiss": "tuolaji/r19_three_deck_swiss",
    "doc002/league": "tuolaji/r04_three_deck_3_to_K",
    "ucci_league/slow": "xiangqi/ucci_league",
    "ucci_league/fast": "xiangqi/ucci_league",
    "gomocup": "gomoku/freestyle20",
}


def of(preset: str, count: int = 4, **tables: Any) -> EventSpec:
    game: dict[str, Any] = {"rulebook": RULEBOOKS[preset]}
    if game["rulebook"].startswith("tuolaji"):
        game["settings"] = {"unit": "match"}
    return spec_of(**{"preset": preset, "game": game, "engines": engines(count), **tables})


def test_every_preset_is_here() -> None:
    assert set(presets()) == set(RULEBOOKS)
    for preset in RULEBOOKS:
        assert presets()[preset]["sources"], preset


# --- clocks --------------------------------------------------------------------------------------

CLOCKS = [
    ("doc000/xiangqi", {"kind": "increment", "base_ms": 2_700_000, "increment_ms": 0}),
    ("doc000/checkers", {"kind": "byoyomi", "base_ms": 0, "periods": 3, "period_ms": 30_000}),
    ("doc001/junqi", {"kind": "per_move", "move_ms": 30_000}),
    ("ucci_league/slow", {"kind": "increment", "base_ms": 1_800_000, "increment_ms": 10_000}),
    ("ucci_league/fast", {"kind": "increment", "base_ms": 600_000, "increment_ms": 3_000}),
    ("gomocup", {"kind": "increment", "base_ms": 180_000, "increment_ms": 0}),
]


@pytest.mark.parametrize(("preset", "clock"), CLOCKS, ids=[preset for preset, _ in CLOCKS])
def test_clocks(preset: str, clock: dict[str, Any]) -> None:
    assert of(preset).match.clock.model_dump() == clock


def test_other_limits() -> None:
    """Three technical fouls (document 000), a move's limit beside a game's (Gomocup)."""
    game = Programme(of("doc000/xiangqi")).cast.game
    assert game.rules.settings()["technical_foul_limit"] == 3
    assert of("gomocup").match.move_ms == 30_000
    slow, rapid = of("doc001/xiangqi").series.phases
    assert slow.games == 2 and slow.clock.model_dump()["move_ms"] == 300_000
    assert rapid.clock.model_dump()["period_ms"] == 20_000


def test_a_clock_of_another_kind_goes_before_the_presets() -> None:
    """Of the same kind it changes what it names; of another it has nothing left of the preset's."""
    other = of("doc001/junqi", match={"clock": {"kind": "none"}})
    assert other.match.clock.model_dump() == {"kind": "none"}
    longer = of("ucci_league/fast", match={"clock": {"kind": "increment", "increment_ms": 5_000}})
    assert longer.match.clock.model_dump() == {
        "kind": "increment",
        "base_ms": 600_000,
        "increment_ms": 5_000,
    }


# --- document 000 --------------------------------------------------------------------------------


def firsts(seed: int, scores: str) -> list[str]:
    """Who had the first seat in each game of a match whose games went like this for `a`."""
    seen: list[str] = []
    script = iter(scores)

    def decide(fixture: Fixture, _: int, owner: tuple[int, ...]) -> Sequence[float]:
        seen.append(fixture.lineup[fixture.owners.index(owner[0])])
        mine = {"1": 1.0, "=": 0.5, "0": 0.0}[next(script)]
        at = fixture.owners[fixture.lineup.index("a")]
        return [mine if owner == at else 1 - mine for owner in range(2)]

    play(of("doc000/xiangqi", 2).model_copy(update={"seed": seed}), decide)
    return seen


def test_colours_of_document_000() -> None:
    """Exchanged in game 2; by lot in the extra game; on in pairs with exchanged colours after that."""
    extra = set()
    for seed in range(12):
        seen = firsts(seed, "10=" + "==" + "1=")
        assert seen[0] != seen[1]
        assert len(seen) == 7 and seen[3] != seen[4] and seen[5] != seen[6]
        extra.add(seen[2] == seen[0])
    assert extra == {False, True}


def test_tables_of_document_000() -> None:
    """Fours by lot, a three where four do not come out; order of play by lot; the winners draw again."""
    orders, second = set(), set()
    for seed in range(6):
        spec = of("doc000/checkers", 15).model_copy(update={"seed": seed})
        programme = Programme(spec)
        assert sorted(len(fixture.lineup) for fixture in programme.due) == [3, 4, 4, 4]
        orders |= {fixture.lineup for fixture in programme.due}
        done = play(spec)
        groups, final = done.event.stages[0].rounds
        assert [len(match.entrants) for match in final] == [4]
        # One game decides; a winner of each table goes on, and the final ranks.
        assert all(len(match.boards[0].games) == 1 for match in groups)
        assert {match.winner for match in groups} == set(final[0].entrants)
        assert ranking(done)[0] == (1, "a")
        second.add(tuple(names(done)[number] for number in final[0].entrants))
    assert len(orders) > 12
    # Who has which chair of the final is drawn anew: not the order of their tables.
    assert any(list(chairs) != sorted(chairs) for chairs in second)


# --- documents 001 and 003 -----------------------------------------------------------------------


def test_first_moves_are_drawn_and_change_game_by_game() -> None:
    begun = set()
    for seed in range(12):
        seen: list[str] = []

        def decide(
            f: Fixture, _: int, owner: tuple[int, ...], seen: list[str] = seen
        ) -> Sequence[float]:
            seen.append(f.lineup[f.owners.index(owner[0])])
            return [0.5, 0.5]

        (match,) = matches(play(of("doc001/knockout", 2).model_copy(update={"seed": seed}), decide))
        assert len(seen) == 10 and match.by is By.LOTS
        assert all(one != other for one, other in pairwise(seen))
        begun.add(seen[0])
    assert begun == {"a", "b"}


def test_opponents_are_drawn() -> None:
    met = {
        frozenset(frozenset(fixture.lineup) for fixture in Programme(spec).due)
        for spec in (of("doc001/knockout").model_copy(update={"seed": s}) for s in range(12))
    }
    assert len(met) == 3


# --- document 002 --------------------------------------------------------------------------------


def test_the_winners_of_a_round_draw_again() -> None:
    """By lot round after round: over some seeds everybody left may meet everybody."""
    met: set[frozenset[int]] = set()
    for seed in range(30):
        spec = of("doc002/knockout", 8).model_copy(update={"seed": seed})
        story = play(spec, lambda f, _, __: winner_of(f, f.owners[0])).event.stages[0]
        assert [len(wave) for wave in story.rounds] == [4, 2, 1]
        met |= {frozenset(match.entrants) for match in story.rounds[1]}
    assert len(met) > 15


def test_equal_levels_at_the_time_are_the_dealers_or_lots() -> None:
    """A match that the rules leave level is decided by lots, not played again."""
    (match,) = matches(play(of("doc002/knockout", 2), lambda *_: [0.5, 0.5]))
    assert match.by is By.LOTS and len(match.boards[0].games) == 1


# --- leagues of programs -------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["ucci_league/slow", "ucci_league/fast"])
def test_the_league_is_a_double_round_robin(preset: str) -> None:
    """Each pair twice, each side with red once."""
    programme = play(of(preset, 11))
    met = Counter(match.entrants for match in matches(programme))
    assert met == Counter(permutations(range(1, 12), 2))
    # Eleven programs have the twenty-two rounds that a league of twenty or more asks for.
    assert len(programme.event.stages[0].rounds) == 22


def test_gomocup_plays_each_opening_with_both_colours() -> None:
    spec = of("gomocup", 4, series={"games": 6})
    for fixture in Programme(spec).due:
        # Three openings, each with both orders of the seats.
        assert (fixture.games, fixture.blocks) == (6, 3)
        assert fixture.seatings == ((0, 1), (1, 0))
    done = play(spec)
    assert len(matches(done)) == 6
    for match in matches(done):
        begun = Counter(game.first for game in match.boards[0].games)
        assert set(begun.values()) == {3}


# --- until decided -------------------------------------------------------------------------------

OPEN = {"doc000/xiangqi", "doc000/checkers", "doc001/knockout", "doc001/xiangqi", "doc001/junqi"}


@pytest.mark.parametrize("preset", sorted(RULEBOOKS))
def test_matches_until_decided_are_warned_of(preset: str) -> None:
    spec = of(preset)
    assert (stopping_warning([spec.model_dump_json()]) is not None) == (preset in OPEN)
