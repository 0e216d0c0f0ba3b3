"""From the text of an event file to an `EventSpec` that can be played."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from arena.games import Names
from arena.games.suggest import nearest
from arena.plan.errors import SweepError
from arena.plan.load import lengthen, load_file
from arena.plan.tournament.spec import EventSpec

BIASED = Names(
    "Beware: matches of this event went on until they were decided. The result decided how many "
    "games there were, so win rates, seat advantages and ratings computed from them are biased; "
    "for statistics play a fixed number of games.",
    "注意：本赛事的比赛打到分出胜负为止，局数取决于结果，由此算出的胜率、先手优势与等级分有偏；"
    "统计请用固定局数的赛制。",
)
"""Beside every statistic of games whose number followed from their results."""


@cache
def presets() -> Mapping[str, dict[str, Any]]:
    """Events of the documents: name to the tables that a file need not write."""
    text = files("arena.plan.tournament").joinpath("presets.toml").read_text("utf-8")
    return tomllib.loads(text)


def load_event(path: str | Path) -> EventSpec:
    """Read an event file. Raises SweepError naming file, line, field and what is valid."""
    from arena.plan.tournament.check import check_event

    spec = load_file(path, EventSpec, spelled_out)
    check_event(spec)
    return spec


def is_event(text: str) -> bool:
    """Whether a file, or what a ledger keeps of it, is an event and no sweep."""
    data = _tables(text)
    return "stages" in data or "preset" in data


def _tables(text: str) -> dict[str, Any]:
    """A file, or the settings as JSON, as tables; none where it is neither."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # what is wrong with it is said by who plans it
        pass
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def event_of(text: str) -> EventSpec | None:
    """The event whose file, or settings, a ledger keeps; None for a sweep.

    Raises SweepError for an event that this version cannot play.
    """
    if not is_event(text):
        return None
    try:
        return EventSpec.model_validate_json(json.dumps(spelled_out(_tables(text)), default=str))
    except ValidationError as error:
        raise SweepError(f"is of another version: {error.errors()[0]['msg']}") from None


def stopping_warning(texts: Iterable[str]) -> Names | None:
    """`BIASED` where one of the files of a ledger is an event in which results decide how many
    games there are."""
    return BIASED if any(is_event(text) and _stops(text) for text in texts) else None


def _stops(text: str) -> bool:
    try:
        found = event_of(text)
    except SweepError:  # of another version
        return True
    return found is not None and found.stops


def spelled_out(data: dict[str, Any]) -> dict[str, Any]:
    """A preset's tables put in, short forms written out. Raises SweepError."""
    full = dict(data)
    if "games" in full and not full.keys() & {"stages", "preset"}:
        raise SweepError("makes this a sweep: `arena sweep` plays it", field="games")
    name = full.pop("preset", None)
    if name is not None:
        found = presets().get(name) if isinstance(name, str) else None
        if found is None:
            raise SweepError(
                f"no such preset{nearest(str(name), presets())} (got {name!r})",
                field="preset",
                value=name,
            )
        for key, value in found.items():
            if key not in ("en", "zh", "sources"):
                full[key] = _under(value, full.get(key))
    if isinstance(full.get("engines"), dict):
        full["engines"] = {
            key: {"use": entry} if isinstance(entry, str) else entry
            for key, entry in full["engines"].items()
        }
    if isinstance(full.get("entrants"), dict):
        full["entrants"] = {
            key: lengthen({"engines": entry}, "engines")
            if isinstance(entry, str | list)
            else lengthen(dict(entry), "engines")
            if isinstance(entry, dict)
            else entry
            for key, entry in full["entrants"].items()
        }
        for entry in full["entrants"].values():
            if isinstance(entry, dict) and isinstance(entry.get("boards"), list):
                entry["boards"] = [[b] if isinstance(b, str) else b for b in entry["boards"]]
    if isinstance(full.get("stages"), list):
        full["stages"] = [
            lengthen(dict(stage), "tiebreaks") if isinstance(stage, dict) else stage
            for stage in full["stages"]
        ]
    return full


def _under(preset: Any, own: Any) -> Any:
    """A preset's value under what the file says: tables setting by setting, the rest whole.

    A clock of another kind has nothing left of the preset's.
    """
    if own is None:
        return preset
    if isinstance(preset, dict) and isinstance(own, dict):
        if own.get("kind", preset.get("kind")) != preset.get("kind"):
            return own
        return {**preset, **{key: _under(preset.get(key), value) for key, value in own.items()}}
    return own
