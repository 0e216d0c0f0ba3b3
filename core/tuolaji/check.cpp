#include "tuolaji/check.hpp"

#include <algorithm>

namespace arena::tuolaji {
namespace {

Illegal refusal(IllegalReason reason, std::string detail, const Deed& deed,
                const std::string& why) {
  return {reason, std::move(detail), "'" + move_text(encode(deed)) + "': " + why};
}

std::string phase_moves(Phase phase) {
  switch (phase) {
    case Phase::draw:
      return "call, add or pass";
    case Phase::choose:
      return "trump";
    case Phase::rebel:
      return "rebel or pass";
    case Phase::bury:
      return "bury";
    case Phase::rekitty:
      return "call or pass";
    default:
      return "play";
  }
}

bool fits_phase(Phase phase, Verb verb) {
  switch (phase) {
    case Phase::draw:
      return verb == Verb::pass || verb == Verb::call || verb == Verb::add;
    case Phase::choose:
      return verb == Verb::trump;
    case Phase::rebel:
      return verb == Verb::pass || verb == Verb::rebel;
    case Phase::bury:
      return verb == Verb::bury;
    case Phase::rekitty:
      return verb == Verb::pass || verb == Verb::call;
    case Phase::play:
      return verb == Verb::play;
    case Phase::over:
      return false;
  }
  return false;
}

/// Cards that the hand lacks.
Cards missing(const Cards& hand, const Cards& wanted) {
  Cards lack;
  each_kind(wanted, [&](Kind kind, int count) {
    if (count > hand[kind]) lack.add(kind, count - hand[kind]);
  });
  return lack;
}

std::optional<Illegal> refuse_call(const Rules& rules, const Table& table, Seat seat,
                                   const Deed& deed) {
  const std::vector<Call> legal = table.legal_calls(rules, seat);
  const bool add = deed.verb == Verb::add;
  std::string can;
  for (const Call& call : legal) {
    if (call.add == add && call.cards() == deed.cards) return std::nullopt;
    can += (can.empty() ? "" : ", ") + std::string(call.add ? "add " : "call ") +
           cards_text(call.cards());
  }
  return refusal(
      IllegalReason::not_a_call, "standing=" + std::to_string(table.standing().total), deed,
      "not a call of this seat now; it can " + (can.empty() ? "only pass" : can + " or pass"));
}

std::optional<Illegal> refuse_lead(const Rules& rules, const Table& table, Seat seat,
                                   const Deed& deed) {
  const Order& order = table.order(rules);
  const int suit = common_suit(order, deed.cards);
  if (suit < 0) {
    return refusal(IllegalReason::not_a_unit, "suits", deed,
                   "a lead is of one suit, trump counting as one");
  }
  const Track& track = order.track(suit);
  const Held held = track.held(deed.cards);
  if (deed.reading == 0 && as_unit(track, held)) return std::nullopt;
  const std::vector<Reading> all = readings(track, held);
  const Reading* meant = deed.reading == 0 ? &all.front() : nullptr;
  if (deed.reading != 0) {
    // The default reading goes without its name.
    const auto named = reading_tractors(deed.reading);
    for (std::size_t i = 1; i < all.size() && named; ++i) {
      if (all[i].tractors == *named) meant = &all[i];
    }
    if (meant == nullptr) {
      return refusal(IllegalReason::not_a_unit, "reading", deed,
                     "these cards have no such reading beside the default one");
    }
  }
  if (meant->units.size() == 1) return std::nullopt;
  if (rules.throwing == Throw::forbidden) {
    return refusal(IllegalReason::not_a_unit, "units=" + shapes_text(meant->units), deed,
                   "throws are forbidden; lead one unit, these are " + shapes_text(meant->units));
  }
  if (rules.throwing == Throw::safe_only) {
    std::vector<const Cards*> others;
    for (Seat other = 0; other < rules.players; ++other) {
      if (other != seat) others.push_back(&table.hand_of(other));
    }
    if (forced_unit(rules, order, deed.cards, deed.reading, others)) {
      return refusal(IllegalReason::unsafe_throw, "", deed,
                     "only throws that nobody can beat may be led");
    }
  }
  return std::nullopt;
}

std::optional<Illegal> refuse_follow(const Rules& rules, const Table& table, Seat seat,
                                     const Deed& deed) {
  if (deed.reading != 0) {
    return refusal(IllegalReason::not_a_unit, "reading", deed, "only a lead carries a reading");
  }
  const Order& order = table.order(rules);
  const Lead lead = lead_of(order, table.trick);
  const int cards = deed.cards.size();
  if (cards != lead.cards) {
    return refusal(IllegalReason::wrong_count, "need=" + std::to_string(lead.cards), deed,
                   std::to_string(lead.cards) + " cards were led, not " + std::to_string(cards));
  }
  const Cards& hand = table.hand_of(seat);
  if (may_follow(rules, order, lead, hand, deed.cards)) return std::nullopt;
  const Track& track = order.track(lead.suit);
  const int have = track.count(hand);
  const std::string suit = lead.suit == kTrump ? "trump" : std::string(suit_text(lead.suit));
  if (track.count(deed.cards) < std::min(have, cards)) {
    return refusal(IllegalReason::must_follow,
                   "suit=" + suit + " need=" + std::to_string(std::min(have, cards)) +
                       " given=" + std::to_string(track.count(deed.cards)),
                   deed,
                   "the lead is " + suit + " and this hand has " + std::to_string(have) +
                       " of it: play " + std::to_string(std::min(have, cards)) + " of them");
  }
  std::string units;
  for (const Shapes& either : owed(rules, track, lead.units, track.held(hand))) {
    units += (units.empty() ? "" : "|") + shapes_text(either);
  }
  return refusal(IllegalReason::must_follow, "suit=" + suit + " units=" + units, deed,
                 "this hand can and so must play " + units + " in " + suit);
}

}  // namespace

bool may_follow(const Rules& rules, const Order& order, const Lead& lead, const Cards& hand,
                const Cards& cards) {
  const Track& track = order.track(lead.suit);
  const int have = track.count(hand);
  const int given = track.count(cards);
  if (have <= lead.cards) return given == have;
  if (given < lead.cards) return false;
  if (lead.units[0].w == 1) return true;
  const Held held = track.held(hand);
  const Held played = track.held(cards);
  return pays(rules, track, owed(rules, track, lead.units, held), played, held) ||
         stronger(rules, track, lead.units, played);
}

std::optional<Illegal> refuse(const Rules& rules, const Table& table, Seat seat, const Deed& deed) {
  if (!fits_phase(table.phase, deed.verb)) {
    return refusal(IllegalReason::wrong_phase, "", deed,
                   "now it is time for " + phase_moves(table.phase));
  }
  if (deed.verb == Verb::call || deed.verb == Verb::add) {
    return refuse_call(rules, table, seat, deed);
  }
  if (deed.verb == Verb::trump && !table.tied_suits()[static_cast<std::size_t>(deed.suit)]) {
    return refusal(IllegalReason::not_offered, "", deed,
                   "the suit must be one of those with most cards in the kitty");
  }
  if (deed.verb != Verb::bury && deed.verb != Verb::play) return std::nullopt;
  const Cards& hand = table.hand_of(seat);
  if (!hand.contains(deed.cards)) {
    const std::string lack = cards_text(missing(hand, deed.cards));
    return refusal(IllegalReason::not_in_hand, lack, deed, "the hand lacks " + lack);
  }
  if (deed.verb == Verb::bury) {
    if (const int cards = deed.cards.size(); cards != rules.kitty) {
      return refusal(
          IllegalReason::wrong_count, "need=" + std::to_string(rules.kitty), deed,
          "bury " + std::to_string(rules.kitty) + " cards, not " + std::to_string(cards));
    }
    return std::nullopt;
  }
  return table.trick.played == 0 ? refuse_lead(rules, table, seat, deed)
                                 : refuse_follow(rules, table, seat, deed);
}

std::optional<Illegal> refuse_ruling(const Rules& rules, const Table& table, Seat seat,
                                     const Deed& deed) {
  const auto no = [&](const std::string& why) {
    return refusal(IllegalReason::wrong_phase, "", deed, why);
  };
  if (deed.verb != Verb::fine) return no("a ruling is a fine");
  if (!table.to_act(rules).contains(seat)) return no("a fine is for the seat that is to act");
  if (deed.fine == Fine::silent) {
    const bool calling = table.phase == Phase::draw || table.phase == Phase::rekitty;
    if (!calling) return no("only who may call can lose the right to it");
    return std::nullopt;
  }
  if (deed.fine == Fine::dead) {
    if (table.phase != Phase::play) return no("there is no play to be dead");
    return std::nullopt;
  }
  if (table.dealer < 0) return no("the sides' points and levels are not known yet");
  if (deed.fine == Fine::step_down && Rules::side(seat) != Rules::side(table.dealer)) {
    return no("only the dealer's side can step down");
  }
  return std::nullopt;
}

void normalise(const Rules& rules, const Table& table, Seat seat, Deed& deed) {
  if (deed.verb == Verb::call && !rules.bid.token_exact && table.opening) {
    const bool small = rules.bid.token == Token::small_joker || rules.bid.token == Token::any_joker;
    if (small && deed.cards.size() > deed.cards[kSmallJoker] + deed.cards[kBigJoker]) {
      if (deed.cards[kSmallJoker] > 1) deed.cards.set(kSmallJoker, 1);
      if (rules.bid.token == Token::any_joker && deed.cards[kBigJoker] > 0) {
        // Of both, the one that the seat's standing call shows already; else the small one.
        const StandingCall standing = table.standing();
        const bool big = standing.owner == seat && standing.token == kBigJoker;
        const bool other = !big && deed.cards[kSmallJoker] > 0;
        deed.cards.set(kBigJoker, other ? 0 : 1);
        if (!other) deed.cards.set(kSmallJoker, 0);
      }
    }
    const Kind token = rules.bid.token == Token::heart_2       ? card(kHearts, kTwo)
                       : rules.bid.token == Token::turned_card ? table.turned
                                                               : -1;
    if (token >= 0 && deed.cards[token] > 1 && deed.cards.size() > deed.cards[token]) {
      deed.cards.set(token, 1);
    }
  }
  if (deed.verb != Verb::play || deed.reading == 0 || table.phase != Phase::play) return;
  if (table.trick.played > 0) return;
  const Order& order = table.order(rules);
  const int suit = common_suit(order, deed.cards);
  if (suit < 0) return;
  for (Kind kind = 0; kind < kKinds; ++kind) {
    if (deed.cards[kind] > rules.decks) return;
  }
  const Track& track = order.track(suit);
  const auto named = reading_tractors(deed.reading);
  if (named && readings(track, track.held(deed.cards)).front().tractors == *named) deed.reading = 0;
}

}  // namespace arena::tuolaji
