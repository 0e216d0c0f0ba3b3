from __future__ import annotations

import pytest

import arena
from arena.players.fitness import unfit
from arena.protocol.v1 import bot_pb2

SUPPORT = bot_pb2.GameSupport
LIMIT = bot_pb2.SettingLimit


def describe(*games: bot_pb2.GameSupport) -> bot_pb2.DescribeResponse:
    return bot_pb2.DescribeResponse(games=games)


@pytest.mark.parametrize(
    ("games", "fits"),
    [
        ([], False),
        ([SUPPORT(rulebooks="*")], True),
        ([SUPPORT(rulebooks="gomoku/*")], True),
        ([SUPPORT(rulebooks="gomoku/freestyle15")], True),
        ([SUPPORT(rulebooks="gomoku/free")], False),
        ([SUPPORT(rulebooks="chinese_checkers/*")], False),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="size", max=15)])], True),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="size", min=15, max=15)])], True),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="size", min=16)])], False),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="size", max=14)])], False),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="width", max=99)])], False),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="opening", max=99)])], False),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="opening", values=["free"])])], True),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="opening", values=["swap2"])])], False),
        (
            [SUPPORT(rulebooks="g*", limits=[LIMIT(setting="both_ends_block", values=["false"])])],
            True,
        ),
        ([SUPPORT(rulebooks="g*", limits=[LIMIT(setting="opening_n", values=["null"])])], True),
        (
            [
                SUPPORT(rulebooks="g*", limits=[LIMIT(setting="size", max=14)]),
                SUPPORT(rulebooks="gomoku/freestyle15"),
            ],
            True,
        ),
    ],
)
def test_a_description_covers_a_game_or_says_why_not(
    games: list[bot_pb2.GameSupport], fits: bool
) -> None:
    reason = unfit(describe(*games), arena.game("gomoku/freestyle15"))
    assert (reason is None) is fits
    if reason is not None:
        assert reason.endswith("not gomoku/freestyle15")
