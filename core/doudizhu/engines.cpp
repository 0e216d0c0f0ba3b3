#include "doudizhu/engines.hpp"

#include "base/spec.hpp"
#include "doudizhu/state.hpp"

namespace arena::doudizhu {
namespace {

class RandomEngine final : public Engine {
 public:
  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }
  Decision choose(const State& state, Seat seat) override {
    return {state.sample_move(seat, rng_), std::nullopt, 1};
  }

 private:
  Rng rng_{0};
};

}  // namespace

std::unique_ptr<Engine> make_engine(const std::shared_ptr<const Rules>&, const EngineSpec& spec) {
  if (spec.name == "random") {
    const EngineOptions options(spec, {});
    return std::make_unique<RandomEngine>();
  }
  throw FieldError("engine '" + spec.name + "' is none of random");
}

}  // namespace arena::doudizhu
