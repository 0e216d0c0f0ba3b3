#pragma once
#include <array>
#include <cstdint>

#include "xiangqi/position.hpp"

namespace arena::xiangqi {

/// Men by number, where they stand; a number stays with its man while nothing is captured.
class Roll {
 public:
  explicit Roll(const Position& position);
  std::size_t at(Point p) const { return numbers_[static_cast<std::size_t>(p)]; }
  void move(Step step) { numbers_[step.to] = numbers_[step.from]; }

 private:
  std::array<std::uint8_t, kPoints> numbers_{};
};

inline constexpr std::size_t kMostMen = 32;

/// A set of men.
using Men = std::uint32_t;

/// By attacker: whom it threatens to win.
using Threats = std::array<Men, kMostMen>;

/// What `side` threatens to win if it were to move. A capture threatens when it is legal, but for
/// a check that holds it up, and
///  - a horse or cannon takes a chariot, an advisor or elephant a chariot, horse or cannon; or
///  - no legal step takes back (so a pinned protector protects nothing);
/// not when general or soldier captures, when the capturing man is pinned (it could only take
/// the man that pins it), when the victim is a soldier that has not crossed the
/// river, or when attacker and victim are of one kind and the victim could capture as well.
Threats threats(const Position& position, const Roll& roll, Side side);

/// Whom the men of the side to move attack at all, won or not.
Threats attacks(const Position& position, const Roll& roll);

/// Whether `side`, if it were to move, could mate at once.
bool threatens_mate(const Position& position, Side side);

/// The men that the man which has just played `step` attacks by the list of the UCCI league:
/// a horse any chariot and unprotected cannons and crossed soldiers; a cannon any chariot and
/// unprotected horses and crossed soldiers; a chariot unprotected horses, cannons and crossed
/// soldiers across its line of movement. Pins are not looked at.
Men league_chase(const Position& position, const Roll& roll, Step step);

}  // namespace arena::xiangqi
