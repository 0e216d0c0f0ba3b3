#pragma once
#include <optional>

#include "base/move.hpp"
#include "base/rng.hpp"
#include "base/seat.hpp"
#include "doudizhu/plays.hpp"

namespace arena::doudizhu {

enum class Phase : std::uint8_t { call, play, over };
enum class Verb : std::uint8_t { none, pass, bid, call, grab, play };

/// A move, taken apart. Move words: cards and verb; kind, low rank and length, or the bid.
struct Deed {
  Verb verb = Verb::none;
  int bid = 0;
  Play play;
};
Move encode(const Deed& deed);
inline Move encode(const Play& play) { return encode(Deed{Verb::play, 0, play}); }
inline Move pass_move() { return encode(Deed{Verb::pass, 0, {}}); }
/// Nothing for bits that spell no move. Whether the layout of a play is known to the rules is not
/// looked at.
std::optional<Deed> decode(const Move& move);

constexpr Seat next_seat(Seat seat) { return seat == kSeats - 1 ? 0 : seat + 1; }

/// Everything at the table but the history: plain data and its transitions.
struct Table {
  std::uint64_t seed = 0;
  std::array<Cards, kSeats> hands{};
  Cards kitty;
  Play last;  ///< to beat, where `last_seat` is a seat
  std::int64_t times = 1;
  std::int32_t base = 1;
  std::int32_t deal = 0;  ///< redeals before this deal
  Phase phase = Phase::call;
  std::int8_t first = 0;
  std::int8_t turn = 0;
  std::int8_t landlord = -1;
  std::int8_t last_seat = -1;
  std::int8_t passes = 0;  ///< in a row: since the last play, or since the last wish to be landlord
  std::int8_t face = -1;   ///< rank of the card shown in the first caller's hand; -1: none
  std::int8_t calls = 0;
  std::int8_t wanted = -1;  ///< who bid or grabbed last
  std::int8_t caller = -1;  ///< who called first (call_grab)
  std::uint8_t asked = 0;   ///< seats, one bit each (call_grab)
  bool caller_again = false;
  bool grabbed = false;
  bool passed_out = false;
  std::array<std::uint8_t, kSeats> made{};  ///< plays made by each seat

  Cards& hand(Seat seat) { return hands[static_cast<std::size_t>(seat)]; }
  Cards hand(Seat seat) const { return hands[static_cast<std::size_t>(seat)]; }
  bool leads() const { return last_seat < 0; }
  const Play* to_beat() const { return leads() ? nullptr : &last; }
  bool with_landlord(Seat seat) const { return seat == landlord; }
  bool partners(Seat a, Seat b) const { return (a == landlord) == (b == landlord); }

  static Table start(const Rules& rules, std::uint64_t seed);
  /// Shuffles and deals; who calls first follows from `first` before.
  void deal_cards(const Rules& rules);
  /// The calls of the seat to act, in order, the pass last.
  std::array<Deed, 4> legal_calls(const Rules& rules, int& count) const;

  enum class After : std::uint8_t { goes_on, landlord_known, dealt_anew };
  /// Plays a legal call of the seat to act.
  After apply_call(const Rules& rules, const Deed& deed);
  /// Plays a legal play, or the pass where that is null, of the seat to act.
  void apply_play(const Rules& rules, const Play* play);
  void crown(Seat seat);

  bool landlord_won() const { return hand(landlord).empty(); }
  /// What the end multiplies: spring, anti-spring, bombs still in hand where they count.
  bool is_spring() const;
  /// Base times multiplier under the cap: what one peasant wins or loses.
  std::int64_t stake(const Rules& rules) const;
};

}  // namespace arena::doudizhu
