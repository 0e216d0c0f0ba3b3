"""Which games there are, and how a name becomes a `Game`."""

from __future__ import annotations

import importlib
import json
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import ValidationError

from arena.games.contract import Family, Game, Names, Rulebook, Rules, RulesError
from arena.games.suggest import nearest, plain, valid_values

# One line a family; see docs/adding-a-game.md. Modules are loaded when first asked for.
_FAMILIES = {
    "chinese_checkers": "arena.games.chinese_checkers",
    "doudizhu": "arena.games.doudizhu",
    "gomoku": "arena.games.gomoku",
    "siguo": "arena.games.siguo",
    "tuolaji": "arena.games.tuolaji",
    "xiangqi": "arena.games.xiangqi",
}


def family_ids() -> tuple[str, ...]:
    """The families of this build, sorted."""
    return tuple(sorted(_FAMILIES))


@cache
def family(family_id: str) -> Family:
    """A family by id. Raises RulesError with the nearest name for an unknown one."""
    if family_id not in _FAMILIES:
        raise RulesError(f"no game '{family_id}'{nearest(family_id, _FAMILIES)}")
    found = importlib.import_module(_FAMILIES[family_id]).FAMILY
    assert isinstance(found, Family)
    return found


def rulebooks(pattern: str = "*") -> list[str]:
    """Full names, "gomoku/doc001", of the rulebooks that match a glob."""
    names = [name for f in family_ids() for name in _books(family(f))]
    return [name for name in names if fnmatchcase(name, pattern)]


def game(name: str, /, **settings: Any) -> Game:
    """A game by rulebook name, with settings overridden.

    Raises RulesError naming the unknown rulebook or field with the nearest valid one, or
    the value and what would be valid.
    """
    found, book_id = _book(name)
    rules = validated(found.rules, name, {**found.rulebooks[book_id].settings, **settings})
    return Game(found, book_id, rules)


def game_from_rules(name: str, settings: Mapping[str, Any]) -> Game:
    """A game from a record: its rulebook's name and all of its settings as they were then.

    Raises RulesError as `game` does.
    """
    found, book_id = _book(name)
    return Game(found, book_id, validated(found.rules, name, settings))


def no_rulebook(name: str) -> str:
    """A sentence about a name or glob that is no rulebook's: what it may have meant."""
    family_id, _, book_id = name.partition("/")
    books = _books(family(family_id)) if family_id in _FAMILIES else rulebooks()
    if family_id in _FAMILIES and not book_id:
        shown = ", ".join(f"'{book}'" for book in books[:3])
        return (
            f"no rulebook '{name}': that is a game; it has {len(books)} rulebooks, such as {shown}"
        )
    word = name.translate({ord(c): None for c in "*?[]"})
    return f"no rulebook '{name}'{nearest(word, books)}"


def load_rulebooks(package: str, rules: type[Rules]) -> dict[str, Rulebook]:
    """Read ``rulebooks.toml`` of a game's package.

    Each table is a rulebook: ``en``, ``zh``, ``source``, optional ``note``, optional
    ``base`` (another table to start from), ``settings`` and ``sources``. Every book is
    validated here, so that a bad one fails at import, in the tests, and not in a sweep.
    """
    tables = tomllib.loads((files(package) / "rulebooks.toml").read_text("utf-8"))
    books: dict[str, Rulebook] = {}
    for book_id, table in tables.items():
        base = books[table["base"]] if "base" in table else None
        settings = {**(base.settings if base else {}), **table.get("settings", {})}
        # The base's source of a value is none of the value that replaces it.
        kept = {
            key: text
            for key, text in (base.sources if base else {}).items()
            if settings.get(key) == (base.settings if base else {}).get(key)
        }
        sources = {**kept, **table.get("sources", {})}
        books[book_id] = Rulebook(
            id=book_id,
            names=Names(table["en"], table["zh"]),
            source=table["source"],
            note=table.get("note", ""),
            settings=settings,
            rules=validated(rules, f"{rules.family_id}/{book_id}", settings),
            sources=sources,
        )
    return books


def validated(rules: type[Rules], name: str, settings: Mapping[str, Any]) -> Rules:
    """Typed rules from plain settings. Raises RulesError naming the field, `name` first."""
    # TOML has no null; the word stands for it.
    plain = {k: None if v == "null" else v for k, v in settings.items()}
    for key in plain:
        if key not in rules.model_fields:
            raise RulesError(f"{name}: no setting '{key}'{nearest(key, rules.model_fields)}")
    try:
        return rules.model_validate_json(_json(plain))
    except ValidationError as error:
        raise RulesError(f"{name}: {_explain(error, rules)}") from None


def _book(name: str) -> tuple[Family, str]:
    """The family and rulebook of a full name. Raises RulesError."""
    family_id, _, book_id = name.partition("/")
    if family_id not in _FAMILIES or book_id not in family(family_id).rulebooks:
        raise RulesError(no_rulebook(name))
    return family(family_id), book_id


def _books(found: Family) -> list[str]:
    return [f"{found.id}/{book}" for book in found.rulebooks]


def _json(settings: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(settings), default=lambda value: value.value)
    except (TypeError, AttributeError):
        raise RulesError(f"settings must be plain values, not {dict(settings)!r}") from None


def _explain(error: ValidationError, rules: type[Rules]) -> str:
    parts: dict[str, None] = {}
    schema = rules.model_json_schema()
    for item in error.errors(include_url=False):
        name = str(item["loc"][0]) if item["loc"] else ""
        valid = valid_values(schema["properties"][name], schema.get("$defs", {})) if name else ""
        # What settings say together is said by the rules themselves.
        said = item["msg"].removeprefix("Value error, ")
        said = f"must be {valid}" if valid and item["type"] != "value_error" else said
        parts[f"{name} = {plain(item['input'])}: {said}" if name else said] = None
    return "; ".join(parts)
