#include <algorithm>

#include "base/setup_words.hpp"
#include "siguo/state.hpp"

namespace arena::siguo {
namespace {

constexpr std::size_t kLongestSetup = 16'384;
constexpr std::string_view kFallLetters = ".fntr";
constexpr std::string_view kResultLetters = "><0";

std::string home_letter(const Rules& rules, Seat seat) {
  return std::string(1, kHomeLetters[idx(rules.home(seat))]);
}

std::optional<RankSet> read_ranks(std::string_view text) {
  RankSet ranks = 0;
  for (const char letter : text) {
    const std::size_t rank = kRankLetters.find(letter);
    if (rank == std::string_view::npos) return std::nullopt;
    ranks |= bit(static_cast<Rank>(rank));
  }
  return ranks;
}

std::uint8_t usual_seen(const Position& position, Unit unit) {
  return static_cast<std::uint8_t>((1U << army_of(unit)) | (1U << position.owner[unit]));
}

class Reader : SetupWords {
 public:
  Reader(const Rules& rules, std::string_view text)
      : SetupWords(text, {"phase", "turn", "ply", "quiet", "out", "timeouts", "S", "E", "N", "W",
                          "fights"}),
        rules_(rules) {
    if (!any()) fail({"setup: empty; such as S=" + layout_text(book_layout(0)) + " …"});
  }

  std::variant<Position, SetupError> read() {
    const std::string_view phase = value("phase", "play");
    if (phase != "play" && phase != "layout") fail(wrong("phase", phase, "layout or play"));
    for (int home = 0; home < kHomes; ++home) {
      const std::string_view name = kHomeLetters.substr(idx(home), 1);
      if (rules_.seat_of_home(home) < 0 && has(name)) {
        fail(wrong(name, value(name, ""), "nobody sits there under these rules"));
      }
    }
    phase == "layout" ? read_layouts() : read_play();
    if (error()) return *error();
    return position_;
  }

 private:
  void read_layouts() {
    for (const std::string_view name : {"turn", "ply", "quiet", "out", "timeouts", "fights"}) {
      if (has(name)) fail(wrong(name, value(name, ""), "goes with phase=play"));
    }
    for (Seat seat = 0; seat < rules_.seats; ++seat) {
      const std::string name = home_letter(rules_, seat);
      const std::string_view text = value(name, "-");
      if (text != "-") place(seat, name, text);
    }
    if (error()) return;
    if (position_.placed.size() == rules_.seats) position_.begin(rules_);
  }

  void place(Seat seat, std::string_view name, std::string_view text) {
    const auto layout = read_layout(text);
    if (!layout) return fail(wrong(name, text, "no line-up: six rows of five, camps as points"));
    if (const auto fault = layout_fault(*layout)) return fail(wrong(name, text, fault->message));
    position_.place(rules_, seat, *layout);
  }

  void read_play() {
    position_.placing = false;
    position_.turn = static_cast<std::uint8_t>(number("turn", 0, 0, rules_.seats - 1));
    position_.quiet = static_cast<std::uint16_t>(number("quiet", 0, 0, 50'000));
    position_.ply = number<std::uint32_t>("ply", position_.quiet, position_.quiet, 1'000'000'000);
    read_falls();
    for (Seat seat = 0; seat < rules_.seats; ++seat) {
      const std::string name = home_letter(rules_, seat);
      const std::string_view text = value(name, "-");
      if (text.find('/') != std::string_view::npos) {
        place(seat, name, text);
        if (error()) return;
        for (int slot = 0; slot < kSlots; ++slot) {
          put(unit_of(seat, slot), position_.start[unit_of(seat, slot)], name);
        }
      } else if (text != "-") {
        for (const std::string_view word : split(text, ',')) read_unit(seat, name, word);
      }
    }
    if (error()) return;
    read_timeouts();
    if (const std::string_view text = value("fights", "-"); text != "-") {
      for (const std::string_view word : split(text, '.')) read_fight(word);
    }
    if (error()) return;
    position_.index(rules_);
    position_.settle(rules_);
  }

  void read_falls() {
    const std::string_view text = value("out", "-");
    if (text == "-") return;
    for (const std::string_view word : split(text, '.')) {
      const std::size_t reason =
          word.size() == 2 ? kFallLetters.find(word[1], 1) : std::string_view::npos;
      const int seat = word.size() == 2 ? word[0] - '0' : -1;
      if (reason == std::string_view::npos || seat < 0 || seat >= rules_.seats ||
          !position_.in(seat) || position_.fallen + 1 >= rules_.seats) {
        return fail(wrong("out", text,
                          "seats in the order in which they fell, not all, each with "
                          "f (flag), n (no move), t (time-outs) or r (resigned): 1n.3f"));
      }
      position_.fall[idx(seat)] = static_cast<Fall>(reason);
      position_.fell[position_.fallen++] = static_cast<std::uint8_t>(seat);
    }
  }

  void read_timeouts() {
    const std::string_view text = value("timeouts", "-");
    if (text == "-") return;
    const auto parts = split(text, '/');
    if (static_cast<int>(parts.size()) != rules_.seats) {
      return fail(wrong("timeouts", text, "one number a seat, as 0/0/2/0"));
    }
    for (Seat seat = 0; seat < rules_.seats; ++seat) {
      const int most = std::max(0, rules_.timeout_limit - (position_.in(seat) ? 1 : 0));
      position_.timeouts[idx(seat)] =
          static_cast<std::uint8_t>(parsed("timeouts", parts[idx(seat)], 0, most));
    }
  }

  void put(Unit unit, Node node, std::string_view name) {
    if (position_.at[node] != kNobody) {
      return fail(wrong(name, node_name(node), "two units on one point"));
    }
    if (!position_.in(position_.owner[unit]) && rules_.eliminated != Eliminated::stay) {
      return fail(wrong(name, node_name(node), "its seat is out and has no units on the board"));
    }
    position_.at[node] = unit;
    position_.where[unit] = node;
  }

  /// RANK START [@NODE | x] [+MOVES] [=RANKS] [!SEATS] [>OWNER]
  void read_unit(Seat seat, std::string_view name, std::string_view word) {
    const std::string_view whole = word;
    const auto bad = [&](const char* why) { fail(wrong(name, whole, why)); };
    Position& p = position_;
    if (p.size[idx(seat)] == kSlots) return bad("more than 25 units");
    const Unit unit = unit_of(seat, p.size[idx(seat)]);
    const std::size_t rank =
        word.empty() ? std::string_view::npos : kRankLetters.find(word.front());
    if (rank == std::string_view::npos) return bad("a unit begins with its rank, F123456789MB");
    word.remove_prefix(1);
    p.rank[unit] = static_cast<Rank>(rank);
    int same = 0;
    for (Unit other = unit_of(seat, 0); other <= unit; ++other) {
      same += p.rank[other] == rank ? 1 : 0;
    }
    if (same > kArmy[rank]) return bad("an army has fewer of this rank");
    if (word.starts_with('-')) {
      word.remove_prefix(1);
    } else {
      const auto node = rules_.board.find(word.substr(0, std::min<std::size_t>(3, word.size())));
      if (!node || home_of(*node) != rules_.home(seat) || is_camp(*node)) {
        return bad("then where it began: a point of its home that is no camp, or -");
      }
      for (Unit other = unit_of(seat, 0); other < unit; ++other) {
        if (p.start[other] == *node) return bad("two units began on one point");
      }
      if ((may_begin(*node) & bit(p.rank[unit])) == 0) return bad("this rank may not begin there");
      p.start[unit] = *node;
      word.remove_prefix(3);
    }
    p.owner[unit] = static_cast<std::uint8_t>(seat);
    ++p.size[idx(seat)];

    Node node = p.start[unit];
    bool gone = false;
    std::optional<RankSet> could;
    std::optional<std::uint8_t> seen;
    while (!word.empty()) {
      const char mark = word.front();
      const std::size_t end = std::min(word.find_first_of("@x+=!>", 1), word.size());
      const std::string_view part = word.substr(1, end - 1);
      word.remove_prefix(end);
      if (mark == 'x' && part.empty()) {
        gone = true;
      } else if (mark == '@') {
        const auto found = rules_.board.find(part);
        if (!found) return bad("@ and a point of the board");
        node = *found;
      } else if (mark == '+') {
        p.moves[unit] = static_cast<std::uint16_t>(parsed(name, part, 1, 0xFFFF));
        if ((bit(p.rank[unit]) & kRooted) != 0) return bad("mines and flags never move");
      } else if (mark == '=' && !could) {
        could = read_ranks(part);
        if (!could || (*could & bit(p.rank[unit])) == 0)
          return bad("= and ranks, its own among them");
      } else if (mark == '!' && !seen) {
        seen = read_seats(part);
        if (!seen) return bad("! and the seats that know it");
      } else if (mark == '>' && rules_.eliminated == Eliminated::to_captor && !p.in(seat)) {
        p.owner[unit] = static_cast<std::uint8_t>(parsed(name, part, 0, rules_.seats - 1));
      } else {
        return bad("after the start come @NODE or x, +MOVES, =RANKS, !SEATS, >OWNER");
      }
    }
    if (error()) return;
    if (!gone) {
      if (node == kNowhere) return bad("it began nowhere and stands nowhere: -@S35 or -x");
      if (p.start[unit] != kNowhere && node != p.start[unit] && p.moves[unit] == 0) {
        return bad("away from its start it has moved: +1");
      }
      put(unit, node, name);
    }
    const RankSet usual = p.usual(rules_, unit);
    p.could[unit] = could.value_or(usual);
    if ((p.could[unit] & ~usual) != 0)
      return bad("= has ranks that its start or its moves exclude");
    const std::uint8_t least = usual_seen(p, unit);
    p.seen[unit] = seen.value_or(least);
    if ((p.seen[unit] & least) != least) bad("! has its army and its owner among the seats");
  }

  std::optional<std::uint8_t> read_seats(std::string_view text) const {
    std::uint8_t seats = 0;
    for (const char digit : text) {
      if (digit < '0' || digit >= '0' + rules_.seats) return std::nullopt;
      seats |= static_cast<std::uint8_t>(1U << (digit - '0'));
    }
    return seats;
  }

  /// PLY:ATTACKERxDEFENDER@NODE and > < or 0, then a, d where that death could have shown a flag.
  void read_fight(std::string_view word) {
    const auto bad = [&](const char* why) { fail(wrong("fights", word, why)); };
    if (position_.fought == kMostFights) return bad("too many fights");
    const std::size_t colon = word.find(':'), cross = word.find('x'), place = word.find('@');
    if (colon == std::string_view::npos || cross == std::string_view::npos ||
        place == std::string_view::npos || colon > cross || cross > place ||
        word.size() < place + 5) {
      return bad("PLY:UNITxUNIT@POINT and > < or 0, as 12:31x56@C22>d");
    }
    Fight fight;
    fight.ply = static_cast<std::uint16_t>(parsed("fights", word.substr(0, colon), 0, 0xFFFF));
    fight.attacker = unit(word.substr(colon + 1, cross - colon - 1));
    fight.defender = unit(word.substr(cross + 1, place - cross - 1));
    const auto node = rules_.board.find(word.substr(place + 1, 3));
    const std::size_t result = kResultLetters.find(word[place + 4]);
    if (error()) return;
    if (!node || result == std::string_view::npos) return bad("a point and > < or 0");
    fight.at = *node;
    fight.result = static_cast<Result>(result);
    const Rank a = position_.rank[fight.attacker], d = position_.rank[fight.defender];
    if (army_of(fight.attacker) == army_of(fight.defender) || (bit(a) & kRooted) != 0 ||
        position_.moves[fight.attacker] == 0 || rules_.combat(a, d) != fight.result) {
      return bad("these two do not fight, or not with this result");
    }
    const bool lost_a = fight.result != Result::attacker;
    const bool lost_d = fight.result != Result::defender;
    if ((lost_a && !lose(fight.attacker)) || (lost_d && !lose(fight.defender))) {
      return bad("the loser is on the board, or was lost before");
    }
    fight.flag_taken = lost_d && d == kFlag;
    for (const char mark : word.substr(place + 5)) {
      bool& told = mark == 'a' ? fight.told_attacker : fight.told_defender;
      const bool may = mark == 'a' ? lost_a : mark == 'd' && lost_d && !fight.flag_taken;
      if (!may || told || !rules_.commander_reveals_flag)
        return bad("a, d: whose loss may show a flag");
      told = true;
    }
    position_.fights[position_.fought++] = fight;
  }

  Unit unit(std::string_view text) {
    const auto found = static_cast<Unit>(parsed("fights", text, 0, kUnits - 1));
    if (!error() && found % kSlots >= position_.size[idx(army_of(found))]) {
      fail(wrong("fights", text, "no such unit: 25 times the seat, and its number there"));
    }
    return found;
  }

  bool lose(Unit unit) {
    if (position_.alive(unit) || lost_[unit]) return false;
    return lost_[unit] = true;
  }

  const Rules& rules_;
  Position position_;
  std::array<bool, kUnits> lost_{};
};

std::string unit_text(const Rules& rules, const Position& p, Unit unit) {
  std::string text(1, kRankLetters[p.rank[unit]]);
  text += p.start[unit] == kNowhere ? "-" : node_name(p.start[unit]);
  if (!p.alive(unit)) {
    text += 'x';
  } else if (p.where[unit] != p.start[unit]) {
    text += '@' + node_name(p.where[unit]);
  }
  if (p.moves[unit] > 0) text += '+' + std::to_string(p.moves[unit]);
  if (p.could[unit] != p.usual(rules, unit)) text += '=' + ranks_text(p.could[unit]);
  if (p.seen[unit] != usual_seen(p, unit)) {
    text += '!';
    for (Seat seat = 0; seat < rules.seats; ++seat) {
      if ((p.seen[unit] >> seat & 1) != 0) text += static_cast<char>('0' + seat);
    }
  }
  if (p.owner[unit] != army_of(unit)) text += '>' + std::to_string(p.owner[unit]);
  return text;
}

std::string placed_text(const Position& position, Seat seat) {
  if (!position.placed.contains(seat)) return "-";
  Layout layout{};
  for (int slot = 0; slot < kSlots; ++slot) {
    layout[idx(slot)] = position.rank[unit_of(seat, slot)];
  }
  return layout_text(layout);
}

}  // namespace

std::string write_setup(const Rules& rules, const Position& position) {
  std::string text;
  if (position.placing) {
    text = "phase=layout";
    for (Seat seat = 0; seat < rules.seats; ++seat) {
      text += ' ' + home_letter(rules, seat) + '=' + placed_text(position, seat);
    }
    return text;
  }
  text = "turn=" + std::to_string(position.turn) + " ply=" + std::to_string(position.ply) +
         " quiet=" + std::to_string(position.quiet) + " out=";
  for (std::uint8_t i = 0; i < position.fallen; ++i) {
    const std::uint8_t seat = position.fell[i];
    if (i > 0) text += '.';
    text += std::to_string(seat);
    text += kFallLetters[static_cast<std::size_t>(position.fall[seat])];
  }
  if (position.fallen == 0) text += '-';
  text += " timeouts=";
  for (Seat seat = 0; seat < rules.seats; ++seat) {
    if (seat > 0) text += '/';
    text += std::to_string(position.timeouts[idx(seat)]);
  }
  for (Seat seat = 0; seat < rules.seats; ++seat) {
    text += ' ' + home_letter(rules, seat) + '=';
    for (int number = 0; number < position.size[idx(seat)]; ++number) {
      if (number > 0) text += ',';
      text += unit_text(rules, position, unit_of(seat, number));
    }
    if (position.size[idx(seat)] == 0) text += '-';
  }
  text += " fights=";
  for (std::uint8_t i = 0; i < position.fought; ++i) {
    const Fight& fight = position.fights[i];
    if (i > 0) text += '.';
    text += std::to_string(fight.ply) + ':' + std::to_string(fight.attacker) + 'x' +
            std::to_string(fight.defender) + '@' + node_name(fight.at) +
            kResultLetters[static_cast<std::size_t>(fight.result)];
    if (fight.told_attacker) text += 'a';
    if (fight.told_defender) text += 'd';
  }
  if (position.fought == 0) text += '-';
  return text;
}

std::string SiguoState::setup() const { return write_setup(*rules_, position_); }

std::variant<std::unique_ptr<State>, SetupError> read_setup(
    const std::shared_ptr<const Rules>& rules, std::string_view text) {
  if (text.size() > kLongestSetup) return SetupError{"setup: longer than 16384 bytes"};
  auto read = Reader(*rules, text).read();
  if (SetupError* error = std::get_if<SetupError>(&read)) return std::move(*error);
  return std::make_unique<SiguoState>(rules, std::get<Position>(read));
}

}  // namespace arena::siguo
