#include "gomoku/evaluator.hpp"

#include <algorithm>

#include "base/rng.hpp"

namespace arena::gomoku {
namespace {

// By Shape. Found by playing these engines against one another.
constexpr std::array<int, kShapes> kWorth{0, 2, 7, 10, 34, 40, 220, 2000};
constexpr int kDoubleFour = 200;
constexpr int kFourThree = 160;
constexpr int kDoubleThree = 90;

using Keys = std::array<std::array<std::uint64_t, kMaxCells>, 2>;

/// Random words by colour and point: their sum without carry names a position.
constexpr Keys make_keys() {
  Keys keys{};
  std::uint64_t seed = 0;
  for (auto& row : keys) {
    for (std::uint64_t& key : row) key = derive_seed(++seed, 0x60);
  }
  return keys;
}
constexpr Keys kKeys = make_keys();

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
  key_ = 0;
  for (const Colour colour : {Colour::black, Colour::white}) {
    board.stones(colour).each([&](Point p) { put(colour, p); });
  }
}

void Evaluator::put(Colour colour, Point p) {
  key_ ^= kKeys[index_of(colour)][static_cast<std::size_t>(p)];
  count(Colour::black, p, -1);
  count(Colour::white, p, -1);
  board_.put(colour, p);
  refresh_lines(p);
}

void Evaluator::take(Colour colour, Point p) {
  key_ ^= kKeys[index_of(colour)][static_cast<std::size_t>(p)];
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

/// Looks again at the free points whose patterns hold `p`. A stone hides what is
/// behind it from the other colour. Points with stones are left: stones are taken
/// back in reverse order, and each finds its patterns as they were.
void Evaluator::refresh_lines(Point p) {
  const Geometry& geometry = board_.geometry();
  for (std::size_t d = 0; d < kDirections; ++d) {
    const Geometry::Place& place = geometry.places[static_cast<std::size_t>(p)][d];
    for (const int way : {-1, 1}) {
      const int reach = way < 0 ? place.back : place.ahead;
      std::array<bool, 2> sees{true, true};
      Point q = p;
      for (int k = 0; k < reach && (sees[0] || sees[1]); ++k) {
        q += way * geometry.steps[d];
        if (board_.has(Colour::black, q)) {
          sees[1] = false;
        } else if (board_.has(Colour::white, q)) {
          sees[0] = false;
        } else {
          if (sees[0]) refresh(Colour::black, q, d);
          if (sees[1]) refresh(Colour::white, q, d);
        }
      }
    }
  }
}

void Evaluator::refresh(Colour colour, Point p, std::size_t direction) {
  const std::size_t c = index_of(colour);
  Cell& cell = cells_[c][static_cast<std::size_t>(p)];
  const Shape fresh = patterns_[c].shape(board_, colour, p, static_cast<int>(direction));
  if (fresh == cell.shapes[direction]) return;
  count(colour, p, -1);
  cell.shapes[direction] = fresh;
  cell.score = worth(colour, cell);
  count(colour, p, 1);
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
