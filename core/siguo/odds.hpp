#pragma once
#include <array>

#include "siguo/knowledge.hpp"

namespace arena::siguo {

/// How likely each unit is of each rank for one viewer: in proportion to how many of a rank an
/// army still has to give, and so that they add up by unit and by rank.
class Odds {
 public:
  Odds(const Rules& rules, const Position& position, Seat viewer);

  float chance(Unit unit, Rank rank) const { return chance_[unit][rank]; }
  RankSet mask(Unit unit) const { return masks_[unit]; }
  /// The rank, where only one is left; kRanks else.
  Rank known(Unit unit) const {
    return std::has_single_bit(masks_[unit]) ? static_cast<Rank>(std::countr_zero(masks_[unit]))
                                             : static_cast<Rank>(kRanks);
  }
  /// The most that the unit can be in a fight by rank; 0 for what never fights so.
  Rank highest(Unit unit) const;
  /// What a unit is worth in the mean.
  float worth(Unit unit) const;

 private:
  Beliefs masks_;
  std::array<std::array<float, kRanks>, kUnits> chance_{};
};

/// Worth of a unit by rank, in soldiers of the lowest kind about. A flag is an army.
inline constexpr std::array<float, kRanks> kWorth{150.0F, 4.0F,  2.5F,  3.5F,  5.5F, 8.0F,
                                                  12.0F,  17.0F, 24.0F, 30.0F, 5.0F, 12.0F};

/// What an attack by a unit of rank `attacker` on `target` brings in the mean: what the other side
/// loses less what is lost.
float fight_gain(const Rules& rules, const Odds& odds, Rank attacker, Unit target);
/// What `attacker`, whose rank is a guess, brings its side in the mean by attacking a unit of rank
/// `target`.
float raid_gain(const Rules& rules, const Odds& odds, Unit attacker, Rank target);

}  // namespace arena::siguo
