#pragma once
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "xiangqi/state.hpp"

namespace arena::xiangqi {

/// Points of a mate at the root; a mate n plies away is worth n less.
inline constexpr int kMate = 30000;

struct SearchLimits {
  std::int64_t nodes = 0;  ///< positions made
  int depth = 64;
};

struct Found {
  Step best{};
  int value = 0;  ///< points for the side to move
  std::int64_t nodes = 0;
};

/// Alpha-beta with iterative deepening, a transposition table, null moves, late move
/// reductions and a search of captures at the leaves. Cycles inside the tree are draws, or
/// lost for a side that did nothing but check; at the root the real rules judge. Deterministic
/// in the states seen since `forget`, the limits and `rng`, which breaks ties at the root.
class Search {
 public:
  explicit Search(SearchLimits limits);
  void forget();
  Found run(const XiangqiState& root, Rng& rng);

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int16_t value = 0;
    std::int8_t depth = -1;
    std::int8_t bound = 0;  ///< -1 at most, 0 exact, 1 at least
    Step best{};
  };
  static constexpr int kMostPlies = 96;

  int node(int depth, int ply, int alpha, int beta, bool may_pass);
  int quiet(int ply, int alpha, int beta);
  int child(Step step, int depth, int ply, int alpha, int beta, bool may_pass);
  /// The value of a position that has occurred before, by how it came again.
  std::optional<int> repeated(int ply) const;
  void order(StepList& list, Step first, int ply);
  void enter(bool check);
  void leave();

  SearchLimits limits_;
  std::vector<Entry> table_;
  std::array<std::array<Step, 2>, kMostPlies> killers_{};
  std::array<std::array<int, kPoints>, 16> tries_{};
  std::vector<std::uint64_t> keys_;  ///< of the line of play up to here
  std::vector<bool> checks_;         ///< whether the side to move was in check there
  Position now_;
  std::int64_t nodes_ = 0;
  bool stopped_ = false;
};

}  // namespace arena::xiangqi
