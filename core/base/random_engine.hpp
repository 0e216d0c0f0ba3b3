#pragma once
#include "base/engine.hpp"
#include "base/rng.hpp"

namespace arena {

/// Plays any legal move, as the state draws it.
class RandomEngine final : public Engine {
 public:
  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }
  Decision choose(const State& state, Seat seat) override {
    return {state.sample_move(seat, rng_), std::nullopt, 1};
  }

 private:
  Rng rng_{0};
};

}  // namespace arena
