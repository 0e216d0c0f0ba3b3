#pragma once
#include "base/fields.hpp"

namespace arena::xiangqi {

enum class Code { draw, perpetual_check_only, ucci_league, axf, cxa };
enum class Material { off, no_attackers, engine_table };

/// Settings as arena/games/xiangqi/rules.py explains them.
struct Rules {
  bool flying = true;
  bool stalemate_loses = true;
  Code code = Code::axf;
  int repetitions = 3;      ///< occurrences of a position that call the judge; 0: never
  int same_move_limit = 0;  ///< a move may not be played in a position so many times; 0: it may
  int natural_plies = 120;  ///< 0: no limit
  int check_cap = 10;       ///< -1: every check counts
  bool claims = false;
  int foul_limit = 0;  ///< 0: technical fouls never lose
  Material material = Material::no_attackers;
  int max_plies = 0;  ///< 0: no limit
};

Rules read_rules(const Fields& fields);

}  // namespace arena::xiangqi
