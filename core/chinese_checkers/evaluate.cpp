#include "chinese_checkers/evaluate.hpp"

#include <algorithm>
#include <cmath>

namespace arena::chinese_checkers {
namespace {

constexpr int kStep = 20;       // a step towards the target's outermost hole
constexpr int kOffAxis = 2;     // half a step to the side
constexpr int kOpenHole = 8;    // a step towards a hole that is still open
constexpr int kLastPieces = 4;  // so many outside the target: the end is near
constexpr int kLeaveHome = 60;  // leaving home before the deadline, a turn closer each turn
constexpr int kDeadlineInSight = 20;
constexpr std::size_t kRemembered = 16;

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {
  const Board& board = rules_->board();
  for (int set = 0; set < rules_->sets(); ++set) {
    const SetPlan& plan = rules_->plan(set);
    auto& table = cost_[static_cast<std::size_t>(set)];
    for (Hole hole = 0; hole < board.size(); ++hole) {
      const int distance = board.distance(hole, plan.point);
      // The square makes a step of the last piece worth more than one of the first.
      table[hole] = kStep * distance + distance * distance;
      if (!plan.target.test(hole)) {
        table[hole] += kOffAxis * board.off_axis(hole, opposite(plan.home_tip));
      }
    }
  }
}

bool Evaluator::closing(const Position& position, Seat seat) const {
  const std::vector<int>& sets = rules_->sets_of(seat);
  return std::any_of(sets.begin(), sets.end(), [&](int set) {
    return position.in_target(set) + kLastPieces >= position.size(set);
  });
}

int Evaluator::way_to_open_holes(const Position& position, int set) const {
  const Board& board = rules_->board();
  int way = 0;
  (position.holes(set) & ~rules_->plan(set).target).each([&](Hole at) {
    int nearest = 0;
    rules_->plan(set).target.each([&](Hole hole) {
      if (position.holds(hole, set)) return;
      const int distance = board.distance(at, hole);
      if (nearest == 0 || distance < nearest) nearest = distance;
    });
    way += nearest;
  });
  return way;
}

int Evaluator::home_cost(int round) const {
  if (rules_->anti_block() != AntiBlock::passive_loss) return 0;
  return kLeaveHome * std::max(round + kDeadlineInSight - rules_->home_deadline(), 0);
}

int Evaluator::cost(const Position& position, Seat seat, int round) const {
  const int home = home_cost(round);
  int sum = 0;
  for (const int set : rules_->sets_of(seat)) {
    const auto& table = cost_[static_cast<std::size_t>(set)];
    position.holes(set).each([&](Hole hole) { sum += table[hole]; });
    sum += home * position.in_home(set);
    if (position.in_target(set) + kLastPieces >= position.size(set)) {
      sum += kOpenHole * way_to_open_holes(position, set);
    }
  }
  return sum;
}

void Evaluator::ranked_moves(const Snapshot& now, std::vector<Scored>& out) const {
  const Rules& rules = *rules_;
  const Seat seat = now.progress.seat();
  out.clear();
  const bool near_end = closing(now.position, seat);
  const int round = now.progress.round();
  const int before = near_end ? cost(now.position, seat, round) : 0;
  const int leave_home = home_cost(round);
  for (const int set : rules.sets_of(seat)) {
    const auto& table = cost_[static_cast<std::size_t>(set)];
    const SetPlan& plan = rules.plan(set);
    now.position.holes(set).each([&](Hole from) {
      destinations(rules, now.position, from).each([&](Hole to) {
        int gain = table[from] - table[to];
        if (leave_home != 0) {
          gain += leave_home * (plan.home.test(from) - plan.home.test(to));
        }
        if (near_end) {
          Position after = now.position;
          after.move(rules, from, to);
          gain = before - cost(after, seat, round);
          if (targets_won(rules, after, seat)) gain = kWin;
        }
        out.push_back({{from, to}, gain});
      });
    });
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Scored& a, const Scored& b) { return a.gain > b.gain; });
}

Bits army(const Rules& rules, const Position& position, Seat seat) {
  Bits holes;
  for (const int set : rules.sets_of(seat)) holes = holes | position.holes(set);
  return holes;
}

Recent::Recent(const Rules& rules, const State& state, const Position& now, Seat seat) {
  Bits holes = army(rules, now, seat);
  const std::vector<State::Played>& history = state.history();
  for (auto played = history.rbegin(); played != history.rend() && armies_.size() < kRemembered;
       ++played) {
    if (played->seat != seat) continue;
    armies_.push_back(holes);
    if (const std::optional<Ends> ends = decode(played->move)) {
      Bits end;
      end.set(ends->to);
      holes = holes & ~end;
      holes.set(ends->from);
    }
  }
  armies_.push_back(holes);
}

bool Recent::contains(const Bits& army) const {
  return std::find(armies_.begin(), armies_.end(), army) != armies_.end();
}

double expected_score(int points) { return 1.0 / (1.0 + std::exp(-points / 150.0)); }

}  // namespace arena::chinese_checkers
