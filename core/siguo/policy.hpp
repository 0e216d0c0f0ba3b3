#pragma once
#include <array>
#include <vector>

#include "siguo/moves.hpp"
#include "siguo/odds.hpp"

namespace arena::siguo {

/// A step and what the policy thinks of it, in the worth of units.
struct Option {
  Step step;
  float score;
};

/// A player by rule of thumb: takes what promises most, keeps what is worth much out of reach,
/// guards its flag, probes with what is worth little, and presses on towards flags. Knows what its
/// seat knows, and nothing of the true ranks of others.
class Policy {
 public:
  explicit Policy(const Rules& rules);

  /// Every legal step of the seat to act, best first. `rng` breaks ties.
  std::vector<Option> options(const Position& position, const Odds& odds, Seat seat,
                              Rng& rng) const;

 private:
  struct View;
  float score(const View& view, Step step) const;
  float danger(const View& view, Node node, Rank rank) const;
  float pull(const View& view, Node node, Rank rank) const;
  bool flag_in_reach(const View& view, const Position& position) const;

  const Rules& rules_;
  /// Moves that a unit other than an engineer needs on an empty board.
  std::array<std::array<std::uint8_t, kNodes>, kNodes> moves_{};
};

}  // namespace arena::siguo
