#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "gomoku/board.hpp"
#include "gomoku/moves.hpp"

namespace arena::gomoku {

// clang-format off
#define ARENA_GOMOKU_PHASES(X) \
  X(place) X(swap) X(choose) X(declare) X(offer) X(swap_or_offer) X(pick) X(main) X(over)
// clang-format on

enum class Phase : std::uint8_t {
#define ARENA_ENUM(id) id,
  ARENA_GOMOKU_PHASES(ARENA_ENUM)
#undef ARENA_ENUM
};
inline constexpr int kPhases = 9;

std::string_view word(Phase phase);

/// Who owes a step: a fixed seat, or whoever holds a colour when it begins.
enum class Actor : std::uint8_t { seat0, seat1, black, white };

/// Points whose Chebyshev distance from the centre is in [low, high].
struct Zone {
  int low = 0;
  int high = kMaxSize;

  bool everywhere() const { return low == 0 && high >= kMaxSize; }
};

/// One decision or stone of an opening protocol. A phase word and the number of
/// stones name a step: no protocol has two alike.
struct Step {
  Phase phase;
  Actor actor;
  int stones;  ///< on the board when the step begins
  Zone zone{};
  bool may_add = false;  ///< `choose` only
  int next = 0;          ///< index of the step after it; the number of steps is `main`
  int after_offer = 0;   ///< `swap_or_offer` only
};

/// The steps of the protocol that the rules name; empty for `free` and `book`.
std::vector<Step> make_protocol(const Rules& rules);

/// The eight symmetries of the square; 0 is the identity.
Point mirrored(int symmetry, Point p, int size);

/// Smallest point that a symmetry of the position maps `p` onto: two points are
/// equal by symmetry where this is equal.
class Orbits {
 public:
  explicit Orbits(const Board& board);
  Point of(Point p) const;

 private:
  int size_;
  std::vector<int> symmetries_;
};

/// The prepared openings of `opening = book`, each the stones in order of play
/// (black first) as row and column offsets from the centre.
struct BookStone {
  std::int8_t row, column;
};
const std::vector<std::vector<BookStone>>& book();

}  // namespace arena::gomoku
