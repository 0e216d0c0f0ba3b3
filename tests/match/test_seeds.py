"""What a bot is told to be random by says nothing of the deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

import arena
from arena._core import derive_seed
from arena.match.policy import MatchPolicy
from arena.match.referee import Table
from arena.players.spec import EngineKind, EngineSpec
from tests.match.table_kit import Puppet, request_for

M = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
DEAL = 0xFEDC_BA98_7654_3210


def unshifted(value: int, by: int) -> int:
    """The v of v ^ (v >> by)."""
    found = value
    for _ in range(64 // by):
        found = value ^ (found >> by)
    return found


def unmixed(value: int) -> int:
    """What SplitMix64's finaliser made this of."""
    value = unshifted(value, 31) * pow(0x94D049BB133111EB, -1, 2**64) & M
    value = unshifted(value, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & M
    return unshifted(value, 30)


def mixed(value: int) -> int:
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & M
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & M
    return value ^ (value >> 31)


def underived(seed: int, stream: int) -> int:
    """The seed from which `derive_seed` made this one for a stream."""
    return unmixed(seed) ^ mixed((stream + GOLDEN) & M)


def told(kind: EngineKind) -> int:
    """What the engine in seat 1 of a planned game of Dou Dizhu is told."""
    game = arena.game("doudizhu/doc003")
    request = replace(
        request_for(game), deal_seed=DEAL, engine_seed=derive_seed(DEAL, 2)
    )  # as a plan derives it for the first seating
    request = replace(request, engines=(EngineSpec("x", "1", kind, "x"),) * 3)
    puppets = [Puppet() for _ in range(3)]
    table = Table(request, MatchPolicy(), puppets, lambda *_: None)
    return table._seeds[1]


def test_a_core_engine_has_the_seed_that_it_has_in_the_core() -> None:
    seed = told(EngineKind.BUILTIN)
    assert seed == derive_seed(derive_seed(DEAL, 2), 1)
    # … and from that a way leads back to everybody's cards: no program may be told it.
    assert underived(underived(seed, 1), 2) == DEAL


@pytest.mark.parametrize("kind", [k for k in EngineKind if k is not EngineKind.BUILTIN])
def test_no_way_leads_back_from_what_a_program_is_told(kind: EngineKind) -> None:
    seed = told(kind)
    assert seed != derive_seed(derive_seed(DEAL, 2), 1)
    assert underived(underived(seed, 1), 2) != DEAL
    assert seed == told(kind), "reproducible"
