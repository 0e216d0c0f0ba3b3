// A zero-think bot for Gomoku: any free point. Stands in for choose.cpp of the C++ template.

#include <cstdint>
#include <string>

#include "choose.hpp"

arena::v1::DescribeResponse description() {
  arena::v1::DescribeResponse said;
  said.set_name("free point");
  said.set_version("1");
  said.add_protocols("arena.v1");
  said.add_games()->set_rulebooks("gomoku/freestyle*");
  said.set_observation_form(arena::v1::OBSERVATION_FORM_TYPED);
  return said;
}

void load() {}

arena::v1::Decision choose(const arena::v1::Turn& turn, const arena::v1::Rules& /*rules*/) {
  const std::string& cells = turn.gomoku().cells();
  // A walk over the board from a point that seed and ply choose; the step is prime to any board's
  // number of points.
  constexpr std::uint64_t kStep = 7919;
  std::uint64_t at = (turn.seed() + turn.ply() * 0x9e3779b97f4a7c15U) % cells.size();
  while (cells[at] != 0) {
    at = (at + kStep) % cells.size();
  }
  const std::uint32_t size = turn.gomoku().size();
  arena::v1::Decision decision;
  decision.set_move(static_cast<char>('a' + at % size) + std::to_string(at / size + 1));
  return decision;
}
