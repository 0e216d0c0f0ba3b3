#pragma once
#include <memory>

#include "base/game.hpp"

namespace arena::doudizhu {

/// Rules of the family from its settings (arena/games/doudizhu/rules.py).
std::shared_ptr<const Game> make_game(const Fields& fields);

}  // namespace arena::doudizhu
