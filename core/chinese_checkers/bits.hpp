#pragma once
#include <bit>
#include <cstdint>

namespace arena::chinese_checkers {

/// Index of a hole. Holes are numbered by row from the north, in a row from the
/// west; kWall stands for everything outside the board.
using Hole = std::uint8_t;
inline constexpr Hole kWall = 127;

/// A set of holes: 121 bits in two words.
struct Bits {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  static constexpr Bits of(Hole hole) {
    const std::uint64_t bit = std::uint64_t{1} << (hole & 63U);
    return {hole < 64 ? bit : 0, hole < 64 ? 0 : bit};
  }
  constexpr bool test(Hole hole) const {
    return (((hole < 64 ? low : high) >> (hole & 63U)) & 1U) != 0;
  }
  constexpr void set(Hole hole) { *this = *this | of(hole); }
  constexpr void clear(Hole hole) { *this = *this & ~of(hole); }
  /// Both words in one. Holes of one neighbourhood, two rows up and down, are less than 64 apart,
  /// so that they stay apart.
  constexpr std::uint64_t folded() const { return low | high; }
  constexpr bool any() const { return (low | high) != 0; }
  constexpr int count() const { return std::popcount(low) + std::popcount(high); }

  /// The hole of rank `index`, ascending; `index` is below `count()`.
  constexpr Hole nth(int index) const {
    const int below = std::popcount(low);
    std::uint64_t rest = index < below ? low : high;
    for (int skip = index < below ? index : index - below; skip > 0; --skip) rest &= rest - 1;
    return static_cast<Hole>((index < below ? 0 : 64) + std::countr_zero(rest));
  }

  /// Takes the first hole out of a set that is not empty.
  constexpr Hole take_first() {
    const bool in_low = low != 0;
    const int index = std::countr_zero(in_low ? low : high);
    high &= high - (in_low ? 0U : 1U);
    low &= low - 1;
    return static_cast<Hole>(in_low ? index : 64 + index);
  }

  /// Calls `visit` with every hole, in order of index.
  template <typename Visit>
  constexpr void each(Visit&& visit) const {
    for (std::uint64_t rest = low; rest != 0; rest &= rest - 1) {
      visit(static_cast<Hole>(std::countr_zero(rest)));
    }
    for (std::uint64_t rest = high; rest != 0; rest &= rest - 1) {
      visit(static_cast<Hole>(64 + std::countr_zero(rest)));
    }
  }

  friend constexpr Bits operator|(Bits a, Bits b) { return {a.low | b.low, a.high | b.high}; }
  friend constexpr Bits operator&(Bits a, Bits b) { return {a.low & b.low, a.high & b.high}; }
  friend constexpr Bits operator^(Bits a, Bits b) { return {a.low ^ b.low, a.high ^ b.high}; }
  friend constexpr Bits operator~(Bits a) { return {~a.low, ~a.high}; }
  friend constexpr bool operator==(Bits, Bits) = default;
};

}  // namespace arena::chinese_checkers
