#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/move.hpp"
#include "base/termination.hpp"
#include "siguo/layout.hpp"
#include "siguo/rules.hpp"

namespace arena::siguo {

enum class Verb : std::uint8_t { none, step, layout, timeout, resign };
inline constexpr int kVerbShift = 56;

struct Step {
  Node from, to;
};
inline Move encode(Step step) {
  return Move((static_cast<std::uint64_t>(Verb::step) << kVerbShift) |
              (static_cast<std::uint64_t>(step.from) << 8) | step.to);
}
inline Move timeout_move() { return Move(static_cast<std::uint64_t>(Verb::timeout) << kVerbShift); }
/// A referee's ruling: no seat can play it.
inline Move resign_move() { return Move(static_cast<std::uint64_t>(Verb::resign) << kVerbShift); }
/// Nothing for bits that are no step between two points.
std::optional<Step> decode_step(const Move& move);

/// A unit: 25 times its army's seat, and its number there. It keeps it when it changes hands.
using Unit = std::uint8_t;
inline constexpr int kUnits = 100;
inline constexpr Unit kNobody = 255;
constexpr Unit unit_of(Seat army, int number) { return static_cast<Unit>(army * kSlots + number); }
constexpr Seat army_of(Unit unit) { return unit / kSlots; }

/// A fight as everybody saw it. `told_…`: the death of that unit would have shown the flag of its
/// army, had it been the commander.
struct Fight {
  std::uint16_t ply = 0;
  Unit attacker = 0;
  Unit defender = 0;
  Node at = 0;
  Result result{};
  bool flag_taken = false;
  bool told_attacker = false;
  bool told_defender = false;
};
inline constexpr int kMostFights = kUnits;  // each takes at least one unit off the board

/// Why a seat is out.
enum class Fall : std::uint8_t { none, flag, no_move, timeouts, resigned };

/// The whole truth at the board, plain data, with its transitions. Beside where the units are it
/// holds what everybody could see of each: where it began, how often it moved, what it fought.
struct Position {
  // By point.
  std::array<Unit, kNodes> at{};
  // By unit. An army has units 0 to size - 1 of its 25.
  std::array<Node, kUnits> where{};  ///< kNowhere: off the board
  std::array<Node, kUnits> start{};  ///< kNowhere: a set-up did not tell
  std::array<Rank, kUnits> rank{};
  std::array<std::uint8_t, kUnits> owner{};
  std::array<std::uint16_t, kUnits> moves{};
  std::array<RankSet, kUnits> could{};      ///< what everybody saw leaves these
  std::array<std::uint8_t, kUnits> seen{};  ///< seats that know the rank, one bit each
  // By seat.
  std::array<std::uint8_t, kHomes> size{};
  std::array<Fall, kHomes> fall{};
  std::array<std::uint8_t, kHomes> timeouts{};
  std::array<std::uint8_t, kHomes> fell{};  ///< seats that are out, first to last
  std::uint8_t fallen = 0;
  /// Units of each army that a seat may move, if there is room.
  std::array<std::array<std::uint32_t, kHomes>, kHomes> mobile{};
  /// By team: what its units stand on, as points and as bits of the railway lines.
  std::array<PointSet, kHomes> held{};
  std::array<LineBits, kHomes> held_lines{};

  std::array<Fight, kMostFights> fights{};
  std::uint8_t fought = 0;

  SeatSet placed;  ///< while units are being placed: who has done so
  bool placing = true;
  bool stuck = false;  ///< nobody has a legal move, and that puts nobody out
  std::uint8_t turn = 0;
  std::uint16_t quiet = 0;
  std::uint32_t ply = 0;  ///< turns taken, time-outs included

  /// An empty board.
  Position();

  void place(const Rules& rules, Seat seat, const Layout& layout);
  /// Puts all units on the board once every seat has placed.
  void begin(const Rules& rules);
  /// A legal step of the seat to act.
  void advance(const Rules& rules, Step step);
  /// The seat to act lets its turn pass.
  void time_out(const Rules& rules);
  /// The seat to act gives up and is out.
  void resign(const Rules& rules);
  /// Goes on to a seat that can move, from `turn` on: seats without a move fall, or pass.
  void settle(const Rules& rules);

  bool in(Seat seat) const { return fall[idx(seat)] == Fall::none; }
  bool alive(Unit unit) const { return where[unit] != kNowhere; }
  bool over(const Rules& rules) const { return ending(rules).has_value(); }
  std::optional<Termination> ending(const Rules& rules) const;
  /// The team that is left; -1 where more than one is.
  int winner(const Rules& rules) const;
  int quiet_plies(const Rules& rules) const;  ///< that make a draw; 0: never

  /// Whether the rules keep a unit of `seat` where it is, by its place alone.
  bool locked(const Rules& rules, Node node, Seat seat) const;
  /// Whether `seat` may enter a point with a step along a road or a free railway.
  bool enterable(const Rules& rules, Seat seat, Node node) const {
    const Unit unit = at[node];
    return unit == kNobody || (!is_camp(node) && !rules.friends(owner[unit], seat));
  }
  /// Whether there is a point beside it that the unit could enter.
  bool has_room(const Rules& rules, Unit unit) const;
  /// Whether anything but an engineer can make this step, which is legal for one.
  bool plain_step(const Rules& rules, Step step) const;

  /// Ranks that a unit could be when only its start and whether it moved are known.
  RankSet usual(const Rules& rules, Unit unit) const;
  /// Fills `mobile`, `held` and `held_lines` in from the rest.
  void index(const Rules& rules);
  Told told(const Fight& fight, bool attacker) const;
  /// The flag of an army, where it stands on the board; kNobody else.
  Unit standing_flag(Seat army) const;

 private:
  void set_mobile(const Rules& rules, Unit unit);
  /// Notes that a unit of the seat came to a point or went from there.
  void flip(const Rules& rules, Seat seat, Node node);
  void enter(const Rules& rules, Unit unit, Node node);
  void leave(const Rules& rules, Node node);
  void lose(const Rules& rules, Unit unit);
  void show(Unit unit) { could[unit] = bit(rank[unit]); }
  void resolve(const Rules& rules, Unit attacker, Unit defender, Node node);
  void drop_out(const Rules& rules, Seat seat, Fall reason, Seat captor);
  void pass_turn(const Rules& rules);
  /// Like `settle`, where the game is not over.
  void find_mover(const Rules& rules);
  bool can_move(const Rules& rules);
  void note_stuck(const Rules& rules);
};

/// Visits the units of a mask of one army.
template <typename Visit>
void each_unit(Seat army, std::uint32_t mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(unit_of(army, std::countr_zero(mask)));
}

}  // namespace arena::siguo
