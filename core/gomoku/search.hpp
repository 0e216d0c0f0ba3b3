#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "gomoku/evaluator.hpp"

namespace arena::gomoku {

struct Found {
  Point move = -1;  ///< -1: every point loses at once, or none was allowed
  int score = 0;    ///< for the side to move; beyond +-kWon a forced end
  std::uint64_t nodes = 0;
};

/// Alpha-beta with iterative deepening and a search of continuous fours, bounded
/// by nodes alone. Knows fives, forced answers, straight fours and forbidden
/// points; stones and the side to move are all it is told.
class Search {
 public:
  static constexpr int kWon = 20000;
  static constexpr int kMate = 30000;

  explicit Search(const Context& context) : evaluator_(context) {}

  /// Best of `allowed` for `to_move`, trying moves of equal worth in the order
  /// that `seed` shuffles them. Spends at most `budget` nodes, and a few more.
  Found run(const Board& board, Colour to_move, const Points& allowed, std::uint64_t budget,
            std::uint64_t seed);
  Evaluator& evaluator() { return evaluator_; }

 private:
  struct Candidate {
    Point move;
    int score;
  };
  enum class Bound : std::uint8_t { exact, lower, upper };
  /// What is known of a position; of this run where `run` is the present one.
  struct Known {
    std::uint64_t key = 0;
    std::uint32_t run = 0;
    std::int32_t score = 0;
    std::int16_t move = -1;
    std::int8_t depth = 0;
    Bound bound = Bound::exact;
  };
  static constexpr std::size_t kKnown = std::size_t{1} << 15;

  /// At most this many moves are looked at in a quiet position.
  static constexpr int kWidth = 14;
  static constexpr int kMaxPly = 48;
  using Candidates = std::vector<Candidate>;

  int negamax(Colour side, int depth, int alpha, int beta, int ply);
  bool fours_win(Colour side, int depth, Point* first);
  void gather(Colour side, Candidates& out, int width);
  std::optional<int> settled(Colour side, int ply);
  /// A point that wins at once, or -1.
  Point five_at_hand(Colour side) const;
  bool spent() const { return nodes_ >= budget_; }

  Evaluator evaluator_;
  std::uint64_t nodes_ = 0;
  std::uint64_t budget_ = 0;
  std::uint64_t fours_limit_ = 0;
  std::uint32_t run_ = 0;
  std::vector<Known> known_ = std::vector<Known>(kKnown);
  std::vector<Candidates> lists_ = std::vector<Candidates>(kMaxPly + 1);
};

}  // namespace arena::gomoku
