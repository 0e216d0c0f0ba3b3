#pragma once
#include <array>
#include <optional>
#include <span>

#include "base/outcome.hpp"
#include "chinese_checkers/position.hpp"

namespace arena::chinese_checkers {

/// A seat that has filled its targets, and with which of its turns.
struct Finisher {
  Seat seat = 0;
  int turn = 0;
  friend constexpr bool operator==(Finisher, Finisher) = default;
};

/// Whose turn it is and who has finished: the part of a game that is not on the
/// board. Who may still share a place, whether the game is over and with which
/// places all follow from it.
class Progress {
 public:
  Progress() = default;
  /// Any point of a game. `seat` is the next in order; it need not be one that
  /// may move.
  Progress(const Rules& rules, Seat seat, int round, std::span<const Finisher> finishers,
           SeatSet out);

  Seat seat() const { return seat_; }
  int round() const { return round_; }
  bool over() const { return over_; }
  std::span<const Finisher> finishers() const { return {finishers_.data(), count_}; }
  SeatSet out() const { return out_; }

  /// Whether the seat may move in this or a later turn.
  bool may_move(const Rules& rules, Seat seat) const;
  /// Whether a seat that has not finished may still share a finisher's place.
  bool may_join(const Rules& rules, Seat seat) const;

  /// Ends the turn of the seat to move: judges its finish and its passivity,
  /// takes the pieces of a passive seat off, and finds who is next.
  void end_turn(const Rules& rules, Position& position);

  /// Places of all seats, 1 is best, once the game is over.
  Outcome outcome(const Rules& rules, const Position& position) const;
  /// The place of each finisher, in their order.
  std::array<int, kMaxPlayers> finisher_places(const Rules& rules) const;

 private:
  bool playing(Seat seat) const { return !finished_.contains(seat) && !out_.contains(seat); }
  int next_turn(Seat seat) const { return seat >= seat_ ? round_ : round_ + 1; }
  bool ended_by_finish(const Rules& rules) const;
  bool find_over(const Rules& rules) const;
  void step(const Rules& rules);

  Seat seat_ = 0;
  int round_ = 1;
  bool over_ = false;
  SeatSet finished_;
  SeatSet out_;
  std::size_t count_ = 0;
  std::array<Finisher, kMaxPlayers> finishers_{};
};

/// Whether the targets of all sets of a seat are won.
bool targets_won(const Rules& rules, const Position& position, Seat seat);

/// Sum over the seat's pieces of the steps to the point of their target.
int distance_left(const Rules& rules, const Position& position, Seat seat);

/// The roles by order of play.
std::vector<std::string> role_names(int seats);

}  // namespace arena::chinese_checkers
