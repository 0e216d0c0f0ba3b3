#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace arena {

/// Why a proposed move is refused. Shared by all games; a game adds its own.
// clang-format off
#define ARENA_ILLEGAL_REASONS(X)                                         \
  X(syntax,            "is not a move of this game",     "着法格式错误") \
  X(game_over,         "the game is over",               "对局已结束")   \
  X(not_your_turn,     "it is not this seat's turn",     "未轮到该座位") \
  X(wrong_phase,       "does not belong to this phase",  "阶段不符")     \
  X(off_board,         "is off the board",               "不在棋盘上")   \
  X(occupied,          "the point is occupied",          "该点已有子")   \
  X(outside_zone,      "is outside the allowed zone",    "超出规定区域") \
  X(forbidden,         "is forbidden",                   "禁手")         \
  X(symmetric,         "equals another by symmetry",     "与另一点对称") \
  X(duplicate,         "is given twice",                 "重复")         \
  X(wrong_count,       "has the wrong number of items",  "数量不符")     \
  X(not_offered,       "was not offered",                "未在提供之列") \
  X(pass_not_allowed,  "passing is not allowed",         "不允许停着")   \
  X(nothing_to_claim,  "there is nothing to claim",      "无可指出")     \
  X(not_your_piece,    "is not this seat's piece",       "不是己方棋子") \
  X(unreachable,       "cannot be reached",              "无法到达")     \
  X(null_move,         "would change nothing",           "原地不动")     \
  X(bad_path,          "the path is not playable",       "路径不可行")   \
  X(zone_closed,       "may not be entered",             "不可进入")     \
  X(locked_in_goal,    "may not leave its goal",         "不可离开目标营地") \
  X(in_check,          "leaves the general attacked",    "送将或未应将") \
  X(repeated,          "has been played too often",      "重复次数过多") \
  X(not_in_hand,       "is not in the hand",             "手中无此牌")   \
  X(must_follow,       "does not follow the lead",       "未按规定跟牌") \
  X(not_a_unit,        "is not a shape that may be led", "牌型不可出")   \
  X(unsafe_throw,      "can be beaten in part",          "甩牌不成立")   \
  X(not_a_call,        "is not a valid call",            "不可如此叫牌") \
  X(immobile,          "may not move",                   "该子不可移动") \
  X(in_camp,           "is safe in a camp",              "在行营中不可攻击")
// clang-format on

enum class IllegalReason {
#define ARENA_ENUM(id, en, zh) id,
  ARENA_ILLEGAL_REASONS(ARENA_ENUM)
#undef ARENA_ENUM
};

struct IllegalText {
  std::string_view id, en, zh;
};

constexpr IllegalText describe(IllegalReason reason) {
  switch (reason) {
#define ARENA_CASE(id, en, zh) \
  case IllegalReason::id:      \
    return {#id, en, zh};
    ARENA_ILLEGAL_REASONS(ARENA_CASE)
#undef ARENA_CASE
  }
  return {"", "", ""};
}

/// A refusal: the reason, its detail as a machine-readable word or list
/// ("double_three", "need=3"), and one sentence that shows the input and says
/// what would have been right.
struct Illegal {
  IllegalReason reason{};
  std::string detail;
  std::string message;
};

}  // namespace arena
