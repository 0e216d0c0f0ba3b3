#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/event.hpp"
#include "base/illegal.hpp"
#include "base/move.hpp"
#include "base/outcome.hpp"
#include "base/rng.hpp"
#include "base/seat.hpp"

namespace arena {

/// One game in progress. The rules sit in the Game that made it. Nothing here
/// reads a clock or draws randomness on its own.
class State {
 public:
  struct Played {
    Seat seat;
    Move move;
  };

  virtual ~State() = default;

  /// Seats that owe a move; empty when the game is over.
  virtual SeatSet seats_to_act() const = 0;

  /// The move that `text` names for `seat` in this position, or why it names
  /// none. Syntax and anything needed to find the canonical move only; whether
  /// it may be played is `refusal`'s to say. Never throws, whatever the bytes.
  virtual std::variant<Move, Illegal> parse(Seat seat, std::string_view text) const = 0;

  /// Why `seat` may not play `move` now, or nothing. Pure. `move` may be any
  /// bits at all. Turn order is checked by `check`, so `seat` is to act here.
  virtual std::optional<Illegal> refusal(Seat seat, const Move& move) const = 0;

  /// Listed moves of a seat: all of them where `moves_complete`, else a bounded
  /// choice. `move_at` takes an index below `move_count`.
  virtual std::size_t move_count(Seat seat) const = 0;
  virtual Move move_at(Seat seat, std::size_t index) const = 0;
  virtual bool moves_complete(Seat) const { return true; }

  /// Some legal move; every legal move has a positive probability, not
  /// necessarily the same one. `seat` is to act.
  virtual Move sample_move(Seat seat, Rng& rng) const = 0;

  /// What the seat is forced to, as canonical JSON ("null" where nothing is).
  virtual std::string requirements(Seat) const { return "null"; }

  /// What the seat (or kSpectator) may know, as canonical JSON.
  virtual std::string observe(Seat viewer) const = 0;

  /// The whole truth as one line of text; Game::from_setup reads it back into
  /// an equal state.
  virtual std::string setup() const = 0;

  virtual std::optional<Outcome> outcome() const = 0;

  /// What each seat plays as things stand: "black", "white", "first" …
  virtual std::vector<std::string> roles() const = 0;

  /// The legal move of a seat that is to act which a referee plays for one that finds none: the
  /// least that the rules ask for.
  virtual Move stand_in(Seat seat) const { return move_at(seat, 0); }

  /// What a referee's ruling against a seat means as a move ("fine points 20"), for games whose
  /// rules know fines. No seat may play it; it stands in the history among the moves.
  virtual std::variant<Move, Illegal> ruling(Seat, std::string_view text) const {
    return Illegal{IllegalReason::syntax, "",
                   "'" + std::string(text) + "': this game knows no rulings"};
  }

  /// Seats with the same number win and lose together, as far as that is known by now.
  virtual std::vector<int> sides() const {
    std::vector<int> own;
    for (std::size_t seat = 0; seat < roles().size(); ++seat) own.push_back(static_cast<int>(seat));
    return own;
  }

  virtual std::unique_ptr<State> clone() const = 0;

  /// Another world that gives `seat` the same observation. With full
  /// information there is only this one.
  virtual std::unique_ptr<State> resample(Seat, Rng&) const { return clone(); }

  /// Full check of a move by a seat: turn, then the game's own refusal.
  std::optional<Illegal> check(Seat seat, const Move& move) const {
    if (const auto turn = turn_error(seat)) return turn;
    return refusal(seat, move);
  }

  /// Plays a move that `check` accepts; anything else is undefined. Events are
  /// appended where the caller wants them.
  void apply_unchecked(Seat seat, const Move& move, Events* events = nullptr) {
    history_.push_back({seat, move});
    play(seat, move, events);
  }

  std::optional<Illegal> turn_error(Seat seat) const {
    const SeatSet acting = seats_to_act();
    if (acting.contains(seat)) return std::nullopt;
    if (acting.empty()) {
      return Illegal{IllegalReason::game_over, "", "the game is over: no move can be played"};
    }
    std::string who;
    for (Seat s = 0; s < kMaxSeats; ++s) {
      if (acting.contains(s)) who += (who.empty() ? "" : ", ") + std::to_string(s);
    }
    return Illegal{IllegalReason::not_your_turn, "to_act=" + who,
                   "seat " + std::to_string(seat) + " is not to act: seat " + who + " is"};
  }

  /// Moves since the setup, in order of play.
  const std::vector<Played>& history() const { return history_; }

 protected:
  State() = default;
  State(const State&) = default;
  State& operator=(const State&) = default;
  virtual void play(Seat seat, const Move& move, Events* events) = 0;

  /// Room for the history of a game of about `moves` moves, taken at once.
  void expect_moves(std::size_t moves) { history_.reserve(moves); }

 private:
  std::vector<Played> history_;
};

}  // namespace arena
