#pragma once
#include <memory>

#include "base/game.hpp"

namespace arena::chinese_checkers {

/// Rules of the family from its settings (arena/games/chinese_checkers/rules.py).
std::shared_ptr<const Game> make_game(const Fields& fields);

}  // namespace arena::chinese_checkers
