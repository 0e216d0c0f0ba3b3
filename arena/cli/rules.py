"""`arena games` and `arena rules`: what can be played, and what every setting means."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from arena.cli.errors import CommandError
from arena.cli.screen import JsonOption, LangOption, Screen

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Override a setting; may be repeated."),
]


def settings_of(given: Sequence[str] | None) -> dict[str, Any]:
    """Settings from `name=value` texts; a value is read as JSON where it is some.

    >>> settings_of(["size=19", "opening=swap2", "overline=null"])
    {'size': 19, 'opening': 'swap2', 'overline': None}
    """
    settings: dict[str, Any] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise CommandError(f"--set {text}: write NAME=VALUE, such as --set size=19")
        try:
            settings[name.strip()] = json.loads(value)
        except json.JSONDecodeError:
            settings[name.strip()] = value.strip()
    return settings


def games(
    pattern: Annotated[
        str, typer.Argument(help="Only rulebooks that match, such as 'gomoku/*', or a game's name.")
    ] = "*",
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """List the games and their rulebooks."""
    from arena.games import family, family_named, no_rulebook, rulebooks

    named = family_named(pattern)
    names = rulebooks(pattern if named is None else f"{named.id}/*") or rulebooks(f"{pattern}/*")
    if not names:
        raise CommandError(no_rulebook(pattern))
    screen = Screen(lang, as_json)
    found = [(family(name.partition("/")[0]), name.partition("/")[2]) for name in names]
    if screen.as_json:
        families = {f.id: f for f, _ in found}
        screen.document(
            [
                {
                    "game": f.id,
                    "names": {"en": f.names.en, "zh": f.names.zh},
                    "seats": list(f.seats),
                    "full_information": f.full_information,
                    "reference_engines": list(f.rungs),
                    "rulebooks": [
                        {
                            "name": f"{f.id}/{book}",
                            "names": {"en": b.names.en, "zh": b.names.zh},
                            "seats": b.rules.seat_count(),
                            "source": b.source,
                            "note": b.note,
                        }
                        for book, b in f.rulebooks.items()
                        if f"{f.id}/{book}" in names
                    ],
                }
                for f in families.values()
            ]
        )
        return
    books = [(f"{f.id}/{book}", f.rulebooks[book]) for f, book in found]
    screen.table(
        screen.say("Rulebooks", "规则集"),
        (screen.say("Rulebook", "规则集"), screen.say("Seats", "座位"), screen.say("Name", "名称")),
        [(name, str(b.rules.seat_count()), screen.name(b.names)) for name, b in books],
        right=(1,),
    )
    for f in {f.id: f for f, _ in found}.values():
        engines = ", ".join(f.rungs)
        screen.line(
            screen.say(
                f"{f.names.en}: reference engines, weakest first: {engines}",
                f"{f.names.zh}：参考引擎（由弱到强）：{engines}",
            )
        )
    screen.line(
        screen.say(
            "Every setting of one: arena rules RULEBOOK", "查看全部设置：arena rules RULEBOOK"
        )
    )


def rules(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", help="Such as gomoku/renju_rif; see `arena games`.")
    ],
    setting: SetOption = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of the game's settings.")
    ] = False,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Print every setting of a rulebook: value, meaning, source, difference from the default."""
    from arena.games import game
    from arena.games.suggest import valid_values

    screen = Screen(lang, as_json)
    made = game(rulebook, **settings_of(setting))
    if schema:
        screen.document(type(made.rules).model_json_schema())
        return
    book = made.family.rulebooks[made.rulebook]
    properties: Mapping[str, Any] = type(made.rules).model_json_schema()
    defaults = type(made.rules)().settings()
    rows = []
    for name, value in made.rules.settings().items():
        spec = properties["properties"][name]
        overridden = name in made.overrides
        rows.append(
            {
                "name": name,
                "value": value,
                "default": defaults[name],
                "changed": value != defaults[name],
                "overridden": overridden,
                "meaning": {"en": spec.get("description", ""), "zh": spec.get("zh", "")},
                "valid": valid_values(spec, properties.get("$defs", {})),
                "source": "" if overridden else book.sources.get(name, ""),
            }
        )
    if screen.as_json:
        screen.document(
            {
                "rulebook": made.name,
                "label": made.label,
                "names": {"en": book.names.en, "zh": book.names.zh},
                "source": book.source,
                "note": book.note,
                "digest": made.rules.digest,
                "seats": made.seats,
                "settings": rows,
            }
        )
        return
    screen.line(f"{made.label}  {book.names.en}  {book.names.zh}")
    screen.line(screen.say("source: ", "出处：") + book.source)
    if book.note:
        screen.line(book.note)
    changed = sum(1 for row in rows if row["changed"])
    screen.line(
        screen.say(
            f"{len(rows)} settings, {changed} differ from the default (marked *); "
            f"{made.seats} seats; digest {made.rules.digest}",
            f"共 {len(rows)} 项设置，{changed} 项与默认值不同（标 *）；"
            f"{made.seats} 个座位；摘要 {made.rules.digest}",
        )
    )
    for row in rows:
        screen.line()
        _print_setting(screen, row)


def _print_setting(screen: Screen, row: Mapping[str, Any]) -> None:
    """One setting: name, value and default, then what it means at the width of the screen."""
    from arena.games.suggest import plain

    value, default = plain(row["value"]), plain(row["default"])
    mark = "*" if row["changed"] else " "
    usual = screen.say(f"  (default: {default})", f"（默认值：{default}）")
    screen.line(f"{mark} {row['name']} = {value}{usual if row['changed'] else ''}")
    meaning = [row["meaning"]["zh"], row["meaning"]["en"]]
    lines = meaning if screen.zh else meaning[::-1]
    if row["valid"]:
        lines.append(screen.say("valid: ", "可取：") + row["valid"])
    if row["source"]:
        lines.append(screen.say("source: ", "出处：") + row["source"])
    if row["overridden"]:
        lines.append(screen.say("set by --set", "由 --set 指定"))
    for line in lines:
        if line:
            screen.paragraph(line, indent=4)
