#include "xiangqi/search.hpp"

#include <algorithm>
#include <bit>

#include "xiangqi/evaluate.hpp"

namespace arena::xiangqi {
namespace {

constexpr int kInfinite = kMate + 1000;
constexpr int kFarMate = kMate - 1000;
constexpr int kReduceAfter = 5;  ///< moves of a node before quiet ones are searched less deep

std::size_t table_size(std::int64_t nodes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
  return static_cast<std::size_t>(
      std::bit_ceil(std::clamp<std::uint64_t>(4 * static_cast<std::uint64_t>(nodes), 1024, kMost)));
}

/// Mate values are stored as distances from the position, used as distances from the root.
int stored(int value, int ply) {
  return value > kFarMate ? value + ply : value < -kFarMate ? value - ply : value;
}
int restored(int value, int ply) {
  return value > kFarMate ? value - ply : value < -kFarMate ? value + ply : value;
}

bool has_attackers(const Position& position, Side side) {
  for (int rank = 0; rank < kRanks; ++rank) {
    for (unsigned left = position.rank_line(side, rank); left != 0; left &= left - 1) {
      const Kind kind = kind_of(position.at(point_at(std::countr_zero(left), rank)));
      if (kind == Kind::chariot || kind == Kind::horse || kind == Kind::cannon) return true;
    }
  }
  return false;
}

}  // namespace

Search::Search(SearchLimits limits) : limits_(limits), table_(table_size(limits.nodes)) {}

void Search::forget() {
  std::fill(table_.begin(), table_.end(), Entry{});
  killers_ = {};
  tries_ = {};
}

void Search::enter(bool check) {
  keys_.push_back(now_.key());
  checks_.push_back(check);
}

void Search::leave() {
  keys_.pop_back();
  checks_.pop_back();
}

std::optional<int> Search::repeated(int ply) const {
  const std::size_t last = keys_.size() - 1;
  bool they_check = checks_[last];  // the side that has just moved
  bool we_check = true;
  for (std::size_t back = 2; back <= last; back += 2) {
    we_check = we_check && checks_[last - back + 1];
    if (keys_[last - back] == keys_[last]) {
      if (they_check != we_check) return they_check ? kMate - ply - 1 : -(kMate - ply - 1);
      return 0;
    }
    they_check = they_check && checks_[last - back];
  }
  return std::nullopt;
}

void Search::order(StepList& list, Step first, int ply) {
  std::array<int, kMostSteps> score{};
  const auto& killers = killers_[static_cast<std::size_t>(ply)];
  for (std::size_t i = 0; i < list.count; ++i) {
    const Step step = list.steps[i];
    const Man victim = now_.at(step.to);
    const Man man = now_.at(step.from);
    if (step == first) {
      score[i] = 1 << 30;
    } else if (victim != kEmpty) {
      score[i] = (1 << 28) + 16 * worth(kind_of(victim)) - worth(kind_of(man));
    } else if (step == killers[0] || step == killers[1]) {
      score[i] = 1 << 27;
    } else {
      score[i] = tries_[man][step.to];
    }
  }
  // Insertion keeps the generator's order among equals, so that the search is deterministic.
  for (std::size_t i = 1; i < list.count; ++i) {
    const Step step = list.steps[i];
    const int value = score[i];
    std::size_t j = i;
    for (; j > 0 && score[j - 1] < value; --j) {
      score[j] = score[j - 1];
      list.steps[j] = list.steps[j - 1];
    }
    score[j] = value;
    list.steps[j] = step;
  }
}

int Search::child(Step step, int depth, int ply, int alpha, int beta, bool may_pass) {
  if (++nodes_ >= limits_.nodes) stopped_ = true;
  const Man captured = now_.play(step);
  enter(now_.in_check());
  const int value = -node(depth, ply + 1, -beta, -alpha, may_pass);
  leave();
  now_.undo(step, captured);
  return value;
}

int Search::quiet(int ply, int alpha, int beta) {
  const bool check = checks_.back();
  int best = -kMate + ply;
  if (!check || ply >= kMostPlies - 1) {
    best = evaluate(now_);
    if (best >= beta || ply >= kMostPlies - 1) return best;
    alpha = std::max(alpha, best);
  }
  StepList list;
  now_.list_legal(list);
  if (list.count == 0) return -kMate + ply;
  if (!check) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
      if (now_.at(list.steps[i].to) != kEmpty) list.steps[kept++] = list.steps[i];
    }
    list.count = kept;
  }
  order(list, {}, ply);
  for (const Step step : list) {
    if (stopped_) break;
    if (++nodes_ >= limits_.nodes) stopped_ = true;
    const Man captured = now_.play(step);
    enter(now_.in_check());
    const int value = repeated(ply + 1) ? 0 : -quiet(ply + 1, -beta, -alpha);
    leave();
    now_.undo(step, captured);
    best = std::max(best, value);
    alpha = std::max(alpha, value);
    if (alpha >= beta) break;
  }
  return best;
}

int Search::node(int depth, int ply, int alpha, int beta, bool may_pass) {
  if (const auto value = repeated(ply)) return *value;
  const bool check = checks_.back();
  if (check) ++depth;
  if (depth <= 0 || ply >= kMostPlies - 1) return quiet(ply, alpha, beta);
  if (stopped_) return evaluate(now_);
  Entry& entry = table_[now_.key() & (table_.size() - 1)];
  const bool known = entry.key == now_.key() && entry.depth >= 0;
  if (known && entry.depth >= depth) {
    const int value = restored(entry.value, ply);
    if (entry.bound == 0 || (entry.bound > 0 && value >= beta) ||
        (entry.bound < 0 && value <= alpha)) {
      return value;
    }
  }
  const Step first = known ? entry.best : Step{};
  const bool narrow = beta - alpha == 1;
  if (narrow && may_pass && !check && depth >= 3 && has_attackers(now_, now_.to_move()) &&
      evaluate(now_) >= beta) {
    now_.pass();
    enter(false);
    const int value = -node(depth - 3, ply + 1, -beta, -beta + 1, false);
    leave();
    now_.pass();
    if (value >= beta && !stopped_) return value < kFarMate ? value : beta;
  }
  StepList list;
  now_.list_legal(list);
  if (list.count == 0) return -kMate + ply;
  order(list, first, ply);
  int best = -kInfinite;
  Step best_step = list.steps[0];
  const int old_alpha = alpha;
  for (std::size_t i = 0; i < list.count; ++i) {
    const Step step = list.steps[i];
    const Man man = now_.at(step.from);
    const bool calm = now_.at(step.to) == kEmpty && !check;
    int value = 0;
    if (i == 0) {
      value = child(step, depth - 1, ply, alpha, beta, true);
    } else {
      const int less = calm && depth >= 3 && i >= kReduceAfter ? 1 : 0;
      value = child(step, depth - 1 - less, ply, alpha, alpha + 1, true);
      if (value > alpha && less > 0) value = child(step, depth - 1, ply, alpha, alpha + 1, true);
      if (value > alpha && value < beta) value = child(step, depth - 1, ply, alpha, beta, true);
    }
    if (stopped_) return best > -kInfinite ? best : value;
    if (value > best) {
      best = value;
      best_step = step;
    }
    alpha = std::max(alpha, value);
    if (alpha < beta) continue;
    if (now_.at(step.to) == kEmpty) {
      auto& killers = killers_[static_cast<std::size_t>(ply)];
      if (killers[0] != step) killers = {step, killers[0]};
      int& tries = tries_[man][step.to];
      tries = std::min(tries + depth * depth, 1 << 26);
    }
    break;
  }
  const int bound = best >= beta ? 1 : best > old_alpha ? 0 : -1;
  entry = {now_.key(), static_cast<std::int16_t>(stored(best, ply)),
           static_cast<std::int8_t>(std::min(depth, 100)), static_cast<std::int8_t>(bound),
           best_step};
  return best;
}

Found Search::run(const XiangqiState& root, Rng& rng) {
  struct Choice {
    Step step;
    int value = 0;
    bool over = false;  ///< ends the game, with this value
  };
  const Course& course = root.course();
  now_ = course.now;
  keys_ = course.keys;
  nodes_ = 0;
  stopped_ = false;
  for (auto& man : tries_) {
    for (int& tries : man) tries /= 8;
  }
  checks_.clear();
  Position replay = course.base;
  checks_.push_back(replay.in_check());
  for (const Step step : course.since) {
    replay.play(step);
    checks_.push_back(replay.in_check());
  }

  StepList list = root.legal();
  for (std::size_t i = list.count; i > 1; --i) {
    std::swap(list.steps[i - 1], list.steps[rng.below(static_cast<std::uint32_t>(i))]);
  }
  order(list, {}, 0);
  std::vector<Choice> choices;
  const Side side = now_.to_move();
  for (const Step step : list) {
    Choice choice{step};
    Course after = course;
    after.play(root.rules(), step);
    const XiangqiState next(root.rules(), std::move(after));
    if (next.result()) {
      choice.over = true;
      const auto winner = next.result()->winner;
      choice.value = !winner ? 0 : *winner == side ? kMate - 1 : -kMate + 1;
    }
    choices.push_back(choice);
  }

  Found found{choices.front().step, 0, 0};
  for (int depth = 1; depth <= limits_.depth && !stopped_; ++depth) {
    int alpha = -kInfinite;
    Step best = choices.front().step;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      Choice& choice = choices[i];
      int value = choice.value;
      if (!choice.over) {
        if (i == 0 || alpha == -kInfinite) {
          value = child(choice.step, depth - 1, 0, -kInfinite, kInfinite, true);
        } else {
          value = child(choice.step, depth - 1, 0, alpha, alpha + 1, true);
          if (value > alpha && !stopped_) {
            value = child(choice.step, depth - 1, 0, alpha, kInfinite, true);
          }
        }
      }
      // A stopped search has seen part of the replies only.
      if (stopped_ && !choice.over) break;
      if (!choice.over) choice.value = value;
      if (value > alpha) {
        alpha = value;
        best = choice.step;
      }
    }
    if (alpha == -kInfinite) break;
    found.best = best;
    found.value = alpha;
    if (alpha > kFarMate || alpha < -kFarMate) break;
    const auto front = std::find_if(choices.begin(), choices.end(),
                                    [&](const Choice& choice) { return choice.step == best; });
    std::rotate(choices.begin(), front, front + 1);
  }
  found.nodes = std::max<std::int64_t>(nodes_, 1);
  return found;
}

}  // namespace arena::xiangqi
