#pragma once
#include <array>
#include <vector>

#include "base/fields.hpp"
#include "base/seat.hpp"
#include "chinese_checkers/board.hpp"

namespace arena::chinese_checkers {

enum class Jump : std::uint8_t { adjacent, equidistant };
enum class ForeignTriangles : std::uint8_t { free, pass_through, closed };
enum class AntiBlock : std::uint8_t { none, filled_any_own, swap, passive_loss };
enum class LateFinish : std::uint8_t { none, same_round_draw, one_more_round_draw };
enum class Finish : std::uint8_t { first_only, rank_all };
enum class CapResult : std::uint8_t { draw, pieces_home, distance };

inline constexpr int kMaxSets = 6;
inline constexpr int kMaxPegs = 15;
inline constexpr int kMaxPlayers = 6;

/// The pieces of one colour: where they start and where they go.
struct SetPlan {
  Tip home_tip{};
  Seat seat = 0;
  Bits home;
  Bits target;
  Hole point = kWall;  ///< the outermost hole of the target
};

/// One set of rules with everything derived from it: immutable, shared.
class Rules {
 public:
  /// Throws FieldError that names the setting.
  explicit Rules(const Fields& fields);

  const Board& board() const { return *board_; }
  int seats() const { return seats_; }
  int pegs() const { return pegs_; }
  int sets() const { return static_cast<int>(plans_.size()); }
  const SetPlan& plan(int set) const { return plans_[static_cast<std::size_t>(set)]; }
  /// The sets of a seat, as indices into `plan`.
  const std::vector<int>& sets_of(Seat seat) const {
    return sets_of_[static_cast<std::size_t>(seat)];
  }
  Seat seat_of(int set) const { return plan(set).seat; }
  /// Tips that are neither home nor target of the seat.
  Bits foreign(Seat seat) const { return foreign_[static_cast<std::size_t>(seat)]; }

  Jump jump() const { return jump_; }
  ForeignTriangles foreign_triangles() const { return foreign_triangles_; }
  bool leave_target() const { return leave_target_; }
  AntiBlock anti_block() const { return anti_block_; }
  int home_deadline() const { return home_deadline_; }
  LateFinish late_finish() const { return late_finish_; }
  Finish finish() const { return finish_; }
  int max_turns() const { return max_turns_; }
  CapResult cap_result() const { return cap_result_; }

 private:
  void seat_sets(int per_player, int rows);

  const Board* board_ = nullptr;
  int seats_ = 0;
  int pegs_ = 0;
  std::vector<SetPlan> plans_;
  std::array<std::vector<int>, kMaxPlayers> sets_of_;
  std::array<Bits, kMaxPlayers> foreign_{};
  Jump jump_{};
  ForeignTriangles foreign_triangles_{};
  bool leave_target_ = false;
  AntiBlock anti_block_{};
  int home_deadline_ = 0;
  LateFinish late_finish_{};
  Finish finish_{};
  int max_turns_ = 0;
  CapResult cap_result_{};
};

}  // namespace arena::chinese_checkers
