#pragma once
#include "base/fields.hpp"

namespace arena::xiangqi {

enum class Code { draw, ban_third_move, perpetual_check_only, ucci_league, axf, cxa };
enum class Material { off, no_attackers, engine_table };

/// Settings as arena/games/xiangqi/rules.py explains them.
struct Rules {
  bool flying = true;
  bool stalemate_loses = true;
  Code code = Code::axf;
  int repetitions = 3;  ///< occurrences of a position that call the judge
  bool ban_by_position = true;
  int natural_plies = 120;  ///< 0: no limit
  int check_cap = 10;       ///< -1: every check counts
  bool claims = false;
  int foul_limit = 0;  ///< 0: technical fouls never lose
  Material material = Material::no_attackers;
  int max_plies = 0;  ///< 0: no limit

  bool bans() const { return code == Code::ban_third_move && ban_by_position; }
};

Rules read_rules(const Fields& fields);

}  // namespace arena::xiangqi
