#pragma once
#include <memory>

#include "base/game.hpp"

namespace arena::xiangqi {

/// Rules of the family from its settings (arena/games/xiangqi/rules.py).
std::shared_ptr<const Game> make_game(const Fields& fields);

}  // namespace arena::xiangqi
