#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "tuolaji/order.hpp"

namespace arena::tuolaji {

/// w equal cards of each of l neighbouring ranks.
struct Shape {
  std::uint8_t w = 1;
  std::uint8_t l = 1;

  int cards() const { return w * l; }
  bool tractor() const { return l > 1; }
  friend bool operator==(Shape, Shape) = default;
};

/// Whether `a` is named before `b` in a list of units: tractors first, then the wider, the longer.
constexpr bool before(Shape a, Shape b) {
  const bool at = a.l > 1, bt = b.l > 1;
  if (at != bt) return at;
  if (a.w != b.w) return a.w > b.w;
  return a.l > b.l;
}

/// Units in the order of `before`. Singles are left out where they are free.
class Shapes {
 public:
  static constexpr int kMost = 80;

  int size() const { return size_; }
  Shape operator[](int i) const { return units_[static_cast<std::size_t>(i)]; }
  const Shape* begin() const { return units_.data(); }
  const Shape* end() const { return units_.data() + size_; }
  void add(Shape shape) {
    if (size_ == kMost) return;
    int at = size_++;
    for (; at > 0 && before(shape, units_[static_cast<std::size_t>(at - 1)]); --at) {
      units_[static_cast<std::size_t>(at)] = units_[static_cast<std::size_t>(at - 1)];
    }
    units_[static_cast<std::size_t>(at)] = shape;
  }
  int cards() const {
    int total = 0;
    for (const Shape shape : *this) total += shape.cards();
    return total;
  }
  friend bool operator==(const Shapes& a, const Shapes& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  int size_ = 0;
  std::array<Shape, kMost> units_{};
};

/// "2x3+2*2x1"; "any" for none.
std::string shapes_text(const Shapes& shapes);
/// Reads it back; at most Shapes::kMost units of w 1 … 6, l 1 … 26.
std::optional<Shapes> read_shapes(std::string_view text);

/// A run of nodes for one unit: from position `at` up, `choice` at the position that holds
/// several nodes; or the lowest tractor AA22.
struct Run {
  int at = 0;
  int choice = 0;
  int length = 1;
  bool low = false;
};

/// The nodes of a run, low to high.
inline int run_node(const Track& track, const Run& run, int i) {
  if (run.low) return i == 0 ? track.low_ace : track.low_two;
  const int at = run.at + i;
  return track.first_node(at) + (track.width(at) > 1 ? run.choice : 0);
}
/// The rank of the unit: its top card; AA22 as the lowest tractor stands below all.
inline int run_strength(const Track& track, const Run& run) {
  return run.low ? -1 : track.strength_of(run_node(track, run, run.length - 1));
}

/// Calls visit(run, strength) for every possible run of a length, from the strongest down,
/// until it returns true; says whether it did.
template <typename Visit>
bool each_run(const Track& track, int length, const Visit& visit);

/// A unit as it lies.
struct Unit {
  Shape shape;
  int strength = 0;
};

/// Fits units into held cards, by exhaustive search within a fixed number of steps.
class Fitter {
 public:
  /// `whole`: the counts of the hand, where groups may not be split; else null.
  Fitter(const Track& track, const Held& held, const Held* whole = nullptr)
      : track_(track), left_(held), whole_(whole) {}

  bool fits(const Shapes& units);
  /// The best rank that the first unit can have while all fit.
  std::optional<int> best_first(const Shapes& units);
  /// Some placement, every one possible: the nodes taken. Units must fit.
  std::optional<Held> any(const Shapes& units, Rng& rng);

 private:
  bool usable(int node, int w) const {
    const auto i = static_cast<std::size_t>(node);
    return left_[i] >= w && (whole_ == nullptr || (*whole_)[i] == w);
  }
  bool usable(const Run& run, int w) const;
  void take(const Run& run, int w, int sign);
  bool place(const Shapes& units, int index, int limit);
  bool place_any(const Shapes& units, int index, Rng& rng);

  const Track& track_;
  Held left_;
  const Held* whole_;
  int steps_ = 0;
};

/// The cards as one unit, if they are one.
std::optional<Unit> as_unit(const Track& track, const Held& held);
/// Whether some run of this shape is held, of more than `strength`.
bool holds(const Track& track, const Held& held, Shape shape, int above = -2);

/// A unit with the nodes it takes.
struct Placed {
  Shape shape;
  int strength = 0;
  Held nodes{};
};

/// One way to split a lead into units.
struct Reading {
  Shapes units;                ///< singles included
  Shapes tractors;             ///< names the reading
  std::vector<Placed> placed;  ///< the units as they lie, in no order
};

/// All readings, the default one first. `held` is not empty.
std::vector<Reading> readings(const Track& track, const Held& held);

template <typename Visit>
bool each_run(const Track& track, int length, const Visit& visit) {
  for (int at = track.positions - length; at >= 0; --at) {
    bool linked = true;
    int choices = 1;
    for (int i = 0; i < length; ++i) {
      if (i + 1 < length) linked = linked && track.linked(at + i);
      choices = std::max(choices, track.width(at + i));
    }
    if (!linked) continue;
    for (int choice = 0; choice < choices; ++choice) {
      const Run run{at, choice, length, false};
      if (visit(run, run_strength(track, run))) return true;
    }
  }
  if (length == 2 && track.low_ace >= 0) {
    const Run run{0, 0, 2, true};
    if (visit(run, -1)) return true;
  }
  return false;
}

}  // namespace arena::tuolaji
