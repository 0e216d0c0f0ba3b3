"""Swiss rounds: nobody meets twice, one bye at most, seats balanced; both systems."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.plan.tournament.swiss import Player, dutch, neighbours, perfect_matching, seat_pair
from arena.plan.tournament.values import Fixture, Match
from tests.plan.tournament.kit import event, matches, names, play, ranking, spec_of, winner_of


def chancy(seed: int) -> Any:
    rng = random.Random(seed)

    def decide(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
        at = rng.choice((0, 1, None))
        return [0.5, 0.5] if at is None else winner_of(fixture, at)

    return decide


@given(st.integers(4, 16), st.sampled_from(["dutch", "neighbours"]), st.integers(0, 9_999))
@settings(max_examples=30, deadline=None)
def test_nobody_meets_twice_and_byes_come_once(count: int, system: str, seed: int) -> None:
    rounds = max(1, count // 2)  # so many rounds can always be paired
    stage = {"format": "swiss", "system": system, "rounds": rounds}
    programme = play(event(stage, count).model_copy(update={"seed": seed}), chancy(seed))
    story = programme.event.stages[0]
    assert len(story.rounds) == rounds
    met = Counter(frozenset(m.entrants) for m in story.matches if not m.bye)
    assert max(met.values()) == 1
    assert not story.notes
    for played in story.rounds:
        busy = [number for match in played for number in match.entrants]
        assert sorted(busy) == list(range(1, count + 1))
    byes = Counter(m.entrants[0] for m in story.matches if m.bye)
    assert sum(byes.values()) == (rounds if count % 2 else 0)
    assert not byes or max(byes.values()) == 1


@given(st.integers(6, 20), st.integers(0, 9_999))
@settings(max_examples=20, deadline=None)
def test_seats_are_balanced_in_the_dutch_system(count: int, seed: int) -> None:
    rounds = count // 2
    stage = {"format": "swiss", "rounds": rounds}
    programme = play(event(stage, count).model_copy(update={"seed": seed}), chancy(seed))
    story = programme.event.stages[0]
    for number in range(1, count + 1):
        seats = [
            m.entrants[0] == number for m in story.matches if number in m.entrants and not m.bye
        ]
        leader = rows(story)[number].points > (rounds - 1) / 2 - 1
        for upto in range(1, len(seats) + 1):
            balance = sum(1 if first else -1 for first in seats[:upto])
            # Only leaders of the last round may be out of balance.
            assert abs(balance) <= 2 or (upto == len(seats) and leader)
            three = len(set(seats[upto - 3 : upto])) == 1 and upto >= 3
            assert not three or (upto == len(seats) and leader)


def rows(story: Any) -> dict[int, Any]:
    return {row.entrant: row for row in story.tables[0].rows}


@given(st.integers(4, 12), st.integers(0, 999))
@settings(max_examples=15, deadline=None)
def test_all_rounds_that_there_can_be(count: int, seed: int) -> None:
    """Up to a whole round robin: repeats are few, and said."""
    rounds = count - 1 + count % 2
    for system in ("dutch", "neighbours"):
        stage = {"format": "swiss", "system": system, "rounds": rounds}
        programme = play(event(stage, count).model_copy(update={"seed": seed}), chancy(seed))
        story = programme.event.stages[0]
        met = Counter(frozenset(m.entrants) for m in story.matches if not m.bye)
        repeats = sum(times - 1 for times in met.values())
        assert bool(repeats) == bool(story.notes)
        byes = Counter(m.entrants[0] for m in story.matches if m.bye)
        assert not byes or max(byes.values()) <= 2


def test_the_first_round_is_upper_half_against_lower_half() -> None:
    programme = play(event({"format": "swiss", "rounds": 1}, 7))
    pairs = [set(m.entrants) for m in matches(programme)]
    assert pairs == [{1, 4}, {2, 5}, {3, 6}, {7}]
    firsts = [m.entrants[0] for m in matches(programme)[:3]]
    assert firsts in ([1, 5, 3], [4, 2, 6])


def test_the_strongest_win_a_swiss() -> None:
    programme = play(event({"format": "swiss", "rounds": 4}, 16))
    assert ranking(programme)[0] == (1, "a")
    assert rows(programme.event.stages[0])[1].points == 4
    assert Counter(row.points for row in rows(programme.event.stages[0]).values()) == {
        4: 1,
        3: 4,
        2: 6,
        1: 4,
        0: 1,
    }


# --- document 002, 2016 -----------------------------------------------------------------


def players(points: Sequence[float], met: Sequence[tuple[int, int]]) -> list[Player]:
    made = [Player(at + 1, at, value) for at, value in enumerate(points)]
    for a, b in met:
        made[a - 1].opponents.add(b)
        made[b - 1].opponents.add(a)
    return made


@pytest.mark.parametrize(
    ("id", "met", "pairs"),
    [
        ("first-second", [], [{1, 2}, {3, 4}, {5, 6}]),
        ("take-the-next", [(1, 2)], [{1, 3}, {2, 4}, {5, 6}]),
        ("take-the-next-but-one", [(1, 2), (1, 3)], [{1, 4}, {2, 3}, {5, 6}]),
        ("at-the-end", [(5, 6)], [{1, 2}, {3, 5}, {4, 6}]),
        ("back-up", [(5, 6), (3, 5), (3, 6), (4, 5), (4, 6)], [{1, 5}, {2, 6}, {3, 4}]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_neighbours_of_the_table(
    id: str, met: list[tuple[int, int]], pairs: list[set[int]]
) -> None:
    found = neighbours(players([5, 4, 3, 2, 1, 0], met), lambda _: True)
    assert [set(pair) for pair in found.pairs] == pairs
    assert found.repeats == 0


def test_neighbours_that_all_have_met_meet_again() -> None:
    met = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    found = neighbours(players([3, 2, 1, 0], met), lambda _: True)
    assert found.repeats == 2
    assert [set(pair) for pair in found.pairs] == [{1, 2}, {3, 4}]


def test_the_bye_goes_to_the_last_who_had_none() -> None:
    five = players([4, 3, 2, 1, 0], [])
    five[4].had_bye = True
    assert neighbours(five, lambda _: True).bye == 4
    assert dutch(players([1, 1, 0, 0, 0], [(1, 3)]), True).bye == 5


def event_2016(count: int) -> Any:
    return spec_of(
        preset="doc002/swiss",
        game={"rulebook": "tuolaji/r19_three_deck_swiss"},
        engines={f"e{n:02}": "random" for n in range(1, count + 1)},
    )


def test_the_event_of_2016_pairs_by_the_table_of_the_round_before() -> None:
    spec = event_2016(8)
    seen: list[list[int]] = []
    programme = play(spec)
    story = programme.event.stages[0]
    assert len(story.rounds) == 5
    first = [set(m.entrants) for m in story.rounds[0]]
    other = play(spec.model_copy(update={"seed": 99})).event.stages[0]
    assert first != [set(m.entrants) for m in other.rounds[0]], "round 1 is by lot"
    points: Counter[int] = Counter()
    for played in story.rounds:
        seen.append([points[n] for m in played for n in m.entrants])
        for match in played:
            points[match.winner or 0] += 3
    # Round 2: winners with winners.
    assert sorted(seen[1]) == [0, 0, 0, 0, 3, 3, 3, 3]
    assert all(seen[1][at] == seen[1][at + 1] for at in range(0, 8, 2))
    assert {row.points % 3 for row in rows(story).values()} == {0}


def test_T11_a_forfeit_gives_three_points_and_five_to_nil() -> None:
    spec = event_2016(4)
    gone = "e01"

    def away(fixture: Fixture) -> frozenset[int]:
        if gone not in fixture.lineup:
            return frozenset()
        return frozenset({fixture.owners[fixture.lineup.index(gone)]})

    spec = spec.model_copy(update={"stages": (spec.stages[0].model_copy(update={"rounds": 1}),)})
    programme = play(spec, None, away)
    story = programme.event.stages[0]
    row = rows(story)
    (missed,) = [n for n, name in names(programme).items() if name == gone]
    assert (row[missed].points, row[missed].total, row[missed].against) == (0, 0, 5)
    lucky = next(m for m in story.matches if missed in m.entrants)
    winner = row[lucky.winner or 0]
    assert (winner.points, winner.total, winner.against) == (3, 5, 0)
    assert winner.place == 1


def test_who_is_absent_is_not_paired_and_comes_back() -> None:
    entrants: dict[str, Any] = {name: name for name in "abcdef"}
    entrants["a"] = {"engines": "a", "absent": [2]}
    programme = play(event({"format": "swiss", "rounds": 3}, 6, entrants=entrants))
    story = programme.event.stages[0]
    alone = [m for m in story.rounds[1] if m.entrants == (1,)]
    assert len(alone) == 1 and not alone[0].bye
    assert rows(story)[1].missed == 1 and rows(story)[1].points == 2
    assert sum(match.bye for match in story.rounds[1]) == 1


# --- seats --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "better", "other", "first"),
    [
        ("nothing", "", "", True),
        ("alternate", "w", "b", False),
        ("both-want-the-same", "wb", "bw", True),
        ("stronger-wish", "wb", "w", True),
        ("must", "ww", "b", False),
        ("the-round-they-differed", "bwwb", "wbwb", False),
        ("only-one-wishes", "", "b", False),
    ],
    ids=lambda value: value if isinstance(value, str) and "-" in value else "",
)
def test_who_has_the_first_seat(id: str, better: str, other: str, first: bool) -> None:
    a = Player(1, 0, 1.0, firsts=[seat == "w" for seat in better])
    b = Player(2, 1, 1.0, firsts=[seat == "w" for seat in other])
    assert (seat_pair(a, b, True) == (1, 2)) is first
    assert seat_pair(a, b, True) == seat_pair(b, a, True)


def test_a_perfect_matching_is_the_cheapest() -> None:
    edges = [(0, 1, 10), (2, 3, 10), (0, 2, 1), (1, 3, 1), (0, 3, 5), (1, 2, 5)]
    assert perfect_matching(4, edges) == [(0, 2), (1, 3)]
    assert perfect_matching(4, [(0, 1, 1), (0, 2, 1), (0, 3, 1)]) is None


def test_a_large_field_is_paired(capsys: pytest.CaptureFixture[str]) -> None:
    stage = {"format": "swiss", "rounds": 4}
    programme = play(event(stage, 71), chancy(3))
    met = Counter(frozenset(m.entrants) for m in matches(programme) if not m.bye)
    assert max(met.values()) == 1
    far = [abs(a - b) for m in matches(programme)[36:] for a, b in [points_before(programme, m)]]
    assert sum(far) / len(far) < 0.2


def points_before(programme: Any, match: Match) -> tuple[float, float]:
    """Points of the two of a match before its round."""
    sums = []
    for number in (match.entrants[0], match.entrants[-1]):
        row = rows(programme.event.stages[0])[number]
        sums.append(sum(m.points for m in row.meetings if m.round < match.round))
    return sums[0], sums[1]


# --- beside py4swiss, where it is installed -------------------------------------------------


def trf(history: dict[int, list[tuple[int, str, str]]], points: dict[int, float]) -> str:
    """A tournament report file in FIDE's format, ratings falling with the number."""
    lines = ["012 trial", "XXR 9", "XXC white1"]
    for number, games in history.items():
        line = f"001 {number:4d}      {f'P{number}':<33} {3000 - number:4d}".ljust(80)
        line += f"{points[number]:4.1f} {number:4d}"
        lines.append(line + "".join(f"  {o:4d} {seat} {score}" for o, seat, score in games))
    return "\n".join(lines) + "\n"


def test_rounds_are_those_of_the_fide_dutch_system() -> None:
    """Sampled histories of 6 to 16 entrants: nine of ten rounds are the very same pairs.

    In the others as many leave their score group, as far. Where the pairs are the same, so are
    the seats.
    """
    engines = pytest.importorskip("py4swiss.engines", reason="py4swiss is not installed")
    parser = pytest.importorskip("py4swiss.trf").TrfParser
    same = total = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trial.trf"
        for count in (6, 7, 8, 9, 10, 12, 13, 16):
            for seed in range(4):
                rng = random.Random(seed)
                field = {n: Player(n, n - 1, 0.0) for n in range(1, count + 1)}
                points = dict.fromkeys(field, 0.0)
                history: dict[int, list[tuple[int, str, str]]] = {n: [] for n in field}
                for _ in range(min(5, count // 2)):
                    order = sorted(field, key=lambda n: (-points[n], n))
                    for rank, n in enumerate(order):
                        field[n].rank, field[n].points = rank, points[n]
                    path.write_text(trf(history, points), "utf-8")
                    given_pairs = engines.DutchEngine.generate_pairings(
                        parser.parse(path, strict=True)
                    )
                    theirs = [(pair.white, pair.black) for pair in given_pairs]
                    mine = dutch([field[n] for n in order], True, last=False)
                    made = set(map(frozenset, mine.pairs))
                    if mine.bye is not None:
                        made.add(frozenset({mine.bye, 0}))
                    total += 1
                    if made == set(map(frozenset, theirs)):
                        same += 1
                        assert {p for p in theirs if 0 not in p} == set(mine.pairs)
                    enter(field, points, history, theirs, rng)
    assert total == 136
    assert same >= 0.9 * total, f"{same} of {total}"


def gaps(points: dict[int, float], pairs: Sequence[tuple[int, int]]) -> list[float]:
    """Differences of points between the two of each pair, sorted."""
    return sorted(abs(points[a] - points[b]) for a, b in pairs if 0 not in (a, b))


def enter(
    field: dict[int, Player],
    points: dict[int, float],
    history: dict[int, list[tuple[int, str, str]]],
    pairs: Sequence[tuple[int, int]],
    rng: random.Random,
) -> None:
    """Enter a round with results by chance."""
    for white, black in pairs:
        if 0 in (white, black):
            free = white or black
            field[free].had_bye = True
            field[free].floats.append(1)
            points[free] += 1
            history[free].append((0, "-", "U"))
            continue
        score = rng.choice((1.0, 0.5, 0.0))
        drop = field[white].points - field[black].points
        field[white].floats.append((drop > 0) - (drop < 0))
        field[black].floats.append((drop < 0) - (drop > 0))
        field[white].firsts.append(True)
        field[black].firsts.append(False)
        field[white].opponents.add(black)
        field[black].opponents.add(white)
        points[white] += score
        points[black] += 1 - score
        word = {1.0: "10", 0.5: "==", 0.0: "01"}[score]
        history[white].append((black, "w", word[0]))
        history[black].append((white, "b", word[1]))
