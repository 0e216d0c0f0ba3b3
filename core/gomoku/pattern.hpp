#pragma once
#include <array>
#include <cstdint>

#include "gomoku/rules.hpp"

namespace arena::gomoku {

/// What one stone would make on one line, by the ten cells round it.
class Pattern {
 public:
  constexpr Pattern() = default;
  constexpr Pattern(bool five, bool overline, int fours, std::uint32_t completions)
      : bits_(static_cast<std::uint16_t>((five ? 1U : 0U) | (overline ? 2U : 0U) |
                                         (static_cast<std::uint32_t>(fours) << 2) |
                                         (completions << 4))) {}

  /// Makes a five of the rule in force.
  constexpr bool five() const { return (bits_ & 1U) != 0; }
  /// Makes six or more in a row, whatever the rule says of them.
  constexpr bool overline() const { return (bits_ & 2U) != 0; }
  /// Fours it belongs to on this line: 0, 1, 2.
  constexpr int fours() const { return (bits_ >> 2) & 3; }
  /// Cells that would complete a three of this stone to a straight four, by the
  /// shape of the line: bit i is the cell at offset i - 3.
  constexpr std::uint32_t completions() const { return bits_ >> 4; }
  constexpr std::uint16_t bits() const { return bits_; }

 private:
  std::uint16_t bits_ = 0;
};

inline constexpr std::size_t kPatterns = 59049;  ///< 3^10
using PatternTable = std::array<Pattern, kPatterns>;

/// By `Board::window`. Immutable, built once on first use.
const PatternTable& patterns(FiveRule rule);

}  // namespace arena::gomoku
