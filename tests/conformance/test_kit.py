"""The kit passes a good bot, and names what is wrong with every other."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.conformance import Finding, Kit, Outcome, junit
from arena.conformance.checks import NAMES
from arena.conformance.kit import POLICY
from arena.match.policy import MatchPolicy
from arena.players.spec import EngineSpec
from tests.conformance.wrong import serving

BOOKS = ("gomoku/renju_rif", "gomoku/swap2")
# What a failing check has to wait for is waited for; what a good bot needs is far less.
QUICK = MatchPolicy(
    connect_ms=5_000,
    ready_ms=3_000,
    new_game_ms=1_000,
    move_ms=1_000,
    ping_ms=1_000,
    disconnect_grace_ms=2_000,
    crashes=1_000,
)
# A busy machine is not a good bot's fault.
PATIENT = POLICY.model_copy(update={"move_ms": 5_000})

WRONG = [
    ("nameless", "describe", "name is empty"),
    ("no_version", "describe", "version is empty"),
    ("at_version", "describe", "without '@'"),
    ("no_games", "describe", "games is empty"),
    ("unknown_game", "describe", "'chess/*' matches no rulebook"),
    ("unknown_limit", "describe", "limit on 'sise'"),
    ("unfit", "describe", "none of the rulebooks"),
    ("future", "ready", "speaks protocols arena.v99"),
    ("never_ready", "ready", "no answer within its limits"),
    ("hangs_up", "ready", "before it was ready"),
    ("no_health", "health", "UNIMPLEMENTED"),
    ("not_serving", "health", "NOT_SERVING"),
    ("never_game", "new_game", "not ready for the game"),
    ("nonsense", "moves", "I think I am winning"),
    ("no_declaring", "moves", "phase declare"),
    ("empty", "moves", "without a move"),
    ("gives_up", "moves", "out of ideas"),
    ("raises", "moves", "crash"),
    ("other_seat", "moves", "no answer to 1 of 1"),
    ("mute", "moves", "no answer to 1 of 1"),
    ("no_pong", "ping", "no pong"),
    ("first_pong", "ping", "numbers that came: 1"),
    ("only_first", "batch", "of 32 turns"),
    ("swapped", "batch", "illegal move"),
    ("small_mailbox", "large", "RESOURCE_EXHAUSTED"),
    ("crowded", "at_once", "too many games"),
    ("once", "repeated", "no answer"),
    ("first_revision", "stale", "no answer"),
    ("touchy", "refusals", "crash"),
    ("proud", "asked_again", "no answer"),
    ("no_draws", "asked_again", "no answer"),
    ("slow", "deadline", "the limit was"),
    ("mourner", "game_over", "crash"),
    ("one_stream", "reconnect", "served one stream already"),
    ("clingy", "goodbye", "still stands"),
    ("tired", "whole_game", "a long game"),
]


async def check(mode: str, *only: str, policy: MatchPolicy = QUICK) -> list[Finding]:
    async with serving(mode) as address:
        kit = Kit(EngineSpec.parse(address), BOOKS, policy, only)
        return [finding async for finding in kit.run()]


@pytest.fixture(scope="module")
def findings() -> dict[str, list[Finding]]:
    """What is found of every wrong bot, by the check that is meant for it; and of a good one."""

    async def every() -> list[list[Finding]]:
        # They wait more than they work; but all at once, they would wait for each other.
        some = asyncio.Semaphore(8)

        async def one(mode: str, *only: str) -> list[Finding]:
            async with some:
                return await check(mode, *only)

        wrong = [one(mode, name) for mode, name, _ in WRONG]
        bad = await asyncio.gather(*wrong)
        return [await check("good", policy=PATIENT), *bad]

    return dict(zip(["good", *(mode for mode, _, _ in WRONG)], asyncio.run(every()), strict=True))


def test_a_good_bot_passes_every_check(findings: dict[str, list[Finding]]) -> None:
    good = findings["good"]
    assert {f.check for f in good} == set(NAMES)
    assert {f.check for f in good if f.outcome is Outcome.SKIPPED} == {"stop"}
    assert [f for f in good if f.outcome is Outcome.FAILED] == []
    (rif,) = (f for f in good if f.name == "moves gomoku/renju_rif")
    assert "place, swap, declare, offer, pick, main" in rif.detail


@pytest.mark.parametrize(("mode", "name", "words"), WRONG, ids=[mode for mode, _, _ in WRONG])
def test_each_wrong_is_found_by_its_check(
    mode: str, name: str, words: str, findings: dict[str, list[Finding]]
) -> None:
    failed = [f for f in findings[mode] if f.outcome is Outcome.FAILED]
    assert {f.check for f in failed} == {name}, findings[mode]
    assert words in failed[0].detail


def test_every_check_has_a_bot_that_fails_it() -> None:
    # "stop" is for programs; see below.
    assert {name for _, name, _ in WRONG} == set(NAMES) - {"stop"}


def test_the_authors_page_names_every_check() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bot-authors.md").read_text("utf-8")
    _, _, table = page.partition("| check | what holds")
    table, _, _ = table.partition("\n\n")
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == NAMES


def test_a_failure_shows_what_was_sent_and_what_came_back(
    findings: dict[str, list[Finding]],
) -> None:
    (failed,) = (f for f in findings["no_declaring"] if f.outcome is Outcome.FAILED)
    turns, decisions = (
        [line for line in failed.exchange if key in line] for key in ('"turns"', '"decisions"')
    )
    sent, came = (json.loads(lines[0].partition(" ms ")[2]) for lines in (turns, decisions))
    (turn,), (decision,) = sent["turns"], came["decisions"]
    assert turn["gomoku"]["phase"] == "declare"
    assert sent["rules"][turn.get("rules", 0)]["rulebook"] == "gomoku/renju_rif"
    assert (decision["game"], decision["move"]) == (turn["game"], "h8")


def test_a_silent_bot_is_not_waited_for_for_ever() -> None:
    policy = QUICK.model_copy(update={"move_ms": 100})
    found = asyncio.run(check("mute", policy=policy))
    outcomes = [f.outcome for f in found if f.check not in ("ready", "describe", "health")]
    assert found[-1].outcome is Outcome.SKIPPED and "silent" in found[-1].detail
    assert outcomes.count(Outcome.FAILED) <= 3


def test_a_program_that_does_not_stop_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    command = shlex.join([sys.executable, "-m", "tests.bots.raw", "stubborn"])
    kit = Kit(EngineSpec.parse(command), ["gomoku/freestyle15"], only=("moves", "stop"))

    async def run() -> list[Finding]:
        return [finding async for finding in kit.run()]

    outcomes = {f.check: f for f in asyncio.run(run())}
    assert outcomes["moves"].outcome is Outcome.PASSED
    assert outcomes["stop"].outcome is Outcome.FAILED
    assert "had to be killed" in outcomes["stop"].detail


def test_junit_holds_every_finding_and_whatever_a_bot_says() -> None:
    found = [
        Finding("moves", "gomoku/doc001", Outcome.PASSED, 0.5, "4 positions"),
        Finding("batch", "", Outcome.FAILED, 0.25, "bad \x00 <move>", ('-> 0 ms {"a": "\ud800"}',)),
        Finding("stop", "", Outcome.SKIPPED, 0.0, "only for programs"),
    ]
    (suite,) = ElementTree.fromstring(junit(found, "bot \x1b"))
    counts = [suite.get(key) for key in ("tests", "failures", "skipped", "time")]
    assert counts == ["3", "1", "1", "0.750"]
    passed, failed, skipped = suite
    assert passed.get("name") == "moves gomoku/doc001" and passed.find("failure") is None
    failure = failed.find("failure")
    assert failure is not None and failure.text is not None
    assert "<move>" in failure.text and "-> 0 ms" in failure.text
    assert skipped.find("skipped") is not None
