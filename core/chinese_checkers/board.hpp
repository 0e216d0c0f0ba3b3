#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chinese_checkers/bits.hpp"

namespace arena::chinese_checkers {

inline constexpr int kDirections = 6;
inline constexpr int kTips = 6;

/// The six tips, clockwise. The opposite tip is three further.
enum Tip : std::uint8_t { kNorth, kNorthEast, kSouthEast, kSouth, kSouthWest, kNorthWest };

constexpr Tip opposite(Tip tip) { return static_cast<Tip>((tip + 3) % kTips); }
std::string_view name(Tip tip);

/// A star of one size: geometry and names, made once and never changed. The
/// coordinates are those of docs/games/chinese-checkers.md.
class Board {
 public:
  /// The star whose tips have `side` rows: 4, 3 or 2.
  static const Board& of_side(int side);

  int side() const { return side_; }
  int size() const { return size_; }
  /// The next hole in a direction, kWall outside. kWall's neighbours are kWall.
  Hole next(Hole hole, int direction) const {
    return next_[hole][static_cast<std::size_t>(direction)];
  }
  /// The holes next to a hole.
  Bits near(Hole hole) const { return around_[hole].near; }
  /// The holes behind those neighbours of a hole that are in `occupied`: where hops would land.
  Bits behind(Hole hole, Bits occupied) const {
    const Around& around = around_[hole];
    const std::uint64_t over = (around.near & occupied).folded();
    std::uint64_t behind = 0;
    for (const Hop& hop : around.hops) behind |= ((over >> hop.over) & 1U) << hop.landing;
    return {around.landings.low & behind, around.landings.high & behind};
  }
  const std::string& name(Hole hole) const { return names_[hole]; }
  /// The hole of that name, if there is one.
  std::optional<Hole> find(std::string_view name) const;
  /// The holes of a row: 'a' is the south tip. 0 where there is no such row.
  int row_length(char row) const;
  /// Steps between two holes on an endless board.
  int distance(Hole a, Hole b) const;
  /// How far a hole lies to the side of the line through a tip's point and the
  /// centre, in half steps.
  int off_axis(Hole hole, Tip tip) const;
  /// The `rows` outermost rows of a tip; with side + 1 rows also the row of the
  /// hexagon that adjoins it.
  Bits camp(Tip tip, int rows) const;
  Bits tip(Tip which) const { return camp(which, side_); }
  /// The outermost hole of a tip.
  Hole point(Tip tip) const;

 private:
  struct Axial {
    int q, r;
    int s() const { return -q - r; }
  };

  /// The hops from a hole by direction: the neighbour and the hole behind it, both folded.
  struct Hop {
    Hop() = default;
    Hop(Hole neighbour, Hole behind) : over(neighbour % 64), landing(behind % 64) {}
    std::uint8_t over = 0;
    std::uint8_t landing = 0;
  };
  struct alignas(64) Around {
    Bits near;
    Bits landings;
    std::array<Hop, kDirections> hops{};
  };

  explicit Board(int side);
  bool exists(Axial at) const;
  bool in_hexagon(Axial at) const;
  static int depth(Axial at, Tip tip);
  std::optional<Hole> at(Axial at) const;

  int side_;
  int size_ = 0;
  std::vector<Axial> holes_;
  std::vector<std::string> names_;
  std::array<std::array<Hole, kDirections>, 128> next_{};
  std::vector<Around> around_;
};

}  // namespace arena::chinese_checkers
