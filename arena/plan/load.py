"""From the text of a file to its typed form, with errors that name the line."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from arena.games.suggest import nearest
from arena.plan.errors import SweepError
from arena.plan.spec import FileSpec, SweepSpec
from arena.plan.toml_lines import TomlLines

Spec = TypeVar("Spec", bound=FileSpec)
Model = TypeVar("Model", bound=BaseModel)


def load_sweep(path: str | Path) -> SweepSpec:
    """Read a sweep file. Raises SweepError naming file, line, field and what is valid."""
    return load_file(path, SweepSpec, _spelled_out)


def parse_sweep(text: str, file: str) -> SweepSpec:
    """A sweep from the text of a file; `file` is what errors call it. Raises SweepError."""
    text = text.removeprefix("\ufeff")
    return parse_model(text, file, SweepSpec, _spelled_out).placed(file, text)


def load_file(
    path: str | Path, model: type[Spec], spelled_out: Callable[[dict[str, Any]], dict[str, Any]]
) -> Spec:
    """Read a sweep or event file; `spelled_out` writes its short forms out.

    Raises SweepError naming file, line, field and what is valid.
    """
    spec, text = load_model(path, model, spelled_out)
    return spec.placed(str(path), text)


def load_model(
    path: str | Path, model: type[Model], spelled_out: Callable[[dict[str, Any]], dict[str, Any]]
) -> tuple[Model, str]:
    """Read a TOML file as any model, and its text; `spelled_out` writes its short forms out.

    Raises SweepError naming file, line, field and what is valid.
    """
    file = str(path)
    try:
        # Some editors put a byte order mark in front.
        text = Path(path).read_text("utf-8-sig")
    except OSError as error:
        raise SweepError(f"cannot be read: {error.strerror}", file=file) from None
    except UnicodeDecodeError as error:
        raise SweepError(f"is not UTF-8 text (byte {error.start})", file=file) from None
    return parse_model(text, file, model, spelled_out), text


def parse_model(
    text: str,
    file: str,
    model: type[Model],
    spelled_out: Callable[[dict[str, Any]], dict[str, Any]],
) -> Model:
    """A TOML text as any model; `file` is what errors call it. Raises SweepError likewise."""
    try:
        data = tomllib.loads(text)
        json.dumps(data, default=str)  # refuses hexadecimal numbers that TOML reads at any length
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else len(text.splitlines())
        raise SweepError(f"is not TOML: {error}", file=file, line=line) from None
    except RecursionError:
        raise SweepError("is nested too deep", file=file) from None
    except ValueError:
        raise _endless_number(text, file) from None
    lines = TomlLines(text)
    try:
        text_form = json.dumps(spelled_out(data), default=str)
        return model.model_validate_json(text_form, strict=True)
    except SweepError as error:
        raise SweepError(
            error.message,
            file=file,
            line=lines.line(tuple(error.field.split("."))),
            field=error.field,
            value=error.value,
        ) from None
    except ValidationError as error:
        raise _explain(error, model, data, file, lines) from None


def _endless_number(text: str, file: str) -> SweepError:
    """Of a number with more digits than Python turns into an integer, or back."""
    long = re.compile(r"[0-9a-fA-F_]{1000}")
    lines = (at for at, line in enumerate(text.splitlines(), 1) if long.search(line))
    return SweepError(
        "holds a whole number of thousands of digits; none has more than 19",
        file=file,
        line=next(lines, None),
    )


def _spelled_out(data: dict[str, Any]) -> dict[str, Any]:
    """Short forms written out: one word for a list of one, an engine's use for its table."""
    full = dict(data)
    if "stages" in full:
        raise SweepError("makes this an event: `arena tournament` plays it", field="stages")
    lengthen(full, "pairing")
    if isinstance(full.get("games"), list):
        full["games"] = [dict(e) if isinstance(e, dict) else e for e in full["games"]]
        for entry in full["games"]:
            lengthen(entry, "rulebooks")
    if isinstance(full.get("engines"), dict):
        full["engines"] = {
            name: {"use": entry} if isinstance(entry, str) else entry
            for name, entry in full["engines"].items()
        }
        for name, entry in full["engines"].items():
            if isinstance(entry, dict):
                full["engines"][name] = lengthen(dict(entry), "games")
    return full


def lengthen(table: Any, key: str) -> Any:
    """Make a list of one of a word at a key of a table."""
    if isinstance(table, dict) and isinstance(table.get(key), str):
        table[key] = [table[key]]
    return table


def _explain(
    error: ValidationError,
    model: type[BaseModel],
    data: dict[str, Any],
    file: str,
    lines: TomlLines,
) -> SweepError:
    """The first thing that is wrong, in the words of the file."""
    errors = error.errors(include_url=False)
    # A misspelt setting explains a missing one.
    first = next((e for e in errors if e["type"] == "extra_forbidden"), errors[0])
    path, value = _existing(first["loc"], data)
    kind = first["type"]
    if kind == "extra_forbidden":
        message = f"no such setting{nearest(str(path[-1]), _fields_at(model, path[:-1], data))}"
    elif kind == "missing":
        path = (*path, str(first["loc"][-1]))
        message = f"is missing; give {path[-1]} = …"
    else:
        path, value, words = _words(errors, path, data)
        message = f"{words} (got {value!r})"
    return SweepError(
        message,
        file=file,
        line=lines.line(path),
        field=".".join(map(str, path)),
        value=value,
    )


def _words(errors: list[Any], path: tuple[int | str, ...], data: Any) -> tuple[Any, Any, str]:
    """Where and what would be right, in the words of TOML; a union's members are all named.

    Of a union the member that the value came furthest with is meant: of a word and a list of
    numbers, given a list, the list.
    """
    places = [(_existing(each["loc"], data), each) for each in errors]
    found = max((at for at, _ in places if at[0][: len(path)] == path), key=lambda at: len(at[0]))
    words = list(dict.fromkeys(_word(each, at[0]) for at, each in places if at[0] == found[0]))
    return *found, " or ".join([words[0], *(word.removeprefix("must be ") for word in words[1:])])


_LISTS = frozenset({"pairing", "rulebooks", "tiebreaks"})
"""Settings that take one word or a list; `games` and `engines` do inside a table only."""


def _word(error: Any, path: tuple[int | str, ...]) -> str:
    """One of pydantic's messages in the words of a sweep file."""
    match error["type"]:
        case "too_short" | "string_too_short":
            return "must not be empty"
        case "tuple_type" | "list_type":
            short = path[-1] in _LISTS or (len(path) > 2 and path[-1] in ("games", "engines"))
            return "must be text or a list, [ … ]" if short else "must be a list, [ … ]"
        case "dict_type" | "model_type" | "model_attributes_type":
            short = len(path) == 2 and path[0] in ("engines", "entrants")
            return "must be text or a table" if short else "must be a table"
        case "bool_type":
            return "must be true or false"
        case "union_tag_invalid":
            return f"{error['ctx']['discriminator']} must be one of {error['ctx']['expected_tags']}"
    text = str(error["msg"]).removeprefix("Value error, ")
    for theirs, ours in (
        ("Input should be", "must be"),
        ("String should", "must"),
        ("a valid string", "text"),
        ("a valid integer", "a whole number"),
        ("a valid number", "a number"),
    ):
        text = text.replace(theirs, ours)
    return text


def _existing(loc: tuple[int | str, ...], data: Any) -> tuple[tuple[int | str, ...], Any]:
    """The part of an error's place that is in the file, without pydantic's union tags."""
    path: tuple[int | str, ...] = ()
    value = data
    for part in loc:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            continue  # a union's tag, or what is missing
        path = (*path, part)
    return path, value


def _fields_at(root: type[BaseModel], path: tuple[int | str, ...], data: Any) -> list[str]:
    """The settings that the table at a path may have, of the kind that it says it is."""
    models: list[Any] = [root]
    value = data
    for part in path:
        value = value[part]
        inner: list[Any] = []
        for model in models:
            if _is_model(model):
                fields = model.model_fields
                inner += _alternatives(fields[part].annotation) if part in fields else []
            else:
                inner += [a for arg in get_args(model) for a in _alternatives(arg)]
        models = inner
    if isinstance(value, dict) and "kind" in value:
        models = [model for model in models if _kind(model) in (None, value["kind"])]
    return [name for model in models if _is_model(model) for name in model.model_fields]


def _kind(model: Any) -> Any:
    """What tells a model from the others of its union, if anything does."""
    field = model.model_fields.get("kind") if _is_model(model) else None
    return field.default if field is not None else None


def _alternatives(annotation: Any) -> list[Any]:
    """An annotation, or the members of a union."""
    if _is_model(annotation) or not get_args(annotation):
        return [annotation]
    return [annotation, *get_args(annotation)]


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
