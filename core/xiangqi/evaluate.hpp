#pragma once
#include "xiangqi/position.hpp"

namespace arena::xiangqi {

/// What a man is worth in an exchange, in hundredths of a soldier or so.
int worth(Kind kind);

/// Material, place and mobility, in points for the side to move.
int evaluate(const Position& position);

}  // namespace arena::xiangqi
