#include "choose.hpp"

#include <cstdint>
#include <string>

namespace {

// One step of SplitMix64 (Steele, Lea and Flood): neighbouring seeds give unlike numbers.
std::uint64_t scramble(std::uint64_t seed) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

arena::v1::DescribeResponse description() {
  arena::v1::DescribeResponse said;
  said.set_name("{{name}}");
  said.set_version("1");  // a new build is a new version
  said.add_protocols("arena.v1");
  said.add_games()->set_rulebooks("*");  // such as "gomoku/*", "xiangqi/cxa"
  said.set_wants_legal_moves(true);
  said.set_observation_form(arena::v1::OBSERVATION_FORM_TYPED);
  return said;
}

void load() {}

arena::v1::Decision choose(const arena::v1::Turn& turn, const arena::v1::Rules& /*rules*/) {
  const auto& legal = turn.legal_moves().moves();
  // The same turn gets the same answer, so that games can be played again.
  const std::uint64_t chance = scramble(turn.seed() + turn.ply());
  arena::v1::Decision decision;
  decision.set_move(legal.Get(static_cast<int>(chance % static_cast<unsigned>(legal.size()))));
  decision.set_comment("one of " + std::to_string(legal.size()));
  return decision;
}
