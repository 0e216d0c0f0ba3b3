#pragma once
#include <vector>

#include "tuolaji/engines_view.hpp"

namespace arena::tuolaji {

/// A move with what it looks worth, in hundredths of a point; only for comparison.
struct Option {
  Deed deed;
  int score = 0;
  int kind = 0;  ///< of a lead: its suit and shape; 0 where kinds are not told apart
};

/// A sound beginner: follows cheaply, feeds points to a partner who is winning, ruffs points,
/// draws trumps when long in them, buries short suits and few points, calls on trump length.
/// Where the last trick is paid with the hands it clears its side suits first (the essay of
/// document 002, R17). Weighs every option by one sum: points it should win or lose by the chance
/// that others can beat it, less the worth of the cards it spends. Deterministic.
class Greedy {
 public:
  explicit Greedy(const Rules& rules) : rules_(rules) {}

  /// The best-looking move of a seat that is to act: always a legal one.
  Deed choose(const Table& table, Seat seat, Memory& memory);
  /// Up to `most` different legal moves, the best-looking first.
  std::vector<Deed> candidates(const Table& table, Seat seat, Memory& memory, int most);

 private:
  void consider(const Table& table, Seat seat, Memory& memory);

  const Rules& rules_;
  std::vector<Option> options_;
};

// The parts, each filling `out` with options for its phase.
void consider_calls(const View& view, std::vector<Option>& out);
void consider_trumps(const View& view, std::vector<Option>& out);
void consider_rebellion(const View& view, std::vector<Option>& out);
void consider_burials(const View& view, std::vector<Option>& out);
void consider_leads(const View& view, std::vector<Option>& out);
void consider_follows(const View& view, std::vector<Option>& out);

/// What keeping one card is worth, in points.
int keep_value(const Order& order, Kind kind);

/// A strength below that of every unit.
constexpr int kNoStrength = -2;

/// Whether cards that this seat has not seen may hold something above a unit.
bool beatable(const View& view, const Track& track, const Held& unseen, Shape shape, int strength);

/// A chance of one; chances are whole parts of it, so that they are the same on every machine.
constexpr int kCertain = 1 << 15;

/// The chance that both of two things happen that have nothing to do with each other.
constexpr int both(int chance, int other) { return chance * other / kCertain; }

/// The chance that one given seat of `holders` holds something above a unit, if they share the
/// unseen cards of the track by lot.
int chance_above(const View& view, const Track& track, const Held& unseen, int holders, Shape shape,
                 int strength);

}  // namespace arena::tuolaji
