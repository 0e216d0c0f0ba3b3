from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.match.forfeit import forfeited, level


@pytest.mark.parametrize(
    ("sides", "culprit", "scores", "places"),
    [
        ((0, 1), 0, (0, 1), (2, 1)),
        ((0, 1), 1, (1, 0), (1, 2)),
        ((0, 1, 2), 1, (0.75, 0, 0.75), (1, 3, 1)),
        ((0, 1, 0, 1), 2, (0, 1, 0, 1), (3, 1, 3, 1)),
        ((0, 1, 1), 0, (0, 1, 1), (3, 1, 1)),
    ],
)
def test_the_table(
    sides: tuple[int, ...], culprit: int, scores: tuple[float, ...], places: tuple[int, ...]
) -> None:
    found = forfeited(sides, culprit)
    assert found[0] == pytest.approx(scores)
    assert found[1] == places


@given(seats=st.integers(2, 8), data=st.data())
def test_free_for_all_scores_add_up_to_half_the_pairs(seats: int, data: st.DataObject) -> None:
    culprit = data.draw(st.integers(0, seats - 1))
    scores, places = forfeited(range(seats), culprit)
    assert sum(scores) == pytest.approx(seats / 2)
    assert places[culprit] == seats
    assert sum(level(seats)[0]) == pytest.approx(seats / 2)


@pytest.mark.parametrize(
    ("settled", "scores", "places"),
    [
        ((0, 0, 0, 0), (0, 2 / 3, 2 / 3, 2 / 3), (4, 1, 1, 1)),
        ((0, 0, 1, 0), (0, 1 / 2, 1, 1 / 2), (4, 2, 1, 2)),
        ((0, 0, 1, 1), (0, 1 / 3, 5 / 6, 5 / 6), (4, 3, 1, 1)),
        ((0, 2, 1, 0), (0, 2 / 3, 1, 1 / 3), (4, 2, 1, 3)),
        ((0, -1, -2, 0), (0, 1 / 3, 2 / 3, 1), (4, 3, 2, 1)),
        ((0, -1, -1, 0), (0, 1 / 2, 1 / 2, 1), (4, 2, 2, 1)),
        ((0, -1, 0, 1), (0, 1 / 3, 2 / 3, 1), (4, 3, 2, 1)),
    ],
)
def test_places_that_the_rules_have_settled_stay(
    settled: tuple[int, ...], scores: tuple[float, ...], places: tuple[int, ...]
) -> None:
    found = forfeited((0, 1, 2, 3), 0, settled)
    assert found[0] == pytest.approx(scores)
    assert found[1] == places


def test_a_side_plays_on_as_long_as_one_of_its_seats_does() -> None:
    assert forfeited((0, 1, 0, 1), 0, (0, -1, 0, 0)) == forfeited((0, 1, 0, 1), 0)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("chinese_checkers/doc001", {"players": 4, "anti_block": "none", "finish": "rank_all"}),
        ("chinese_checkers/doc001", {"players": 3, "anti_block": "passive_loss"}),
        ("siguo/ffa", {"layout_source": "book"}),
        ("siguo/three_seats", {"layout_source": "random"}),
    ],
)
def test_what_a_family_calls_settled_is_how_the_seat_ends(
    name: str, settings: dict[str, object]
) -> None:
    if name.startswith("chinese"):
        settings = {"board": "star37", "pegs": 3, "home_deadline": 3, **settings}
    game = arena.game(name, **settings)
    settled = game.family.settled
    assert settled is not None
    checked = 0
    for seed in range(8):
        state = game.new_state(seed)
        engines = [game.core.engine("greedy" if seat else "random") for seat in range(game.seats)]
        for engine in engines:
            engine.new_game(seed)
        seen: list[tuple[int, ...]] = []
        while seats := state.seats_to_act():
            seen.append(settled(state))
            seat = min(seats)
            state.apply(seat, engines[seat].choose(state, seat)[0])
        outcome = state.outcome()
        assert outcome is not None
        last = seen[-1]
        assert seen[0] == (0,) * game.seats
        for seat, place in enumerate(last):
            checked += place != 0
            for other, there in enumerate(last):
                ahead = outcome.places[other] < outcome.places[seat]
                if place > 0:
                    assert outcome.places[seat] == place
                elif place < 0 and there < 0:
                    assert ahead == (there < place)
                elif place < 0:
                    # Who leaves with the last move may be no better off.
                    assert ahead or (there == 0 and outcome.places[other] == outcome.places[seat])
    assert checked
