#include "tuolaji/rules.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "base/text.hpp"

namespace arena::tuolaji {
namespace {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

constexpr Words<bool, 2> kUnits{{{"hand", false}, {"match", true}}};
constexpr Words<bool, 2> kHandDealers{{{"contested", true}, {"drawn", false}}};
constexpr Words<FirstDraw, 3> kFirstDraws{{{"lot", FirstDraw::lot},
                                           {"high_card", FirstDraw::high_card},
                                           {"count_from_turned", FirstDraw::count_from_turned}}};
constexpr Words<bool, 4> kClockEnds{
    {{"stop", false}, {"finish_if_drawn", false}, {"finish_hand", false}, {"plus_one_hand", true}}};
constexpr Words<bool, 2> kPermanent{{{"none", false}, {"2", true}}};
constexpr Words<bool, 2> kBidRanks{{{"level", false}, {"2", true}}};
constexpr Words<Token, 5> kTokens{{{"none", Token::none},
                                   {"small_joker", Token::small_joker},
                                   {"any_joker", Token::any_joker},
                                   {"heart_2", Token::heart_2},
                                   {"turned_card", Token::turned_card}}};
constexpr Words<bool, 2> kOvercalls{{{"more", false}, {"more_or_suit", true}}};
constexpr Words<NoTrump, 3> kNoTrumps{
    {{"off", NoTrump::off}, {"overcall", NoTrump::overcall}, {"any", NoTrump::any}}};
constexpr Words<Reinforce, 3> kReinforces{
    {{"none", Reinforce::none}, {"own", Reinforce::own}, {"side", Reinforce::side}}};
constexpr Words<bool, 2> kFirstDealers{{{"first_caller", true}, {"final_caller", false}}};
constexpr Words<Rebel, 3> kRebels{
    {{"none", Rebel::none}, {"attackers", Rebel::attackers}, {"any", Rebel::any}}};
constexpr Words<Honours, 3> kHonours{
    {{"none", Honours::none}, {"jokers", Honours::jokers}, {"ladder", Honours::ladder}}};
constexpr Words<Aa22, 3> kAa22{{{"off", Aa22::off}, {"low", Aa22::low}, {"high", Aa22::high}}};
constexpr Words<bool, 2> kRuffOrders{{{"class_first", false}, {"trump_first", true}}};
constexpr Words<Throw, 3> kThrows{{{"forbidden", Throw::forbidden},
                                   {"safe_only", Throw::safe_only},
                                   {"forced_back", Throw::forced_back}}};
constexpr Words<bool, 2> kFollowOrders{{{"width_first", false}, {"tractor_first", true}}};
constexpr Words<Pot, 3> kPots{{{"kitty", Pot::kitty}, {"hands", Pot::hands}, {"none", Pot::none}}};
constexpr Words<Multiplier, 3> kMultipliers{{{"cards", Multiplier::cards},
                                             {"cards_min2", Multiplier::cards_min2},
                                             {"pow2_pairs", Multiplier::pow2_pairs}}};
constexpr Words<Review, 3> kReviews{
    {{"none", Review::none}, {"leader", Review::leader}, {"any", Review::any}}};

[[noreturn]] void bad(std::string_view setting, std::string_view value, std::string_view right) {
  throw FieldError(std::string(setting) + ": '" + std::string(value) + "'; " + std::string(right));
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const FieldValue& raw(const Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  if (found == fields.end()) throw FieldError(std::string(name) + ": missing");
  return found->second;
}

std::string text_of(const Fields& fields, std::string_view name, const std::string& otherwise) {
  const FieldValue& value = raw(fields, name);
  if (std::holds_alternative<std::monostate>(value)) return otherwise;
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  throw FieldError(std::string(name) + ": must be text");
}

template <typename Enum, std::size_t N>
Enum choice_or(const Fields& fields, std::string_view name, const Words<Enum, N>& words,
               Enum otherwise) {
  if (std::holds_alternative<std::monostate>(raw(fields, name))) return otherwise;
  return FieldReader(fields).choice(name, words);
}

Ladder read_ladder(std::string_view text) {
  constexpr std::string_view kRight =
      "a ladder is ranks and ranges upwards, as in 2-A or 2+5+10+K+A";
  Ladder ladder;
  for (const std::string_view part : split(text, '+')) {
    const std::vector<std::string_view> ends = split(part, '-');
    const auto low = read_rank(ends.front());
    const auto high = read_rank(ends.back());
    if (ends.size() > 2 || !low || !high || *low > *high ||
        (ends.size() == 2 && *high == kJokerLevel)) {
      bad("levels", text, kRight);
    }
    for (int rank = *low; rank <= *high; ++rank) {
      if (!ladder.ranks.empty() && ladder.ranks.back() >= rank) bad("levels", text, kRight);
      ladder.ranks.push_back(rank);
    }
  }
  return ladder;
}

int ladder_index(const Ladder& ladder, std::string_view setting, std::string_view word) {
  const auto rank = read_rank(word);
  const int index = rank ? ladder.index_of(*rank) : -1;
  if (index < 0) bad(setting, word, "it is no rank of `levels`");
  return index;
}

Finish read_finish(const Ladder& ladder, std::string_view text) {
  if (text == "clock") return {FinishKind::clock, 0};
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() != 2 || (parts[0] != "reach" && parts[0] != "past")) {
    bad("finish", text, "it is reach:RANK, past:RANK or clock");
  }
  return {parts[0] == "reach" ? FinishKind::reach : FinishKind::past,
          ladder_index(ladder, "finish", parts[1])};
}

NobodyCalls read_nobody(std::string_view setting, std::string_view text, bool later, int kitty) {
  constexpr Words<Nobody, 5> kWords{{{"redeal", Nobody::redeal},
                                     {"flip_majority", Nobody::flip_majority},
                                     {"no_trump", Nobody::no_trump},
                                     {"lots", Nobody::lots},
                                     {"choke", Nobody::choke}}};
  NobodyCalls calls;
  bool known = false;
  for (const auto& [word, what] : kWords) {
    if (word != text) continue;
    calls.what = what;
    known = true;
  }
  if (!known && text.substr(0, 5) == "flip:") {
    const auto flip = number(text.substr(5));
    if (flip && *flip >= 1) {
      calls = {Nobody::flip, *flip};
      known = true;
      if (*flip > kitty) bad(setting, text, "the kitty has not so many cards");
    }
  }
  if (!known) bad(setting, text, "it is redeal, flip:K, flip_majority, no_trump, lots or choke");
  if (calls.what == Nobody::flip_majority && kitty == 0) bad(setting, text, "there is no kitty");
  if (calls.what == Nobody::choke && !later) bad(setting, text, "choke is for later hands");
  return calls;
}

CrossShape read_cross(std::string_view text) {
  if (text == "off") return {};
  if (text == "wider") return {Cross::wider, {}};
  CrossShape cross{Cross::listed, {}};
  for (const std::string_view part : split(text, ',')) {
    const std::vector<std::string_view> ends = split(part, '>');
    const auto winner = read_shapes(ends.front());
    const auto loser = read_shapes(ends.back());
    if (ends.size() != 2 || !winner || !loser || winner->size() != 1 || loser->size() != 1 ||
        (*winner)[0].cards() != (*loser)[0].cards()) {
      bad("beat_cross_shape", text, "it is off, wider or pairs of as many cards: 4x1>2x2,3x2>2x3");
    }
    cross.list.emplace_back((*winner)[0], (*loser)[0]);
  }
  return cross;
}

std::vector<FollowTable> read_tables(std::string_view text) {
  std::vector<FollowTable> tables;
  if (text == "none") return tables;
  for (const std::string_view part : split(text, ';')) {
    const std::size_t equals = part.find('=');
    const auto led = read_shapes(part.substr(0, equals));
    if (equals == std::string_view::npos || !led || led->size() != 1) {
      bad("follow_tables", part, "a list is LED=ENTRY>ENTRY>…, as in 4x1=4x1>3x1>any");
    }
    FollowTable table;
    table.led = (*led)[0];
    for (const std::string_view entry : split(part.substr(equals + 1), '>')) {
      if (table.closed) bad("follow_tables", part, "nothing follows 'any'");
      Entry parts;
      for (const std::string_view either : split(entry, '|')) {
        const auto shapes = read_shapes(either);
        if (!shapes) bad("follow_tables", entry, "an entry is units joined by +, as in 2x3+2*2x1");
        if (shapes->cards() > table.led.cards()) {
          bad("follow_tables", entry, "that is more cards than " + shapes_text(*led) + " has");
        }
        parts.push_back(*shapes);
      }
      if (parts.size() > 4) bad("follow_tables", entry, "at most 4 alternatives");
      table.closed = parts.size() == 1 && parts[0].size() == 0;
      table.entries.push_back(std::move(parts));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Bands read_bands(std::string_view text, int decks) {
  Bands bands;
  const int unit = 20 * decks;
  if (text == "standard") {
    bands.from = {{0, {false, 3}},       {5, {false, 2}},       {unit, {false, 1}},
                  {2 * unit, {true, 0}}, {3 * unit, {true, 1}}, {4 * unit, {true, 2}}};
    bands.step = unit;
    return bands;
  }
  constexpr std::string_view kRight =
      "bands are FROM:RESULT in rising order, RESULT Dn, C or An, then /STEP or nothing";
  const std::vector<std::string_view> halves = split(text, '/');
  if (halves.size() > 2) bad("score_bands", text, kRight);
  if (halves.size() == 2) {
    const auto step = number(halves[1]);
    if (!step || *step < 1) bad("score_bands", text, kRight);
    bands.step = *step;
  }
  for (const std::string_view part : split(halves[0], ',')) {
    const std::vector<std::string_view> pair = split(part, ':');
    const auto from = number(pair[0]);
    if (pair.size() != 2 || !from || pair[1].empty()) bad("score_bands", text, kRight);
    const char kind = pair[1].front();
    const auto gain = number(pair[1].substr(1));
    HandResult result;
    if (kind == 'C' && pair[1].size() == 1) {
      result = {true, 0};
    } else if ((kind == 'D' || kind == 'A') && gain && *gain >= 0 && *gain <= 20) {
      result = {kind == 'A', *gain};
    } else {
      bad("score_bands", text, kRight);
    }
    if (!bands.from.empty() &&
        (bands.from.back().first >= *from || (bands.from.back().second.change && !result.change))) {
      bad("score_bands", text, kRight);
    }
    bands.from.emplace_back(*from, result);
  }
  return bands;
}

}  // namespace

HandResult Bands::result(int points) const {
  std::size_t band = 0;
  while (band + 1 < from.size() && from[band + 1].first <= points) ++band;
  HandResult found = from[band].second;
  if (step > 0 && band + 1 == from.size()) found.gain += (points - from[band].first) / step;
  return found;
}

Rules::Rules(const Fields& fields) {
  const FieldReader read(fields);
  match = read.choice("unit", kUnits);
  contested = read.choice("hand_dealer", kHandDealers);
  max_hands = read.integer("max_hands", 1, 1000);
  redeal_limit = read.integer("redeal_limit", 0, 100);
  decks = read.integer("decks", 1, kMostDecks);
  players = read.integer("players", 4, kMostPlayers);
  if (players == 5) throw FieldError("players: 5; it is 4 or 6");
  kitty = read.integer_or("kitty", 0, 60, players == 4 && decks % 2 == 0 ? 8 : 6);
  if ((deck_size() - kitty) % players != 0 || deck_size() - kitty < players) {
    throw FieldError("kitty: " + std::to_string(kitty) + " of " + std::to_string(deck_size()) +
                     " cards leaves no equal hands for " + std::to_string(players));
  }
  if (kitty > hand_size()) throw FieldError("kitty: larger than a hand");
  first_draw = read.choice("first_draw", kFirstDraws);
  ladder = read_ladder(text_of(fields, "levels", "2-A"));
  finish = read_finish(ladder, text_of(fields, "finish", "past:A"));
  if (const std::string must = text_of(fields, "must_play", "none"); must != "none") {
    for (const std::string_view word : split(must, '+')) {
      must_play[static_cast<std::size_t>(ladder.rank(ladder_index(ladder, "must_play", word)))] =
          true;
    }
  }
  if (const std::string levels = text_of(fields, "hand_levels", "start"); levels != "start") {
    const std::vector<std::string_view> pair = split(levels, ':');
    if (pair.size() != 2) bad("hand_levels", levels, "it is start or two ranks, as in 7:5");
    for (std::size_t side = 0; side < 2; ++side) {
      start_levels[side] = ladder_index(ladder, "hand_levels", pair[side]);
    }
  }
  gain_cap = read.integer_or("gain_cap", 1, 20, 0);
  one_more_hand = read.choice("clock_at_end", kClockEnds);
  const std::string tie = text_of(fields, "clock_tie", "dealer_side");
  if (tie.substr(0, 11) == "playoff_at:") {
    clock_tie = ClockTie::playoff_at;
    playoff_index = ladder_index(ladder, "clock_tie", std::string_view(tie).substr(11));
  } else {
    constexpr Words<ClockTie, 5> kTies{{{"dealer_side", ClockTie::dealer_side},
                                        {"playoff_gain", ClockTie::playoff_gain},
                                        {"lots", ClockTie::lots},
                                        {"external", ClockTie::external},
                                        {"draw", ClockTie::draw}}};
    clock_tie = read.choice("clock_tie", kTies);
  }

  bid.hidden = read.boolean("bid_hidden");
  bid.by_two = read.choice("bid_rank", kBidRanks);
  bid.min_cards = read.integer("bid_min_cards", 1, decks);
  bid.token = read.choice("bid_token", kTokens);
  bid.token_exact = read.boolean("bid_token_exact");
  bid.token_open = read.boolean("bid_token_open");
  bid.suit_order = read.choice("bid_overcall", kOvercalls);
  bid.no_trump = read.choice("bid_no_trump", kNoTrumps);
  bid.self_overcall = read.boolean("bid_self_overcall");
  bid.reinforce = read.choice("bid_reinforce", kReinforces);
  bid.first_caller = read.choice("bid_first_dealer", kFirstDealers);
  bid.nobody_first =
      read_nobody("bid_nobody_first", text_of(fields, "bid_nobody_first", "redeal"), false, kitty);
  bid.nobody_later = read_nobody(
      "bid_nobody_later", text_of(fields, "bid_nobody_later", kitty > 0 ? "flip:1" : "redeal"),
      true, kitty);
  bid.rekitty = read.boolean("bid_rekitty");
  bid.rebel = read.choice("bid_rebel", kRebels);
  bid.rebel_points = read.integer("bid_rebel_points", 0, 100);
  if (bid.hidden && bid.suit_order) {
    throw FieldError(
        "bid_overcall: more_or_suit needs bid_hidden = false: hidden suits have no order");
  }
  if (bid.hidden && bid.no_trump != NoTrump::off) {
    throw FieldError("bid_no_trump: must be off where bid_hidden = true");
  }
  if (bid.hidden && bid.rekitty) throw FieldError("bid_rekitty: needs bid_hidden = false");
  if (bid.rekitty && kitty == 0) throw FieldError("bid_rekitty: there is no kitty");

  order_rules.permanent_twos = read.choice("permanent_trump", kPermanent);
  order_rules.bridge_level = read.boolean("shape_bridge_level");
  order_rules.honours = read.choice("shape_honours", kHonours);
  order_rules.aa22 = read.choice("shape_aa22", kAa22);
  if (order_rules.aa22 != Aa22::off && !order_rules.permanent_twos) {
    throw FieldError("shape_aa22: needs permanent_trump = 2");
  }
  cross = read_cross(text_of(fields, "beat_cross_shape", "off"));
  trump_first = read.choice("beat_ruff_order", kRuffOrders);
  throwing = read.choice("throw", kThrows);
  follow.tractor_first = read.choice("follow_order", kFollowOrders);
  follow.split = read.boolean("follow_split");
  follow.tables = read_tables(text_of(fields, "follow_tables", "none"));
  for (const FollowTable& table : follow.tables) {
    if (table.led.w > decks) {
      throw FieldError("follow_tables: a led unit of width " + std::to_string(table.led.w) +
                       " needs more packs than " + std::to_string(decks));
    }
  }

  last.pot = choice_or(fields, "last_pot", kPots, kitty > 0 ? Pot::kitty : Pot::hands);
  last.multiplier = choice_or(fields, "last_multiplier", kMultipliers,
                              decks <= 2 ? Multiplier::pow2_pairs : Multiplier::cards_min2);
  last.trump_only = read.boolean("last_trump_only");
  last.both_sides = read.boolean("last_both_sides");
  if (last.pot == Pot::kitty && kitty == 0) {
    throw FieldError("last_pot: kitty, but there is no kitty");
  }
  bands = read_bands(text_of(fields, "score_bands", "standard"), decks);
  review_last = read.choice("review_last_trick", kReviews);
  review_kitty = read.boolean("review_kitty");
  review_points = read.boolean("review_points");

  orders_.reserve(5 * (kJokerLevel + 1));
  for (int trump = 0; trump <= kNoTrump; ++trump) {
    for (int level = 0; level <= kJokerLevel; ++level) {
      orders_.emplace_back(order_rules, trump, level);
    }
  }
}

}  // namespace arena::tuolaji
