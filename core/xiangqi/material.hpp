#pragma once
#include <span>

#include "xiangqi/position.hpp"
#include "xiangqi/rules.hpp"

namespace arena::xiangqi {

/// Whether the setting counts these men as a draw. `legal` are the legal steps of the side to
/// move, which may still end the game by one of them.
bool nobody_can_win(Material setting, const Position& position, std::span<const Step> legal);

}  // namespace arena::xiangqi
