#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/illegal.hpp"
#include "base/move.hpp"
#include "xiangqi/position.hpp"

namespace arena::xiangqi {

/// Says that the natural limit has been reached.
inline constexpr Move kClaim{std::uint64_t{1} << 14U};

/// A referee's ruling: a technical foul of a seat. No seat can play it.
inline constexpr Move kFoul{std::uint64_t{1} << 15U};

constexpr Move encode(Step step) {
  return Move(static_cast<std::uint64_t>(step.from) << 7U | step.to);
}
/// The step of a move; nothing for a claim, a ruling or bits that are no step of the board.
std::optional<Step> decode(const Move& move);

/// The canonical text of a move; junk bits give "?".
std::string move_text(const Move& move);
/// Reads `h3e3` (ranks 1 to 10), `H2-E2` (ICCS, ranks 0 to 9) or `claim`.
std::variant<Move, Illegal> parse_move(std::string_view text);
/// Reads `h3e3` alone.
std::optional<Step> parse_step(std::string_view text);

}  // namespace arena::xiangqi
