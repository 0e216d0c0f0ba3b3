#include "siguo/odds.hpp"

namespace arena::siguo {
namespace {

constexpr int kRounds = 6;

float gain(Result result, Rank attacker, Rank defender) {
  float sum = 0;
  if (result != Result::defender) sum += kWorth[defender];
  if (result != Result::attacker) sum -= kWorth[attacker];
  return sum;
}

}  // namespace

Odds::Odds(const Rules& rules, const Position& position, Seat viewer)
    : masks_(beliefs(rules, position, viewer)) {
  for (Seat army = 0; army < rules.seats; ++army) {
    std::array<float, kRanks> left{};
    std::array<Unit, kSlots> open;
    std::size_t count = 0;
    for (int number = 0; number < position.size[idx(army)]; ++number) {
      const Unit unit = unit_of(army, number);
      if (std::has_single_bit(masks_[unit])) {
        chance_[unit][known(unit)] = 1.0F;
        continue;
      }
      // Counts what the army has; which unit has it is not looked at.
      left[position.rank[unit]] += 1.0F;
      open[count++] = unit;
    }
    std::array<float, kRanks> weight = left;
    for (int round = 0; round < kRounds; ++round) {
      std::array<float, kRanks> sum{};
      for (std::size_t i = 0; i < count; ++i) {
        const Unit unit = open[i];
        float all = 0;
        for (std::size_t rank = 0; rank < kRanks; ++rank) {
          const float w = (masks_[unit] >> rank & 1) != 0 ? weight[rank] : 0.0F;
          chance_[unit][rank] = w;
          all += w;
        }
        const float scale = all > 0 ? 1.0F / all : 0.0F;
        for (std::size_t rank = 0; rank < kRanks; ++rank) {
          chance_[unit][rank] *= scale;
          sum[rank] += chance_[unit][rank];
        }
      }
      for (std::size_t rank = 0; rank < kRanks; ++rank) {
        if (sum[rank] > 0) weight[rank] *= left[rank] / sum[rank];
      }
    }
  }
}

Rank Odds::highest(Unit unit) const {
  for (Rank rank = kCommander; rank >= kEngineer; --rank) {
    if ((masks_[unit] & bit(rank)) != 0) return rank;
  }
  return 0;
}

float Odds::worth(Unit unit) const {
  float sum = 0;
  for (std::size_t rank = 0; rank < kRanks; ++rank) sum += chance_[unit][rank] * kWorth[rank];
  return sum;
}

float fight_gain(const Rules& rules, const Odds& odds, Rank attacker, Unit target) {
  float sum = 0;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    const float chance = odds.chance(target, rank);
    if (chance > 0) sum += chance * gain(rules.combat(attacker, rank), attacker, rank);
  }
  return sum;
}

float raid_gain(const Rules& rules, const Odds& odds, Unit attacker, Rank target) {
  float sum = 0;
  for (Rank rank = kEngineer; rank < kRanks; ++rank) {
    const float chance = odds.chance(attacker, rank);
    if (chance > 0 && rank != kMine) sum += chance * gain(rules.combat(rank, target), rank, target);
  }
  return sum;
}

}  // namespace arena::siguo
