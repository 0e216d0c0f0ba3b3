#pragma once
#include "siguo/policy.hpp"

namespace arena::siguo {

/// Tries the policy's best steps in worlds drawn for its seat: each is played on for some plies,
/// every seat by the policy with what it would know in that world, and what is left is counted.
class Solver {
 public:
  struct Effort {
    int worlds = 0;  ///< drawn for each turn
    int width = 0;   ///< steps tried
    int depth = 0;   ///< plies played on
  };

  Solver(const Rules& rules, Effort effort) : rules_(rules), policy_(rules), effort_(effort) {}

  Step choose(const Position& position, Seat seat, Rng& rng) const;

 private:
  float play_on(Position position, Seat seat, Rng rng) const;
  float count(const Position& position, Seat seat) const;

  const Rules& rules_;
  Policy policy_;
  Effort effort_;
};

}  // namespace arena::siguo
