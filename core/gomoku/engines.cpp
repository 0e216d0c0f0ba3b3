#include "gomoku/engines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/random_engine.hpp"
#include "base/spec.hpp"
#include "gomoku/search.hpp"
#include "gomoku/state.hpp"

namespace arena::gomoku {
namespace {

/// What `greedy` and `search` share: every phase of every protocol is played by
/// judging positions. They differ in how a position is judged.
class Thinker : public Engine {
 public:
  Thinker(const Context& context, int noise) : context_(context), search_(context), noise_(noise) {}

  void new_game(std::uint64_t seed) override { rng_ = Rng(seed); }

  Decision choose(const State& given, Seat seat) override {
    // The engine was made by the game that made the state.
    const auto& state = static_cast<const GomokuState&>(given);
    nodes_ = 0;
    value_.reset();
    Decision decision;
    decision.move = decide(state, seat);
    decision.value = value_;
    decision.nodes = nodes_;
    return decision;
  }

 protected:
  /// The best of `allowed`, or -1 where all lose at once.
  virtual Found best(const Board& board, Colour to_move, const Points& allowed) = 0;
  /// Worth of a position to the side to move, in the search's units; `share` of
  /// them are judged for one decision.
  virtual int judge(const Board& board, Colour to_move, int share) = 0;

  /// Expected score from a worth: 400 units are about ten to one.
  static double expectation(int score) { return 1.0 / (1.0 + std::pow(10.0, -score / 400.0)); }

  const Context& context_;
  Search search_;
  Rng rng_{0};
  std::uint64_t nodes_ = 0;

 private:
  Move decide(const GomokuState& state, Seat seat) {
    const Position& position = state.position();
    const Colour mine = position.colour_of(seat);
    switch (state.phase()) {
      case Phase::main:
        if (state.may_claim() && state.claim_is_right()) {
          value_ = 1.0;
          return make_move(Act::claim);
        }
        return stone(state);
      case Phase::place:
        return opening_stone(state, seat);
      case Phase::swap:
      case Phase::swap_or_offer: {
        // The colour whose prospects are the better one is worth having.
        const double hope = prospects(position.board, mine, 1);
        value_ = std::max(hope, 1.0 - hope);
        return make_move(hope < 0.5 ? Act::swap : Act::stay);
      }
      case Phase::choose: {
        const double hope = prospects(position.board, Colour::black, 1);
        value_ = std::max(hope, 1.0 - hope);
        return make_move(hope >= 0.5 ? Act::black : Act::white);
      }
      case Phase::declare:
        // Half of what is allowed: each more is worth a little to white.
        return make_move(Act::declare, (context_.rules.opening_n + 1) / 2);
      case Phase::offer:
        return offer(state);
      default:
        return pick(state);
    }
  }

  /// A colour's expected score with the next stone where the number of stones puts it.
  double prospects(const Board& board, Colour colour, int share) {
    const Colour next = board.count() % 2 == 0 ? Colour::black : Colour::white;
    const double hope = expectation(judge(board, next, share));
    return colour == next ? hope : 1.0 - hope;
  }

  Move stone(const GomokuState& state) {
    const Points allowed = state.places();
    const Colour colour = state.due();
    const Board& board = state.position().board;
    if (allowed.count() == 0) return make_move(Act::pass);
    if (noise_ > 0 && static_cast<int>(rng_.below(100)) < noise_) {
      if (const Point p = any_sound(board, colour, allowed); p >= 0) {
        return make_move(Act::place, p);
      }
    }
    if (board.count() == 0) return make_move(Act::place, near_centre(allowed));
    const Found found = best(board, colour, allowed);
    nodes_ += found.nodes;
    value_ = expectation(found.score);
    if (found.move >= 0) return make_move(Act::place, found.move);
    const Point p = any_sound(board, colour, allowed);
    if (p >= 0) return make_move(Act::place, p);
    if (context_.rules.may_pass) return make_move(Act::pass);
    return make_move(Act::place, allowed.at(0));  // every point is a foul
  }

  /// A random point that is no foul, or -1.
  Point any_sound(const Board& board, Colour colour, Points allowed) {
    for (int left = allowed.count(); left > 0; --left) {
      const Point p = allowed.at(static_cast<int>(rng_.below(static_cast<std::uint32_t>(left))));
      if (context_.judge.verdict(board, colour, p).foul == Foul::none) return p;
      allowed.remove(p);
    }
    return -1;
  }

  /// One of the allowed points nearest to the centre, at random.
  Point near_centre(const Points& allowed) {
    const Geometry& geometry = Geometry::of(context_.rules.size);
    int nearest = kMaxSize;
    allowed.each([&](Point p) { nearest = std::min(nearest, geometry.ring(p)); });
    std::vector<Point> found;
    allowed.each([&](Point p) {
      if (geometry.ring(p) == nearest) found.push_back(p);
    });
    return found[rng_.below(static_cast<std::uint32_t>(found.size()))];
  }

  /// The best stone where the colours are settled; where the rival may still
  /// choose, the last stone before that is the one that leaves least to choose.
  Move opening_stone(const GomokuState& state, Seat seat) {
    const Position& position = state.position();
    const Points allowed = state.places();
    const Step& step = state.step();
    const auto next = static_cast<std::size_t>(step.next);
    const Phase after =
        next < context_.protocol.size() ? context_.protocol[next].phase : Phase::main;
    const bool chosen_next =
        after == Phase::swap || after == Phase::choose || after == Phase::declare;
    const bool own = position.colour_of(seat) == state.due() &&
                     (step.actor == Actor::black || step.actor == Actor::white);
    if (!chosen_next && own && position.board.count() > 0) {
      const Found found = best(position.board, state.due(), allowed);
      nodes_ += found.nodes;
      if (found.move >= 0) return make_move(Act::place, found.move);
    }
    // Near the stones that are there, so that the position can be judged.
    const Geometry& geometry = Geometry::of(context_.rules.size);
    std::vector<Point> tries;
    allowed.each([&](Point p) {
      if (geometry.ring(p) <= std::max(4, step.zone.low) || allowed.count() < 40) {
        tries.push_back(p);
      }
    });
    if (tries.empty()) tries.push_back(near_centre(allowed));
    for (std::size_t i = tries.size(); i > 1; --i) {
      std::swap(tries[i - 1], tries[rng_.below(static_cast<std::uint32_t>(i))]);
    }
    if (!chosen_next) return make_move(Act::place, tries[0]);
    Point chosen = tries[0];
    double least = 2.0;
    for (const Point p : tries) {
      Board after_stone = position.board;
      after_stone.put(state.due(), p);
      const double lean =
          std::abs(prospects(after_stone, Colour::black, static_cast<int>(tries.size())) - 0.5);
      if (lean < least) {
        least = lean;
        chosen = p;
      }
    }
    return make_move(Act::place, chosen);
  }

  /// Black's best fifth moves, one of each class of equal points.
  Move offer(const GomokuState& state) {
    const Board& board = state.position().board;
    std::vector<std::pair<double, Point>> rated;
    search_.evaluator().set(board);
    for (const Point p : state.offer_classes()) {
      rated.emplace_back(-search_.evaluator().score(Colour::black, p) -
                             search_.evaluator().score(Colour::white, p),
                         p);
    }
    std::sort(rated.begin(), rated.end());
    // The likeliest by looks are judged properly.
    const auto owed = static_cast<std::size_t>(state.owed());
    rated.resize(std::min(rated.size(), owed + 12));
    for (auto& [worth, p] : rated) {
      Board after = board;
      after.put(Colour::black, p);
      worth = -prospects(after, Colour::black, static_cast<int>(rated.size()));
    }
    std::sort(rated.begin(), rated.end());
    Offer offer;
    for (std::size_t i = 0; i < owed; ++i) offer.add(rated[i].second);
    value_ = -rated[owed - 1].first;
    return make_offer(offer);
  }

  /// The offered point that is worst for black.
  Move pick(const GomokuState& state) {
    const Offer& offers = state.position().offers;
    Point chosen = offers.at(0);
    double least = 2.0;
    for (int i = 0; i < offers.count; ++i) {
      Board after = state.position().board;
      after.put(Colour::black, offers.at(i));
      const double hope = prospects(after, Colour::black, offers.count);
      if (hope < least) {
        least = hope;
        chosen = offers.at(i);
      }
    }
    value_ = 1.0 - least;
    return make_move(Act::pick, chosen);
  }

  int noise_;
  std::optional<double> value_;
};

/// One ply: the point that makes and stops most.
class GreedyEngine final : public Thinker {
 public:
  using Thinker::Thinker;

 protected:
  Found best(const Board& board, Colour to_move, const Points& allowed) override {
    Evaluator& evaluator = search_.evaluator();
    evaluator.set(board);
    Found found;
    int most = -1;
    std::uint32_t ties = 0;
    allowed.each([&](Point p) {
      const int mine = evaluator.score(to_move, p);
      const int theirs = evaluator.score(other(to_move), p);
      const int worth = 3 * mine + 2 * theirs;
      if (worth < most || !evaluator.sound(to_move, p)) return;
      ties = worth > most ? 1 : ties + 1;
      if (worth > most || rng_.below(ties) == 0) found.move = p;
      most = worth;
    });
    found.score = evaluator.balance(to_move);
    found.nodes = 1;
    return found;
  }
  int judge(const Board& board, Colour to_move, int) override {
    search_.evaluator().set(board);
    ++nodes_;
    return search_.evaluator().balance(to_move);
  }
};

class SearchEngine final : public Thinker {
 public:
  SearchEngine(const Context& context, int noise, std::uint64_t budget)
      : Thinker(context, noise), budget_(budget) {}

 protected:
  Found best(const Board& board, Colour to_move, const Points& allowed) override {
    return search_.run(board, to_move, allowed, budget_, rng_.next());
  }
  int judge(const Board& board, Colour to_move, int share) override {
    const std::uint64_t budget =
        std::max<std::uint64_t>(32, budget_ / static_cast<std::uint64_t>(share));
    const Found found = search_.run(board, to_move, context_.everywhere, budget, rng_.next());
    nodes_ += found.nodes;
    return found.score;
  }

 private:
  std::uint64_t budget_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Context& context, const EngineSpec& spec) {
  if (spec.name == "random") {
    EngineOptions options(spec, {});
    return std::make_unique<RandomEngine>();
  }
  if (spec.name == "greedy") {
    EngineOptions options(spec, {{"noise", 0, 0, 100}});
    return std::make_unique<GreedyEngine>(context, static_cast<int>(options.get("noise")));
  }
  if (spec.name == "search") {
    EngineOptions options(spec, {{"nodes", 1000, 1, 100'000'000}, {"noise", 0, 0, 100}});
    return std::make_unique<SearchEngine>(context, static_cast<int>(options.get("noise")),
                                          static_cast<std::uint64_t>(options.get("nodes")));
  }
  throw FieldError("gomoku has no engine '" + spec.name + "'; it has: random, greedy, search");
}

}  // namespace arena::gomoku
