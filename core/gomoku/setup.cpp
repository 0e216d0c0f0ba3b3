// The setup text: one line of key=value items that holds a whole position.
#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.hpp"
#include "gomoku/state.hpp"

namespace arena::gomoku {
namespace {

constexpr std::string_view kKeys[] = {"black",  "white",   "seats",        "phase",
                                      "move",   "last",    "passes",       "declared",
                                      "offers", "claimed", "false_claims", "result"};
constexpr Termination kEnds[] = {
    Termination::five,        Termination::forbidden,  Termination::forbidden_claimed,
    Termination::false_claim, Termination::board_full, Termination::two_passes,
    Termination::move_limit,  Termination::no_move};

bool draws(Termination end) {
  return end == Termination::board_full || end == Termination::two_passes ||
         end == Termination::move_limit;
}

/// Carries the first error out of the reader's small steps; caught in read_setup.
struct Wrong {
  std::string message;
};

[[noreturn]] void wrong(std::string_view key, const std::string& why) {
  throw Wrong{"setup, " + std::string(key) + ": " + why};
}

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 40)) {
    out += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '?' : c;
  }
  return out + (text.size() > 40 ? "…'" : "'");
}

/// A stone of a row that wins, or -1.
Point point_of_five(const Context& context, const Board& board) {
  Point found = -1;
  Board scratch = board;
  for (const Colour colour : {Colour::black, Colour::white}) {
    board.stones(colour).each([&](Point p) {
      scratch.take(colour, p);
      if (context.judge.verdict(scratch, colour, p).five) found = p;
      scratch.put(colour, p);
    });
  }
  return found;
}

class Reader {
 public:
  Reader(const Context& context, std::string_view text) : context_(context) {
    for (const std::string_view item : split(text, ' ')) {
      if (item.empty()) continue;
      const std::size_t equals = item.find('=');
      const std::string_view key = item.substr(0, equals);
      if (equals == std::string_view::npos ||
          std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) {
        std::string keys;
        for (const std::string_view known : kKeys) keys += " " + std::string(known);
        throw Wrong{"setup: " + quoted(item) + " is not key=value with one of the keys" + keys};
      }
      if (!items_.emplace(key, item.substr(equals + 1)).second) wrong(key, "given twice");
    }
  }

  Position read() {
    const int size = context_.rules.size;
    Position position(size);
    for (const Colour colour : {Colour::black, Colour::white}) {
      for (const Point p : points(word(colour))) {
        if (!position.board.empty(p)) {
          wrong(word(colour), point_text(p, size) + " already has a stone");
        }
        position.board.put(colour, p);
      }
    }
    const std::string_view seats = get("seats", "bw");
    if (seats != "bw" && seats != "wb") {
      wrong("seats", quoted(seats) + "; say bw (seat 0 is black) or wb");
    }
    if (seats == "wb") position.seat_of = {1, 0};

    read_result(position);
    const Phase phase = read_phase(position);
    read_turn(position, phase);
    read_history(position);
    read_offers(position, phase);
    if (phase == Phase::main) require_no_five(position.board);
    return position;
  }

 private:
  std::string_view get(std::string_view key, std::string_view standard) const {
    const auto found = items_.find(key);
    return found == items_.end() ? standard : found->second;
  }
  bool has(std::string_view key) const { return items_.find(key) != items_.end(); }

  Point point(std::string_view key, std::string_view text) const {
    const Point p = parse_point(text, context_.rules.size);
    if (p < 0) {
      wrong(key, quoted(text) + " is not a point; points are a1 to " +
                     point_text(context_.rules.cells() - 1, context_.rules.size));
    }
    return p;
  }

  std::vector<Point> points(std::string_view key) const {
    std::vector<Point> found;
    const std::string_view text = get(key, "-");
    if (text == "-") return found;
    for (const std::string_view part : split(text, ',')) found.push_back(point(key, part));
    return found;
  }

  int number(std::string_view key, std::string_view text, int low, int high) const {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) {
      wrong(key, quoted(text) + " is not a number from " + std::to_string(low) + " to " +
                     std::to_string(high));
    }
    return value;
  }

  void read_result(Position& position) const {
    const std::string_view text = get("result", "none");
    if (text == "none") return;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view winner = text.substr(std::min(colon + 1, text.size()));
    std::string ends;
    for (const Termination end : kEnds) {
      ends += " " + std::string(describe(end).id);
      if (describe(end).id != text.substr(0, colon)) continue;
      if (draws(end) ? winner != "-" : (winner != "0" && winner != "1")) {
        wrong("result", quoted(text) +
                            (draws(end) ? "; a draw is written " : "; say the winner: ") +
                            std::string(describe(end).id) + (draws(end) ? ":-" : ":0 or :1"));
      }
      position.result = Result{end, draws(end) ? -1 : winner[0] - '0'};
      return;
    }
    wrong("result", quoted(text) + "; endings are" + ends);
  }

  Phase read_phase(Position& position) const {
    const std::string_view text = get("phase", position.result ? "over" : "main");
    std::string phases;
    for (int i = 0; i < kPhases; ++i) {
      const Phase phase = static_cast<Phase>(i);
      phases += " " + std::string(word(phase));
      if (word(phase) != text) continue;
      if ((phase == Phase::over) != position.result.has_value()) {
        wrong("phase", "'over' and a result go together: result=five:0");
      }
      position.step = context_.steps();
      if (phase == Phase::main || phase == Phase::over) return phase;
      find_step(position, phase);
      return phase;
    }
    wrong("phase", quoted(text) + "; phases are" + phases);
  }

  void find_step(Position& position, Phase phase) const {
    const Board& board = position.board;
    std::string known;
    for (int i = 0; i < context_.steps(); ++i) {
      const Step& step = context_.protocol[static_cast<std::size_t>(i)];
      if (step.phase == phase && step.stones == board.count()) {
        if (board.count(Colour::black) != (board.count() + 1) / 2) {
          wrong("phase", "opening stones alternate from black: " + std::to_string(board.count()) +
                             " stones have " + std::to_string((board.count() + 1) / 2) +
                             " black ones");
        }
        if (board.count() > 0 && context_.protocol[0].zone.high == 0 &&
            !board.has(Colour::black, context_.rules.centre())) {
          wrong("black", "this opening has its first stone on the centre, " +
                             point_text(context_.rules.centre(), context_.rules.size));
        }
        position.step = i;
        return;
      }
      known += " " + std::string(word(step.phase)) + "(" + std::to_string(step.stones) + ")";
    }
    wrong("phase", "'" + std::string(word(phase)) + "' with " + std::to_string(board.count()) +
                       " stones is no step of this opening; its steps (stones) are" +
                       (known.empty() ? " none: it begins in phase main" : known));
  }

  void read_turn(Position& position, Phase phase) const {
    if (phase != Phase::main) {
      if (has("move")) wrong("move", "belongs to phase main only; leave it out");
      return;
    }
    const int black = position.board.count(Colour::black);
    const int white = position.board.count(Colour::white);
    const std::string_view text = get("move", black > white ? "white" : "black");
    if (text != "black" && text != "white") wrong("move", quoted(text) + "; say black or white");
    position.to_move = text == "black" ? Colour::black : Colour::white;
  }

  void read_history(Position& position) const {
    const Rules& rules = context_.rules;
    position.passes = number("passes", get("passes", "0"), 0, 100000);
    if (position.passes > 0 && !rules.may_pass) wrong("passes", "these rules have no pass");
    const std::string_view last = get("last", "-");
    if (last == "pass") {
      if (position.passes == 0) wrong("last", "'pass' needs passes=1 or more");
      position.last = Position::kPassed;
    } else if (last != "-") {
      position.last = point("last", last);
      if (position.board.empty(position.last)) {
        wrong("last", quoted(last) + " has no stone; name a point of black= or white=");
      }
    }
    const std::string_view claimed = get("claimed", "no");
    if (claimed != "yes" && claimed != "no") wrong("claimed", quoted(claimed) + "; say yes or no");
    position.claimed = claimed == "yes";
    if (position.claimed && (!rules.claims() || position.last < 0)) {
      wrong("claimed", "needs rules with claims and the claimed stone in last=");
    }
    const auto claims = split(get("false_claims", "0,0"), ',');
    if (claims.size() != 2) wrong("false_claims", "say two numbers, by seat: 0,1");
    for (std::size_t seat = 0; seat < 2; ++seat) {
      position.false_claims[seat] = number("false_claims", claims[seat], 0, 100000);
      if (position.false_claims[seat] > 0 && !rules.claims()) {
        wrong("false_claims", "these rules have no claims");
      }
    }
  }

  void read_offers(Position& position, Phase phase) const {
    const Rules& rules = context_.rules;
    const bool declares = rules.opening == Opening::yamaguchi || rules.opening == Opening::soosorv;
    const bool after = phase == Phase::offer || phase == Phase::pick ||
                       ((phase == Phase::swap || phase == Phase::place) && has("declared"));
    if (has("declared")) {
      if (!declares || !after) wrong("declared", "no number is declared in this phase and opening");
      position.declared = number("declared", get("declared", ""), 1, rules.opening_n);
    } else if (declares && must_be_declared(position, phase)) {
      wrong("declared",
            "missing: say how many fifth moves are due, 1 to " + std::to_string(rules.opening_n));
    }
    if (phase != Phase::pick) {
      if (has("offers")) wrong("offers", "belong to phase pick only");
      return;
    }
    const int due = position.declared != 0 ? position.declared : rules.opening_n;
    const std::vector<Point> offered = points("offers");
    if (static_cast<int>(offered.size()) != due) {
      wrong("offers",
            std::to_string(offered.size()) + " points; " + std::to_string(due) + " are due");
    }
    const Orbits orbits(position.board);
    for (std::size_t i = 0; i < offered.size(); ++i) {
      const std::string name = point_text(offered[i], rules.size);
      if (!position.board.empty(offered[i])) wrong("offers", name + " is occupied");
      for (std::size_t j = 0; j < i; ++j) {
        if (orbits.of(offered[i]) == orbits.of(offered[j])) {
          wrong("offers", name + " and " + point_text(offered[j], rules.size) +
                              " are the same point or equal by symmetry");
        }
      }
      position.offers.add(offered[i]);
    }
  }

  /// Whether the number has been declared by the time of this step.
  bool must_be_declared(const Position& position, Phase phase) const {
    if (phase == Phase::main || phase == Phase::over) return false;
    for (int i = 0; i < position.step; ++i) {
      if (context_.protocol[static_cast<std::size_t>(i)].phase == Phase::declare) return true;
    }
    return false;
  }

  void require_no_five(const Board& board) const {
    if (has("result")) return;  // "none": play on all the same
    const Point p = point_of_five(context_, board);
    if (p < 0) return;
    wrong(word(board.has(Colour::black, p) ? Colour::black : Colour::white),
          "has five in a row through " + point_text(p, context_.rules.size) +
              "; say who has won with result=five:0 or :1, or result=none to play on");
  }

  const Context& context_;
  std::map<std::string_view, std::string_view> items_;
};

std::string list(const Points& points, int size) {
  std::string text;
  points.each([&](Point p) { text += (text.empty() ? "" : ",") + point_text(p, size); });
  return text.empty() ? "-" : text;
}

}  // namespace

std::variant<Position, SetupError> read_setup(const Context& context, std::string_view text) {
  if (text.size() > 20000) return SetupError{"setup: too long, a position needs less than 20000"};
  try {
    return Reader(context, text).read();
  } catch (const Wrong& error) {
    return SetupError{error.message};
  }
}

std::string write_setup(const Context& context, const Position& position, Phase phase) {
  const int size = context.rules.size;
  std::string text = "black=" + list(position.board.stones(Colour::black), size) +
                     " white=" + list(position.board.stones(Colour::white), size) +
                     " seats=" + (position.seat_of[0] == 0 ? "bw" : "wb") +
                     " phase=" + std::string(word(phase));
  if (phase == Phase::main) text += " move=" + std::string(word(position.to_move));
  if (position.last >= 0) text += " last=" + point_text(position.last, size);
  if (position.last == Position::kPassed) text += " last=pass";
  if (position.passes > 0) text += " passes=" + std::to_string(position.passes);
  if (position.declared > 0) text += " declared=" + std::to_string(position.declared);
  if (position.offers.count > 0) {
    text += " offers=";
    for (int i = 0; i < position.offers.count; ++i) {
      text += (i > 0 ? "," : "") + point_text(position.offers.at(i), size);
    }
  }
  if (position.claimed) text += " claimed=yes";
  if (position.false_claims != std::array{0, 0}) {
    text += " false_claims=" + std::to_string(position.false_claims[0]) + "," +
            std::to_string(position.false_claims[1]);
  }
  if (phase == Phase::main && point_of_five(context, position.board) >= 0) text += " result=none";
  if (position.result) {
    text += " result=" + std::string(describe(position.result->termination).id) + ":" +
            (position.result->winner < 0 ? "-" : std::to_string(position.result->winner));
  }
  return text;
}

}  // namespace arena::gomoku
