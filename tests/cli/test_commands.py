"""Commands that need no ledger, and what each says when the input is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import ROOT, Arena, spawn_arena

COMMANDS = (
    "games",
    "rules",
    "play",
    "plan",
    "sweep",
    "leaderboard",
    "balance",
    "effects",
    "power",
    "workers",
    "report",
    "replay",
    "audit",
    "export",
    "bench",
    "bot new",
    "bot check",
    "bot play",
    "bot replay",
)

HELP = Path(__file__).parent / "help"


@pytest.mark.parametrize("command", ["", *COMMANDS, "bridge"])  # a server prints no document
def test_help_is_as_written_down(command: str, arena: Arena) -> None:
    ran = arena(*command.split(), "--help")
    assert (ran.code, ran.err) == (0, "")
    written = (HELP / f"{command or 'arena'}.txt").read_text("utf-8")
    assert ran.out == written, "if the change is meant: tests/cli/update_help.sh"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_json_and_language(command: str) -> None:
    text = (HELP / f"{command}.txt").read_text("utf-8")
    assert "--json" in text and "--lang" in text


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    program = "import sys; from arena.cli import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert "typer" in loaded
    heavy = {"ray", "grpc", "sqlalchemy", "scipy", "numpy", "plotly", "jinja2", "pyarrow"}
    assert not loaded & heavy


def test_version(arena: Arena) -> None:
    import arena as package

    assert arena("--version").out == f"arena {package.__version__}\n"


WRONG = [
    (["plann"], 2, "No such command 'plann'. Did you mean 'plan'"),
    (["plan"], 2, "Missing argument"),
    (["plan", "x.toml", "--jsn"], 2, "--json"),
    (["games", "chess/*"], 1, "no rulebook 'chess/*'; the nearest of"),
    (["games", "gomoku/swp*"], 1, "did you mean 'gomoku/swap'"),
    (["rules", "zzz"], 1, "no rulebook 'zzz'; the nearest of"),
    (["rules", "gomoku"], 1, "that is a game; it has"),
    (["rules", "五子棋"], 1, "that is a game; it has 27 rulebooks, such as 'gomoku/doc001'"),
    (["rules", "Fight the Landlord"], 1, "such as 'doudizhu/doc003'"),
    (["rules", "升级/两副"], 1, "did you mean 'tuolaji/two_deck_open'"),
    (["rules", "五子棋/doc01"], 1, "did you mean 'gomoku/doc001'"),
    (["rules", "五子"], 1, "did you mean 'gomoku/doc001'"),
    (["rules", "联众斗地主"], 1, "did you mean 'doudizhu/lianzhong'?"),
    (["rules", "competition rules"], 1, "did you mean 'doudizhu/doc003'?"),
    (["rules", "gomoku/doc01"], 1, "did you mean 'gomoku/doc001'"),
    (["rules", "gomoko/doc001"], 1, "did you mean 'gomoku/doc001'"),
    (["rules", "gomoku/doc001", "--set", "sise=19"], 1, "did you mean 'size'"),
    (["rules", "gomoku/doc001", "--set", "size=99"], 1, "size = 99: must be 9..22"),
    (["rules", "gomoku/doc001", "--set", "size=big"], 1, "size = big: must be 9..22"),
    (["rules", "gomoku/doc001", "--set", "opening=x"], 1, "opening = x: must be free | pro"),
    (["rules", "gomoku/doc001", "--set", "size"], 1, "NAME=VALUE"),
    (["rules", "gomoku/doc001", "--lang", "fr"], 2, "'fr'"),
    (["play", "gomoku/doc001", "--seat0", "serch:nodes=4"], 1, "serch"),
    (["play", "gomoku/doc001", "--seat0", "search:node=4"], 1, "search"),
    (["play", "gomoku/doc001", "--seat2", "random"], 1, "--seat2"),
    (["play", "gomoku/doc001", "--setup", "nonsense"], 1, "nonsense"),
    (["bench", "gomoku/doc001", "--engine", "rnd"], 1, "rnd"),
    (["bench", "gomoku/doc001", "--seed", str(2**63)], 2, "--seed"),
    (["play", "gomoku/doc001", "--seed", str(2**64)], 2, "--seed"),
    (["plan", "deep.toml"], 1, "deep.toml: is nested too deep"),
    (["plan", "endless.toml"], 1, "endless.toml:2: holds a whole number of thousands of digits"),
    (["leaderboard", "endless.toml"], 1, "endless.toml:2: holds a whole number of thousands"),
    (["balance", "deep.toml"], 1, "deep.toml: is nested too deep"),
    (["sweep", "hex.toml"], 1, "hex.toml:2: holds a whole number of thousands of digits"),
    (["leaderboard", "postgresql://u:p@[::1/x"], 1, "postgresql://u:***@[::1/x: not a URL"),
    (["bot", "check", "localhost:1", "--games", "gomoku/doc01"], 1, "did you mean 'gomoku/doc001'"),
    (["bot", "check", "localhost:1", "--check", "pings"], 1, "no check 'pings'; there are ready"),
    (["bot", "new", "cobol", "mine"], 2, "'cobol'"),
    (["bot", "new", "python", "."], 1, "is there already"),
    (["bot", "new", "python", "my@bot"], 1, "named after its folder"),
    (["bot", "check", "search:nodes=4"], 1, "a bot that serves the protocol"),
    (["plan", "none.toml"], 1, "none.toml"),
    (["sweep", "none.toml"], 1, "none.toml"),
    (["sweep", "bad.toml"], 1, "bad.toml:2"),
    (["plan", "typo.toml"], 1, "typo.toml:3"),
    (["plan", "class.toml"], 1, "class.toml:6: engines.own.use: python:marks:Own: No module named"),
    (["leaderboard"], 1, "no ledger in runs/"),
    (["balance", "none.db"], 1, "none.db"),
    (["leaderboard", "--by-role"], 1, "goes with --sides"),
    (["leaderboard", "--sides", "--detail"], 1, "none of --detail"),
    (["balance", "--margin", "60"], 1, "margin 60"),
    (["balance", "--correction", "none"], 1, "holm, max-t, bh, by"),
    (["power", "--sd", "0.7"], 1, "0 to 0.5"),
    (["power", "--sd", "0.3", "--half-width", "0"], 1, "half-width"),
    (["power", "--sd", "0.3", "--half-width", "1e-300"], 1, "half-width 1e-300: per cent"),
    (["power", "--sd", "0.3", "--margin", "60"], 1, "margin 60: per cent"),
    (["power", "--sd", "0.3", "--chance", "100"], 1, "chance 100: per cent"),
    (["power", "--sd", "0.3", "--family", "0"], 1, "family 0"),
    (["power", "--sd", "0.3", "--effect", "1e9"], 1, "at most 4000"),
    (["power", "none.db"], 1, "none.db"),
    (["leaderboard", "junk.db"], 1, "junk.db"),
    (["report", "junk.db"], 1, "junk.db"),
    (["export", "junk.db", "--out", "x.csv"], 1, "csv"),
    (["replay", "0123"], 1, "32 hex digits"),
    (["replay", "f" * 32], 1, "no ledger in runs/"),
    (["replay", "none.json"], 1, "none.json"),
    (["replay", "bad.json"], 1, "bad.json"),
    (["replay", "empty.json"], 1, "empty.json: rules: is missing"),
    (["replay", "foul.json"], 1, "foul.json: move 2, 'h8' of seat 1"),
]


WITH_A_CLASS = """name = "x"
seed = 1
rungs = [1]
[engines.own]
version = "1"
use = "python:marks:Own"
[[games]]
rulebooks = "gomoku/doc001"
"""


@pytest.mark.parametrize(("words", "code", "says"), WRONG, ids=[" ".join(w[0]) for w in WRONG])
def test_wrong_input_gets_one_clear_line(
    words: list[str], code: int, says: str, arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "bad.toml").write_text('name = "x"\nseed = = 1\n')
    (tmp_path / "typo.toml").write_text(
        'name = "x"\nseed = 1\nblocs = 2\n[[games]]\nrulebooks = "*"\n'
    )
    (tmp_path / "class.toml").write_text(WITH_A_CLASS)
    (tmp_path / "junk.db").write_bytes(b"not a database, but long enough to be read as one" * 40)
    (tmp_path / "deep.toml").write_text("x = " + "[" * 5_000 + "]" * 5_000)
    (tmp_path / "endless.toml").write_text(f'name = "x"\nseed = {"9" * 5_000}\n')
    (tmp_path / "hex.toml").write_text(f'name = "x"\nseed = 0x{"f" * 5_000}\n')
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "empty.json").write_text("{}")
    foul = {"game": "gomoku/doc001", "setup": "", "moves": [[0, "h8"], [1, "h8"]]}
    (tmp_path / "foul.json").write_text(json.dumps(foul | _start()))
    ran = arena(*words)
    assert ran.code == code, ran.err
    assert ran.out == ""
    assert ran.err.startswith("arena: ") and ran.err.count("\n") == 1
    assert "Traceback" not in ran.err and "defect" not in ran.err
    assert says in ran.err
    assert len(ran.err) < 500


def test_a_plan_finds_the_classes_of_its_folder_and_names_those_that_are_missing(
    tmp_path: Path,
) -> None:
    """As of the installed command, before whose folder Python looks nowhere."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "command.py"
    command.write_text("from arena.cli import main\nraise SystemExit(main())\n")
    (tmp_path / "class.toml").write_text(WITH_A_CLASS)

    def planned(source: str) -> tuple[int, str]:
        (tmp_path / "marks.py").write_text(source)
        ran = subprocess.run(
            [sys.executable, "-B", str(command), "plan", "class.toml", "--no-estimate"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return ran.returncode, ran.stderr

    assert planned("from arena.sdk import Bot\nclass Own(Bot): ...") == (0, "")
    wrong = "arena: class.toml:6: engines.own.use: python:marks:Own: "
    for source, words in (
        ("", "module 'marks' has no attribute 'Own'"),
        ("class Own: ...", "must be a subclass of arena.sdk.Bot"),
        ("Own = 1 / 0", "importing it: ZeroDivisionError('division by zero')"),
        ("raise SystemExit(5)", "importing it: SystemExit(5)"),
        (
            "from arena.sdk import Bot\nclass Own(Bot): games = 5",
            "its games must be a list of texts such as 'gomoku/*', not 5",
        ),
    ):
        assert planned(source) == (1, f"{wrong}{words}\n")


BROKEN_RECORDS = [
    ({"moves": [[10**30, "h8"]]}, "moves: number 1: seat 1000000000000000000000000000000"),
    ({"moves": [[-1, "h8"]]}, "moves: number 1: seat -1; seats are numbers from 0"),
    ({"moves": [[True, "h8"]]}, "moves: number 1: seat true"),
    ({"moves": [[2, "h8"]]}, "move 1: seat 2; gomoku/doc001 has seats 0 to 1"),
    ({"moves": [[0, "h8"], ["white", "g8"]]}, 'moves: number 2: seat "white"'),
    ({"moves": [[0, 8]]}, "moves: number 1: the move must be text, not 8"),
    ({"moves": [[0, "h8", "g8"]]}, "moves: number 1 must be [seat, text]"),
    ({"moves": [7]}, "moves: number 1 must be [seat, text], not 7"),
    ({"moves": "h8"}, 'moves: must be a list of [seat, text], not "h8"'),
    ({"moves": [[0, "\ud800"]]}, "move 1"),
    ({"setup": 5}, "setup: must be text, not 5"),
    ({"setup": "\ud800"}, "setup"),
    ({"setup": "nonsense"}, "setup: "),
    ({"game": "gomoku"}, "no rulebook 'gomoku': that is a game; it has"),
    ({"game": "gomoku/doc01"}, "did you mean 'gomoku/doc001'"),
    ({"game": ["gomoku/doc001"]}, "game: must be a rulebook's name, not ["),
    ({"rules": []}, "rules: must be an object of settings, not []"),
    ({"rules": {"size": [15]}}, "rules: size: must be a number, text, true, false or null"),
    ({"rules": {"size": 10**30}}, "size = 1000000000000000000000000000000: must be 9..22"),
    ({"rules": {"sise": 15}}, "no setting 'sise'; did you mean 'size'"),
    ({"move": []}, "move: is no part of a record; did you mean 'moves'"),
]


@pytest.mark.parametrize(
    ("change", "says"), BROKEN_RECORDS, ids=[f"{c}"[:40] for c, _ in BROKEN_RECORDS]
)
def test_a_broken_record_is_answered_by_file_field_and_value(
    change: dict[str, object], says: str, arena: Arena, tmp_path: Path
) -> None:
    record = {"game": "gomoku/doc001", "moves": []} | _start() | change
    (tmp_path / "game.json").write_text(json.dumps(record))
    ran = arena("replay", "game.json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("arena: game.json: ") and ran.err.count("\n") == 1, ran.err
    assert says in ran.err
    assert len(ran.err) < 400


@pytest.mark.parametrize("text", ["[" * 100_000, '{"moves": ' + "9" * 5000 + "}", "\udcff", "7"])
def test_a_file_that_is_no_record_is_named(text: str, arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(text, "utf-8", errors="surrogateescape")
    ran = arena("replay", "game.json")
    assert ran.code == 1 and ran.err.startswith("arena: game.json: "), ran.err


def _start() -> dict[str, object]:
    import arena

    game = arena.game("gomoku/doc001")
    return {"rules": game.rules.settings(), "setup": game.new_state().setup()}


def test_games_lists_every_rulebook_in_both_languages(arena: Arena) -> None:
    from arena.games import rulebooks

    found = json.loads(arena("games", "--json").out)
    names = [book["name"] for family in found for book in family["rulebooks"]]
    assert names == rulebooks()
    assert all(b["names"]["en"] and b["names"]["zh"] for f in found for b in f["rulebooks"])
    assert arena("games", "五子棋").out == arena("games", "gomoku").out
    table = arena("games", "gomoku", env={"COLUMNS": "140"}).out
    assert all(name in table for name in rulebooks("gomoku/*"))
    assert "chinese_checkers" not in table


def test_lists_fit_a_small_terminal(arena: Arena) -> None:
    for words in (["games", "gomoku"], ["rules", "gomoku/doc001"]):
        table, _, _ = arena(*words, env={"COLUMNS": "80"}).out.partition("reference engines")
        lines = table.splitlines()[5:]
        assert max(map(len, lines)) <= 80
    assert "    valid: exact | at_least\n" in table


def test_a_table_breaks_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena.cli.screen import Lang, Screen

    rows = [("gomoku/standard15[size=19]", "greedy:noise=30@0.1.0 vs search@0.1.0")]
    monkeypatch.setenv("COLUMNS", "40")
    Screen(Lang.EN).table("", ("Rulebook", "Strength"), rows)
    out = capsys.readouterr().out
    assert "greedy:noise=30@0.1.0" in out


def test_headings_follow_the_option_or_the_locale(arena: Arena) -> None:
    assert "Rulebook" in arena("games", "gomoku").out
    assert "规则集" in arena("games", "gomoku", "--lang", "zh").out
    assert "规则集" in arena("games", "gomoku", env={"LANG": "zh_CN.UTF-8"}).out
    assert "Rulebook" in arena("games", "gomoku", "--lang", "en", env={"LANG": "zh_CN.UTF-8"}).out


@pytest.mark.parametrize("rulebook", ["gomoku/doc001", "chinese_checkers/doc000"])
def test_rules_says_everything_of_a_rulebook(rulebook: str, arena: Arena) -> None:
    import arena as package

    game = package.game(rulebook)
    found = json.loads(arena("rules", rulebook, "--json").out)
    assert found["digest"] == game.rules.digest
    assert {row["name"]: row["value"] for row in found["settings"]} == game.rules.settings()
    default = type(game.rules)().settings()
    for row in found["settings"]:
        assert row["meaning"]["en"] and row["meaning"]["zh"] and row["valid"]
        assert row["changed"] == (row["value"] != default[row["name"]])
    table = arena("rules", rulebook).out
    for row in found["settings"]:
        assert row["name"] in table


def test_rules_shows_overrides(arena: Arena) -> None:
    found = json.loads(arena("rules", "gomoku/doc001", "--set", "size=19", "--json").out)
    size = next(row for row in found["settings"] if row["name"] == "size")
    assert (size["value"], size["changed"], size["overridden"]) == (19, True, True)
    assert found["label"] == "gomoku/doc001[size=19]"


def test_the_schema_takes_what_the_rulebook_says(arena: Arena) -> None:
    schema = json.loads(arena("rules", "gomoku/doc001", "--schema").out)
    found = json.loads(arena("rules", "gomoku/doc001", "--json").out)
    settings = {row["name"]: row["value"] for row in found["settings"]}
    jsonschema.validate(settings, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(settings | {"size": "large"}, schema)


def test_bench_measures_each_engine(arena: Arena) -> None:
    words = ["--engine", "random", "--engine", "random", "--seconds", "0.1", "--json"]
    rows = json.loads(arena("bench", "chinese_checkers/small37", *words).out)
    assert [row["engine"] for row in rows] == ["random", "random"]
    for row in rows:
        assert row["games"] > 0 and row["seconds"] >= 0.1
        assert row["games_per_second"] == pytest.approx(row["games"] / row["seconds"], rel=0.02)
    assert "Games/s" in arena("bench", "gomoku/doc001", "--seconds", "0.1").out


def test_play_is_the_same_game_for_the_same_seed(arena: Arena) -> None:
    words = ["play", "gomoku/doc001", "--seat0", "random", "--seat1", "random", "--json"]
    first, again = arena(*words, "--seed", "3"), arena(*words, "--seed", "3")
    assert first.out == again.out != arena(*words, "--seed", "4").out
    found = json.loads(first.out)
    assert found["finished"] and found["plies"] == len(found["record"]["moves"])
    assert sum(found["scores"]) == 1.0


def test_play_draws_every_position(arena: Arena) -> None:
    words = ["play", "chinese_checkers/small37", "--seat0", "random", "--seat1", "random"]
    ran = arena(*words, "--seed", "1", "--save", "game.json")
    assert ran.code == 0
    plies = json.loads(arena(*words, "--seed", "1", "--json").out)["plies"]
    assert ran.out.count("to move") + ran.out.count("over") >= plies
    assert "random" in ran.out


def test_a_game_that_a_fault_ends_says_so_to_the_shell(arena: Arena) -> None:
    words = ["play", "gomoku/freestyle15", "--seat0", "python:tests.report.conftest:Foul"]
    ran = arena(*words, "--quiet")
    assert ran.code == 3 and "illegal move" in ran.out
    assert arena(*words, "--json").code == 3


def test_a_person_plays_at_the_terminal(arena: Arena) -> None:
    lines = "?\nnonsense\nh8\nquit\n"
    ran = arena("play", "gomoku/doc001", "--seat0", "human", "--seat1", "random", stdin=lines)
    assert ran.code == 0
    assert "moves: h8; resign; quit" in ran.out  # the first stone goes on the centre
    assert "'nonsense' is not a move" in ran.out
    assert "(human)" in ran.out and "left unfinished" in ran.out


def test_a_person_plays_against_a_program_in_a_game_of_hidden_hands(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    bot = "python:tests.bots.legal:Legal"
    words = ("--seat0", "human", "--seat1", bot, "--seat2", bot)
    ran = arena("play", "doudizhu/doc003", *words, stdin="nonsense\nquit\n")
    assert ran.code == 0
    assert "'nonsense'" in ran.err and "resign" in ran.out
    shown = [line for line in ran.err.splitlines() if " (player): " in line]
    assert {line.partition("): ")[2] for line in shown if "seat 0" not in line} == {"17 cards"}


def test_a_person_sees_no_more_than_the_seat_does(arena: Arena) -> None:
    ran = arena("play", "doudizhu/doc003", "--seat0", "human", stdin="quit\n")
    shown = [line for line in ran.out.splitlines() if " (player): " in line]
    hands = {line[:6]: line.partition("): ")[2] for line in shown}
    assert len(hands["seat 0"]) == 17 and hands["seat 1"] == hands["seat 2"] == "17 cards"

    ran = arena("play", "siguo/doc001", "--seat3", "human", stdin="quit\n")
    assert ran.out.count("(random): placed") == 3, "the others' line-ups are not told"

    ran = arena("play", "tuolaji/r10_qq_two_deck", "--seat0", "human", stdin="quit\n")
    assert ran.out.count(" cards\n") == 3

    layout, *_ = json.loads(arena("play", "siguo/doc001", "--json").out)["record"]["moves"]
    ran = arena("play", "siguo/doc001", "--seat0", "human", stdin=f"{layout[1]}\nquit\n")
    board = ran.out.rpartition("placed")[2]
    assert "s4" in board and "w?" in board and "w4" not in board


def test_a_person_is_told_of_how_many_moves_some_are_shown(arena: Arena) -> None:
    ran = arena("play", "gomoku/freestyle15", "--seat0", "human", stdin="?\nquit\n")
    assert " … (40 of 225); resign; quit" in ran.out


def test_a_person_may_resign(arena: Arena) -> None:
    ran = arena("play", "gomoku/doc001", "--seat0", "human", "--json", stdin="h8\nresign\n")
    found = json.loads(ran.out)
    assert (found["termination"], found["culprit"]) == ("resignation", 0)
    assert (found["scores"], found["places"]) == ([0.0, 1.0], [2, 1])
    # Where the rules let the others go on, they do.
    ran = arena("play", "siguo/doc001", "--seat0", "human", "--json", stdin="resign\n")
    assert json.loads(ran.out)["finished"] is True
    words = ("--seat0", "human", "--seat1", "python:tests.bots.legal:Legal")
    ran = arena("play", "gomoku/freestyle15", *words, "--json", stdin="resign\n")
    assert (json.loads(ran.out)["termination"], json.loads(ran.out)["culprit"]) == (
        "resignation",
        0,
    )


def test_a_person_may_leave_by_the_end_of_input(arena: Arena) -> None:
    ran = arena("play", "gomoku/doc001", "--seat0", "human", "--json", stdin="h8\n")
    found = json.loads(ran.out)
    assert (ran.code, found["finished"]) == (0, False)
    assert found["record"]["moves"][0] == [0, "h8"]
    assert "your move" in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_named(arena: Arena) -> None:
    ran = arena(
        "play",
        "gomoku/freestyle15",
        "--seat0",
        "random",
        "--seat1",
        "random",
        "--save",
        "/dev/full",
    )
    assert ran.code == 1
    assert ran.err == "arena: /dev/full: No space left on device\n"


def test_a_saved_game_can_be_seen_again(arena: Arena, tmp_path: Path) -> None:
    words = ["--seat0", "random", "--seat1", "random", "--seed", "5", "--save", "game.json"]
    played = json.loads(arena("play", "chinese_checkers/small37", *words, "--json").out)
    plies = played["plies"]
    shown = arena("replay", "game.json", "--ply", "1")
    assert shown.out.startswith("1. seat 0: ")
    every = arena("replay", "game.json").out
    assert every.count("\n1. seat 0: ") == 1 and f"\n{plies}. " in every
    assert json.loads(arena("replay", "game.json", "--json").out)["record"] == played["record"]
    assert arena("replay", "game.json", "--ply", str(plies + 1)).code == 1
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\x00\xf8")
    assert "arena replay GAME_ID --ledger a.db" in arena("replay", "a.db").err
    arena("replay", "game.json", "--svg", "pictures")
    assert len(list((tmp_path / "pictures").glob("*.svg"))) == plies + 1
    arena("replay", "game.json", "--svg", "last.svg")
    last = (tmp_path / "last.svg").read_text("utf-8")
    assert last == (tmp_path / "pictures" / f"{plies:04d}.svg").read_text("utf-8")
    arena("replay", "game.json", "--html", "game.html")
    assert "<svg" in (tmp_path / "game.html").read_text("utf-8")


def test_a_process_of_its_own_says_the_same(tmp_path: Path) -> None:
    ran = spawn_arena(["rules", "gomoku/doc01"], tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("arena: no rulebook 'gomoku/doc01'") and ran.err.count("\n") == 1


def test_a_reader_may_close_the_pipe() -> None:
    command = f"'{sys.executable}' -m arena games --json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[\n", "")
