#include "base/json.hpp"
#include "tuolaji/state.hpp"

namespace arena::tuolaji {
namespace {

void write_cards(JsonWriter& json, const Cards& cards) {
  json.begin_array();
  each_kind(cards, [&](Kind kind, int count) {
    for (int i = 0; i < count; ++i) json.value(card_text(kind));
  });
  json.end_array();
}

void write_trick(JsonWriter& json, const Rules& rules, const Trick& trick) {
  json.begin_object().member("leader", trick.leader).key("plays").begin_array();
  for (int i = 0; i < trick.played; ++i) {
    json.begin_object().member("seat", rules.next(trick.leader, i)).key("cards");
    write_cards(json, unpack(trick.cards[static_cast<std::size_t>(i)]));
    json.key("reading");
    i == 0 && trick.reading != 0 ? json.value(reading_text(trick.reading)) : json.null();
    json.key("thrown");
    if (i == 0 && trick.failed) {
      write_cards(json, unpack(trick.thrown));
    } else {
      json.null();
    }
    json.member("dead", trick.is_dead(i)).end_object();
  }
  json.end_array().key("winner");
  trick.winner >= 0 ? json.value(trick.winner) : json.null();
  json.member("points", trick.points).end_object();
}

bool knows_call(const Rules& rules, const Table& table, const Call& call, Seat viewer) {
  if (!rules.bid.hidden || viewer == call.seat) return true;
  if (rules.bid.reinforce == Reinforce::side && viewer >= 0 &&
      Rules::side(viewer) == Rules::side(call.seat)) {
    return true;
  }
  if (table.phase == Phase::draw) return false;
  // Bidding has closed: the call that stood lies open.
  const StandingCall standing = table.standing();
  return static_cast<std::size_t>(&call - table.calls.data()) >= standing.since;
}

}  // namespace

std::string observe(const Rules& rules, const Table& table, Seat viewer) {
  JsonWriter json;
  json.begin_object();
  json.member("phase", kPhases[static_cast<std::size_t>(table.phase)]);
  json.key("seat");
  viewer == kSpectator ? json.null() : json.value(viewer);
  json.member("unit", rules.match ? "match" : "hand").member("hand", table.hand);
  json.key("levels").begin_array();
  for (const int level : table.levels) json.value(rank_text(rules.ladder.rank(level)));
  json.end_array().key("laps").begin_array();
  for (const int laps : table.laps) json.value(laps);
  json.end_array().key("level");
  table.dealer < 0 ? json.null() : json.value(rank_text(table.level(rules)));
  json.key("dealer");
  table.dealer < 0 ? json.null() : json.value(table.dealer);
  json.member("opening", table.opening).key("turned");
  table.turned < 0 ? json.null() : json.value(card_text(table.turned));
  json.key("trump");
  table.trump < 0 ? json.null() : json.value(suit_text(table.trump));
  json.key("hand_cards");
  write_cards(json, viewer == kSpectator ? Cards() : table.hand_of(viewer));
  json.key("counts").begin_array();
  for (Seat seat = 0; seat < rules.players; ++seat) json.value(table.hand_of(seat).size());
  json.end_array().member("drawn", table.drawn).key("calls").begin_array();
  for (const Call& call : table.calls) {
    json.begin_object().member("seat", call.seat).member("add", call.add).key("cards");
    if (knows_call(rules, table, call, viewer)) {
      write_cards(json, call.cards());
    } else {
      json.null();
    }
    json.member("count", call.count).key("token");
    if (call.token >= 0 && (rules.bid.token_open || knows_call(rules, table, call, viewer))) {
      json.value(card_text(call.token));
    } else {
      json.null();
    }
    json.end_object();
  }
  json.end_array().key("seat_to_act");
  const SeatSet acting = table.to_act(rules);
  const bool open =
      table.phase == Phase::choose || table.phase == Phase::bury || table.phase == Phase::play;
  open ? json.value(acting.lowest()) : json.null();
  json.member("asked", acting.contains(viewer));
  json.key("kitty");
  const bool own_burial = viewer >= 0 && viewer == table.burier && table.phase != Phase::bury;
  if (table.phase == Phase::over || (own_burial && rules.review_kitty)) {
    write_cards(json, table.kitty);
  } else {
    json.null();
  }
  json.member("kitty_count", rules.kitty).key("burier");
  table.burier < 0 ? json.null() : json.value(table.burier);
  json.key("shown").begin_array();
  for (Seat seat = 0; seat < rules.players; ++seat) {
    const Cards& known = table.shown[static_cast<std::size_t>(seat)];
    if (known.empty()) continue;
    json.begin_object().member("seat", seat).key("cards");
    write_cards(json, known);
    json.end_object();
  }
  json.end_array().key("leader");
  table.phase == Phase::play ? json.value(table.trick.leader) : json.null();
  json.key("trick");
  if (table.phase == Phase::play) {
    write_trick(json, rules, table.trick);
  } else {
    json.null();
  }
  json.key("last_trick");
  const bool leads =
      table.phase == Phase::play && table.trick.played == 0 && acting.contains(viewer);
  const bool sees_last =
      rules.review_last == Review::any || (rules.review_last == Review::leader && leads);
  if (sees_last && !table.tricks.empty()) {
    write_trick(json, rules, table.tricks.back());
  } else {
    json.null();
  }
  json.key("tricks").begin_array();
  for (const Trick& trick : table.tricks) write_trick(json, rules, trick);
  json.end_array().key("points");
  rules.review_points || table.phase == Phase::over ? json.value(table.points) : json.null();
  json.key("result");
  if (table.phase == Phase::over) {
    const HandEnd& end = table.end;
    json.begin_object().member("winner", end.winner).member("change", end.result.change);
    json.member("gain", end.gain).member("points", end.points).member("pot", end.pot);
    json.key("match");
    table.match_winner < 0 ? json.null() : json.value(table.match_winner);
    json.end_object();
  } else {
    json.null();
  }
  return json.end_object().take();
}

}  // namespace arena::tuolaji
