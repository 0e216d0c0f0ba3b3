#pragma once
#include <optional>
#include <vector>

#include "tuolaji/rules.hpp"

namespace arena::tuolaji {

/// What a follower owes in the led suit: any one of these lists of units. Never empty; a list
/// without units means that any cards of the suit will do.
using Owed = std::vector<Shapes>;

/// What a hand owes on a lead. `held` are its cards of the led suit, more than were led.
Owed owed(const Rules& rules, const Track& track, const Shapes& led, const Held& held);

/// Whether the cards played pay what is owed. `hand` are the cards before the play.
bool pays(const Rules& rules, const Track& track, const Owed& owed, const Held& played,
          const Held& hand);

/// The cards as one unit that stands above a lead of one unit.
bool stronger(const Rules& rules, const Track& track, const Shapes& led, const Held& played);

/// Some units of the hand that stand above a lead of one unit: each as nodes to play.
std::vector<Held> stronger_units(const Rules& rules, const Track& track, const Shapes& led,
                                 const Held& hand);

}  // namespace arena::tuolaji
