"""What the statistics of Tuolaji count beside the result: docs/games/tuolaji.md says how."""

from __future__ import annotations

from arena.games.contract import Measure, Names

MEASURES = {
    "attackers_points": Measure(Names("attackers' points", "闲家得分"), digits=1),
    "takeover": Measure(Names("attackers take over", "上台率"), share=True),
    "dealer_levels": Measure(Names("levels for the dealer's side", "庄家方净升级"), even=0.0),
    "captured_points": Measure(Names("points by capture", "抠底得分"), digits=1),
    "last_trick_share": Measure(
        Names("points decided by the last trick", "末轮分占比"), share=True
    ),
    "last_trick_decides": Measure(Names("last trick turns the hand", "末轮定胜负"), share=True),
    "trump_length": Measure(Names("caller's trumps", "亮主者主牌张数"), digits=1),
    "redeals": Measure(Names("redeals a hand", "每盘重新起牌")),
    "chokes": Measure(Names("chokes a hand", "每盘憋死")),
    "tractors": Measure(Names("tractors led a hand", "每盘出拖拉机")),
    "bombs": Measure(Names("bombs led a hand", "每盘出炸弹")),
    "throws": Measure(Names("throws led a hand", "每盘甩牌")),
    "failed_throws": Measure(Names("failed throws a hand", "每盘甩牌失败")),
    "first_drawer_score": Measure(Names("first drawer's side wins", "先起牌方胜率"), share=True),
    "first_drawer_levels": Measure(
        Names("levels for the first drawer's side", "先起牌方净升级"), even=0.0
    ),
    "first_dealer_score": Measure(Names("first dealer's side wins", "首局庄家方胜率"), share=True),
    "first_dealer_levels": Measure(
        Names("levels for the first dealer's side", "首局庄家方净升级"), even=0.0
    ),
    "hands": Measure(Names("hands of a match", "每局盘数"), digits=1),
}
"""By name, in the order of tables."""
