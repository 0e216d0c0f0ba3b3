"""The settings, what does not fit together, and the rulebooks."""

from __future__ import annotations

import pytest

import arena
from arena import _core
from arena.games import RulesError, family
from arena.games.chinese_checkers.rules import CheckersRules
from tests.games.chinese_checkers.positions import checkers

BOOKS = family("chinese_checkers").rulebooks


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"players": 1}, "players"),
        ({"players": 7}, "players"),
        ({"players": "2"}, "players"),
        ({"board": "star100"}, "board"),
        ({"pegs": 11}, "pegs: 11 do not fit board star121; it takes 6, 10 or 15"),
        ({"board": "star73"}, None),
        ({"board": "star37", "pegs": 10}, "pegs: 10 do not fit board star37; it takes 1, 3 or 6"),
        ({"players": 3, "pegs": 15}, "pegs: 15 on board star121 reach into the hexagon"),
        ({"sets_per_player": 2, "pegs": 15}, "reach into the hexagon"),
        ({"players": 3, "board": "star73"}, "pegs: 10 on board star73"),
        ({"players": 3, "sets_per_player": 3}, "sets_per_player: 3 with players 3; at most 2"),
        ({"players": 4, "sets_per_player": 2}, "sets_per_player: 2 with players 4; at most 1"),
        ({"sets_per_player": 0}, "sets_per_player"),
        ({"jump": "long"}, "jump"),
        ({"foreign_triangles": "open"}, "foreign_triangles"),
        ({"leave_target": 1}, "leave_target"),
        ({"anti_block": "yes"}, "anti_block"),
        ({"home_deadline": 0}, "home_deadline"),
        ({"late_finish": "draw"}, "late_finish"),
        ({"finish": "last"}, "finish"),
        ({"max_turns": 0}, "max_turns"),
        ({"cap_result": "win"}, "cap_result"),
        ({"jumps": "adjacent"}, "no setting 'jumps'; did you mean 'jump'"),
    ],
)
def test_what_does_not_fit_is_named(settings: dict[str, object], hint: str | None) -> None:
    if hint is None:
        assert checkers("west10_2", **settings).seats == 2
        return
    with pytest.raises(RulesError) as raised:
        checkers("west10_2", **settings)
    assert hint in str(raised.value), raised.value


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"pegs": 11}, "pegs: 11 do not fit"),
        ({"players": 3, "pegs": 15}, "pegs: 15 reach into the hexagon"),
        ({"players": 4, "sets_per_player": 2}, "sets_per_player: 2 with players = 4"),
        ({"players": 9}, "players: 9 is not in 2..6"),
        ({"jump": "long"}, "jump: 'long' is none of adjacent, equidistant"),
        ({"max_turns": 0}, "max_turns: 0 is not in 1..10000"),
    ],
)
def test_the_core_has_its_own_fence(settings: dict[str, bool | int | str], hint: str) -> None:
    fields = {**CheckersRules().settings(), **settings}
    with pytest.raises(ValueError, match=hint):
        _core.game("chinese_checkers", fields)


def test_the_core_wants_every_setting() -> None:
    fields = CheckersRules().settings()
    del fields["jump"]
    with pytest.raises(ValueError, match="jump: missing"):
        _core.game("chinese_checkers", fields)


@pytest.mark.parametrize("book", BOOKS)
def test_rulebooks(book: str) -> None:
    rulebook = BOOKS[book]
    assert rulebook.names.en and rulebook.names.zh and rulebook.source
    assert set(rulebook.sources) <= set(CheckersRules.model_fields)
    assert checkers(book).seats == rulebook.rules.seat_count()
    explained = set(rulebook.sources)
    for setting in set(rulebook.settings) - explained:
        # Sizes and caps explain themselves by the name of the book.
        assert setting in {
            "players",
            "board",
            "pegs",
            "max_turns",
            "finish",
            "anti_block",
            "cap_result",
        }, (book, setting)


# The table of section "Parameters and presets" of the source study, as (book, setting, value).
PRESETS = [
    ("doc000", "players", 4),
    ("doc000", "jump", "adjacent"),
    ("doc000", "late_finish", "one_more_round_draw"),
    ("doc000", "anti_block", "filled_any_own"),
    ("doc000", "finish", "first_only"),
    ("doc000_same_round", "late_finish", "same_round_draw"),
    ("doc000_three", "players", 3),
    ("doc001", "players", 2),
    ("doc001", "jump", "adjacent"),
    ("doc001", "late_finish", "same_round_draw"),
    ("doc001", "anti_block", "passive_loss"),
    ("doc003", "late_finish", "same_round_draw"),
    ("west10_2", "late_finish", "none"),
    ("west10_6", "leave_target", False),
    ("west15", "pegs", 15),
    ("kids6", "pegs", 6),
    ("super", "jump", "equidistant"),
    ("openspiel_2", "leave_target", True),
    ("openspiel_2", "anti_block", "none"),
    ("openspiel_2", "max_turns", 500),
    ("openspiel_4", "max_turns", 250),
    ("masters", "anti_block", "swap"),
    ("west10_two_sets", "sets_per_player", 2),
    ("west10_3_two_sets", "sets_per_player", 2),
    ("ranked_6", "finish", "rank_all"),
    ("small73", "board", "star73"),
]


@pytest.mark.parametrize(("book", "setting", "value"), PRESETS)
def test_presets(book: str, setting: str, value: object) -> None:
    assert BOOKS[book].rules.settings()[setting] == value


def test_documents_001_and_003_have_the_same_rules() -> None:
    assert BOOKS["doc001"].rules == BOOKS["doc003"].rules


def test_quoted_sentences_are_there_for_what_the_documents_state() -> None:
    for book, setting, words in (
        ("doc000", "players", "每人负责1个对角"),
        ("doc000", "jump", "只允许隔一棋子一跳"),
        ("doc000", "late_finish", "晚一轮"),
        ("doc000_three", "players", "有一组3人"),
        ("doc001", "jump", "不允许隔空跳"),
        ("doc001", "late_finish", "步数相同"),
        ("doc001", "anti_block", "消极失败"),
        ("doc003", "finish", "尽可能少的步数"),
    ):
        assert words in BOOKS[book].sources[setting]


def test_a_rulebook_by_another_number_of_players() -> None:
    assert arena.game("chinese_checkers/super", players=6).seats == 6
