#pragma once
#include <array>
#include <vector>

#include "doudizhu/cards.hpp"
#include "doudizhu/rules.hpp"

namespace arena::doudizhu {

enum class Kind : std::uint8_t {
  single,
  pair,
  trio,
  trio_single,
  trio_pair,
  straight,
  pair_chain,
  trio_chain,
  plane_singles,
  plane_pairs,
  quad_singles,
  quad_pairs,
  bomb,
  rocket
};
inline constexpr std::array<std::string_view, 14> kKindText{
    "single",       "pair",       "trio",       "trio_single",   "trio_pair",
    "straight",     "pair_chain", "trio_chain", "plane_singles", "plane_pairs",
    "quad_singles", "quad_pairs", "bomb",       "rocket"};

/// Cards laid out in one way: the main part, `length` ranks from `low` up, decides what beats what.
struct Play {
  Cards cards;
  Kind kind{};
  std::uint8_t low = 0;
  std::uint8_t length = 1;

  RankSet main() const { return ((RankSet{1} << length) - 1) << low; }
  friend bool operator==(const Play&, const Play&) = default;
};

/// Whether `mine` may answer `other`.
bool beats(const Play& mine, const Play& other);

/// Every layout of exactly these cards that the rules know, the default first: chains of triples
/// before planes with wings, then the highest main part. At most a handful.
std::vector<Play> readings(const Rules& rules, Cards cards);

/// The plays of a hand, counted without listing them: groups of plays of one kind and length, each
/// with the ranks its main part may start from and the number of ways to add kickers.
class Menu {
 public:
  Menu() = default;
  /// Leads, or answers to `to_beat` (without the pass).
  Menu(const Rules& rules, Cards hand, const Play* to_beat);

  std::uint32_t size() const { return size_; }
  /// The play of an index below `size`.
  Play at(std::uint32_t index) const;

  /// Calls `visit(Play)` once for every main part, with kickers as `choose(kind, main, length)`
  /// picks them; plays without kickers are visited as they are.
  template <typename Visit>
  void each_main(Visit visit) const {
    for (std::uint32_t g = 0; g < groups_used_; ++g) {
      const Group& group = groups_[g];
      for (RankSet left = group.starts; left != 0; left &= left - 1) {
        visit(group.kind, static_cast<Rank>(std::countr_zero(left)), int{group.length});
      }
    }
  }

 private:
  struct Group {
    Kind kind;
    std::uint8_t length;
    std::uint16_t starts;
    std::uint32_t ways;  ///< of kickers, for each start
  };

  void add(Kind kind, int length, RankSet starts, std::uint32_t ways);
  void add_chains(Kind kind, int times, int shortest, const Play* to_beat);
  void add_planes(Kind kind, const Play* to_beat);

  const Rules* rules_ = nullptr;
  Cards hand_;
  std::uint32_t size_ = 0;
  std::uint32_t groups_used_ = 0;
  std::array<Group, 72> groups_;
};

}  // namespace arena::doudizhu
