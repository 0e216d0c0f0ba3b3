#pragma once
#include <array>
#include <bit>
#include <cstdint>

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
  /// Chebyshev distance from the centre point.
  int ring(Point p) const;
};

/// Ten bits to the number whose ternary digits they are.
constexpr std::array<std::uint16_t, 1024> make_ternary() {
  std::array<std::uint16_t, 1024> table{};
  for (std::uint32_t bits = 0; bits < 1024; ++bits) {
    std::uint32_t value = 0;
    for (std::uint32_t i = 10; i-- > 0;) value = 3 * value + ((bits >> i) & 1U);
    table[bits] = static_cast<std::uint16_t>(value);
  }
  return table;
}
inline constexpr std::array<std::uint16_t, 1024> kTernary = make_ternary();

/// Stones as line words: for each colour and direction one 32-bit word a line,
/// with kReach bits of wall at both ends, so that the eleven cells round a point
/// are one shift away.
class Board {
 public:
  explicit Board(int size) : geometry_(&Geometry::of(size)) {}

  const Geometry& geometry() const { return *geometry_; }
  int size() const { return geometry_->size; }
  const Points& stones(Colour colour) const { return stones_[index_of(colour)]; }
  bool has(Colour colour, Point p) const { return stones(colour).contains(p); }
  bool empty(Point p) const { return !stones_[0].contains(p) && !stones_[1].contains(p); }
  int count() const { return count_; }

  void put(Colour colour, Point p) {
    stones_[index_of(colour)].add(p);
    ++count_;
    flip(colour, p);
  }
  void take(Colour colour, Point p) {
    stones_[index_of(colour)].remove(p);
    --count_;
    flip(colour, p);
  }

  /// Index into a pattern table of the ten neighbours of `p` along `direction`,
  /// as `mine` sees them: ternary digits empty, own, closed.
  std::uint32_t window(Colour mine, Point p, int direction) const {
    const auto d = static_cast<std::size_t>(direction);
    const Geometry::Place place = geometry_->places[static_cast<std::size_t>(p)][d];
    const std::uint32_t own = lines_[index_of(mine)][d][place.line] >> place.bit;
    const std::uint32_t closed =
        (lines_[index_of(other(mine))][d][place.line] | geometry_->walls[d][place.line]) >>
        place.bit;
    return kTernary[squeeze(own)] + 2U * kTernary[squeeze(closed)];
  }

  /// The eleven cells round `p` along `direction` as bits, `p` in the middle.
  struct Masks {
    std::uint32_t own, rival, wall;
  };
  Masks masks(Colour mine, Point p, int direction) const {
    constexpr std::uint32_t kEleven = 0x7FF;
    const auto d = static_cast<std::size_t>(direction);
    const Geometry::Place place = geometry_->places[static_cast<std::size_t>(p)][d];
    return {(lines_[index_of(mine)][d][place.line] >> place.bit) & kEleven,
            (lines_[index_of(other(mine))][d][place.line] >> place.bit) & kEleven,
            (geometry_->walls[d][place.line] >> place.bit) & kEleven};
  }

  friend bool operator==(const Board& a, const Board& b) {
    return a.geometry_ == b.geometry_ && a.stones_ == b.stones_;
  }

 private:
  /// Eleven bits with the middle one left out.
  static constexpr std::uint32_t squeeze(std::uint32_t bits) {
    return (bits & 31U) | ((bits >> 1) & 0x3E0U);
  }

  void flip(Colour colour, Point p) {
    auto& lines = lines_[index_of(colour)];
    const auto& places = geometry_->places[static_cast<std::size_t>(p)];
    for (std::size_t d = 0; d < kDirections; ++d) {
      lines[d][places[d].line] ^= 1U << (places[d].bit + kReach);
    }
  }

  const Geometry* geometry_;
  std::array<Points, 2> stones_{};
  int count_ = 0;
  std::array<std::array<std::array<std::uint32_t, kLines>, kDirections>, 2> lines_{};
};

}  // namespace arena::gomoku
