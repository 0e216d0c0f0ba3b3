"""From the text of a sweep file to a `SweepSpec`, with errors that name the line."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from arena.plan.errors import SweepError, nearest
from arena.plan.spec import SweepSpec
from arena.plan.toml_lines import TomlLines


def load_sweep(path: str | Path) -> SweepSpec:
    """Read a sweep file. Raises SweepError naming file, line, field and what is valid."""
    file = str(path)
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise SweepError(f"cannot be read: {error.strerror}", file=file) from None
    except UnicodeDecodeError as error:
        raise SweepError(f"is not UTF-8 text (byte {error.start})", file=file) from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else len(text.splitlines())
        raise SweepError(f"is not TOML: {error}", file=file, line=line) from None
    try:
        spec = SweepSpec.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        raise _explain(error, data, file, TomlLines(text)) from None
    return spec.placed(file, text)


def _explain(
    error: ValidationError, data: dict[str, Any], file: str, lines: TomlLines
) -> SweepError:
    """The first thing that is wrong, in the words of the file."""
    first = error.errors(include_url=False)[0]
    path, value = _existing(first["loc"], data)
    kind = first["type"]
    if kind == "extra_forbidden":
        message = f"no such setting{nearest(str(path[-1]), _fields_at(path[:-1]))}"
    elif kind == "missing":
        path = (*path, str(first["loc"][len(path)]))
        message = f"is missing; give {path[-1]} = …"
    else:
        message = f"{first['msg'].removeprefix('Value error, ')} (got {value!r})"
    return SweepError(
        message,
        file=file,
        line=lines.line(path),
        field=".".join(map(str, path)),
        value=value,
    )


def _existing(loc: tuple[int | str, ...], data: Any) -> tuple[tuple[int | str, ...], Any]:
    """The part of an error's place that is in the file, without pydantic's union tags."""
    path: tuple[int | str, ...] = ()
    value = data
    for part in loc:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            break
        path = (*path, part)
    return path, value


def _fields_at(path: tuple[int | str, ...]) -> list[str]:
    """The settings that the table at a path may have."""
    models: list[Any] = [SweepSpec]
    for part in path:
        inner: list[Any] = []
        for model in models:
            if _is_model(model):
                fields = model.model_fields
                inner += _alternatives(fields[part].annotation) if part in fields else []
            else:
                inner += [a for arg in get_args(model) for a in _alternatives(arg)]
        models = inner
    return [name for model in models if _is_model(model) for name in model.model_fields]


def _alternatives(annotation: Any) -> list[Any]:
    """An annotation, or the members of a union."""
    if _is_model(annotation) or not get_args(annotation):
        return [annotation]
    return [annotation, *get_args(annotation)]


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
