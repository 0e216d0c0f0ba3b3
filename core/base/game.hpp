#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/engine.hpp"
#include "base/fields.hpp"
#include "base/state.hpp"

namespace arena {

/// Why a setup text was refused: what is wrong, where, what would be right.
struct SetupError {
  std::string message;
};

/// One set of rules, immutable and shared by all its states and engines.
class Game {
 public:
  virtual ~Game() = default;

  virtual int seats() const = 0;
  /// The canonical text of a move.
  virtual std::string text(const Move& move) const = 0;
  /// The start of a game. All of its chance comes from `seed`.
  virtual std::unique_ptr<State> new_state(std::uint64_t seed) const = 0;
  virtual std::variant<std::unique_ptr<State>, SetupError> from_setup(
      std::string_view text) const = 0;
  /// A reference engine for these rules. Throws FieldError for an unknown name
  /// or option, listing the valid ones. The engine must not outlive the game.
  virtual std::unique_ptr<Engine> make_engine(const EngineSpec& spec) const = 0;
};

}  // namespace arena
