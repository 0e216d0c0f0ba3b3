#include "tuolaji/order.hpp"

namespace arena::tuolaji {
namespace {

// Above the ranks 0 … 12 of a suit run.
constexpr int kOtherTwo = 13;
constexpr int kTrumpTwo = 14;
constexpr int kOtherLevel = 15;
constexpr int kTrumpLevel = 16;
constexpr int kSmall = 17;
constexpr int kBig = 18;

}  // namespace

void Order::put(int suit, Kind kind, int strength, bool same_position) {
  Track& track = tracks_[static_cast<std::size_t>(suit)];
  if (!same_position) ++track.positions;
  const auto node = static_cast<std::size_t>(track.nodes++);
  track.kind[node] = static_cast<std::uint8_t>(kind);
  track.strength[node] = static_cast<std::int8_t>(strength);
  track.position[node] = static_cast<std::uint8_t>(track.positions - 1);
  if (!same_position) {
    track.first[static_cast<std::size_t>(track.positions - 1)] = static_cast<std::uint8_t>(node);
  }
  track.first[static_cast<std::size_t>(track.positions)] = static_cast<std::uint8_t>(track.nodes);
  suit_[static_cast<std::size_t>(kind)] = static_cast<std::int8_t>(suit);
  strength_[static_cast<std::size_t>(kind)] = static_cast<std::int8_t>(strength);
}

Order::Order(const OrderRules& rules, int trump, int level) {
  const bool suited = trump != kNoTrump;
  const bool twos = rules.permanent_twos && level != kTwo;
  Track& high = tracks_[kTrump];
  const auto link_last = [](Track& track, bool linked) {
    if (track.positions >= 2) track.link[static_cast<std::size_t>(track.positions - 2)] = linked;
  };
  for (int suit = kSpades; suit <= kDiamonds; ++suit) {
    const int counts_as = suit == trump ? static_cast<int>(kTrump) : suit;
    int below = -1;
    for (int rank = kTwo; rank <= kAce; ++rank) {
      if (rank == level || (twos && rank == kTwo)) continue;
      put(counts_as, card(suit, rank), rank, false);
      const bool gap = below >= 0 && below < level && level < rank;
      link_last(tracks_[static_cast<std::size_t>(counts_as)],
                below >= 0 && (rules.bridge_level || !gap));
      below = rank;
    }
  }
  // Neighbours first: the trump two stands next to the ace, where aa22 may link it.
  if (twos && suited) {
    const bool ace = level != kAce;
    if (ace && rules.aa22 == Aa22::low) {
      high.low_ace = high.nodes - 1;
      high.low_two = high.nodes;
    }
    put(kTrump, card(trump, kTwo), kTrumpTwo, false);
    link_last(high, ace && rules.aa22 == Aa22::high);
  }
  bool fresh = true;
  const auto put_others = [&](int rank, int strength) {
    fresh = true;
    for (int suit = kSpades; suit <= kDiamonds; ++suit) {
      if (suit == trump) continue;
      put(kTrump, card(suit, rank), strength, !fresh);
      fresh = false;
    }
  };
  if (twos) {
    put_others(kTwo, kOtherTwo);
    link_last(high, false);
  }
  const bool ladder = rules.honours == Honours::ladder;
  if (level != kJokerLevel) {
    put_others(level, kOtherLevel);
    link_last(high, ladder && suited && !twos);
    if (suited) {
      put(kTrump, card(trump, level), kTrumpLevel, false);
      link_last(high, ladder);
    }
  }
  put(kTrump, kSmallJoker, kSmall, false);
  link_last(high, ladder && level != kJokerLevel);
  put(kTrump, kBigJoker, kBig, false);
  link_last(high, rules.honours != Honours::none);
}

}  // namespace arena::tuolaji
