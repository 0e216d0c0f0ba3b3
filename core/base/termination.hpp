#pragma once
#include <string_view>

namespace arena {

/// Every way a game can end: identifier, English, Chinese. The first block is
/// the referee's (arena/match) and never comes from rules; the rest are rules.
// clang-format off
#define ARENA_TERMINATIONS(X)                                                                   \
  X(timeout,             "out of time",                              "超时")                    \
  X(disconnect,          "connection lost",                          "断线")                    \
  X(crash,               "engine crashed",                           "程序崩溃")                \
  X(illegal_move,        "illegal move",                             "违例着法")                \
  X(protocol_error,      "broke the protocol",                       "违反通信协议")            \
  X(resignation,         "resigned",                                 "认输")                    \
  X(agreement,           "draw agreed",                              "议和")                    \
  X(adjudicated,         "adjudicated",                              "裁定")                    \
  X(interrupted,         "interrupted",                              "中断")                    \
  X(move_limit,          "move limit reached",                       "达到手数上限")            \
  X(no_move,             "no legal move",                            "无子可动")                \
  X(five,                "five in a row",                            "五连")                    \
  X(forbidden,           "forbidden move",                           "禁手")                    \
  X(forbidden_claimed,   "forbidden move claimed",                   "禁手被指出")              \
  X(false_claim,         "false claim",                              "误指禁手")                \
  X(board_full,          "board full",                               "棋盘下满")                \
  X(two_passes,          "two passes in a row",                      "连续两次停着")            \
  X(goal_filled,         "goal filled",                              "占满目标营地")            \
  X(late_finish,         "later mover finished in time: draw",       "后走方及时到达判和")      \
  X(passive_loss,        "kept pieces at home too long",             "消极占营判负")            \
  X(turn_cap,            "turn cap reached",                         "达到回合上限")            \
  X(checkmate,           "checkmate",                                "将死")                    \
  X(repetition,          "repetition",                               "循环不变")                \
  X(perpetual_check,     "perpetual check",                          "长将")                    \
  X(perpetual_threat,    "perpetual threat of mate",                 "长杀")                    \
  X(perpetual_chase,     "perpetual chase",                          "长捉")                    \
  X(natural_limit,       "natural move limit",                       "自然限着")                \
  X(insufficient_material, "nobody can win any more",                "双方均无取胜可能")        \
  X(technical_fouls,     "too many technical fouls",                 "技术犯规")                \
  X(hand_over,           "hand played out",                          "一局打完")                \
  X(target_passed,       "target level passed",                      "打过目标级")              \
  X(hand_limit,          "all hands played",                         "局数用尽")                \
  X(passed_out,          "nobody bid",                               "无人叫牌")                \
  X(flag_captured,       "flag captured",                            "军旗被扛")                \
  X(timeout_limit,       "too many time-outs",                       "超时次数过多")            \
  X(quiet_limit,         "too long without a fight",                 "久未交战判和")
// clang-format on

enum class Termination {
#define ARENA_ENUM(id, en, zh) id,
  ARENA_TERMINATIONS(ARENA_ENUM)
#undef ARENA_ENUM
};

struct TerminationText {
  std::string_view id, en, zh;
};

constexpr TerminationText describe(Termination termination) {
  switch (termination) {
#define ARENA_CASE(id, en, zh) \
  case Termination::id:        \
    return {#id, en, zh};
    ARENA_TERMINATIONS(ARENA_CASE)
#undef ARENA_CASE
  }
  return {"", "", ""};
}

}  // namespace arena
