#include <algorithm>

#include "doudizhu/state.hpp"

namespace arena::doudizhu {
namespace {

constexpr std::size_t kLongestText = 128;
constexpr const char* kMoves =
    "a move is pass, bid 1 to bid 3, call, grab, or play and ranks as in play 3334445577";

Illegal refuse(IllegalReason reason, std::string_view text, const std::string& why) {
  std::string shown = "'";
  shown.append(text.substr(0, 60));
  shown += text.size() > 60 ? "…'" : "'";
  return {reason, "", shown + ": " + why};
}

}  // namespace

std::string move_text(const Rules& rules, const Move& move) {
  const auto deed = decode(move);
  if (!deed) return "?";
  switch (deed->verb) {
    case Verb::pass:
      return "pass";
    case Verb::call:
      return "call";
    case Verb::grab:
      return "grab";
    case Verb::bid:
      return "bid " + std::to_string(deed->bid);
    default:
      break;
  }
  std::string text = "play " + deed->play.cards.text();
  if (deed->play.kind < Kind::plane_singles) return text;  // these have no second reading
  const std::vector<Play> known = readings(rules, deed->play.cards);
  if (known.empty() || known.front() == deed->play) return text;
  return text + " as " + Cards::of(deed->play.main()).text();
}

std::variant<Move, Illegal> read_move(const Rules& rules, std::string_view text) {
  if (text.size() > kLongestText) return refuse(IllegalReason::syntax, text, kMoves);
  Deed deed;
  if (text == "pass") deed.verb = Verb::pass;
  if (text == "call") deed.verb = Verb::call;
  if (text == "grab") deed.verb = Verb::grab;
  if (text.size() == 5 && text.starts_with("bid ") && text[4] >= '1' && text[4] <= '3') {
    deed.verb = Verb::bid;
    deed.bid = text[4] - '0';
  }
  if (deed.verb != Verb::none) return encode(deed);
  constexpr std::string_view kPlay = "play ";
  constexpr std::string_view kAs = " as ";
  if (!text.starts_with(kPlay)) return refuse(IllegalReason::syntax, text, kMoves);
  const std::string_view rest = text.substr(kPlay.size());
  const std::size_t as = rest.find(kAs);
  const auto cards = read_cards(rest.substr(0, as));
  if (!cards || cards->empty()) {
    return refuse(IllegalReason::syntax, text,
                  "cards are ranks of one pack, 3456789TJQKA2, B and R for the jokers");
  }
  const std::vector<Play> known = readings(rules, *cards);
  if (known.empty()) {
    return refuse(IllegalReason::not_a_unit, text,
                  cards->text() +
                      " is no type of these rules: single, pair, trio, trio with a "
                      "kicker, straight, chain, plane, four with two, bomb, rocket");
  }
  if (as == std::string_view::npos) return encode(known.front());
  const auto main = read_cards(rest.substr(as + kAs.size()));
  std::string valid;
  for (const Play& play : known) {
    const Cards ranks = Cards::of(play.main());
    // A chain and a plane never have the same main part.
    if (main && *main == ranks) return encode(play);
    valid += (valid.empty() ? "" : ", ") + ranks.text();
  }
  return refuse(IllegalReason::not_a_unit, text,
                cards->text() + " can be read as " + valid + ", not so");
}

std::variant<Move, Illegal> DoudizhuState::parse(Seat, std::string_view text) const {
  return read_move(*rules_, text);
}

std::optional<Illegal> DoudizhuState::refusal(Seat seat, const Move& move) const {
  const auto deed = decode(move);
  if (!deed) return Illegal{IllegalReason::syntax, "", "these bits are no move of this game"};
  const std::string text = move_text(*rules_, move);
  if (table_.phase == Phase::call) {
    if (deed->verb == Verb::play) {
      return refuse(IllegalReason::wrong_phase, text, "the landlord is not known yet");
    }
    int count = 0;
    const auto calls = table_.legal_calls(*rules_, count);
    std::string valid;
    for (int i = 0; i < count; ++i) {
      const Move known = encode(calls[static_cast<std::size_t>(i)]);
      if (known == move) return std::nullopt;
      valid += (i == 0 ? "" : ", ") + move_text(*rules_, known);
    }
    return refuse(IllegalReason::not_a_call, text, "one may answer " + valid);
  }
  if (deed->verb == Verb::pass) {
    if (!table_.leads()) return std::nullopt;
    return refuse(IllegalReason::pass_not_allowed, text, "the leader must play");
  }
  if (deed->verb != Verb::play) {
    return refuse(IllegalReason::wrong_phase, text, "the landlord is known: play cards or pass");
  }
  const std::vector<Play> known = readings(*rules_, deed->play.cards);
  if (std::find(known.begin(), known.end(), deed->play) == known.end()) {
    return refuse(IllegalReason::not_a_unit, text, "these rules know no such layout");
  }
  if (!table_.hand(seat).contains(deed->play.cards)) {
    return refuse(IllegalReason::not_in_hand, text, "the hand is " + table_.hand(seat).text());
  }
  if (!table_.leads() && !beats(deed->play, table_.last)) {
    const std::string kind(kKindText[static_cast<std::size_t>(table_.last.kind)]);
    return refuse(IllegalReason::must_follow, text,
                  "pass, or beat " + table_.last.cards.text() + " with a higher " + kind + " of " +
                      std::to_string(table_.last.cards.size()) + " cards, a bomb or the rocket");
  }
  return std::nullopt;
}

const Menu& DoudizhuState::menu() const {
  if (!cache_.known) {
    cache_.menu = Menu(*rules_, table_.hand(table_.turn), table_.to_beat());
    cache_.known = true;
  }
  return cache_.menu;
}

std::size_t DoudizhuState::move_count(Seat seat) const {
  if (!seats_to_act().contains(seat)) return 0;
  if (table_.phase == Phase::call) {
    int count = 0;
    table_.legal_calls(*rules_, count);
    return static_cast<std::size_t>(count);
  }
  return menu().size() + (table_.leads() ? 0U : 1U);
}

Move DoudizhuState::move_at(Seat, std::size_t index) const {
  if (table_.phase == Phase::call) {
    int count = 0;
    return encode(table_.legal_calls(*rules_, count)[index]);
  }
  return index < menu().size() ? encode(menu().at(static_cast<std::uint32_t>(index))) : pass_move();
}

Move DoudizhuState::sample_move(Seat seat, Rng& rng) const {
  return move_at(seat, rng.below(static_cast<std::uint32_t>(move_count(seat))));
}

Table::After DoudizhuState::advance(const Move& move) {
  cache_.known = false;
  const auto deed = decode(move);
  if (!deed) return Table::After::goes_on;
  if (table_.phase == Phase::call) return table_.apply_call(*rules_, *deed);
  table_.apply_play(*rules_, deed->verb == Verb::play ? &deed->play : nullptr);
  return Table::After::goes_on;
}

void DoudizhuState::play(Seat seat, const Move& move, Events* events) {
  const Table::After after = advance(move);
  if (after == Table::After::dealt_anew) {
    start_ = table_;
    recalled_.clear();
    since_ = history().size();
  }
  if (events == nullptr) return;
  events->push_back(
      {.kind = "move", .seat = seat, .text = move_text(*rules_, move), .redacted = {}});
  if (after == Table::After::landlord_known) {
    events->push_back({.kind = "landlord",
                       .seat = table_.landlord,
                       .text = "kitty " + table_.kitty.text(),
                       .redacted = {}});
  } else if (after == Table::After::dealt_anew) {
    for (Seat to = 0; to < kSeats; ++to) {
      events->push_back({.kind = "deal",
                         .seat = to,
                         .text = table_.hand(to).text(),
                         .audience = SeatSet::of(to),
                         .open = false,
                         .redacted = "17 cards"});
    }
  }
}

void DoudizhuState::recall(const Move& move) {
  recalled_.push_back({table_.turn, move});
  if (advance(move) == Table::After::dealt_anew) {
    start_ = table_;
    recalled_.clear();
  }
}

}  // namespace arena::doudizhu
