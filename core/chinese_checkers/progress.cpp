#include "chinese_checkers/progress.hpp"

#include <algorithm>

namespace arena::chinese_checkers {
namespace {

/// Whether a seat that finishes with its turn `turn` shares the leader's place.
bool joins(const Rules& rules, Finisher leader, Seat seat, int turn) {
  if (seat <= leader.seat) return false;
  switch (rules.late_finish()) {
    case LateFinish::none:
      return false;
    case LateFinish::same_round_draw:
      return turn <= leader.turn;
    case LateFinish::one_more_round_draw:
      return turn <= leader.turn + 1;
  }
  return false;
}

/// Finishers by place: each group is a leader and those who share its place. A
/// finisher joins the best group that it may.
struct Groups {
  std::array<Finisher, kMaxPlayers> leaders{};
  std::array<std::size_t, kMaxPlayers> group_of{};  ///< by order of finish
  std::size_t count = 0;

  Groups(const Rules& rules, std::span<const Finisher> finishers) {
    for (std::size_t i = 0; i < finishers.size(); ++i) {
      std::size_t group = 0;
      while (group < count && !joins(rules, leaders[group], finishers[i].seat, finishers[i].turn)) {
        ++group;
      }
      if (group == count) leaders[count++] = finishers[i];
      group_of[i] = group;
    }
  }
};

int pieces_home(const Rules& rules, const Position& position, Seat seat) {
  int pieces = 0;
  for (const int set : rules.sets_of(seat)) pieces += position.in_target(set);
  return pieces;
}

/// What the cap ranks by; more is better.
int cap_merit(const Rules& rules, const Position& position, Seat seat) {
  switch (rules.cap_result()) {
    case CapResult::draw:
      return 0;
    case CapResult::pieces_home:
      return pieces_home(rules, position, seat);
    case CapResult::distance:
      return -distance_left(rules, position, seat);
  }
  return 0;
}

bool is_passive(const Rules& rules, const Position& position, Seat seat, int turn) {
  if (rules.anti_block() != AntiBlock::passive_loss || turn < rules.home_deadline()) return false;
  const std::vector<int>& sets = rules.sets_of(seat);
  return std::any_of(sets.begin(), sets.end(), [&](int set) { return position.in_home(set) > 0; });
}

}  // namespace

Progress::Progress(const Rules& rules, Seat seat, int round, std::span<const Finisher> finishers,
                   SeatSet out)
    : seat_(seat), round_(round), out_(out), count_(finishers.size()) {
  std::copy(finishers.begin(), finishers.end(), finishers_.begin());
  for (const Finisher& finisher : finishers) finished_.add(finisher.seat);
  over_ = find_over(rules);
}

bool Progress::may_join(const Rules& rules, Seat seat) const {
  if (!playing(seat) || next_turn(seat) > rules.max_turns()) return false;
  const Groups groups(rules, finishers());
  return std::any_of(groups.leaders.begin(),
                     groups.leaders.begin() + static_cast<std::ptrdiff_t>(groups.count),
                     [&](Finisher leader) { return joins(rules, leader, seat, next_turn(seat)); });
}

bool Progress::may_move(const Rules& rules, Seat seat) const {
  if (!playing(seat)) return false;
  return count_ == 0 || rules.finish() == Finish::rank_all || may_join(rules, seat);
}

bool Progress::ended_by_finish(const Rules& rules) const {
  int left = 0;
  bool any_joins = false;
  for (Seat seat = 0; seat < rules.seats(); ++seat) {
    if (!playing(seat)) continue;
    ++left;
    any_joins = any_joins || may_join(rules, seat);
  }
  const bool decided = left <= 1 || (rules.finish() == Finish::first_only && count_ > 0);
  return decided && !any_joins;
}

bool Progress::find_over(const Rules& rules) const {
  if (count_ == 0 && out_.empty()) return round_ > rules.max_turns();
  if (ended_by_finish(rules)) return true;
  for (Seat seat = 0; seat < rules.seats(); ++seat) {
    if (may_move(rules, seat) && next_turn(seat) <= rules.max_turns()) return false;
  }
  return true;
}

void Progress::step(const Rules& rules) {
  if (++seat_ == rules.seats()) {
    seat_ = 0;
    ++round_;
  }
}

void Progress::end_turn(const Rules& rules, Position& position) {
  if (targets_won(rules, position, seat_)) {
    finishers_[count_++] = {seat_, round_};
    finished_.add(seat_);
  } else if (is_passive(rules, position, seat_, round_)) {
    out_.add(seat_);
    if (rules.seats() > 2) {
      for (const int set : rules.sets_of(seat_)) position.remove_set(set);
    }
  }
  step(rules);
  over_ = find_over(rules);
  if (over_ || (count_ == 0 && out_.empty())) return;
  while (!may_move(rules, seat_)) step(rules);
}

std::array<int, kMaxPlayers> Progress::finisher_places(const Rules& rules) const {
  const Groups groups(rules, finishers());
  std::array<int, kMaxPlayers> places{};
  for (std::size_t i = 0; i < count_; ++i) {
    places[i] = 1;
    for (std::size_t j = 0; j < count_; ++j) {
      if (groups.group_of[j] < groups.group_of[i]) ++places[i];
    }
  }
  return places;
}

Outcome Progress::outcome(const Rules& rules, const Position& position) const {
  const bool by_finish = ended_by_finish(rules);
  const bool capped = !by_finish && !(rules.finish() == Finish::first_only && count_ > 0);
  const auto seats = static_cast<std::size_t>(rules.seats());
  Outcome outcome;
  outcome.places.assign(seats, 0);
  const std::array<int, kMaxPlayers> finisher_place = finisher_places(rules);
  std::size_t leaders = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    outcome.places[static_cast<std::size_t>(finishers_[i].seat)] = finisher_place[i];
    if (finisher_place[i] == 1) ++leaders;
  }
  const int behind = static_cast<int>(count_) + 1;
  for (Seat seat = 0; seat < rules.seats(); ++seat) {
    int& place = outcome.places[static_cast<std::size_t>(seat)];
    if (out_.contains(seat)) {
      place = rules.seats() - out_.size() + 1;
    } else if (!finished_.contains(seat)) {
      place = behind;
      if (!capped) continue;
      const int merit = cap_merit(rules, position, seat);
      for (Seat rival = 0; rival < rules.seats(); ++rival) {
        if (playing(rival) && cap_merit(rules, position, rival) > merit) ++place;
      }
    }
  }
  outcome.termination = capped        ? Termination::turn_cap
                        : leaders > 1 ? Termination::late_finish
                        : count_ > 0  ? Termination::goal_filled
                                      : Termination::passive_loss;
  outcome.scores = scores_from_places(outcome.places);
  for (Seat seat = 0; seat < rules.seats(); ++seat) outcome.sides.push_back(seat);
  outcome.roles = role_names(rules.seats());
  return outcome;
}

bool targets_won(const Rules& rules, const Position& position, Seat seat) {
  for (const int set : rules.sets_of(seat)) {
    if (position.in_target(set) == rules.pegs()) continue;
    if (rules.anti_block() != AntiBlock::filled_any_own || position.in_target(set) == 0) {
      return false;
    }
    bool full = true;
    rules.plan(set).target.each([&](Hole hole) { full = full && !position.empty(hole); });
    if (!full) return false;
  }
  return true;
}

int distance_left(const Rules& rules, const Position& position, Seat seat) {
  int sum = 0;
  for (const int set : rules.sets_of(seat)) {
    position.holes(set).each(
        [&](Hole hole) { sum += rules.board().distance(hole, rules.plan(set).point); });
  }
  return sum;
}

std::vector<std::string> role_names(int seats) {
  static constexpr const char* kNames[kMaxPlayers] = {"first",  "second", "third",
                                                      "fourth", "fifth",  "sixth"};
  return {kNames, kNames + seats};
}

}  // namespace arena::chinese_checkers
