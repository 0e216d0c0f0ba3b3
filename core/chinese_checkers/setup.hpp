#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "base/game.hpp"
#include "chinese_checkers/moves.hpp"
#include "chinese_checkers/progress.hpp"

namespace arena::chinese_checkers {

/// Everything a game consists of, history apart.
struct Snapshot {
  Position position;
  Progress progress;

  /// Plays a legal turn of the seat to move; nothing is a pass.
  void play(const Rules& rules, const std::optional<Ends>& ends) {
    if (ends) position.move(rules, ends->from, ends->to);
    progress.end_turn(rules, position);
  }
};

/// The holes of a set by name: letter first, then number.
std::vector<Hole> named_order(const Board& board, Bits holes);

/// The line that docs/games/chinese-checkers.md describes.
std::string write_setup(const Rules& rules, const Snapshot& snapshot);
std::variant<Snapshot, SetupError> read_setup(const Rules& rules, std::string_view text);

}  // namespace arena::chinese_checkers
