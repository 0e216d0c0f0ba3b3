#include "gomoku/pattern.hpp"

#include <memory>

#include "gomoku/board.hpp"

namespace arena::gomoku {
namespace {

constexpr int kCells = 2 * kReach + 1;

/// Eleven cells with the stone in question on the middle one.
struct Line {
  std::uint32_t own;
  std::uint32_t closed;

  bool mine(int i) const { return i >= 0 && i < kCells && ((own >> i) & 1U) != 0; }
  bool shut(int i) const { return i >= 0 && i < kCells && ((closed >> i) & 1U) != 0; }
  bool free(int i) const { return i >= 0 && i < kCells && (((own | closed) >> i) & 1U) == 0; }
  Line with(int i) const { return {own | (1U << i), closed}; }
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
  return rule != FiveRule::exact_open_end || !line.shut(run.first - 1) || !line.shut(run.last + 1);
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
  if (five || overline) return {five, overline, 0, 0};
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
  return {false, false, fours, completions};
}

PatternTable build(FiveRule rule) {
  PatternTable table;
  for (std::uint32_t index = 0; index < kPatterns; ++index) {
    Line line{1U << kReach, 0};
    std::uint32_t rest = index;
    for (int i = 0; i < kCells; ++i) {
      if (i == kReach) continue;
      if (rest % 3 == 1) line.own |= 1U << i;
      if (rest % 3 == 2) line.closed |= 1U << i;
      rest /= 3;
    }
    table[index] = classify(rule, line);
  }
  return table;
}

}  // namespace

const PatternTable& patterns(FiveRule rule) {
  switch (rule) {
    case FiveRule::at_least: {
      static const auto table = std::make_unique<const PatternTable>(build(rule));
      return *table;
    }
    case FiveRule::exact_open_end: {
      static const auto table = std::make_unique<const PatternTable>(build(rule));
      return *table;
    }
    default: {
      static const auto table = std::make_unique<const PatternTable>(build(FiveRule::exact));
      return *table;
    }
  }
}

}  // namespace arena::gomoku
