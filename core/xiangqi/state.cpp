#include "xiangqi/state.hpp"

#include <algorithm>
#include <span>

#include "base/json.hpp"
#include "xiangqi/material.hpp"

namespace arena::xiangqi {
namespace {

/// In how many random choices a wrong claim comes up once; a right one is every second.
constexpr std::uint32_t kRareClaim = 4096;

std::string name(Side side) { return side == Side::red ? "red" : "black"; }

}  // namespace

void Course::begin() {
  now = base;
  quiet = base_quiet;
  checks = base_checks;
  plies = base_plies;
  since.clear();
  keys.assign(1, base.key());
}

void Course::play(const Rules& rules, Step step) {
  const Side side = now.to_move();
  const bool forward =
      kind_of(now.at(step.from)) == Kind::soldier && file_of(step.from) == file_of(step.to);
  const bool capture = now.play(step) != kEmpty;
  ++plies;
  last = step;
  if (capture) {
    quiet = 0;
    checks = {};
  } else {
    const bool check = now.in_check();
    if (check) ++checks[index_of(side)];
    if (!check || rules.check_cap < 0 || checks[index_of(side)] <= rules.check_cap) ++quiet;
  }
  if (capture || forward) {
    base = now;
    base_quiet = quiet;
    base_checks = checks;
    base_plies = plies;
    since.clear();
    keys.assign(1, now.key());
  } else {
    since.push_back(step);
    keys.push_back(now.key());
  }
}

int Course::occurrences() const {
  int count = 0;
  const std::uint64_t key = now.key();
  for (std::size_t i = keys.size(); i > 0; i -= std::min<std::size_t>(i, 2)) {
    if (keys[i - 1] == key) ++count;
  }
  return count;
}

int Course::times_played(Step step) const {
  int played = 0;
  for (std::size_t i = 0; i < since.size(); ++i) {
    if (keys[i] == now.key() && since[i] == step) ++played;
  }
  return played;
}

XiangqiState::XiangqiState(const Rules& rules, Course course)
    : rules_(&rules), course_(std::move(course)) {
  expect_moves(128);
  settle();
}

std::optional<Result> XiangqiState::judged() const {
  const int wanted = rules_->repetitions;
  if (wanted == 0) return std::nullopt;
  const auto& keys = course_.keys;
  int count = 1;
  for (std::size_t i = keys.size() - 1; i >= 2;) {
    i -= 2;
    if (keys[i] != course_.now.key() || ++count < wanted) continue;
    Position begin = course_.base;
    for (std::size_t j = 0; j < i; ++j) begin.play(course_.since[j]);
    const Verdict verdict = judge(rules_->code, begin, std::span(course_.since).subspan(i));
    Result result{verdict.termination, std::nullopt};
    if (verdict.loser) result.winner = other(*verdict.loser);
    return result;
  }
  return std::nullopt;
}

void XiangqiState::settle() {
  const Position& now = course_.now;
  const Side side = now.to_move();
  now.list_legal(legal_);
  const bool stuck = legal_.count == 0;
  if (const int limit = rules_->same_move_limit; limit > 0) {
    std::size_t kept = 0;
    for (const Step step : legal_) {
      if (course_.times_played(step) + 1 < limit) legal_.steps[kept++] = step;
    }
    legal_.count = kept;
  }
  if (stuck) {
    const bool loss = rules_->stalemate_loses || now.in_check();
    result_ = Result{now.in_check() ? Termination::checkmate : Termination::no_move,
                     loss ? std::optional(other(side)) : std::nullopt};
  } else if (course_.claimed) {
    result_ = Result{Termination::natural_limit, std::nullopt};
  } else if (const auto verdict = judged()) {
    result_ = verdict;
  } else if (legal_.count == 0) {
    result_ = Result{Termination::no_move, other(side)};
  } else if (nobody_can_win(rules_->material, now, std::span(legal_.steps).first(legal_.count))) {
    result_ = Result{Termination::insufficient_material, std::nullopt};
  } else if (rules_->natural_plies > 0 && !rules_->claims &&
             course_.quiet >= rules_->natural_plies) {
    result_ = Result{Termination::natural_limit, std::nullopt};
  } else if (rules_->max_plies > 0 && course_.plies >= rules_->max_plies) {
    result_ = Result{Termination::move_limit, std::nullopt};
  }
  if (rules_->foul_limit == 0 || result_) return;
  for (const Side guilty : {Side::red, Side::black}) {
    if (course_.fouls[index_of(guilty)] >= rules_->foul_limit) {
      result_ = Result{Termination::technical_fouls, other(guilty)};
    }
  }
}

std::variant<Move, Illegal> XiangqiState::parse(Seat, std::string_view text) const {
  return parse_move(text);
}

std::optional<Illegal> XiangqiState::refusal(Seat, const Move& move) const {
  if (move == kClaim) {
    if (may_claim()) return std::nullopt;
    return Illegal{IllegalReason::nothing_to_claim, "",
                   rules_->claims ? "claim: the last move was a capture, so no run of quiet moves "
                                    "has begun"
                                  : "claim: these rules count the natural limit themselves "
                                    "(natural_limit_mode = auto)"};
  }
  const std::optional<Step> step = decode(move);
  if (!step) return Illegal{IllegalReason::syntax, "", "these bits are no move of this game"};
  for (const Step known : legal_) {
    if (known == *step) return std::nullopt;
  }
  return refuse_step(*step);
}

std::optional<Illegal> XiangqiState::refuse_step(Step step) const {
  const Position& now = course_.now;
  const Side side = now.to_move();
  const std::string from = point_text(step.from);
  const std::string to = point_text(step.to);
  const auto refuse = [&](IllegalReason reason, std::string detail, const std::string& why) {
    return Illegal{reason, std::move(detail), from + to + ": " + why};
  };
  const Man man = now.at(step.from);
  if (man == kEmpty || side_of(man) != side) {
    return refuse(IllegalReason::not_your_piece, man == kEmpty ? "empty" : name(other(side)),
                  from + (man == kEmpty ? " is empty" : " holds a man of " + name(other(side))));
  }
  if (step.from == step.to) {
    return refuse(IllegalReason::null_move, "", "a move must end on another point");
  }
  const Man target = now.at(step.to);
  if (target != kEmpty && side_of(target) == side) {
    return refuse(IllegalReason::occupied, to, to + " holds a man of the same side");
  }
  StepList moves;
  now.list_moves(moves);
  if (std::find(moves.begin(), moves.end(), step) == moves.end()) {
    std::string can;
    for (const Step known : moves) {
      if (known.from == step.from) can += (can.empty() ? "" : ", ") + point_text(known.to);
    }
    return refuse(IllegalReason::unreachable, to,
                  "the man on " + from + " does not reach " + to + "; it reaches " +
                      (can.empty() ? "nothing" : can));
  }
  if (!now.leaves_safe(step)) {
    return refuse(IllegalReason::in_check, now.in_check() ? "in_check" : "exposed",
                  now.in_check() ? "the general is attacked and stays so"
                                 : "the general would be attacked or face the other one");
  }
  const int limit = rules_->same_move_limit;
  return refuse(IllegalReason::repeated, "times=" + std::to_string(limit),
                "it has been played in this position " +
                    (limit == 2 ? "once" : std::to_string(limit - 1) + " times") +
                    "; another move is due");
}

std::variant<Move, Illegal> XiangqiState::ruling(Seat, std::string_view text) const {
  const std::string shown = "'" + std::string(text.substr(0, 60)) + "': ";
  if (result_) return Illegal{IllegalReason::game_over, "", shown + "the game is over"};
  if (text != move_text(kFoul)) {
    return Illegal{IllegalReason::syntax, "", shown + "the ruling of this game is 'fine foul'"};
  }
  if (rules_->foul_limit > 0) return kFoul;
  return Illegal{IllegalReason::wrong_phase, "", shown + "technical_foul_limit is null"};
}

std::size_t XiangqiState::move_count(Seat seat) const {
  if (!seats_to_act().contains(seat)) return 0;
  return legal_.count + (may_claim() ? 1 : 0);
}

Move XiangqiState::move_at(Seat, std::size_t index) const {
  return index < legal_.count ? encode(legal_.steps[index]) : kClaim;
}

Move XiangqiState::sample_move(Seat, Rng& rng) const {
  if (may_claim()) {
    const bool right = course_.quiet >= rules_->natural_plies;
    if (rng.below(right ? 2 : kRareClaim) == 0) return kClaim;
  }
  return encode(legal_.steps[rng.below(static_cast<std::uint32_t>(legal_.count))]);
}

void XiangqiState::play(Seat seat, const Move& move, Events* events) {
  if (events != nullptr && move != kFoul) {
    events->push_back({.kind = "move", .seat = seat, .text = move_text(move), .redacted = {}});
  }
  if (const std::optional<Step> step = decode(move)) {
    course_.play(*rules_, *step);
  } else if (move == kClaim && course_.quiet >= rules_->natural_plies) {
    course_.claimed = true;
  } else {
    ++course_.fouls[static_cast<std::size_t>(seat)];
    if (events != nullptr) {
      events->push_back({.kind = "foul",
                         .seat = seat,
                         .text = move == kClaim ? "false_claim" : "ruled",
                         .redacted = {}});
    }
  }
  settle();
}

std::string XiangqiState::observe(Seat) const {
  const Position& now = course_.now;
  JsonWriter json;
  json.begin_object().member("board", board_text(now));
  json.member("to_move", name(now.to_move()));
  json.key("to_act");
  result_ ? json.null() : json.value(static_cast<int>(now.to_move()));
  json.member("check", now.in_check()).member("plies", course_.plies);
  json.member("quiet", course_.quiet);
  json.key("checks").begin_array().value(course_.checks[0]).value(course_.checks[1]).end_array();
  json.member("occurrences", course_.occurrences());
  json.key("last");
  course_.last ? json.value(step_text(*course_.last)) : json.null();
  json.member("since_board", board_text(course_.base));
  json.member("since_to_move", name(course_.base.to_move()));
  json.key("since").begin_array();
  for (const Step step : course_.since) json.value(step_text(step));
  json.end_array().key("fouls").begin_array();
  json.value(course_.fouls[0]).value(course_.fouls[1]).end_array();
  return json.end_object().take();
}

std::string XiangqiState::setup() const { return write_setup(course_); }

std::optional<Outcome> XiangqiState::outcome() const {
  if (!result_) return std::nullopt;
  Outcome outcome;
  outcome.termination = result_->termination;
  outcome.places = {1, 1};
  if (result_->winner) outcome.places[index_of(other(*result_->winner))] = 2;
  outcome.scores = scores_from_places(outcome.places);
  outcome.sides = {0, 1};
  outcome.roles = roles();
  return outcome;
}

}  // namespace arena::xiangqi
