#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "gomoku/board.hpp"
#include "gomoku/pattern.hpp"

namespace arena::gomoku {

enum class Foul : std::uint8_t { none, overline, double_four, double_three };

constexpr std::string_view word(Foul foul) {
  constexpr std::array<std::string_view, 4> kWords{"none", "overline", "double_four",
                                                   "double_three"};
  return kWords[static_cast<std::size_t>(foul)];
}

/// What a stone makes. Under `five_beats_forbidden` a five has no foul beside it.
struct Verdict {
  bool five = false;
  Foul foul = Foul::none;

  bool wins() const { return five && foul == Foul::none; }
};

/// The definitions of five and of the forbidden moves for one set of rules
/// (RIF rules of 1996, section 9, and the weaker readings of `three_test`).
class Judge {
 public:
  explicit Judge(const Rules& rules)
      : rules_(rules), patterns_{Patterns(rules.five[0]), Patterns(rules.five[1])} {}

  /// What a stone of `colour` on the empty point `p` would make.
  Verdict verdict(const Board& board, Colour colour, Point p) const {
    const bool free = !rules_.fouls[index_of(colour)].any();
    if (free && !board.reaches_five(colour, p)) return {};
    const Tally tally = patterns_[index_of(colour)].tally(board, colour, p);
    if (tally.nothing()) return {};
    if (free || (tally.five() && rules_.five_beats_forbidden)) return {tally.five(), Foul::none};
    return {tally.five(), foul(board, colour, p, tally)};
  }

  /// Whether a stone there would make nothing at all; only stones within kReach
  /// cells on the lines of `p` can change that.
  bool quiet(const Board& board, Colour colour, Point p) const {
    return patterns_[index_of(colour)].tally(board, colour, p).nothing();
  }

  /// The pattern of a stone of `colour` in the middle of these cells of a line.
  Pattern pattern(Colour colour, const Board::Masks& cells) const {
    return patterns_[index_of(colour)].of(cells);
  }

  /// A stone's patterns along the four directions.
  using Four = std::array<Pattern, kDirections>;

  /// Whether `p`, with the patterns `four` of which two or more have the shape of a
  /// three, is a double-three under `three_test`, whatever else it may be. `scratch` is the
  /// position and is left as it was.
  bool double_three(Board& scratch, Colour colour, Point p, const Four& four) const;

 private:
  Four look(const Board& board, Colour colour, Point p) const {
    return patterns_[index_of(colour)].look(board, colour, p);
  }
  Foul foul(const Board& board, Colour colour, Point p, Tally tally) const;
  bool completes(Board& board, Colour colour, Point p) const;

  Rules rules_;
  std::array<Patterns, 2> patterns_;
};

}  // namespace arena::gomoku
