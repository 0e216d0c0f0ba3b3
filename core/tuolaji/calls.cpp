#include <algorithm>

#include "tuolaji/table.hpp"

namespace arena::tuolaji {
namespace {

/// Jokers above level cards, the big one above the small one.
int call_class(Kind kind) { return joker(kind) ? kind - kSmallJoker + 1 : 0; }

/// Whether n cards of a kind stand above a call.
bool above(const Rules& rules, Kind kind, int count, const StandingCall& standing) {
  if (count != standing.total) return count > standing.total;
  const int mine = call_class(kind), theirs = call_class(standing.kind);
  if (mine != theirs) return mine > theirs;
  return rules.bid.suit_order && mine == 0 && count >= 2 && suit_of(kind) < suit_of(standing.kind);
}

}  // namespace

StandingCall Table::standing() const {
  StandingCall standing;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Call& call = calls[i];
    if (call.add) {
      standing.total += call.count;
    } else if (call.seat == standing.owner && call.kind == standing.kind) {
      standing.total += call.count - standing.own;
      standing.own = call.count;
      standing.token = call.token;
    } else {
      standing = {call.seat, call.kind, call.count, call.count, call.token, i};
    }
  }
  return standing;
}

std::vector<Call> Table::legal_calls(const Rules& rules, Seat seat) const {
  std::vector<Call> legal;
  if (((silent >> seat) & 1) != 0) return legal;
  const Bid& bid = rules.bid;
  const Seat whose = contested || dealer < 0 ? seat : dealer;
  const int rank = bid.by_two
                       ? static_cast<int>(kTwo)
                       : rules.ladder.rank(levels[static_cast<std::size_t>(Rules::side(whose))]);
  Cards own = hand_of(seat);
  if (phase == Phase::rekitty) {
    // Cards from the kitty never count.
    const Cards drew = dealt(rules, seat);
    for (Kind kind = 0; kind < kKinds; ++kind) own.set(kind, std::min(own[kind], drew[kind]));
  }
  const StandingCall now = standing();
  const bool standing_call = now.owner >= 0;
  const bool mine = now.owner == seat;

  std::vector<Kind> tokens{-1};
  if (opening && bid.token != Token::none) {
    tokens.clear();
    if (bid.token == Token::heart_2) tokens = {card(kHearts, kTwo)};
    if (bid.token == Token::turned_card) tokens = {turned};
    if (bid.token == Token::small_joker || bid.token == Token::any_joker) tokens = {kSmallJoker};
    if (bid.token == Token::any_joker) tokens.push_back(kBigJoker);
  }
  const auto offer = [&](Kind kind, int count, bool reinforces) {
    for (const Kind token : tokens) {
      // The earlier cards, the token among them, are shown again.
      if (reinforces && token != now.token) continue;
      if (token >= 0 && own[token] < (token == kind ? count + 1 : 1)) continue;
      legal.push_back({seat, false, kind, count, token});
    }
  };

  const auto offer_additions = [&](Kind kind) {
    const bool partner = standing_call && !mine && Rules::side(now.owner) == Rules::side(seat);
    if (!partner || bid.reinforce != Reinforce::side || kind != now.kind) return;
    if (phase != Phase::draw) return;
    int added = 0;
    for (std::size_t i = now.since; i < calls.size(); ++i) {
      if (calls[i].add && calls[i].seat == seat) added += calls[i].count;
    }
    for (int count = 1; count <= own[kind] - added; ++count) {
      legal.push_back({seat, true, kind, count, -1});
    }
  };

  if (rank != kJokerLevel) {
    for (int suit = kSpades; suit <= kDiamonds; ++suit) {
      const Kind kind = card(suit, rank);
      const int have = own[kind];
      for (int count = bid.min_cards; count <= have; ++count) {
        const bool reinforces = mine && kind == now.kind;
        const bool allowed =
            !standing_call ||
            (reinforces ? bid.reinforce != Reinforce::none && count > now.own
                        : (!mine || bid.self_overcall) && above(rules, kind, count, now));
        if (allowed) offer(kind, count, reinforces);
      }
      offer_additions(kind);
    }
  }
  const bool jokers_first =
      bid.no_trump == NoTrump::any || (rank == kJokerLevel && phase == Phase::rekitty);
  if (bid.no_trump != NoTrump::off && (standing_call || jokers_first)) {
    for (Kind kind = kSmallJoker; kind <= kBigJoker; ++kind) {
      for (int count = std::max(2, bid.min_cards); count <= own[kind]; ++count) {
        const bool reinforces = mine && kind == now.kind;
        const bool allowed =
            !standing_call ||
            (reinforces ? bid.reinforce != Reinforce::none && count > now.own
                        : (!mine || bid.self_overcall) && above(rules, kind, count, now));
        if (allowed) legal.push_back({seat, false, kind, count, -1});
      }
      offer_additions(kind);
    }
  }
  return legal;
}

}  // namespace arena::tuolaji
