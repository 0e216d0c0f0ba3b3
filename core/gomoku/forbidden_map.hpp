#pragma once
#include <array>

#include "gomoku/judge.hpp"

namespace arena::gomoku {

/// The forbidden points of one colour, kept up to date by what changed: a stone
/// touches the patterns of at most forty cells, each on one line only. Shapes
/// settle everything but double-threes; these are judged, with recursion, for the
/// few candidates whenever the set is asked for.
class ForbiddenMap {
 public:
  void stone(Point p) { changed_.add(p); }

  /// How many points `points` gave last.
  int count() const { return count_; }

  const Points& points(const Judge& judge, const Fouls& fouls, bool five_first, const Board& board,
                       Colour colour);

 private:
  void keep(const Fouls& fouls, bool five_first, Point p, int direction, Pattern fresh);

  Points changed_;     ///< stones put since the last look; an empty board has no patterns
  Points certain_;     ///< overlines and double-fours
  Points candidates_;  ///< two or more shapes of a three
  Points forbidden_;
  int count_ = 0;
  std::array<std::array<Pattern, kDirections>, kMaxCells> patterns_{};
};

}  // namespace arena::gomoku
