#include "chinese_checkers/state.hpp"

#include <algorithm>

#include "base/json.hpp"

namespace arena::chinese_checkers {
namespace {

constexpr std::size_t kLongestText = 1024;

std::string shown(std::string_view text) {
  std::string out = "'";
  out.append(text.substr(0, 60));
  return out + (text.size() > 60 ? "…'" : "'");
}

Illegal syntax(std::string_view text) {
  return {IllegalReason::syntax, "",
          shown(text) + " is not a move: two holes as in a1c1, a path as in a1-c1-e3, or pass"};
}

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Takes a letter and one or two digits off the front; empty where there are none.
std::string_view take_name(std::string_view& rest) {
  if (rest.size() < 2 || rest[0] < 'a' || rest[0] > 'z' || !digit(rest[1])) return {};
  const std::string_view name = rest.substr(0, rest.size() > 2 && digit(rest[2]) ? 3 : 2);
  rest.remove_prefix(name.size());
  return name;
}

Illegal off_board(const Board& board, std::string_view name) {
  const int length = board.row_length(name[0]);
  const std::string row(1, name[0]);
  const std::string right =
      length > 0 ? "row " + row + " has holes 1 to " + std::to_string(length)
                 : std::string("rows are a to ") + static_cast<char>('a' + 4 * board.side());
  return {IllegalReason::off_board, std::string(name),
          "there is no hole " + std::string(name) + ": " + right};
}

}  // namespace

std::string move_text(const Board& board, const Move& move) {
  if (move == kPass) return "pass";
  const std::optional<Ends> ends = decode(move);
  if (!ends || ends->from >= board.size() || ends->to >= board.size()) return "?";
  return board.name(ends->from) + board.name(ends->to);
}

std::variant<Move, Illegal> CheckersState::parse(Seat seat, std::string_view text) const {
  if (text == "pass") return kPass;
  std::string_view rest = text.substr(0, kLongestText + 1);
  if (rest.size() > kLongestText) return syntax(text);
  if (rest.find('-') != std::string_view::npos) return parse_path(seat, text);
  const std::string_view from = take_name(rest);
  const std::string_view to = take_name(rest);
  if (from.empty() || to.empty() || !rest.empty()) return syntax(text);
  const Board& board = rules_->board();
  const std::optional<Hole> from_hole = board.find(from);
  if (!from_hole) return off_board(board, from);
  const std::optional<Hole> to_hole = board.find(to);
  if (!to_hole) return off_board(board, to);
  return encode({*from_hole, *to_hole});
}

std::variant<Move, Illegal> CheckersState::parse_path(Seat seat, std::string_view text) const {
  const Board& board = rules_->board();
  std::string_view rest = text;
  std::vector<std::string_view> names;
  do {
    if (!names.empty()) rest.remove_prefix(1);
    names.push_back(take_name(rest));
    if (names.back().empty()) return syntax(text);
  } while (!rest.empty() && rest.front() == '-');
  if (!rest.empty() || names.size() < 2) return syntax(text);
  std::vector<Hole> path;
  for (const std::string_view name : names) {
    const std::optional<Hole> hole = board.find(name);
    if (!hole) return off_board(board, name);
    path.push_back(*hole);
  }
  const Ends ends{path.front(), path.back()};
  // Of somebody else's piece `refusal` speaks.
  if (!own(seat, ends.from)) return encode(ends);
  if (const auto leg = broken_leg(*rules_, now_.position, path)) {
    const std::string part = board.name(path[*leg]) + "-" + board.name(path[*leg + 1]);
    return Illegal{IllegalReason::bad_path, part,
                   shown(text) + ": " + part + " cannot be played; a path is one step, or hops " +
                       "over single pieces into empty holes within the limits of the rules"};
  }
  return encode(ends);
}

bool CheckersState::own(Seat seat, Hole hole) const {
  return !now_.position.empty(hole) && rules_->seat_of(now_.position.set_at(hole)) == seat;
}

std::optional<Illegal> CheckersState::refusal(Seat seat, const Move& move) const {
  if (move == kPass) {
    const std::size_t count = turns().count();
    if (count == 0) return std::nullopt;
    return Illegal{IllegalReason::pass_not_allowed, "moves=" + std::to_string(count),
                   "passing is for a seat without another move; this one has " +
                       std::to_string(count) + ", such as " +
                       move_text(rules_->board(), encode(turn(0)))};
  }
  const Board& board = rules_->board();
  const std::optional<Ends> ends = decode(move);
  if (!ends) return Illegal{IllegalReason::syntax, "", "these bits are no move of this game"};
  if (ends->from >= board.size() || ends->to >= board.size()) {
    return Illegal{IllegalReason::off_board, "", "the move leaves the board"};
  }
  const Position& position = now_.position;
  const auto refuse = [&](IllegalReason reason, std::string detail, const std::string& why) {
    return Illegal{reason, std::move(detail), move_text(board, move) + ": " + why};
  };
  const std::string& from = board.name(ends->from);
  const std::string& to = board.name(ends->to);
  if (position.empty(ends->from)) {
    return refuse(IllegalReason::not_your_piece, "empty", from + " is empty");
  }
  const int set = position.set_at(ends->from);
  if (const Seat owner = rules_->seat_of(set); owner != seat) {
    return refuse(IllegalReason::not_your_piece, "owner=" + std::to_string(owner),
                  from + " holds a piece of seat " + std::to_string(owner));
  }
  if (ends->from == ends->to) {
    return refuse(IllegalReason::null_move, "", "a turn must end on another hole");
  }
  const Bits reachable = destinations(*rules_, position, ends->from);
  if (reachable.test(ends->to)) return std::nullopt;
  if (!position.empty(ends->to)) {
    return refuse(IllegalReason::occupied, to, to + " holds a piece");
  }
  const Bits& target = rules_->plan(set).target;
  if (!rules_->leave_target() && target.test(ends->from) && !target.test(ends->to)) {
    return refuse(IllegalReason::locked_in_goal, from,
                  from + " lies in the target, which pieces may not leave");
  }
  if (rules_->foreign_triangles() != ForeignTriangles::free &&
      rules_->foreign(seat).test(ends->to)) {
    return refuse(IllegalReason::zone_closed, to,
                  "no turn may end on " + to + ", in a tip that is neither home nor target");
  }
  std::string can;
  for (const Hole hole : named_order(board, reachable)) {
    can += (can.empty() ? "" : ", ") + board.name(hole);
  }
  return refuse(IllegalReason::unreachable, to,
                to + " is not reached by a step or by hops; from " + from + " one can reach " +
                    (can.empty() ? "nothing" : can));
}

const Turns& CheckersState::turns() const {
  if (!looked_) {
    turns_.look(*rules_, now_.position, now_.progress.seat());
    looked_ = true;
  }
  return turns_;
}

Ends CheckersState::turn(std::size_t index) const {
  return turns().at(*rules_, now_.position, now_.progress.seat(), index);
}

std::size_t CheckersState::move_count(Seat seat) const {
  if (!seats_to_act().contains(seat)) return 0;
  return std::max<std::size_t>(turns().count(), 1);
}

Move CheckersState::move_at(Seat, std::size_t index) const {
  return turns().count() == 0 ? kPass : encode(turn(index));
}

Move CheckersState::sample_move(Seat seat, Rng& rng) const {
  const std::optional<Ends> ends = sample(*rules_, now_.position, seat, rng);
  return ends ? encode(*ends) : kPass;
}

void CheckersState::play(Seat seat, const Move& move, Events* events) {
  looked_ = false;
  const std::size_t finished = now_.progress.finishers().size();
  const SeatSet out = now_.progress.out();
  now_.play(*rules_, decode(move));
  if (events == nullptr) return;
  events->emplace_back("move", seat, move_text(rules_->board(), move));
  if (now_.progress.finishers().size() > finished) {
    const int turn = now_.progress.finishers().back().turn;
    events->emplace_back("finish", seat, "turn " + std::to_string(turn));
  }
  if (now_.progress.out() != out) {
    events->emplace_back("passive", seat, "out");
  }
}

std::string CheckersState::observe(Seat) const {
  const Board& board = rules_->board();
  const Progress& progress = now_.progress;
  JsonWriter json;
  json.begin_object();
  json.member("board", board.side() == 4 ? "star121" : board.side() == 3 ? "star73" : "star37");
  json.key("seat_to_act");
  progress.over() ? json.null() : json.value(progress.seat());
  json.member("round", progress.round());
  json.key("sets").begin_array();
  for (int set = 0; set < rules_->sets(); ++set) {
    const SetPlan& plan = rules_->plan(set);
    json.begin_object().member("home", name(plan.home_tip));
    json.member("target", name(opposite(plan.home_tip))).member("seat", plan.seat);
    json.key("holes").begin_array();
    for (const Hole hole : named_order(board, now_.position.holes(set))) {
      json.value(board.name(hole));
    }
    json.end_array().end_object();
  }
  json.end_array().key("finished").begin_array();
  const std::array<int, kMaxPlayers> places = progress.finisher_places(*rules_);
  std::size_t index = 0;
  for (const Finisher& finisher : progress.finishers()) {
    json.begin_object().member("seat", finisher.seat).member("turn", finisher.turn);
    json.member("place", places[index++]).end_object();
  }
  json.end_array().key("out").begin_array();
  for (Seat seat = 0; seat < rules_->seats(); ++seat) {
    if (progress.out().contains(seat)) json.value(seat);
  }
  json.end_array().key("may_join").begin_array();
  for (Seat seat = 0; seat < rules_->seats(); ++seat) {
    if (progress.may_join(*rules_, seat)) json.value(seat);
  }
  return json.end_array().end_object().take();
}

std::optional<Outcome> CheckersState::outcome() const {
  if (!now_.progress.over()) return std::nullopt;
  return now_.progress.outcome(*rules_, now_.position);
}

}  // namespace arena::chinese_checkers
