#pragma once
#include <array>
#include <cstdint>

#include "gomoku/board.hpp"
#include "gomoku/rules.hpp"

namespace arena::gomoku {

/// What one stone would make on one line, by the ten cells round it.
class Pattern {
 public:
  constexpr Pattern() = default;
  constexpr Pattern(bool five, bool overline, int fours, bool straight, std::uint32_t completions)
      : bits_(static_cast<std::uint16_t>((five ? 1U : 0U) | (overline ? 2U : 0U) |
                                         (static_cast<std::uint32_t>(fours) << 2) |
                                         (completions << 4) | (straight ? 0x800U : 0U))) {}

  /// Makes a five of the rule in force.
  constexpr bool five() const { return (bits_ & 1U) != 0; }
  /// Makes six or more in a row, whatever the rule says of them.
  constexpr bool overline() const { return (bits_ & 2U) != 0; }
  /// Fours it belongs to on this line: 0, 1, 2.
  constexpr int fours() const { return (bits_ >> 2) & 3; }
  /// Cells that would complete a three of this stone to a straight four, by the
  /// shape of the line: bit i is the cell at offset i - 3.
  constexpr std::uint32_t completions() const { return (bits_ >> 4) & 0x7FU; }
  /// Makes a straight four: the one four of this line can be completed at both ends.
  constexpr bool straight() const { return (bits_ & 0x800U) != 0; }
  constexpr std::uint16_t bits() const { return bits_; }

 private:
  std::uint16_t bits_ = 0;
};

inline constexpr std::size_t kPatterns = 59049;  ///< 3^10
using PatternTable = std::array<Pattern, kPatterns>;

/// Counts of what one stone makes along several lines, summed in one word.
class Tally {
 public:
  constexpr Tally() = default;
  constexpr explicit Tally(Pattern pattern)
      : sum_((pattern.five() ? 1U : 0U) | (pattern.overline() ? 1U << 4 : 0U) |
             (static_cast<std::uint32_t>(pattern.fours()) << 8) |
             (pattern.completions() != 0 ? 1U << 12 : 0U)) {}

  constexpr bool nothing() const { return sum_ == 0; }
  constexpr bool five() const { return (sum_ & 0xFU) != 0; }
  constexpr bool overline() const { return (sum_ & 0xF0U) != 0; }
  constexpr int fours() const { return static_cast<int>((sum_ >> 8) & 0xFU); }
  /// Lines on which it has the shape of a three.
  constexpr int threes() const { return static_cast<int>(sum_ >> 12); }
  constexpr std::uint32_t bits() const { return sum_; }
  constexpr void add(Tally more) { sum_ += more.sum_; }

 private:
  std::uint32_t sum_ = 0;
};

/// The heuristic grade of what a stone makes on one line, weakest first.
enum class Shape : std::uint8_t {
  nothing,
  closed_two,
  open_two,
  closed_three,  ///< three stones that can still become a four
  open_three,
  four,
  straight_four,
  five,
};
inline constexpr std::size_t kShapes = 8;
using ShapeTable = std::array<Shape, kPatterns>;

/// The tallies that one line can have; a table of kinds holds indices into it.
inline constexpr std::array<Tally, 7> kKinds{
    Tally(Pattern()),
    Tally(Pattern(false, false, 0, false, 1)),
    Tally(Pattern(false, false, 1, false, 0)),
    Tally(Pattern(false, false, 2, false, 0)),
    Tally(Pattern(false, true, 0, false, 0)),
    Tally(Pattern(true, false, 0, false, 0)),
    Tally(Pattern(true, true, 0, false, 0)),
};
using KindTable = std::array<std::uint8_t, kPatterns>;

/// Patterns and shapes of one colour's rule of five, by table.
class Patterns {
 public:
  explicit Patterns(FiveRule rule);

  Pattern at(const Board& board, Colour colour, Point p, int direction) const {
    return of(board.masks(colour, p, direction));
  }
  Pattern of(const Board::Masks& cells) const {
    const Pattern pattern = (*table_)[Board::window(cells)];
    // Whether a rival or the edge closes an end matters only to a five that must
    // be open, and every pattern of that rule is one of the exact rule too.
    if (open_end_ && pattern.bits() != 0) return refined(cells);
    return pattern;
  }
  /// The four directions together, by a table of half the size.
  Tally tally(const Board& board, Colour colour, Point p) const {
    Tally sum;
    for (int d = 0; d < kDirections; ++d) sum.add(kKinds[(*kinds_)[board.window(colour, p, d)]]);
    if (!open_end_ || sum.nothing()) return sum;
    Tally refined;
    for (const Pattern pattern : look(board, colour, p)) refined.add(Tally(pattern));
    return refined;
  }
  /// Along all four directions.
  std::array<Pattern, kDirections> look(const Board& board, Colour colour, Point p) const {
    const PatternTable& table = *table_;
    const std::array<Pattern, kDirections> four{
        table[board.window(colour, p, 0)], table[board.window(colour, p, 1)],
        table[board.window(colour, p, 2)], table[board.window(colour, p, 3)]};
    if (!open_end_) return four;
    return {at(board, colour, p, 0), at(board, colour, p, 1), at(board, colour, p, 2),
            at(board, colour, p, 3)};
  }
  Shape shape(const Board& board, Colour colour, Point p, int direction) const {
    const Shape shape = (*shapes_)[board.window(colour, p, direction)];
    if (open_end_ && shape >= Shape::open_three) {
      return refined_shape(board.masks(colour, p, direction));
    }
    return shape;
  }

 private:
  static Pattern refined(const Board::Masks& masks);
  static Shape refined_shape(const Board::Masks& masks);

  const PatternTable* table_;  ///< immutable, built once on first use
  const KindTable* kinds_;
  const ShapeTable* shapes_;
  bool open_end_;
};

}  // namespace arena::gomoku
