#pragma once
#include <memory>

#include "tuolaji/greedy.hpp"
#include "tuolaji/state.hpp"

namespace arena::tuolaji {

struct SolverLimits {
  int worlds = 24;
  int candidates = 6;
};

/// Weighs the moves that look best to `Greedy` by playing each of them out, with `Greedy` in
/// all seats, in worlds resampled from what the seat has observed: the same worlds for every
/// candidate. After each sixth of the worlds the worse half of the candidates is dropped, until one
/// is left beside the first. It never looks at the true hidden cards. Plays and burials are
/// weighed, calls are `Greedy`'s own.
class Solver {
 public:
  Solver(std::shared_ptr<const Rules> rules, SolverLimits limits);

  Decision choose(const TuolajiState& state, Seat seat, Rng& rng);
  void forget() { memory_ = Memory(); }

 private:
  /// Plays the hand out; what it is worth to a side, 0 … 1.
  double play_out(Table& table, const Memory& memory, int side);

  std::shared_ptr<const Rules> rules_;
  Rules hand_rules_;  ///< the same, a match ending with its hand
  SolverLimits limits_;
  Greedy greedy_;
  Memory memory_;
  int takeover_;  ///< points from which the attackers take over
};

}  // namespace arena::tuolaji
