#pragma once
#include <optional>
#include <vector>

#include "tuolaji/moves.hpp"
#include "tuolaji/rules.hpp"

namespace arena::tuolaji {

/// One trick, running or done.
struct Trick {
  Seat leader = 0;
  int played = 0;
  std::array<Packed, kMostPlayers> cards{};  ///< in order of play, from the leader
  ReadingCode reading = 0;                   ///< of the lead
  bool failed = false;                       ///< the lead is what was left of a throw
  Packed thrown{};                           ///< that throw
  std::uint8_t dead = 0;                     ///< by place: plays that cannot win, after a fine
  Seat winner = kSpectator;
  int points = 0;

  bool is_dead(int place) const { return ((dead >> place) & 1) != 0; }
};

/// A lead as its followers see it.
struct Lead {
  int suit = 0;  ///< as counted: a side suit or kTrump
  int cards = 0;
  Shapes units;
};

/// The lead of a trick with at least one play.
Lead lead_of(const Order& order, const Trick& trick);
Lead lead_of(const Order& order, const Cards& cards, ReadingCode reading);

/// The suit that all cards count as, or -1.
int common_suit(const Order& order, const Cards& cards);

/// What a play is worth against a lead.
struct Worth {
  Shape shape;  ///< of a single unit; else the lead's first unit
  bool trump = false;
  int strength = 0;
};
/// Nothing where the cards cannot win.
std::optional<Worth> worth(const Rules& rules, const Order& order, const Lead& lead,
                           const Cards& cards);
/// Whether a later play beats an earlier one.
bool beats(const Rules& rules, const Worth& later, const Worth& earlier);

/// The place in the order of play of the play that wins so far.
int winning_play(const Rules& rules, const Order& order, const Trick& trick);

/// The unit of a throw that must be led instead: the beatable one of lowest rank; nothing where
/// the throw stands. `others` are the hands of all other seats.
std::optional<Cards> forced_unit(const Rules& rules, const Order& order, const Cards& thrown,
                                 ReadingCode reading, const std::vector<const Cards*>& others);

/// Cards of the largest unit that can be made of a winner's cards.
int largest_unit(const Order& order, const Cards& cards);

}  // namespace arena::tuolaji
