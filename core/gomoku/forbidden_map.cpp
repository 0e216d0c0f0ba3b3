#include "gomoku/forbidden_map.hpp"

#include <optional>

namespace arena::gomoku {

void ForbiddenMap::keep(const Fouls& fouls, bool five_first, Point p, int direction,
                        Pattern fresh) {
  auto& four = patterns_[static_cast<std::size_t>(p)];
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
      const Board::Lane lane = board.lane(colour, stone, d);
      // Stones only come: what has no pattern now had none before.
      if (lane.bare()) continue;
      const int step = geometry.steps[static_cast<std::size_t>(d)];
      for (int k = -static_cast<int>(lane.place.back); k <= lane.place.ahead; ++k) {
        if (k == 0) continue;
        keep(fouls, five_first, stone + k * step, d, judge.pattern(colour, lane.round(k)));
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
