#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "gomoku/rules.hpp"

namespace arena::gomoku {

/// A point as row * size + column, both from the lower left corner.
using Point = int;

inline constexpr int kMaxCells = kMaxSize * kMaxSize;
inline constexpr int kLines = 2 * kMaxSize - 1;
inline constexpr int kDirections = 4;  ///< east, north, north-east, north-west
/// How far a stone matters along a line: five cells, and one more that must not
/// lengthen a five.
inline constexpr int kReach = 5;

/// A set of points.
class Points {
 public:
  static constexpr int kWords = (kMaxCells + 63) / 64;

  bool contains(Point p) const { return ((words_[word_of(p)] >> (p & 63)) & 1U) != 0; }
  void add(Point p) { words_[word_of(p)] |= std::uint64_t{1} << (p & 63); }
  void remove(Point p) { words_[word_of(p)] &= ~(std::uint64_t{1} << (p & 63)); }
  int count() const {
    int sum = 0;
    for (const std::uint64_t word : words_) sum += std::popcount(word);
    return sum;
  }
  /// The point of rank `index`, ascending; `index` must be below `count()`.
  Point at(int index) const {
    for (std::size_t i = 0;; ++i) {
      const int here = std::popcount(words_[i]);
      if (index < here) {
        std::uint64_t word = words_[i];
        for (; index > 0; --index) word &= word - 1;
        return static_cast<Point>(i) * 64 + std::countr_zero(word);
      }
      index -= here;
    }
  }
  std::uint64_t word(std::size_t i) const { return words_[i]; }
  Points without(const Points& taken) const {
    Points left;
    for (std::size_t i = 0; i < kWords; ++i) left.words_[i] = words_[i] & ~taken.words_[i];
    return left;
  }
  template <typename Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < kWords; ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(static_cast<Point>(i) * 64 + std::countr_zero(word));
      }
    }
  }
  friend bool operator==(const Points&, const Points&) = default;

 private:
  static constexpr std::size_t word_of(Point p) { return static_cast<std::size_t>(p) >> 6; }
  std::array<std::uint64_t, kWords> words_{};
};

/// Where each point lies on its four lines, and which bits of a line are off
/// the board. One for each board size, shared.
struct Geometry {
  struct Place {
    std::uint8_t line = 0;
    std::uint8_t bit = 0;    ///< position on the line; its bit is this + kReach
    std::uint8_t back = 0;   ///< cells on the board before it on the line, at most kReach
    std::uint8_t ahead = 0;  ///< and after it
  };

  int size = 0;
  std::array<std::array<Place, kDirections>, kMaxCells> places{};
  std::array<std::array<std::uint32_t, kLines>, kDirections> walls{};
  std::array<int, kDirections> steps{};

  static const Geometry& of(int size);

  int row(Point p) const { return p / size; }
  int column(Point p) const { return p % size; }
  /// Whether a stone on one of the points can matter to the patterns of the other.
  bool linked(Point a, Point b) const {
    const auto& from = places[static_cast<std::size_t>(a)];
    const auto& to = places[static_cast<std::size_t>(b)];
    const int rows = std::abs(from[0].line - to[0].line);
    const int columns = std::abs(from[1].line - to[1].line);
    return rows <= kReach && columns <= kReach && (rows == 0 || columns == 0 || rows == columns);
  }
  /// Chebyshev distance from the centre point.
  int ring(Point p) const;
};

/// Eleven bits, the middle one left out, to the number whose ternary digits are
/// the other ten, times `digit`.
constexpr std::array<std::uint16_t, 2048> make_ternary(std::uint32_t digit) {
  std::array<std::uint16_t, 2048> table{};
  for (std::uint32_t bits = 0; bits < 2048; ++bits) {
    std::uint32_t value = 0;
    for (std::uint32_t i = 11; i-- > 0;) {
      if (i != kReach) value = 3 * value + digit * ((bits >> i) & 1U);
    }
    table[bits] = static_cast<std::uint16_t>(value);
  }
  return table;
}
inline constexpr std::array<std::uint16_t, 2048> kOwnDigits = make_ternary(1);
inline constexpr std::array<std::uint16_t, 2048> kClosedDigits = make_ternary(2);

/// Stones as line words: for each colour and direction one 32-bit word a line,
/// with kReach bits of wall at both ends, so that the eleven cells round a point
/// are one shift away.
class Board {
 public:
  explicit Board(int size) : geometry_(&Geometry::of(size)) {
    for (std::size_t d = 0; d < kDirections; ++d) {
      for (std::size_t i = 0; i < kLines; ++i) lines_[d][i].wall = geometry_->walls[d][i];
    }
  }

  const Geometry& geometry() const { return *geometry_; }
  int size() const { return geometry_->size; }
  const Points& stones(Colour colour) const { return stones_[index_of(colour)]; }
  bool has(Colour colour, Point p) const { return stones(colour).contains(p); }
  bool empty(Point p) const { return !stones_[0].contains(p) && !stones_[1].contains(p); }
  int count() const { return counts_[0] + counts_[1]; }
  int count(Colour colour) const { return counts_[index_of(colour)]; }

  void put(Colour colour, Point p) {
    stones_[index_of(colour)].add(p);
    ++counts_[index_of(colour)];
    flip(colour, p);
  }
  void take(Colour colour, Point p) {
    stones_[index_of(colour)].remove(p);
    --counts_[index_of(colour)];
    flip(colour, p);
  }

  /// Index into a pattern table of the ten neighbours of `p` along `direction`,
  /// as `mine` sees them: ternary digits empty, own, closed.
  std::uint32_t window(Colour mine, Point p, int direction) const {
    return window(masks(mine, p, direction));
  }

  /// Whether a stone on `p` would stand in a row of five or more.
  bool reaches_five(Colour colour, Point p) const {
    std::uint32_t found = 0;
    for (std::size_t d = 0; d < kDirections; ++d) {
      const Geometry::Place place = geometry_->places[static_cast<std::size_t>(p)][d];
      // Nine cells with `p` in the middle: any five in a row hold it.
      const std::uint32_t row =
          ((lines_[d][place.line].stones[index_of(colour)] >> (place.bit + 1)) & 0x1FFU) | 0x10U;
      const std::uint32_t pairs = row & (row >> 1);
      found |= pairs & (pairs >> 2) & (row >> 4);
    }
    return found != 0;
  }

  /// Eleven cells of a line as bits, with the cell in question in the middle.
  struct Masks {
    std::uint32_t own, rival, wall;
  };
  static std::uint32_t window(const Masks& cells) {
    return kOwnDigits[cells.own] + kClosedDigits[cells.rival | cells.wall];
  }
  /// The line through a point along a direction, as one colour sees it.
  struct Lane {
    std::uint32_t own, rival, wall;
    Geometry::Place place;

    /// The eleven cells round the one that lies `offset` cells further.
    Masks round(int offset) const {
      constexpr std::uint32_t kEleven = 0x7FF;
      const int shift = place.bit + offset;
      return {(own >> shift) & kEleven, (rival >> shift) & kEleven, (wall >> shift) & kEleven};
    }
    /// Whether fewer than two own stones stand within four cells of the cells from
    /// `place.back` before the point to `place.ahead` after it: a stone on any of these
    /// makes no three then, and nothing larger.
    bool bare() const {
      const int width = place.back + place.ahead + 2 * (kReach - 1) + 1;
      const std::uint32_t near =
          (own >> (place.bit - place.back + 1)) & ((std::uint32_t{1} << width) - 1);
      return (near & (near - 1)) == 0;
    }
  };
  Lane lane(Colour mine, Point p, int direction) const {
    const auto d = static_cast<std::size_t>(direction);
    const Geometry::Place place = geometry_->places[static_cast<std::size_t>(p)][d];
    const Line& line = lines_[d][place.line];
    return {line.stones[index_of(mine)], line.stones[index_of(other(mine))], line.wall, place};
  }
  Masks masks(Colour mine, Point p, int direction) const {
    return lane(mine, p, direction).round(0);
  }

  friend bool operator==(const Board& a, const Board& b) {
    return a.geometry_ == b.geometry_ && a.stones_ == b.stones_;
  }

 private:
  /// One line of the board, kept together: a pattern needs all three words.
  struct Line {
    std::array<std::uint32_t, 2> stones{};
    std::uint32_t wall = 0;
  };

  void flip(Colour colour, Point p) {
    const auto& places = geometry_->places[static_cast<std::size_t>(p)];
    for (std::size_t d = 0; d < kDirections; ++d) {
      lines_[d][places[d].line].stones[index_of(colour)] ^= 1U << (places[d].bit + kReach);
    }
  }

  const Geometry* geometry_;
  std::array<Points, 2> stones_{};
  std::array<int, 2> counts_{};
  std::array<std::array<Line, kLines>, kDirections> lines_{};
};

}  // namespace arena::gomoku
