"""One game of Siguo Junqi in the compiled core and in the slow rules, move by move."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import arena
from arena._core import Event, Rng, State
from arena.games import play_recorded
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

LETTER = dict(zip(RANKS, "987654321BMF", strict=True))
RANK = {letter: rank for rank, letter in LETTER.items()}
IN_ORDER = "F123456789MB"
UNLISTED = ("timeout", "resign")
"""What takes a turn and is no move."""

RESULT = {
    Fight(attacker=True, defender=False): "attacker",
    Fight(attacker=True, defender=False, flag=True): "attacker",
    Fight(attacker=False, defender=True): "defender",
    Fight(attacker=False, defender=False): "both_lost",
    Fight(attacker=False, defender=False, flag=True): "both_lost",
}

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
        self.start, self.start_text = self.slow.clone(), self.core.setup()
        self.legal: set[str] = set()

    def place(self, settings: Mapping[str, object]) -> None:
        """From line-ups: placed by the seats in any order, or by the core."""
        rng = self.rng
        where = board(str(settings["board"]))
        line_ups = {home: any_line_up(where, home, rng) for home in self.seats}
        seed = rng.randrange(1 << 30)
        self.core = self.game.new_state(seed)
        self.where += f" seed={seed}"
        placed: dict[int, str] = {}
        if settings["layout_source"] == "player":
            for seat in rng.sample(range(len(self.seats)), len(self.seats)):
                home = self.seats[seat]
                assert seat in self.core.seats_to_act(), self.where
                assert self.wrong_line_up(seat, home, line_ups[home]), self.where
                layout = rows(line_ups[home], home)
                (event, *_) = self.core.apply(seat, f"layout {layout}")
                for viewer in {arena.SPECTATOR, *range(len(self.seats))} - {seat}:
                    assert event.seen_by(viewer) == "placed", self.where
                self.where += f" {layout}"
                placed[seat] = layout
                if len(placed) < len(self.seats):
                    self.compare_placing(placed)
        else:
            for home, army in zip(self.seats, armies(self.core.setup(), self.seats), strict=True):
                line_ups[home] = {unit[1:]: RANK[unit[0]] for unit in army}
                assert not line_up_errors(where, home, line_ups[home]), self.where
        self.slow = Siguo(settings, line_ups)

    def compare_placing(self, placed: Mapping[int, str]) -> None:
        """Who has placed is public; a line-up is its owner's alone."""
        for viewer in (arena.SPECTATOR, *range(len(self.seats))):
            found = json.loads(self.core.observe(viewer))
            assert found["layout"] == placed.get(viewer), self.where
            assert found["to_act"] == [i for i in range(len(self.seats)) if i not in placed]
            assert [seat["placed"] for seat in found["seats"]] == [
                i in placed for i in range(len(self.seats))
            ], self.where
            assert (found["phase"], found["units"], found["fights"]) == ("layout", [], [])

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
            slow.out[rng.choice(self.seats)] = rng.choice(
                ["no_move", "timeout_limit", "resignation"]
            )
        for home in self.seats:
            texts[home] = "-"
            if home in slow.out and settings["eliminated_pieces"] != "stay":
                continue
            army = [rank for rank, most in COUNT.items() for _ in range(most) if rank != "flag"]
            army = rng.sample(army, rng.randint(1, size))
            army = army if rng.random() < 0.1 else ["flag", *army]
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
            if rng.random() < 0.2:
                free.discard(origin)
                return Unit(home, origin, rank, None, home, moves)
        free -= {at, origin}
        return Unit(home, origin if rng.random() < 0.9 else "", rank, at, home, moves)

    # -- comparing ---------------------------------------------------------------------

    def seat(self, home: str) -> int:
        return self.seats.index(home)

    def team(self, home: str) -> int:
        """A team goes by its lowest seat."""
        return min(self.seat(member) for member in self.slow.side(home))

    def roles(self) -> list[str]:
        """By the first turns of the teams, or of the seats."""
        teams = list(dict.fromkeys(self.team(home) for home in self.slow.order))
        words = ("first", "second", "third", "fourth")
        return [words[teams.index(self.team(home))] for home in self.seats]

    def compare(self) -> None:
        """What decides the game, at every position; what is known, at some."""
        core, slow, where, rng = self.core, self.slow, self.where, self.rng
        self.met["positions"] += 1
        if rng.random() < 0.05 or slow.ended:
            viewers = [None, *self.seats]
            self.compare_view(rng.choice(viewers))
        if rng.random() < 0.004 and not slow.ended:
            self.compare_world(rng.choice(self.seats))
        if rng.random() < 0.02 and not slow.ended:
            self.compare_twin(rng.choice(self.seats))
        outcome = core.outcome()
        if slow.ended or outcome:
            assert outcome, where
            assert slow.ended, where
            assert not core.seats_to_act(), where
            assert outcome.termination.name == slow.ended.termination, where
            assert list(outcome.sides) == [self.team(home) for home in self.seats], where
            assert list(outcome.roles) == self.roles(), where
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
        drawn = str(core.sample_move(acting, Rng(slow.ply)))
        assert drawn == listed[Rng(slow.ply).below(len(listed))], where
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
        expected = None if text in self.legal else slow.refusal(*text.split("-"))
        assert (found and found.reason.name) == expected, f"{self.where} {text} {found}"
        self.met["texts accepted" if found is None else f"refused {found.reason.name}"] += 1
        allowed = slow.settings["timeout_limit"] is not None
        assert (self.core.check(acting, "timeout") is None) == allowed, self.where
        assert self.core.check(acting, "resign") is not None, self.where

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
                    "team": self.team(home),
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
                    "start": unit.origin or None,
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
            where = f"{self.where}, seen by {viewer}: {drawn.setup()}"
            assert other.turn == home, where
            assert move in UNLISTED or tuple(move.split("-")) in other.moves(home), where
            play(other, move)
        same = knowledge(other, viewer) == knowledge(self.slow, viewer)
        assert same, f"{self.where}, seen by {viewer}: {drawn.setup()}"
        legal = {f"{start}-{end}" for start, end in other.moves(other.turn)}
        assert {str(m) for m in drawn.moves(self.seat(other.turn))} == legal, self.where
        self.met["worlds"] += 1
        self.met["worlds that differ"] += other.units != self.slow.units

    def compare_twin(self, viewer: str) -> None:
        """A drawn world, played by the core from its own start, is seen as the true one is."""
        seat = self.seat(viewer)
        drawn = self.core.resample(seat, Rng(self.rng.randrange(1 << 30)))
        words = dict(word.split("=", 1) for word in self.start_text.split())
        for home, others in zip(self.seats, armies(drawn.setup(), self.seats), strict=True):
            units = armies(self.start_text, home)[0]
            ranks = [other[0] for other in others]
            words[home] = ",".join(r + u[1:] for r, u in zip(ranks, units, strict=True)) or "-"
        twin = self.game.new_state(setup=" ".join(f"{n}={word}" for n, word in words.items()))
        for home, move in self.slow.log:
            play_recorded(twin, self.seat(home), move)
        for state in (drawn, twin):
            same = state.observe(seat) == self.core.observe(seat)
            assert same, f"{self.where}, seen by {viewer}: {drawn.setup()}"
        self.met["twins"] += 1

    def step(self) -> None:
        """The same move in both: fights preferred in some games, wandering in others."""
        rng, slow = self.rng, self.slow
        moves = sorted(self.legal)
        taken = {unit.at for unit in slow.units.values()}
        fights = [m for m in moves if m[-3:] in taken]
        move = rng.choice(fights if fights and rng.random() < self.eager else moves)
        if slow.settings["timeout_limit"] is not None and rng.random() < 0.02:
            move = "timeout"
        if rng.random() < 0.004:
            move = "resign"
        self.where += f" {move}"
        before = slow.clone()
        if rng.random() < 0.02:
            self.core = self.game.new_state(setup=self.core.setup())
        events = play_recorded(self.core, self.seat(slow.turn), move)
        play(slow, move)
        self.compare_events(before, events)
        self.count(before)

    def compare_events(self, before: Siguo, events: Iterable[Event]) -> None:
        """A move, its fight and the falls are told to all; ranks only where all can tell them."""
        slow, told = self.slow, [(e.kind, e.seat, e.seen_by(arena.SPECTATOR)) for e in events]
        home, move = slow.log[-1]
        expected = [(move if move in UNLISTED else "move", self.seat(home), move)]
        for battle in slow.battles[len(before.battles) :]:
            flag = " flag" if battle.result.flag else ""
            text = f"{move.replace('-', 'x')} {RESULT[battle.result]}{flag}"
            expected.append(("fight", self.seat(home), text))
        for fallen in list(slow.out)[len(before.out) :]:
            expected.append(("out", self.seat(fallen), slow.out[fallen]))
        assert [event for event in told if event[0] != "reveal"] == expected, self.where
        if self.rng.random() < 0.1:
            self.compare_reveals(before, [text for kind, _, text in told if kind == "reveal"])

    def compare_reveals(self, before: Siguo, shown: list[str]) -> None:
        """What is new to all is told, and nothing is told that not all can be sure of."""
        slow = self.slow
        new = [i for i, unit in before.units.items() if unit.at and self.newly_shown(before, i)]
        open_before = possible_ranks(before, None) if new else {}
        for i in new:
            at = slow.units[i].at or before.units[i].at
            text = f"{LETTER[slow.units[i].rank]} {at}"
            assert text in shown or len(open_before[i]) == 1, f"{self.where} {text} {shown}"
        if shown:
            sure = {i: ranks for i, ranks in possible_ranks(slow, None).items() if len(ranks) == 1}
            for text in shown:
                rank, at = text.split()
                there = [i for i, u in slow.units.items() if at in (u.at, before.units[i].at)]
                assert any(sure.get(i) == frozenset({RANK[rank]}) for i in there), (
                    f"{self.where} {text}"
                )

    def newly_shown(self, before: Siguo, unit: int) -> bool:
        return "*" in self.slow.knowers[unit] - before.knowers[unit]

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
    at = "" if unit.at == unit.origin else f"@{unit.at}" if unit.at else "x"
    return f"{LETTER[unit.rank]}{unit.origin or '-'}{at}" + (f"+{unit.moves}" if unit.moves else "")


def play(slow: Siguo, move: str) -> None:
    """A move by its text."""
    if move == "timeout":
        slow.time_out()
        return
    if move == "resign":
        slow.resign()
        return
    start, end = move.split("-")
    slow.play(start, end)
