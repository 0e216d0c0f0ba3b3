#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "base/game.hpp"

namespace arena::bind {

/// Python objects of class T that are handed out again once nobody else holds them. A loop over
/// moves drops each view, move and list of events before it asks for the one after the next, and
/// making and freeing an object costs as much as playing a move.
template <typename T>
class Recycled {
 public:
  /// A free object, else a new one, made of `make`; `renew` writes what differs between any two.
  template <typename Renew, typename... Make>
  nanobind::object give(Renew&& renew, const Make&... make) {
    // Two of them: `view = state.moves(seat)` still holds the last one while it asks for the next.
    nanobind::object& spare = is_held(first_) ? second_ : first_;
    if (!spare || is_held(spare)) spare = nanobind::cast(T{make...});
    renew(*nanobind::inst_ptr<T>(spare));
    return spare;
  }

 private:
  static bool is_held(const nanobind::object& ours) { return ours && Py_REFCNT(ours.ptr()) > 1; }

  nanobind::object first_;
  nanobind::object second_;
};

/// A move as Python holds it: the value and the game that can spell it.
struct BoundMove {
  std::shared_ptr<const Game> game;
  Move move{};
};

/// The events of one move, kept whole until Python asks for one of them.
struct BoundEvents {
  Events events{};
};

/// A state and what Python is handed of it. `revision` tells a view of its moves that the
/// state has gone on since. `vouched` is the last move that the state itself gave out for a
/// seat, so that playing it needs no second look.
struct Played {
  std::shared_ptr<const Game> game;
  std::unique_ptr<State> state;
  std::uint64_t revision = 0;
  Seat vouched_seat = kSpectator;
  Move vouched{};
  Recycled<BoundMove> move{};
  Recycled<BoundEvents> events{};

  nanobind::object vouch(Seat seat, const Move& legal) {
    vouched_seat = seat;
    vouched = legal;
    return move.give([&](BoundMove& bound) { bound.move = legal; }, game);
  }
  bool vouches(Seat seat, const Move& given) const {
    return seat == vouched_seat && given == vouched;
  }
  nanobind::object apply(Seat seat, const Move& legal) {
    ++revision;
    vouched_seat = kSpectator;
    return events.give([&](BoundEvents& bound) {
      bound.events.clear();
      state->apply_unchecked(seat, legal, &bound.events);
    });
  }
};

/// The lazy list of a seat's moves. It keeps its state going, not the Python object of it: that
/// one may hold this one.
struct BoundMoves {
  std::shared_ptr<Played> owner;
  Seat seat = 0;
  std::uint64_t revision = 0;
  Py_ssize_t size = -1;  ///< counted when first asked for
};

/// A state as Python holds it.
struct BoundState {
  std::shared_ptr<Played> played;
  Recycled<BoundMoves> view{};

  Played* operator->() const { return played.get(); }
  const Game& game() const { return *played->game; }
  const State& state() const { return *played->state; }
};

}  // namespace arena::bind
