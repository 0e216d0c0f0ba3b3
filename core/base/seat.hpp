#pragma once
#include <bit>
#include <cstdint>

namespace arena {

/// A chair at the table, 0-based.
using Seat = int;

/// The observer that sees only what everybody may see.
inline constexpr Seat kSpectator = -1;
inline constexpr int kMaxSeats = 8;

/// A set of seats as a bit mask.
class SeatSet {
 public:
  constexpr SeatSet() = default;
  static constexpr SeatSet of(Seat seat) { return SeatSet(static_cast<std::uint8_t>(1U << seat)); }
  static constexpr SeatSet first(int count) {
    return SeatSet(static_cast<std::uint8_t>((1U << count) - 1U));
  }

  constexpr bool contains(Seat seat) const {
    return seat >= 0 && seat < kMaxSeats && ((bits_ >> seat) & 1U) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return std::popcount(bits_); }
  /// The lowest seat of a set that is not empty.
  constexpr Seat lowest() const { return std::countr_zero(bits_); }
  constexpr void add(Seat seat) { bits_ = static_cast<std::uint8_t>(bits_ | (1U << seat)); }
  constexpr void remove(Seat seat) { bits_ = static_cast<std::uint8_t>(bits_ & ~(1U << seat)); }
  constexpr std::uint8_t bits() const { return bits_; }

  friend constexpr bool operator==(SeatSet, SeatSet) = default;

 private:
  constexpr explicit SeatSet(std::uint8_t bits) : bits_(bits) {}
  std::uint8_t bits_ = 0;
};

}  // namespace arena
