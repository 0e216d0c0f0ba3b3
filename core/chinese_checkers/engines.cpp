#include "chinese_checkers/engines.hpp"

#include <algorithm>

#include "base/random_engine.hpp"
#include "base/spec.hpp"
#include "chinese_checkers/search.hpp"
#include "chinese_checkers/state.hpp"

namespace arena::chinese_checkers {
namespace {

Move encode_or_pass(const std::optional<Ends>& ends) { return ends ? encode(*ends) : kPass; }

/// The state of this family: engines are made by a game and only see its states.
const Snapshot& snapshot_of(const State& state) {
  return static_cast<const CheckersState&>(state).now();
}

/// Searches, and with a chance of `noise` percent plays any legal turn instead.
/// One ply of it is the greedy engine.
class SearchEngine final : public Engine {
 public:
  SearchEngine(std::shared_ptr<const Rules> rules, SearchLimits limits, std::int64_t noise)
      : evaluator_(std::move(rules)),
        noise_(static_cast<std::uint32_t>(noise)),
        two_(evaluator_, limits),
        many_(evaluator_, limits) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }

  Decision choose(const State& state, Seat seat) override {
    if (noise_ > 0 && rng_.below(100) < noise_) {
      return {state.sample_move(seat, rng_), std::nullopt, 1};
    }
    const Rules& rules = evaluator_.rules();
    const Snapshot& now = snapshot_of(state);
    const Recent recent(rules, state, now.position, seat);
    const Found found =
        rules.seats() == 2 ? two_.run(now, recent, rng_) : many_.run(now, recent, rng_);
    Decision decision;
    decision.move = encode_or_pass(found.best);
    decision.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(found.nodes, 1));
    if (rules.seats() == 2) decision.value = expected_score(found.value);
    return decision;
  }

 private:
  Evaluator evaluator_;
  std::uint32_t noise_;
  TwoSeatSearch two_;
  ManySeatSearch many_;
  Rng rng_{0};
};

}  // namespace

std::unique_ptr<Engine> make_engine(std::shared_ptr<const Rules> rules, const EngineSpec& spec) {
  if (spec.name == "random") {
    const EngineOptions options(spec, {});
    return std::make_unique<RandomEngine>();
  }
  if (spec.name == "greedy") {
    const EngineOptions options(spec, {{"noise", 0, 0, 100}});
    return std::make_unique<SearchEngine>(
        std::move(rules), SearchLimits{.nodes = 1 << 20, .depth = 1, .width = 1, .table = false},
        options.get("noise"));
  }
  if (spec.name == "search") {
    const EngineOptions options(spec, {{"nodes", 2000, 1, 1'000'000'000},
                                       {"noise", 0, 0, 100},
                                       {"depth", 32, 1, 64},
                                       {"width", 16, 1, 1000},
                                       {"table", 1, 0, 1}});
    return std::make_unique<SearchEngine>(
        std::move(rules),
        SearchLimits{.nodes = options.get("nodes"),
                     .depth = static_cast<int>(options.get("depth")),
                     .width = static_cast<std::size_t>(options.get("width")),
                     .table = options.get("table") != 0},
        options.get("noise"));
  }
  throw FieldError("engine '" + spec.name + "' is none of random, greedy, search");
}

}  // namespace arena::chinese_checkers
