"""Numbers as readers see them: fixed digits, a true minus, ∞ where there is no bound."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.balance import Balance, Correction, Verdict
from arena.games import Names, RulesError, family
from arena.ratings import DrawLaw, Interval

_ROLES = {
    "black": "黑方",
    "white": "白方",
    "first": "第一家",
    "second": "第二家",
    "third": "第三家",
    "fourth": "第四家",
    "fifth": "第五家",
    "sixth": "第六家",
    "red": "红方",
    "dealer": "庄家",
    "partner": "庄家对家",
    "attacker": "闲家",
    "landlord": "地主",
    "first peasant": "下家农民",
    "second peasant": "上家农民",
    "player": "未定",
}

_PARTIES = {frozenset({"first peasant", "second peasant"}): Names("peasants", "农民")}
"""Parties that have a name of their own."""

MINUS = "\N{MINUS SIGN}"


def role_names(role: str) -> Names:
    """A role, or "seat 0", or "side 0", in both languages; one that is not known here stays as it is."""
    kind, _, at = role.partition(" ")
    if at.isdigit() and kind in ("side", "seat"):
        return Names(role, f"第 {at} 方" if kind == "side" else f"座位 {at}")
    return Names(role, _ROLES.get(role, role))


def party_names(roles: Sequence[str]) -> Names:
    """Roles that play together, or seats: "dealer + partner"."""
    if known := _PARTIES.get(frozenset(roles)):
        return known
    names = [role_names(role) for role in roles]
    return Names(" + ".join(each.en for each in names), "＋".join(each.zh for each in names))


@dataclass(frozen=True, slots=True)
class ShownMeasure:
    """How a measure is printed."""

    names: Names
    share: bool
    digits: int

    def text(self, interval: Interval) -> str:
        """The value with its interval."""
        return share_interval(interval) if self.share else plain_interval(interval, self.digits)


def measure_of(family_id: str, name: str) -> ShownMeasure:
    """The measure of a family, or whose points stand for one: a seat's, a side's. One that this build
    does not know keeps its plain name."""
    try:
        known = family(family_id).measures.get(name)
    except RulesError:
        known = None
    if known is None:
        return ShownMeasure(party_names(name.split(" + ")), share=False, digits=2)
    return ShownMeasure(known.names, known.share, known.digits)


_VERDICTS = {
    Balance.BALANCED: Names("balanced", "平衡"),
    Balance.UNDECIDED: Names("undecided", "未定"),
    Balance.MIXED: Names("no balance measured", "未测平衡"),
    Balance.HIDDEN: Names("says nothing", "无从判断"),
}

_LAWS = {
    DrawLaw.DAVIDSON: Names("Davidson's law of draws", "戴维森和棋模型"),
    DrawLaw.RAO_KUPPER: Names("Rao and Kupper's law of draws", "拉奥–库珀和棋模型"),
}

_CORRECTIONS = {
    Correction.HOLM: Names("Holm, any false claim 5 %", "Holm 校正，任一误判 5 %"),
    Correction.MAX_T: Names("max-T, any false claim 5 %", "max-T 校正，任一误判 5 %"),
    Correction.BH: Names("Benjamini–Hochberg, false share 5 %", "BH 校正，误判比例 5 %"),
    Correction.BY: Names("Benjamini–Yekutieli, false share 5 %", "BY 校正，误判比例 5 %"),
}


def law_names(law: DrawLaw) -> Names:
    """A law of draws in both languages."""
    return _LAWS[law]


def verdict_names(verdict: Verdict) -> Names:
    """A verdict in both languages."""
    if verdict.balance is Balance.FAVOURS and verdict.party is not None:
        party = party_names(verdict.party)
        return Names(f"favours {party.en}", f"利于{party.zh}")
    if verdict.balance is Balance.FAVOURS:
        return Names(f"favours seat {verdict.seat}", f"利于座位 {verdict.seat}")
    return _VERDICTS[verdict.balance]


def family_names(verdict: Verdict) -> Names:
    """What a table's verdicts are held against: margin, correction, size of the family."""
    how = _CORRECTIONS[verdict.correction]
    low, high = (percent(0.5 + sign * verdict.margin) for sign in (-1, 1))
    return Names(
        f"Verdicts: balanced is {low} to {high} for every seat, or every side of partners, shown "
        "by two one-sided tests; "
        f"a family of {verdict.family} variants is judged together ({how.en}).",
        f"判定：每个座位（有搭档者为每一方）得分率在 {low} 至 {high} 之间为平衡（双单侧检验）；"
        f"共 {verdict.family} 个变体一并判定（{how.zh}）。",
    )


def number(value: float, digits: int = 0, sign: bool = False) -> str:
    """A number with thousands separated; never "-0".

    >>> number(-12.345, 1), number(-0.04, 1, sign=True), number(float("inf"))
    ('−12.3', '0.0', '∞')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{abs(value):,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        return text
    return (MINUS if value < 0 else "+" if sign else "") + text


def chance(p_value: float) -> str:
    """A p-value after "p": one too small for its digits as a bound.

    >>> chance(0.0412), chance(0.00002)
    ('= 0.041', '< 0.001')
    """
    return "< 0.001" if p_value < 0.001 else f"= {number(p_value, 3)}"


def percent(share: float, digits: int = 1) -> str:
    """A share of 1 as per cent.

    >>> percent(0.5231)
    '52.3 %'
    """
    return f"{number(100 * share, digits)} %"


def elo(value: float) -> str:
    """An Elo difference, signed, whole."""
    return number(value, 0, sign=True)


def elo_range(low: float, high: float) -> str:
    """An interval of Elo."""
    return f"{elo(low)} … {elo(high)}"


def elo_interval(interval: Interval) -> str:
    """A value with its interval: "+12 [−3 … +27]"."""
    return f"{elo(interval.value)} [{elo_range(interval.low, interval.high)}]"


def share_interval(interval: Interval) -> str:
    """A share with its interval: "52.3 % [50.1 … 54.4]"."""
    low, high = number(100 * interval.low, 1), number(100 * interval.high, 1)
    return f"{percent(interval.value)} [{low} … {high}]"


def gain_interval(interval: Interval) -> str:
    """What is added to a share, with its interval: "+1.8 % [+1.1 … +2.5]"."""
    value, low, high = (
        number(100 * each, 1, sign=True) for each in (interval.value, interval.low, interval.high)
    )
    return f"{value} % [{low} … {high}]"


def plain_interval(interval: Interval, digits: int = 1) -> str:
    """Any number with its interval."""
    low, high = number(interval.low, digits), number(interval.high, digits)
    return f"{number(interval.value, digits)} [{low} … {high}]"
