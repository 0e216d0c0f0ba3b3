#include "tuolaji/state.hpp"

#include <algorithm>
#include <tuple>

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

/// Of the listed moves the one of least points, then of the lowest cards; a pass where there is
/// one.
Move TuolajiState::stand_in(Seat seat) const {
  const std::vector<Move>& moves = listed(seat).moves;
  const bool cards = table_.phase == Phase::bury || table_.phase == Phase::play;
  if (!cards) return moves.front();
  const Order& order = table_.order(*rules_);
  const auto cost = [&](const Move& move) {
    int points = 0, strength = 0, count = 0;
    each_kind(decode(move)->cards, [&](Kind kind, int held) {
      points += held * points_of(kind);
      strength += held * (order.strength(kind) + (order.suit(kind) == kTrump ? kRanks : 0));
      count += held;
    });
    return std::tuple(points, strength, count);
  };
  return *std::min_element(moves.begin(), moves.end(),
                           [&](const Move& a, const Move& b) { return cost(a) < cost(b); });
}

std::variant<Move, Illegal> TuolajiState::ruling(Seat seat, std::string_view text) const {
  auto read = read_move(text);
  if (Illegal* illegal = std::get_if<Illegal>(&read)) return std::move(*illegal);
  const Deed& deed = std::get<Deed>(read);
  if (auto refused = refuse_ruling(*rules_, table_, seat, deed)) return std::move(*refused);
  return encode(deed);
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
  // A match is known by who dealt first: who deals last follows from how it went.
  const bool whole_match = rules_->match && table_.over() && table_.tally.dealer >= 0;
  const Seat dealer = whole_match ? table_.tally.dealer : table_.dealer;
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    roles.emplace_back(dealer < 0                                 ? "player"
                       : seat == dealer                           ? "dealer"
                       : Rules::side(seat) == Rules::side(dealer) ? "partner"
                                                                  : "attacker");
  }
  return roles;
}

std::vector<int> TuolajiState::sides() const {
  std::vector<int> sides;
  for (Seat seat = 0; seat < rules_->players; ++seat) sides.push_back(Rules::side(seat));
  return sides;
}

namespace {

/// Numbers of a game that has ended, as docs/games/tuolaji.md lists them. `winner` is a side.
std::vector<std::pair<std::string, double>> measures(const Rules& rules, const Table& table,
                                                     int winner) {
  const Tally& tally = table.tally;
  std::vector<std::pair<std::string, double>> out;
  const auto ratio = [&](const char* name, Count count, Count by) {
    if (tally[by] != 0) out.emplace_back(name, static_cast<double>(tally[count]) / tally[by]);
  };
  ratio("attackers_points", Count::points, Count::hands);
  ratio("takeover", Count::takeovers, Count::hands);
  ratio("dealer_levels", Count::dealer_levels, Count::hands);
  ratio("captured_points", Count::captured, Count::hands);
  ratio("last_trick_share", Count::last, Count::stake);
  ratio("last_trick_decides", Count::decided, Count::hands);
  ratio("trump_length", Count::trumps, Count::calls);
  ratio("redeals", Count::redeals, Count::hands);
  ratio("chokes", Count::chokes, Count::hands);
  ratio("tractors", Count::tractors, Count::hands);
  ratio("bombs", Count::bombs, Count::hands);
  ratio("throws", Count::throws, Count::hands);
  ratio("failed_throws", Count::failed, Count::hands);
  const auto first = [&](const std::string& who, Seat seat) {
    if (seat < 0) return;
    const int side = Rules::side(seat);
    const int levels = tally[Count::side_levels];
    out.emplace_back(who + "_score", winner < 0 ? 0.5 : winner == side ? 1.0 : 0.0);
    out.emplace_back(who + "_levels", side == 0 ? levels : -levels);
  };
  first("first_drawer", tally.drawer);
  if (rules.match) {
    // In a single hand they are the dealer's own numbers.
    first("first_dealer", tally.dealer);
    out.emplace_back("hands", tally[Count::hands]);
  }
  return out;
}

}  // namespace

std::optional<Outcome> TuolajiState::outcome() const {
  if (table_.phase != Phase::over) return std::nullopt;
  const bool match = rules_->match;
  const int winner = match ? table_.match_winner : table_.end.winner;
  Outcome outcome;
  outcome.termination = !match            ? Termination::hand_over
                        : table_.clock_up ? Termination::hand_limit
                                          : Termination::target_passed;
  outcome.roles = roles();
  outcome.sides = sides();
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    const bool won = Rules::side(seat) == winner;
    outcome.scores.push_back(winner < 0 ? 0.5 : won ? 1.0 : 0.0);
    outcome.places.push_back(winner < 0 || won ? 1 : 1 + rules_->players / 2);
  }
  outcome.measures = measures(*rules_, table_, winner);
  return outcome;
}

}  // namespace arena::tuolaji
