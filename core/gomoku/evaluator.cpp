#include "gomoku/evaluator.hpp"

namespace arena::gomoku {
namespace {

// By Shape. Found by playing these engines against one another.
constexpr std::array<int, kShapes> kWorth{0, 2, 7, 10, 34, 40, 220, 2000};
constexpr int kDoubleFour = 200;
constexpr int kFourThree = 160;
constexpr int kDoubleThree = 90;

}  // namespace

Evaluator::Evaluator(const Context& context)
    : context_(context),
      patterns_{Patterns(context.rules.five[0]), Patterns(context.rules.five[1])},
      board_(context.rules.size) {}

void Evaluator::set(const Board& board) {
  board_ = Board(context_.rules.size);
  cells_ = {};
  fives_ = fours_ = straights_ = {};
  totals_ = {};
  for (const Colour colour : {Colour::black, Colour::white}) {
    board.stones(colour).each([&](Point p) { put(colour, p); });
  }
}

void Evaluator::put(Colour colour, Point p) {
  count(Colour::black, p, -1);
  count(Colour::white, p, -1);
  board_.put(colour, p);
  refresh_lines(p);
}

void Evaluator::take(Colour colour, Point p) {
  board_.take(colour, p);
  refresh_lines(p);
  count(Colour::black, p, 1);
  count(Colour::white, p, 1);
}

/// Adds a point to the sums and sets of its colour, or takes it out.
void Evaluator::count(Colour colour, Point p, int sign) {
  const std::size_t c = index_of(colour);
  const Cell& cell = cells_[c][static_cast<std::size_t>(p)];
  totals_[c] += sign * cell.score;
  Shape best = Shape::nothing;
  for (const Shape shape : cell.shapes) best = std::max(best, shape);
  if (best < Shape::four) return;
  Points& set = best == Shape::five            ? fives_[c]
                : best == Shape::straight_four ? straights_[c]
                                               : fours_[c];
  sign > 0 ? set.add(p) : set.remove(p);
}

void Evaluator::refresh_lines(Point p) {
  const Geometry& geometry = board_.geometry();
  for (std::size_t d = 0; d < kDirections; ++d) {
    const Geometry::Place& place = geometry.places[static_cast<std::size_t>(p)][d];
    for (int k = -static_cast<int>(place.back); k <= place.ahead; ++k) {
      if (k == 0) continue;
      const Point q = p + k * geometry.steps[d];
      const bool free = board_.empty(q);
      for (const Colour colour : {Colour::black, Colour::white}) {
        const std::size_t c = index_of(colour);
        Cell& cell = cells_[c][static_cast<std::size_t>(q)];
        const Shape fresh = patterns_[c].shape(board_, colour, q, static_cast<int>(d));
        if (fresh == cell.shapes[d]) continue;
        if (free) count(colour, q, -1);
        cell.shapes[d] = fresh;
        cell.score = worth(colour, cell);
        if (free) count(colour, q, 1);
      }
    }
  }
}

int Evaluator::worth(Colour colour, const Cell& cell) const {
  int sum = 0;
  int fours = 0;
  int threes = 0;
  for (const Shape shape : cell.shapes) {
    sum += kWorth[static_cast<std::size_t>(shape)];
    if (shape == Shape::five) return kWorth[static_cast<std::size_t>(Shape::five)];
    fours += shape == Shape::four || shape == Shape::straight_four ? 1 : 0;
    threes += shape == Shape::open_three ? 1 : 0;
  }
  const Fouls& fouls = context_.rules.fouls[index_of(colour)];
  if (fours >= 2) return fouls.double_four ? 0 : sum + kDoubleFour;
  if (threes >= 2) return fouls.double_three ? sum / 4 : sum + kDoubleThree;
  return fours == 1 && threes == 1 ? sum + kFourThree : sum;
}

}  // namespace arena::gomoku
