"""Random games of Siguo Junqi, the compiled core beside the slow rules.

At every ply: seats to act, the whole set of legal moves, a text that is mostly illegal, the
outcome. At some: what a seat and the public may know, with the ranks that every unit can still
be, and a drawn world, which must play like the true one for who cannot tell them apart.
ARENA_FUZZ_SECONDS makes each test run longer (see tests/fuzz/budget.py); `-s` shows what was met:

    ARENA_FUZZ_SECONDS=300 pytest -s tests/fuzz/test_siguo_oracle.py
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import arena
from arena._core import Rng, State
from arena.games import family
from tests.fuzz.budget import seeds
from tests.oracles.siguo import (
    COUNT,
    IMMOBILE,
    RANKS,
    SEATS,
    Fight,
    Siguo,
    Unit,
    allowed_at,
    line_up_errors,
)
from tests.oracles.siguo_board import Board, board
from tests.oracles.siguo_views import knowledge, possible_ranks

BOOKS = [f"siguo/{book}" for book in family("siguo").rulebooks]
LETTER = dict(zip(RANKS, "987654321BMF", strict=True))
RANK = {letter: rank for rank, letter in LETTER.items()}
IN_ORDER = "F123456789MB"

RESULT = {
    Fight(attacker=True, defender=False): "attacker",
    Fight(attacker=True, defender=False, flag=True): "attacker",
    Fight(attacker=False, defender=True): "defender",
    Fight(attacker=False, defender=False): "both_lost",
    Fight(attacker=False, defender=False, flag=True): "both_lost",
}

CHOICES: dict[str, list[bool | int | str | None]] = {
    "visibility": ["dark", "double_bright", "half_bright", "bright"],
    "turn_order": ["ccw", "cw"],
    "mine_vs_piece": ["mine_survives", "both_die"],
    "bomb_vs_flag": ["both_and_out", "bomb_lost"],
    "commander_reveals_flag": [True, False],
    "combat_disclosure": ["result_only", "ranks"],
    "eliminated_pieces": ["remove", "stay", "to_captor"],
    "no_move": ["eliminated", "pass"],
    "quiet_unit": ["ply", "round"],
    "quiet_reset": ["fight", "any_removal"],
    "timeout_limit": [None, 1, 2, 5],
    "turn_cap": [None, 3, 20, 100],
    "layout_source": ["player", "random", "book"],
    "hq_locks": ["any", "own_only", "none"],
}


def random_settings(rng: random.Random) -> dict[str, bool | int | str | None]:
    """Any settings that the page allows."""
    settings = {name: rng.choice(values) for name, values in CHOICES.items()}
    settings["board"] = rng.choice(["siguo129"] * 3 + ["luzhanqi60"])
    settings["seats"] = rng.choice([2, 3, 4, 4]) if settings["board"] == "siguo129" else 2
    settings["teams"] = rng.choice(["opposite", "ffa"]) if settings["seats"] == 4 else "ffa"
    if settings["teams"] == "ffa" and settings["visibility"] == "double_bright":
        settings["visibility"] = "dark"
    settings["quiet_limit"] = rng.choice([1, 5, 20, 70])
    if settings["turn_cap"] is not None and rng.random() < 0.3:
        settings["quiet_limit"] = None
    return settings


# -- where a game starts ---------------------------------------------------------------


def any_line_up(where: Board, home: str, rng: random.Random) -> dict[str, str]:
    """A legal line-up: the flag, the mines, the bombs, then all others as they come."""
    line_up: dict[str, str] = {}
    free = sorted(where.home(home) - where.camps)
    for rank in ("flag", "mine", "bomb", *RANKS[:9]):
        for _ in range(COUNT[rank]):
            point = rng.choice([p for p in free if rank in allowed_at(where, p)])
            line_up[point] = rank
            free.remove(point)
    assert not line_up_errors(where, home, line_up)
    return line_up


def rows(line_up: Mapping[str, str], home: str) -> str:
    """The text of a line-up: six rows from the front, camps as points."""
    return "/".join(
        "".join(
            LETTER[line_up[point]] if (point := f"{home}{row}{column}") in line_up else "."
            for column in range(1, 6)
        )
        for row in range(1, 7)
    )


def armies(setup: str, seats: str) -> list[list[str]]:
    """The units of each seat in the set-up of a game in play: rank, origin and so on."""
    words = dict(word.split("=", 1) for word in setup.split())
    return [words[home].split(",") if words[home] != "-" else [] for home in seats]


def ranks_in(setup: str, seats: str) -> dict[int, str]:
    """The rank of every unit by its number."""
    return {
        25 * seat + place: RANK[unit[0]]
        for seat, army in enumerate(armies(setup, seats))
        for place, unit in enumerate(army)
    }


class Pair:
    """One game in the core and in the slow rules, move by move."""

    def __init__(self, game: arena.Game, rng: random.Random, met: Counter[str]) -> None:
        self.game, self.rng, self.met = game, rng, met
        settings = game.rules.settings()
        self.seats = SEATS[int(str(settings["seats"]))]
        self.where = f"{game.label}"
        self.core: State
        self.slow: Siguo
        if rng.random() < 0.5:
            self.scatter(settings)
        else:
            self.place(settings)
        self.start = self.slow.clone()
        self.legal: set[str] = set()

    def place(self, settings: Mapping[str, object]) -> None:
        """From line-ups: placed by the seats in any order, or by the core."""
        rng = self.rng
        where = board(str(settings["board"]))
        line_ups = {home: any_line_up(where, home, rng) for home in self.seats}
        seed = rng.randrange(1 << 30)
        self.core = self.game.new_state(seed)
        self.where += f" seed={seed}"
        if settings["layout_source"] == "player":
            for seat in rng.sample(range(len(self.seats)), len(self.seats)):
                home = self.seats[seat]
                assert seat in self.core.seats_to_act(), self.where
                assert self.wrong_line_up(seat, home, line_ups[home]), self.where
                text = f"layout {rows(line_ups[home], home)}"
                self.core.apply(seat, text)
                self.where += f" {text}"
        else:
            for home, army in zip(self.seats, armies(self.core.setup(), self.seats), strict=True):
                line_ups[home] = {unit[1:]: RANK[unit[0]] for unit in army}
                assert not line_up_errors(where, home, line_ups[home]), self.where
        self.slow = Siguo(settings, line_ups)

    def wrong_line_up(self, seat: int, home: str, line_up: Mapping[str, str]) -> bool:
        """Two units change places, or one is replaced: the core refuses where the rules do."""
        rng = self.rng
        points = sorted(line_up)
        a, b = rng.sample(points, 2)
        other = {**line_up, a: line_up[b], b: line_up[a]}
        if rng.random() < 0.3:
            other = {**line_up, a: rng.choice(RANKS)}
        elif rng.random() < 0.1:
            camp = rng.choice(sorted(board("siguo129").camps & board("siguo129").home(home)))
            other = {p: rank for p, rank in line_up.items() if p != a} | {camp: line_up[a]}
        errors = line_up_errors(board(str(self.game.rules.settings()["board"])), home, other)
        refusal = self.core.check(seat, f"layout {rows(other, home)}")
        self.met["line-ups refused" if errors else "line-ups accepted"] += 1
        return bool(errors) == (refusal is not None)

    def scatter(self, settings: Mapping[str, object]) -> None:
        """Parts of armies anywhere, some of them moved before."""
        rng = self.rng
        slow = Siguo(settings, {home: {} for home in self.seats})
        where = slow.board
        free = {p for p in where.at if p[0] in f"{self.seats}C"}
        slow.out, slow.units, slow.ended = {}, {}, None
        size = rng.choice([1, 3, 6, 12, 20])
        texts: dict[str, str] = {}
        if len(self.seats) > 2 and rng.random() < 0.2:
            slow.out[rng.choice(self.seats)] = rng.choice(["no_move", "timeout_limit"])
        for home in self.seats:
            texts[home] = "-"
            if home in slow.out and settings["eliminated_pieces"] != "stay":
                continue
            army = [rank for rank, most in COUNT.items() for _ in range(most) if rank != "flag"]
            army = ["flag", *rng.sample(army, rng.randint(1, size))]
            units = [u for rank in army if (u := self.somewhere(where, home, rank, free))]
            texts[home] = ",".join(unit_text(unit) for unit in units)
            for place, unit in enumerate(units):
                slow.units[25 * self.seats.index(home) + place] = unit
        slow.knowers = {i: slow.friends_of(unit.home) for i, unit in slow.units.items()}
        for i, unit in slow.units.items():
            if unit.moves:
                slow.learnt.rule_out(i, IMMOBILE)
        cap = settings["turn_cap"]
        slow.turn = rng.choice(slow.alive())
        slow.ply = rng.randrange(int(str(cap)) * len(self.seats)) if cap else rng.randrange(50)
        limit = settings["quiet_limit"]
        slow.quiet = rng.randrange(min(slow.ply + 1, int(str(limit)))) if limit else 0
        setup = f"turn={self.seats.index(slow.turn)} ply={slow.ply} quiet={slow.quiet} "
        if slow.out:
            setup += "out=" + ".".join(
                f"{self.seat(home)}{why[0]}" for home, why in slow.out.items()
            )
        setup += " " + " ".join(f"{home}={texts[home]}" for home in self.seats)
        self.where += f" from {setup!r}"
        self.core = self.game.new_state(setup=setup)
        slow.go_on([slow.turn, *slow.after(slow.turn)[:-1]])
        self.slow = slow

    def somewhere(self, where: Board, home: str, rank: str, free: set[str]) -> Unit | None:
        """A unit on a point that nobody has, with an origin where its rank may begin."""
        rng = self.rng
        taken = {p for p in where.home(home) if p not in free}
        origins = [p for p in where.home(home) - taken if rank in allowed_at(where, p)]
        if not origins:
            return None
        origin = at = rng.choice(sorted(origins))
        moves = 0
        if rank not in IMMOBILE and rng.random() < 0.6:
            at = rng.choice(sorted(free - {origin}))
            moves = rng.randint(1, 9)
        free.discard(at)
        free.discard(origin)
        return Unit(home, origin, rank, at, home, moves)

    # -- comparing ---------------------------------------------------------------------

    def seat(self, home: str) -> int:
        return self.seats.index(home)

    def compare(self) -> None:
        """What decides the game, at every position; what is known, at some."""
        core, slow, where, rng = self.core, self.slow, self.where, self.rng
        self.met["positions"] += 1
        if rng.random() < 0.1 or slow.ended:
            viewers = [None, *self.seats]
            self.compare_view(rng.choice(viewers))
        if rng.random() < 0.01 and not slow.ended:
            self.compare_world(rng.choice(self.seats))
        outcome = core.outcome()
        if slow.ended or outcome:
            assert outcome, where
            assert slow.ended, where
            assert not core.seats_to_act(), where
            assert outcome.termination.name == slow.ended.termination, where
            assert list(outcome.places) == [slow.ended.places[h] for h in self.seats], where
            assert list(outcome.scores) == pytest.approx(
                [slow.ended.scores[h] for h in self.seats]
            ), where
            return
        acting = self.seat(slow.turn)
        assert core.seats_to_act() == {acting}, where
        self.legal = {f"{start}-{end}" for start, end in slow.moves(slow.turn)}
        listed = [str(move) for move in core.moves(acting)]
        assert len(listed) == len(set(listed)), where
        assert set(listed) == self.legal, f"{where} {set(listed) ^ self.legal}"
        self.met["moves"] += len(listed)
        self.compare_text(acting)

    def compare_text(self, acting: int) -> None:
        """Any two points, the first often with an own unit."""
        rng, slow = self.rng, self.slow
        points = list(slow.board.at)
        own = [u.at for u in slow.units.values() if u.at and u.owner == slow.turn]
        start = rng.choice(own if own and rng.random() < 0.9 else points)
        text = f"{start}-{rng.choice(points)}"
        found = self.core.check(acting, text)
        assert (found is None) == (text in self.legal), f"{self.where} {text} {found}"
        self.met["texts accepted" if found is None else f"refused {found.reason.name}"] += 1
        allowed = slow.settings["timeout_limit"] is not None
        assert (self.core.check(acting, "timeout") is None) == allowed, self.where

    def compare_view(self, viewer: str | None) -> None:
        """The whole observation."""
        number = arena.SPECTATOR if viewer is None else self.seat(viewer)
        found: dict[str, Any] = json.loads(self.core.observe(number))
        expected = self.view(viewer)
        assert found.keys() == expected.keys(), self.where
        for name, value in expected.items():
            if name == "units":
                for ours, theirs in zip(value, found["units"], strict=True):
                    assert theirs == ours, f"{self.where} seen by {viewer}"
            assert found[name] == value, f"{self.where} seen by {viewer}: {name}"
        self.met["views"] += 1
        self.met["units known"] += sum(len(unit["ranks"]) == 1 for unit in found["units"])
        self.met["units guessed"] += sum(len(unit["ranks"]) > 1 for unit in found["units"])

    def view(self, viewer: str | None) -> dict[str, Any]:
        """What the rules page says a seat is told."""
        slow = self.slow
        sets = possible_ranks(slow, viewer)
        return {
            "phase": "over" if slow.ended else "play",
            "seat": None if viewer is None else self.seat(viewer),
            "to_act": [] if slow.ended else [self.seat(slow.turn)],
            "layout": None,
            "ply": slow.ply,
            "quiet": slow.quiet,
            "seats": [
                {
                    "home": home,
                    "team": min(self.seat(member) for member in slow.side(home)),
                    "placed": True,
                    "out": slow.out.get(home),
                    "timeouts": slow.timeouts[home],
                }
                for home in self.seats
            ],
            "units": [
                {
                    "unit": i,
                    "seat": self.seat(unit.owner),
                    "at": unit.at,
                    "start": unit.origin,
                    "moves": unit.moves,
                    "ranks": "".join(sorted((LETTER[r] for r in sets[i]), key=IN_ORDER.index)),
                }
                for i, unit in slow.units.items()
            ],
            "fights": [
                {
                    "ply": battle.ply,
                    "at": battle.at,
                    "attacker": battle.attacker,
                    "defender": battle.defender,
                    "result": RESULT[battle.result],
                    "flag": battle.result.flag,
                }
                for battle in slow.battles
            ],
        }

    def compare_world(self, viewer: str) -> None:
        """A drawn world, played from the start, shows the viewer what the true one did."""
        drawn = self.core.resample(self.seat(viewer), Rng(self.rng.randrange(1 << 30)))
        ranks = ranks_in(drawn.setup(), self.seats)
        assert ranks.keys() == self.slow.units.keys(), self.where
        other = self.start.clone()
        other.units = {i: replace(unit, rank=ranks[i]) for i, unit in other.units.items()}
        for home, move in self.slow.log:
            assert other.turn == home, f"{self.where}, seen by {viewer}: {drawn.setup()}"
            play(other, move)
        same = knowledge(other, viewer) == knowledge(self.slow, viewer)
        assert same, f"{self.where}, seen by {viewer}: {drawn.setup()}"
        legal = {f"{start}-{end}" for start, end in other.moves(other.turn)}
        assert {str(m) for m in drawn.moves(self.seat(other.turn))} == legal, self.where
        self.met["worlds"] += 1
        self.met["worlds that differ"] += other.units != self.slow.units

    def step(self) -> None:
        """The same move in both: fights preferred in some games, wandering in others."""
        rng, slow = self.rng, self.slow
        moves = sorted(self.legal)
        fights = [m for m in moves if slow.standing(m.split("-")[1]) is not None]
        move = rng.choice(fights if fights and rng.random() < self.eager else moves)
        if slow.settings["timeout_limit"] is not None and rng.random() < 0.02:
            move = "timeout"
        self.where += f" {move}"
        before = slow.clone()
        if rng.random() < 0.02:
            self.core = self.game.new_state(setup=self.core.setup())
        self.core.apply(self.seat(slow.turn), move)
        play(slow, move)
        self.count(before)

    def count(self, before: Siguo) -> None:
        """What a move brought, to see that everything is met."""
        slow, met = self.slow, self.met
        for battle in slow.battles[len(before.battles) :]:
            a, d = slow.units[battle.attacker], slow.units[battle.defender]
            met["fights"] += 1
            met["flags shown"] += len(battle.shown)
            met["fallen attacked"] += d.owner in before.out
            met[f"{a.rank} x {d.rank}"] += 1
        met["falls"] += len(slow.out) - len(before.out)
        met["units captured"] += sum(
            u.owner != before.units[i].owner for i, u in slow.units.items()
        )
        due = next((home for home in before.after(before.turn) if home not in slow.out), None)
        met["passed over"] += slow.ended is None and slow.turn != due

    @property
    def eager(self) -> float:
        """How often a fight is chosen where there is one."""
        return 0.6 if self.slow.ply % 100 < 60 else 0.1


def unit_text(unit: Unit) -> str:
    """A unit as the set-up writes it."""
    at = "" if unit.at == unit.origin else f"@{unit.at}"
    return f"{LETTER[unit.rank]}{unit.origin}{at}" + (f"+{unit.moves}" if unit.moves else "")


def play(slow: Siguo, move: str) -> None:
    """A move by its text, which must be legal."""
    if move == "timeout":
        slow.time_out()
        return
    start, end = move.split("-")
    assert (start, end) in slow.moves(slow.turn), move
    slow.play(start, end)


def play_beside(game: arena.Game, seed: int, met: Counter[str], plies: int) -> None:
    """One game to its end, or so many plies of it."""
    pair = Pair(game, random.Random(f"{game.name} {seed}"), met)
    for _ in range(plies):
        pair.compare()
        if pair.slow.ended:
            break
        pair.step()
    else:
        pair.compare()
    met["games"] += 1
    if pair.slow.ended:
        met[f"ended {pair.slow.ended.termination}"] += 1


def summary(met: Counter[str]) -> dict[str, int]:
    """The counts, fights by ranks folded into how many different ones there were."""
    fights = {name for name in met if " x " in name}
    folded = {name: number for name, number in met.items() if name not in fights}
    return dict(sorted(folded.items())) | {"different fights, of 120": len(fights)}


@pytest.mark.parametrize("name", BOOKS)
def test_rulebooks(name: str) -> None:
    met: Counter[str] = Counter()
    for seed in seeds(3):
        play_beside(arena.game(name), seed, met, plies=250)
    print(f"\n{name}: {summary(met)}")
    assert met["positions"] > 100


def test_random_settings() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(60):
        rng = random.Random(f"settings {seed}")
        game = arena.game(rng.choice(BOOKS), **random_settings(rng))
        play_beside(game, seed, met, plies=rng.choice([20, 100, 300]))
    print(f"\nrandom settings: {summary(met)}")
    for kind in ("flag_captured", "no_move", "timeout_limit", "quiet_limit", "turn_cap"):
        assert met[f"ended {kind}"] >= 1, met
    assert met["worlds that differ"] > 0, met
