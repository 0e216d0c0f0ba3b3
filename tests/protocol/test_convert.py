"""Typed and text forms say the same, for every rulebook."""

from __future__ import annotations

import json

import pytest
from google.protobuf import json_format

import arena
from arena._core import Rng
from arena.protocol.convert import move_text, rules_message, settings_of, type_observation
from arena.protocol.v1 import bot_pb2, gomoku_pb2, types_pb2

BOOKS = arena.rulebooks()


@pytest.mark.parametrize("name", BOOKS)
def test_rules_cross_the_wire_whole(name: str) -> None:
    game = arena.game(name)
    message = types_pb2.Rules.FromString(rules_message(game).SerializeToString())
    settings = settings_of(message)
    assert settings == game.rules.settings()
    assert [type(v) for v in settings.values()] == [
        type(game.rules.settings()[key]) for key in settings
    ]
    assert arena.games.game_from_rules(message.rulebook, settings).rules.digest == message.digest


@pytest.mark.parametrize("name", BOOKS)
def test_a_typed_observation_says_what_the_text_says(name: str) -> None:
    game = arena.game(name)
    state, rng = game.new_state(seed=3), Rng(3)
    for _ in range(60):
        if not state.seats_to_act():
            break
        seat = min(state.seats_to_act())
        text = state.observe(seat)
        turn = bot_pb2.Turn()
        type_observation(turn, game.family.id, text)
        message = getattr(turn, game.family.id)
        back = json_format.MessageToDict(message, preserving_proto_field_name=True)
        seen = json.loads(text)
        if game.family.id == "gomoku":
            cells = message.cells
            size = seen["size"]
            rows = [cells[i * size : (i + 1) * size] for i in reversed(range(size))]
            assert "/".join("".join(".bw"[c] for c in row) for row in rows) == seen.pop("board")
            back.pop("cells")
        assert {k: v for k, v in back.items() if not _blank(v)} == {
            k: v for k, v in seen.items() if not _blank(v)
        } or _numbers(back) == _numbers(seen)
        state.apply(seat, state.sample_move(seat, rng))


def _blank(value: object) -> bool:
    return value in (None, 0, "", False, [])


def _numbers(value: object) -> object:
    """Without the defaults that protobuf leaves out, at any depth."""
    if isinstance(value, dict):
        return {k: _numbers(v) for k, v in value.items() if not _blank(v)}
    if isinstance(value, list):
        return [_numbers(v) for v in value]
    return value


@pytest.mark.parametrize(
    ("decision", "text"),
    [
        ({"move": "h8"}, "h8"),
        ({"gomoku": {"stone": "h8"}}, "h8"),
        ({"gomoku": {"word": "GOMOKU_WORD_SWAP"}}, "swap"),
        ({"gomoku": {"declare": 5}}, "declare 5"),
        ({"gomoku": {"offer": {"points": ["h8", "i9"]}}}, "offer h8 i9"),
        ({"gomoku": {"pick": "h8"}}, "pick h8"),
        ({"gomoku": {}}, ""),
        ({"chineseCheckers": {"holes": ["a1", "c1"]}}, "a1c1"),
        ({"chineseCheckers": {"holes": ["a1", "c1", "e3"]}}, "a1-c1-e3"),
        ({"chineseCheckers": {}}, "pass"),
        ({"tuolaji": {"verb": "TUOLAJI_VERB_CALL", "cards": ["S2", "BJ"]}}, "call S2 BJ"),
        ({"tuolaji": {"verb": "TUOLAJI_VERB_TRUMP", "suit": "H"}}, "trump H"),
        (
            {"tuolaji": {"verb": "TUOLAJI_VERB_PLAY", "cards": ["S3"], "reading": "groups"}},
            "play S3 as groups",
        ),
        ({"tuolaji": {}}, ""),
        ({"siguo": {"step": {"fromPoint": "S35", "toPoint": "S25"}}}, "S35-S25"),
        (
            {"siguo": {"layout": "37254/6.8.2/51.13/7.9.6/4B1B3/MFM2M"}},
            "layout 37254/6.8.2/51.13/7.9.6/4B1B3/MFM2M",
        ),
        ({"siguo": {"timeout": True}}, "timeout"),
        ({"siguo": {}}, ""),
        ({}, ""),
    ],
)
def test_typed_moves_have_a_text(decision: dict[str, object], text: str) -> None:
    assert move_text(json_format.ParseDict(decision, bot_pb2.Decision())) == text


def test_a_word_of_a_later_release_is_no_move() -> None:
    decision = bot_pb2.Decision()
    decision.gomoku.MergeFromString(b"\x10\x63")
    assert decision.gomoku.word == 99
    assert move_text(decision) == ""


def test_every_word_of_gomoku_is_typed() -> None:
    words = {name.removeprefix("GOMOKU_WORD_").lower() for name in gomoku_pb2.GomokuWord.keys()}  # noqa: SIM118 - an enum wrapper, not a dict
    assert words == {
        "unspecified",
        "pass",
        "claim",
        "swap",
        "stay",
        "black",
        "white",
        "add",
    }
