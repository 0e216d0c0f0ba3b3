#include <algorithm>
#include <charconv>

#include "tuolaji/dealing.hpp"
#include "tuolaji/state.hpp"

namespace arena::tuolaji {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Reads `key=value` words; the first error is kept.
class Reader {
 public:
  Reader(const Rules& rules, std::string_view text) : rules_(rules), text_(text) {}

  std::variant<Table, SetupError> read() {
    split();
    if (error_.empty()) basics();
    if (error_.empty()) bidding();
    if (error_.empty()) cards();
    if (error_.empty()) tricks();
    if (error_.empty()) sense();
    if (error_.empty()) end();
    if (!error_.empty()) return SetupError{"setup: " + error_};
    if (table_.phase == Phase::draw || table_.phase == Phase::rebel ||
        table_.phase == Phase::rekitty) {
      go_on(rules_, table_, nullptr);
    }
    return std::move(table_);
  }

 private:
  void fail(std::string_view key, std::string_view value, std::string_view right) {
    if (!error_.empty()) return;
    error_ =
        std::string(key) + "='" + std::string(value.substr(0, 60)) + "': " + std::string(right);
  }

  static std::vector<std::string_view> parts(std::string_view text, char by) {
    std::vector<std::string_view> out;
    while (true) {
      const std::size_t end = text.find(by);
      out.push_back(text.substr(0, end));
      if (end == std::string_view::npos) return out;
      text.remove_prefix(end + 1);
    }
  }

  void split() {
    static constexpr std::array<std::string_view, 34> kKeys{
        "phase",     "levels", "laps",   "hand",    "dealer", "contested", "opening",
        "callfirst", "seed",   "deal",   "redeals", "first",  "pack",      "drawn",
        "turned",    "calls",  "asked",  "turn",    "ring",   "flipped",   "trump",
        "hands",     "kitty",  "burier", "shown",   "gave",   "points",    "tricks",
        "trick",     "end",    "match",  "tally",   "dead",   "silent"};
    if (text_.size() > 100000) return fail("setup", text_, "too long");
    for (const std::string_view word : parts(text_, ' ')) {
      if (word.empty()) continue;
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos || equals == 0) {
        return fail("word", word, "a set-up is words KEY=VALUE");
      }
      const std::string_view key = word.substr(0, equals);
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
        return fail("word", word, "no such key; see docs/games/tuolaji.md");
      }
      if (!value(key, "").empty()) return fail(key, word, "given twice");
      words_.emplace_back(key, word.substr(equals + 1));
    }
    if (words_.empty()) fail("setup", text_, "empty; give at least phase and hands");
  }

  std::string_view value(std::string_view key, std::string_view otherwise) const {
    for (const auto& [known, text] : words_) {
      if (known == key) return text;
    }
    return otherwise;
  }

  template <typename Number>
  static bool parse(std::string_view text, Number& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return !text.empty() && error == std::errc{} && end == text.data() + text.size();
  }

  int number(std::string_view key, int otherwise, int low, int high) {
    const std::string_view text = value(key, "");
    if (text.empty()) return otherwise;
    int out = otherwise;
    if (!parse(text, out) || out < low || out > high) {
      fail(key, text, std::to_string(low) + " to " + std::to_string(high));
      return otherwise;
    }
    return out;
  }

  Seat seat(std::string_view key, Seat otherwise) {
    if (value(key, "") == "-") return kSpectator;
    return number(key, otherwise, 0, rules_.players - 1);
  }

  Cards card_list(std::string_view key, std::string_view text) {
    Cards cards;
    if (text == "-") return cards;
    for (const std::string_view word : parts(text, ',')) {
      const auto kind = read_card(word);
      if (!kind) {
        fail(key, word, "is no card; cards are S3 H10 CJk BJ, - for none");
        return cards;
      }
      if (cards[*kind] == rules_.decks) {
        fail(key, word, "more of them than packs");
        return cards;
      }
      cards.add(*kind);
    }
    return cards;
  }

  void by_seat(std::string_view key, std::array<Cards, kMostPlayers>& out) {
    const std::string_view text = value(key, "");
    if (text.empty()) return;
    const std::vector<std::string_view> lists = parts(text, '/');
    if (static_cast<int>(lists.size()) != rules_.players) {
      return fail(key, text, "one list of cards a seat, / between");
    }
    for (std::size_t i = 0; i < lists.size(); ++i) out[i] = card_list(key, lists[i]);
  }

  void basics() {
    const std::string_view phase = value("phase", "play");
    bool known = false;
    for (std::size_t i = 0; i < kPhases.size(); ++i) {
      if (kPhases[i] != phase) continue;
      table_.phase = static_cast<Phase>(i);
      known = true;
    }
    if (!known) return fail("phase", phase, "draw, choose, rebel, bury, rekitty, play or over");
    table_.levels = rules_.match ? std::array<int, 2>{} : rules_.start_levels;
    if (const std::string_view levels = value("levels", ""); !levels.empty()) {
      const std::vector<std::string_view> two = parts(levels, ':');
      for (std::size_t side = 0; side < 2; ++side) {
        const auto rank = two.size() == 2 ? read_rank(two[side]) : std::nullopt;
        const int index = rank ? rules_.ladder.index_of(*rank) : -1;
        if (index < 0) return fail("levels", levels, "two ranks of the ladder, as in 2:5");
        table_.levels[side] = index;
      }
    }
    if (const std::string_view laps = value("laps", ""); !laps.empty()) {
      const std::vector<std::string_view> two = parts(laps, ':');
      for (std::size_t side = 0; side < 2; ++side) {
        int lap = 0;
        if (two.size() != 2 || !parse(two[side], lap) || lap < 0 || lap > 1000) {
          return fail("laps", laps, "two numbers, as in 0:1");
        }
        table_.laps[side] = lap;
      }
    }
    table_.hand = number("hand", 0, 0, 100000);
    table_.contested = number("contested", 0, 0, 1) != 0;
    table_.opening = number("opening", 0, 0, 1) != 0;
    table_.call_first = number("callfirst", 0, 0, 1) != 0;
    table_.dealer = seat("dealer", table_.contested ? kSpectator : 0);
    table_.deal = number("deal", 0, 0, 1 << 30);
    table_.redeals = number("redeals", 0, 0, 1 << 20);
    if (const std::string_view seed = value("seed", ""); !seed.empty()) {
      if (!parse(seed, table_.seed)) return fail("seed", seed, "a 64-bit number");
    }
    tally();
    if ((table_.dealer < 0) != (table_.contested && table_.phase == Phase::draw)) {
      fail("dealer", value("dealer", ""), "- while contested in phase draw, a seat otherwise");
    }
    if (table_.contested && table_.phase != Phase::draw && table_.phase != Phase::choose) {
      fail("contested", "1", "only in phases draw and choose");
    }
  }

  /// "DRAWER:DEALER:N,N,…": what has been counted so far, for the statistics.
  void tally() {
    const std::string_view text = value("tally", "");
    if (text.empty()) return;
    Tally& tally = table_.tally;
    constexpr std::string_view kRight = "DRAWER:DEALER:N,N,…, seats or -, as many counts as kept";
    const std::vector<std::string_view> three = parts(text, ':');
    if (three.size() != 3) return fail("tally", text, kRight);
    const auto who = [&](std::string_view word, Seat& seat) {
      if (word == "-") return;
      if (!parse(word, seat) || seat < 0 || seat >= rules_.players) fail("tally", text, kRight);
    };
    who(three[0], tally.drawer);
    who(three[1], tally.dealer);
    const std::vector<std::string_view> counts = parts(three[2], ',');
    if (counts.size() != tally.sums.size()) return fail("tally", text, kRight);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      int& sum = tally.sums[i];
      if (!parse(counts[i], sum) || sum < -100000000 || sum > 100000000) {
        return fail("tally", counts[i], kRight);
      }
    }
  }

  void bidding() {
    table_.first = seat("first", 0);
    table_.turn = seat("turn", 0);
    if (table_.first < 0 || table_.turn < 0) return fail("first", "-", "a seat");
    table_.ring = number("ring", 0, 0, rules_.players);
    table_.flipped = number("flipped", 0, 0, 1) != 0;
    table_.dead = number("dead", 0, 0, 1) != 0;
    table_.silent = static_cast<std::uint8_t>(number("silent", 0, 0, (1 << rules_.players) - 1));
    if (table_.dead && table_.phase != Phase::play) fail("dead", "1", "only in phase play");
    table_.burier = seat("burier", kSpectator);
    if (const std::string_view turned = value("turned", "-"); turned != "-") {
      const auto kind = read_card(turned);
      if (!kind) return fail("turned", turned, "a card");
      table_.turned = *kind;
    }
    if (const std::string_view trump = value("trump", "-"); trump != "-") {
      const auto suit = read_suit(trump);
      if (!suit) return fail("trump", trump, "S, H, C, D, NT or -");
      table_.trump = *suit;
    }
    const bool open = table_.phase == Phase::draw || table_.phase == Phase::choose;
    if (open != (table_.trump < 0)) {
      return fail("trump", value("trump", "-"), "- in phases draw and choose, a suit or NT after");
    }
    if (const std::string_view asked = value("asked", ""); !asked.empty()) {
      const std::vector<std::string_view> list = parts(asked, '/');
      if (static_cast<int>(list.size()) != rules_.players) {
        return fail("asked", asked, "one number a seat, / between");
      }
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (!parse(list[i], table_.asked[i])) return fail("asked", list[i], "a 64-bit number");
      }
    }
    const std::string_view calls = value("calls", "-");
    if (calls == "-") return;
    for (const std::string_view text : parts(calls, ';')) read_call(text);
  }

  /// "0:S2,S2", "1+:S2", "0:S3,SJ": the token is the last card where there are two kinds.
  void read_call(std::string_view text) {
    constexpr std::string_view kRight = "a call is SEAT:CARDS, SEAT+:CARDS, a token after *";
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return fail("calls", text, kRight);
    std::string_view who = text.substr(0, colon);
    Call call;
    if (!who.empty() && who.back() == '+') {
      call.add = true;
      who.remove_suffix(1);
    }
    if (!parse(who, call.seat) || call.seat < 0 || call.seat >= rules_.players) {
      return fail("calls", text, kRight);
    }
    std::string_view cards = text.substr(colon + 1);
    if (const std::size_t star = cards.find('*'); star != std::string_view::npos) {
      const auto token = read_card(cards.substr(star + 1));
      if (!token) return fail("calls", text, kRight);
      call.token = *token;
      cards = cards.substr(0, star);
    }
    const Cards list = card_list("calls", cards);
    if (!error_.empty()) return;
    int kinds = 0;
    each_kind(list, [&](Kind kind, int count) {
      ++kinds;
      call.kind = kind;
      call.count = count;
    });
    if (kinds != 1 || table_.calls.size() > 200) return fail("calls", text, kRight);
    if (call.add && table_.calls.empty())
      return fail("calls", text, "nothing stands to be added to");
    table_.calls.push_back(call);
  }

  bool early() const { return table_.phase < Phase::play; }

  void cards() {
    by_seat("hands", table_.hands);
    by_seat("shown", table_.shown);
    by_seat("gave", table_.gave);
    table_.kitty = card_list("kitty", value("kitty", "-"));
    table_.points = number("points", 0, -1000000, 1000000);
    if (!error_.empty() || !early()) return;
    for (const std::string_view word : parts(value("pack", ""), ',')) {
      const auto kind = read_card(word);
      if (!kind) return fail("pack", word, "is no card");
      table_.pack.push_back(static_cast<std::uint8_t>(*kind));
    }
    if (static_cast<int>(table_.pack.size()) != rules_.deck_size()) {
      return fail("pack", value("pack", "-"), "the whole pack in its order, up to phase rekitty");
    }
    const int to_draw = rules_.deck_size() - rules_.kitty;
    const bool drawing = table_.phase == Phase::draw;
    table_.drawn = number("drawn", drawing ? 0 : to_draw, drawing ? 0 : to_draw, to_draw);
    if (value("hands", "").empty()) {
      for (Seat seat = 0; seat < rules_.players; ++seat) {
        table_.hand_of(seat) = table_.dealt(rules_, seat);
      }
    }
  }

  void read_trick(std::string_view text, bool whole, Trick& trick) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || !parse(text.substr(0, colon), trick.leader) ||
        trick.leader < 0 || trick.leader >= rules_.players) {
      return fail("trick", text, "a trick is LEADER:CARDS/CARDS…");
    }
    text.remove_prefix(colon + 1);
    if (text.empty() && !whole) return;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      if (!whole || !parse(text.substr(equals + 1), trick.winner) || trick.winner < 0 ||
          trick.winner >= rules_.players) {
        return fail("trick", text, "after = stands the seat that won a finished trick");
      }
      text = text.substr(0, equals);
    }
    int size = 0;
    for (std::string_view play : parts(text, '/')) {
      if (trick.played == rules_.players) return fail("trick", text, "more plays than seats");
      if (!play.empty() && play.front() == '!') {
        trick.dead = static_cast<std::uint8_t>(trick.dead | (1U << trick.played));
        play.remove_prefix(1);
      }
      if (trick.played == 0) {
        if (const std::size_t less = play.find('<'); less != std::string_view::npos) {
          trick.failed = true;
          trick.thrown = pack(card_list("trick", play.substr(less + 1)));
          play = play.substr(0, less);
        }
        if (const std::size_t mark = play.find('~'); mark != std::string_view::npos) {
          const auto code = read_reading(play.substr(mark + 1));
          if (!code) return fail("trick", play, "no such reading");
          trick.reading = *code;
          play = play.substr(0, mark);
        }
      }
      const Cards cards = card_list("trick", play);
      if (!error_.empty()) return;
      if (trick.played == 0) size = cards.size();
      if (cards.size() != size || size == 0)
        return fail("trick", play, "as many cards as were led");
      trick.cards[at(trick.played++)] = pack(cards);
    }
    if (whole != (trick.played == rules_.players)) {
      return fail("trick", text,
                  "a finished trick has a play of every seat, a running one has not");
    }
    if (whole) {
      for (int i = 0; i < trick.played; ++i) trick.points += unpack(trick.cards[at(i)]).points();
    }
    // Over: the levels are those after the hand, and no longer those it was played with.
    if (table_.phase == Phase::over && trick.winner >= 0) return;
    const Order& order = table_.order(rules_);
    if (common_suit(order, unpack(trick.cards[0])) < 0) {
      return fail("trick", text, "the lead must be of one suit");
    }
    if (trick.failed && (!unpack(trick.thrown).contains(unpack(trick.cards[0])) ||
                         common_suit(order, unpack(trick.thrown)) < 0)) {
      return fail("trick", text, "a throw contains what is left of it, in one suit");
    }
    if (whole && trick.winner < 0) {
      trick.winner = rules_.next(trick.leader, winning_play(rules_, order, trick));
    }
  }

  void tricks() {
    if (early()) return;
    if (const std::string_view list = value("tricks", "-"); list != "-") {
      for (const std::string_view text : parts(list, ';')) {
        Trick trick;
        read_trick(text, true, trick);
        if (!error_.empty()) return;
        table_.tricks.push_back(trick);
      }
      table_.trick.leader = table_.tricks.back().winner;
    } else {
      table_.trick.leader = table_.dealer;
    }
    if (const std::string_view text = value("trick", "-"); text != "-") {
      table_.trick = Trick{};
      read_trick(text, false, table_.trick);
    }
  }

  /// Counts that must agree, so that play can go on from here.
  void sense() {
    Cards total = table_.kitty;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      total.add(table_.hand_of(seat));
      if (!fits(total)) return;
    }
    if (early()) return sense_early(total);
    for (const Trick& trick : table_.tricks) {
      for (int i = 0; i < trick.played; ++i) {
        total.add(unpack(trick.cards[at(i)]));
        if (!fits(total)) return;
      }
    }
    const Trick& trick = table_.trick;
    for (int i = 0; i < trick.played; ++i) total.add(unpack(trick.cards[at(i)]));
    if (!fits(total) || table_.phase == Phase::over) return;
    const int led = trick.played > 0 ? unpack(trick.cards[0]).size() : 0;
    const int base = table_.hand_of(trick.leader).size() + led;
    for (int i = 0; i < rules_.players; ++i) {
      const int size = table_.hand_of(rules_.next(trick.leader, i)).size();
      if (size + (i < trick.played ? led : 0) != base) {
        return fail("hands", value("hands", "-"), "equal hands, the running trick counted in");
      }
    }
    if (base == 0) fail("hands", value("hands", "-"), "cards to play");
  }

  bool fits(const Cards& total) {
    for (Kind kind = 0; kind < kKinds; ++kind) {
      if (total[kind] > rules_.decks) {
        fail("hands", card_text(kind), "more of them than packs");
        return false;
      }
    }
    return true;
  }

  void sense_early(const Cards& total) {
    Cards whole;
    for (const std::uint8_t kind : table_.pack) {
      if (whole[kind] == rules_.decks) return fail("pack", card_text(kind), "more than packs");
      whole.add(kind);
    }
    const Phase phase = table_.phase;
    const bool taken = phase == Phase::bury || phase == Phase::rekitty;
    if (!taken) {
      for (Seat seat = 0; seat < rules_.players; ++seat) {
        if (!(table_.hand_of(seat) == table_.dealt(rules_, seat))) {
          return fail("hands", value("hands", "-"), "what the pack deals to each seat");
        }
      }
    }
    if (phase == Phase::draw) {
      if (!table_.kitty.empty()) fail("kitty", value("kitty", "-"), "- while drawing");
      return;
    }
    if (!(total == whole))
      return fail("hands", value("hands", "-"), "all the pack, with the kitty");
    if (taken == (table_.burier < 0)) {
      return fail("burier", value("burier", "-"), "a seat in phases bury and rekitty only");
    }
    const bool burying = phase == Phase::bury;
    if (table_.kitty.size() != (burying ? 0 : rules_.kitty)) {
      return fail("kitty", value("kitty", "-"), "the kitty, or - while it is in a hand");
    }
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const int want = rules_.hand_size() + (burying && seat == table_.burier ? rules_.kitty : 0);
      if (table_.hand_of(seat).size() != want) {
        return fail("hands", value("hands", "-"), "full hands, the burier's with the kitty");
      }
    }
    if (taken && rules_.kitty == 0) return fail("phase", value("phase", ""), "there is no kitty");
    if (phase == Phase::choose) {
      int tied = 0;
      for (const bool suit : table_.tied_suits()) tied += suit ? 1 : 0;
      if (tied == 0) fail("kitty", value("kitty", "-"), "suits to choose from");
    }
  }

  void end() {
    const std::string_view text = value("end", "");
    if (table_.phase != Phase::over) return;
    const std::vector<std::string_view> list = parts(text, ':');
    HandEnd& end = table_.end;
    constexpr std::string_view kRight = "WINNER:POINTS:POT:GAIN:BAND, as in 1:85:0:0:C";
    if (list.size() != 5 || !parse(list[0], end.winner) || !parse(list[1], end.points) ||
        !parse(list[2], end.pot) || !parse(list[3], end.gain) || list[4].empty() ||
        end.winner < 0 || end.winner > 1 || end.gain < 0 || end.gain > 1000) {
      return fail("end", text, kRight);
    }
    if (list[4] == "C") {
      end.result = {true, 0};
    } else if ((list[4][0] == 'A' || list[4][0] == 'D') &&
               parse(list[4].substr(1), end.result.gain) && end.result.gain >= 0) {
      end.result.change = list[4][0] == 'A';
    } else {
      return fail("end", text, kRight);
    }
    std::string_view match = value("match", "-");
    if (!match.empty() && match.back() == 'c') {
      table_.clock_up = true;
      match.remove_suffix(1);
    }
    if (match != "-" && (!parse(match, table_.match_winner) || table_.match_winner < 0 ||
                         table_.match_winner > 1)) {
      fail("match", match, "0, 1 or -");
    }
  }

  const Rules& rules_;
  std::string_view text_;
  std::vector<std::pair<std::string_view, std::string_view>> words_;
  std::string error_;
  Table table_;
};

}  // namespace

std::variant<Table, SetupError> read_setup(const Rules& rules, std::string_view text) {
  return Reader(rules, text).read();
}

}  // namespace arena::tuolaji
