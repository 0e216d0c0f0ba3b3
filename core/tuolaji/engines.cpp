#include "tuolaji/engines.hpp"

#include "base/random_engine.hpp"
#include "base/spec.hpp"
#include "tuolaji/solver.hpp"

namespace arena::tuolaji {
namespace {

/// The state of this family: engines are made by a game and only see its states.
const TuolajiState& own_state(const State& state) {
  return static_cast<const TuolajiState&>(state);
}

/// With a chance of `noise` percent plays any legal move instead.
class GreedyEngine final : public Engine {
 public:
  GreedyEngine(std::shared_ptr<const Rules> rules, std::uint32_t noise)
      : rules_(std::move(rules)), greedy_(*rules_), noise_(noise) {}

  void new_game(std::uint64_t seed) override {
    rng_ = Rng(seed);
    memory_ = Memory();
  }
  Decision choose(const State& state, Seat seat) override {
    if (noise_ > 0 && rng_.below(100) < noise_) {
      return {state.sample_move(seat, rng_), std::nullopt, 1};
    }
    return {encode(greedy_.choose(own_state(state).table(), seat, memory_)), std::nullopt, 1};
  }

 private:
  std::shared_ptr<const Rules> rules_;
  Greedy greedy_;
  Memory memory_;
  std::uint32_t noise_;
  Rng rng_{0};
};

class SolverEngine final : public Engine {
 public:
  SolverEngine(const std::shared_ptr<const Rules>& rules, SolverLimits limits)
      : solver_(rules, limits) {}

  void new_game(std::uint64_t seed) override {
    rng_ = Rng(seed);
    solver_.forget();
  }
  Decision choose(const State& state, Seat seat) override {
    return solver_.choose(own_state(state), seat, rng_);
  }

 private:
  Solver solver_;
  Rng rng_{0};
};

}  // namespace

std::unique_ptr<Engine> make_engine(const std::shared_ptr<const Rules>& rules,
                                    const EngineSpec& spec) {
  if (spec.name == "random") {
    const EngineOptions options(spec, {});
    return std::make_unique<RandomEngine>();
  }
  if (spec.name == "greedy") {
    const EngineOptions options(spec, {{"noise", 0, 0, 100}});
    return std::make_unique<GreedyEngine>(rules, static_cast<std::uint32_t>(options.get("noise")));
  }
  if (spec.name == "solver") {
    const EngineOptions options(spec, {{"worlds", 24, 1, 10000}, {"candidates", 6, 1, 100}});
    return std::make_unique<SolverEngine>(
        rules, SolverLimits{.worlds = static_cast<int>(options.get("worlds")),
                            .candidates = static_cast<int>(options.get("candidates"))});
  }
  throw FieldError("engine '" + spec.name + "' is none of random, greedy, solver");
}

}  // namespace arena::tuolaji
