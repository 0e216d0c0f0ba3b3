"""What has no effect is refused where it stands: nothing of a file is silently ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plan.test_plan import ENGINES, HEAD, TEST, THREE, TWO, plan_of, refusal

TUOLAJI = '[[games]]\nrulebooks = "tuolaji/r10_qq_two_deck"\n'
SIGUO = '[[games]]\nrulebooks = "siguo/doc001"\n'
ONE = '[engines]\na = "random"\n'
ILLEGAL = "[match.illegal]\n"


@pytest.mark.parametrize(
    ("text", "line", "field", "words"),
    [
        (HEAD + ILLEGAL + 'cost = "points"\n' + TWO + ONE, 4, "match.illegal.cost", "no fine in"),
        (HEAD + ILLEGAL + 'cost = "levels"\n' + TWO + ONE, 4, "match.illegal.cost", "no fine in"),
        (HEAD + ILLEGAL + "points = 5\n" + TWO + ONE, 4, "match.illegal.points", 'cost = "points"'),
        (HEAD + ILLEGAL + "levels = 2\n" + TUOLAJI + ONE, 4, "match.illegal.levels", "no effect"),
        (
            HEAD + '[match]\non_timeout = "skip"\n' + TWO + ONE,
            4,
            "match.on_timeout",
            "lets no turn pass",
        ),
        (
            HEAD + "[match]\ndraw_offers = false\ndraw_offers_in_a_row = 2\n" + TWO + ONE,
            5,
            "match.draw_offers_in_a_row",
            "no effect with draw_offers = false",
        ),
        (
            HEAD + "[match]\nadjudicate_draw = {}\n" + THREE + ONE,
            4,
            "match.adjudicate_draw",
            "games of two seats",
        ),
        (
            HEAD + "[match]\nadjudicate_resign = {}\n" + THREE + ONE,
            4,
            "match.adjudicate_resign",
            "games of two seats",
        ),
        (HEAD + "rungs = [1, 2, 1]\n" + TWO, 3, "rungs", "names 1 twice"),
        (HEAD + 'pairing = ["self_play", "self_play"]\n' + TWO + ONE, 3, "pairing", "twice"),
        (
            HEAD + TWO + "[games.grid]\nmax_turns = [5, 9, 5]\n" + ONE,
            6,
            "games.0.grid.max_turns",
            "names 5 twice",
        ),
        (
            HEAD + '[[games]]\nrulebooks = ["gomoku/doc001", "gomoku/doc001"]\n' + ONE,
            4,
            "games.0.rulebooks",
            "names 'gomoku/doc001' twice",
        ),
        (
            HEAD + TWO + '[engines.a]\nuse = "random"\ngames = ["*", "*"]\n',
            7,
            "engines.a.games",
            "names '*' twice",
        ),
        (HEAD + TWO + "skip_invalid = true\n" + ONE, 5, "games.0.skip_invalid", "without a grid"),
        (
            HEAD + "blocks = 20\n[stop]\nhalf_width = 0.1\nbatch = 20\n" + TWO + ONE,
            6,
            "stop.batch",
            "must be less than 20",
        ),
        (
            HEAD + 'blocks = 9\npairing = "round_robin"\n' + TEST + TWO + ENGINES,
            None,
            "stop.batch",
            "must be less than 9,",
        ),
    ],
)
def test_what_has_no_effect_is_refused(
    tmp_path: Path, text: str, line: int | None, field: str, words: str
) -> None:
    error = refusal(tmp_path, text)
    assert error.field == field
    assert words in error.message
    assert line is None or error.line == line


@pytest.mark.parametrize(
    "text",
    [
        HEAD + ILLEGAL + 'cost = "points"\npoints = 5\n' + TWO + TUOLAJI + ONE,
        HEAD + ILLEGAL + 'cost = "levels"\nlevels = 2\n' + TUOLAJI + ONE,
        HEAD + ILLEGAL + 'cost = "substitute"\n' + TWO + ONE,
        HEAD + '[match]\non_timeout = "skip"\n' + TWO + SIGUO + ONE,
        HEAD + "[match]\nadjudicate_draw = {}\n" + TWO + THREE + ONE,
        HEAD + "blocks = 21\n[stop]\nhalf_width = 0.1\nbatch = 20\n" + TWO + ONE,
        # Limits hold for whoever plays, if it is nobody today.
        HEAD + "[match]\nconnect_ms = 900\nping_ms = 80\n" + TWO + ONE,
    ],
)
def test_what_has_an_effect_on_some_game_is_not(tmp_path: Path, text: str) -> None:
    assert plan_of(tmp_path, text).cells
