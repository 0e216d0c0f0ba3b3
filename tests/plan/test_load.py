"""Sweep files with something wrong: file, line, field, value, and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.plan import Pairing, SweepError, load_sweep, parse_sweep

GOOD = """\
name = "trial"
seed = 7
pairing = "self_play"

[match]
move_ms = 1000

[[games]]
rulebooks = ["gomoku/*"]

[games.grid]
size = [15, 19]

[[games]]
rulebooks = "chinese_checkers/*"
opening_plies = 2

[games.grid]

[engines]
quick = "random"

[engines.deep]
use = "search:nodes=400"
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sweep.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_good_file_reads(tmp_path: Path) -> None:
    spec = load_sweep(write(tmp_path, GOOD))
    assert spec.pairing == (Pairing.SELF_PLAY,)
    assert spec.games[0].grid == {"size": (15, 19)}
    assert spec.games[1].rulebooks == ("chinese_checkers/*",)
    assert spec.engines["quick"].use == "random"
    assert spec.match.move_ms == 1000
    assert spec.text == GOOD


@pytest.mark.parametrize(
    ("find", "put", "line", "field", "says"),
    [
        ("seed = 7", "sead = 7", 2, "sead", "did you mean 'seed'"),
        ("seed = 7", "seed = 7\nstages = []", 3, "stages", "`arena tournament` plays it"),
        ("seed = 7", "seed = -7", 2, "seed", "greater than or equal to 0 (got -7)"),
        ("seed = 7", "seed = 7\nblocks = 10_000_001", 3, "blocks", "equal to 10000000 (got"),
        ("seed = 7", 'seed = "7"', 2, "seed", "whole number (got '7')"),
        ("seed = 7\n", "", 1, "seed", "is missing"),
        ('"self_play"', '"self-play"', 3, "pairing.0", "'self_play', 'round_robin' or 'gauntlet'"),
        ("move_ms", "moves_ms", 6, "match.moves_ms", "did you mean 'move_ms'"),
        ("move_ms = 1000", "move_ms = 0", 6, "match.move_ms", "(got 0)"),
        ("opening_plies", "opening_ply", 16, "games.1.opening_ply", "'opening_plies'"),
        ("[15, 19]", "[15, 1.5]", 12, "games.0.grid.size.1", "(got 1.5)"),
        ("[15, 19]", "15", 12, "games.0.grid.size", "(got 15)"),
        ("use = ", "uze = ", 24, "engines.deep.uze", "did you mean 'use'"),
        ("[engines.deep]", "[engine.deep]", 23, "engine", "did you mean 'engines'"),
        ("name = ", "name == ", 1, "", "is not TOML"),
        ('quick = "random"', "quick = 3", 21, "engines.quick", "(got 3)"),
        ("[15, 19]", "[{ a = 1 }]", 12, "games.0.grid.size.0", "true or false or a whole number"),
        (
            "move_ms = 1000",
            'clock = { kind = "none", move_ms = 3 }',
            6,
            "match.clock.move_ms",
            "no such setting; there are: kind",
        ),
        (
            "move_ms = 1000",
            'clock = { kind = "increment", base_ms = 1.5 }',
            6,
            "match.clock.base_ms",
            "whole number (got 1.5)",
        ),
        (
            "move_ms = 1000",
            'clock = { kind = "sand" }',
            6,
            "match.clock",
            "'kind' must be one of 'none', 'per_move'",
        ),
        (
            "seed = 7",
            "seed = 7\nrecords.keep = 7",
            3,
            "records.keep",
            "'all' or 'none' or less than or equal to 1 (got 7)",
        ),
    ],
)
def test_errors_name_the_place(
    tmp_path: Path, find: str, put: str, line: int, field: str, says: str
) -> None:
    assert find in GOOD
    path = write(tmp_path, GOOD.replace(find, put))
    with pytest.raises(SweepError) as caught:
        load_sweep(path)
    assert caught.value.line == line
    assert caught.value.field == field
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{line}: ")


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    spec = load_sweep(write(tmp_path, "\ufeff" + GOOD))
    assert spec.text == GOOD


def test_a_text_without_a_file_is_read_as_one(tmp_path: Path) -> None:
    read = parse_sweep("\ufeff" + GOOD, "theirs.toml")
    assert read.portable() == load_sweep(write(tmp_path, GOOD)).portable() and read.text == GOOD
    with pytest.raises(SweepError, match=r"^theirs\.toml:2: seed: ") as caught:
        parse_sweep(GOOD.replace("seed = 7", "seed = -7"), "theirs.toml")
    assert (caught.value.line, caught.value.field) == (2, "seed")


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match="cannot be read"):
        load_sweep(tmp_path / "none.toml")
    path = tmp_path / "sweep.toml"
    path.write_bytes(b"name = \xff")
    with pytest.raises(SweepError, match="not UTF-8"):
        load_sweep(path)


def test_lines_behind_long_arrays_quoted_keys_and_dotted_keys(tmp_path: Path) -> None:
    text = """\
name = "a" # [x]
seed = 1
rungs = [
  1, # [
  2,
]

[[games]]
rulebooks = [
  "gomoku/*",
]
grid.size = [
  15,
]

[engines."a vs, 'b'"]
use = "random"
versoin = "1"
"""
    with pytest.raises(SweepError) as caught:
        load_sweep(write(tmp_path, text))
    assert caught.value.line == 18
    assert "'version'" in str(caught.value)
