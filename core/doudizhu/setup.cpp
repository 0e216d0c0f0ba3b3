#include "base/setup_words.hpp"
#include "doudizhu/state.hpp"

namespace arena::doudizhu {
namespace {

constexpr std::size_t kLongestSetup = 4096;
constexpr int kMostDealt = 17;
constexpr int kMostHand = 20;
constexpr int kMostKitty = 3;

/// "bid2" and "333444555666:345" to the text of the move.
std::string unfolded(std::string_view word) {
  if (word == "pass" || word == "call" || word == "grab") return std::string(word);
  if (word.starts_with("bid")) return "bid " + std::string(word.substr(3));
  const std::size_t colon = word.find(':');
  std::string text = "play " + std::string(word.substr(0, colon));
  if (colon != std::string_view::npos) text += " as " + std::string(word.substr(colon + 1));
  return text;
}

std::string folded(std::string text) {
  if (text.starts_with("play ")) text.erase(0, 5);
  if (text.starts_with("bid ")) text.erase(3, 1);
  if (const std::size_t as = text.find(" as "); as != std::string::npos) text.replace(as, 4, ":");
  return text;
}

class Reader : public SetupWords {
 public:
  Reader(const Rules& rules, std::string_view text)
      : SetupWords(text, {"seed", "deal", "first", "face", "hands", "kitty", "landlord", "base",
                          "times", "made", "log"}),
        rules_(rules) {}

  std::variant<Table, SetupError> read() {
    Table table;
    table.seed = number<std::uint64_t>("seed", 0, 0, ~std::uint64_t{0});
    table.deal = number<std::int32_t>("deal", 0, 0, 20);
    table.first = static_cast<std::int8_t>(number("first", 0, 0, kSeats - 1));
    table.turn = table.first;
    if (!has("hands")) fail({"setup: hands is missing: hands=345/678/9TJ"});
    const auto hands = split(value("hands", ""), '/');
    if (hands.size() != kSeats) fail(wrong("hands", value("hands", ""), "three are wanted, a/b/c"));
    const bool playing = has("landlord");
    Cards all;
    for (std::size_t i = 0; i < hands.size() && i < kSeats; ++i) {
      table.hands[i] = cards("hands", hands[i]);
      const int most = playing ? kMostHand : kMostDealt;
      if (table.hands[i].empty() || table.hands[i].size() > most) {
        fail(wrong("hands", hands[i], "a hand has 1 to " + std::to_string(most) + " cards"));
      }
      take(all, table.hands[i], "hands");
    }
    const std::string_view kitty = value("kitty", "-");
    if (kitty != "-") table.kitty = cards("kitty", kitty);
    if (table.kitty.size() > kMostKitty) fail(wrong("kitty", kitty, "at most 3 cards"));
    playing ? read_play(table) : read_call(table, all);
    if (error()) return *error();
    return table;
  }

 private:
  void read_call(Table& table, Cards all) {
    if (rules_.calling == Calling::fixed) {
      fail({"setup: landlord is missing: under these rules nobody calls"});
    }
    take(all, table.kitty, "kitty");
    for (const std::string_view name : {"base", "times", "made"}) {
      if (has(name)) fail(wrong(name, value(name, ""), "goes with landlord=SEAT"));
    }
    const std::string_view face = value("face", "-");
    if (face == "-") return;
    const Cards shown = cards("face", face);
    if (shown.size() != 1 || !table.hand(table.first).contains(shown)) {
      fail(wrong("face", face, "one card of the first caller's hand, or -"));
      return;
    }
    table.face = static_cast<std::int8_t>(std::countr_zero(shown.any()));
  }

  void read_play(Table& table) {
    table.phase = Phase::play;
    table.landlord = static_cast<std::int8_t>(number("landlord", 0, 0, kSeats - 1));
    table.base = number<std::int32_t>("base", 1, 1, 3);
    table.times = number<std::int64_t>("times", 1, 1, 1'000'000);
    if (!table.hand(table.landlord).contains(table.kitty)) {
      fail(wrong("kitty", value("kitty", "-"), "must be in the landlord's hand; - once it is not"));
    }
    if (has("face")) fail(wrong("face", value("face", ""), "is for the calls only"));
    const auto made = split(value("made", "0/0/0"), '/');
    if (made.size() != kSeats) fail(wrong("made", value("made", ""), "three numbers of plays"));
    for (std::size_t i = 0; i < made.size() && i < kSeats; ++i) {
      table.made[i] = static_cast<std::uint8_t>(parsed<int>("made", made[i], 0, 54));
    }
  }

  void take(Cards& all, Cards more, std::string_view name) {
    for (Rank rank = 0; rank < kRanks; ++rank) {
      if (all[rank] + more[rank] > Cards::pack()[rank]) {
        fail(wrong(
            name, value(name, ""),
            std::string("more than one pack has of ") + kRankText[static_cast<std::size_t>(rank)]));
        return;
      }
    }
    all += more;
  }

  Cards cards(std::string_view name, std::string_view text) {
    const auto found = read_cards(text);
    if (!found) fail(wrong(name, text, "ranks of one pack, 3456789TJQKA2BR"));
    return found.value_or(Cards());
  }

  const Rules& rules_;
};

}  // namespace

std::string DoudizhuState::setup() const {
  std::string text = "seed=" + std::to_string(start_.seed) +
                     " deal=" + std::to_string(start_.deal) +
                     " first=" + std::to_string(start_.first);
  if (start_.phase == Phase::play) {
    text += " landlord=" + std::to_string(start_.landlord) +
            " base=" + std::to_string(start_.base) + " times=" + std::to_string(start_.times) +
            " made=" + std::to_string(start_.made[0]) + '/' + std::to_string(start_.made[1]) + '/' +
            std::to_string(start_.made[2]);
  } else {
    text += " face=";
    text += start_.face < 0 ? '-' : kRankText[static_cast<std::size_t>(start_.face)];
  }
  text += " hands=";
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (seat > 0) text += '/';
    text += start_.hand(seat).text();
  }
  text += " kitty=" + (start_.kitty.empty() ? std::string("-") : start_.kitty.text()) + " log=";
  const Log moves = log();
  for (const Played& played : moves) {
    if (&played != moves.data()) text += '.';
    text += folded(move_text(*rules_, played.move));
  }
  if (moves.empty()) text += '-';
  return text;
}

std::variant<std::unique_ptr<State>, SetupError> read_setup(
    const std::shared_ptr<const Rules>& rules, std::string_view text) {
  if (text.size() > kLongestSetup) return SetupError{"setup: longer than 4096 bytes"};
  Reader reader(*rules, text);
  auto read = reader.read();
  if (SetupError* error = std::get_if<SetupError>(&read)) return std::move(*error);
  auto state = std::make_unique<DoudizhuState>(rules, std::get<Table>(read));
  const std::string_view log = reader.value("log", "-");
  if (log == "-") return state;
  for (const std::string_view word : split(log, '.')) {
    const auto move = read_move(*rules, unfolded(word));
    if (const Illegal* illegal = std::get_if<Illegal>(&move)) {
      return SetupWords::wrong("log", word, illegal->message);
    }
    if (const auto illegal = state->check(state->table().turn, std::get<Move>(move))) {
      return SetupWords::wrong("log", word, illegal->message);
    }
    state->recall(std::get<Move>(move));
  }
  return state;
}

}  // namespace arena::doudizhu
