#pragma once
#include "doudizhu/cards.hpp"
#include "doudizhu/rules.hpp"

namespace arena::doudizhu {

/// Ways to attach cards to main parts, counted and numbered without listing.

/// Two single cards outside `main`, from a hand.
std::uint32_t count_quad_singles(const Rules& rules, Cards hand, RankSet main);
Cards quad_singles_at(const Rules& rules, Cards hand, RankSet main, std::uint32_t index);

/// Two pairs outside `main`.
std::uint32_t count_quad_pairs(const Rules& rules, Cards hand, RankSet main);
Cards quad_pairs_at(const Rules& rules, Cards hand, RankSet main, std::uint32_t index);

/// As many pairs of different ranks as `main` has ranks.
std::uint32_t count_plane_pairs(Cards hand, RankSet main);
Cards plane_pairs_at(Cards hand, RankSet main, std::uint32_t index);

/// As many single cards as `main` has ranks.
std::uint32_t count_plane_singles(const Rules& rules, Cards hand, RankSet main);
Cards plane_singles_at(const Rules& rules, Cards hand, RankSet main, std::uint32_t index);

/// Most kickers of one rank that a plane with singles on `main` may carry.
int most_of(const Rules& rules, RankSet main, Rank rank);

}  // namespace arena::doudizhu
