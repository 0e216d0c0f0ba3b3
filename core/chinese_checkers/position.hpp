#pragma once
#include <array>
#include <cstdint>

#include "chinese_checkers/rules.hpp"

namespace arena::chinese_checkers {

/// Where the pieces stand. A plain value; `cell_` and `holes_` mirror each other.
/// Pieces of a set are all alike, so equal positions are equal values.
class Position {
 public:
  Position();

  /// The start of a game.
  static Position start(const Rules& rules);

  bool empty(Hole hole) const { return cell_[hole] == 0; }
  /// The set of the piece in a hole that holds one.
  int set_at(Hole hole) const { return cell_[hole] - 1; }
  /// Whether a hole of the board holds a piece of the set.
  bool holds(Hole hole, int set) const {
    return cell_[hole] != 0 && hole != kWall && set_at(hole) == set;
  }
  int size(int set) const { return size_[static_cast<std::size_t>(set)]; }
  /// Own pieces in the set's target, and in its home.
  int in_target(int set) const { return in_target_[static_cast<std::size_t>(set)]; }
  int in_home(int set) const { return in_home_[static_cast<std::size_t>(set)]; }

  /// The holes that are not empty; kWall is one of them.
  Bits occupied() const { return occupied_; }
  Bits holes(int set) const { return holes_[static_cast<std::size_t>(set)]; }

  void put(const Rules& rules, int set, Hole hole);
  void remove_set(int set);
  /// Moves the piece at `from`; a piece at `to` changes places with it. Its own
  /// inverse with the arguments exchanged.
  void move(const Rules& rules, Hole from, Hole to);

 private:
  void count(const Rules& rules, int set, Hole hole, int by);

  std::array<std::uint8_t, 128> cell_{};  ///< 0 or set + 1; never 0 at kWall
  Bits occupied_;
  std::array<Bits, kMaxSets> holes_{};
  std::array<std::uint8_t, kMaxSets> size_{};
  std::array<std::uint8_t, kMaxSets> in_target_{};
  std::array<std::uint8_t, kMaxSets> in_home_{};
};

inline void Position::count(const Rules& rules, int set, Hole hole, int by) {
  const auto s = static_cast<std::size_t>(set);
  const SetPlan& plan = rules.plan(set);
  in_target_[s] = static_cast<std::uint8_t>(in_target_[s] + (plan.target.test(hole) ? by : 0));
  in_home_[s] = static_cast<std::uint8_t>(in_home_[s] + (plan.home.test(hole) ? by : 0));
}

inline void Position::move(const Rules& rules, Hole from, Hole to) {
  const auto shift = [&](int set, Hole origin, Hole end) {
    count(rules, set, origin, -1);
    count(rules, set, end, 1);
    Bits& holes = holes_[static_cast<std::size_t>(set)];
    holes.clear(origin);
    holes.set(end);
  };
  const std::uint8_t other = cell_[to];
  if (other != 0) {
    shift(other - 1, to, from);
  } else {
    occupied_.clear(from);
    occupied_.set(to);
  }
  shift(set_at(from), from, to);
  cell_[to] = cell_[from];
  cell_[from] = other;
}

}  // namespace arena::chinese_checkers
