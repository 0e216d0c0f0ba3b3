#pragma once
#include <vector>

#include "gomoku/judge.hpp"
#include "gomoku/opening.hpp"
#include "gomoku/rules.hpp"

namespace arena::gomoku {

/// What all states of one game share: the rules and what follows from them.
struct Context {
  explicit Context(const Rules& given)
      : rules(given), judge(given), protocol(make_protocol(given)) {
    for (Point p = 0; p < rules.cells(); ++p) everywhere.add(p);
  }

  int steps() const { return static_cast<int>(protocol.size()); }
  /// Whether `colour` may not even play its forbidden points.
  bool barred(Colour colour) const {
    return rules.enforcement == Enforcement::illegal && rules.fouls[index_of(colour)].any();
  }

  Rules rules;
  Judge judge;
  std::vector<Step> protocol;
  Points everywhere;
};

}  // namespace arena::gomoku
