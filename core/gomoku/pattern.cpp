#include "gomoku/pattern.hpp"

#include <memory>

#include "gomoku/board.hpp"

namespace arena::gomoku {
namespace {

constexpr int kCells = 2 * kReach + 1;

/// Eleven cells with the stone in question on the middle one.
struct Line {
  std::uint32_t own;
  std::uint32_t closed;  ///< rival stones and cells off the board
  std::uint32_t rival;

  bool mine(int i) const { return i >= 0 && i < kCells && ((own >> i) & 1U) != 0; }
  bool shut(int i) const { return i >= 0 && i < kCells && ((closed >> i) & 1U) != 0; }
  bool free(int i) const { return i >= 0 && i < kCells && (((own | closed) >> i) & 1U) == 0; }
  bool taken(int i) const { return i >= 0 && i < kCells && ((rival >> i) & 1U) != 0; }
  Line with(int i) const { return {own | (1U << i), closed, rival}; }
};

struct Run {
  int first, last;
  int length() const { return last - first + 1; }
};

Run run_through_middle(const Line& line) {
  Run run{kReach, kReach};
  while (line.mine(run.first - 1)) --run.first;
  while (line.mine(run.last + 1)) ++run.last;
  return run;
}

bool is_five(FiveRule rule, const Line& line) {
  const Run run = run_through_middle(line);
  if (rule == FiveRule::at_least) return run.length() >= 5;
  if (run.length() != 5) return false;
  return rule != FiveRule::exact_open_end || !line.taken(run.first - 1) ||
         !line.taken(run.last + 1);
}

/// Five-points of fours that hold the middle stone; a straight four counts once.
int count_fours(FiveRule rule, const Line& line) {
  int points = 0;
  int first = -1;
  int last = -1;
  for (int i = 0; i < kCells; ++i) {
    if (!line.free(i)) continue;
    const Line filled = line.with(i);
    const Run run = run_through_middle(filled);
    if (i < run.first || i > run.last || !is_five(rule, filled)) continue;
    if (points++ == 0) first = i;
    last = i;
  }
  const bool straight = points == 2 && last - first == 5 && run_through_middle(line).length() == 4;
  return straight ? 1 : points;
}

bool is_straight_four(FiveRule rule, const Line& line) {
  const Run run = run_through_middle(line);
  return run.length() == 4 && line.free(run.first - 1) && line.free(run.last + 1) &&
         is_five(rule, line.with(run.first - 1)) && is_five(rule, line.with(run.last + 1));
}

Pattern classify(FiveRule rule, const Line& line) {
  const bool five = is_five(rule, line);
  const bool overline = run_through_middle(line).length() >= 6;
  if (five || overline) return {five, overline, 0, false, 0};
  const int fours = count_fours(rule, line);
  std::uint32_t completions = 0;
  for (int i = kReach - 3; i <= kReach + 3 && fours == 0; ++i) {
    if (!line.free(i)) continue;
    const Line filled = line.with(i);
    const Run run = run_through_middle(filled);
    if (i >= run.first && i <= run.last && is_straight_four(rule, filled)) {
      completions |= 1U << (i - (kReach - 3));
    }
  }
  return {false, false, fours, is_straight_four(rule, line), completions};
}

/// By windows of five cells that can still be filled: how full the best one is,
/// and how many are that full.
Shape grade(const Line& line, Pattern pattern) {
  if (pattern.five()) return Shape::five;
  if (pattern.overline()) return Shape::nothing;
  if (pattern.straight() || pattern.fours() >= 2) return Shape::straight_four;
  if (pattern.fours() == 1) return Shape::four;
  if (pattern.completions() != 0) return Shape::open_three;
  int most = 0;
  int windows = 0;
  for (int first = kReach - 4; first <= kReach; ++first) {
    int stones = 0;
    bool open = true;
    for (int i = first; i < first + 5; ++i) {
      stones += line.mine(i) ? 1 : 0;
      open = open && !line.shut(i);
    }
    if (!open || stones < most) continue;
    windows = stones > most ? 1 : windows + 1;
    most = stones;
  }
  if (most >= 3) return Shape::closed_three;
  if (most == 2) return windows >= 3 ? Shape::open_two : Shape::closed_two;
  return Shape::nothing;
}

Line line_of(std::uint32_t index) {
  Line line{1U << kReach, 0, 0};
  for (int i = 0; i < kCells; ++i) {
    if (i == kReach) continue;
    if (index % 3 == 1) line.own |= 1U << i;
    if (index % 3 == 2) line.closed |= 1U << i;
    index /= 3;
  }
  return line;
}

struct Tables {
  explicit Tables(FiveRule rule) {
    for (std::uint32_t index = 0; index < kPatterns; ++index) {
      const Line line = line_of(index);
      patterns[index] = classify(rule, line);
      shapes[index] = grade(line, patterns[index]);
      const Tally tally(patterns[index]);
      while (kKinds[kinds[index]].bits() != tally.bits()) ++kinds[index];
    }
  }

  PatternTable patterns{};
  KindTable kinds{};
  ShapeTable shapes{};
};

template <FiveRule rule>
const Tables& tables() {
  static const auto made = std::make_unique<const Tables>(rule);
  return *made;
}

const Tables& tables_of(FiveRule rule) {
  return rule == FiveRule::at_least ? tables<FiveRule::at_least>() : tables<FiveRule::exact>();
}

Line open_ended(const Board::Masks& masks) {
  return {masks.own | (1U << kReach), masks.rival | masks.wall, masks.rival};
}

}  // namespace

Patterns::Patterns(FiveRule rule)
    : table_(&tables_of(rule).patterns),
      kinds_(&tables_of(rule).kinds),
      shapes_(&tables_of(rule).shapes),
      open_end_(rule == FiveRule::exact_open_end) {}

Pattern Patterns::refined(const Board::Masks& masks) {
  return classify(FiveRule::exact_open_end, open_ended(masks));
}

Shape Patterns::refined_shape(const Board::Masks& masks) {
  const Line line = open_ended(masks);
  return grade(line, classify(FiveRule::exact_open_end, line));
}

}  // namespace arena::gomoku
