#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "base/fields.hpp"
#include "siguo/board.hpp"

namespace arena::siguo {

/// Ranks by number: the flag, the nine that fight by rank (engineer 1 to commander 9), mine, bomb.
using Rank = std::uint8_t;
inline constexpr Rank kFlag = 0, kEngineer = 1, kGeneral = 8, kCommander = 9, kMine = 10,
                      kBomb = 11;
inline constexpr int kRanks = 12;
inline constexpr std::string_view kRankLetters = "F123456789MB";
/// Units of each rank in an army.
inline constexpr std::array<std::uint8_t, kRanks> kArmy{1, 3, 3, 3, 2, 2, 2, 2, 1, 1, 3, 2};

/// One bit a rank.
using RankSet = std::uint16_t;
inline constexpr RankSet kAnyRank = 0xFFF;
constexpr RankSet bit(Rank rank) { return static_cast<RankSet>(1U << rank); }
inline constexpr RankSet kRooted = bit(kFlag) | bit(kMine);

enum class Teams : std::uint8_t { opposite, ffa };
enum class Visibility : std::uint8_t { dark, double_bright, half_bright, bright };
enum class TurnOrder : std::uint8_t { ccw, cw };
enum class Disclosure : std::uint8_t { result_only, ranks };
enum class Eliminated : std::uint8_t { remove, stay, to_captor };
enum class NoMove : std::uint8_t { eliminated, pass };
enum class QuietUnit : std::uint8_t { ply, round };
enum class QuietReset : std::uint8_t { fight, any_removal };
enum class LayoutSource : std::uint8_t { player, random, book };
enum class HqLocks : std::uint8_t { any, own_only, none };

/// How a fight ends, by who is left.
enum class Result : std::uint8_t { attacker, defender, both_lost };

/// What everybody learns of a unit that is lost: nothing, that it was the commander, that it was
/// not.
enum class Told : std::uint8_t { nothing, commander, other };

/// The settings of arena/games/siguo/rules.py and what follows from them.
struct Rules {
  explicit Rules(const Fields& fields);

  BoardKind board_kind{};
  int seats = 0;
  Teams teams{};
  Visibility visibility{};
  TurnOrder turn_order{};
  bool mine_survives = false;
  bool bomb_takes_flag = false;
  bool commander_reveals_flag = false;
  Disclosure disclosure{};
  Eliminated eliminated{};
  NoMove no_move{};
  int quiet_limit = 0;  ///< 0: none
  QuietUnit quiet_unit{};
  QuietReset quiet_reset{};
  int timeout_limit = 0;  ///< 0: the rules know no time-outs
  int turn_cap = 0;       ///< moves for each seat; 0: none
  int short_game = 0;     ///< games of fewer turns count for nobody; 0: all count
  LayoutSource layout_source{};
  HqLocks hq_locks{};

  Board board;

  int home(Seat seat) const { return seats == 2 ? 2 * seat : seat; }
  /// The seat of a home; -1 for one that is closed.
  Seat seat_of_home(int home) const {
    if (seats == 2) return home == 0 ? 0 : home == 2 ? 1 : -1;
    return home < seats ? home : -1;
  }
  int team(Seat seat) const { return teams == Teams::opposite ? seat % 2 : seat; }
  bool friends(Seat a, Seat b) const { return team(a) == team(b); }
  Seat after(Seat seat) const {
    return (seat + (turn_order == TurnOrder::ccw ? 1 : seats - 1)) % seats;
  }

  Result combat(Rank attacker, Rank defender) const { return combat_[attacker][defender]; }

  /// Which pairs of ranks explain a fight that all have seen.
  struct Explained {
    std::array<RankSet, kRanks> defenders{};  ///< by rank of the attacker
    std::array<RankSet, kRanks> attackers{};  ///< by rank of the defender
  };
  const Explained& explained(Result result, bool flag_taken, Told attacker, Told defender) const {
    return explained_[key(result, flag_taken, attacker, defender)];
  }

 private:
  static std::size_t key(Result result, bool flag_taken, Told attacker, Told defender) {
    return ((static_cast<std::size_t>(result) * 2 + (flag_taken ? 1 : 0)) * 3 +
            static_cast<std::size_t>(attacker)) *
               3 +
           static_cast<std::size_t>(defender);
  }
  Result fought(Rank attacker, Rank defender) const;
  void fill_tables();

  std::array<std::array<Result, kRanks>, kRanks> combat_{};
  std::array<Explained, 54> explained_{};
};

/// Ranks that may begin on a point of one's home.
constexpr RankSet may_begin(Node node) {
  RankSet ranks = kAnyRank;
  if (!is_headquarters(node)) ranks &= static_cast<RankSet>(~bit(kFlag));
  if (row_of(node) < 5) ranks &= static_cast<RankSet>(~bit(kMine));
  if (row_of(node) == 1) ranks &= static_cast<RankSet>(~bit(kBomb));
  return ranks;
}

}  // namespace arena::siguo
