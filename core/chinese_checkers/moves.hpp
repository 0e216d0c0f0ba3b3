#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/move.hpp"
#include "base/rng.hpp"
#include "chinese_checkers/position.hpp"

namespace arena::chinese_checkers {

/// A turn by its ends.
struct Ends {
  Hole from = 0;
  Hole to = 0;
  friend constexpr bool operator==(Ends, Ends) = default;
};

inline constexpr Move kPass{std::uint64_t{1} << 16U};
constexpr Move encode(Ends ends) {
  return Move{std::uint64_t{ends.from} | std::uint64_t{ends.to} << 8U};
}
/// The ends of a move that is neither a pass nor junk bits; holes may be off the board.
constexpr std::optional<Ends> decode(const Move& move) {
  if (move.words[0] > 0xFFFF || (move.words[1] | move.words[2] | move.words[3]) != 0) {
    return std::nullopt;
  }
  return Ends{static_cast<Hole>(move.words[0] & 0xFF), static_cast<Hole>(move.words[0] >> 8U)};
}

/// Whether a set's pieces may now change places with pieces that block its target.
bool may_swap(const Rules& rules, const Position& position, int set);

/// Every hole where the piece at `from` may end a turn.
Bits destinations(const Rules& rules, const Position& position, Hole from);

/// The turns of a seat by set, origin and end, so that equal positions give equal lists; none
/// where it has to pass. What a piece reached when its set was last looked at is kept for as long
/// as nothing has changed on the holes that it depends on.
class Turns {
 public:
  /// Looks at the turns of a seat in a position, for `count` and `at` to tell.
  void look(const Rules& rules, const Position& position, Seat seat);

  std::size_t count() const { return count_; }
  /// The turn of that rank; `index` is below `count()`. The position is the one looked at.
  Ends at(const Rules& rules, const Position& position, Seat seat, std::size_t index) const;

 private:
  static constexpr int kNobody = -1;
  struct Reach {
    Bits ends;
    Bits watched;  ///< `ends` stays true while these holes stay empty or not
    int set = kNobody;
  };
  struct Seen {
    Bits occupied;
    Bits holes;
  };

  std::vector<Reach> reach_;  ///< by origin
  std::array<Seen, kMaxSets> seen_{};
  std::size_t count_ = 0;
};

/// A random turn; every legal one has a positive probability. None where the
/// seat has to pass.
std::optional<Ends> sample(const Rules& rules, const Position& position, Seat seat, Rng& rng);

/// Index of the first leg of a path that cannot be played, if there is one. The
/// path has two holes or more and starts at a piece. Where it may end is not
/// looked at.
std::optional<std::size_t> broken_leg(const Rules& rules, const Position& position,
                                      std::span<const Hole> path);

}  // namespace arena::chinese_checkers
