#include "doudizhu/engines.hpp"

#include <algorithm>

#include "base/random_engine.hpp"
#include "base/spec.hpp"
#include "doudizhu/policy.hpp"
#include "doudizhu/state.hpp"

namespace arena::doudizhu {
namespace {

/// The state of this family: engines are made by a game and only see its states.
const DoudizhuState& state_of(const State& state) {
  return static_cast<const DoudizhuState&>(state);
}

Move encode_option(const Option& option) {
  return option.play ? encode(*option.play) : pass_move();
}

/// The policy alone.
class GreedyEngine final : public Engine {
 public:
  GreedyEngine(std::shared_ptr<const Rules> rules, std::int64_t noise)
      : rules_(std::move(rules)), policy_(*rules_), noise_(static_cast<std::uint32_t>(noise)) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }
  Decision choose(const State& state, Seat seat) override {
    if (noise_ > 0 && rng_.below(100) < noise_) {
      return {state.sample_move(seat, rng_), std::nullopt, 1};
    }
    const Table& table = state_of(state).table();
    if (table.phase == Phase::call) return {encode(policy_.call(table)), std::nullopt, 1};
    return {encode_option(policy_.options(table).front()), std::nullopt, 1};
  }

 private:
  std::shared_ptr<const Rules> rules_;
  Policy policy_;
  std::uint32_t noise_;
  Rng rng_{0};
};

/// Tries the policy's best plays in worlds drawn anew for its seat, each played out by the policy.
class SolverEngine final : public Engine {
 public:
  SolverEngine(std::shared_ptr<const Rules> rules, std::int64_t worlds, std::int64_t width)
      : rules_(std::move(rules)),
        policy_(*rules_),
        worlds_(static_cast<int>(worlds)),
        width_(static_cast<std::size_t>(width)) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }

  Decision choose(const State& state, Seat seat) override {
    const Table& seen = state_of(state).table();
    if (seen.phase == Phase::call) return {encode(policy_.call(seen)), std::nullopt, 1};
    std::vector<Option> tried = policy_.options(seen);
    if (tried.size() > width_) tried.resize(width_);
    if (tried.size() == 1 || (tried[0].play && tried[0].play->cards == seen.hand(seat))) {
      return {encode_option(tried[0]), std::nullopt, 1};
    }
    std::vector<double> sums(tried.size(), 0.0);
    std::vector<int> wins(tried.size(), 0);
    for (int world = 0; world < worlds_; ++world) {
      const std::unique_ptr<State> other = state.resample(seat, rng_);
      for (std::size_t i = 0; i < tried.size(); ++i) {
        Table table = state_of(*other).table();
        table.apply_play(*rules_, tried[i].play ? &*tried[i].play : nullptr);
        while (table.phase == Phase::play) {
          const Option best = policy_.options(table).front();
          table.apply_play(*rules_, best.play ? &*best.play : nullptr);
        }
        const bool won = table.landlord_won() == (seat == table.landlord);
        // Winning is what is scored; a larger stake only breaks ties.
        const double stake = static_cast<double>(std::min<std::int64_t>(table.stake(*rules_), 100));
        wins[i] += won ? 1 : 0;
        sums[i] += (won ? 1.0 : -1.0) * (1.0 + 0.001 * stake);
      }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < tried.size(); ++i) {
      if (sums[i] > sums[best]) best = i;
    }
    Decision decision;
    decision.move = encode_option(tried[best]);
    decision.value = expected(wins[best], seat == seen.landlord);
    decision.nodes = static_cast<std::uint64_t>(worlds_) * tried.size();
    return decision;
  }

 private:
  /// Expected score: a landlord gets 1 or 0, a peasant 3/4 or 1/4.
  double expected(int wins, bool landlord) const {
    const double share = static_cast<double>(wins) / worlds_;
    return landlord ? share : 0.25 + 0.5 * share;
  }

  std::shared_ptr<const Rules> rules_;
  Policy policy_;
  int worlds_;
  std::size_t width_;
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
    return std::make_unique<GreedyEngine>(rules, options.get("noise"));
  }
  if (spec.name == "solver") {
    const EngineOptions options(spec, {{"worlds", 8, 1, 10'000}, {"width", 6, 2, 100}});
    return std::make_unique<SolverEngine>(rules, options.get("worlds"), options.get("width"));
  }
  throw FieldError("engine '" + spec.name + "' is none of random, greedy, solver");
}

}  // namespace arena::doudizhu
