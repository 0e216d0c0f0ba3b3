#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "base/game.hpp"

namespace arena::bind {

/// A move as Python holds it: the value and the game that can spell it.
struct BoundMove {
  std::shared_ptr<const Game> game;
  Move move;
};

/// A state as Python holds it. `revision` tells a view of its moves that the
/// state has gone on since. `vouched` is the last move that the state itself gave
/// out for a seat, so that playing it needs no second look.
struct BoundState {
  std::shared_ptr<const Game> game;
  std::unique_ptr<State> state;
  std::uint64_t revision = 0;
  mutable Seat vouched_seat = kSpectator;
  mutable Move vouched{};

  BoundMove vouch(Seat seat, const Move& move) const {
    vouched_seat = seat;
    vouched = move;
    return {game, move};
  }
  bool vouches(Seat seat, const Move& move) const {
    return seat == vouched_seat && move == vouched;
  }
  void apply(Seat seat, const Move& move, Events* events) {
    ++revision;
    vouched_seat = kSpectator;
    state->apply_unchecked(seat, move, events);
  }
};

/// The events of one move, kept whole until Python asks for one of them.
struct BoundEvents {
  Events events;
};

/// The lazy list of a seat's moves. It holds on to the Python object of its state.
struct BoundMoves {
  nanobind::object keeper;
  const BoundState* owner;
  Seat seat;
  std::uint64_t revision;
};

}  // namespace arena::bind
