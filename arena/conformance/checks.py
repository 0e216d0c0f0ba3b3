"""The checks themselves. Each returns what it saw, or raises CheckFailed or CheckSkipped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic_ns
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.conformance.findings import CheckFailed, CheckSkipped
from arena.conformance.positions import Position
from arena.conformance.session import Session
from arena.conformance.wire import WatchedCommand
from arena.games import Game
from arena.match.clock import Increment
from arena.players.fault import Fault
from arena.players.fitness import misdescribed
from arena.players.spec import EngineKind
from arena.protocol.v1 import bot_pb2

_GAMES_AT_ONCE = 64
_PLIES_AT_ONCE = 24
# Of slow bots.
_FEWEST_AT_ONCE = 8
_WHOLE_GAME = 400
_TIMED = 4
_OVER_THE_BREAK = 8
# A stranger's name, for messages about games that the bot does not know.
_NOBODY = "check-nobody"


@dataclass(frozen=True, slots=True)
class Check:
    """A named check over all of a bot's games; what holds is the first line of `run`'s docstring."""

    name: str
    run: Callable[[Session], Awaitable[str]]
    needed: bool = False
    """Where it fails, no other check can say anything."""


def told(fault: Fault) -> str:
    """A fault in one line."""
    return f"{fault.kind.value}: {fault.detail}"


def _must(holds: bool, message: str) -> None:
    if not holds:
        raise CheckFailed(message)


async def describe(session: Session) -> str:
    """What the bot says of itself fits what there is."""
    said = session.player.description
    wrong = misdescribed(said)
    if wrong is not None:
        raise CheckFailed(wrong[1])
    _must(bool(session.games), "none of the rulebooks to be checked fits what it declares")
    room = said.max_parallel_games or "any number of"
    return f"{said.name} {said.version}: {len(session.games)} rulebooks, {room} games at once"


async def health(session: Session) -> str:
    """The standard health service answers SERVING."""
    if session.spec.kind is EngineKind.DIAL_IN:
        raise CheckSkipped("it dials in: there is nothing to ask it by")
    address = await session.player.reach()
    async with grpc.aio.insecure_channel(
        address, options=[("grpc.enable_http_proxy", 0)]
    ) as channel:
        # The package ships no types; its attributes are set when the stub is made.
        stub: Any = health_pb2_grpc.HealthStub(channel)
        limit_s = session.policy.connect_ms / 1000
        try:
            said = await stub.Check(health_pb2.HealthCheckRequest(), timeout=limit_s)
        except grpc.aio.AioRpcError as error:
            raise CheckFailed(
                f"grpc.health.v1.Health/Check answered {error.code().name}: {error.details()}"
            ) from None
    name: str = health_pb2.HealthCheckResponse.ServingStatus.Name(said.status)
    _must(name == "SERVING", f"the overall status is {name}, not SERVING")
    return name


async def ping(session: Session) -> str:
    """Each ping is answered by a pong with its number, in time."""
    took = await _ping(session, 10_001)
    if not session.player.description.answers_pings_while_thinking:
        return f"{took:.0f} ms"
    positions = session.all_positions()[: session.batch]
    probes = [session.probe(position) for position in positions]
    try:
        session.ask([(probe, probe.turn(session.limit_for(len(probes)))) for probe in probes])
        busy = await _ping(session, 10_002)
        await session.answers(probes)
    finally:
        session.end(probes)
    return f"{took:.0f} ms; {busy:.0f} ms while it thinks"


async def _ping(session: Session, number: int) -> float:
    wire = session.player.wire
    assert wire.call is not None
    began = monotonic_ns()
    await wire.call.write(bot_pb2.PlayRequest(ping=bot_pb2.Ping(number=number)))
    # Two limits: the arena asks after one of silence and waits for another.
    limit_s = 2 * session.policy.ping_ms / 1000
    came = await wire.until(
        lambda: any(each.pong.number == number for each in wire.responses()), limit_s
    )
    if not came:
        pongs = [each.pong.number for each in wire.responses() if each.HasField("pong")]
        seen = f"; numbers that came: {', '.join(map(str, pongs))}" if pongs else ""
        raise CheckFailed(f"no pong {number} within {limit_s * 1000:.0f} ms{seen}")
    return (monotonic_ns() - began) / 1e6


async def new_game(session: Session) -> str:
    """A bot that wants to be told of games says that it is ready for them."""
    if not session.player.description.wants_new_game:
        raise CheckSkipped("it does not ask to be told of new games")
    wire = session.player.wire
    probe = session.probe(session.all_positions()[0])
    began = monotonic_ns()

    def begun() -> bool:
        return (probe.game_id, 1) in wire.written or probe.settled

    try:
        session.ask([(probe, probe.turn(session.limit_for(1)))])
        await wire.until(begun, session.policy.new_game_ms / 1000 + 1)
        took_ms = (monotonic_ns() - began) / 1e6
        # What it plays is another check's; but it shall have time to think of it.
        await wire.until(lambda: probe.settled, session.late_s(1))
    finally:
        session.end([probe])
    if (probe.game_id, 1) not in wire.written:
        raise CheckFailed(probe.trouble or "not ready for the game", [probe.game_id])
    if wire.losses:
        await session.renew()  # it broke over the move
    return f"ready after {took_ms:.0f} ms"


async def moves(session: Session, game: Game) -> str:
    """A legal answer in time in every phase and for every kind of move that random play meets."""
    chosen = session.positions[game]
    for position in chosen:
        (probe,) = await session.put([position])
        session.slowest_ms = max(session.slowest_ms, probe.spent_ms)
    phases = ", ".join(dict.fromkeys(p.phase for p in chosen if p.phase))
    kinds = ", ".join(sorted({kind for position in chosen for kind in position.kinds}))
    told = f"phases {phases}; " if phases else ""
    return f"{len(chosen)} positions; {told}moves {kinds}"


async def batch(session: Session) -> str:
    """Many turns in one message, under different rules, each get their own answer."""
    size = session.batch
    if size < 2:
        raise CheckSkipped("it takes one turn at a time")
    found = session.all_positions()
    chosen = [found[number % len(found)] for number in range(size)]
    probes = await session.put(chosen)
    most = max(len(request.turns) for request in session.player.wire.requests())
    _must(most > 1, "the turns went out one by one")
    rules = len({probe.game for probe in probes})
    return f"{size} turns under {rules} rulebooks, {most} in one message"


async def at_once(session: Session) -> str:
    """Many games go on at the same time, the bot in one seat or in all of them."""
    moves_in_all = session.affordable(2 * _FEWEST_AT_ONCE, _GAMES_AT_ONCE * _PLIES_AT_ONCE)
    wanted = max(_FEWEST_AT_ONCE, min(_GAMES_AT_ONCE, moves_in_all // 2))
    count = min(wanted, session.room or wanted)
    if count < 2:
        raise CheckSkipped("it plays one game at a time")
    seatings = []
    for number in range(count):
        game = session.games[number % len(session.games)]
        every = tuple(range(game.seats))
        seatings.append((game, every if number % 4 == 3 else (number % game.seats,)))
    plies = min(_PLIES_AT_ONCE, max(2, moves_in_all // count))
    results = await session.play(seatings, plies)
    return f"{count} games, {sum(result.plies for result in results):,} moves"


async def whole_game(session: Session, game: Game) -> str:
    """A game from its first move to its end."""
    plies = session.affordable(game.seats, _WHOLE_GAME)
    (result,) = await session.play([(game, (0,))], plies)
    return f"{result.rulebook}: {result.plies} moves, {result.termination.name}"


async def repeated(session: Session) -> str:
    """A turn that is sent again is answered again, with its revision."""
    probe = session.probe(session.all_positions()[0])
    limit_ms = session.limit_for(2)
    try:
        session.ask([(probe, probe.turn(limit_ms, revision=7))])
        await session.answers([probe])
        # The answer was lost on its way: the same turn once more.
        session.ask([(probe, probe.turn(limit_ms, revision=7))])
        await session.answers([probe])
        # Twice in a row: one answer is enough, a second one is refused and does no harm.
        session.ask([(probe, probe.turn(limit_ms, revision=8)) for _ in range(2)])
        await session.answers([probe], ahead=1)
    finally:
        session.end([probe])
    await session.alive(ahead=1)
    return "answered each time"


async def stale(session: Session) -> str:
    """Of a game that has gone on, the newest turn is answered, with its own revision."""
    first, *rest = [p for p in session.all_positions() if p.game is session.games[0]]
    probe = session.probe((rest or [first])[-1])
    limit_ms = session.limit_for(2)
    wire = session.player.wire
    try:
        old = probe.turn(limit_ms, revision=3)
        session.ask([(probe, old)])
        await wire.until(lambda: (probe.game_id, 3) in wire.written, 1.0)
        if not old.done:
            session.player.withdraw(old)
        session.ask([(probe, probe.turn(limit_ms, revision=4))])
        await session.answers([probe], ahead=1)
    finally:
        session.end([probe])
    return "the newest revision is answered"


_NO_REFUSAL = "nothing: the conformance kit only tries what a refusal does to the bot"


async def refusals(session: Session) -> str:
    """Refused answers, whatever the reason, do not disturb a bot."""
    call = session.player.wire.call
    assert call is not None
    refused = [
        bot_pb2.Refusal(game=_NOBODY, revision=1, reason=reason, message=_NO_REFUSAL)
        for reason in bot_pb2.RefusalReason.values()
    ]
    await call.write(bot_pb2.PlayRequest(refusals=refused))
    await session.alive()
    return f"{len(refused)} of them"


async def asked_again(session: Session) -> str:
    """A turn that says why the last answer was refused, or that a draw is offered, is answered."""
    position = session.all_positions()[0]
    other = (position.seat + 1) % position.game.seats
    probe = session.probe(position)
    limit_ms = session.limit_for(1)
    try:
        session.ask([(probe, probe.turn(limit_ms, revision=1))])
        await session.answers([probe])
        session.ask([(probe, probe.turn(limit_ms, revision=2, refused="sent by the check"))])
        await session.answers([probe])
        session.ask([(probe, probe.turn(limit_ms, revision=3, draw_offers=(other,)))])
        await session.answers([probe])
    finally:
        session.end([probe])
    assert probe.answer is not None
    return "the draw is accepted" if probe.answer.accept_draw else "the draw is declined"


async def deadline(session: Session) -> str:
    """Under a clock, answers keep to what is left: half the limit of a move, and a fifth."""
    slowest = 0.0
    found = session.all_positions()
    for share in (2, 5):
        limit_ms = session.policy.move_ms // share
        clock = Increment(base_ms=limit_ms).start()
        for position in found[:: max(1, len(found) // _TIMED)][:_TIMED]:
            probe = session.probe(position)
            clocks = (clock,) * position.game.seats
            try:
                session.ask([(probe, probe.turn(limit_ms, clocks=clocks))])
                await session.answers([probe])
            finally:
                session.end([probe])
            slowest = max(slowest, probe.spent_ms / limit_ms)
    return f"at most {slowest * 100:.0f} % of the time"


async def large(session: Session) -> str:
    """A batch of the longest turns that random play comes to is taken in one message."""
    longest = sorted(session.all_positions(), key=_weight, reverse=True)[:1]
    await session.put(longest * session.batch)
    size = max(request.ByteSize() for request in session.player.wire.requests())
    return f"a message of {size / 1024:,.0f} KiB"


def _weight(position: Position) -> int:
    return position.size + sum(len(events) for events in position.events) * 40


async def game_over(session: Session) -> str:
    """A game that ends while the bot owes a move, or that it never heard of, does no harm."""
    wire = session.player.wire
    probe = session.probe(session.all_positions()[0])
    owed = probe.turn(session.limit_for(1))
    session.ask([(probe, owed)])
    await wire.until(lambda: (probe.game_id, 1) in wire.written, 1.0)
    owed.done = True
    session.end([probe])
    assert wire.call is not None
    nobody = bot_pb2.GameOver(game=_NOBODY, seats=[0], termination="timeout", culprit=0)
    await wire.call.write(bot_pb2.PlayRequest(game_overs=[nobody]))
    await session.alive(ahead=1)
    return "the next turn is answered"


async def reconnect(session: Session) -> str:
    """After a broken connection, turns that are sent again over a new stream are answered."""
    found = session.all_positions()
    count = min(_OVER_THE_BREAK, session.room or _OVER_THE_BREAK)
    probes = [session.probe(found[number % len(found)]) for number in range(count)]
    wire = session.player.wire
    # It may be thinking about the lost ones still.
    limit_ms = session.limit_for(2 * count)
    try:
        wire.cut_after_turns = True
        session.ask([(probe, probe.turn(limit_ms)) for probe in probes])
        await session.answers(probes, ahead=count)
    finally:
        wire.cut_after_turns = False
        session.end(probes)
    _must(wire.cuts == 1, "no turn went out over the stream that was to be cut")
    return f"{count} games went on over a new stream"


async def goodbye(session: Session) -> str:
    """The bot ends its side when the arena has said goodbye, and can be dialled again."""
    call = session.player.wire.call
    assert call is not None
    # Within one ping limit: after it, the client takes the silence for a lost connection.
    limit_s = session.policy.ping_ms / 1000
    await call.write(bot_pb2.PlayRequest(goodbye=bot_pb2.Goodbye(reason="sent by the check")))
    await call.done_writing()
    code = grpc.StatusCode.CANCELLED
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            code = await call.code()
    if code is grpc.StatusCode.CANCELLED:
        raise CheckFailed(
            f"the stream still stands {limit_s * 1000:.0f} ms after the goodbye and the end of "
            "the arena's side"
        )
    if code is not grpc.StatusCode.OK:
        raise CheckFailed(f"the stream ended with {code.name}: {await call.details()}; not OK")
    # The client takes it for a lost connection, and dials again.
    wire = session.player.wire
    await wire.until(lambda: wire.call is not call, session.policy.disconnect_grace_ms / 1000)
    await session.open()
    wire.losses.clear()
    await session.alive()
    return "the stream ended with OK; a new one was taken"


async def stop(session: Session) -> str:
    """A started program ends by itself when it is asked to."""
    player = session.player
    if not isinstance(player, WatchedCommand):
        raise CheckSkipped("only for programs that are started here")
    await session.renew()
    _must(player.exit_code != -9, "SIGTERM did not end it within a second: it had to be killed")
    return f"exit code {player.exit_code}"


FIRST = (
    Check("describe", describe, needed=True),
    Check("health", health),
    Check("new_game", new_game, needed=True),
)
"""Before the moves of each rulebook."""

THEN = (
    Check("ping", ping),
    Check("batch", batch),
    Check("at_once", at_once),
    Check("repeated", repeated),
    Check("stale", stale),
    Check("refusals", refusals),
    Check("asked_again", asked_again),
    Check("deadline", deadline),
    Check("large", large),
    Check("game_over", game_over),
    Check("reconnect", reconnect),
)
"""After them."""

LAST = (
    Check("goodbye", goodbye),
    Check("stop", stop),
)
"""After the whole games."""

MOVES = "moves"
"""Run once for each rulebook."""

WHOLE_GAME = "whole_game"
"""Run once for each family."""

NAMES = (
    "ready",
    *(check.name for check in FIRST),
    MOVES,
    *(check.name for check in THEN),
    WHOLE_GAME,
    *(check.name for check in LAST),
)
"""Of all checks, in the order in which they run."""
