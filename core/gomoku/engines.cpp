#include "gomoku/engines.hpp"

#include "base/spec.hpp"

namespace arena::gomoku {
namespace {

class RandomEngine final : public Engine {
 public:
  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }
  Decision choose(const State& state, Seat seat) override {
    Decision decision;
    decision.move = state.sample_move(seat, rng_);
    return decision;
  }

 private:
  Rng rng_{0};
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Context&, const EngineSpec& spec) {
  if (spec.name == "random") {
    EngineOptions options(spec, {});
    return std::make_unique<RandomEngine>();
  }
  throw FieldError("gomoku has no engine '" + spec.name + "'; it has: random, greedy, search");
}

}  // namespace arena::gomoku
