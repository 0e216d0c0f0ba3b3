#include "doudizhu/turns.hpp"

#include <algorithm>

namespace arena::doudizhu {

int Turns::of(Cards hand) {
  if (hand.empty()) return 0;
  Slot& slot = seen_[(hand.word() * 0x9E3779B97F4A7C15ULL) >> 49];
  if (slot.key != hand.word()) slot = {hand.word(), search(hand, kChainRanks)};
  return slot.turns;
}

/// Chains are removed from the lowest possible start upwards, in every combination.
int Turns::search(Cards hand, RankSet from) {
  int best = loose(hand);
  constexpr std::array<int, 3> shortest{5, 3, 2};
  for (int times = 3; times >= 1; --times) {
    const RankSet set = hand.at_least(times) & kChainRanks;
    const int least = shortest[static_cast<std::size_t>(times - 1)];
    RankSet starts = set & from;
    for (int i = 1; i < least; ++i) starts &= set >> i;
    for (; starts != 0; starts &= starts - 1) {
      const Rank low = std::countr_zero(starts);
      int longest = least;
      while ((set & bit(low + longest)) != 0) ++longest;
      for (int length = longest; length >= least; --length) {
        const RankSet main = ((RankSet{1} << length) - 1) << low;
        const Cards rest = hand - Cards::of(main, times);
        const RankSet later = from & ~(bit(low) - 1);
        int turns = 1 + search(rest, later);
        if (times == 3 && rules_->plane_singles) {
          // Wings: as many loose singles as there are triples ride along.
          const int singles = std::popcount(rest.any() & ~rest.pairs());
          if (singles >= length) turns -= length;
        }
        best = std::min(best, turns);
      }
    }
  }
  return best;
}

int Turns::loose(Cards hand) const {
  const int fours = std::popcount(hand.quads());
  const int trios = std::popcount(hand.trios()) - fours;
  int pairs = std::popcount(hand.pairs()) - fours - trios;
  int singles = std::popcount(hand.any()) - fours - trios - pairs;
  const bool rocket = (hand.any() & kJokers) == kJokers;
  if (rocket) --singles;
  const int turns = fours + trios + pairs + singles;
  int riders = 0;
  for (int i = 0; i < trios; ++i) {
    if (rules_->trio_single && singles > 0) {
      --singles;
      ++riders;
    } else if (rules_->trio_pair && pairs > 0) {
      --pairs;
      ++riders;
    }
  }
  return turns - riders;
}

}  // namespace arena::doudizhu
