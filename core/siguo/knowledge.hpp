#pragma once
#include <array>

#include "base/rng.hpp"
#include "siguo/position.hpp"

namespace arena::siguo {

/// For each unit the ranks it can still be.
using Beliefs = std::array<RankSet, kUnits>;

/// Whether a seat (or kSpectator) has been told the rank of a unit, its own among them.
bool knows(const Rules& rules, const Position& position, Unit unit, Seat viewer);

/// What follows from all that `viewer` has seen: where units began, that they moved or turned,
/// every fight, and how many of each rank an army has. Two positions that a viewer cannot tell
/// apart give the same.
Beliefs beliefs(const Rules& rules, const Position& position, Seat viewer);

/// The same position with other ranks wherever `viewer` does not know them, drawn so that all it
/// has seen would have happened alike. Does not depend on the ranks hidden from the viewer, but for
/// the rare case that none is found: then it starts from them.
Position another_world(const Rules& rules, const Position& position, Seat viewer, Rng& rng);

}  // namespace arena::siguo
