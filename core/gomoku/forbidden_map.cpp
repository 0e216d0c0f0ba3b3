#include "gomoku/forbidden_map.hpp"

#include <optional>

namespace arena::gomoku {

void ForbiddenMap::look(const Judge& judge, const Fouls& fouls, bool five_first, const Board& board,
                        Colour colour, Point p, int direction) {
  auto& four = patterns_[static_cast<std::size_t>(p)];
  const Pattern fresh = judge.pattern(board, colour, p, direction);
  Pattern& kept = four[static_cast<std::size_t>(direction)];
  if (fresh.bits() == kept.bits()) return;
  kept = fresh;
  Tally tally;
  for (const Pattern pattern : four) tally.add(Tally(pattern));
  certain_.remove(p);
  candidates_.remove(p);
  if (tally.five() && five_first) return;
  if ((tally.overline() && fouls.overline) || (tally.fours() >= 2 && fouls.double_four)) {
    certain_.add(p);
  } else if (tally.threes() >= 2 && fouls.double_three) {
    candidates_.add(p);
  }
}

const Points& ForbiddenMap::points(const Judge& judge, const Fouls& fouls, bool five_first,
                                   const Board& board, Colour colour) {
  const Geometry& geometry = board.geometry();
  if (changed_ == Points{}) return forbidden_;
  changed_.each([&](Point stone) {
    for (int d = 0; d < kDirections; ++d) {
      const auto direction = static_cast<std::size_t>(d);
      const Geometry::Place& place = geometry.places[static_cast<std::size_t>(stone)][direction];
      const int step = geometry.steps[direction];
      for (int k = -static_cast<int>(place.back); k <= place.ahead; ++k) {
        if (k != 0) look(judge, fouls, five_first, board, colour, stone + k * step, d);
      }
    }
  });
  changed_ = Points{};
  forbidden_ = Points{};
  certain_.each([&](Point p) {
    if (board.empty(p)) forbidden_.add(p);
  });
  std::optional<Board> scratch;
  candidates_.each([&](Point p) {
    if (!board.empty(p)) return;
    if (!scratch) scratch = board;
    if (judge.double_three(*scratch, colour, p, patterns_[static_cast<std::size_t>(p)])) {
      forbidden_.add(p);
    }
  });
  count_ = forbidden_.count();
  return forbidden_;
}

}  // namespace arena::gomoku
