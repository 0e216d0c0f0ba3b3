#pragma once
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "chinese_checkers/evaluate.hpp"

namespace arena::chinese_checkers {

struct SearchLimits {
  std::int64_t nodes = 0;  ///< positions made
  int depth = 0;           ///< plies of two seats; own turns where there are more
  std::size_t width = 0;   ///< turns looked at in each position below the root
  bool table = false;      ///< remember positions (two seats)
};

struct Found {
  std::optional<Ends> best;  ///< none: a pass
  int value = 0;             ///< points for the seat to move
  std::int64_t nodes = 0;
};

/// Two seats: alpha-beta with iterative deepening and a transposition table, all
/// in the real order of turns and with the real end of the game. Deterministic
/// in the position, the limits and the state of `rng`, which breaks ties at the
/// root.
class TwoSeatSearch {
 public:
  TwoSeatSearch(const Evaluator& evaluator, SearchLimits limits);
  Found run(const Snapshot& root, const Recent& recent, Rng& rng);

 private:
  struct Entry {
    std::uint64_t key = 0;
    int value = 0;
    std::int16_t depth = -1;
    std::int8_t bound = 0;  ///< -1 at most, 0 exact, 1 at least
    Ends best{};
    bool has_best = false;
  };

  int search(const Snapshot& now, int depth, int ply, int alpha, int beta);
  int after(const Snapshot& parent, const std::optional<Ends>& ends, int depth, int ply, int alpha,
            int beta);
  int leaf(const Snapshot& now) const;
  int final_value(const Snapshot& over, Seat seat, int ply) const;
  std::uint64_t key(const Snapshot& now) const;

  const Evaluator& evaluator_;
  SearchLimits limits_;
  std::int64_t nodes_ = 0;
  bool stopped_ = false;
  std::vector<Entry> table_;
  std::vector<std::vector<Scored>> moves_;  ///< by ply
};

/// Three seats and more: max^n along a narrow beam. The seat to move looks at its
/// best turns, several of its own turns deep; the others answer, in the real
/// order of turns, with the turn that gains them most at once.
class ManySeatSearch {
 public:
  ManySeatSearch(const Evaluator& evaluator, SearchLimits limits);
  Found run(const Snapshot& root, const Recent& recent, Rng& rng);

 private:
  int search(const Snapshot& now, int depth, int turn);
  int after(const Snapshot& parent, const std::optional<Ends>& ends, int depth, int turn);
  int leaf(const Snapshot& now) const;

  const Evaluator& evaluator_;
  SearchLimits limits_;
  Seat me_ = 0;
  std::int64_t nodes_ = 0;
  bool stopped_ = false;
  std::vector<Scored> answer_;
  std::vector<std::vector<Scored>> moves_;  ///< by own turn
};

}  // namespace arena::chinese_checkers
