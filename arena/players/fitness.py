"""Whether a bot's description covers a game."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from arena.games import Game
from arena.protocol.v1 import bot_pb2

Settings = Mapping[str, bool | int | str | None]


def unfit(description: bot_pb2.DescribeResponse, game: Game) -> str | None:
    """Why the description does not cover these rules, or None."""
    settings = game.rules.settings()
    reason = f"plays {', '.join(g.rulebooks for g in description.games) or 'nothing'}"
    for support in description.games:
        if not fnmatchcase(game.name, support.rulebooks):
            continue
        broken = [limit for limit in support.limits if not holds(limit, settings)]
        if not broken:
            return None
        reason = f"limits {', '.join(limit.setting for limit in broken)}"
    return f"{reason}; not {game.label}"


def holds(limit: bot_pb2.SettingLimit, settings: Settings) -> bool:
    """Whether a limit holds. One on a setting that the game does not have never does."""
    if limit.setting not in settings:
        return False
    value = settings[limit.setting]
    if limit.HasField("min") or limit.HasField("max"):
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        if limit.HasField("min") and value < limit.min:
            return False
        if limit.HasField("max") and value > limit.max:
            return False
    return not limit.values or _text(value) in limit.values


def _text(value: bool | int | str | None) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
