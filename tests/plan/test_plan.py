"""Plans: exact counts, identities, equal chances for every line-up, and refusals."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.plan import Plan, SweepError, SweepSpec, load_sweep, make_plan

HEAD = 'name = "trial"\nseed = 7\n'
TWO = '[[games]]\nrulebooks = "chinese_checkers/small37"\n'
THREE = '[[games]]\nrulebooks = "chinese_checkers/west10_3"\n'
FOUR = '[[games]]\nrulebooks = "chinese_checkers/west10_4"\n'
TEST = '[stop.sprt]\nengine = "a"\nelo0 = 0\nelo1 = 30\n'
ENGINES = '[engines]\na = "random"\nb = "greedy"\nc = "greedy:noise=40"\n'


def plan_of(tmp_path: Path, text: str) -> Plan:
    path = tmp_path / "sweep.toml"
    path.write_text(text, "utf-8")
    return make_plan(load_sweep(path))


def refusal(tmp_path: Path, text: str) -> SweepError:
    with pytest.raises(SweepError) as caught:
        plan_of(tmp_path, text)
    return caught.value


def lineups(plan: Plan) -> list[str]:
    return ["".join(engine.name for engine in cell.lineup) for cell in plan.cells]


def test_two_seats(tmp_path: Path) -> None:
    every = 'pairing = ["self_play", "round_robin", "gauntlet"]\nhero = "b"\nblocks = 10\n'
    plan = plan_of(tmp_path, HEAD + every + TWO + ENGINES)
    assert lineups(plan) == ["aa", "bb", "cc", "ab", "ac", "bc", "ba", "bc"]
    assert plan.blocks == 80
    assert plan.games == 3 * 10 + 5 * 20
    assert [len(cell.seatings) for cell in plan.cells] == [1, 1, 1, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(
    ("settings", "games", "expected", "seatings"),
    [
        ("", THREE, ["abb", "baa", "acc", "caa", "bcc", "cbb"], 3),
        ('seating = "alternate"', FOUR, ["abab", "acac", "bcbc"], 2),
        ('seating = "alternate"\npermutations = "all"', FOUR, ["abab", "acac", "bcbc"], 6),
        ('seating = "mixed"', THREE, ["abc"], 3),
        ('seating = "mixed"\npermutations = "all"', THREE, ["abc"], 6),
    ],
)
def test_more_seats(
    tmp_path: Path, settings: str, games: str, expected: list[str], seatings: int
) -> None:
    text = f'{HEAD}pairing = "round_robin"\n{settings}\n{games}{ENGINES}'
    plan = plan_of(tmp_path, text)
    assert lineups(plan) == expected
    assert {len(cell.seatings) for cell in plan.cells} == {seatings}


def test_every_engine_has_every_seat_equally_often(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path, HEAD + 'pairing = "round_robin"\nseating = "mixed"\n' + THREE + ENGINES
    )
    (cell,) = plan.cells
    by_seat = [[seating[seat] for seating in cell.seatings] for seat in range(3)]
    assert [sorted(members) for members in by_seat] == [[0, 1, 2]] * 3


def test_every_lineup_meets_the_same_deals_and_seeds(tmp_path: Path) -> None:
    text = HEAD + 'pairing = "round_robin"\nblocks = 20\n' + TWO + "opening_plies = 4\n" + ENGINES
    plan = plan_of(tmp_path, text)
    seeds = [
        [(r.block, r.permutation, r.deal_seed, r.engine_seed) for r in plan.requests(c, range(20))]
        for c in plan.cells
    ]
    assert len(seeds) == 3
    assert seeds[0] == seeds[1] == seeds[2]
    assert len({deal for _, _, deal, _ in seeds[0]}) == 20
    assert len({engine for _, _, _, engine in seeds[0]}) == 40


def test_identity(tmp_path: Path) -> None:
    text = HEAD + 'pairing = ["self_play", "round_robin"]\nblocks = 5\n' + TWO + THREE + ENGINES
    plan = plan_of(tmp_path, text)
    requests = [r for cell in plan.cells for r in plan.requests(cell, range(cell.blocks))]
    assert len({r.game_id for r in requests}) == len(requests) == plan.games
    assert all(len(r.game_id) == 32 and r.sweep_id == plan.sweep_id for r in requests)
    # A comment changes nothing; a seed, a version, the policy and the number of blocks do.
    assert plan_of(tmp_path, "# a comment\n" + text).digest == plan.digest
    for find, put in [
        ("seed = 7", "seed = 8"),
        ("blocks = 5", "blocks = 6"),
        ('b = "greedy"', 'b = {use = "greedy", version = "2"}'),
        ("[[games]]", "[match]\nmax_plies = 90\n\n[[games]]"),
        ("[[games]]", '[records]\nkeep = "none"\n\n[[games]]'),
        ("[[games]]", "[stop]\nhalf_width = 0.1\nbatch = 2\n\n[[games]]"),
    ]:
        other = plan_of(tmp_path, text.replace(find, put, 1))
        assert other.sweep_id != plan.sweep_id, put
        first = other.requests(other.cells[1], range(1))[0]
        assert first.game_id != plan.requests(plan.cells[1], range(1))[0].game_id, put


def test_the_plan_is_the_same_in_another_process_and_from_the_settings(tmp_path: Path) -> None:
    text = HEAD + "rungs = [1, 2]\n" + TWO + ENGINES
    plan = plan_of(tmp_path, text)
    again = make_plan(SweepSpec.model_validate_json(plan.spec.portable()))
    assert again.digest == plan.digest
    code = (
        "import sys; from arena.plan import *; "
        "p = make_plan(load_sweep(sys.argv[1])); "
        "print(p.digest, p.requests(p.cells[0], range(3, 4))[0].game_id)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "sweep.toml")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert out == [plan.digest, plan.requests(plan.cells[0], range(3, 4))[0].game_id]


def test_grid_is_a_cross_product_and_equal_rules_are_played_once(tmp_path: Path) -> None:
    grid = "[games.grid]\nmax_turns = [50, 100]\nleave_target = [true, false]\n"
    plan = plan_of(
        tmp_path, HEAD + TWO + grid + TWO + ENGINES.replace("b =", "#").replace("c =", "#")
    )
    labels = [cell.game.label for cell in plan.cells]
    assert len(labels) == len(set(labels)) == 5
    assert plan.merged == ()
    twice = plan_of(tmp_path, HEAD + TWO + TWO + ENGINES)
    assert len(twice.cells) == 3
    assert len(twice.merged) == 1


def test_share_of_records(tmp_path: Path) -> None:
    text = HEAD + "blocks = 2000\n[records]\nkeep = 0.25\n" + TWO + '[engines]\na = "random"\n'
    plan = plan_of(tmp_path, text)
    kept = sum(r.keep_record for r in plan.requests(plan.cells[0], range(2000)))
    assert 430 < kept < 570


def test_rungs_and_engines_of_some_games(tmp_path: Path) -> None:
    text = HEAD + "rungs = [1, 3]\n" + TWO + THREE
    text += '[engines.a]\nuse = "greedy:noise=9"\ngames = "*/small37"\n'
    plan = plan_of(tmp_path, text)
    ladder = plan.cells[0].game.family.rungs
    names = [[e.name for e in cell.engines] for cell in plan.cells]
    assert names == [["a"], [ladder[0]], [ladder[2]], [ladder[0]], [ladder[2]]]


@pytest.mark.parametrize(
    ("text", "line", "field", "says"),
    [
        (
            HEAD + TWO.replace("37", "73x") + ENGINES,
            4,
            "games.0.rulebooks",
            "did you mean 'chinese_checkers/small73'",
        ),
        (
            HEAD + TWO + "[games.grid]\nmax_turn = [5]\n" + ENGINES,
            6,
            "games.0.grid.max_turn",
            "did you mean 'max_turns'",
        ),
        (
            HEAD + TWO + '[games.grid]\nmax_turns = ["x"]\n' + ENGINES,
            6,
            "games.0.grid.max_turns",
            "(got 'x')",
        ),
        (
            HEAD + TWO + "[games.grid]\nmax_turns = []\n" + ENGINES,
            6,
            "games.0.grid.max_turns",
            "one",
        ),
        (
            HEAD + TWO + "[games.grid]\nmax_turns = [-1]\n" + ENGINES,
            6,
            "games.0.grid.max_turns",
            "must be 1..",
        ),
        (
            HEAD + TWO.replace("chinese_checkers/small37", "chinese_checkers") + ENGINES,
            4,
            "games.0.rulebooks",
            "such as 'chinese_checkers/doc000'",
        ),
        (
            HEAD + TWO.replace("chinese_checkers/small37", "chinese_checkers") + ENGINES,
            4,
            "games.0.rulebooks",
            "'chinese_checkers/*' is all of them",
        ),
        (HEAD + TWO, 1, "", "names no engine"),
        (HEAD + TWO + '[engines.a]\nuse = ""\n', 6, "engines.a.use", "must be a built-in engine"),
        (HEAD + TWO + '[engines]\na = "gredy"\n', 6, "engines.a.use", "greedy"),
        (HEAD + TWO + "[engines.a]\nversion = '1'\n", 5, "engines.a", "either use or command"),
        (
            HEAD + TWO + '[engines.a]\nuse = "grpc://h:1"\n',
            5,
            "engines.a.version",
            "must never mix",
        ),
        (
            HEAD + TWO + '[engines.a]\nuse = "random"\ncpus = 2\n',
            7,
            "engines.a.cpus",
            "has no effect",
        ),
        (
            HEAD + TWO + '[engines.a]\nuse = "random"\ngpus = 1\n',
            7,
            "engines.a.gpus",
            "has no effect",
        ),
        (
            HEAD + TWO + '[engines.a]\nuse = "random"\nsandbox = {}\n',
            7,
            "engines.a.sandbox",
            "has no effect",
        ),
        (
            HEAD + TWO + "[engines.a]\ncommand = ['b']\nversion = '1'\nsandbox = {memory = 9}\n",
            8,
            "engines.a.sandbox.memory",
            "did you mean 'memory_mib'?",
        ),
        (
            HEAD + TWO + '[engines.a]\nuse = "random"\ngames = ["gomoku/*"]\n',
            7,
            "engines.a.games",
            "plays none",
        ),
        (HEAD + "rungs = [9]\n" + TWO, 3, "rungs", "4 rungs"),
        (HEAD + "rungs = [0]\n" + TWO, 3, "rungs.0", "must be greater than or equal to 1"),
        (HEAD + "rungs = true\n" + TWO, 3, "rungs", "must be 'all' or a list"),
        (
            HEAD + TWO.replace('"chinese_checkers/small37"', "3") + ENGINES,
            4,
            "games.0.rulebooks",
            "must be text or a list",
        ),
        (HEAD + TWO + "[engines]\na = 3\n", 6, "engines.a", "must be text or a table"),
        (
            HEAD + TWO + f'[engines]\na = "search:nodes={"9" * 30}"\n',
            6,
            "engines.a.use",
            "beyond what any option takes",
        ),
        (HEAD + 'pairing = "gauntlet"\n' + TWO + ENGINES, 1, "hero", "is missing"),
        (
            HEAD + 'pairing = "gauntlet"\nhero = "d"\n' + TWO + ENGINES,
            4,
            "hero",
            "no engine 'd'",
        ),
        (HEAD + 'hero = "a"\n' + TWO + ENGINES, 3, "hero", "gauntlet"),
        (HEAD + 'permutations = "all"\n' + TWO + ENGINES, 3, "permutations", "has no effect"),
        (HEAD + 'seating = "mixed"\n' + TWO + ENGINES, 3, "seating", "has no effect"),
        (HEAD + "[stop]\nbatch = 5\n" + TWO + ENGINES, 3, "stop", "or else [stop.sprt]"),
        (
            HEAD + "[stop]\nhalf_width = 0.1\n" + TEST + TWO + ENGINES,
            3,
            "stop",
            "or else [stop.sprt]",
        ),
        (HEAD + "[stop]\ntotal = 9\n" + TEST + TWO + ENGINES, 3, "stop", "or else [stop.sprt]"),
        (
            HEAD + "[stop]\ntotal = 30\n" + TWO + ENGINES,
            4,
            "stop.total",
            "at least 60: a batch of 20 for each of 3 cells",
        ),
        (
            HEAD + "[stop]\ntotal = 300\n" + TWO + ENGINES,
            4,
            "stop.total",
            "has no effect: the plan has 300 blocks",
        ),
        (
            HEAD + "[stop]\nhalf_width = 0.1\nfloor = 0.2\n" + TWO + ENGINES,
            5,
            "stop.floor",
            "has no effect without total",
        ),
        (
            HEAD + TEST.replace("30", "-1") + TWO + ENGINES,
            5,
            "stop.sprt.elo0",
            "0.1 or more below elo1, -1",
        ),
        (
            HEAD + TEST.replace("30", "1e300") + TWO + ENGINES,
            6,
            "stop.sprt.elo1",
            "less than or equal to 1000",
        ),
        (
            HEAD + TWO + "[engines.a]\ncommand = ['b']\nversion = '1'\ncpus = inf\n",
            8,
            "engines.a.cpus",
            "finite",
        ),
        (
            HEAD + TWO + "[engines.a]\ncommand = [\"a\\u0000b\"]\nversion = '1'\n",
            6,
            "engines.a.command",
            "NUL character",
        ),
        (HEAD + TEST.replace('"a"', '"z"') + TWO + ENGINES, 4, "stop.sprt.engine", "no engine 'z'"),
        (HEAD + TEST + TWO + ENGINES, 3, "stop.sprt", "never meets others"),
        (
            HEAD + 'pairing = "round_robin"\n' + TEST + 'against = "a"\n' + TWO + ENGINES,
            4,
            "stop.sprt",
            "never meets 'a'",
        ),
        (
            HEAD + 'pairing = "round_robin"\n' + TEST + TWO + FOUR + ENGINES,
            4,
            "stop.sprt",
            "different numbers of games, seats",
        ),
        (
            HEAD + 'pairing = "round_robin"\n' + (TEST + 'scale = "normalised"\n' + FOUR + ENGINES),
            8,
            "stop.sprt.scale",
            'scale = "logistic", or else method = "gsprt"',
        ),
        (
            HEAD
            + 'pairing = "round_robin"\n'
            + (TEST + 'method = "e-process"\nscale = "normalised"\n' + TWO + ENGINES),
            8,
            "stop.sprt.method",
            "an e-process is of the mean score",
        ),
        (HEAD + "blocks = 3\n" + TWO + "blocks = 4\n" + ENGINES, 3, "blocks", "has no effect"),
        (
            HEAD + 'pairing = "round_robin"\n' + TWO + '[engines]\na = "random"\n',
            3,
            "pairing",
            "needs 2 engines",
        ),
        (
            HEAD + 'pairing = "round_robin"\nseating = "mixed"\n' + FOUR + ENGINES,
            3,
            "pairing",
            "needs 4 engines",
        ),
    ],
)
def test_refusals(tmp_path: Path, text: str, line: int, field: str, says: str) -> None:
    error = refusal(tmp_path, text)
    assert error.field == field
    assert error.line == line
    assert says in str(error)


def test_combinations_that_the_rules_refuse(tmp_path: Path) -> None:
    grid = "[games.grid]\nplayers = [2, 5]\n"
    text = HEAD + "[[games]]\nrulebooks = 'chinese_checkers/west15'\n" + grid + ENGINES
    error = refusal(tmp_path, text)
    assert error.line == 5
    assert "skip_invalid = true" in str(error)
    plan = plan_of(tmp_path, text.replace("[games.grid]", "skip_invalid = true\n[games.grid]"))
    assert {cell.game.seats for cell in plan.cells} == {2}
    assert len(plan.skipped) == 1
    assert "west15" in plan.skipped[0]
