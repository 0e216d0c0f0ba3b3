#pragma once
#include <memory>

#include "base/game.hpp"

namespace arena::siguo {

/// Rules of the family from its settings (arena/games/siguo/rules.py).
std::shared_ptr<const Game> make_game(const Fields& fields);

}  // namespace arena::siguo
