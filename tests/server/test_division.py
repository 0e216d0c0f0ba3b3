"""Who meets whom in the standing play, and how its blocks are numbered, seated and dealt."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import arena
from arena._core import Termination
from arena.ledger import GameResult
from arena.match.request import GameRequest
from arena.players.spec import EngineKind, EngineSpec
from arena.server.division import Block, Division, Entrant, Phase
from arena.server.results import Played

SECRET = bytes(range(32))


def division(book: str = "gomoku/freestyle15", **settings: object) -> Division:
    usual = {"opening_plies": 4, "half_width": 100.0, "floor": 0.5, "qualifying": 2}
    return Division(arena.game(book), SECRET, **{**usual, **settings})  # type: ignore[arg-type]


def enter(at: Division, name: str, account: str = "") -> Entrant:
    return at.enter(EngineSpec(name, "1", EngineKind.DIAL_IN, name), account)


def result(request: GameRequest, scores: Sequence[float]) -> GameResult:
    n = len(scores)
    return GameResult(
        game_id=request.game_id,
        sweep_id=request.sweep_id,
        cell_id=request.cell_id,
        block=request.block,
        permutation=request.permutation,
        rulebook=request.game.label,
        rules_digest=request.game.rules.digest,
        engines=tuple(spec.id for spec in request.engines),
        scores=tuple(scores),
        places=(1,) * n,
        sides=tuple(range(n)),
        roles=("",) * n,
        termination=Termination.five,
        culprit=None,
        plies=9,
    )


def play(at: Division, block: Block, winner: str) -> None:
    for request in block.requests:
        at.took(result(request, [float(e.name == winner) for e in request.engines]))
    at.over(block)


def names(block: Block | None) -> set[str]:
    assert block is not None
    return {entrant.spec.name for entrant in block.entrants}


def test_who_is_new_meets_reference_engines_first() -> None:
    at = division()
    r1, r2 = enter(at, "r1"), enter(at, "r2")
    a, b = enter(at, "a", "ann"), enter(at, "b", "bob")
    assert at.next([a, b]) is None
    assert at.next([r1, r2]) is None, "nobody is there who needs it"
    for entrant in (a, b):
        while entrant.blocks < 2:
            block = at.next([r1, r2, a, b] if entrant is a else [r1, r2, entrant])
            assert names(block) & {"r1", "r2"}
            assert block is not None
            play(at, block, "r1" if entrant is a else "b")
        assert at.phase(entrant) is Phase.PLAYING
    assert names(at.next([a, b])) == {"a", "b"}


def test_engines_of_one_account_do_not_meet() -> None:
    at = division(qualifying=1)
    r = enter(at, "r")
    mine = [enter(at, name, "ann") for name in ("a1", "a2")]
    for entrant in mine:
        block = at.next([r, entrant])
        assert block is not None
        play(at, block, "r")
    assert at.next(mine) is None


def test_who_is_placed_waits_for_who_is_not() -> None:
    at = division(qualifying=1, half_width=250.0)
    r, a = enter(at, "r"), enter(at, "a", "ann")
    for number in range(40):
        block = at.next([r, a])
        if block is None:
            break
        play(at, block, "a" if number % 2 else "r")
    assert at.phase(a) is Phase.PLACED and 2 < a.blocks < 40
    assert at.half_width(a) <= 250
    assert abs(at.elo(a)) < 100
    b = enter(at, "b", "bob")
    block = at.next([a, r, b])
    assert names(block) == {"r", "b"} and block is not None
    play(at, block, "r")
    at.leave("r@1")
    assert names(at.next([a, r, b])) == {"a", "b"}


def test_reference_engines_meet_where_that_tells_more() -> None:
    at = division(qualifying=1)
    weak, middle, strong = (enter(at, name) for name in ("weak", "middle", "strong"))
    a = enter(at, "a", "ann")
    met = []
    for _ in range(30):
        block = at.next([weak, middle, strong, a])
        assert block is not None
        met.append(names(block))
        play(at, block, "strong" if "strong" in names(block) else "middle")
    assert {"weak", "middle"} in met or {"weak", "strong"} in met
    # … but most of what is played is the author's.
    assert sum("a" in pair for pair in met) >= 30 * 3 / 4 - 1


def test_what_was_interrupted_comes_first_with_the_same_deal() -> None:
    at = division()
    r, a = enter(at, "r"), enter(at, "a", "ann")
    first = at.next([r, a])
    assert first is not None and len(first.requests) == 2
    assert not at.took(result(first.requests[1], [1, 0]))
    at.over(first)
    assert at.is_open(first.cell_id, first.number)
    again = at.next([r, a])
    assert again is not None and again.requests == first.requests[:1]
    assert at.next([r]) is None
    assert at.took(result(again.requests[0], [1, 0]))
    assert not at.took(result(again.requests[0], [1, 0])), "doubled"
    at.over(again)
    assert not at.is_open(first.cell_id, first.number) and a.blocks == 1


def test_a_block_of_which_nothing_was_played_leaves_no_gap() -> None:
    at = division()
    r, a = enter(at, "r"), enter(at, "a", "ann")
    first = at.next([r, a])
    assert first is not None and first.number == 0
    at.over(first)
    second = at.next([r, a])
    assert second is not None and second.number == 0
    third = at.next([r, a])
    assert third is not None and third.number == 1
    at.over(second)  # the later one stands: this one is to be played
    again = at.next([r, a])
    assert again is not None and again.number == 0


def test_deals_follow_from_the_secret_and_seeds_lead_nowhere() -> None:
    def deals(secret: bytes) -> list[tuple[int, int, str]]:
        at = Division(
            arena.game("doudizhu/doc003"),
            secret,
            opening_plies=4,
            half_width=1,
            floor=0.5,
            qualifying=1,
        )
        r, a = enter(at, "r"), enter(at, "a", "ann")
        found = []
        for _ in range(4):
            block = at.next([r, a])
            assert block is not None
            assert len({request.deal_seed for request in block.requests}) == 1
            assert all(request.opening_plies == 0 for request in block.requests)
            found += [(q.deal_seed, q.engine_seed, q.game_id) for q in block.requests]
            play(at, block, "r")
        return found

    once = deals(SECRET)
    assert deals(SECRET) == once
    assert not {deal for deal, _, _ in once} & {deal for deal, _, _ in deals(bytes(32))}
    assert len({deal for deal, _, _ in once}) == 4
    seeds = {seed for _, seed, _ in once}
    assert len(seeds) == len({game for _, _, game in once}) == len(once)
    assert not seeds & {deal for deal, _, _ in once}


@pytest.mark.parametrize(
    ("book", "line_ups"),
    [
        ("xiangqi/cxa", [{"ar", "ra"}]),
        ("siguo/doc001", [{"arar", "rara"}]),
        ("doudizhu/doc003", [{"arr", "rar", "rra"}, {"raa", "ara", "aar"}]),
    ],
)
def test_two_engines_fill_every_table(book: str, line_ups: list[set[str]]) -> None:
    at = division(book)
    r, a = enter(at, "r"), enter(at, "a", "ann")
    seen = []
    for _ in line_ups:
        block = at.next([r, a])
        assert block is not None
        seen.append({"".join(e.name for e in request.engines) for request in block.requests})
        play(at, block, "a")
    assert sorted(map(sorted, seen)) == sorted(map(sorted, line_ups))
    assert at.elo(a) > 0


def test_what_is_on_file_is_taken_up() -> None:
    before = division(qualifying=1)
    r, a, gone = enter(before, "r"), enter(before, "a", "ann"), enter(before, "gone", "bob")
    games = []
    for rival in (r, r, gone):
        block = before.next([rival, a] if rival is r else [r, gone])
        assert block is not None
        for request in block.requests:
            games.append(result(request, [1, 0.5]))
            before.took(games[-1])
        before.over(block)
    half = before.next([r, a])
    assert half is not None
    games.append(result(half.requests[0], [1, 0]))
    before.took(games[-1])

    after = division(qualifying=1)
    specs = {entrant.spec.id: entrant.spec for entrant in before.entrants.values()}
    for entrant in before.entrants.values():
        after.enter(entrant.spec, entrant.account)
    after.leave("gone@1")
    played = [Played(g.cell_id, g.block, g.permutation, g.engines, g.scores) for g in games]
    after.restore(before.cell_rows(), played, specs)
    assert after.cell_rows() == before.cell_rows()
    assert (after.belief.elo == before.belief.elo).all()
    assert after.entrants["a@1"].blocks == a.blocks == 2
    rest = after.next(list(after.entrants.values()))
    assert rest is not None
    kept = [(q.game_id, q.deal_seed, q.engine_seed, q.permutation) for q in rest.requests]
    assert kept == [
        (q.game_id, q.deal_seed, q.engine_seed, q.permutation) for q in half.requests[1:]
    ]
    following = after.next(list(after.entrants.values()))
    assert following is not None and following.number == half.number + 1
