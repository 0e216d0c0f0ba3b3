#include <algorithm>

#include "tuolaji/check.hpp"

namespace arena::tuolaji {
namespace {

constexpr std::size_t kMostListed = 256;
constexpr int kMostVisits = 20000;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Cards cards_of(const Track& track, const Held& nodes) {
  Cards cards;
  for (int node = 0; node < track.nodes; ++node) {
    if (nodes[at(node)] > 0) cards.add(track.kind_of(node), nodes[at(node)]);
  }
  return cards;
}

/// Calls visit(nodes) for every unit that can be made of the cards of a track.
template <typename Visit>
void each_unit(const Track& track, const Held& held, const Visit& visit) {
  int widest = 0;
  for (int node = 0; node < track.nodes; ++node) {
    const int count = held[at(node)];
    widest = std::max(widest, count);
    for (int w = 1; w <= count; ++w) {
      Held nodes{};
      nodes[at(node)] = static_cast<std::int8_t>(w);
      visit(nodes);
    }
  }
  for (int w = 2; w <= widest; ++w) {
    bool found = true;
    for (int l = 2; found && l <= track.positions; ++l) {
      found = false;
      each_run(track, l, [&](const Run& run, int) {
        for (int i = 0; i < l; ++i) {
          if (held[at(run_node(track, run, i))] < w) return false;
        }
        Held nodes{};
        for (int i = 0; i < l; ++i) {
          nodes[at(run_node(track, run, i))] = static_cast<std::int8_t>(w);
        }
        visit(nodes);
        found = true;
        return false;
      });
    }
  }
}

/// Adds `count` cards drawn at random from `from` (which loses them) to `to`.
void draw_some(Cards& from, int count, Cards& to, Rng& rng) {
  int left = from.size();
  for (; count > 0; --count, --left) {
    auto pick = static_cast<int>(rng.below(static_cast<std::uint32_t>(left)));
    for (Kind kind = 0; kind < kKinds; ++kind) {
      pick -= from[kind];
      if (pick >= 0) continue;
      from.remove(kind);
      to.add(kind);
      break;
    }
  }
}

Cards of_suit(const Track& track, const Cards& hand) {
  Cards cards;
  for (int node = 0; node < track.nodes; ++node) {
    cards.set(track.kind_of(node), hand[track.kind_of(node)]);
  }
  return cards;
}

Cards sample_follow(const Rules& rules, const Order& order, const Lead& lead, const Cards& hand,
                    Rng& rng) {
  const Track& track = order.track(lead.suit);
  Cards own = of_suit(track, hand);
  const int have = own.size();
  if (have <= lead.cards) {
    Cards rest = hand;
    rest.remove(own);
    draw_some(rest, lead.cards - have, own, rng);
    return own;
  }
  Cards chosen;
  if (lead.units[0].w > 1) {
    const Held held = track.held(hand);
    const std::vector<Held> above = stronger_units(rules, track, lead.units, held);
    if (!above.empty() && rng.below(4) == 0) {
      return cards_of(track, above[rng.below(static_cast<std::uint32_t>(above.size()))]);
    }
    const Owed debt = owed(rules, track, lead.units, held);
    const Shapes& either = debt[rng.below(static_cast<std::uint32_t>(debt.size()))];
    Fitter fitter(track, held, rules.follow.split ? nullptr : &held);
    if (const auto nodes = fitter.any(either, rng)) chosen = cards_of(track, *nodes);
    own.remove(chosen);
  }
  draw_some(own, lead.cards - chosen.size(), chosen, rng);
  return chosen;
}

/// Any subset of one suit, with any of its readings.
Deed sample_throw(const Order& order, const Cards& hand, Rng& rng) {
  const Track& track = order.track(static_cast<int>(rng.below(5)));
  Deed deed{Verb::play, {}, 0, 0};
  Cards own = of_suit(track, hand);
  const int have = own.size();
  if (have == 0) return deed;
  draw_some(own, 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(have))), deed.cards,
            rng);
  const std::vector<Reading> all = readings(track, track.held(deed.cards));
  const std::uint32_t pick = rng.below(static_cast<std::uint32_t>(all.size()));
  if (pick > 0) deed.reading = reading_code(all[pick].tractors);
  return deed;
}

Deed sample_lead(const Rules& rules, const Table& table, Seat seat, Rng& rng) {
  const Order& order = table.order(rules);
  const Cards& hand = table.hand_of(seat);
  if (rules.throwing != Throw::forbidden && rng.below(8) == 0) {
    Deed deed = sample_throw(order, hand, rng);
    if (!deed.cards.empty() && !refuse(rules, table, seat, deed)) return deed;
  }
  Deed deed{Verb::play, {}, 0, 0};
  std::uint32_t seen = 0;
  Held best{};
  const Track* of = nullptr;
  for (int suit = 0; suit <= kTrump; ++suit) {
    const Track& track = order.track(suit);
    each_unit(track, track.held(hand), [&](const Held& nodes) {
      if (rng.below(++seen) != 0) return;
      best = nodes;
      of = &track;
    });
  }
  if (of != nullptr) deed.cards = cards_of(*of, best);
  return deed;
}

/// Every way to take `count` cards out of `from` on top of `base`, while the budget lasts.
class Subsets {
 public:
  Subsets(const Cards& base, const Cards& from, int count) : chosen_(base), count_(count) {
    each_kind(from, [&](Kind kind, int held) { kinds_.emplace_back(kind, held); });
    after_.assign(kinds_.size() + 1, 0);
    for (std::size_t i = kinds_.size(); i > 0; --i) {
      after_[i - 1] = after_[i] + kinds_[i - 1].second;
    }
  }
  template <typename Visit>
  bool each(const Visit& visit) {
    return go(0, count_, visit);
  }

 private:
  template <typename Visit>
  bool go(std::size_t index, int left, const Visit& visit) {
    if (++visits_ > kMostVisits) return false;
    if (left == 0) return visit(chosen_);
    if (after_[index] < left) return true;
    const auto [kind, held] = kinds_[index];
    for (int take = std::min(held, left); take >= 0; --take) {
      chosen_.add(kind, take);
      const bool more = go(index + 1, left - take, visit);
      chosen_.remove(kind, take);
      if (!more) return false;
    }
    return true;
  }

  Cards chosen_;
  int count_;
  std::vector<std::pair<Kind, int>> kinds_;
  std::vector<int> after_;
  int visits_ = 0;
};

void list_follows(const Rules& rules, const Table& table, Seat seat, Listed& listed) {
  const Order& order = table.order(rules);
  const Lead lead = lead_of(order, table.trick);
  const Cards& hand = table.hand_of(seat);
  const Track& track = order.track(lead.suit);
  const Cards own = of_suit(track, hand);
  const int have = own.size();
  const bool all = have <= lead.cards;
  Cards rest = hand;
  if (all) rest.remove(own);
  const Held held = track.held(hand);
  const Owed debt = all ? Owed{} : owed(rules, track, lead.units, held);
  Subsets subsets(all ? own : Cards(), all ? rest : own, all ? lead.cards - have : lead.cards);
  listed.complete = subsets.each([&](const Cards& cards) {
    if (!all) {
      const Held played = track.held(cards);
      if (!pays(rules, track, debt, played, held) && !stronger(rules, track, lead.units, played)) {
        return true;
      }
    }
    if (listed.moves.size() == kMostListed) return false;
    listed.moves.push_back(encode({Verb::play, cards, 0, 0}));
    return true;
  });
  if (listed.complete || listed.moves.size() >= 16) return;
  Rng rng(static_cast<std::uint64_t>(seat));
  for (int i = 0; i < 32; ++i) {
    const Move move = encode({Verb::play, sample_follow(rules, order, lead, hand, rng), 0, 0});
    if (std::find(listed.moves.begin(), listed.moves.end(), move) == listed.moves.end()) {
      listed.moves.push_back(move);
    }
  }
}

void list_buries(const Rules& rules, const Table& table, Seat seat, Listed& listed) {
  std::vector<Kind> cards;
  const Order& order = table.order(rules);
  each_kind(table.hand_of(seat), [&](Kind kind, int count) {
    cards.insert(cards.end(), static_cast<std::size_t>(count), kind);
  });
  std::stable_sort(cards.begin(), cards.end(), [&](Kind a, Kind b) {
    return std::pair(order.suit(a), order.strength(a)) <
           std::pair(order.suit(b), order.strength(b));
  });
  const auto size = static_cast<std::size_t>(rules.kitty);
  for (std::size_t i = 0; i + size <= cards.size(); ++i) {
    Deed deed{Verb::bury, {}, 0, 0};
    for (std::size_t j = i; j < i + size; ++j) deed.cards.add(cards[j]);
    const Move move = encode(deed);
    if (std::find(listed.moves.begin(), listed.moves.end(), move) == listed.moves.end()) {
      listed.moves.push_back(move);
    }
  }
}

}  // namespace

Deed sample(const Rules& rules, const Table& table, Seat seat, Rng& rng) {
  switch (table.phase) {
    case Phase::draw:
    case Phase::rekitty: {
      if (rng.below(2) == 0) return {Verb::pass, {}, 0, 0};
      const std::vector<Call> legal = table.legal_calls(rules, seat);
      const std::uint32_t pick = rng.below(static_cast<std::uint32_t>(legal.size() + 1));
      if (pick == legal.size()) return {Verb::pass, {}, 0, 0};
      return {legal[pick].add ? Verb::add : Verb::call, legal[pick].cards(), 0, 0};
    }
    case Phase::choose: {
      const Listed listed = list(rules, table, seat);
      return *decode(listed.moves[rng.below(static_cast<std::uint32_t>(listed.moves.size()))]);
    }
    case Phase::rebel:
      return {rng.below(2) == 0 ? Verb::rebel : Verb::pass, {}, 0, 0};
    case Phase::bury: {
      Deed deed{Verb::bury, {}, 0, 0};
      Cards hand = table.hand_of(seat);
      draw_some(hand, rules.kitty, deed.cards, rng);
      return deed;
    }
    default:
      break;
  }
  if (table.trick.played == 0) return sample_lead(rules, table, seat, rng);
  const Order& order = table.order(rules);
  return {Verb::play,
          sample_follow(rules, order, lead_of(order, table.trick), table.hand_of(seat), rng), 0, 0};
}

Listed list(const Rules& rules, const Table& table, Seat seat) {
  Listed listed;
  listed.complete = true;
  switch (table.phase) {
    case Phase::draw:
    case Phase::rekitty:
      listed.moves.push_back(encode({Verb::pass, {}, 0, 0}));
      for (const Call& call : table.legal_calls(rules, seat)) {
        listed.moves.push_back(encode({call.add ? Verb::add : Verb::call, call.cards(), 0, 0}));
      }
      break;
    case Phase::choose:
      for (int suit = kSpades; suit <= kDiamonds; ++suit) {
        const Deed deed{Verb::trump, {}, suit, 0};
        if (!refuse(rules, table, seat, deed)) listed.moves.push_back(encode(deed));
      }
      break;
    case Phase::rebel:
      listed.moves = {encode({Verb::pass, {}, 0, 0}), encode({Verb::rebel, {}, 0, 0})};
      break;
    case Phase::bury:
      listed.complete = false;
      list_buries(rules, table, seat, listed);
      break;
    case Phase::play:
      if (table.trick.played > 0) {
        list_follows(rules, table, seat, listed);
        break;
      }
      listed.complete = rules.throwing == Throw::forbidden;
      for (int suit = 0; suit <= kTrump; ++suit) {
        const Track& track = table.order(rules).track(suit);
        each_unit(track, track.held(table.hand_of(seat)), [&](const Held& nodes) {
          listed.moves.push_back(encode({Verb::play, cards_of(track, nodes), 0, 0}));
        });
      }
      break;
    case Phase::over:
      break;
  }
  return listed;
}

}  // namespace arena::tuolaji
