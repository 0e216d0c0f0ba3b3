#include "siguo/engines.hpp"

#include "base/random_engine.hpp"
#include "base/spec.hpp"
#include "siguo/odds.hpp"
#include "siguo/policy.hpp"
#include "siguo/solver.hpp"
#include "siguo/state.hpp"

namespace arena::siguo {
namespace {

/// The state of this family: engines are made by a game and only see its states.
const SiguoState& state_of(const State& state) { return static_cast<const SiguoState&>(state); }

Move book_move(Rng& rng) {
  return encode(book_layout(static_cast<int>(rng.below(2 * kBookLayouts))));
}

/// Takes what promises most in the mean, else moves at random without a fight.
class GreedyEngine final : public Engine {
 public:
  GreedyEngine(std::shared_ptr<const Rules> rules, std::int64_t noise)
      : rules_(std::move(rules)), noise_(static_cast<std::uint32_t>(noise)) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }

  Decision choose(const State& state, Seat seat) override {
    const Position& position = state_of(state).position();
    if (position.placing) return {book_move(rng_), std::nullopt, 1};
    if (noise_ > 0 && rng_.below(100) < noise_) {
      return {state.sample_move(seat, rng_), std::nullopt, 1};
    }
    Steps steps;
    all_steps(*rules_, position, seat, steps);
    const Odds odds(*rules_, position, seat);
    const Step* best = nullptr;
    float most = 0;
    std::vector<Step> quiet;
    for (const Step& step : steps) {
      const Unit target = position.at[step.to];
      if (target == kNobody) {
        quiet.push_back(step);
        continue;
      }
      const float gain = fight_gain(*rules_, odds, position.rank[position.at[step.from]], target);
      if (gain > most) {
        most = gain;
        best = &step;
      }
    }
    if (best != nullptr) return {encode(*best), std::nullopt, steps.size()};
    if (quiet.empty()) return {state.sample_move(seat, rng_), std::nullopt, 1};
    const Step step = quiet[rng_.below(static_cast<std::uint32_t>(quiet.size()))];
    return {encode(step), std::nullopt, steps.size()};
  }

 private:
  std::shared_ptr<const Rules> rules_;
  std::uint32_t noise_;
  Rng rng_{0};
};

/// The policy alone.
class RuleEngine final : public Engine {
 public:
  RuleEngine(std::shared_ptr<const Rules> rules, std::int64_t noise)
      : rules_(std::move(rules)), policy_(*rules_), noise_(static_cast<std::uint32_t>(noise)) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }

  Decision choose(const State& state, Seat seat) override {
    const Position& position = state_of(state).position();
    if (position.placing) return {book_move(rng_), std::nullopt, 1};
    if (noise_ > 0 && rng_.below(100) < noise_) {
      return {state.sample_move(seat, rng_), std::nullopt, 1};
    }
    const Odds odds(*rules_, position, seat);
    const std::vector<Option> options = policy_.options(position, odds, seat, rng_);
    return {encode(options.front().step), std::nullopt, options.size()};
  }

 private:
  std::shared_ptr<const Rules> rules_;
  Policy policy_;
  std::uint32_t noise_;
  Rng rng_{0};
};

class SolverEngine final : public Engine {
 public:
  SolverEngine(std::shared_ptr<const Rules> rules, Solver::Effort effort)
      : rules_(std::move(rules)), solver_(*rules_, effort), effort_(effort) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }

  Decision choose(const State& state, Seat seat) override {
    const Position& position = state_of(state).position();
    if (position.placing) return {book_move(rng_), std::nullopt, 1};
    const auto tries =
        static_cast<std::uint64_t>(effort_.worlds) * static_cast<std::uint64_t>(effort_.width);
    return {encode(solver_.choose(position, seat, rng_)), std::nullopt, tries};
  }

 private:
  std::shared_ptr<const Rules> rules_;
  Solver solver_;
  Solver::Effort effort_;
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
  if (spec.name == "rule") {
    const EngineOptions options(spec, {{"noise", 0, 0, 100}});
    return std::make_unique<RuleEngine>(rules, options.get("noise"));
  }
  if (spec.name == "solver") {
    const EngineOptions options(
        spec, {{"worlds", 4, 1, 1'000}, {"width", 4, 2, 100}, {"depth", 8, 0, 200}});
    return std::make_unique<SolverEngine>(rules,
                                          Solver::Effort{static_cast<int>(options.get("worlds")),
                                                         static_cast<int>(options.get("width")),
                                                         static_cast<int>(options.get("depth"))});
  }
  throw FieldError("engine '" + spec.name + "' is none of random, greedy, rule, solver");
}

}  // namespace arena::siguo
