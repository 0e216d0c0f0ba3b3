"""How many games a match has, who begins, what decides it: the documents' cases row by row."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.clock import Byoyomi
from arena.plan.errors import SweepError
from arena.plan.tournament import EventSpec, Programme
from arena.plan.tournament.values import By, Fixture
from tests.plan.tournament.kit import Decide, event, matches, play, result, spec_of

FACTS = tomllib.loads(
    (Path(__file__).parents[2] / "facts" / "tournaments" / "series.toml").read_text("utf-8")
)
GAMES = {
    "doc000/xiangqi": "xiangqi/doc000",
    "doc001/xiangqi": "xiangqi/doc001",
    "doc001/knockout": "gomoku/doc001",
    "doc001/junqi": "siguo/doc001",
}
SCORES = {"1": 1.0, "=": 0.5, "0": 0.0}


def scripted(games: str) -> Decide:
    """Game by game for the entrant that had the first seat in game 1."""
    seen: list[int] = []
    left = iter(games)

    def decide(fixture: Fixture, number: int, owner: tuple[int, ...]) -> Sequence[float]:
        seen.append(owner[0])
        mine = SCORES[next(left)]
        scores = [mine, 1.0 - mine]
        return scores if seen[0] == 0 else scores[::-1]

    return decide


def duel(preset: str) -> EventSpec:
    return spec_of(
        preset=preset, game={"rulebook": GAMES[preset]}, engines={"a": "random", "b": "random"}
    )


@pytest.mark.parametrize("case", FACTS, ids=str)
def test_case(case: str) -> None:
    fact: dict[str, Any] = FACTS[case]
    programme = Programme(duel(fact["preset"]))
    decide = scripted(fact["games"])
    firsts: list[int] = []
    left = len(fact["games"])
    while programme.due and left:
        (fixture,) = programme.due
        results = {fixture.id: result(fixture, decide, frozenset())}
        firsts += [game.first for game in results[fixture.id].games]
        left -= fixture.games
        programme.send(results)
    assert left == 0, "the script's games are all played"
    (match,) = matches(programme)
    if "next" in fact:
        (fixture,) = programme.due
        assert fixture.games == fact["next"]
        if "clock" in fact:
            assert programme.plan(programme.due).match.clock.kind == fact["clock"]
    else:
        assert not programme.due
        assert match.by == fact["by"]
        if "winner" in fact:
            assert match.winner == match.entrants[firsts[0] ^ fact["winner"]]
        assert match.winner is not None
    assert firsts[1] == 1 - firsts[0], "seats are exchanged in the second game"


def test_the_colours_of_document_001_xiangqi() -> None:
    """Lower number red, exchanged, coin for the third, the opposite in the fourth."""
    thirds = set()
    for seed in range(12):
        spec = duel("doc001/xiangqi").model_copy(update={"seed": seed})
        firsts: list[str] = []

        def decide(f: Fixture, _: int, owner: tuple[int, ...], seen: list[str] = firsts) -> Any:
            seen.append(f.lineup[f.owners.index(owner[0])])
            return [0.5, 0.5]

        play(spec, decide)
        assert firsts[:2] == ["a", "b"]
        assert firsts[3] != firsts[2]
        assert len(firsts) == 10
        thirds.add(firsts[2])
    assert thirds == {"a", "b"}


def test_slow_and_rapid_games_have_their_clocks() -> None:
    programme = Programme(duel("doc001/xiangqi"))
    clock = programme.plan(programme.due).match.clock
    assert clock.kind == "per_move"
    assert clock.start().limit_ms == 300_000


@pytest.mark.parametrize(
    ("id", "moves_late", "lost"),
    [("T05-two-warnings", 2, False), ("T05-the-third-loses", 3, True)],
    ids=["T05-two-warnings", "T05-the-third-loses"],
)
def test_rapid_moves_over_time(id: str, moves_late: int, lost: bool) -> None:
    """Moves over 20 seconds are warnings; the third loses, whatever the position."""
    clock = duel("doc001/xiangqi").series.phases[1].clock
    assert isinstance(clock, Byoyomi)
    seat = clock.start()
    for late in range(moves_late):
        if seat.flag_fell(21_000, 0):
            assert lost and late == 2
            return
        seat = clock.after_move(clock.after_move(seat, 21_000), 19_000)
    assert not lost


def test_T07_five_time_outs_are_the_rulebooks_to_count() -> None:
    """Four cost the turn and nothing else; the rules put out whoever has a fifth."""
    spec = duel("doc001/junqi")
    assert spec.match.on_timeout == "skip"
    game = Programme(spec).cast.game
    assert game.rules.settings()["timeout_limit"] == 5


def test_first_to_stops_as_soon_as_it_is_decided() -> None:
    spec = event(
        {"format": "knockout"}, 2, series={"decided": "first_to", "target": 2.5, "most": 9}
    )
    programme = play(spec, scripted("1=1"))
    (match,) = matches(programme)
    assert max(match.scores) == 2.5
    assert match.by is By.GAMES
    # Both at the target at once: the next game that is not drawn decides.
    (match,) = matches(play(spec, scripted("10====1")))
    assert sorted(match.scores) == [3.0, 4.0]


@pytest.mark.parametrize(
    ("games", "began"),
    [("1=0", [0, 1, 0]), ("0=1", [0, 0, 1]), ("==1", [0, 1, 0]), ("111", [0, 1, 1])],
)
@pytest.mark.parametrize("decided", ["fixed", "first_to"])
def test_the_loser_begins(decided: str, games: str, began: list[int]) -> None:
    """By entrant, 0 being who began the first game; a draw changes seats over."""
    series: dict[str, Any] = {"change": "loser_begins", "games": 3}
    if decided == "first_to":
        series = {"change": "loser_begins", "decided": "first_to", "target": 3, "most": 3}
    left, firsts = iter(games), []

    def decide(_: Fixture, __: int, owner: tuple[int, ...]) -> Sequence[float]:
        firsts.append(owner[0])
        mine = SCORES[next(left)]
        return [mine, 1.0 - mine] if firsts[0] == 0 else [1.0 - mine, mine]

    play(event({"format": "knockout"}, 2, series=series), decide)
    assert [first ^ firsts[0] for first in firsts] == began


def test_the_loser_begins_where_more_than_one_game_is_played() -> None:
    with pytest.raises(SweepError, match="a match is one game"):
        Programme(event({"format": "knockout"}, 2, series={"change": "loser_begins"}))
    two = event({"format": "round_robin"}, 2, series={"change": "loser_begins", "games": 2})
    (fixture,) = Programme(two).due
    assert fixture.games == 1, "the second waits for the first"


def test_sudden_death_gives_the_draw_to_the_second_seat() -> None:
    spec = event({"format": "knockout"}, 2, series={"games": 2, "final": "sudden_death"})
    last: list[int] = []

    def draw(_: Fixture, __: int, owner: tuple[int, ...]) -> Sequence[float]:
        last[:] = [owner[0]]
        return [0.5, 0.5]

    (match,) = matches(play(spec, draw))
    assert match.by is By.SUDDEN_DEATH
    assert len(match.boards[0].games) == 3
    assert match.winner == match.entrants[1 - last[0]]


def test_the_lower_number_goes_on_where_the_file_says_so() -> None:
    spec = event({"format": "knockout"}, 2, series={"games": 2, "final": "number"})
    (match,) = matches(play(spec, lambda *_: [0.5, 0.5]))
    assert (match.winner, match.by) == (1, By.NUMBER)


def test_pairs_share_a_deal_and_every_match_of_a_round_has_the_same() -> None:
    spec = event({"format": "round_robin"}, 4, series={"games": 5})
    programme = Programme(spec)
    deals: dict[str, list[int]] = {}
    for fixture in programme.due:
        stretch = range(fixture.first_deal, fixture.first_deal + fixture.blocks)
        deals.setdefault(fixture.id.rsplit("/", 2)[0], []).extend(stretch)
    assert len(deals) == 6
    assert len(set(map(tuple, deals.values()))) == 1
    fixtures = [f for f in programme.due if f.id.startswith("1/1/1/")]
    assert [(f.blocks, len(f.seatings)) for f in fixtures] == [(2, 2), (1, 1)]


@given(st.lists(st.sampled_from("1=0"), min_size=40, max_size=40), st.sampled_from(sorted(GAMES)))
def test_every_match_ends_within_its_cap(games: list[str], preset: str) -> None:
    spec = duel(preset)
    (match,) = matches(play(spec, scripted("".join(games))))
    assert match.winner in (1, 2)
    assert 2 <= len(match.boards[0].games) <= spec.series.most
    a, b = match.scores
    assert (a == b) == (match.by is By.LOTS)


def test_partners_sit_across_and_exchange_sides() -> None:
    spec = spec_of(
        game={"rulebook": "tuolaji/r01_two_deck_to_8"},
        engines=dict.fromkeys(("n", "s", "e", "w"), "random"),
        entrants={"ns": ["n", "s"], "ew": ["e", "w"]},
        stages=[{"format": "round_robin"}],
        series={"games": 2},
    )
    (fixture,) = Programme(spec).due
    tables = [[fixture.lineup[m] for m in seating] for seating in fixture.seatings]
    assert tables == [["n", "e", "s", "w"], ["e", "s", "w", "n"]]
    for seating in fixture.seatings:
        owners = [fixture.owners[m] for m in seating]
        assert owners[0] == owners[2] != owners[1] == owners[3]


def test_lots_follow_from_the_seed_alone() -> None:
    def winners(seed: int) -> list[int | None]:
        spec = event({"format": "knockout"}, 8, series={"games": 2}).model_copy(
            update={"seed": seed}
        )
        return [match.winner for match in matches(play(spec, lambda *_: [0.5, 0.5]))]

    assert winners(1) == winners(1)
    assert len({tuple(winners(seed)) for seed in range(6)}) > 3
    seen = list(itertools.chain.from_iterable(winners(seed)[-1:] for seed in range(60)))
    assert set(seen) == set(range(1, 9))
