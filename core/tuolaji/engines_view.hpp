#pragma once
#include "tuolaji/table.hpp"

namespace arena::tuolaji {

/// What a player remembers of the tricks of a hand: public, and kept up to date trick by trick.
struct Memory {
  Cards played;  ///< in finished tricks
  std::array<std::uint8_t, kMostPlayers>
      voids{};                                  ///< by seat: suits (as counted) it has run out of
  std::array<std::int8_t, kMostPlayers> led{};  ///< by seat: the side suit it led last, or -1

  /// Takes in what happened since the last call; begins anew for another hand.
  void catch_up(const Rules& rules, const Table& table);

 private:
  bool follows(const Table& table) const;

  int deal_ = -1;
  int hand_ = -1;
  std::size_t tricks_ = 0;
  std::array<Packed, kMostPlayers> last_{};
};

/// A table as one seat may see it: the only way in which the engines' own thinking looks at it.
class View {
 public:
  /// `memory` must have caught up with the table.
  View(const Rules& rules, const Table& table, Seat seat, const Memory& memory);

  const Rules& rules() const { return rules_; }
  Seat seat() const { return seat_; }
  Phase phase() const { return table_.phase; }
  const Cards& hand() const { return table_.hand_of(seat_); }
  int hand_size(Seat seat) const { return table_.hand_of(seat).size(); }
  bool mate(Seat other) const { return Rules::side(other) == Rules::side(seat_); }

  // Before play.
  std::vector<Call> legal_calls() const { return table_.legal_calls(rules_, seat_); }
  /// Who made the call that stands, or kSpectator: calls are public, their suits may not be.
  Seat caller() const { return table_.standing().owner; }
  bool contested() const { return table_.contested; }
  /// The rank that calls are made in for this seat.
  int call_rank() const;
  std::array<bool, 4> tied_suits() const { return table_.tied_suits(); }

  // From the burial on.
  int trump() const { return table_.trump; }
  Seat dealer() const { return table_.dealer; }
  const Order& order() const { return order_; }
  const Trick& trick() const { return table_.trick; }
  const Memory& memory() const { return memory_; }
  bool is_void(Seat seat, int suit) const {
    return ((memory_.voids[static_cast<std::size_t>(seat)] >> suit) & 1) != 0;
  }
  /// Cards of a track that are neither in this hand nor known to be gone.
  Held unseen(const Track& track) const;

 private:
  const Rules& rules_;
  const Table& table_;
  Seat seat_;
  const Memory& memory_;
  const Order& order_;
  Cards gone_;  ///< played or, by this seat, buried
};

}  // namespace arena::tuolaji
