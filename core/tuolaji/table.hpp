#pragma once
#include <vector>

#include "base/event.hpp"
#include "base/rng.hpp"
#include "tuolaji/moves.hpp"
#include "tuolaji/rules.hpp"
#include "tuolaji/trick.hpp"

namespace arena::tuolaji {

enum class Phase : std::uint8_t { draw, choose, rebel, bury, rekitty, play, over };

/// Cards shown (or laid down) to name trump.
struct Call {
  Seat seat = 0;
  bool add = false;  ///< a partner's addition to the standing call
  Kind kind = 0;     ///< a level card or a joker
  int count = 0;
  Kind token = -1;

  Cards cards() const {
    Cards out;
    out.add(kind, count);
    if (token >= 0) out.add(token);
    return out;
  }
  friend bool operator==(const Call&, const Call&) = default;
};

/// The call that stands, additions counted in.
struct StandingCall {
  Seat owner = kSpectator;
  Kind kind = 0;
  int own = 0;            ///< cards of the owner
  int total = 0;          ///< with additions
  Kind token = -1;        ///< that its owner showed
  std::size_t since = 0;  ///< where it begins in `calls`
};

/// How a hand ended.
struct HandEnd {
  int winner = -1;  ///< side; -1: not over
  HandResult result;
  int points = 0;  ///< the attackers', everything counted
  int pot = 0;     ///< of these, by the capture with the last trick
  int gain = 0;    ///< levels gained after the cap
};

/// What a game's statistics count, summed over its hands.
enum class Count : std::uint8_t {
  hands,
  points,    ///< the attackers'
  captured,  ///< of these, by the capture with the last trick
  takeovers,
  dealer_levels,  ///< gained by the dealer's side, less those of the attackers
  side_levels,    ///< gained by side 0, less those of side 1
  last,           ///< points that the last trick was worth, whoever won it
  stake,          ///< points that there were to win
  decided,        ///< hands that the last trick turned
  calls,          ///< times that bidding closed with a call
  trumps,         ///< dealt to the callers, summed over these
  redeals,
  chokes,
  tractors,  ///< leads with a tractor in them; those below likewise
  bombs,
  throws,
  failed,
  kinds,  ///< no count: how many there are
};

struct Tally {
  /// Of the first hand; kSpectator where the game began in the middle.
  Seat drawer = kSpectator;
  Seat dealer = kSpectator;
  std::array<int, static_cast<std::size_t>(Count::kinds)> sums{};

  int operator[](Count count) const { return sums[static_cast<std::size_t>(count)]; }
  void add(Count count, int number = 1) { sums[static_cast<std::size_t>(count)] += number; }
};

/// Everything at one table, history apart. Plain data and its transitions; all chance comes from
/// `seed` and the number of deals.
struct Table {
  Phase phase = Phase::draw;
  std::uint64_t seed = 0;
  int deal = 0;     ///< deals so far, redeals included
  int redeals = 0;  ///< of this hand
  int hand = 0;     ///< hands finished before this one
  std::array<int, 2> levels{};
  std::array<int, 2> laps{};
  Seat dealer = kSpectator;
  bool contested = false;   ///< the dealer is still to be found by a call
  bool opening = false;     ///< tokens are asked for
  bool call_first = false;  ///< after a rebel: the first caller deals
  Seat first = 0;
  std::vector<std::uint8_t>
      pack;  ///< the order of the pack, kitty last; empty in made-up positions
  int drawn = 0;
  Kind turned = -1;
  std::vector<Call> calls;
  std::array<std::uint64_t, kMostPlayers> asked{};
  Seat turn = 0;
  int ring = 0;
  bool flipped = false;  ///< trump was not called
  int trump = -1;
  std::array<Cards, kMostPlayers> hands{};
  Cards kitty;
  Seat burier = kSpectator;
  std::array<Cards, kMostPlayers> shown{};  ///< known to everybody to be a seat's
  std::array<Cards, kMostPlayers> gave{};   ///< buried by a seat and taken up by another
  int points = 0;
  std::vector<Trick> tricks;
  Trick trick;
  HandEnd end;
  int match_winner = -1;    ///< side; -1: none, or drawn
  bool dead = false;        ///< the next play cannot win: its seat was fined
  std::uint8_t silent = 0;  ///< by seat: may not call any more in this deal
  bool clock_up = false;    ///< the match ended by its number of hands
  Tally tally;

  int level(const Rules& rules) const {
    return dealer < 0 ? -1 : rules.ladder.rank(levels[static_cast<std::size_t>(dealer % 2)]);
  }
  /// Trump and dealer must be known.
  const Order& order(const Rules& rules) const { return rules.order(trump, level(rules)); }
  const Cards& hand_of(Seat seat) const { return hands[static_cast<std::size_t>(seat)]; }
  Cards& hand_of(Seat seat) { return hands[static_cast<std::size_t>(seat)]; }
  bool over() const { return phase == Phase::over; }
  SeatSet to_act(const Rules& rules) const;
  Seat to_play(const Rules& rules) const { return rules.next(trick.leader, trick.played); }
  StandingCall standing() const;
  /// Who drew the card of a place in the pack.
  Seat drawer(const Rules& rules, int place) const { return rules.next(first, place); }
  /// Cards a seat drew, apart from any kitty.
  Cards dealt(const Rules& rules, Seat seat) const;

  /// The suits among which the dealer chooses in phase choose.
  std::array<bool, 4> tied_suits() const;

  /// A fresh game.
  static Table start(const Rules& rules, std::uint64_t seed);
  /// The legal calls of a seat in phases draw and rekitty.
  std::vector<Call> legal_calls(const Rules& rules, Seat seat) const;
  /// Plays a legal move of a seat that is to act.
  void apply(const Rules& rules, Seat seat, const Deed& deed, Events* events);
};

}  // namespace arena::tuolaji
