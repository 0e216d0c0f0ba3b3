"""Whether a bot's description makes sense, and covers a game."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from arena.games import Game, family, family_ids, rulebooks
from arena.protocol.v1 import bot_pb2

Settings = Mapping[str, bool | int | str | None]


def misdescribed(said: bot_pb2.DescribeResponse) -> tuple[str, str] | None:
    """A field of a description that fits nothing, and what would be right; or None."""
    if not said.name.strip():
        return "name", "name is empty: results are filed under name and version"
    if "@" in said.version:
        return "version", f"version '{said.version}': must be text without '@'"
    if not said.version.strip():
        return "version", "version is empty: a new build is a new version"
    if not said.games:
        return "games", "games is empty: it says which rulebooks the bot plays"
    for support in said.games:
        matched = rulebooks(support.rulebooks)
        if not matched:
            return "games", (
                f"games: '{support.rulebooks}' matches no rulebook; a glob over names such as "
                f"'gomoku/*', '{family_ids()[0]}/*'"
            )
        families = {name.partition("/")[0] for name in matched}
        known = set[str]().union(*(family(name).rules.model_fields for name in families))
        for limit in support.limits:
            if limit.setting not in known:
                return "games", (
                    f"games: '{support.rulebooks}': limit on '{limit.setting}', which is no "
                    f"setting of {', '.join(sorted(families))}; `arena rules` lists them"
                )
    return None


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
