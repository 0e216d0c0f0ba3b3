"""Balance of each cell: rules x line-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena.balance.measures import MeasureBalance, PairingGain, measures_of, pairing_gain
from arena.balance.multiple import holm
from arena.balance.parties import Parties, PartyBalance, parties_of
from arena.balance.room import room_of
from arena.balance.verdict import LEVEL, MARGIN, Balance, Correction, SeatMeans, Verdict, verdicts
from arena.games import Measure, Names, RulesError, family
from arena.ledger.table import CellGames, GameTable
from arena.ratings.anytime import anytime_interval
from arena.ratings.blocks import (
    Interval,
    bounded_interval,
    elo_interval,
    positive_interval,
    ratio_interval,
)

_UNJUDGED = Verdict(Balance.UNDECIDED, None, None, MARGIN, 1.0, 1.0, 0, Correction.HOLM)

_FEW = 10
"""Below so many blocks a note warns."""


@dataclass(frozen=True, slots=True)
class SeatBalance:
    """What one seat gets. Shares are of 1; intervals are 95 % by block."""

    seat: int
    score: Interval
    """Mean score; 1/2 is even."""

    wins: Interval
    """Share of games that the seat's side won, a first place shared by sides counted in parts."""

    place: Interval
    """Expected place, 1 is best; (seats + 1) / 2 is even, ties at the middle of their places."""


@dataclass(frozen=True, slots=True)
class RoleBalance:
    """What one role gets, whoever plays it: "black" after a swap may sit in either seat."""

    role: str
    score: Interval
    wins: Interval
    share: float
    """Seats that play this role, per game."""


@dataclass(frozen=True, slots=True)
class EndingShare:
    """How often games ended in one way."""

    termination: str
    """Its name."""

    share: Interval
    """Of the games; 95 % by block."""


@dataclass(frozen=True, slots=True)
class CellBalance:
    """Balance of one set of rules at one line-up. The block is the datum."""

    sweep_id: str
    cell_id: str
    rulebook: str
    family: str
    level: str
    """The engine of self-play, or "a vs b"."""

    seats: int
    blocks: int
    planned_blocks: int
    games: int
    by_seat: tuple[SeatBalance, ...]
    by_role: tuple[RoleBalance, ...]
    by_party: tuple[PartyBalance, ...]
    """Who wins together, in games with partners; empty where every seat plays for itself."""

    even_wins: float
    """Share of games that an even seat's side wins: 1 over the number of sides."""

    measures: tuple[MeasureBalance, ...]
    """The family's own numbers."""

    pairing: PairingGain | None
    """What replaying deals with exchanged sides gained; None in self-play."""

    advantage: Interval | None
    """Elo of seat 0 over seat 1 from its score; two seats only. Bounds may be infinite."""

    win: Interval | None
    """Share of games seat 0 won (two seats only); `draw` and `loss` likewise."""

    draw: Interval | None
    loss: Interval | None
    plies: Interval
    decisive: Interval
    """Share of games that one side won alone."""

    terminations: tuple[EndingShare, ...]
    """The most frequent first."""

    p_value: float
    """Of "every seat (with partners: every party) scores the same"; 1 with too few blocks."""

    uneven: bool
    """True where that is refuted at 5 % over all cells of the table together (Holm)."""

    verdict: Verdict
    """Balanced, favours a seat or party, or undecided, all cells of the table considered."""

    notes: tuple[Names, ...]


def balance(
    table: GameTable, margin: float = MARGIN, correction: Correction = Correction.HOLM
) -> list[CellBalance]:
    """The balance of every cell of a table that has games, in table order.

    Scores within `margin` of 1/2 count as balanced; `correction` is how all cells of the
    table pay for being judged together. Raises ValueError for a margin outside (0, 0.5).
    """
    games = list(table.by_cell())
    parties = [parties_of(part, table.role_names) for part in games]
    found = [_cell(part, table, own) for part, own in zip(games, parties, strict=True)]
    judged = verdicts(
        [_means(part, own) for part, own in zip(games, parties, strict=True)], margin, correction
    )
    shown = [verdict.balance not in (Balance.MIXED, Balance.HIDDEN) for verdict in judged]
    tested = [cell.p_value for cell, own in zip(found, shown, strict=True) if own]
    adjusted = iter(holm(tested))
    return [
        replace(
            cell,
            uneven=own and next(adjusted) <= LEVEL,
            verdict=verdict,
            notes=(*cell.notes, *_hidden_note(verdict)),
        )
        for cell, own, verdict in zip(found, shown, judged, strict=True)
    ]


def _hidden_note(verdict: Verdict) -> tuple[Names, ...]:
    if verdict.balance is not Balance.HIDDEN:
        return ()
    off = f"{100 * verdict.margin:g} %"
    return (
        Names(
            f"one engine wins so nearly everything that no seat could score {off} off the even "
            "share, whatever it is worth: no verdict, and none of the family",
            f"某引擎几乎全胜，无论座位价值如何，得分率都不可能偏离均等 {off}：不作判定，不计入变体总数",
        ),
    )


def _means(games: CellGames, parties: Parties | None) -> SeatMeans | None:
    """What a verdict is about: seats, or parties where seats have partners."""
    if is_mixed(games):
        return None
    digest, block, means = games.cell.rules_digest, games.block, games.scores.mean(axis=1)
    room = room_of(games)
    names: tuple[tuple[str, ...], ...] = ()
    scores = games.scores
    if parties is not None:
        whole, means = parties.block_means()
        block, names = block[whole], parties.roles
        scores = parties.scores[~np.isnan(parties.scores).any(axis=2)]
    if np.allclose(scores.mean(axis=-1), 0.5):
        return SeatMeans(digest, block, means, names=names, room=room)
    # One against two hands out more or less than half: even is then the mean of the seats.
    lead = means - means.mean(axis=1, keepdims=True)
    return SeatMeans(digest, block, 0.5 + lead, reach=1.0, names=names, room=room)


def known_measures(family_id: str) -> Mapping[str, Measure]:
    """What a family says of its measures; nothing of a family that this build does not know."""
    try:
        return family(family_id).measures
    except RulesError:  # a ledger of another build: its numbers keep their plain names
        return {}


def _cell(games: CellGames, table: GameTable, parties: Parties | None) -> CellBalance:
    cell, blocks = games.cell, len(games.block)
    first = _first_places(games.places, games.sides)
    # What was stopped when it said enough needs intervals that stopping cannot spoil.
    score_interval = anytime_interval if cell.stop else bounded_interval
    seats = tuple(
        SeatBalance(
            seat,
            score_interval(games.scores[:, :, seat].mean(axis=1)),
            bounded_interval(first[:, :, seat].mean(axis=1)),
            bounded_interval(middle[:, :, seat].mean(axis=1), 1.0, float(cell.seats)),
        )
        for middle in [_middle_places(games.places)]
        for seat in range(cell.seats)
    )
    won = games.places[:, :, 0] < games.places[:, :, -1]
    drawn = games.places[:, :, 0] == games.places[:, :, -1]
    two = cell.seats == 2
    return CellBalance(
        sweep_id=cell.sweep_id,
        cell_id=cell.cell_id,
        rulebook=cell.rulebook,
        family=cell.family,
        level=cell.level,
        seats=cell.seats,
        blocks=blocks,
        planned_blocks=cell.planned_blocks,
        games=games.plies.size,
        by_seat=seats,
        by_role=_roles(games, first, table.role_names),
        by_party=parties.balances() if parties else (),
        even_wins=1 / _side_count(games.sides),
        measures=measures_of(games, known_measures(cell.family)),
        pairing=pairing_gain(games),
        advantage=elo_interval(seats[0].score) if two else None,
        win=bounded_interval(won.mean(axis=1)) if two else None,
        draw=bounded_interval(drawn.mean(axis=1)) if two else None,
        loss=bounded_interval((~won & ~drawn).mean(axis=1)) if two else None,
        plies=positive_interval(games.plies.mean(axis=1)),
        decisive=bounded_interval((first.max(axis=2) == 1).mean(axis=1)),
        terminations=_terminations(games, table.termination_names),
        p_value=_even(parties.block_means()[1] if parties else games.scores.mean(axis=1)),
        uneven=False,
        verdict=_UNJUDGED,
        notes=_notes(games),
    )


def _first_places(places: NDArray[np.int16], sides: NDArray[np.int16]) -> NDArray[np.float64]:
    """(blocks, permutations, seats) share of the first place: 1, or a part of a shared one.

    Partners share no place with each other: each of a winning side came first.
    """
    first = places == places.min(axis=2, keepdims=True)
    together = sides[:, :, :, None] == sides[:, :, None, :]
    # Of a side with k seats that came first each counts 1/k: the sum is the number of sides.
    mates = (together & first[:, :, None, :]).sum(axis=3)
    won = np.where(first, 1 / np.maximum(mates, 1), 0.0).sum(axis=2, keepdims=True)
    shares: NDArray[np.float64] = first / won
    return shares


def _side_count(sides: NDArray[np.int16]) -> float:
    """Sides of a game, the mean over games."""
    together = sides[:, :, :, None] == sides[:, :, None, :]
    return float((1 / together.sum(axis=3)).sum(axis=2).mean())


def _middle_places(places: NDArray[np.int16]) -> NDArray[np.float64]:
    """(blocks, permutations, seats) places, where seats that tie share the middle of theirs.

    1, 2, 2, 4 becomes 1, 2.5, 2.5, 4: the mean over the seats is (seats + 1) / 2 always.
    """
    mine, others = places[:, :, :, None], places[:, :, None, :]
    better = (others < mine).sum(axis=3)
    level = (others == mine).sum(axis=3)
    middle: NDArray[np.float64] = better + (level + 1) / 2
    return middle


def _roles(
    games: CellGames, first: NDArray[np.float64], names: Sequence[str]
) -> tuple[RoleBalance, ...]:
    found = []
    for code in np.unique(games.roles):
        held = games.roles == code
        seats = held.sum(axis=(1, 2)).astype(np.float64)
        found.append(
            RoleBalance(
                names[int(code)],
                ratio_interval((games.scores * held).sum(axis=(1, 2)), seats),
                ratio_interval((first * held).sum(axis=(1, 2)), seats),
                float(seats.sum()) / games.plies.size,
            )
        )
    return tuple(found)


def _terminations(games: CellGames, names: Sequence[str]) -> tuple[EndingShare, ...]:
    shares = [
        EndingShare(names[int(code)], bounded_interval((games.termination == code).mean(axis=1)))
        for code in np.unique(games.termination)
    ]
    return tuple(sorted(shares, key=lambda each: (-each.share.value, each.termination)))


def _even(means: NDArray[np.float64]) -> float:
    """P-value of "every seat scores the same" from (blocks, seats) block means.

    Hotelling's T-squared over the seats but the last, which follows from them; Student's t
    for two seats. Where the blocks do not vary in some direction the test is made in the
    others; where they do not vary at all but are uneven, as 2 x 2^-n: by the sign test, in
    which evenness makes either sign as likely in each block.
    """
    from scipy.special import fdtrc

    blocks = len(means)
    if blocks < 2:
        return 1.0
    # Every game hands out the same sum, so that its mean is what an even seat gets.
    lead = (means - means.mean(axis=1, keepdims=True))[:, :-1]
    mean = lead.mean(axis=0)
    spread = np.atleast_2d(np.cov(lead, rowvar=False))
    values, axes = np.linalg.eigh(spread)
    varies = values > 1e-12
    if np.abs(axes[:, ~varies].T @ mean).max(initial=0.0) > 1e-9:
        return float(2.0 ** (1 - blocks))
    rank = int(varies.sum())
    if rank == 0 or blocks <= rank:
        return 1.0
    along = axes[:, varies].T @ mean
    t_squared = blocks * float((along**2 / values[varies]).sum())
    return float(fdtrc(rank, blocks - rank, t_squared * (blocks - rank) / (rank * (blocks - 1))))


def _notes(games: CellGames) -> tuple[Names, ...]:
    notes = []
    blocks, cell = len(games.block), games.cell
    if cell.stop:
        notes.append(
            Names(
                f"stopped after {cell.planned_blocks} blocks ({cell.stop}): the intervals of scores "
                "are those that hold at every block",
                f"打完 {cell.planned_blocks} 组后停止（{cell.stop}）：得分区间在任意组数均成立",
            )
        )
    if blocks < 2:
        notes.append(Names("too few blocks: one block bounds nothing", "组数太少：一组无从界定"))
    elif blocks < _FEW:
        notes.append(
            Names(
                f"few blocks ({blocks}): the intervals lean on their being alike",
                f"组数较少（{blocks}）：区间有赖于各组相近",
            )
        )
    if is_mixed(games):
        notes.append(
            Names(
                "the engines do not sit in every seat equally often: seat and strength are mixed",
                "引擎入座各座位的次数不等：座位与棋力混在一起",
            )
        )
    return tuple(notes)


def is_mixed(games: CellGames) -> bool:
    """Whether some engine sits in one seat more often than in another."""
    seatings = games.cell.seatings
    taken = [sorted(seating[seat] for seating in seatings) for seat in range(games.cell.seats)]
    return any(engines != taken[0] for engines in taken)
