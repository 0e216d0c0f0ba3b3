"""The contract of a game, run over every rulebook of every family.

Each test plays seeded random games and holds one promise of docs/architecture.md against
them. A new game passes these before it has a test of its own.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena import SPECTATOR
from arena._core import Events, IllegalReason, Move, Rng, SetupError, State
from arena.games import IllegalMove, Record, RulesError, family_ids, game_from_rules

BOOKS = arena.rulebooks()
PLIES = 120

every_book = pytest.mark.parametrize("name", BOOKS)


def playout(game: arena.Game, seed: int, plies: int = PLIES) -> Iterator[tuple[State, int, Move]]:
    """Each position of a random game before its move: (state, seat, the move to be played)."""
    state = game.new_state(seed)
    rng = Rng(seed)
    for _ in range(plies):
        acting = state.seats_to_act()
        if not acting:
            return
        seat = sorted(acting)[rng.below(len(acting))]
        move = state.sample_move(seat, rng)
        yield state, seat, move
        state.apply(seat, move)


def test_there_are_rulebooks() -> None:
    assert {name.partition("/")[0] for name in BOOKS} == set(family_ids())


@every_book
def test_seed_decides_the_start_and_setup_reads_back(name: str) -> None:
    game = arena.game(name)
    assert game.new_state(5).setup() == game.new_state(5).setup()
    for state, _, _ in playout(game, 1):
        again = game.new_state(setup=state.setup())
        assert again.setup() == state.setup()
        assert again.seats_to_act() == state.seats_to_act()
        assert again.roles() == state.roles()
        for viewer in (SPECTATOR, *range(game.seats)):
            assert again.observe(viewer) == state.observe(viewer)
        for seat in state.seats_to_act():
            ours, theirs = state.moves(seat), again.moves(seat)
            assert [str(m) for m in ours] == [str(m) for m in theirs]
            assert state.sample_move(seat, Rng(7)) == again.sample_move(seat, Rng(7))
        assert game.restore(state.snapshot()).setup() == state.setup()


@every_book
def test_listed_moves_are_legal_and_texts_are_their_identity(name: str) -> None:
    game = arena.game(name)
    seen = 0
    for state, seat, sampled in playout(game, 2, plies=40):
        view = state.moves(seat)
        texts = [str(move) for move in view]
        assert len(texts) == len(view) == len(set(texts))
        if view.complete:
            assert texts, "a seat that is to act has a move"
            assert str(sampled) in texts
        for move, text in zip(view, texts, strict=True):
            assert state.check(seat, move) is None
            assert state.check(seat, text) is None
            assert move in view
            assert text in view
            seen += 1
        assert view[-1] == view[len(view) - 1]
        with pytest.raises(IndexError):
            view[len(view)]
    assert seen > 0


@every_book
def test_sampling_reaches_every_listed_move(name: str) -> None:
    game = arena.game(name)
    state = game.new_state(3)
    seat = min(state.seats_to_act())
    view = state.moves(seat)
    rng = Rng(9)
    drawn = {str(state.sample_move(seat, rng)) for _ in range(60 * len(view))}
    assert all(state.check(seat, text) is None for text in drawn)
    if view.complete:
        assert drawn == {str(move) for move in view}


@every_book
def test_a_refused_move_changes_nothing(name: str) -> None:
    game = arena.game(name)
    for state, seat, _ in playout(game, 4, plies=30):
        before = state.setup()
        for bad in ("", " ", "nonsense", "h8 h8 h8", "z99", "\ud800", "🀄", "a" * 5000):
            refusal = state.check(seat, bad)
            assert refusal is not None, bad
            assert refusal.message
            with pytest.raises(IllegalMove) as raised:
                state.apply(seat, bad)
            assert raised.value.illegal.reason == refusal.reason
            assert str(raised.value) == refusal.message
        for stranger in (-1, game.seats, 99):
            refusal = state.check(stranger, "h8")
            assert refusal is not None
            assert refusal.reason == IllegalReason.not_your_turn
        assert state.setup() == before


@every_book
def test_only_seats_to_act_may_move(name: str) -> None:
    game = arena.game(name)
    for state, _, move in playout(game, 5, plies=20):
        for seat in set(range(game.seats)) - state.seats_to_act():
            refusal = state.check(seat, move)
            assert refusal is not None
            assert refusal.reason == IllegalReason.not_your_turn
            assert len(state.moves(seat)) == 0


@every_book
def test_clones_part_ways_and_views_go_stale(name: str) -> None:
    game = arena.game(name)
    for state, seat, move in playout(game, 6, plies=25):
        before = state.setup()
        twin, other = state.clone(), copy.copy(state)
        view = twin.moves(seat)
        twin.apply(seat, move)
        assert state.setup() == before
        other.apply(seat, str(move))
        assert other.setup() == twin.setup(), "a handle and its text are one move"
        with pytest.raises(RuntimeError, match="stale"):
            len(view)


@every_book
def test_what_a_caller_holds_stays_what_it_was(name: str) -> None:
    """States reuse the objects that they hand out; one that is still held is not theirs."""
    state = arena.game(name).new_state(8)
    held: list[tuple[Move | Events, str]] = []
    views = []
    while len(held) < 90 and (acting := state.seats_to_act()):
        seat = min(acting)
        view = state.moves(seat)
        views.append(view)
        first, last = view[0], view[-1]
        events = state.apply(seat, first)
        held += [(move, str(move)) for move in (first, last)]
        held.append((events, str(list(events))))
    assert len(set(map(id, views))) == len(views)
    assert len({id(one) for one, _ in held}) == len(held)
    for one, then in held:
        assert (str(one) if isinstance(one, Move) else str(list(one))) == then


@every_book
def test_events_tell_what_happened(name: str) -> None:
    game = arena.game(name)
    for state, seat, move in playout(game, 7, plies=40):
        twin = state.clone()
        events = list(twin.apply(seat, move))
        assert events, "every move leaves a trace"
        assert any(event.seat == seat for event in events)
        if game.family.full_information:
            assert all(e.seen_by(v) == e.text for e in events for v in range(game.seats))


@every_book
def test_observations_are_canonical_json_and_resampling_keeps_them(name: str) -> None:
    game = arena.game(name)
    rng = Rng(1)
    for state, _, _ in playout(game, 8, plies=40):
        for viewer in (SPECTATOR, *range(game.seats)):
            text = state.observe(viewer)
            compact = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
            assert compact == text
            if viewer != SPECTATOR:
                other = state.resample(viewer, rng)
                assert other.observe(viewer) == text
        for seat in range(game.seats):
            json.loads(state.requirements(seat))


@every_book
def test_games_end_with_an_outcome_that_adds_up(name: str) -> None:
    game = arena.game(name)
    seats = game.seats
    ended = 0
    for seed in range(4):
        state = game.new_state(seed)
        rng = Rng(seed)
        while state.seats_to_act() and state.plies < 3000:
            assert state.outcome() is None
            seat = min(state.seats_to_act())
            state.apply(seat, state.sample_move(seat, rng))
        outcome = state.outcome()
        if outcome is None:
            continue
        ended += 1
        assert not state.seats_to_act()
        assert len(outcome.scores) == len(outcome.places) == len(outcome.roles) == seats
        assert sum(outcome.scores) == pytest.approx(seats / 2)
        assert min(outcome.places) == 1
        for a in range(seats):
            for b in range(seats):
                if outcome.places[a] < outcome.places[b]:
                    assert outcome.scores[a] > outcome.scores[b]
        refusal = state.check(0, "h8")
        assert refusal is not None
        assert refusal.reason == IllegalReason.game_over
    assert ended > 0, "random games of this rulebook never end; give it a cap"


@every_book
def test_a_record_replays_to_the_same_end(name: str) -> None:
    game = arena.game(name)
    state = game.new_state(11)
    start = state.setup()
    rng = Rng(11)
    while state.seats_to_act() and state.plies < PLIES:
        seat = min(state.seats_to_act())
        state.apply(seat, state.sample_move(seat, rng))
    record = game.record(start, state.history())
    again = Record.from_json(json.loads(json.dumps(record.to_json())))
    assert again == record
    replayed = game_from_rules(again.game, again.rules).replay(again)
    assert replayed.setup() == state.setup()
    assert replayed.history() == state.history()


@every_book
def test_engines_play_legally_and_repeat_themselves(name: str) -> None:
    game = arena.game(name)
    for spec in game.family.rungs:
        fast = re.sub(r"worlds=\d+", "worlds=2", re.sub(r"nodes=\d+", "nodes=60", spec))
        lines = []
        for _ in range(2):
            engine = game.core.engine(fast)
            engine.new_game(3)
            state = game.new_state(3)
            while state.seats_to_act() and state.plies < 24:
                seat = min(state.seats_to_act())
                move, decision = engine.choose(state, seat)
                assert state.check(seat, move) is None, (fast, str(move), state.setup())
                assert decision.value is None or 0.0 <= decision.value <= 1.0
                state.apply(seat, move)
            lines.append(state.history())
        assert lines[0] == lines[1]


@every_book
def test_names_pictures_and_words(name: str) -> None:
    game = arena.game(name)
    book = game.family.rulebooks[game.rulebook]
    assert book.names.en and book.names.zh and book.source
    assert game.family.names.en and game.family.names.zh
    from xml.etree import ElementTree

    for state, _, move in playout(game, 12, plies=6):
        svg = game.family.draw_svg(game, state)
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert "href" not in svg, "a picture needs nothing from elsewhere"
        assert game.family.draw_text(game, state).strip()
        for zh in (False, True):
            assert game.family.describe_move(game, str(move), zh)


@every_book
def test_rules_have_a_schema_and_words_for_every_setting(name: str) -> None:
    game = arena.game(name)
    schema = type(game.rules).model_json_schema()
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(game.rules.settings(), schema)
    for setting, info in type(game.rules).model_fields.items():
        assert info.description, setting
        extra = info.json_schema_extra
        assert isinstance(extra, dict) and extra.get("zh"), setting
    with pytest.raises(ValueError):
        game.rules.seat_count_typo = 1  # type: ignore[attr-defined]  # frozen on purpose
    assert game.rules.seat_count() == game.seats


@every_book
@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_is_refused_or_legal_but_never_fatal(name: str, text: str) -> None:
    game = arena.game(name)
    state = game.new_state(0)
    for seat in state.seats_to_act():
        refusal = state.check(seat, text)
        assert refusal is None or refusal.message
    try:
        made = game.new_state(setup=text)
    except SetupError as error:
        assert str(error)
    else:
        assert game.new_state(setup=made.setup()).setup() == made.setup()


def test_wrong_names_suggest_the_nearest() -> None:
    for wrong, hint in (
        ("gomoku/doc01", "gomoku/doc001"),
        ("gomok/doc001", "gomoku/doc001"),
        ("chinese_checker/doc001", "chinese_checkers/doc001"),
    ):
        with pytest.raises(RulesError, match=hint):
            arena.game(wrong)
    with pytest.raises(RulesError, match="size"):
        arena.game("gomoku/doc001", sizee=15)
    with pytest.raises(RulesError, match="size"):
        arena.game("gomoku/doc001", size=1000)


def test_labels_tell_overrides_and_digests_tell_rules_apart() -> None:
    plain, larger = arena.game("gomoku/doc001"), arena.game("gomoku/doc001", size=19)
    assert plain.label == "gomoku/doc001"
    assert larger.label == "gomoku/doc001[size=19]"
    assert plain.rules.digest != larger.rules.digest
    assert plain.rules.digest == arena.game("gomoku/doc001", size=15).rules.digest
