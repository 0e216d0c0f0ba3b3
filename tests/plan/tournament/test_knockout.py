"""Brackets end, byes are fair, tables of four and three."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.event_text import bracket
from arena.plan.tournament import EventSpec
from arena.plan.tournament.knockout import seeded, table_sizes
from arena.plan.tournament.values import By, Fixture, Match
from tests.plan.tournament.kit import Decide, event, matches, names, play, ranking, spec_of

CHECKERS = {"rulebook": "chinese_checkers/doc000"}


def by_chance(seed: int) -> Decide:
    rng = random.Random(seed)

    def decide(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
        at = rng.choice(sorted(set(fixture.owners)))
        return [float(other == at) for other in range(fixture.width)]

    return decide


@given(st.integers(2, 24), st.sampled_from(["lot", "seeds", "each_round"]), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_every_knock_out_leaves_one(count: int, draw: str, seed: int) -> None:
    spec = event({"format": "knockout", "draw": draw}, count).model_copy(update={"seed": seed})
    programme = play(spec, by_chance(seed))
    story = programme.event.stages[0]
    assert [place for place, _ in story.ranking].count(1) == 1
    assert sorted(number for _, number in story.ranking) == list(range(1, count + 1))
    played = [match for match in story.matches if not match.bye]
    assert len(played) == count - 1
    lost = Counter(n for match in played for n in match.entrants if n != match.winner)
    assert set(lost.values()) == {1}
    byes = Counter(match.entrants[0] for match in story.matches if match.bye)
    assert not byes or max(byes.values()) == 1
    assert len(story.rounds) == (count - 1).bit_length()


def test_T12_seven_entrants_have_one_bye() -> None:
    for draw in ("lot", "seeds", "each_round"):
        programme = play(event({"format": "knockout", "draw": draw}, 7))
        byes = [match for match in matches(programme) if match.bye]
        assert len([match for match in byes if match.round == 1]) == 1
        assert len(byes) == 1


def test_the_seeds_meet_last() -> None:
    assert seeded([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert seeded([1, 2, 3, 4, 5]) == [1, None, 4, 5, 2, None, 3, None]
    programme = play(event({"format": "knockout", "draw": "seeds", "third_place": True}, 8))
    assert ranking(programme) == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (4, "d"),
        (5, "e"),
        (5, "f"),
        (5, "g"),
        (5, "h"),
    ]


def test_a_bracket_fits_eighty_columns() -> None:
    programme = play(event({"format": "knockout", "draw": "seeds"}, 6))
    name = {1: "甲乙丙丁戊己庚辛壬癸甲乙丙丁", **{n: f"engine-{n}" * 3 for n in range(2, 7)}}
    drawn = bracket(programme.event.stages[0], name, 80)
    assert len(drawn) == 15
    from rich.cells import cell_len

    assert max(map(cell_len, drawn)) <= 80
    assert "甲乙" in drawn[7] and drawn[7].startswith(" " * 40)
    plain = bracket(programme.event.stages[0], names(programme), 80)
    assert [line.split() for line in plain[:3]] == [["a", "┐"], ["├", "a", "1┐"], ["–", "┘", "│"]]


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (4, [4]),
        (5, [3, 2]),
        (6, [3, 3]),
        (7, [4, 3]),
        (8, [4, 4]),
        (9, [3, 3, 3]),
        (10, [4, 3, 3]),
        (11, [4, 4, 3]),
        (13, [4, 3, 3, 3]),
        (16, [4] * 4),
        (3, [3]),
        (2, [2]),
    ],
    ids=str,
)
def test_groups_of_three_before_groups_of_two(count: int, sizes: list[int]) -> None:
    assert table_sizes(count, 4) == sizes


def tables(count: int, **more: object) -> EventSpec:
    return spec_of(
        preset="doc000/checkers",
        game=CHECKERS,
        engines=dict.fromkeys([f"e{n:02}" for n in range(count)], "random"),
        **more,
    )


@given(st.integers(2, 30), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_tables_go_on_until_one_is_left(count: int, seed: int) -> None:
    programme = play(tables(count), by_chance(seed))
    story = programme.event.stages[0]
    assert len(story.rounds[-1]) == 1
    assert sorted(number for _, number in story.ranking) == list(range(1, count + 1))
    assert [place for place, _ in story.ranking].count(1) == 1
    for one, two in zip(story.rounds, story.rounds[1:], strict=False):
        onward = sorted(match.winner or 0 for match in one)
        assert onward == sorted(n for match in two for n in match.entrants)
    for match in story.matches:
        assert 2 <= len(match.entrants) <= 4


def test_T09_a_draw_of_two_at_a_table_of_four_is_played_again_by_those_two() -> None:
    games: list[tuple[int, ...]] = []

    def decide(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
        games.append(fixture.owners)
        if len(games) == 1:
            return [5 / 6, 0.25, 5 / 6, 0.25]
        return [0.0, 0.0, 1.0, 0.0]

    programme = play(tables(4), decide)
    assert games[0] == (0, 1, 2, 3)
    assert sorted(games[1]) == [0, 2]
    (match,) = matches(programme)
    assert (match.winner, match.by) == (match.entrants[2], By.GAMES)
    plan = programme.plan()
    assert [cell.game.seats for cell in plan.cells] == [4, 2]


def test_a_table_that_stays_level_is_decided_by_lot() -> None:
    def level(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
        return [0.5 if at in fixture.owners else 0.0 for at in range(fixture.width)]

    (match,) = matches(play(tables(3), level))
    assert match.by is By.LOTS
    assert len(match.boards[0].games) == 10


def test_who_does_not_come_to_a_table_is_out() -> None:
    def away(fixture: Fixture) -> frozenset[int]:
        return frozenset(
            fixture.owners[fixture.lineup.index("e00")] for _ in (0,) if "e00" in fixture.lineup
        )

    programme = play(tables(4), None, away)
    (match,) = matches(programme)
    assert names(programme)[match.winner or 0] == "e01"
    assert len(match.boards[0].games) == 1


def test_an_absent_entrant_is_out_of_a_knock_out_and_two_of_them_draw_lots() -> None:
    entrants: dict[str, object] = {name: name for name in "abcd"}
    for name in "ad":
        entrants[name] = {"engines": name, "absent": [1]}
    programme = play(event({"format": "knockout", "draw": "seeds"}, 4, entrants=entrants))
    first: Match = matches(programme)[0]
    assert first.by is By.LOTS or first.by is By.FORFEIT
    assert first.winner in first.entrants
    assert sorted(n for _, n in programme.event.stages[0].ranking) == [1, 2, 3, 4]
    assert first.boards[0].games == ()


def test_the_final_of_document_001_has_rules_of_its_own() -> None:
    spec = spec_of(
        preset="doc001/shengji",
        game={"rulebook": "tuolaji/r02_ourgame_to_10", "settings": {"unit": "match"}},
        engines=dict.fromkeys("abcdefg", "random"),
    )
    programme = play(spec)
    rounds, final = programme.event.stages
    assert [len(matches) for matches in rounds.rounds] == [4, 2]
    assert len(rounds.seeds) == 7 and len(final.seeds) == 2
    assert ranking(programme)[0] == (1, "a")
    assert len(ranking(programme)) == 7
    finishes = [cell.game.rules.settings()["finish"] for cell in programme.plan().cells]
    assert finishes == ["past:10"] * 5 + ["past:A"]


@given(st.integers(3, 20), st.sampled_from([2, 4, 8]), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_a_knock_out_in_two_stages_is_one(count: int, advance: int, seed: int) -> None:
    if advance >= count:
        return
    stages: list[dict[str, Any]] = [
        {"format": "knockout", "draw": "seeds", "advance": advance},
        {"format": "knockout", "draw": "seeds"},
    ]
    programme = play(event(stages, count).model_copy(update={"seed": seed}), by_chance(seed))
    first, second = programme.event.stages
    assert len(second.seeds) == advance
    lost = Counter(
        n for m in first.matches + second.matches if not m.bye for n in m.entrants if n != m.winner
    )
    assert set(lost.values()) == {1} and len(lost) == count - 1
    assert [place for place, _ in programme.event.ranking].count(1) == 1
    assert [place for place, _ in programme.event.ranking][advance] == advance + 1


@given(st.integers(2, 24), st.sampled_from(["lot", "seeds"]), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_in_double_elimination_everybody_but_one_loses_twice(
    count: int, draw: str, seed: int
) -> None:
    spec = event({"format": "double_elimination", "draw": draw}, count)
    programme = play(spec.model_copy(update={"seed": seed}), by_chance(seed))
    story = programme.event.stages[0]
    played = [match for match in story.matches if not match.bye]
    lost = Counter(n for match in played for n in match.entrants if n != match.winner)
    (best,) = [number for place, number in story.ranking if place == 1]
    again = any(match.label == "second_final" for match in played)
    assert lost.pop(best, 0) == again
    assert set(lost.values()) == {2} and len(lost) == count - 1
    assert sorted(number for _, number in story.ranking) == list(range(1, count + 1))
    # Who has lost plays on below, and nobody who has lost twice plays at all.
    losses: Counter[int] = Counter()
    for wave in story.rounds:
        at = Counter(losses)
        for match in wave:
            below = {"upper": 0, "lower": 1}.get(match.label)
            for number in match.entrants:
                assert below is None or at[number] == below
                losses[number] += number != match.winner
    # Who is placed better stayed in for at least as many rounds.
    last = {n: r for r, wave in enumerate(story.rounds) for m in wave for n in m.entrants}
    stayed = [last[number] for _, number in story.ranking]
    assert stayed == sorted(stayed, reverse=True)


def test_double_elimination_of_eight_by_hand() -> None:
    """The stronger wins, but for one upset: 2 loses to 7 at once and comes back to the final."""

    def decide(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
        best = min(fixture.lineup)
        if set(fixture.lineup) == {"b", "g"}:
            best = "g" if fixture.id.startswith("1/1/") else "b"
        owner = fixture.owners[fixture.lineup.index(best)]
        return [float(at == owner) for at in range(fixture.width)]

    programme = play(event({"format": "double_elimination", "draw": "seeds"}, 8), decide)
    story = programme.event.stages[0]
    name = names(programme)
    shown = [
        {"".join(sorted(name[n] for n in m.entrants)) + m.label[0] for m in wave}
        for wave in story.rounds
    ]
    assert shown == [
        {"ahu", "deu", "bgu", "cfu"},
        {"adu", "cgu", "ehl", "bfl"},
        {"egl", "bdl"},
        {"acu", "bel"},
        {"bcl"},
        {"abg"},
    ]
    assert [place for place, _ in ranking(programme)] == [1, 2, 3, 4, 5, 5, 7, 7]
    assert [who for _, who in ranking(programme)[:4]] == ["a", "b", "c", "e"]


def test_double_elimination_comes_last() -> None:
    from arena.plan.errors import SweepError
    from arena.plan.tournament.check import check_event

    spec = event([{"format": "double_elimination"}, {"format": "round_robin"}], 6)
    with pytest.raises(SweepError, match="leaves one: it must come last"):
        check_event(spec)
