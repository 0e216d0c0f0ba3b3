"""`arena power`: questions to put to a ledger beyond its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandError
from arena.cli.results import GameOption, RulebooksOption, families_of, sweep_id_of
from arena.cli.screen import JsonOption, LangOption, Screen
from arena.cli.where import LedgerArgument, SweepOption, open_ledger

if TYPE_CHECKING:
    from arena.ratings.power import Pilot


def power(
    ledger: LedgerArgument = None,
    sweep: SweepOption = None,
    game: GameOption = None,
    rulebooks: RulebooksOption = "*",
    sd: Annotated[
        float | None,
        typer.Option(
            help="Standard deviation of a block's mean score, 0 to 0.5, instead of a pilot "
            "ledger: 0.5 for single games without draws, 0.2 to 0.35 for most pairs.",
            metavar="SHARE",
        ),
    ] = None,
    half_width: Annotated[
        float, typer.Option(help="Half of the 95 % interval, in per cent.", metavar="PERCENT")
    ] = 1.0,
    effect: Annotated[
        float, typer.Option(help="A difference that is to be seen.", metavar="ELO")
    ] = 10.0,
    margin: Annotated[
        float,
        typer.Option(help="What counts as balanced, as of `arena balance`.", metavar="PERCENT"),
    ] = 5.0,
    chance: Annotated[
        float, typer.Option(help="How surely it is to be seen, in per cent.", metavar="PERCENT")
    ] = 80.0,
    family: Annotated[
        int | None,
        typer.Option(help="Variants judged together. Default: those of the pilot.", metavar="N"),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Say how many blocks a question takes, from the spread of a pilot's blocks."""
    from arena.ratings.power import Question, blocks_for

    screen = Screen(lang, as_json)
    found = [] if sd is not None else _pilots(ledger, sweep, game, rulebooks)
    if sd is None and not found:
        raise CommandError("no cell has two blocks yet; give --sd instead of a pilot")
    rows: list[tuple[Pilot | None, float, int]] = (
        [(None, sd, 2)] if sd is not None else [(each, each.sd, each.cell.seats) for each in found]
    )
    answers = []
    for pilot, deviation, seats in rows:
        question = Question(
            half_width=half_width / 100,
            effect=effect,
            margin=margin / 100,
            power=chance / 100,
            claims=seats * (family or len(rows)),
        )
        answers.append((pilot, deviation, blocks_for(deviation, question)))
    if screen.as_json:
        screen.document(
            [
                {
                    "rulebook": pilot.cell.rulebook if pilot else None,
                    "level": pilot.cell.level if pilot else None,
                    "games_per_block": pilot.games if pilot else None,
                    "pilot_blocks": pilot.blocks if pilot else None,
                    "sd": deviation,
                    "pairing_gain": _gain(pilot),
                    "blocks": blocks,
                }
                for pilot, deviation, blocks in answers
            ]
        )
        return
    from arena.report.text import number

    screen.table(
        screen.say(
            f"Blocks for: ±{half_width:g} % of the points; {effect:g} Elo seen with "
            f"{chance:g} %; an even variant shown to be within ±{margin:g} %",
            f"所需组数：得分率 ±{half_width:g} %；以 {chance:g} % 的把握发现 {effect:g} 等级分；"
            f"证明平衡变体在 ±{margin:g} % 之内",
        ),
        (
            screen.say("Rulebook", "规则集"),
            screen.say("Strength", "棋力"),
            screen.say("Games a block", "每组局数"),
            screen.say("Blocks so far", "已有组数"),
            screen.say("Spread", "标准差"),
            screen.say("Half-width", "半宽"),
            screen.say("Effect", "差异"),
            screen.say("Sequential", "序贯检验"),
            screen.say("Balance", "平衡"),
        ),
        [
            (
                pilot.cell.rulebook if pilot else "–",
                pilot.cell.level if pilot else "–",
                number(pilot.games) if pilot else "–",
                number(pilot.blocks) if pilot else "–",
                number(deviation, 3),
                number(blocks.for_half_width),
                number(blocks.for_effect),
                number(blocks.by_sequential),
                number(blocks.for_balance),
            )
            for pilot, deviation, blocks in answers
        ],
        right=(2, 3, 4, 5, 6, 7, 8),
    )


def _gain(pilot: Pilot | None) -> float | None:
    return None if pilot is None or pilot.sd == 0 else (pilot.unpaired / pilot.sd) ** 2


def _pilots(where: str | None, sweep: str | None, game: str | None, rulebooks: str) -> list[Pilot]:
    from arena.ratings.power import pilots

    with open_ledger(where) as opened:
        sweep_id = sweep_id_of(opened, sweep)
        return [
            pilot
            for family in families_of(opened, sweep_id, game)
            for pilot in pilots(opened.table(sweep_id, family=family, rulebooks=rulebooks))
        ]
