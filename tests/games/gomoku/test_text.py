"""Setup text, moves as text, notation, pictures, settings: everything a person writes or reads."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import _core
from arena.games import RulesError, SetupError, game
from arena.games.gomoku import FAMILY
from arena.games.gomoku.notation import describe_move, read_move
from arena.games.gomoku.observation import GomokuObservation
from arena.games.gomoku.picture import board_svg, draw_svg, draw_text, move_numbers
from arena.games.gomoku.rules import GomokuRules
from tests.games.gomoku.helpers import ended, new, play, refused, setup_text

BOOKS = sorted(FAMILY.rulebooks)


# --- setup text


@pytest.mark.parametrize("rulebook", BOOKS)
def test_setup_gives_back_every_state_of_random_games(rulebook: str) -> None:
    made = game(f"gomoku/{rulebook}")
    phases = set()
    for seed in range(12):
        state = made.new_state(seed)
        rng = _core.Rng(seed)
        while True:
            text = state.setup()
            again = made.new_state(setup=text)
            assert again.setup() == text
            assert again.observe(0) == state.observe(0)
            assert again.seats_to_act() == state.seats_to_act()
            assert again.roles() == state.roles()
            seen = GomokuObservation.from_json(state.observe(0))
            phases.add(seen.phase)
            if not state.seats_to_act():
                assert ended(again) == ended(state)
                break
            (seat,) = state.seats_to_act()
            if seen.stones % 7 == 0 or seen.phase != "main":
                assert [str(m) for m in again.moves(seat)] == [str(m) for m in state.moves(seat)]
            move = state.sample_move(seat, rng)
            assert again.check(seat, str(move)) is None
            state.apply(seat, move)
    assert {"main", "over"} <= phases


@pytest.mark.parametrize(
    "rules",
    [
        {"forbidden_enforcement": "claim_or_lapse", "false_claim": "lose_move"},
        {"forbidden_enforcement": "claim_or_lapse", "false_claim": "technical_foul"},
        {"forbidden_enforcement": "illegal", "double_four_white": "forbidden"},
        {"five_beats_forbidden": False, "forbidden_enforcement": "claim_or_lapse"},
    ],
)
def test_a_game_goes_on_alike_from_its_setup(rules: dict[str, Any]) -> None:
    made = game("gomoku/renju_free", size=9, **rules)
    for seed in range(8):
        state, rng = made.new_state(seed), _core.Rng(seed)
        while state.seats_to_act():
            (seat,) = state.seats_to_act()
            again = made.new_state(setup=state.setup())
            move = str(state.sample_move(seat, rng))
            play(again, move)
            play(state, move)
            assert again.setup() == state.setup()


def test_setup_is_what_a_person_would_type() -> None:
    made = game("gomoku/doc001")
    state = made.new_state(setup="white=a1,a2,a3,a4 black=f11,g11,h9,g8")
    assert state.setup() == "black=g8,h9,f11,g11 white=a1,a2,a3,a4 seats=bw phase=main move=black"
    state = made.new_state(setup="")
    assert state.setup() == made.new_state(0).setup()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("h8", "key=value"),
        ("colour=black", "black white seats phase"),
        ("black=h8 black=h9", "given twice"),
        ("black=z9", "a1 to o15"),
        ("black=h8,", "is not a point"),
        ("black=h8 white=h8", "h8 already has a stone"),
        ("seats=ww", "bw"),
        ("phase=end", "phases are place swap"),
        ("phase=swap", "it begins in phase main"),
        ("phase=over", "result=five:0"),
        ("phase=main result=five:0", "result=five:0"),
        ("move=red", "black or white"),
        ("passes=1", "no pass"),
        ("last=h8", "has no stone"),
        ("last=pass", "passes=1"),
        ("claimed=yes", "last="),
        ("claimed=maybe", "yes or no"),
        ("false_claims=1", "by seat"),
        ("false_claims=1,x", "not a number"),
        ("result=mate:0", "five forbidden"),
        ("result=five:-", ":0 or :1"),
        ("result=board_full:1", "board_full:-"),
        ("offers=h8", "phase pick"),
        ("declared=3", "no number is declared"),
        ("black=a1,b1,c1,d1,e1", "result=five:0"),
    ],
)
def test_wrong_setups_say_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(SetupError) as error:
        game("gomoku/doc001").new_state(setup=text)
    assert says in str(error.value)
    assert str(error.value).startswith("setup")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("black=h8,i9 white=h9 phase=swap_or_offer", "no step of this opening"),
        ("black=h9,i9 white=h8 phase=swap", "first stone on the centre"),
        ("black=h8 white=h9,i9 phase=swap", "2 black ones"),
        ("black=h8,i9 white=h9,g9 phase=offer", "declared"),
        ("black=h8,i9 white=h9,g9 phase=pick declared=2 offers=a1", "2 are due"),
        ("black=h8,i9 white=h9,g9 phase=pick declared=2 offers=a1,h8", "occupied"),
        ("black=h8,i8 white=j8,g8 phase=pick declared=2 offers=a1,a15", "equal by symmetry"),
        ("black=h8,i9 white=h9,g9 phase=offer declared=9", "1 to 8"),
        ("phase=place move=black", "phase main only"),
    ],
)
def test_wrong_opening_setups(text: str, says: str) -> None:
    with pytest.raises(SetupError) as error:
        game("gomoku/renju_rif").new_state(setup=text)
    assert says in str(error.value)


@given(st.text(max_size=60) | st.text(alphabet="blackwhite=,-:hgi189 _", max_size=80))
@settings(max_examples=300, deadline=None)
def test_setup_reads_or_refuses_anything(text: str) -> None:
    made = game("gomoku/renju_rif")
    try:
        state = made.new_state(setup=text)
    except (SetupError, UnicodeEncodeError):
        return
    assert made.new_state(setup=state.setup()).setup() == state.setup()


# --- moves as text

JUNK = st.text(max_size=40) | st.text(alphabet="abhio0123456789 offerpickdcla", max_size=40)
PLACES = {
    "doc001": ["h8"],
    "renju_rif": ["h8", "i9", "j10", "stay", "g8", "declare 2", "stay"],
    "swap2": ["h8", "h9", "i9"],
    "renju_taraguchi10": ["h8", "stay", "i9", "stay", "j10", "stay", "k11"],
}


@pytest.mark.parametrize("rulebook", PLACES)
@given(junk=JUNK)
@settings(max_examples=150, deadline=None)
def test_any_text_is_a_legal_move_or_a_refusal(rulebook: str, junk: str) -> None:
    state = play(new(rulebook)[1], *PLACES[rulebook])
    (seat,) = state.seats_to_act()
    before = state.setup()
    illegal = state.check(seat, junk)
    assert state.setup() == before
    if illegal is None:
        state.apply(seat, junk)
        (_, canonical) = state.history()[-1]
        assert play(new(rulebook)[1], *PLACES[rulebook]).check(seat, canonical) is None
    else:
        assert illegal.message


@pytest.mark.parametrize(
    "odd", ["", " ", "\x00", "h8\n", "ｈ８", "五", "\ud800", "h08", "h-8", "8h"]
)
def test_odd_text_is_refused(odd: str) -> None:
    refused(new("freestyle15")[1], odd, "syntax")


@pytest.mark.parametrize(("text", "reason"), [("p1", "off_board"), ("a16", "off_board"),
                                              ("a0", "off_board"), ("z99", "off_board"),
                                              ("swap", "wrong_phase"), ("declare x", "syntax"),
                                              ("declare 100", "syntax"), ("pick h8 h9", "wrong_count"),
                                              ("pass now", "syntax"), ("h8 h9", "syntax")])  # fmt: skip
def test_reasons(text: str, reason: str) -> None:
    refused(new("freestyle15")[1], text, reason)


def test_lenient_input_has_one_canonical_text() -> None:
    state = play(new("freestyle15")[1], "H8", "  i9 ")
    assert state.history() == ((0, "h8"), (1, "i9"))


def test_columns_skip_no_letter() -> None:
    state = play(new("freestyle20")[1], "i1", "t20")
    seen = GomokuObservation.from_json(state.observe(0))
    assert seen.rows[0][8] == "b"
    assert seen.rows[19][19] == "w"


# --- notation

SAID = [
    ("h8", "H8", "H8"),
    ("pass", "passes", "停一手"),
    ("claim", "points out a forbidden move", "指出禁手"),
    ("swap", "swaps colours", "交换"),
    ("stay", "does not swap", "不交换"),
    ("black", "takes black", "执黑"),
    ("white", "takes white", "执白"),
    ("add", "adds two stones", "再放两子"),
    ("declare 1", "declares 1 fifth move", "五手 1 打"),
    ("declare 5", "declares 5 fifth moves", "五手 5 打"),
    ("offer h8 i9 a1", "offers H8, I9 and A1", "五手打点：H8、I9、A1"),
    ("pick h8", "picks H8", "选定 H8"),
]


@pytest.mark.parametrize(("move", "en", "zh"), SAID)
def test_notation_both_ways(move: str, en: str, zh: str) -> None:
    made = game("gomoku/renju_rif")
    assert describe_move(made, move, False) == en
    assert describe_move(made, move, True) == zh
    assert read_move(en) == move
    assert read_move(zh) == move
    assert read_move(move) == move


def test_notation_reads_numbered_moves_and_gives_back_what_it_does_not_know() -> None:
    assert read_move("12. H8") == read_move("12.h8") == "h8"
    assert read_move("Hello") == "hello"
    assert describe_move(game("gomoku/doc001"), "castle", False) == "castle"


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_sampled_move_can_be_said_and_read(rulebook: str) -> None:
    made = game(f"gomoku/{rulebook}")
    state, rng = made.new_state(3), _core.Rng(3)
    for _ in range(20):
        if not state.seats_to_act():
            break
        (seat,) = state.seats_to_act()
        move = state.sample_move(seat, rng)
        for zh in (False, True):
            assert read_move(describe_move(made, str(move), zh)) == str(move)
        state.apply(seat, move)


# --- pictures

SVG = "{http://www.w3.org/2000/svg}"


def test_svg_shows_stones_last_move_and_forbidden_points() -> None:
    made = game("gomoku/renju_free")
    state = made.new_state(setup=setup_text(["f11", "g11", "h9", "g8"], ["a1", "a3", "a5"]))
    root = ET.fromstring(draw_svg(made, state))
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    assert {"f11", "a1", "g10: double_three"} <= set(titles)
    assert len([t for t in titles if ":" not in t and t[:1].isalpha() and t[1:].isdigit()]) == 7
    assert "href" not in draw_svg(made, state)  # self-contained
    play(state, "o15")
    last = [c for c in ET.fromstring(draw_svg(made, state)).iter() if c.get("fill") == "#d02020"]
    assert len(last) == 1


@pytest.mark.parametrize("size", [9, 10, 13, 15, 19, 22])
def test_svg_of_every_size_and_phase_is_well_formed(size: int) -> None:
    made = game("gomoku/renju_rif", size=size)
    state, rng = made.new_state(1), _core.Rng(size)
    for _ in range(14):
        (seat,) = state.seats_to_act()
        state.apply(seat, state.sample_move(seat, rng))
        ET.fromstring(draw_svg(made, state))
        assert len(draw_text(made, state).splitlines()) == size + 3


def test_svg_numbers_the_stones_of_a_game() -> None:
    _, state = new("renju_rif1996")
    play(state, "h8", "h9", "i10", "stay", "g9", "offer g10 g11", "pick g11", "a1")
    assert move_numbers(state) == ("h8", "h9", "i10", "g9", "g11", "a1")
    seen = GomokuObservation.from_json(state.observe(0))
    root = ET.fromstring(board_svg(seen, {}, move_numbers(state)))
    texts = [text.text for text in root.iter(f"{SVG}text") if text.get("fill") != "#5b4420"]
    assert sorted(texts, key=lambda t: int(t or 0)) == ["1", "2", "3", "4", "5", "6"]


def test_text_picture() -> None:
    made = game("gomoku/renju_illegal", size=9)
    state = made.new_state(setup="black=c3,d3,e4,e5 white=a1,a9,i9 move=black last=i9")
    assert draw_text(made, state).splitlines() == [
        "   a b c d e f g h i",
        " 9 O . . . . . . .(O)9",
        " 8 . . . . . . . . . 8",
        " 7 . . . . . . . . . 7",
        " 6 . . . . . . . . . 6",
        " 5 . . . . X . . . . 5",
        " 4 . . . . X . . . . 4",
        " 3 . . X X # . . . . 3",
        " 2 . . . . . . . . . 2",
        " 1 O . . . . . . . . 1",
        "   a b c d e f g h i",
        "seat 0 (black) to act: main, black stone",
    ]


# --- settings and rulebooks


@pytest.mark.parametrize("rulebook", BOOKS)
def test_rulebooks_have_names_sources_and_play(rulebook: str) -> None:
    book = FAMILY.rulebooks[rulebook]
    assert book.names.en
    assert book.names.zh
    assert book.source
    assert set(book.sources) <= set(GomokuRules.model_fields)
    jsonschema.validate(book.rules.settings(), GomokuRules.model_json_schema())
    assert game(f"gomoku/{rulebook}").seats == 2


def test_every_setting_is_explained_in_both_languages() -> None:
    for name, field in GomokuRules.model_fields.items():
        assert field.description, name
        extra = field.json_schema_extra
        assert isinstance(extra, dict)
        assert extra["zh"], name


def test_the_source_documents_agree_on_the_board() -> None:
    one, three = (FAMILY.rulebooks[b].rules for b in ("doc001", "doc003"))
    assert one == three
    zero = FAMILY.rulebooks["doc000"].rules
    same = {"false_claim", "false_claim_limit"}
    assert {k for k, v in zero.settings().items() if v != one.settings()[k]} <= same


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"size": 8}, "size"),
        ({"size": 23}, "size"),
        ({"five_black": "six"}, "five_black"),
        ({"overline_black": "win"}, "five_black"),
        ({"five_black": "at_least"}, "overline_black"),
        ({"both_ends_block": True}, "both_ends_block"),
        ({"opening": "rif"}, "first_stone"),
        ({"opening_n": 5}, "has no number"),
        ({"opening": "soosorv", "first_stone": "centre", "opening_n": 13}, "opening_n"),
        ({"pro_second_adjacent": True}, "pro_second_adjacent"),
        ({"max_moves": 3}, "max_moves"),
        ({"komi": 6}, "no setting 'komi'"),
    ],
)
def test_settings_that_make_no_sense_are_named(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError) as error:
        game("gomoku/renju_free", **changes)
    assert says in str(error.value)


@pytest.mark.parametrize("change", [{"size": 30}, {"size": "15"}, {"opening": "x"}, {"passes": 1}])
def test_the_core_checks_again(change: dict[str, Any]) -> None:
    plain = {**game("gomoku/doc001").rules.settings(), **change}
    with pytest.raises(ValueError, match=next(iter(change))):
        _core.game("gomoku", plain)
