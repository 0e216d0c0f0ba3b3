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

Bits Position::holes(int set) const {
  Bits holes;
  for (int number = 0; number < size(set); ++number) holes.set(hole(set, number));
  return holes;
}

void Position::put(const Rules& rules, int set, Hole hole) {
  const auto s = static_cast<std::size_t>(set);
  const int piece = set * kPieceStride + size_[s]++;
  hole_[static_cast<std::size_t>(piece)] = hole;
  cell_[hole] = static_cast<std::uint8_t>(piece + 1);
  occupied_.set(hole);
  count(rules, set, hole, 1);
}

void Position::remove_set(int set) {
  const auto s = static_cast<std::size_t>(set);
  for (int number = 0; number < size(set); ++number) {
    cell_[hole(set, number)] = 0;
    occupied_.clear(hole(set, number));
  }
  size_[s] = in_target_[s] = in_home_[s] = 0;
}

}  // namespace arena::chinese_checkers
