"""Words of events in both languages, and their points."""

from __future__ import annotations

from arena.games import Names

FORMATS = {
    "round_robin": Names("Round robin", "循环赛"),
    "gauntlet": Names("Gauntlet", "擂台赛"),
    "swiss": Names("Swiss", "瑞士制（积分编排）"),
    "groups": Names("Groups", "分组循环"),
    "knockout": Names("Knock-out", "淘汰赛"),
    "double_elimination": Names("Double elimination", "双败淘汰赛"),
    "tables": Names("Knock-out tables", "分桌淘汰赛"),
}

TIEBREAKS = {
    "direct": Names("Direct", "直接胜负"),
    "wins": Names("Wins", "胜场"),
    "wins_second": Names("Wins 2nd", "后手胜"),
    "seconds": Names("2nd seats", "后手数"),
    "buchholz": Names("Buch", "对手分"),
    "buchholz_cut_1": Names("Buch-1", "对手分去低"),
    "buchholz_median": Names("Buch-M", "对手分去高低"),
    "sonneborn_berger": Names("SB", "索伯分"),
    "koya": Names("Koya", "对强者分"),
    "progressive": Names("Prog", "累进分"),
    "difference": Names("Diff", "净胜"),
    "total": Names("Small", "小分"),
    "round_points": Names("R pts", "轮分"),
    "round_difference": Names("R diff", "轮差"),
    "round_total": Names("R small", "轮小分"),
    "number": Names("No.", "号"),
    "lot": Names("Lot", "签"),
}

DECIDED = {
    "lots": Names("by lot", "抽签"),
    "number": Names("by number", "编号在前"),
    "sudden_death": Names("sudden death", "加赛突然死亡"),
    "forfeit": Names("forfeit", "弃权"),
}

LABELS = {
    "third_place": Names("third place", "三、四名"),
    "upper": Names("upper bracket", "胜者组"),
    "lower": Names("lower bracket", "败者组"),
    "grand_final": Names("grand final", "总决赛"),
    "second_final": Names("grand final, second match", "总决赛加赛"),
}
"""Of matches; any other label is a group's letter."""


def points(value: float) -> str:
    """A number of points without needless digits: "2½", "7", "1.25".

    >>> points(2.5), points(0.5), points(7.0), points(1.25), points(-3.5)
    ('2½', '½', '7', '1.25', '-3½')
    """
    whole, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    if abs(rest - 0.5) < 1e-9:
        return f"{sign}{int(whole) or ''}½"
    if rest < 1e-9 or rest > 1 - 1e-9:
        return f"{round(value):d}"
    return f"{value:.2f}"
