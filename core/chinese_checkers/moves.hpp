#pragma once
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

/// All turns of a seat by set, origin and end, so that equal positions give equal
/// lists; empty where it has to pass.
void list_moves(const Rules& rules, const Position& position, Seat seat, std::vector<Ends>& out);

/// A random turn; every legal one has a positive probability. None where the
/// seat has to pass.
std::optional<Ends> sample(const Rules& rules, const Position& position, Seat seat, Rng& rng);

/// Index of the first leg of a path that cannot be played, if there is one. The
/// path has two holes or more and starts at a piece. Where it may end is not
/// looked at.
std::optional<std::size_t> broken_leg(const Rules& rules, const Position& position,
                                      std::span<const Hole> path);

}  // namespace arena::chinese_checkers
