#include "doudizhu/state.hpp"

#include <algorithm>

#include "base/json.hpp"

namespace arena::doudizhu {
namespace {

constexpr std::array<std::string_view, 3> kPhases{"call", "play", "over"};

std::string face_text(const Table& table) {
  return std::string(1, kRankText[static_cast<std::size_t>(table.face)]);
}

}  // namespace

DoudizhuState::Log DoudizhuState::log() const {
  Log all = recalled_;
  const auto& moves = history();
  all.insert(all.end(), moves.begin() + static_cast<std::ptrdiff_t>(since_), moves.end());
  return all;
}

Cards DoudizhuState::played_by(Seat seat) const {
  Cards cards;
  for (const Played& played : log()) {
    const auto deed = decode(played.move);
    if (played.seat == seat && deed) cards += deed->play.cards;
  }
  return cards;
}

std::string DoudizhuState::requirements(Seat seat) const {
  if (!seats_to_act().contains(seat)) return "null";
  JsonWriter json;
  json.begin_object();
  if (table_.phase == Phase::call) {
    json.member("must", "call");
  } else if (table_.leads()) {
    json.member("must", "lead");
  } else {
    json.member("must", "beat_or_pass").member("cards", table_.last.cards.text());
    json.member("kind", kKindText[static_cast<std::size_t>(table_.last.kind)]);
  }
  return json.end_object().take();
}

std::vector<std::string> DoudizhuState::roles() const {
  if (table_.landlord < 0) return std::vector<std::string>(kSeats, "player");
  std::vector<std::string> roles(kSeats, "second peasant");
  roles[static_cast<std::size_t>(table_.landlord)] = "landlord";
  roles[static_cast<std::size_t>(next_seat(table_.landlord))] = "first peasant";
  return roles;
}

std::vector<int> DoudizhuState::sides() const {
  if (table_.landlord < 0) return {0, 1, 2};
  std::vector<int> sides(kSeats, 1);
  sides[static_cast<std::size_t>(table_.landlord)] = 0;
  return sides;
}

std::int64_t DoudizhuState::points(Seat seat) const {
  const std::int64_t stake = table_.stake(*rules_);
  const std::int64_t share = seat == table_.landlord ? 2 * stake : -stake;
  return table_.landlord_won() ? share : -share;
}

std::optional<Outcome> DoudizhuState::outcome() const {
  if (table_.phase != Phase::over) return std::nullopt;
  Outcome outcome;
  outcome.termination = table_.passed_out ? Termination::passed_out : Termination::hand_over;
  outcome.roles = roles();
  outcome.sides = sides();
  if (table_.passed_out) {
    outcome.scores.assign(kSeats, 0.5);
    outcome.places.assign(kSeats, 1);
    return outcome;
  }
  const bool landlord_won = table_.landlord_won();
  for (Seat seat = 0; seat < kSeats; ++seat) {
    const bool landlord = seat == table_.landlord;
    outcome.places.push_back(landlord == landlord_won ? 1 : landlord_won ? 2 : 3);
  }
  outcome.scores = scores_from_places(outcome.places);
  outcome.measures = {
      {"landlord_points", static_cast<double>(points(table_.landlord))},
      {"peasant_points", static_cast<double>(points(next_seat(table_.landlord)))},
      {"base", table_.base},
      {"stake", static_cast<double>(table_.stake(*rules_))},
      {"spring", table_.is_spring() ? 1.0 : 0.0},
      {"redeals", table_.deal},
  };
  return outcome;
}

std::string DoudizhuState::observe(Seat viewer) const {
  const Table& table = table_;
  const bool over = table.phase == Phase::over;
  JsonWriter json;
  json.begin_object().member("phase", kPhases[static_cast<std::size_t>(table.phase)]);
  json.key("seat");
  viewer == kSpectator ? json.null() : json.value(viewer);
  json.member("deal", table.deal).member("first", int{table.first}).key("face");
  table.face < 0 ? json.null() : json.value(face_text(table));
  json.key("landlord");
  table.landlord < 0 ? json.null() : json.value(int{table.landlord});
  json.member("base", int{table.base});
  json.key("times").value(static_cast<long long>(table.times));
  json.key("kitty");
  table.landlord < 0 ? json.null() : json.value(table.kitty.text());
  json.member("hand", viewer == kSpectator ? std::string() : table.hand(viewer).text());
  json.key("counts").begin_array();
  Cards held = table.phase == Phase::call || table.passed_out ? table.kitty : Cards();
  for (const Cards cards : table.hands) {
    json.value(cards.size());
    held += cards;
  }
  json.end_array().member("gone", (Cards::pack() - held).text());
  json.key("calls").begin_array();
  const Log moves = log();
  const auto calls = static_cast<std::size_t>(table.calls);
  for (std::size_t i = 0; i < calls; ++i) {
    json.begin_object().member("seat", moves[i].seat);
    json.member("call", move_text(*rules_, moves[i].move)).end_object();
  }
  json.end_array().key("plays").begin_array();
  for (std::size_t i = calls; i < moves.size(); ++i) {
    const auto deed = decode(moves[i].move);
    json.begin_object().member("seat", moves[i].seat).key("cards");
    const bool pass = !deed || deed->verb != Verb::play;
    pass ? json.value("") : json.value(deed->play.cards.text());
    json.key("kind");
    pass ? json.value("pass") : json.value(kKindText[static_cast<std::size_t>(deed->play.kind)]);
    json.end_object();
  }
  json.end_array().key("to_beat");
  if (table.leads() || over) {
    json.null();
  } else {
    json.begin_object().member("seat", int{table.last_seat});
    json.member("cards", table.last.cards.text());
    json.member("kind", kKindText[static_cast<std::size_t>(table.last.kind)]);
    json.member("main", Cards::of(table.last.main()).text()).end_object();
  }
  json.member("passes", int{table.passes}).key("seat_to_act");
  over ? json.null() : json.value(int{table.turn});
  json.key("hands").begin_array();
  if (over) {
    for (const Cards cards : table.hands) json.value(cards.text());
  }
  json.end_array().key("result");
  if (over && !table.passed_out) {
    json.begin_object().member("winner", table.landlord_won() ? "landlord" : "peasants");
    json.member("spring", table.is_spring()).key("points").begin_array();
    for (Seat seat = 0; seat < kSeats; ++seat) {
      json.value(static_cast<long long>(points(seat)));
    }
    json.end_array().end_object();
  } else {
    json.null();
  }
  return json.end_object().take();
}

/// Cards that everybody knows a seat to hold stay where they are; all others are dealt anew.
std::unique_ptr<State> DoudizhuState::resample(Seat viewer, Rng& rng) const {
  auto other = std::make_unique<DoudizhuState>(rules_, start_);
  other->table_ = table_;
  other->recalled_ = log();
  other->start_.seed = other->table_.seed = rng.next();  // it would tell the next deal
  if (table_.phase == Phase::over) return other;

  const bool hidden_kitty = table_.phase == Phase::call;
  std::array<Cards, kSeats> known{};
  std::array<Cards, kSeats> played{};
  Cards pool = hidden_kitty ? table_.kitty : Cards();
  for (Seat seat = 0; seat < kSeats; ++seat) {
    const auto s = static_cast<std::size_t>(seat);
    played[s] = played_by(seat);
    if (seat == viewer) continue;
    Cards shown = seat == table_.landlord ? table_.kitty : Cards();
    if (table_.face >= 0 && seat == table_.first) shown += Cards::of(bit(table_.face));
    for (Rank rank = 0; rank < kRanks; ++rank) {
      const int left = std::max(0, shown[rank] - played[s][rank]);
      known[s] += Cards::of(bit(rank), left);
    }
    pool += table_.hand(seat);
    pool -= known[s];
  }
  std::array<std::uint8_t, 54> cards{};
  std::uint32_t left = 0;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    for (int i = 0; i < pool[rank]; ++i) cards[left++] = static_cast<std::uint8_t>(rank);
  }
  const auto draw = [&](int number) {
    Cards drawn;
    for (; number > 0; --number) {
      const std::uint32_t at = rng.below(left);
      drawn += Cards::of(bit(cards[at]));
      cards[at] = cards[--left];
    }
    return drawn;
  };
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (seat == viewer) continue;
    const auto s = static_cast<std::size_t>(seat);
    const Cards hand = known[s] + draw(table_.hand(seat).size() - known[s].size());
    const bool took_kitty = seat == table_.landlord && start_.phase == Phase::call;
    other->table_.hand(seat) = hand;
    other->start_.hand(seat) = hand + played[s] - (took_kitty ? table_.kitty : Cards());
  }
  if (hidden_kitty) other->start_.kitty = other->table_.kitty = draw(table_.kitty.size());
  return other;
}

}  // namespace arena::doudizhu
