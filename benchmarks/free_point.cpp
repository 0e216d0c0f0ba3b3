// A zero-think bot for Gomoku: any free point. Stands in for choose.cpp of the C++ template.

#include <cstddef>
#include <cstdint>
#include <string>

#include "choose.hpp"

arena::v1::DescribeResponse description() {
  arena::v1::DescribeResponse said;
  said.set_name("free point");
  said.set_version("1");
  said.add_protocols("arena.v1");
  said.add_games()->set_rulebooks("gomoku/freestyle*");
  said.set_observation_form(arena::v1::OBSERVATION_FORM_TEXT);
  return said;
}

void load() {}

arena::v1::Decision choose(const arena::v1::Turn& turn, const arena::v1::Rules& /*rules*/) {
  // "board": rows from the top, with a slash between.
  const std::string& seen = turn.observation();
  const std::size_t begin = seen.find(R"("board":")") + 9;
  const std::size_t size = seen.find('/', begin) - begin;
  const std::uint64_t cells = size * size;
  // A walk over the board from a point that seed and ply choose; the step is prime to any board's
  // number of points.
  constexpr std::uint64_t kStep = 7919;
  std::uint64_t at = (turn.seed() + turn.ply() * 0x9e3779b97f4a7c15U) % cells;
  while (seen[begin + at / size * (size + 1) + at % size] != '.') {
    at = (at + kStep) % cells;
  }
  arena::v1::Decision decision;
  decision.set_move(static_cast<char>('a' + at % size) + std::to_string(size - at / size));
  return decision;
}
