"""Which games there are, and how a name becomes a `Game`."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import ValidationError

from arena.games.contract import Family, Game, Names, Rulebook, Rules, RulesError
from arena.games.suggest import SHOWN, either, nearest, plain, valid_values

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
        meant = family_named(family_id)
        what = nearest(family_id, _FAMILIES) if meant is None else f"; did you mean '{meant.id}'?"
        raise RulesError(f"no game '{family_id}'{what}")
    found = importlib.import_module(_FAMILIES[family_id]).FAMILY
    assert isinstance(found, Family)
    return found


def family_named(name: str) -> Family | None:
    """The family of an id, or of a name in either language, whatever its case; None for no name.

    >>> family_named("五子棋").id, family_named("Fight the Landlord").id, family_named("升级").id
    ('gomoku', 'doudizhu', 'tuolaji')
    """
    word = _letters(name)
    for found in map(family, family_ids()):
        # The other names stand in brackets: "Tuolaji (Shengji)".
        names = re.split(r"[()（）]", f"{found.names.en}({found.names.zh}({found.id}")
        if word and word in map(_letters, names):
            return found
    return None


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
    family_name, _, book_id = name.partition("/")
    found = family_named(family_name)
    books = rulebooks() if found is None else _books(found)
    if found is not None and not book_id:
        shown = ", ".join(f"'{book}'" for book in books[:3])
        return (
            f"no rulebook '{name}': that is a game; it has {len(books)} rulebooks, such as {shown}"
        )
    word = re.sub(r"[*?\[\]]", "", name if found is None else book_id)
    called = {book: at for book in books if (at := _called(book, word)) is not None}
    if called:
        meant = sorted(called, key=lambda book: called[book] > 0)[:SHOWN]
        return f"no rulebook '{name}'; did you mean {either(meant)}?"
    return f"no rulebook '{name}'{nearest(word if found is None else f'{found.id}/{word}', books)}"


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


def _called(book: str, word: str) -> int | None:
    """Where in a rulebook's Chinese names a word begins, 0 where it is the English one; or None."""
    found = family(book.partition("/")[0])
    names = found.rulebooks[book.partition("/")[2]].names
    if word.isascii():
        return 0 if word and _letters(word) == _letters(names.en) else None
    places = [_letters(name).find(_letters(word)) for name in (found.names.zh, names.zh)]
    return min((at for at in places if at >= 0), default=None)


def _letters(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()


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
