#pragma once
#include <array>
#include <memory>
#include <vector>

#include "base/state.hpp"
#include "chinese_checkers/setup.hpp"

namespace arena::chinese_checkers {

/// A turn with what it is worth to the mover, in points.
struct Scored {
  Ends ends;
  int gain = 0;
};

/// What positions are worth, in points: a step forward in the middle of the
/// board is about 40. Lower costs are better.
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const Rules> rules);

  const Rules& rules() const { return *rules_; }

  /// The work that a seat still has: way to go, more than in proportion for
  /// those that are far behind, a little for straying to the side, and near the
  /// end the way to the holes that are still open. `round` matters where pieces
  /// must leave home by a deadline.
  int cost(const Position& position, Seat seat, int round) const;
  int cost(const Snapshot& now, Seat seat) const {
    return cost(now.position, seat, now.progress.round());
  }

  /// All turns of the seat to move with their gains, best first; equal gains in
  /// the order of `list_moves`.
  void ranked_moves(const Snapshot& now, std::vector<Scored>& out) const;

 private:
  bool closing(const Position& position, Seat seat) const;
  int way_to_open_holes(const Position& position, int set) const;
  int home_cost(int round) const;

  std::shared_ptr<const Rules> rules_;
  std::array<std::array<int, 128>, kMaxSets> cost_{};
};

/// The holes of all pieces of a seat.
Bits army(const Rules& rules, const Position& position, Seat seat);

/// What the seat's army looked like at the end of its last turns, newest first.
/// An engine that comes back to one of these makes no progress.
class Recent {
 public:
  Recent(const Rules& rules, const State& state, const Position& now, Seat seat);
  bool contains(const Bits& army) const;

 private:
  std::vector<Bits> armies_;
};

/// Points that a winning turn is worth; nothing else comes near.
inline constexpr int kWin = 1'000'000;

/// A value in points as an expected score in [0, 1].
double expected_score(int points);

}  // namespace arena::chinese_checkers
