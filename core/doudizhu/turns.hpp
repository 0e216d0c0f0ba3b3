#pragma once
#include <vector>

#include "doudizhu/plays.hpp"

namespace arena::doudizhu {

/// About the fewest plays that empty a hand when nobody else plays: chains are tried, kickers are
/// taken off the loose singles and pairs. Remembers hands it has seen. Not for concurrent use.
class Turns {
 public:
  explicit Turns(const Rules& rules) : rules_(&rules), seen_(kSlots) {}
  int of(Cards hand);

 private:
  struct Slot {
    std::uint64_t key = 0;
    int turns = 0;
  };
  static constexpr std::size_t kSlots = std::size_t{1} << 15;

  int search(Cards hand, RankSet from);
  int loose(Cards hand) const;

  const Rules* rules_;
  std::vector<Slot> seen_;
};

}  // namespace arena::doudizhu
