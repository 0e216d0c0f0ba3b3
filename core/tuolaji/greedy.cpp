#include "tuolaji/greedy.hpp"

#include <algorithm>

#include "tuolaji/check.hpp"

namespace arena::tuolaji {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Cards that would be trump if a suit were called, jokers and level cards included.
int trump_length(const View& view, int suit) {
  const int level = view.call_rank();
  const bool twos = view.rules().order_rules.permanent_twos;
  int length = 0;
  each_kind(view.hand(), [&](Kind kind, int count) {
    const bool always = joker(kind) || rank_of(kind) == level || (twos && rank_of(kind) == kTwo);
    if (always || suit_of(kind) == suit) length += count;
  });
  return length;
}

/// The share of all cards that is trump, in percent.
int usual_share(const View& view) {
  const bool twos = view.rules().order_rules.permanent_twos && view.call_rank() != kTwo;
  const int kinds = twos ? 2 + 4 + 4 + 11 : 2 + 4 + 12;
  return 100 * kinds / kKinds;
}

Deed deed_of(const Call& call) { return {call.add ? Verb::add : Verb::call, call.cards(), 0, 0}; }

/// Picks what to bury by the worth of every card, with whole short suits first.
Cards burial(const View& view, int short_bonus, int point_fear) {
  const Order& order = view.order();
  const Cards& hand = view.hand();
  std::array<int, 5> length{};
  each_kind(hand, [&](Kind kind, int count) { length[at(order.suit(kind))] += count; });
  std::vector<std::pair<int, Kind>> costs;
  each_kind(hand, [&](Kind kind, int count) {
    const int suit = order.suit(kind);
    int cost = 10 * keep_value(order, kind) + point_fear * points_of(kind);
    if (suit == kTrump) {
      cost += 200;
    } else {
      cost += short_bonus * length[at(suit)];
      if (rank_of(kind) == kAce) cost += 60;
    }
    if (count > 1) cost += 25 * (count - 1);
    const Track& track = order.track(suit);
    for (int node = 0; node < track.nodes && count > 1; ++node) {
      if (track.kind_of(node) != kind) continue;
      const int place = track.position_of(node);
      const auto paired = [&](int other) {
        return hand[track.kind_of(track.first_node(other))] > 1;
      };
      const bool linked = (place > 0 && track.linked(place - 1) && paired(place - 1)) ||
                          (place + 1 < track.positions && track.linked(place) && paired(place + 1));
      if (linked) cost += 40;
    }
    for (int i = 0; i < count; ++i) costs.emplace_back(cost, kind);
  });
  std::sort(costs.begin(), costs.end());
  Cards buried;
  for (std::size_t i = 0; i < at(view.rules().kitty); ++i) buried.add(costs[i].second);
  return buried;
}

}  // namespace

int keep_value(const Order& order, Kind kind) {
  const int strength = order.strength(kind);
  if (kind == kBigJoker) return 13;
  if (kind == kSmallJoker) return 11;
  return order.suit(kind) == kTrump ? 4 + strength / 3 : strength / 3;
}

void consider_calls(const View& view, std::vector<Option>& out) {
  out.push_back({{Verb::pass, {}, 0, 0}, 0});
  const Cards& hand = view.hand();
  const int size = hand.size();
  const bool again = view.phase() == Phase::rekitty;
  const bool partner_called = view.caller() >= 0 && view.mate(view.caller());
  int longest = 0;
  for (int suit = kSpades; suit <= kDiamonds; ++suit) {
    longest = std::max(longest, trump_length(view, suit));
  }
  for (const Call& call : view.legal_calls()) {
    const bool no_trump = joker(call.kind);
    const int length = trump_length(view, no_trump ? kNoTrump : suit_of(call.kind));
    // Suits of a length that is usual are worth calling; more so where a call brings the deal.
    int margin = 100 * length - usual_share(view) * size;
    if (no_trump) margin = 250 * length - usual_share(view) * size - 400;
    if (!no_trump) margin += 100 - 100 * (longest - length);
    if (view.contested() && !partner_called) margin += 50;
    if (partner_called) margin -= 300;
    if (again) margin -= 400;
    if (call.add) margin = 10;
    // Fewer cards shown, fewer told.
    out.push_back({deed_of(call), margin - call.count});
  }
}

void consider_trumps(const View& view, std::vector<Option>& out) {
  const std::array<bool, 4> tied = view.tied_suits();
  for (int suit = kSpades; suit <= kDiamonds; ++suit) {
    if (tied[at(suit)]) out.push_back({{Verb::trump, {}, suit, 0}, trump_length(view, suit)});
  }
}

void consider_rebellion(const View& view, std::vector<Option>& out) {
  int trumps = view.order().track(kTrump).count(view.hand());
  const bool weak = 130 * trumps < usual_share(view) * view.hand().size();
  out.push_back({{Verb::pass, {}, 0, 0}, 0});
  out.push_back({{Verb::rebel, {}, 0, 0}, weak ? 1 : -1});
}

void consider_burials(const View& view, std::vector<Option>& out) {
  out.push_back({{Verb::bury, burial(view, 10, 8), 0, 0}, 0});
  out.push_back({{Verb::bury, burial(view, 25, 4), 0, 0}, -1});
  out.push_back({{Verb::bury, burial(view, 4, 16), 0, 0}, -2});
  out.push_back({{Verb::bury, burial(view, 25, 0), 0, 0}, -3});
}

void Greedy::consider(const Table& table, Seat seat, Memory& memory) {
  options_.clear();
  if (table.phase == Phase::play) memory.catch_up(rules_, table);
  const View view(rules_, table, seat, memory);
  switch (table.phase) {
    case Phase::draw:
    case Phase::rekitty:
      return consider_calls(view, options_);
    case Phase::choose:
      return consider_trumps(view, options_);
    case Phase::rebel:
      return consider_rebellion(view, options_);
    case Phase::bury:
      return consider_burials(view, options_);
    default:
      return table.trick.played == 0 ? consider_leads(view, options_)
                                     : consider_follows(view, options_);
  }
}

Deed Greedy::choose(const Table& table, Seat seat, Memory& memory) {
  consider(table, seat, memory);
  return std::max_element(options_.begin(), options_.end(),
                          [](const Option& a, const Option& b) { return a.score < b.score; })
      ->deed;
}

std::vector<Deed> Greedy::candidates(const Table& table, Seat seat, Memory& memory, int most) {
  consider(table, seat, memory);
  std::stable_sort(options_.begin(), options_.end(),
                   [](const Option& a, const Option& b) { return a.score > b.score; });
  std::vector<Deed> chosen;
  std::vector<int> kinds;
  // The best of each kind of lead first: others of the kind come to much the same.
  for (const bool repeats : {false, true}) {
    for (const Option& option : options_) {
      if (static_cast<int>(chosen.size()) == most) return chosen;
      const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const Deed& deed) {
        return deed.verb == option.deed.verb && deed.cards == option.deed.cards &&
               deed.suit == option.deed.suit;
      });
      const bool like =
          option.kind != 0 && std::find(kinds.begin(), kinds.end(), option.kind) != kinds.end();
      if (known || (like && !repeats)) continue;
      chosen.push_back(option.deed);
      kinds.push_back(option.kind);
    }
  }
  return chosen;
}

}  // namespace arena::tuolaji
