#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/game.hpp"

namespace arena {

/// Makes a game of a family from its settings. Throws FieldError for an unknown
/// family or a setting that is missing, of the wrong type or out of range.
std::shared_ptr<const Game> make_game(const std::string& family, const Fields& fields);

std::vector<std::string> families();

}  // namespace arena
