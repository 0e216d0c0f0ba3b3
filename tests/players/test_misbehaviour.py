"""Bots that crash, stall, lie and flood: the right cause, and nothing else is lost."""

from __future__ import annotations

import shlex
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

import arena
from arena._core import Termination
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import Unavailable
from arena.players.spec import EngineKind, EngineSpec

ROOT = Path(__file__).resolve().parents[2]
GAMES = 3
Results = Mapping[str, list[GameResult | NotPlayed]]


def command(script: str, *arguments: str) -> str:
    return shlex.join([sys.executable, "-m", f"tests.bots.{script}", *arguments])


def engine(name: str, text: str) -> EngineSpec:
    return EngineSpec(name, "1", EngineKind.COMMAND, text)


RANDOM = EngineSpec("random", "1", EngineKind.BUILTIN, "random")


def play(engines: list[EngineSpec], policy: MatchPolicy, games: int = GAMES) -> Results:
    """Every engine as seat 0 against random, all at once."""
    game = arena.game("gomoku/freestyle15")
    requests = [
        GameRequest(
            f"{spec.name}-{number}", "s", "c", number, 0, game, (spec, RANDOM), number, number
        )
        for number in range(games)
        for spec in engines
    ]
    results: dict[str, list[GameResult | NotPlayed]] = defaultdict(list)
    with MatchRunner(policy, max_parallel_games=len(requests)) as runner:
        for result in runner.play(requests):
            request = result.request if isinstance(result, NotPlayed) else None
            game_id = request.game_id if request else getattr(result, "game_id", "")
            results[game_id.rpartition("-")[0]].append(result)
    assert sum(map(len, results.values())) == len(requests)
    return results


ANNOUNCES_AND_DIES = """
import os, sys
print("ARENA_BOT_PORT=9", flush=True)
sys.stderr.write("no licence\\n")
os._exit(4)
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    marker = str(tmp_path_factory.mktemp("bots") / "crashed")
    bad = ["raise", "crash", "kill", "nonsense", "illegal", "empty", "wrong_type", "huge"]
    raw = [
        "echo",
        "hang_up",
        "hang_up_always",
        "noise",
        "empty_noise",
        "typed",
        "new_game",
        "single",
        "noise_at_once",
        "ready_noise",
        "long_move",
        "long_failure",
        "long_claim",
        "long_comment",
        "long_game",
        "stutter",
        "tomorrow",
        "stubborn",
    ]
    unfit = ["limited", "future"]
    engines = [
        engine("good", command("bad", "none")),
        engine("other_game", command("bad", "other_game")),
        engine("slow_load", command("bad", "slow_load")),
        engine("bad_load", command("bad", "bad_load")),
        engine("flood", command("bad", "flood", "4")),
        engine("crash_once", command("raw", "crash_once", "4", "0", marker)),
        engine("absent", "/nowhere/to/be/found --port 0"),
        engine("early", shlex.join([sys.executable, "-c", ANNOUNCES_AND_DIES])),
        engine("mute", shlex.join([sys.executable, "-c", "import sys; sys.exit('broken build')"])),
        *(engine(mode, command("bad", mode, "4")) for mode in bad),
        *(engine(mode, command("raw", mode, "4")) for mode in raw),
        *(engine(mode, command("raw", mode)) for mode in unfit),
    ]
    policy = MatchPolicy(
        connect_ms=90_000, ready_ms=30_000, move_ms=60_000, ping_ms=20_000, crashes=5
    )
    return play(engines, policy)


def ended(results: Results, name: str) -> list[GameResult]:
    found = [r for r in results[name] if isinstance(r, GameResult)]
    assert len(found) == GAMES, results[name]
    return found


def by_rules(result: GameResult) -> bool:
    return result.termination in (Termination.five, Termination.board_full)


@pytest.mark.parametrize(
    "name",
    [
        "good",
        "slow_load",
        "flood",
        "crash_once",
        "echo",
        "hang_up",
        "typed",
        "new_game",
        "single",
        "long_claim",
        "long_comment",
        "long_game",
        "stutter",
        "tomorrow",
        "stubborn",
    ],
)
def test_whoever_comes_through_loses_nothing(results: Results, name: str) -> None:
    for result in ended(results, name):
        assert by_rules(result), f"{result.termination}: {result.notes}"


@pytest.mark.parametrize(
    ("name", "termination", "words"),
    [
        ("raise", Termination.crash, "no idea what to do"),
        ("wrong_type", Termination.crash, "a move is text"),
        ("crash", Termination.crash, "about to divide by zero"),
        ("kill", Termination.crash, "signal 9"),
        ("nonsense", Termination.illegal_move, "I think I am winning"),
        ("illegal", Termination.illegal_move, "play a free point"),
        ("empty", Termination.protocol_error, "without a move"),
        ("huge", Termination.protocol_error, "larger"),
        ("noise", Termination.protocol_error, "of no use"),
        ("empty_noise", Termination.protocol_error, "of no use"),
        ("noise_at_once", Termination.protocol_error, "of no use"),
        ("ready_noise", Termination.protocol_error, "of no use"),
        ("long_move", Termination.illegal_move, "h8h8h8"),
        ("long_failure", Termination.crash, "the board is on fire"),
        ("hang_up_always", Termination.disconnect, "closed the stream"),
    ],
)
def test_each_misdeed_has_its_cause(
    results: Results, name: str, termination: Termination, words: str
) -> None:
    for result in ended(results, name):
        assert (result.termination, result.culprit) == (termination, 0), result
        assert result.scores == (0.0, 1.0)
        assert any(words in note for note in result.notes), result.notes
        assert sum(map(len, result.notes)) < 20_000


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [
        ("other_game", Unavailable.UNFIT, "plays chinese_checkers/*; not gomoku/freestyle15"),
        ("limited", Unavailable.UNFIT, "size"),
        ("future", Unavailable.UNFIT, "arena.v99"),
        ("bad_load", Unavailable.UNREACHABLE, "no weights"),
        ("absent", Unavailable.UNREACHABLE, "No such file"),
        ("early", Unavailable.UNREACHABLE, "exit code 4 before it answered; it wrote:\nno licence"),
        ("mute", Unavailable.UNREACHABLE, "broken build"),
    ],
)
def test_who_cannot_play_is_not_scheduled(
    results: Results, name: str, cause: Unavailable, words: str
) -> None:
    """R20: never a loss."""
    for result in results[name]:
        assert isinstance(result, NotPlayed), result
        assert result.cause is cause
        assert words in result.message


def test_the_lost_connection_and_the_return_are_in_the_notes(results: Results) -> None:
    """R15: two events."""
    notes = [note for result in ended(results, "hang_up") for note in result.notes]
    assert any("disconnect" in note for note in notes), notes
    assert any("back after" in note for note in notes)


def test_silence_runs_out_of_time_and_a_frozen_peer_is_found_dead() -> None:
    """R5, R6, R7: a silent bot is never illegal, a dead one is noticed without a clock."""
    policy = MatchPolicy(
        connect_ms=60_000,
        move_ms=4_000,
        ping_ms=1_000,
        disconnect_grace_ms=500,
        ready_ms=1_000,
    )
    engines = [
        engine("stall", command("bad", "stall", "2")),
        engine("freeze", command("bad", "freeze", "2")),
        engine("good", command("bad", "none")),
        engine("never_game", command("raw", "never_game")),
        engine("never_ready", command("raw", "never_ready")),
    ]
    policy = policy.model_copy(update={"new_game_ms": 500})
    engines += [engine(mode, command("raw", mode, "2")) for mode in ("always_loading", "deaf")]
    policy = policy.model_copy(update={"ready_cap_ms": 1_500})
    found = play(engines, policy, games=1)
    (deaf,), (loading,) = found["deaf"], found["always_loading"]
    assert isinstance(deaf, GameResult) and isinstance(loading, NotPlayed)
    assert (deaf.termination, deaf.culprit) == (Termination.timeout, 0)
    assert loading.cause is Unavailable.UNREACHABLE
    (stalled,), (frozen,), (good,) = found["stall"], found["freeze"], found["good"]
    assert isinstance(stalled, GameResult) and isinstance(frozen, GameResult)
    assert isinstance(good, GameResult) and by_rules(good)
    assert (stalled.termination, stalled.culprit) == (Termination.timeout, 0)
    assert (frozen.termination, frozen.culprit) == (Termination.disconnect, 0)
    assert any("no sign of life" in note for note in frozen.notes)
    (unprepared,), (unready,) = found["never_game"], found["never_ready"]
    assert isinstance(unprepared, GameResult)
    assert unprepared.termination == Termination.timeout
    assert "not ready for the game" in unprepared.notes[0]
    assert isinstance(unready, NotPlayed)
    assert unready.cause is Unavailable.UNREACHABLE


def test_an_answer_after_the_game_costs_nothing_else() -> None:
    """R18: told at once that the game is over; the bot's other games go on."""
    engines = [engine("late", command("raw", "late", "2"))]
    found = play(engines, MatchPolicy(connect_ms=60_000, move_ms=6_000), games=4)["late"]
    endings = sorted(r.termination.name for r in found if isinstance(r, GameResult))
    assert endings == ["five", "five", "five", "timeout"], found


def test_after_too_many_crashes_in_a_row_the_rest_is_parked() -> None:
    """R13, R14: quarantine ends the waste, and the run ends by itself."""
    engines = [engine("crash", command("bad", "crash", "0"))]
    found = play(engines, MatchPolicy(connect_ms=60_000, crashes=2), games=6)
    lost = [r for r in found["crash"] if isinstance(r, GameResult)]
    parked = [r for r in found["crash"] if isinstance(r, NotPlayed)]
    assert all(r.termination == Termination.crash for r in lost)
    assert parked
    assert {r.cause for r in parked} == {Unavailable.QUARANTINED}
