#include "siguo/solver.hpp"

#include <algorithm>

namespace arena::siguo {
namespace {

constexpr float kWin = 300.0F;
constexpr float kTrust = 0.5F;  // share of the policy's own score that counts beside the play-outs

}  // namespace

/// What the seat's team has, less what the others have in the mean.
float Solver::count(const Position& position, Seat seat) const {
  const int winner = position.winner(rules_);
  const int team = rules_.team(seat);
  if (position.over(rules_)) return winner < 0 ? 0.0F : winner == team ? kWin : -kWin;
  std::array<float, kHomes> has{};
  for (Unit unit = 0; unit < kUnits; ++unit) {
    const Seat owner = position.owner[unit];
    if (position.alive(unit) && position.in(owner)) {
      has[idx(rules_.team(owner))] += kWorth[position.rank[unit]];
    }
  }
  const int teams = rules_.teams == Teams::opposite ? 2 : rules_.seats;
  float others = 0;
  for (int other = 0; other < teams; ++other) others += other == team ? 0.0F : has[idx(other)];
  return has[idx(team)] - others / static_cast<float>(teams - 1);
}

float Solver::play_on(Position position, Seat seat, Rng rng) const {
  for (int ply = 0; ply < effort_.depth && !position.over(rules_); ++ply) {
    const Seat turn = position.turn;
    const Odds odds(rules_, position, turn);
    position.advance(rules_, policy_.options(position, odds, turn, rng).front().step);
  }
  return count(position, seat);
}

Step Solver::choose(const Position& position, Seat seat, Rng& rng) const {
  const Odds odds(rules_, position, seat);
  std::vector<Option> tried = policy_.options(position, odds, seat, rng);
  tried.resize(std::min(tried.size(), idx(effort_.width)));
  if (tried.size() == 1) return tried.front().step;
  std::vector<float> sums(tried.size(), 0.0F);
  for (int world = 0; world < effort_.worlds; ++world) {
    const Position other = another_world(rules_, position, seat, rng);
    const Rng luck(rng.next());
    for (std::size_t i = 0; i < tried.size(); ++i) {
      Position after = other;
      after.advance(rules_, tried[i].step);
      sums[i] += play_on(after, seat, luck);
    }
  }
  std::size_t best = 0;
  float most = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const float value = sums[i] / static_cast<float>(effort_.worlds) + kTrust * tried[i].score;
    if (i == 0 || value > most) {
      best = i;
      most = value;
    }
  }
  return tried[best].step;
}

}  // namespace arena::siguo
