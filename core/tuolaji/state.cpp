#include "tuolaji/state.hpp"

#include "base/json.hpp"

namespace arena::tuolaji {

std::variant<Move, Illegal> TuolajiState::parse(Seat seat, std::string_view text) const {
  auto read = read_move(text);
  if (Illegal* illegal = std::get_if<Illegal>(&read)) return std::move(*illegal);
  Deed& deed = std::get<Deed>(read);
  normalise(*rules_, table_, seat, deed);
  return encode(deed);
}

std::optional<Illegal> TuolajiState::refusal(Seat seat, const Move& move) const {
  const auto deed = decode(move);
  if (!deed) return Illegal{IllegalReason::syntax, "", "these bits are no move of this game"};
  return refuse(*rules_, table_, seat, *deed);
}

const Listed& TuolajiState::listed(Seat seat) const {
  if (!cache_.listed) cache_.listed = list(*rules_, table_, seat);
  return *cache_.listed;
}

std::size_t TuolajiState::move_count(Seat seat) const {
  return seats_to_act().contains(seat) ? listed(seat).moves.size() : 0;
}

Move TuolajiState::move_at(Seat seat, std::size_t index) const { return listed(seat).moves[index]; }

bool TuolajiState::moves_complete(Seat seat) const {
  return !seats_to_act().contains(seat) || listed(seat).complete;
}

Move TuolajiState::sample_move(Seat seat, Rng& rng) const {
  return encode(sample(*rules_, table_, seat, rng));
}

void TuolajiState::play(Seat seat, const Move& move, Events* events) {
  cache_.listed.reset();
  if (const auto deed = decode(move)) table_.apply(*rules_, seat, *deed, events);
}

std::string TuolajiState::requirements(Seat seat) const {
  if (!seats_to_act().contains(seat)) return "null";
  JsonWriter json;
  json.begin_object();
  if (table_.phase == Phase::bury) {
    json.member("must", "bury").member("cards", rules_->kitty);
  } else if (table_.phase == Phase::play && table_.trick.played > 0) {
    const Order& order = table_.order(*rules_);
    const Lead lead = lead_of(order, table_.trick);
    const Track& track = order.track(lead.suit);
    const Cards& hand = table_.hand_of(seat);
    const int have = track.count(hand);
    json.member("must", "follow").member("cards", lead.cards);
    json.member("suit", lead.suit == kTrump ? "trump" : suit_text(lead.suit));
    json.member("have", have)
        .member("led", shapes_text(lead.units))
        .key("suit_cards")
        .begin_array();
    for (int node = 0; node < track.nodes; ++node) {
      const Kind kind = track.kind_of(node);
      for (int i = 0; i < hand[kind]; ++i) json.value(card_text(kind));
    }
    json.end_array().key("units").begin_array();
    if (have > lead.cards) {
      for (const Shapes& either : owed(*rules_, track, lead.units, track.held(hand))) {
        json.value(shapes_text(either));
      }
    }
    json.end_array();
    json.member("stronger", rules_->cross.kind != Cross::off && lead.units.size() == 1);
  } else if (table_.phase == Phase::play) {
    constexpr std::array<std::string_view, 3> kThrows{"forbidden", "safe_only", "forced_back"};
    json.member("must", "lead");
    json.member("throw", kThrows[static_cast<std::size_t>(rules_->throwing)]);
  } else {
    json.member("must", table_.phase == Phase::choose  ? "choose"
                        : table_.phase == Phase::rebel ? "rebel_or_pass"
                                                       : "call_or_pass");
  }
  return json.end_object().take();
}

std::vector<std::string> TuolajiState::roles() const {
  std::vector<std::string> roles;
  const Seat dealer = table_.dealer;
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    roles.emplace_back(dealer < 0                                 ? "player"
                       : seat == dealer                           ? "dealer"
                       : Rules::side(seat) == Rules::side(dealer) ? "partner"
                                                                  : "attacker");
  }
  return roles;
}

std::optional<Outcome> TuolajiState::outcome() const {
  if (table_.phase != Phase::over) return std::nullopt;
  const bool match = rules_->match;
  const int winner = match ? table_.match_winner : table_.end.winner;
  Outcome outcome;
  outcome.termination = !match            ? Termination::hand_over
                        : table_.clock_up ? Termination::hand_limit
                                          : Termination::target_passed;
  outcome.roles = roles();
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    const bool won = Rules::side(seat) == winner;
    outcome.sides.push_back(Rules::side(seat));
    outcome.scores.push_back(winner < 0 ? 0.5 : won ? 1.0 : 0.0);
    outcome.places.push_back(winner < 0 || won ? 1 : 1 + rules_->players / 2);
  }
  const HandEnd& end = table_.end;
  const auto measure = [&](const char* name, int value) {
    outcome.measures.emplace_back(name, value);
  };
  // Of the last hand: points and levels as the attackers see them.
  measure("attackers_points", end.points);
  measure("last_trick_points", end.pot);
  measure("takeover", end.result.change ? 1 : 0);
  measure("attackers_levels", end.result.change ? end.gain : -end.gain);
  measure("dealer_seat", table_.dealer);
  measure("redeals", table_.redeals);
  measure("hands", table_.hand);
  return outcome;
}

}  // namespace arena::tuolaji
