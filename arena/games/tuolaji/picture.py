"""A hand as text for a terminal, trick by trick, and a table or trick as SVG."""

from __future__ import annotations

import math
from html import escape
from unicodedata import east_asian_width

from arena._core import State
from arena.games.contract import SPECTATOR, Game, Seat
from arena.games.tuolaji.notation import pip, pips, suit_name
from arena.games.tuolaji.observation import Cards, Observation, Play, Trick

_RED = ("♥", "♦")
_SIZE = 640
_CARD_W, _CARD_H = 30, 42


def draw_text(game: Game, state: State, viewer: Seat | None = None) -> str:
    """Tricks as a table, one column a seat, then every hand or the viewer's, and who is to act."""
    seen = Observation.from_json(state.observe(SPECTATOR))
    lines = [_headline(game, seen)]
    lines += [_call_line(call.seat, call.cards, call.count) for call in seen.calls]
    tricks = [*seen.tricks, *([seen.trick] if seen.trick and seen.trick.plays else [])]
    if tricks:
        lines.append("")
        lines += _table(game, tricks)
    lines.append("")
    for seat in range(game.seats):
        own = Observation.from_json(state.observe(seat))
        role = state.roles()[seat]
        hand = own.hand_cards
        shown = pips(hand) or "-" if viewer in (None, seat) else f"{len(hand)} cards"
        lines.append(f"seat {seat} ({role}): {shown}")
    acting = ", ".join(str(seat) for seat in sorted(state.seats_to_act()))
    lines.append(f"to act: seat {acting}" if acting else "over")
    return "\n".join(lines)


def draw_svg(game: Game, state: State) -> str:
    """The running trick (else the last one) on the table, all hands around it."""
    seen = Observation.from_json(state.observe(SPECTATOR))
    trick = seen.trick if seen.trick and seen.trick.plays else None
    if trick is None and seen.tricks:
        trick = seen.tricks[-1]
    parts = [_trick_parts(game.seats, trick)] if trick is not None else []
    for seat in range(game.seats):
        own = Observation.from_json(state.observe(seat))
        x, y = _place(game.seats, seat, 0.78)
        text = f"{seat} {state.roles()[seat]}: {pips(own.hand_cards)}"
        parts.append(_wrapped(text, x, y))
    return _svg(f"{game.label}, {_headline(game, seen)}", "\n".join(parts))


def draw_trick(game: Game, trick: Trick) -> str:
    """One trick as a self-contained SVG picture."""
    return _svg(f"{game.label}, trick led by seat {trick.leader}", _trick_parts(game.seats, trick))


def _headline(game: Game, seen: Observation) -> str:
    trump = "not known" if seen.trump is None else suit_name(seen.trump, False)
    dealer = "not known" if seen.dealer is None else f"seat {seen.dealer}"
    points = "-" if seen.points is None else str(seen.points)
    text = (
        f"hand {seen.hand + 1}, {seen.phase}, levels {seen.levels[0]}:{seen.levels[1]}, "
        f"dealer {dealer}, trump {trump}, attackers {points}"
    )
    if seen.result is not None:
        text += f", side {seen.result.winner} wins, gains {seen.result.gain}"
    return text


def _call_line(seat: Seat, cards: Cards | None, count: int) -> str:
    shown = f"{count} face down" if cards is None else pips(cards)
    return f"seat {seat} calls {shown}"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _cell(play: Play | None, lead: bool, won: bool) -> str:
    if play is None:
        return ""
    text = pips(play.cards)
    if play.thrown is not None:
        text += f" (of {pips(play.thrown)})"
    if play.reading is not None:
        text += f" ({play.reading})"
    if play.dead:
        text += " (dead)"
    return f"{'>' if lead else ' '}{text}{'*' if won else ''}"


def _table(game: Game, tricks: list[Trick]) -> list[str]:
    rows = [["", *(f"seat {seat}" for seat in range(game.seats)), "points"]]
    for number, trick in enumerate(tricks, 1):
        by_seat = {play.seat: play for play in trick.plays}
        cells = [
            _cell(by_seat.get(Seat(seat)), seat == trick.leader, seat == trick.winner)
            for seat in range(game.seats)
        ]
        rows.append([str(number), *cells, str(trick.points)])
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell + " " * (widths[i] - _width(cell)) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def _place(seats: int, seat: int, radius: float) -> tuple[float, float]:
    """Seat 0 at the bottom, the others counter-clockwise."""
    angle = math.pi / 2 - 2 * math.pi * seat / seats
    half = _SIZE / 2
    return half + radius * half * math.cos(angle), half + radius * half * math.sin(angle)


def _trick_parts(seats: int, trick: Trick) -> str:
    parts = []
    for play in trick.plays:
        x, y = _place(seats, play.seat, 0.42)
        step = min(_CARD_W * 0.62, 150 / max(1, len(play.cards)))
        left = x - (step * (len(play.cards) - 1) + _CARD_W) / 2
        if play.seat == trick.winner:
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y + 4:.1f}" r="52" fill="#f7d774" opacity="0.5"/>'
            )
        for number, card in enumerate(play.cards):
            parts.append(_card(card, left + step * number, y - _CARD_H / 2))
        mark = "lead" if play.seat == trick.leader else "dead" if play.dead else ""
        parts.append(
            f'<text x="{x:.1f}" y="{y + 40:.1f}" font-size="12" text-anchor="middle" '
            f'fill="#fff">{play.seat} {mark}</text>'
        )
    return "\n".join(parts)


def _card(card: str, x: float, y: float) -> str:
    text = pip(card)
    colour = "#c1121f" if text[0] in _RED or card == "BJ" else "#111"
    return (
        f'<g><rect x="{x:.1f}" y="{y:.1f}" width="{_CARD_W}" height="{_CARD_H}" rx="3" '
        f'fill="#fff" stroke="#333"/><text x="{x + 3:.1f}" y="{y + 14:.1f}" font-size="12" '
        f'font-family="sans-serif" fill="{colour}">{escape(text)}</text></g>'
    )


def _wrapped(text: str, x: float, y: float) -> str:
    """Lines of at most 44 characters around a point."""
    lines = [""]
    for word in text.split(" "):
        while len(word) > 44:
            lines += [word[:44], ""]
            word = word[44:]
        if len(lines[-1]) + len(word) > 44:
            lines.append("")
        lines[-1] += f"{word} "
    x = min(max(x, 150), _SIZE - 150)
    spans = "".join(
        f'<tspan x="{x:.1f}" dy="{0 if i == 0 else 13}">{escape(line.strip())}</tspan>'
        for i, line in enumerate(lines)
    )
    return (
        f'<text y="{y:.1f}" font-size="11" font-family="sans-serif" text-anchor="middle" '
        f'fill="#eee">{spans}</text>'
    )


def _svg(title: str, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="#24633f"/>\n{body}\n</svg>'
    )
