#include "tuolaji/engines_view.hpp"

namespace arena::tuolaji {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// An order for the phases in which there is none yet.
const Order& order_or_any(const Rules& rules, const Table& table) {
  const bool known = table.trump >= 0 && table.dealer >= 0;
  return known ? table.order(rules) : rules.order(kNoTrump, rules.ladder.rank(0));
}

}  // namespace

bool Memory::follows(const Table& table) const {
  return table.deal == deal_ && table.hand == hand_ && table.tricks.size() >= tricks_ &&
         (tricks_ == 0 || table.tricks[tricks_ - 1].cards == last_);
}

void Memory::catch_up(const Rules& rules, const Table& table) {
  if (tricks_ == 0 || !follows(table)) {
    played = Cards();
    voids.fill(0);
    led.fill(-1);
    deal_ = table.deal;
    hand_ = table.hand;
    tricks_ = 0;
  }
  for (; tricks_ < table.tricks.size(); ++tricks_) {
    const Trick& trick = table.tricks[tricks_];
    const Order& order = table.order(rules);
    int suit = 0;
    int cards = 0;
    for (int i = 0; i < trick.played; ++i) {
      const Cards own = unpack(trick.cards[at(i)]);
      played.add(own);
      const Seat seat = rules.next(trick.leader, i);
      if (i == 0) {
        suit = common_suit(order, own);
        cards = own.size();
        if (suit != kTrump) led[at(seat)] = static_cast<std::int8_t>(suit);
      } else if (order.track(suit).count(own) < cards) {
        auto& known = voids[at(seat)];
        known = static_cast<std::uint8_t>(known | (1U << suit));
      }
    }
    last_ = trick.cards;
  }
}

View::View(const Rules& rules, const Table& table, Seat seat, const Memory& memory)
    : rules_(rules),
      table_(table),
      seat_(seat),
      memory_(memory),
      order_(order_or_any(rules, table)),
      gone_(memory.played) {
  for (int i = 0; i < table.trick.played; ++i) gone_.add(unpack(table.trick.cards[at(i)]));
  if (table.burier == seat) gone_.add(table.kitty);
}

int View::call_rank() const {
  if (rules_.bid.by_two) return kTwo;
  const Seat whose = table_.contested || table_.dealer < 0 ? seat_ : table_.dealer;
  return rules_.ladder.rank(table_.levels[at(Rules::side(whose))]);
}

Held View::unseen(const Track& track) const {
  Held out{};
  const Cards& own = hand();
  for (int node = 0; node < track.nodes; ++node) {
    const Kind kind = track.kind_of(node);
    out[at(node)] = static_cast<std::int8_t>(rules_.decks - gone_[kind] - own[kind]);
  }
  return out;
}

}  // namespace arena::tuolaji
