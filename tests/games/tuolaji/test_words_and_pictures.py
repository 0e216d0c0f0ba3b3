"""Cards and moves in words, hands as tables, tricks as pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import arena
from arena import SPECTATOR
from arena.games.tuolaji.notation import describe_move, pips
from arena.games.tuolaji.observation import Observation
from arena.games.tuolaji.picture import draw_svg, draw_text, draw_trick
from tests.games.tuolaji.tables import cards, play, table

GAME = arena.game("tuolaji/r10_qq_two_deck")


@pytest.mark.parametrize(
    ("move", "english", "chinese"),
    [
        ("pass", "pass", "不叫"),
        ("rebel", "rebels: a new deal", "造反，重新发牌"),
        ("trump H", "makes hearts trump", "定红桃为主"),
        ("call S2 S2 SJ", "calls with ♠22 sj", "叫主 ♠22 小王"),
        ("add C3", "adds ♣3", "加固 ♣3"),
        ("bury D5 DJk", "buries ♦5J", "扣底 ♦5J"),
        ("play H10 H10 BJ", "plays ♥1010 BJ", "出牌 ♥1010 大王"),
        ("play H2 H2 H2 H3 H3 as groups", "plays ♥22233 (as separate groups)", "出牌 ♥22233（作 不作连对）"),
        ("play H2 H2 H3 H3 H3 as 2x2", "plays ♥22333 (as 2x2)", "出牌 ♥22333（作 2x2）"),
    ],
)  # fmt: skip
def test_words(move: str, english: str, chinese: str) -> None:
    assert describe_move(GAME, move, False) == english
    assert describe_move(GAME, move, True) == chinese


@pytest.mark.parametrize("bad", ["", "play", "trump NT", "trump", "fold", "play X3", "pass 1"])
def test_other_text_is_no_move(bad: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        describe_move(GAME, bad, False)


def test_pips_name_a_suit_once() -> None:
    assert pips(cards("S3344 HA SJ BJ")) == "♠3344 ♥A sj BJ"


def test_jacks_are_read_in_both_spellings() -> None:
    state = table("r10_qq_two_deck", ["HJ SJ", "H3 S4"])
    assert state.check(0, "play HJ") is None
    refusal = state.check(0, "play SJk")
    assert refusal is not None
    assert refusal.reason.name == "not_in_hand"
    assert refusal.detail == "SJk"
    assert state.check(0, "play SJ") is None, "the small joker"


def test_a_hand_as_a_table() -> None:
    state = table("r10_qq_two_deck", ["H98844 3", "HJ3567Q", "D34567 8", "C345678"])
    state.apply(0, play("H98844"))
    state.apply(1, play("HJ"))
    text = draw_text(GAME, state)
    lines = text.splitlines()
    assert "trump spades" in lines[0]
    row = next(line for line in lines if line.startswith("1 "))
    assert ">♥9 (of ♥44889)" in row
    assert "♥J" in row
    assert any(line.startswith("seat 0 (dealer): ♥34488") for line in lines)
    assert lines[-1] == "to act: seat 2"


def test_pictures_show_every_card() -> None:
    state = table("r10_qq_two_deck", ["HAA 3", "H44 6", "H55 7", "D34 8"])
    for seat, text in enumerate(["HAA", "H44", "H55", "D34"]):
        state.apply(seat, play(text))
    trick = Observation.from_json(state.observe(SPECTATOR)).tricks[0]
    for svg in (draw_trick(GAME, trick), draw_svg(GAME, state)):
        root = ElementTree.fromstring(svg)
        assert root.tag.endswith("svg")
        shown = [element.text for element in root.iter() if element.tag.endswith("text")]
        assert [shown.count(text) for text in ("♥A", "♥4", "♥5", "♦3", "♦4")] == [2, 2, 2, 1, 1]
    assert draw_svg(GAME, GAME.new_state(1))


def test_an_observation_is_read_strictly() -> None:
    with pytest.raises(ValueError, match="not an observation"):
        Observation.from_json("{}")
    state = GAME.new_state(1)
    seen = Observation.from_json(state.observe(0))
    assert seen.counts[0] == len(seen.hand_cards)
