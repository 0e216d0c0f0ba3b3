#include "doudizhu/policy.hpp"

#include <algorithm>

#include "doudizhu/kickers.hpp"

namespace arena::doudizhu {
namespace {

constexpr double kTurn = 10.0;
constexpr double kBomb = 14.0;
constexpr Rank kTen = 7;
constexpr Rank kAce = 11;

bool is_bomb(Kind kind) { return kind == Kind::bomb || kind == Kind::rocket; }

/// The lowest cards that are in no pair, then the lowest of all: what one gives away.
RankSet cheapest(RankSet from, RankSet spare, int number) {
  RankSet out = 0;
  for (RankSet set : {from & spare, from & ~spare}) {
    for (; number > 0 && set != 0; set &= set - 1) {
      out |= set & (~set + 1);
      --number;
    }
  }
  return number == 0 ? out : 0;
}

/// A play of this kind and main part with the cheapest kickers; nothing where they do not fit.
std::optional<Play> with_kickers(const Rules& rules, Cards hand, Kind kind, Rank low, int length) {
  Play play;
  play.kind = kind;
  play.low = static_cast<std::uint8_t>(low);
  play.length = static_cast<std::uint8_t>(length);
  const RankSet main = play.main();
  const RankSet singles = hand.any() & ~main;
  const RankSet pairs = hand.pairs() & ~main;
  const RankSet lone = singles & ~hand.pairs();
  const RankSet just_pairs = pairs & ~hand.trios();
  RankSet kickers = 0;
  switch (kind) {
    case Kind::single:
    case Kind::straight:
    case Kind::rocket:
      play.cards = Cards::of(main);
      return play;
    case Kind::pair:
    case Kind::pair_chain:
      play.cards = Cards::of(main, 2);
      return play;
    case Kind::trio:
    case Kind::trio_chain:
      play.cards = Cards::of(main, 3);
      return play;
    case Kind::bomb:
      play.cards = Cards::of(main, 4);
      return play;
    case Kind::trio_single:
    case Kind::plane_singles:
      kickers = cheapest(singles, lone, length);
      if ((kickers & kJokers) == kJokers && !rules.kicker_both_jokers) return std::nullopt;
      play.cards = Cards::of(main, 3) + Cards::of(kickers);
      break;
    case Kind::trio_pair:
    case Kind::plane_pairs:
      kickers = cheapest(pairs, just_pairs, length);
      play.cards = Cards::of(main, 3) + Cards::of(kickers, 2);
      break;
    case Kind::quad_singles:
      kickers = cheapest(singles, lone, 2);
      if ((kickers & kJokers) == kJokers && !rules.kicker_both_jokers) return std::nullopt;
      play.cards = Cards::of(main, 4) + Cards::of(kickers);
      break;
    case Kind::quad_pairs:
      kickers = cheapest(pairs, just_pairs, 2);
      play.cards = Cards::of(main, 4) + Cards::of(kickers, 2);
      break;
  }
  return kickers == 0 ? std::nullopt : std::optional(play);
}

/// Tricks a hand will win by rank alone, roughly.
double strength(Cards hand) {
  double points = 2.0 * hand[kTwo] + 3.0 * hand[kBlackJoker] + 4.0 * hand[kRedJoker];
  points += 0.7 * hand[kAce] + 4.0 * std::popcount(hand.quads());
  if ((hand.any() & kJokers) == kJokers) points += 1.0;
  return points;
}

}  // namespace

Deed Policy::call(const Table& table) const {
  int count = 0;
  const auto calls = table.legal_calls(*rules_, count);
  const double points = strength(table.hand(table.turn));
  const int worth = points >= 9.0 ? 3 : points >= 7.0 ? 2 : points >= 5.5 ? 1 : 0;
  for (int i = 0; i < count; ++i) {
    const Deed& deed = calls[static_cast<std::size_t>(i)];
    if (deed.verb == Verb::bid && deed.bid == worth) return deed;
    if (deed.verb == Verb::call && worth >= 1) return deed;
    if (deed.verb == Verb::grab && worth >= 3) return deed;
  }
  return calls[static_cast<std::size_t>(count - 1)];
}

const std::vector<Option>& Policy::options(const Table& table) {
  options_.clear();
  const Cards hand = table.hand(table.turn);
  const int before = turns_.of(hand);
  const Menu menu(*rules_, hand, table.to_beat());
  if (!table.leads()) options_.push_back({std::nullopt, kTurn * before});
  menu.each_main([&](Kind kind, Rank low, int length) {
    if (const auto play = with_kickers(*rules_, hand, kind, low, length)) {
      consider(table, *play, before);
    }
  });
  // Kickers that are forced to be equal are not among the cheapest.
  if (options_.empty()) consider(table, menu.at(0), before);
  std::stable_sort(options_.begin(), options_.end(),
                   [](const Option& a, const Option& b) { return a.cost < b.cost; });
  return options_;
}

void Policy::consider(const Table& table, const Play& play, int before) {
  const Cards hand = table.hand(table.turn);
  const Cards rest = hand - play.cards;
  double cost = kTurn * turns_.of(rest);
  if (rest.empty()) cost -= 1000.0;
  // Bombs are kept, whole, until they decide.
  if (!is_bomb(play.kind)) {
    cost += kBomb * (std::popcount(hand.quads()) - std::popcount(rest.quads()));
    if ((hand.any() & kJokers) == kJokers && (rest.any() & kJokers) != kJokers) cost += kBomb;
  } else if (before > 2) {
    cost += kBomb;
  }
  cost += table.leads() ? lead_cost(table, play) : follow_cost(table, play);
  options_.push_back({play, cost});
}

/// Low cards first, many at a time; nothing that an enemy with few cards can take to go out, and
/// what a partner with one card can.
double Policy::lead_cost(const Table& table, const Play& play) const {
  double cost = 0.4 * play.low - 0.3 * play.cards.size();
  const Seat seat = table.turn;
  for (Seat other = 0; other < kSeats; ++other) {
    if (other == seat) continue;
    const int left = table.hand(other).size();
    const bool same_size = left == play.cards.size();
    if (table.partners(seat, other)) {
      // Feeding the partner pays when no enemy sits in between.
      if (left == 1 && play.kind == Kind::single && other == next_seat(seat)) {
        cost -= 25.0 - play.low;
      }
    } else if (left <= 2 && same_size && play.kind <= Kind::pair) {
      cost += 30.0 - 2.0 * play.low;
    }
  }
  return cost;
}

double Policy::follow_cost(const Table& table, const Play& play) const {
  const Seat seat = table.turn;
  const Seat owner = table.last_seat;
  int nearest = kRanks + 5;  // fewest cards among the enemies
  for (Seat other = 0; other < kSeats; ++other) {
    if (!table.partners(seat, other)) nearest = std::min(nearest, table.hand(other).size());
  }
  const bool danger = nearest <= 3;
  double cost = 0;
  if (table.partners(seat, owner)) {
    // The partner holds the lead: leave it there, unless a low play is only being moved along.
    cost += is_bomb(play.kind) ? 60.0 : 9.0;
    if (play.low > kTen) cost += 1.5 * (play.low - kTen);
    if (table.hand(owner).size() <= 3) cost += 15.0;
    const bool landlord_next = next_seat(seat) == table.landlord;
    if (landlord_next && play.kind == Kind::single && table.last.low < kTen &&
        !is_bomb(play.kind)) {
      cost -= 4.0;
    }
    return cost;
  }
  // Taking the lead is worth about a turn; high cards are worth keeping while nobody is close.
  cost -= danger ? 25.0 : 6.0;
  if (!danger && !is_bomb(play.kind) && play.kind <= Kind::trio_pair && play.low >= kAce) {
    cost += 1.5 * (play.low - kAce + 1);
  }
  cost += 0.4 * play.low;
  return cost;
}

}  // namespace arena::doudizhu
