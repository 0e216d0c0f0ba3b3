#include "gomoku/judge.hpp"

namespace arena::gomoku {

Foul Judge::foul(const Board& board, Colour colour, Point p, Tally tally) const {
  const Fouls& fouls = rules_.fouls[index_of(colour)];
  if (tally.overline() && fouls.overline) return Foul::overline;
  if (tally.fours() >= 2 && fouls.double_four) return Foul::double_four;
  if (fouls.double_three && tally.threes() >= 2) {
    Board scratch = board;  // only where the shapes of two lines call for a closer look
    if (double_three(scratch, colour, p, look(board, colour, p))) return Foul::double_three;
  }
  return Foul::none;
}

bool Judge::double_three(Board& board, Colour colour, Point p, const Four& four) const {
  if (rules_.three_test == ThreeTest::naive) return true;  // the shapes are there
  board.put(colour, p);
  int threes = 0;
  for (std::size_t d = 0; d < kDirections && threes < 2; ++d) {
    const std::uint32_t completions = four[d].completions();
    for (int i = 0; (completions >> i) != 0; ++i) {
      if (((completions >> i) & 1U) == 0) continue;
      if (!completes(board, colour, p + (i - 3) * board.geometry().steps[d])) continue;
      ++threes;
      break;
    }
  }
  board.take(colour, p);
  return threes >= 2;
}

/// Whether a stone on `p`, which makes a straight four by the shape of its line,
/// may be played for it: no five at once, no overline, no double-four, and under
/// the full rule no double-three judged the same way. Each level of the recursion
/// occupies a point, so it ends by itself.
bool Judge::completes(Board& board, Colour colour, Point p) const {
  const Tally tally = patterns_[index_of(colour)].tally(board, colour, p);
  const Fouls& fouls = rules_.fouls[index_of(colour)];
  if (tally.five() || (tally.overline() && fouls.overline)) return false;
  if (tally.fours() >= 2 && fouls.double_four) return false;
  if (tally.threes() < 2 || rules_.three_test != ThreeTest::rif_recursive) return true;
  return !double_three(board, colour, p, look(board, colour, p));
}

}  // namespace arena::gomoku
