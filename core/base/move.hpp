#pragma once
#include <array>
#include <cstdint>
#include <functional>

namespace arena {

/// One whole turn, as a plain 256-bit value. Each game lays out the words as it
/// likes; equal words mean the same move, so the canonical text and the value
/// are two spellings of one identity. 256 bits hold any multiset of cards from
/// six packs with its reading, or a full army line-up, without an allocation.
struct Move {
  std::array<std::uint64_t, 4> words{};

  constexpr Move() = default;
  constexpr explicit Move(std::uint64_t word) : words{word, 0, 0, 0} {}

  friend constexpr bool operator==(const Move&, const Move&) = default;
  friend constexpr auto operator<=>(const Move&, const Move&) = default;
};

struct MoveHash {
  std::size_t operator()(const Move& move) const noexcept {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
    for (const std::uint64_t word : move.words) {
      hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

}  // namespace arena
