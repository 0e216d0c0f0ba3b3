#pragma once
#include <memory>

#include "base/game.hpp"

namespace arena::tuolaji {

/// Rules of the family from its settings (arena/games/tuolaji/rules.py).
std::shared_ptr<const Game> make_game(const Fields& fields);

}  // namespace arena::tuolaji
