"""`arena bot`: the tools of bot authors."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandError, ExitCode, write
from arena.cli.new_bot import Language, write_bot
from arena.cli.rules import SetOption, settings_of
from arena.cli.screen import JsonOption, LangOption, Screen, clean

if TYPE_CHECKING:
    from arena.conformance import Finding, Kit
    from arena.conformance.replay import Again
    from arena.games import Game
    from arena.players.spec import EngineSpec

_MOST_CHARS = 3_000
"""Of one message on the screen; JSON and JUnit hold all of it."""

_ADDRESS = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+):\d+")

app = typer.Typer(
    help="Tools for bot authors; docs/bot-authors.md tells the whole way.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

BotArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOT", help="host:port, or a command that starts it, such as './mybot --fast'."
    ),
]


def reached(text: str) -> EngineSpec:
    """An engine from its text, in which an address may go without ``grpc://``."""
    from arena.players.spec import EngineSpec

    return EngineSpec.parse(_spelled_out(text))


def _spelled_out(text: str) -> str:
    return f"grpc://{text}" if _ADDRESS.fullmatch(text) else text


@app.command("new", short_help="Write a complete bot to start from.")
def new(
    language: Annotated[
        Language, typer.Argument(metavar="|".join(Language), help="What it is written in.")
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder; names the bot.")],
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Write a complete bot that plays every game, badly: choosing moves is yours to write."""
    screen = Screen(lang, as_json)
    written = write_bot(language, folder)
    if screen.as_json:
        screen.document({"folder": folder, "files": written})
        return
    for path in written:
        screen.line(clean(str(path)))
    readme = clean(str(folder / "README.md"))
    screen.line(screen.say(f"how to go on: {readme}", f"下一步：{readme}"))


@app.command("check", short_help="Say whether a bot keeps the protocol.")
def check(
    bot: BotArgument,
    games: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Only these of the rulebooks it declares; repeatable."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--check", metavar="NAME", help="Only this check; repeatable."),
    ] = None,
    move_ms: Annotated[int, typer.Option(min=20, help="Time for a move, in milliseconds.")] = 1_000,
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="Start the program in a box: no network, no files.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the findings as JUnit XML, too.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Check a bot in every game that it declares; exit code 3 where it does not pass."""
    from arena.conformance import Kit, Outcome
    from arena.conformance import junit as written
    from arena.conformance.checks import NAMES
    from arena.conformance.kit import POLICY
    from arena.games import no_rulebook, rulebooks
    from arena.players.sandbox import Sandbox
    from arena.players.spec import EngineKind

    screen = Screen(lang, as_json)
    names: list[str] = []
    for glob in games or ["*"]:
        found = rulebooks(glob) or rulebooks(f"{glob}/*")
        if not found:
            raise CommandError(no_rulebook(glob))
        names += [name for name in found if name not in names]
    for name in only or ():
        if name not in NAMES:
            raise CommandError(f"no check '{name}'; there are {', '.join(NAMES)}")
    policy = POLICY.model_copy(update={"move_ms": move_ms})
    spec = reached(bot)
    if sandbox:
        if spec.kind is not EngineKind.COMMAND:
            raise CommandError(f"--sandbox: {bot} is not started here; only a command is")
        spec = replace(spec, sandbox=Sandbox())
    kit = Kit(spec, names, policy, only or ())
    findings = asyncio.run(_run(screen, kit))
    passed = all(finding.outcome is not Outcome.FAILED for finding in findings)
    if junit is not None:
        write(junit, written(findings, bot))
    if screen.as_json:
        screen.document({"bot": bot, "passed": passed, "findings": findings})
    else:
        screen.line(_summary(screen, findings))
    return ExitCode.OK if passed else ExitCode.FAULTS


async def _run(screen: Screen, kit: Kit) -> list[Finding]:
    findings = []
    async for finding in kit.run():
        findings.append(finding)
        if not screen.as_json:
            _show(screen, finding)
    return findings


def _show(screen: Screen, finding: Finding) -> None:
    from arena.conformance import Outcome

    word = {
        Outcome.PASSED: screen.say("ok  ", "通过"),
        Outcome.FAILED: screen.say("FAIL", "失败"),
        Outcome.SKIPPED: screen.say("skip", "跳过"),
    }[finding.outcome]
    detail = finding.detail
    first, *more = detail.splitlines() or [""]
    screen.line(f"{word}  {finding.name:<46} {clean(first)}".rstrip())
    for line in more:
        screen.line(f"        {clean(line)}")
    for line in finding.exchange:
        cut = f" … ({len(line):,})" if len(line) > _MOST_CHARS else ""
        screen.line(f"      {clean(line[:_MOST_CHARS])}{cut}")


def _summary(screen: Screen, findings: Sequence[Finding]) -> str:
    from arena.conformance import Outcome

    count = {outcome: sum(f.outcome is outcome for f in findings) for outcome in Outcome}
    seconds = sum(finding.seconds for finding in findings)
    ok, bad, left = (count[o] for o in (Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED))
    return screen.say(
        f"{ok} passed, {bad} failed, {left} skipped in {seconds:.1f} s",
        f"通过 {ok}，失败 {bad}，跳过 {left}，用时 {seconds:.1f} 秒",
    )


@app.command("play", short_help="Play one game against a reference engine.")
def play(
    bot: BotArgument,
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", help="Such as gomoku/renju_rif; see `arena games`.")
    ],
    against: Annotated[
        str | None,
        typer.Option(metavar="ENGINE", help="In all other seats. Default: the weakest reference."),
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="Where the bot sits.")] = 0,
    setting: SetOption = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Seed of the deal and of the engines.")
    ] = 0,
    save: Annotated[Path | None, typer.Option(help="Write the record as JSON.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Draw the last position only.")] = False,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Play one game of a bot, move by move with the board; exit code 3 where a fault ends it.

    `arena play` gives each seat an engine of its own.
    """
    from arena.cli.play import play_and_show
    from arena.games import game

    made = game(rulebook, **settings_of(setting))
    if seat >= made.seats:
        raise CommandError(f"--seat {seat}: {made.label} has seats 0 to {made.seats - 1}")
    texts = [_spelled_out(against or made.family.rungs[0])] * made.seats
    texts[seat] = _spelled_out(bot)
    play_and_show(Screen(lang, as_json), made, texts, seed, None, save, quiet)


@app.command("replay", short_help="Ask a bot for the moves of a kept game.")
def replay(
    game: Annotated[
        str, typer.Argument(metavar="GAME_ID|RECORD.json", help="A game of a ledger, or a file.")
    ],
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="host:port, a command, or any other engine.")
    ],
    ledger: Annotated[
        str | None, typer.Option(help="The ledger of a game id. Default: the only one in runs/.")
    ] = None,
    seat: Annotated[
        list[int] | None, typer.Option(min=0, help="Only turns of this seat; repeatable.")
    ] = None,
    ply: Annotated[
        list[int] | None,
        typer.Option(
            min=0, help="Only the turn after this many moves, with the board; repeatable."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed that the bot is told.")] = 0,
    move_ms: Annotated[
        int, typer.Option(min=20, help="Time for a move, in milliseconds.")
    ] = 60_000,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Put the turns of a kept game to a bot, and print its answers beside what was played.

    The bot is told what the seat was told then, but for its clock and its seed, which a record
    does not hold. Exit code 3 where an answer is illegal or does not come.
    """
    from arena.cli.look import check_record, find_record
    from arena.report.replay import game_of

    screen = Screen(lang, as_json)
    record, _ = find_record(game, ledger)
    made = game_of(record)
    check_record(made, record, game)
    for wanted in seat or ():
        if wanted >= made.seats:
            raise CommandError(f"--seat {wanted}: {made.label} has seats 0 to {made.seats - 1}")
    for wanted in ply or ():
        if wanted >= len(record.moves):
            raise CommandError(f"--ply {wanted}: the game has {len(record.moves)} moves")

    async def run() -> list[Again]:
        from arena.conformance.replay import replay as turns_again
        from arena.match.policy import MatchPolicy

        # Such as a command needs that starts an interpreter.
        policy = MatchPolicy(connect_ms=10_000, move_ms=move_ms)
        answers = []
        asked = turns_again(reached(bot), made, record, seat or (), ply or (), policy, seed)
        async for again in asked:
            answers.append(again)
            if not screen.as_json:
                _show_again(screen, made, again, with_board=bool(ply))
        return answers

    answers = asyncio.run(run())
    same = sum(again.same for again in answers)
    if screen.as_json:
        screen.document({"game": made.label, "bot": bot, "turns": [_told(a) for a in answers]})
    else:
        screen.line(
            screen.say(
                f"{len(answers)} turns, {same} answered as recorded",
                f"{len(answers)} 手，{same} 手与棋谱相同",
            )
        )
    return ExitCode.FAULTS if any(again.trouble for again in answers) else ExitCode.OK


def _show_again(screen: Screen, game: Game, again: Again, with_board: bool) -> None:
    if with_board:
        screen.line(game.family.draw_text(game, again.position.state))
    who = screen.say(f"seat {again.position.seat}", f"座位 {again.position.seat}")
    mark = screen.say("same", "相同") if again.same else screen.say("differs", "不同")
    if again.trouble:
        mark = again.trouble
    answer = _answered(again)
    parts = [f"{again.ply}. {who}: {again.recorded} | {answer}", mark, f"{again.spent_ms:.0f} ms"]
    if again.answer is not None:
        if again.answer.value is not None:
            parts.append(
                screen.say(f"value {again.answer.value:.3f}", f"估值 {again.answer.value:.3f}")
            )
        if again.answer.comment:
            parts.append(again.answer.comment)
    screen.line(clean("  ".join(parts)))


def _answered(again: Again) -> str:
    answer = again.answer
    if answer is None:
        return "-"
    words = [answer.move] if answer.move else []
    words += [w for w, said in (("resign", answer.resign), ("draw", answer.offer_draw)) if said]
    return " ".join(words) or "-"


def _told(again: Again) -> dict[str, object]:
    position = again.position
    return {
        "ply": again.ply,
        "seat": position.seat,
        "observation": position.state.observe(position.seat),
        "recorded": again.recorded,
        "answer": again.answer,
        "same": again.same,
        "trouble": again.trouble,
        "ms": again.spent_ms,
    }
