#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/state.hpp"

namespace arena {

/// A reference engine's name and settings: "search:nodes=400,noise=5".
struct EngineSpec {
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> options;
};

struct Decision {
  Move move;
  /// The engine's expected score of its seat in [0, 1], where it has one.
  std::optional<double> value;
  std::uint64_t nodes = 0;
};

/// Chooses moves. Deterministic in (seed, positions seen): budgets are nodes,
/// never time. Sees the state of full-information games as it is; for games
/// with hidden information it works on `resample`d worlds only.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Forgets everything and reseeds.
  virtual void new_game(std::uint64_t seed) = 0;
  /// `seat` is to act in `state`.
  virtual Decision choose(const State& state, Seat seat) = 0;
};

}  // namespace arena
