#include "tuolaji/solver.hpp"

#include <algorithm>
#include <cmath>

namespace arena::tuolaji {
namespace {

/// Standard errors taken off a gain.
constexpr double kCaution = 1.0;

Rules one_hand(const Rules& rules) {
  Rules copy = rules;
  copy.match = false;
  return copy;
}

int takeover_points(const Rules& rules) {
  for (const auto& [from, result] : rules.bands.from) {
    if (result.change) return from;
  }
  return 40 * rules.decks;
}

/// Whether it is worth playing out what a seat may do now.
bool weighed(Phase phase) { return phase == Phase::bury || phase == Phase::play; }

}  // namespace

Solver::Solver(std::shared_ptr<const Rules> rules, SolverLimits limits)
    : rules_(std::move(rules)),
      hand_rules_(one_hand(*rules_)),
      limits_(limits),
      greedy_(*rules_),
      takeover_(takeover_points(*rules_)) {}

Decision Solver::choose(const TuolajiState& state, Seat seat, Rng& rng) {
  const Table& table = state.table();
  const int most = weighed(table.phase) ? limits_.candidates : 1;
  const std::vector<Deed> moves = greedy_.candidates(table, seat, memory_, most);
  Decision decision;
  decision.move = encode(moves.front());
  decision.nodes = 1;
  if (moves.size() == 1) return decision;
  // The gain on the move that looks best, world by world: its sum and that of its squares.
  struct Gain {
    double value = 0;
    double sum = 0;
    double squares = 0;
  };
  std::vector<Gain> gains(moves.size());
  std::vector<std::size_t> left;  // candidates still in the running, the first apart
  for (std::size_t i = 1; i < moves.size(); ++i) left.push_back(i);
  Table scratch;
  // Most of the worlds are for the last one beside the first: it is this choice that has to be
  // right.
  for (int world = 0; world < limits_.worlds; ++world) {
    const bool sixth = world > 0 && world % std::max(limits_.worlds / 6, 1) == 0;
    if (sixth && left.size() > 1) {
      std::stable_sort(left.begin(), left.end(),
                       [&](std::size_t a, std::size_t b) { return gains[a].sum > gains[b].sum; });
      left.resize((left.size() + 1) / 2);
    }
    const std::unique_ptr<State> other = state.resample(seat, rng);
    const Table& start = static_cast<const TuolajiState&>(*other).table();
    const auto value_of = [&](std::size_t i) {
      scratch = start;
      scratch.apply(hand_rules_, seat, moves[i], nullptr);
      ++decision.nodes;
      const double value = play_out(scratch, memory_, Rules::side(seat));
      gains[i].value += value;
      return value;
    };
    const double first = value_of(0);
    for (const std::size_t i : left) {
      const double gain = value_of(i) - first;
      gains[i].sum += gain;
      gains[i].squares += gain * gain;
    }
  }
  // Few worlds are noisy: a gain counts less a part of its standard error.
  const double worlds = limits_.worlds;
  std::size_t best = 0;
  double most_gain = 0;
  for (const std::size_t i : left) {
    const double mean = gains[i].sum / worlds;
    const double variance = std::max(gains[i].squares / worlds - mean * mean, 0.0);
    const double gain = mean - kCaution * std::sqrt(variance / worlds);
    if (gain <= most_gain) continue;
    best = i;
    most_gain = gain;
  }
  decision.move = encode(moves[best]);
  decision.value = gains[best].value / worlds;
  return decision;
}

double Solver::play_out(Table& table, const Memory& memory, int side) {
  Memory shared = memory;  // public, so one serves all seats
  for (SeatSet acting = table.to_act(hand_rules_); !acting.empty();
       acting = table.to_act(hand_rules_)) {
    const Seat seat = acting.lowest();
    const Deed deed = greedy_.choose(table, seat, shared);
    table.apply(hand_rules_, seat, deed, nullptr);
  }
  // Mostly the points: they tell more of few worlds than who won does, and a lost hand is still
  // played for.
  const double won = table.end.winner == side ? 1.0 : 0.0;
  const double over = table.points - takeover_;
  const double lead = (table.dealer % 2 == side ? -over : over) + (won > 0 ? 2.5 : -2.5);
  const double scale = 20.0 * rules_->decks;
  return 0.25 * won + 0.375 + 0.375 * lead / (std::abs(lead) + scale);
}

}  // namespace arena::tuolaji
