#include <algorithm>
#include <cstdlib>

#include "tuolaji/dealing.hpp"

namespace arena::tuolaji {
namespace {

constexpr std::uint64_t kTieStream = 1ULL << 42;

std::size_t at(Seat seat) { return static_cast<std::size_t>(seat); }

int multiplier(const Rules& rules, int cards) {
  switch (rules.last.multiplier) {
    case Multiplier::cards:
      return cards;
    case Multiplier::cards_min2:
      return std::max(2, cards);
    case Multiplier::pow2_pairs:
      return 2 << std::min(cards / 2, 20);
  }
  return 1;
}

/// What the last trick adds to the attackers' points, the trick's own points apart.
int capture(const Rules& rules, const Table& table, const Trick& last) {
  const Order& order = table.order(rules);
  const auto place =
      static_cast<std::size_t>((last.winner - last.leader + rules.players) % rules.players);
  const Cards cards = unpack(last.cards[place]);
  const int unit = largest_unit(order, cards);
  const bool attackers = Rules::side(last.winner) != Rules::side(table.dealer);
  const int pot = rules.last.pot == Pot::none    ? 0
                  : rules.last.pot == Pot::kitty ? table.kitty.points()
                                                 : last.points;
  if (!attackers) return rules.last.both_sides && unit >= 2 ? -pot * unit : 0;
  if (rules.last.trump_only && common_suit(order, cards) != kTrump) return 0;
  // On the hands the trick's own points have been counted once already.
  return pot * (multiplier(rules, unit) - (rules.last.pot == Pot::hands ? 1 : 0));
}

/// Moves a side up the ladder; says whether it has won the match.
bool climb(const Rules& rules, Table& table, int side, int gain, bool as_dealer) {
  const auto s = static_cast<std::size_t>(side);
  const int start = table.levels[s];
  const auto must = [&](int index) {
    return rules.must_play[static_cast<std::size_t>(rules.ladder.rank(index))];
  };
  if (gain > 0 && must(start) && !as_dealer) return false;
  for (int step = 0; step < gain; ++step) {
    const int index = table.levels[s];
    if (rules.finish.kind == FinishKind::past && index >= rules.finish.index) return true;
    if (index + 1 == rules.ladder.size()) {
      if (rules.finish.kind == FinishKind::reach) return true;
      table.levels[s] = 0;
      ++table.laps[s];
    } else {
      ++table.levels[s];
    }
    if (rules.finish.kind == FinishKind::reach && table.levels[s] >= rules.finish.index) {
      return true;
    }
    if (must(table.levels[s])) return false;
  }
  return false;
}

int height(const Rules& rules, const Table& table, std::size_t side) {
  return table.laps[side] * rules.ladder.size() + table.levels[side];
}

/// The clock is up: the leader wins; -1 for a draw, -2 to play on.
int clock_winner(const Rules& rules, Table& table) {
  const int first = height(rules, table, 0), second = height(rules, table, 1);
  if (first != second) return first > second ? 0 : 1;
  switch (rules.clock_tie) {
    case ClockTie::dealer_side:
      return table.end.winner;  // it deals next
    case ClockTie::lots:
      return static_cast<int>(Rng(derive_seed(table.seed, kTieStream)).below(2));
    case ClockTie::playoff_gain:
      return -2;
    case ClockTie::playoff_at:
      table.levels.fill(rules.playoff_index);
      return -2;
    default:
      return -1;
  }
}

void finish_match(Table& table, int winner, Events* events) {
  table.match_winner = winner;
  table.phase = Phase::over;
  if (events != nullptr) {
    events->push_back(
        public_event("match", kSpectator, winner < 0 ? "drawn" : "side " + std::to_string(winner)));
  }
}

/// Rotation, levels, and the end of the match or the next deal.
void after_hand(const Rules& rules, Table& table, Events* events) {
  const int side = table.end.winner;
  const bool won = climb(rules, table, side, table.end.gain, !table.end.result.change);
  ++table.hand;
  if (!rules.match) {
    table.phase = Phase::over;
    return;
  }
  if (won) return finish_match(table, side, events);
  const int limit = rules.max_hands + (rules.one_more_hand ? 1 : 0);
  if (table.hand >= limit) {
    // A play-off that nobody wins in as many hands again is drawn.
    const int winner = table.hand < 2 * limit ? clock_winner(rules, table) : -1;
    if (winner != -2 || table.hand >= 2 * limit) {
      table.clock_up = true;
      return finish_match(table, winner, events);
    }
  }
  table.dealer = table.first = rules.next(table.dealer, table.end.result.change ? 1 : 2);
  table.redeals = 0;
  table.call_first = false;
  table.end = HandEnd{};
  deal(rules, table, events);
  go_on(rules, table, events);
}

/// Counts the leads of a hand by what they are made of.
void count_leads(const Rules& rules, const Table& table, Tally& tally) {
  const Order& order = table.order(rules);
  for (const Trick& trick : table.tricks) {
    if (trick.failed) tally.add(Count::failed);
    const Cards cards = unpack(trick.cards[0]);
    if (cards.size() == 1) continue;
    const Lead lead = lead_of(order, cards, trick.reading);
    bool tractor = false, bomb = false;
    for (const Shape shape : lead.units) {
      tractor = tractor || shape.tractor();
      bomb = bomb || shape.w >= 4;
    }
    if (tractor) tally.add(Count::tractors);
    if (bomb) tally.add(Count::bombs);
    if (lead.units.size() > 1) tally.add(Count::throws);
  }
}

/// Takes a hand into the tally that ends with this trick.
void count_hand(const Rules& rules, Table& table, const Trick& last) {
  const HandEnd& end = table.end;
  Tally& tally = table.tally;
  const bool attackers = Rules::side(last.winner) != Rules::side(table.dealer);
  const int before = end.points - end.pot - (attackers ? last.points : 0);
  const int pot = std::abs(end.pot);
  tally.add(Count::captured, end.pot);
  tally.add(Count::last, last.points + pot);
  tally.add(Count::stake, 100 * rules.decks + pot);
  if (rules.bands.result(before).change != end.result.change) tally.add(Count::decided);
  count_leads(rules, table, tally);
}

/// Ends the hand with what stands in `end`.
void close_hand(const Rules& rules, Table& table, Events* events) {
  HandEnd& end = table.end;
  end.points = table.points;
  end.gain = rules.gain_cap > 0 ? std::min(end.result.gain, rules.gain_cap) : end.result.gain;
  end.winner = Rules::side(table.dealer) ^ (end.result.change ? 1 : 0);
  Tally& tally = table.tally;
  tally.add(Count::hands);
  tally.add(Count::points, end.points);
  tally.add(Count::takeovers, end.result.change ? 1 : 0);
  tally.add(Count::dealer_levels, end.result.change ? -end.gain : end.gain);
  tally.add(Count::side_levels, end.winner == 0 ? end.gain : -end.gain);
  if (events != nullptr) {
    events->push_back(public_event("kitty", kSpectator, cards_text(table.kitty, ',')));
    events->push_back(public_event(
        "hand", kSpectator,
        "points " + std::to_string(end.points) + ", pot " + std::to_string(end.pot) + ", " +
            (end.result.change ? end.gain > 0 ? "A" + std::to_string(end.gain) : std::string("C")
                               : "D" + std::to_string(end.gain))));
  }
  after_hand(rules, table, events);
}

void finish_hand(const Rules& rules, Table& table, Events* events) {
  const Trick& last = table.tricks.back();
  HandEnd& end = table.end;
  end.pot = capture(rules, table, last);
  table.points += end.pot;
  end.points = table.points;
  end.result = rules.bands.result(table.points);
  count_hand(rules, table, last);
  close_hand(rules, table, events);
}

void finish_trick(const Rules& rules, Table& table, Events* events) {
  Trick& trick = table.trick;
  trick.winner = rules.next(trick.leader, winning_play(rules, table.order(rules), trick));
  for (int i = 0; i < trick.played; ++i) trick.points += unpack(trick.cards[at(i)]).points();
  if (Rules::side(trick.winner) != Rules::side(table.dealer)) table.points += trick.points;
  if (events != nullptr) {
    events->push_back(
        public_event("trick", trick.winner, "points " + std::to_string(trick.points)));
  }
  const Seat winner = trick.winner;
  table.tricks.push_back(trick);
  trick = Trick{};
  trick.leader = winner;
  if (table.hand_of(winner).empty()) finish_hand(rules, table, events);
}

}  // namespace

void play(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events) {
  Trick& trick = table.trick;
  Cards cards = deed.cards;
  if (trick.played == 0) {
    trick.reading = deed.reading;
    if (rules.throwing == Throw::forced_back) {
      const Order& order = table.order(rules);
      std::vector<const Cards*> others;
      for (Seat other = 0; other < rules.players; ++other) {
        if (other != seat) others.push_back(&table.hand_of(other));
      }
      if (const auto forced = forced_unit(rules, order, cards, deed.reading, others)) {
        trick.failed = true;
        trick.thrown = pack(cards);
        trick.reading = 0;
        Cards& known = table.shown[at(seat)];
        each_kind(cards,
                  [&](Kind kind, int count) { known.set(kind, std::max(known[kind], count)); });
        if (events != nullptr) {
          events->push_back(public_event("throw", seat, cards_text(cards)));
        }
        cards = *forced;
      }
    }
  }
  table.hand_of(seat).remove(cards);
  Cards& known = table.shown[at(seat)];
  each_kind(cards, [&](Kind kind, int count) {
    if (known[kind] > 0) known.set(kind, std::max(0, known[kind] - count));
  });
  trick.cards[at(trick.played)] = pack(cards);
  if (table.dead) trick.dead = static_cast<std::uint8_t>(trick.dead | (1U << trick.played));
  table.dead = false;
  ++trick.played;
  if (events != nullptr) {
    std::string text = "play " + cards_text(cards);
    if (trick.played == 1 && trick.reading != 0) text += " as " + reading_text(trick.reading);
    events->push_back(public_event("move", seat, text));
  }
  if (trick.played == rules.players) finish_trick(rules, table, events);
}

void fine(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events) {
  if (events != nullptr) {
    events->push_back(public_event("fine", seat, move_text(encode(deed)).substr(5)));
  }
  const bool dealer_side = table.dealer >= 0 && Rules::side(seat) == Rules::side(table.dealer);
  switch (deed.fine) {
    case Fine::points:
      table.points += dealer_side ? deed.amount : -deed.amount;
      return;
    case Fine::dead:
      table.dead = true;
      return;
    case Fine::silent:
      table.silent = static_cast<std::uint8_t>(table.silent | (1U << seat));
      answer(rules, table, seat, Deed{Verb::pass, {}, 0, 0}, events);
      return;
    case Fine::levels:
    case Fine::step_down:
      break;
  }
  // The hand is over: the other side has won it.
  table.end.result = {dealer_side, deed.fine == Fine::levels ? deed.amount : 0};
  table.end.pot = 0;
  table.trick = Trick{};
  table.pack.clear();
  table.dead = false;
  close_hand(rules, table, events);
}

void Table::apply(const Rules& rules, Seat seat, const Deed& deed, Events* events) {
  if (deed.verb == Verb::fine) {
    fine(rules, *this, seat, deed, events);
  } else if (deed.verb == Verb::play) {
    play(rules, *this, seat, deed, events);
  } else {
    answer(rules, *this, seat, deed, events);
  }
}

}  // namespace arena::tuolaji
