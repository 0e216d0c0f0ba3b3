#include "siguo/policy.hpp"

#include <algorithm>

namespace arena::siguo {
namespace {

constexpr float kFear = 0.6F;        // share of what an attack could cost that counts
constexpr float kPull = 0.35F;       // share of what could be won further on that counts
constexpr float kDecay = 0.5F;       // of that, for each move on the way
constexpr float kProbe = 1.0F;       // for learning what a unit is, by what is worth little
constexpr float kCamp = 0.5F;        // for standing in a camp
constexpr float kFirstMove = 0.15F;  // for showing that a unit can move
constexpr float kGuard = 2.0F;       // for leaving the flag's side
constexpr float kSave = 80.0F;       // for ending a threat to the flag
constexpr float kNear = 8.0F;        // for attacking what stands near the flag
constexpr int kFar = 9;

}  // namespace

/// What is the same for all steps of a turn.
struct Policy::View {
  const Position& position;
  const Odds& odds;
  Seat seat;
  Unit flag = kNobody;
  bool flag_threatened = false;
  /// By point: enemies that can attack it, as far as the seat can tell.
  std::array<std::vector<Unit>, kNodes> attackers{};
  /// Enemies worth going for.
  std::vector<Unit> targets{};
};

Policy::Policy(const Rules& rules) : rules_(rules) {
  for (auto& row : moves_) row.fill(kFar);
  for (Node start = 0; start < kNodes; ++start) {
    if (!rules.board.exists(start)) continue;
    moves_[start][start] = 0;
    std::vector<Node> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Node node = queue[head];
      const auto visit = [&](Node next) {
        if (moves_[start][next] != kFar) return;
        moves_[start][next] = static_cast<std::uint8_t>(moves_[start][node] + 1);
        queue.push_back(next);
      };
      for (const Node next : rules.board.roads(node)) visit(next);
      for (const Ray& ray : rules.board.rays(node)) {
        for (int i = 0; i < ray.length; ++i) visit(ray.nodes[idx(i)]);
      }
    }
  }
}

/// What an attack on a unit of this rank there could cost.
float Policy::danger(const View& view, Node node, Rank rank) const {
  if (is_camp(node)) return 0;
  float worst = 0;
  for (const Unit attacker : view.attackers[node]) {
    worst = std::max(worst, raid_gain(rules_, view.odds, attacker, rank));
  }
  return worst;
}

/// What the best target further on promises from a point.
float Policy::pull(const View& view, Node node, Rank rank) const {
  static constexpr std::array<float, kFar + 1> decay = [] {
    std::array<float, kFar + 1> out{};
    float value = 1;
    for (float& entry : out) {
      entry = value;
      value *= kDecay;
    }
    return out;
  }();
  float best = 0;
  for (const Unit target : view.targets) {
    const Node at = view.position.where[target];
    const int moves = moves_[node][at];
    if (moves == 0 || moves >= kFar) continue;
    const float gain = fight_gain(rules_, view.odds, rank, target);
    best = std::max(best, gain * decay[idx(moves)]);
  }
  return best;
}

bool Policy::flag_in_reach(const View& view, const Position& position) const {
  Steps steps;
  for (Unit unit = 0; unit < kUnits; ++unit) {
    if (!position.alive(unit) || rules_.friends(position.owner[unit], view.seat)) continue;
    if ((view.odds.mask(unit) & ~kRooted) == 0 || !position.in(position.owner[unit])) continue;
    if (position.locked(rules_, position.where[unit], position.owner[unit])) continue;
    steps.clear();
    slides(rules_, position, unit, view.odds.known(unit) == kEngineer, steps);
    for (const Step& step : steps) {
      if (step.to == position.where[view.flag]) return true;
    }
  }
  return false;
}

float Policy::score(const View& view, Step step) const {
  const Position& position = view.position;
  const Unit unit = position.at[step.from];
  const Unit target = position.at[step.to];
  const Rank rank = position.rank[unit];
  float score = kFear * danger(view, step.from, rank);
  float left = 1;  // chance to be there after the fight
  if (target != kNobody) {
    score += fight_gain(rules_, view.odds, rank, target);
    left = 0;
    for (Rank other = 0; other < kRanks; ++other) {
      if (rules_.combat(rank, other) == Result::attacker) left += view.odds.chance(target, other);
    }
    const int open = std::popcount(view.odds.mask(target));
    if (rank <= 3 && open > 3) score += kProbe;
    if (view.flag != kNobody && moves_[position.where[target]][position.where[view.flag]] <= 2) {
      score += kNear * (1.0F - view.odds.chance(target, kMine) - view.odds.chance(target, kFlag));
    }
    // The longer nothing happens, the sooner something must.
    score += 0.03F * static_cast<float>(position.quiet);
  }
  score -= left * kFear * danger(view, step.to, rank);
  score += kPull * (left * pull(view, step.to, rank) - pull(view, step.from, rank));
  if (is_camp(step.to)) score += kCamp;
  if (is_camp(step.from)) score -= kCamp;
  if (position.moves[unit] == 0) score -= kFirstMove;
  if (is_headquarters(step.to) && target == kNobody) score -= kWorth[rank];
  if (view.flag != kNobody) {
    const Node flag = position.where[view.flag];
    const auto near = rules_.board.neighbours(flag);
    if (std::find(near.begin(), near.end(), step.from) != near.end()) score -= kGuard;
    if (view.flag_threatened) {
      Position after = position;
      if (target == kNobody || left > 0.5F) {
        after.at[step.from] = kNobody;
        if (target != kNobody) after.where[target] = kNowhere;
        after.at[step.to] = unit;
        after.where[unit] = step.to;
        if (!flag_in_reach(view, after)) score += kSave;
      }
    }
  }
  return score;
}

std::vector<Option> Policy::options(const Position& position, const Odds& odds, Seat seat,
                                    Rng& rng) const {
  View view{position, odds, seat};
  const Unit flag = position.standing_flag(seat);
  view.flag = flag;
  Steps steps;
  for (Unit unit = 0; unit < kUnits; ++unit) {
    const Seat owner = position.owner[unit];
    if (!position.alive(unit) || rules_.friends(owner, seat)) continue;
    if (!is_camp(position.where[unit])) view.targets.push_back(unit);
    if ((odds.mask(unit) & ~kRooted) == 0 || !position.in(owner)) continue;
    if (position.locked(rules_, position.where[unit], owner)) continue;
    steps.clear();
    slides(rules_, position, unit, odds.known(unit) == kEngineer, steps);
    for (const Step& step : steps) view.attackers[step.to].push_back(unit);
  }
  view.flag_threatened = flag != kNobody && !view.attackers[position.where[flag]].empty();
  steps.clear();
  all_steps(rules_, position, seat, steps);
  std::vector<Option> options;
  options.reserve(steps.size());
  for (const Step& step : steps) {
    options.push_back({step, score(view, step) + 0.05F * static_cast<float>(rng.uniform())});
  }
  std::stable_sort(options.begin(), options.end(),
                   [](const Option& a, const Option& b) { return a.score > b.score; });
  return options;
}

}  // namespace arena::siguo
