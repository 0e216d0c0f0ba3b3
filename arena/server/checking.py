"""What a new engine has to keep of the protocol before it plays anybody."""

from __future__ import annotations

from collections.abc import Sequence

from arena.conformance import Kit, Outcome
from arena.conformance.kit import POLICY
from arena.conformance.wire import Watch
from arena.games import Game
from arena.match.policy import MatchPolicy
from arena.players.spec import EngineSpec

CHECKS = (
    *("describe", "new_game", "moves", "ping", "batch", "repeated", "stale", "refusals"),
    *("game_over", "whole_game"),
)
"""The short ones of `arena bot check`: what an engine must hold for the others' sake. Its author
runs the rest."""

_MOVE_MS = 5_000


async def check(spec: EngineSpec, games: Sequence[Game], match: MatchPolicy, watch: Watch) -> str:
    """What is wrong with an engine, in one line; empty: nothing.

    One rulebook of each family stands for all of it.
    """
    families = {each.family.id: each.name for each in reversed(games)}
    policy = POLICY.model_copy(
        update={
            "move_ms": min(match.move_ms, _MOVE_MS),
            "connect_ms": match.connect_ms,
            "ready_ms": match.ready_ms,
            "ready_cap_ms": match.ready_cap_ms,
            "new_game_ms": match.new_game_ms,
        }
    )
    kit = Kit(spec, sorted(families.values()), policy, CHECKS, watch)
    async for finding in kit.run():
        if finding.outcome is Outcome.FAILED:
            return f"check '{finding.name}': {finding.detail}"
    return ""
