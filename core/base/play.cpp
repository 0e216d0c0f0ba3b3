#include "base/play.hpp"

#include <utility>

#include "base/spec.hpp"

namespace arena {

Outcome drawn(const State& state, int seats, Termination termination) {
  const auto count = static_cast<std::size_t>(seats);
  Outcome outcome;
  outcome.termination = termination;
  outcome.scores.assign(count, 0.5);
  outcome.places.assign(count, 1);
  outcome.roles = state.roles();
  outcome.sides = state.sides();
  return outcome;
}

Engine& Player::engine(Seat seat, const std::string& spec) {
  const auto index = static_cast<std::size_t>(seat);
  if (engines_.size() <= index) engines_.resize(index + 1);
  for (const auto& [known, engine] : engines_[index]) {
    if (known == spec) return *engine;
  }
  engines_[index].emplace_back(spec, game_->make_engine(parse_engine_spec(spec)));
  return *engines_[index].back().second;
}

PlayedGame Player::play(const PlayTask& task) {
  const int seats = game_->seats();
  if (static_cast<int>(task.engines.size()) != seats) {
    throw FieldError("engines: " + std::to_string(task.engines.size()) + " given, this game has " +
                     std::to_string(seats) + " seats");
  }
  std::vector<Engine*> engines;
  for (Seat seat = 0; seat < seats; ++seat) {
    engines.push_back(&engine(seat, task.engines[static_cast<std::size_t>(seat)]));
    engines.back()->new_game(derive_seed(task.engine_seed, static_cast<std::uint64_t>(seat)));
  }

  PlayedGame result;
  result.nodes.assign(static_cast<std::size_t>(seats), 0);
  const std::unique_ptr<State> state = game_->new_state(task.deal_seed);
  Rng opening(derive_seed(task.deal_seed, 1));
  for (SeatSet acting = state->seats_to_act(); !acting.empty(); acting = state->seats_to_act()) {
    if (task.max_plies > 0 && result.plies >= task.max_plies) break;
    // Several seats may owe a move at once; which one is asked first cannot
    // matter to the others, because none sees another's answer before its own.
    const Seat seat = acting.lowest();
    // Built where it is used: a copy of what was only just written is what a processor waits for.
    const Decision decision = result.plies < task.opening_plies
                                  ? Decision{state->sample_move(seat, opening), std::nullopt, 0}
                                  : engines[static_cast<std::size_t>(seat)]->choose(*state, seat);
    result.nodes[static_cast<std::size_t>(seat)] += decision.nodes;
    if (task.keep_moves) result.moves.emplace_back(seat, game_->text(decision.move));
    state->apply_unchecked(seat, decision.move);
    ++result.plies;
  }
  auto outcome = state->outcome();
  result.outcome = outcome ? std::move(*outcome) : drawn(*state, seats, Termination::move_limit);
  return result;
}

}  // namespace arena
