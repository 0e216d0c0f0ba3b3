"""A deal as text for a terminal and as SVG.

The rules know no suits. Pictures give them out: the cards of a rank are spades, hearts, clubs and
diamonds in the order of the hands they were dealt to, the kitty last, and a seat plays its cards
of a rank in that order. So a card keeps its suit through the deal.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from arena._core import State
from arena.games.contract import SPECTATOR, Game, Seat
from arena.games.doudizhu.notation import RANKS, spoken
from arena.games.doudizhu.observation import Observation

_SUITS = "♠♥♣♦"
_WIDTH, _ROW = 680, 92
_CARD_W, _CARD_H, _STEP = 30, 44, 24


def draw_text(game: Game, state: State, viewer: Seat | None = None) -> str:
    """Calls, plays three to a line, every hand or that of the viewer, and who is to act."""
    seen = Observation.from_json(state.observe(SPECTATOR))
    lines = [_headline(seen)]
    if seen.calls:
        lines.append("calls: " + ", ".join(f"{call.seat} {call.call}" for call in seen.calls))
    row: list[str] = []
    for play in seen.plays:
        row.append(f"{play.seat}: {play.cards or '-'}")
        if len(row) == game.seats:
            lines.append("  ".join(f"{cell:<22}" for cell in row).rstrip())
            row = []
    if row:
        lines.append("  ".join(f"{cell:<22}" for cell in row).rstrip())
    for seat, hand in enumerate(_hands(game, state)):
        shown = hand or "-" if viewer in (None, seat) else f"{len(hand)} cards"
        lines.append(f"seat {seat} ({state.roles()[seat]}): {shown}")
    lines.append("over" if seen.seat_to_act is None else f"to act: seat {seen.seat_to_act}")
    return "\n".join(lines)


def draw_svg(game: Game, state: State) -> str:
    """Every hand in a row, with the last play of its seat above the next one."""
    seen = Observation.from_json(state.observe(SPECTATOR))
    hands = _hands(game, state)
    given = _given(seen, hands)
    parts = []
    for seat, hand in enumerate(hands):
        top = 40 + seat * 2 * _ROW
        mark = " ◀" if seat == seen.seat_to_act else ""
        parts.append(_label(f"{seat} {state.roles()[seat]}{mark}", top))
        gone = Counter[str]()
        last: list[str] = []
        for play in seen.plays:
            if play.seat == seat:
                last = [given[seat][rank][gone[rank] + i] for rank, i in _numbered(play.cards)]
                gone.update(play.cards)
        parts += _cards([given[seat][rank][gone[rank] + i] for rank, i in _numbered(hand)], top + 8)
        parts += _cards(last, top + 8 + _ROW - 28, indent=150)
    height = 40 + 2 * _ROW * game.seats
    title = f"{game.label}, {_headline(seen)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{_WIDTH}" height="{height}" fill="#24633f"/>\n'
        + _label(_headline(seen), 20)
        + "\n".join(parts)
        + "\n</svg>"
    )


def _headline(seen: Observation) -> str:
    text = f"{seen.phase}, deal {seen.deal + 1}"
    if seen.landlord is not None:
        text += f", landlord seat {seen.landlord}, base {seen.base} x {seen.times}"
        text += f", kitty {spoken(seen.kitty or '')}"
    if seen.result is not None:
        spring = ", spring" if seen.result.spring else ""
        text += f", {seen.result.winner} win{spring}, points {list(seen.result.points)}"
    return text


def _hands(game: Game, state: State) -> list[str]:
    return [Observation.from_json(state.observe(Seat(seat))).hand for seat in range(game.seats)]


def _numbered(cards: str) -> list[tuple[str, int]]:
    """Each card with its number among its equals: 334 to (3, 0) (3, 1) (4, 0)."""
    return [(rank, cards[:at].count(rank)) for at, rank in enumerate(cards)]


def _given(seen: Observation, hands: list[str]) -> list[dict[str, list[str]]]:
    """Cards with suits by seat and rank, those played first."""
    owned = [Counter(hand) for hand in hands]
    for play in seen.plays:
        owned[play.seat].update(play.cards)
    kitty = Counter(seen.kitty or "")
    if seen.landlord is not None:
        kitty &= owned[seen.landlord]
        owned[seen.landlord] -= kitty
    given: list[dict[str, list[str]]] = [{rank: [] for rank in RANKS} for _ in hands]
    for rank in RANKS:
        suits = iter([""] if rank in "BR" else _SUITS)
        for seat, cards in enumerate(owned):
            given[seat][rank] += [next(suits) + rank for _ in range(cards[rank])]
        if seen.landlord is not None:
            given[seen.landlord][rank] += [next(suits) + rank for _ in range(kitty[rank])]
    return given


def _label(text: str, y: float) -> str:
    return (
        f'<text x="14" y="{y:.0f}" font-size="13" font-family="sans-serif" fill="#fff">'
        f"{escape(text)}</text>\n"
    )


def _cards(cards: list[str], y: float, indent: int = 14) -> list[str]:
    parts = []
    for number, card in enumerate(cards):
        x = indent + number * _STEP
        red = card[0] in "♥♦R"
        text = {"B": "sj", "R": "BJ"}.get(card, card.replace("T", "10"))
        parts.append(
            f'<g><rect x="{x}" y="{y:.0f}" width="{_CARD_W}" height="{_CARD_H}" rx="3" fill="#fff" '
            f'stroke="#333"/><text x="{x + 3}" y="{y + 14:.0f}" font-size="12" '
            f'font-family="sans-serif" fill="{"#c1121f" if red else "#111"}">{escape(text)}</text>'
            "</g>"
        )
    return parts
