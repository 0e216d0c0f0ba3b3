#include "chinese_checkers/position.hpp"

namespace arena::chinese_checkers {

Position::Position() {
  cell_[kWall] = 255;
  occupied_.set(kWall);
}

Position Position::start(const Rules& rules) {
  Position position;
  for (int set = 0; set < rules.sets(); ++set) {
    rules.plan(set).home.each([&](Hole hole) { position.put(rules, set, hole); });
  }
  return position;
}

void Position::put(const Rules& rules, int set, Hole hole) {
  const auto s = static_cast<std::size_t>(set);
  ++size_[s];
  holes_[s].set(hole);
  cell_[hole] = static_cast<std::uint8_t>(set + 1);
  occupied_.set(hole);
  count(rules, set, hole, 1);
}

void Position::remove_set(int set) {
  const auto s = static_cast<std::size_t>(set);
  holes_[s].each([&](Hole hole) {
    cell_[hole] = 0;
    occupied_.clear(hole);
  });
  holes_[s] = {};
  size_[s] = in_target_[s] = in_home_[s] = 0;
}

}  // namespace arena::chinese_checkers
