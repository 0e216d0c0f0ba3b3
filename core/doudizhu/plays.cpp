#include "doudizhu/plays.hpp"

#include <algorithm>

#include "doudizhu/kickers.hpp"

namespace arena::doudizhu {
namespace {

constexpr int kMostCards = 20;

/// Ranks from which `length` neighbours in a row are in the set.
RankSet starts_of(RankSet set, int length) {
  RankSet starts = set;
  for (int i = 1; i < length; ++i) starts &= set >> i;
  return starts;
}

RankSet above(Rank low) { return kAllRanks & ~((RankSet{2} << low) - 1); }

Play chain(Kind kind, int times, Rank low, int length) {
  Play play;
  play.kind = kind;
  play.low = static_cast<std::uint8_t>(low);
  play.length = static_cast<std::uint8_t>(length);
  play.cards = Cards::of(play.main(), times);
  return play;
}

int main_times(Kind kind) {
  switch (kind) {
    case Kind::single:
    case Kind::straight:
    case Kind::rocket:
      return 1;
    case Kind::pair:
    case Kind::pair_chain:
      return 2;
    case Kind::quad_singles:
    case Kind::quad_pairs:
    case Kind::bomb:
      return 4;
    default:
      return 3;
  }
}

/// The kickers `rest` of `main`, as a kind, where the rules know them.
std::optional<Kind> kicked(const Rules& rules, RankSet main, int times, Cards rest) {
  if ((rest.any() & main) != 0) return std::nullopt;
  const int total = rest.size();
  const int length = std::popcount(main);
  const bool both = (rest.any() & kJokers) == kJokers;
  const bool pairs = rest == Cards::of(rest.any(), 2);
  if (times == 4) {
    if (length != 1) return std::nullopt;
    const auto may = [&](QuadKickers setting, bool same) {
      return setting == QuadKickers::any ||
             setting == (same ? QuadKickers::pair : QuadKickers::different);
    };
    if (total == 2 && (!both || rules.kicker_both_jokers) && may(rules.quad_singles, pairs)) {
      return Kind::quad_singles;
    }
    const bool four = rest.quads() != 0;
    if (total == 4 && (pairs || four) && may(rules.quad_pairs, four)) return Kind::quad_pairs;
    return std::nullopt;
  }
  if (length == 1) {
    if (total == 1 && rules.trio_single) return Kind::trio_single;
    if (total == 2 && pairs && rules.trio_pair) return Kind::trio_pair;
    return std::nullopt;
  }
  if (total == 2 * length && pairs) {
    return rules.plane_pairs ? std::optional(Kind::plane_pairs) : std::nullopt;
  }
  if (total != length || !rules.plane_singles) return std::nullopt;
  if (both && !rules.kicker_both_jokers) return std::nullopt;
  for (RankSet left = rest.any(); left != 0; left &= left - 1) {
    const Rank rank = std::countr_zero(left);
    if (rest[rank] > most_of(rules, main, rank)) return std::nullopt;
  }
  return Kind::plane_singles;
}

}  // namespace

bool beats(const Play& mine, const Play& other) {
  if (mine.kind == Kind::rocket || other.kind == Kind::rocket) return mine.kind == Kind::rocket;
  if (mine.kind == Kind::bomb && other.kind != Kind::bomb) return true;
  return mine.kind == other.kind && mine.length == other.length && mine.low > other.low;
}

std::vector<Play> readings(const Rules& rules, Cards cards) {
  std::vector<Play> found;
  const RankSet ranks = cards.any();
  const int size = cards.size();
  if (size == 0 || size > kMostCards) return found;
  const Rank low = std::countr_zero(ranks);
  const int length = std::popcount(ranks);
  const bool row = starts_of(ranks & kChainRanks, length) == bit(low);
  if (ranks == kJokers && size == 2) found.push_back(chain(Kind::rocket, 1, kBlackJoker, 2));
  if (length == 1) {
    constexpr std::array<Kind, 4> kinds{Kind::single, Kind::pair, Kind::trio, Kind::bomb};
    found.push_back(chain(kinds[static_cast<std::size_t>(size - 1)], size, low, 1));
  } else if (row) {
    constexpr std::array<Kind, 3> kinds{Kind::straight, Kind::pair_chain, Kind::trio_chain};
    constexpr std::array<int, 3> shortest{5, 3, 2};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto times = static_cast<int>(i) + 1;
      if (length >= shortest[i] && cards == Cards::of(ranks, times)) {
        found.push_back(chain(kinds[i], times, low, length));
      }
    }
  }
  for (Rank first = kTwo; first >= 0; --first) {
    for (const int times : {3, 4}) {
      const RankSet held = cards.at_least(times);
      for (int n = 1; n <= 5 && (held & bit(first + n - 1)) != 0; ++n) {
        if (n > 1 && (times == 4 || first + n - 1 >= kTwo)) break;
        Play play = chain(Kind::trio, times, first, n);
        const Cards rest = cards - play.cards;
        if (rest.empty()) continue;
        const auto kind = kicked(rules, play.main(), times, rest);
        if (!kind) continue;
        play.kind = *kind;
        play.cards = cards;
        found.push_back(play);
      }
    }
  }
  return found;
}

void Menu::add(Kind kind, int length, RankSet starts, std::uint32_t ways) {
  if (starts == 0 || ways == 0) return;
  groups_[groups_used_++] = {kind, static_cast<std::uint8_t>(length),
                             static_cast<std::uint16_t>(starts), ways};
  size_ += static_cast<std::uint32_t>(std::popcount(starts)) * ways;
}

void Menu::add_chains(Kind kind, int times, int shortest, const Play* to_beat) {
  RankSet set = hand_.at_least(times) & kChainRanks;
  if (to_beat != nullptr) {
    add(kind, to_beat->length, starts_of(set, to_beat->length) & above(to_beat->low), 1);
    return;
  }
  RankSet starts = starts_of(set, shortest);
  for (int length = shortest; starts != 0; ++length) {
    add(kind, length, starts, 1);
    starts &= set >> length;
  }
}

void Menu::add_planes(Kind kind, const Play* to_beat) {
  if (kind == Kind::plane_pairs ? !rules_->plane_pairs : !rules_->plane_singles) return;
  const RankSet set = hand_.trios() & kChainRanks;
  const int most = kind == Kind::plane_pairs ? 4 : 5;
  const int from = to_beat != nullptr ? to_beat->length : 2;
  const int to = to_beat != nullptr ? to_beat->length : most;
  for (int length = from; length <= to; ++length) {
    RankSet starts = starts_of(set, length);
    if (to_beat != nullptr) starts &= above(to_beat->low);
    for (; starts != 0; starts &= starts - 1) {
      const Rank low = std::countr_zero(starts);
      const RankSet main = ((RankSet{1} << length) - 1) << low;
      add(kind, length, bit(low),
          kind == Kind::plane_pairs ? count_plane_pairs(hand_, main)
                                    : count_plane_singles(*rules_, hand_, main));
    }
  }
}

Menu::Menu(const Rules& rules, Cards hand, const Play* to_beat) : rules_(&rules), hand_(hand) {
  const RankSet any = hand.any();
  const RankSet pairs = hand.pairs();
  const RankSet trios = hand.trios();
  const RankSet quads = hand.quads();
  const auto serves = [to_beat](Kind kind) { return to_beat == nullptr || to_beat->kind == kind; };
  const RankSet higher = to_beat == nullptr ? kAllRanks : above(to_beat->low);
  // Every other rank serves as kicker, whichever the main one is: the main rank itself is among
  // `any` and among `pairs`.
  const auto others = [](RankSet set) {
    return static_cast<std::uint32_t>(std::popcount(set)) - 1;
  };
  if (serves(Kind::single)) add(Kind::single, 1, any & higher, 1);
  if (serves(Kind::pair)) add(Kind::pair, 1, pairs & higher, 1);
  if (serves(Kind::straight)) add_chains(Kind::straight, 1, 5, to_beat);
  if (serves(Kind::pair_chain)) add_chains(Kind::pair_chain, 2, 3, to_beat);
  if (trios != 0) {
    if (serves(Kind::trio)) add(Kind::trio, 1, trios & higher, 1);
    if (serves(Kind::trio_single) && rules.trio_single) {
      add(Kind::trio_single, 1, trios & higher, others(any));
    }
    if (serves(Kind::trio_pair) && rules.trio_pair) {
      add(Kind::trio_pair, 1, trios & higher, others(pairs));
    }
    if (serves(Kind::trio_chain)) add_chains(Kind::trio_chain, 3, 2, to_beat);
    if (serves(Kind::plane_singles)) add_planes(Kind::plane_singles, to_beat);
    if (serves(Kind::plane_pairs)) add_planes(Kind::plane_pairs, to_beat);
  }
  if (quads != 0 && (to_beat == nullptr || to_beat->kind != Kind::rocket)) {
    const RankSet first = quads & (~quads + 1);
    if (serves(Kind::quad_singles)) {
      add(Kind::quad_singles, 1, quads & higher, count_quad_singles(rules, hand, first));
    }
    if (serves(Kind::quad_pairs)) {
      add(Kind::quad_pairs, 1, quads & higher, count_quad_pairs(rules, hand, first));
    }
    add(Kind::bomb, 1, to_beat != nullptr && to_beat->kind == Kind::bomb ? quads & higher : quads,
        1);
  }
  if ((any & kJokers) == kJokers) add(Kind::rocket, 2, bit(kBlackJoker), 1);
}

Play Menu::at(std::uint32_t index) const {
  std::uint32_t g = 0;
  for (;; ++g) {
    const Group& group = groups_[g];
    const std::uint32_t total =
        static_cast<std::uint32_t>(std::popcount(group.starts)) * group.ways;
    if (index < total) break;
    index -= total;
  }
  const Group& group = groups_[g];
  Play play =
      chain(group.kind, main_times(group.kind),
            group.ways == 1 ? nth(group.starts, index) : nth(group.starts, index / group.ways),
            group.length);
  const RankSet main = play.main();
  const std::uint32_t way = group.ways == 1 ? 0 : index % group.ways;
  switch (group.kind) {
    case Kind::trio_single:
      play.cards += Cards::of(bit(nth(hand_.any() & ~main, way)));
      break;
    case Kind::trio_pair:
      play.cards += Cards::of(bit(nth(hand_.pairs() & ~main, way)), 2);
      break;
    case Kind::plane_singles:
      play.cards += plane_singles_at(*rules_, hand_, main, way);
      break;
    case Kind::plane_pairs:
      play.cards += plane_pairs_at(hand_, main, way);
      break;
    case Kind::quad_singles:
      play.cards += quad_singles_at(*rules_, hand_, main, way);
      break;
    case Kind::quad_pairs:
      play.cards += quad_pairs_at(*rules_, hand_, main, way);
      break;
    default:
      break;
  }
  return play;
}

}  // namespace arena::doudizhu
