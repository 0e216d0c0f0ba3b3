"""Programs of other protocols as bots: whole games, openings, and every way to be wrong."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import arena
from arena._core import Termination
from arena.bridges import DIALECTS, Gomocup, Pace, Terms, Uci, Xboard, bridge_bot
from arena.bridges.gomocup import Rule, rule_of
from arena.bridges.program import ProgramError
from arena.ledger import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.spec import EngineSpec
from arena.protocol.convert import rules_message
from arena.protocol.v1 import bot_pb2
from arena.sdk.turn import RulesCache, Turn
from tests.bridges.bots import WORDS

PROGRAM = Path(__file__).with_name("programs.py")
BRIDGED = EngineSpec.parse("python:tests.bridges.bots:Bridged")
SYSTEM = ":/usr/games"
Play = Callable[..., GameResult]


def match(name: str, engines: tuple[EngineSpec, EngineSpec], policy: MatchPolicy) -> GameResult:
    (result,) = series(name, engines, policy, 1)
    return result


def series(
    name: str, engines: tuple[EngineSpec, EngineSpec], policy: MatchPolicy, games: int
) -> list[GameResult]:
    """One game after the other, with the same seats."""
    made = arena.game(name)
    requests = [
        GameRequest(
            game_id=f"{number:032x}",
            sweep_id="bridges",
            cell_id="bridges",
            block=number,
            permutation=0,
            game=made,
            engines=engines,
            deal_seed=1,
            engine_seed=1,
            keep_record=True,
        )
        for number in range(games)
    ]
    results = []
    with MatchRunner(policy, max_parallel_games=1) as runner:
        for result in runner.play(requests):
            assert not isinstance(result, NotPlayed), result
            results.append(result)
    return results


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Plays one game of a small program against `random`."""
    monkeypatch.setenv("PYTHONPATH", str(PROGRAM.parents[2]))

    def played(
        name: str, words: str, *, seat: int = 0, max_plies: int = 30, move_ms: int = 5_000
    ) -> GameResult:
        monkeypatch.setenv(WORDS, words.replace("MARKER", str(tmp_path / "marker")))
        other = EngineSpec.parse("random")
        engines = (BRIDGED, other) if seat == 0 else (other, BRIDGED)
        return match(name, engines, MatchPolicy(max_plies=max_plies, move_ms=move_ms))

    return played


def moves(result: GameResult) -> list[str]:
    assert result.record is not None
    return [move for _, move in result.record.moves]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("gomoku/freestyle15", "gomocup"),
        ("xiangqi/axf", "uci"),
        ("xiangqi/axf", "ucci"),
        ("xiangqi/axf", "xboard"),
    ],
)
def test_a_program_plays_a_game(play: Play, name: str, dialect: str, seat: int) -> None:
    result = play(name, dialect, seat=seat)
    assert result.termination in (Termination.move_limit, Termination.five), result.notes
    assert result.plies > 8


def test_the_first_stone_on_the_centre_is_not_asked_for(play: Play) -> None:
    assert moves(play("gomoku/renju_gomocup", "gomocup", max_plies=9))


@pytest.mark.parametrize(
    ("mode", "seat", "choice"),
    [("good", 1, "white"), ("SWAP", 1, "black"), ("two", 1, "add"), ("good", 0, None)],
)
def test_swap2(play: Play, mode: str, seat: int, choice: str | None) -> None:
    made = moves(play("gomoku/swap2", f"gomocup {mode}", seat=seat, max_plies=12))
    if choice is None:
        assert made[:3] == ["a15", "b15", "c15"], "the three stones of the first answer"
    else:
        assert made[3] == choice
        if choice == "add":
            assert len(made) > 6
            assert all(move in ("a15", "b15", "c15", "d15", "e15") for move in made[4:6])


def test_a_program_that_dies_over_a_move_is_started_again_once(play: Play) -> None:
    result = play("xiangqi/axf", "uci crash_once MARKER")
    assert result.termination is Termination.move_limit, result.notes
    result = play("gomoku/freestyle15", "gomocup crash")
    assert (result.termination, result.culprit) == (Termination.crash, 0)
    assert "ended with code 7" in str(result.notes)
    assert "cannot open the book" in str(result.notes), "its own words say why"


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("gomoku/freestyle15", "gomocup nonsense", "'perhaps the centre' is no point"),
        ("gomoku/freestyle15", "gomocup off_board", "15,15 is not on a board of 15 by 15"),
        ("gomoku/pro", "gomocup", "the protocol has no word for these rules"),
    ],
)
def test_an_answer_that_is_none_loses_with_its_words(
    play: Play, name: str, words: str, said: str
) -> None:
    result = play(name, words)
    assert (result.termination, result.culprit) == (Termination.crash, 0)
    assert said in " ".join(result.notes)


@pytest.mark.parametrize("dialect", ["uci", "ucci", "xboard"])
def test_a_program_may_give_up(play: Play, dialect: str) -> None:
    result = play("xiangqi/axf", f"{dialect} resign")
    assert (result.termination, result.culprit) == (Termination.resignation, 0)


def test_silence_runs_out_of_time(play: Play) -> None:
    result = play("xiangqi/axf", "uci silent", move_ms=400)
    assert (result.termination, result.culprit) == (Termination.timeout, 0)


def test_one_game_after_the_other_has_the_one_program_to_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next game's first turn may follow the news of the last one's end at once."""
    monkeypatch.setenv("PYTHONPATH", str(PROGRAM.parents[2]))
    program = f"{sys.executable} {PROGRAM} gomocup"
    spec = EngineSpec.parse(
        f"command:{sys.executable} -m arena bridge gomocup --command '{program}'"
    )
    engines = (EngineSpec.parse("random"), spec)
    policy = MatchPolicy(max_plies=3, connect_ms=20_000)
    results = series("gomoku/freestyle15", engines, policy, 150)
    assert {result.termination for result in results} == {Termination.move_limit}


def test_a_program_that_still_thinks_about_a_game_that_is_over_makes_room(tmp_path: Path) -> None:
    marker = tmp_path / "asked"
    command = [sys.executable, str(PROGRAM), "uci", "silent_once", str(marker)]
    bot = bridge_bot(command, Uci, name="x", terms=Terms(Pace(movetime_ms=50)))

    async def run() -> None:
        first = asyncio.ensure_future(bot.choose(turn("1")))
        while not marker.exists():
            await asyncio.sleep(0.01)
        bot.game_over(bot_pb2.GameOver(game="1"))
        assert (await bot.choose(turn("2"))).move
        with pytest.raises(ProgramError, match="ended with code"):
            await first
        assert (await bot.choose(turn("2"))).move, "only its own game has the new program"

    bot.load()
    try:
        asyncio.run(run())
    finally:
        bot.close()


def turn(name: str) -> Turn:
    """The first turn of a game of Xiangqi, with ten seconds for it."""
    game = arena.game("xiangqi/axf")
    state = game.new_state()
    message = bot_pb2.Turn(game=name, revision=1, position=state.setup(), limit_ms=10_000)
    return Turn(message, rules_message(game), RulesCache())


def test_what_the_gomocup_protocol_has_words_for() -> None:
    named = {
        book: rule_of(arena.game(f"gomoku/{book}").rules.settings())
        for book in ("freestyle20", "standard15", "caro15", "renju_free", "swap2", "pro", "naive33")
    }
    assert named == {
        "freestyle20": Rule.FREESTYLE,
        "standard15": Rule.EXACT_FIVE,
        "caro15": Rule.CARO,
        "renju_free": Rule.RENJU,
        "swap2": Rule.EXACT_FIVE,
        "pro": None,
        "naive33": Rule.RENJU,
    }
    assert (
        rule_of(arena.game("gomoku/renju_free", double_three_black="allowed").rules.settings())
        is None
    )
    assert "gomoku/pro" not in Gomocup.rulebooks()
    assert "gomoku/swap2" in Gomocup.rulebooks()


def test_what_cannot_be_is_refused_before_a_game() -> None:
    for dialect, pace, said in (
        (Gomocup, Pace(nodes=5), "think by time"),
        (Xboard, Pace(nodes=5), "no word for nodes"),
    ):
        with pytest.raises(ValueError, match=said):
            dialect(pace, ())
    with pytest.raises(ValueError, match="gomoku/pro: not among gomoku/doc001"):
        bridge_bot(["x"], Gomocup, name="x", terms=Terms(), games=["gomoku/pro"])
    bot = bridge_bot(["./nowhere"], Uci, name="x", terms=Terms())
    with pytest.raises(RuntimeError, match=r"nowhere: cannot be started: No such file"):
        bot.load()
    assert bot.games == Uci.rulebooks()
    assert set(DIALECTS) == {"gomocup", "uci", "ucci", "xboard"}


@pytest.mark.parametrize(
    ("dialect", "program", "pace"),
    [("uci", "fairy-stockfish", "--nodes=200"), ("xboard", "hoixiangqi", "--depth=1")],
)
def test_programs_of_the_distribution(dialect: str, program: str, pace: str) -> None:
    found = shutil.which(program, path=f"{sys.exec_prefix}{SYSTEM}")
    if found is None:
        pytest.skip(f"{program} is not installed (a Debian package)")
    theirs = EngineSpec.parse(f"{{python}} -m arena bridge {dialect} --command {found} {pace}")
    policy = MatchPolicy(max_plies=16, connect_ms=20_000)
    result = match("xiangqi/axf", (theirs, EngineSpec.parse("random")), policy)
    assert result.termination is Termination.move_limit, result.notes
