#include "xiangqi/engines.hpp"

#include "base/random_engine.hpp"
#include "base/spec.hpp"
#include "xiangqi/evaluate.hpp"
#include "xiangqi/search.hpp"
#include "xiangqi/state.hpp"

namespace arena::xiangqi {
namespace {

/// The state of this family: engines are made by a game and only see its states.
const XiangqiState& own(const State& state) { return static_cast<const XiangqiState&>(state); }

/// From points to an expected score: a horse ahead is about 0.75.
double expected_score(int value) {
  return 0.5 + 0.5 * value / (300.0 + (value < 0 ? -value : value));
}

/// Plays the move with the best board at once; with a chance of `noise` percent any move.
class GreedyEngine final : public Engine {
 public:
  explicit GreedyEngine(std::int64_t noise) : noise_(static_cast<std::uint32_t>(noise)) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }

  Decision choose(const State& state, Seat seat) override {
    if (noise_ > 0 && rng_.below(100) < noise_) {
      return {state.sample_move(seat, rng_), std::nullopt, 1};
    }
    const XiangqiState& root = own(state);
    Position now = root.course().now;
    Decision decision;
    int best = -2 * kMate;
    std::uint32_t ties = 0;
    for (const Step step : root.legal()) {
      const Man captured = now.play(step);
      StepList replies;
      now.list_legal(replies);
      const int value = replies.count == 0 ? kMate : -evaluate(now);
      now.undo(step, captured);
      ++decision.nodes;
      if (value > best) ties = 0;
      if (value < best || rng_.below(++ties) != 0) continue;
      best = value;
      decision.move = encode(step);
    }
    decision.value = expected_score(best);
    return decision;
  }

 private:
  std::uint32_t noise_;
  Rng rng_{0};
};

class SearchEngine final : public Engine {
 public:
  SearchEngine(SearchLimits limits, std::int64_t noise)
      : search_(limits), noise_(static_cast<std::uint32_t>(noise)) {}

  void new_game(std::uint64_t seed) override {
    rng_ = Rng(seed);
    search_.forget();
  }

  Decision choose(const State& state, Seat seat) override {
    if (noise_ > 0 && rng_.below(100) < noise_) {
      return {state.sample_move(seat, rng_), std::nullopt, 1};
    }
    const XiangqiState& root = own(state);
    const Found found = search_.run(root, rng_);
    Decision decision;
    decision.move = encode(found.best);
    decision.value = expected_score(found.value);
    decision.nodes = static_cast<std::uint64_t>(found.nodes);
    const Rules& rules = root.rules();
    if (rules.claims && root.course().quiet >= rules.natural_plies && found.value <= 0) {
      decision.move = kClaim;
    }
    return decision;
  }

 private:
  Search search_;
  std::uint32_t noise_;
  Rng rng_{0};
};

/// Counts leaves, or those whose last move captures, checks or mates.
class PerftEngine final : public Engine {
 public:
  PerftEngine(int depth, Leaves wanted) : depth_(depth), wanted_(wanted) {}
  void new_game(std::uint64_t) override {}
  Decision choose(const State& state, Seat) override {
    const XiangqiState& root = own(state);
    Position now = root.course().now;
    return {encode(root.legal().steps[0]), std::nullopt, now.perft(depth_, wanted_)};
  }

 private:
  int depth_;
  Leaves wanted_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Rules&, const EngineSpec& spec) {
  if (spec.name == "random") {
    const EngineOptions options(spec, {});
    return std::make_unique<RandomEngine>();
  }
  if (spec.name == "greedy") {
    const EngineOptions options(spec, {{"noise", 0, 0, 100}});
    return std::make_unique<GreedyEngine>(options.get("noise"));
  }
  if (spec.name == "search") {
    const EngineOptions options(
        spec, {{"nodes", 2000, 1, 1'000'000'000}, {"noise", 0, 0, 100}, {"depth", 64, 1, 64}});
    return std::make_unique<SearchEngine>(
        SearchLimits{options.get("nodes"), static_cast<int>(options.get("depth"))},
        options.get("noise"));
  }
  if (spec.name == "perft") {
    const EngineOptions options(spec, {{"depth", 4, 1, 8}, {"count", 0, 0, 3}});
    return std::make_unique<PerftEngine>(static_cast<int>(options.get("depth")),
                                         static_cast<Leaves>(options.get("count")));
  }
  throw FieldError("engine '" + spec.name + "' is none of random, greedy, search, perft");
}

}  // namespace arena::xiangqi
