#include "tuolaji/state.hpp"

namespace arena::tuolaji {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string seat_text(Seat seat) { return seat < 0 ? "-" : std::to_string(seat); }

std::string packed_text(const Packed& packed) { return cards_text(unpack(packed), ','); }

std::string hands_text(const Rules& rules, const std::array<Cards, kMostPlayers>& hands) {
  std::string text;
  for (Seat seat = 0; seat < rules.players; ++seat) {
    text += (seat > 0 ? "/" : "") + cards_text(hands[at(seat)], ',');
  }
  return text;
}

std::string trick_text(const Trick& trick) {
  std::string text = std::to_string(trick.leader) + ':';
  for (int i = 0; i < trick.played; ++i) {
    if (i > 0) text += '/';
    if (trick.is_dead(i)) text += '!';
    text += packed_text(trick.cards[at(i)]);
    if (i == 0 && trick.reading != 0) text += '~' + reading_text(trick.reading);
    if (i == 0 && trick.failed) text += '<' + packed_text(trick.thrown);
  }
  if (trick.winner >= 0) text += '=' + std::to_string(trick.winner);
  return text;
}

std::string band_text(const HandResult& result) {
  if (result.change && result.gain == 0) return "C";
  return (result.change ? "A" : "D") + std::to_string(result.gain);
}

}  // namespace

std::string write_setup(const Rules& rules, const Table& table) {
  std::string text = "phase=";
  text += kPhases[at(static_cast<int>(table.phase))];
  const auto put = [&](std::string_view key, const std::string& value) {
    text += ' ';
    text += key;
    text += '=';
    text += value;
  };
  put("levels", std::string(rank_text(rules.ladder.rank(table.levels[0]))) + ':' +
                    std::string(rank_text(rules.ladder.rank(table.levels[1]))));
  put("laps", std::to_string(table.laps[0]) + ':' + std::to_string(table.laps[1]));
  put("hand", std::to_string(table.hand));
  put("dealer", seat_text(table.dealer));
  put("contested", table.contested ? "1" : "0");
  put("opening", table.opening ? "1" : "0");
  put("callfirst", table.call_first ? "1" : "0");
  put("seed", std::to_string(table.seed));
  put("deal", std::to_string(table.deal));
  put("redeals", std::to_string(table.redeals));
  put("turned", table.turned < 0 ? "-" : card_text(table.turned));
  std::string calls;
  for (const Call& call : table.calls) {
    Cards cards;
    cards.add(call.kind, call.count);
    calls += (calls.empty() ? "" : ";") + std::to_string(call.seat) + (call.add ? "+:" : ":") +
             cards_text(cards, ',');
    if (call.token >= 0) calls += '*' + card_text(call.token);
  }
  put("calls", calls.empty() ? "-" : calls);
  if (table.phase < Phase::play) {
    put("first", std::to_string(table.first));
    put("turn", std::to_string(table.turn));
    put("ring", std::to_string(table.ring));
    std::string asked;
    for (Seat seat = 0; seat < rules.players; ++seat) {
      asked += (seat > 0 ? "/" : "") + std::to_string(table.asked[at(seat)]);
    }
    put("asked", asked);
    put("drawn", std::to_string(table.drawn));
    std::string pack;
    for (const std::uint8_t kind : table.pack) pack += (pack.empty() ? "" : ",") + card_text(kind);
    put("pack", pack);
  }
  put("flipped", table.flipped ? "1" : "0");
  put("trump", table.trump < 0 ? "-" : std::string(suit_text(table.trump)));
  put("hands", hands_text(rules, table.hands));
  put("kitty", cards_text(table.kitty, ','));
  put("burier", seat_text(table.burier));
  put("shown", hands_text(rules, table.shown));
  put("gave", hands_text(rules, table.gave));
  if (table.silent != 0) put("silent", std::to_string(table.silent));
  if (table.dead) put("dead", "1");
  put("points", std::to_string(table.points));
  if (table.phase >= Phase::play) {
    std::string tricks;
    for (const Trick& trick : table.tricks)
      tricks += (tricks.empty() ? "" : ";") + trick_text(trick);
    put("tricks", tricks.empty() ? "-" : tricks);
    if (table.phase == Phase::play) put("trick", trick_text(table.trick));
  }
  if (table.phase == Phase::over) {
    const HandEnd& end = table.end;
    put("end", std::to_string(end.winner) + ':' + std::to_string(end.points) + ':' +
                   std::to_string(end.pot) + ':' + std::to_string(end.gain) + ':' +
                   band_text(end.result));
    put("match", (table.match_winner < 0 ? "-" : std::to_string(table.match_winner)) +
                     (table.clock_up ? "c" : ""));
  }
  const Tally& tally = table.tally;
  std::string counts;
  for (const int sum : tally.sums) counts += (counts.empty() ? "" : ",") + std::to_string(sum);
  put("tally", seat_text(tally.drawer) + ':' + seat_text(tally.dealer) + ':' + counts);
  return text;
}

}  // namespace arena::tuolaji
