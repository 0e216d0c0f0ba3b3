#pragma once
#include <optional>
#include <vector>

#include "doudizhu/table.hpp"
#include "doudizhu/turns.hpp"

namespace arena::doudizhu {

/// A play and what the policy thinks of it; smaller is better. No play: the pass.
struct Option {
  std::optional<Play> play;
  double cost = 0;
};

/// The greedy way to play, from what the seat to act can see: its own hand, the numbers of cards
/// of the others, the roles and the play to beat.
class Policy {
 public:
  explicit Policy(const Rules& rules) : rules_(&rules), turns_(rules) {}

  /// A call of the seat to act.
  Deed call(const Table& table) const;
  /// The sensible plays of the seat to act, best first; never empty.
  const std::vector<Option>& options(const Table& table);

 private:
  void consider(const Table& table, const Play& play, int before);
  double lead_cost(const Table& table, const Play& play) const;
  double follow_cost(const Table& table, const Play& play) const;

  const Rules* rules_;
  Turns turns_;
  std::vector<Option> options_;
};

}  // namespace arena::doudizhu
