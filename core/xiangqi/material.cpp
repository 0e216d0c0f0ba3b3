#include "xiangqi/material.hpp"

#include <optional>

namespace arena::xiangqi {
namespace {

/// The men of a side that the table asks for.
struct Helpers {
  int cannons = 0;
  int advisors = 0;
  int elephants = 0;
};

/// Nothing where a horse, chariot or soldier is left.
std::optional<std::array<Helpers, 2>> count_helpers(const Position& position) {
  std::array<Helpers, 2> men;
  for (Point p = 0; p < kPoints; ++p) {
    const Man man = position.at(p);
    Helpers& side = men[index_of(side_of(man))];
    switch (kind_of(man)) {
      case Kind::none:
      case Kind::general:
        break;
      case Kind::advisor:
        ++side.advisors;
        break;
      case Kind::elephant:
        ++side.elephants;
        break;
      case Kind::cannon:
        ++side.cannons;
        break;
      case Kind::horse:
      case Kind::chariot:
      case Kind::soldier:
        return std::nullopt;
    }
  }
  return men;
}

/// A cannon wants a screen: its own advisors and elephants, or those of the other side.
bool cannons_lack_screens(const Helpers& red, const Helpers& black) {
  if (red.cannons > 1 || black.cannons > 1) return false;
  if (red.cannons == 1 && black.cannons == 1) return red.advisors + black.advisors == 0;
  const Helpers& holder = red.cannons == 1 ? red : black;
  const Helpers& defender = red.cannons == 1 ? black : red;
  return holder.advisors == 0 && (defender.advisors < 2 || holder.elephants == 0);
}

bool one_step_ends(const Position& position, std::span<const Step> legal) {
  for (const Step step : legal) {
    Position after = position;
    after.play(step);
    StepList answers;
    after.list_legal(answers);
    if (answers.count == 0) return true;
  }
  return false;
}

}  // namespace

bool nobody_can_win(Material setting, const Position& position, std::span<const Step> legal) {
  if (setting == Material::off) return false;
  const auto men = count_helpers(position);
  if (!men) return false;
  const auto& [red, black] = *men;
  if (red.cannons + black.cannons == 0) return true;
  return setting == Material::engine_table && cannons_lack_screens(red, black) &&
         !one_step_ends(position, legal);
}

}  // namespace arena::xiangqi
