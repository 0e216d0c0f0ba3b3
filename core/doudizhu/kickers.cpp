#include "doudizhu/kickers.hpp"

#include <algorithm>

namespace arena::doudizhu {
namespace {

constexpr std::uint32_t choose(std::uint32_t n, std::uint32_t k) {
  if (k > n) return 0;
  std::uint32_t ways = 1;
  for (std::uint32_t i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

constexpr std::uint32_t count(RankSet set) {
  return static_cast<std::uint32_t>(std::popcount(set));
}

/// The index-th set of k ranks out of `from`.
RankSet combination(RankSet from, std::uint32_t k, std::uint32_t index) {
  RankSet out = 0;
  while (k > 0) {
    const RankSet lowest = from & (~from + 1);
    from &= from - 1;
    const std::uint32_t with = choose(count(from), k - 1);
    if (index < with) {
      out |= lowest;
      --k;
    } else {
      index -= with;
    }
  }
  return out;
}

constexpr int kMostKickers = 5;

/// ways[r][k]: how to take k cards of rank r and above; the jokers are one step.
struct Table {
  std::array<std::array<std::uint32_t, kMostKickers + 1>, kBlackJoker + 2> ways{};
  std::array<int, kBlackJoker> most{};
  int jokers = 0;
  bool both = false;

  std::uint32_t of_jokers(int taken) const {
    if (taken == 0) return 1;
    if (taken == 1) return static_cast<std::uint32_t>(jokers);
    return taken == 2 && both ? 1 : 0;
  }
};

Table table_of(const Rules& rules, Cards hand, RankSet main, int kickers) {
  Table table;
  table.jokers = std::popcount(hand.any() & kJokers);
  table.both = table.jokers == 2 && rules.kicker_both_jokers;
  for (int k = 0; k <= kickers; ++k) {
    table.ways[kBlackJoker][static_cast<std::size_t>(k)] = table.of_jokers(k);
  }
  for (Rank rank = kTwo; rank >= 0; --rank) {
    const auto r = static_cast<std::size_t>(rank);
    table.most[r] = (main & bit(rank)) != 0 ? 0 : std::min(hand[rank], most_of(rules, main, rank));
    for (int k = 0; k <= kickers; ++k) {
      std::uint32_t ways = 0;
      for (int taken = 0; taken <= std::min(k, table.most[r]); ++taken) {
        ways += table.ways[r + 1][static_cast<std::size_t>(k - taken)];
      }
      table.ways[r][static_cast<std::size_t>(k)] = ways;
    }
  }
  return table;
}

/// Ways for a four to take two single cards of different ranks.
std::uint32_t different_singles(const Rules& rules, Cards hand, RankSet main) {
  if (rules.quad_singles == QuadKickers::none || rules.quad_singles == QuadKickers::pair) return 0;
  const RankSet from = hand.any() & ~main;
  const std::uint32_t ways = choose(count(from), 2);
  // The two jokers are the last combination.
  return (from & kJokers) == kJokers && !rules.kicker_both_jokers ? ways - 1 : ways;
}

}  // namespace

int most_of(const Rules& rules, RankSet main, Rank rank) {
  const RankSet beside = ((main << 1) | (main >> 1)) & ~main & kChainRanks;
  const bool adjacent = (beside & bit(rank)) != 0;
  return adjacent && !rules.kicker_adjacent_triple ? std::min(rules.kicker_repeat, 2)
                                                   : rules.kicker_repeat;
}

std::uint32_t count_quad_singles(const Rules& rules, Cards hand, RankSet main) {
  std::uint32_t ways = different_singles(rules, hand, main);
  if (rules.quad_singles == QuadKickers::pair || rules.quad_singles == QuadKickers::any) {
    ways += count(hand.pairs() & ~main);
  }
  return ways;
}

Cards quad_singles_at(const Rules& rules, Cards hand, RankSet main, std::uint32_t index) {
  const std::uint32_t different = different_singles(rules, hand, main);
  if (index < different) return Cards::of(combination(hand.any() & ~main, 2, index));
  return Cards::of(bit(nth(hand.pairs() & ~main, index - different)), 2);
}

std::uint32_t count_quad_pairs(const Rules& rules, Cards hand, RankSet main) {
  if (rules.quad_pairs == QuadKickers::none) return 0;
  std::uint32_t ways = choose(count(hand.pairs() & ~main), 2);
  if (rules.quad_pairs == QuadKickers::any) ways += count(hand.quads() & ~main);
  return ways;
}

Cards quad_pairs_at(const Rules&, Cards hand, RankSet main, std::uint32_t index) {
  const RankSet from = hand.pairs() & ~main;
  const std::uint32_t different = choose(count(from), 2);
  if (index < different) return Cards::of(combination(from, 2, index), 2);
  return Cards::of(bit(nth(hand.quads() & ~main, index - different)), 4);
}

std::uint32_t count_plane_pairs(Cards hand, RankSet main) {
  return choose(count(hand.pairs() & ~main), count(main));
}

Cards plane_pairs_at(Cards hand, RankSet main, std::uint32_t index) {
  return Cards::of(combination(hand.pairs() & ~main, count(main), index), 2);
}

std::uint32_t count_plane_singles(const Rules& rules, Cards hand, RankSet main) {
  const int kickers = std::popcount(main);
  if (kickers > kMostKickers) return 0;
  return table_of(rules, hand, main, kickers).ways[0][static_cast<std::size_t>(kickers)];
}

Cards plane_singles_at(const Rules& rules, Cards hand, RankSet main, std::uint32_t index) {
  int left = std::popcount(main);
  const Table table = table_of(rules, hand, main, left);
  Cards out;
  for (Rank rank = 0; rank <= kTwo; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    for (int taken = 0; taken <= std::min(left, table.most[r]); ++taken) {
      const std::uint32_t ways = table.ways[r + 1][static_cast<std::size_t>(left - taken)];
      if (index < ways) {
        out += Cards::of(bit(rank), taken);
        left -= taken;
        break;
      }
      index -= ways;
    }
  }
  if (left == 1) out += Cards::of(bit(nth(hand.any() & kJokers, index)));
  if (left == 2) out += Cards::of(kJokers);
  return out;
}

}  // namespace arena::doudizhu
