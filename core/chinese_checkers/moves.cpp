#include "chinese_checkers/moves.hpp"

#include <array>

namespace arena::chinese_checkers {
namespace {

/// The board as the pieces of one set see it, with one of them lifted: its origin
/// is empty.
class Walker {
 public:
  Walker(const Rules& rules, const Position& position, int set)
      : rules_(rules),
        board_(rules.board()),
        position_(position),
        cells_(position.cells()),
        set_(set),
        long_hops_(rules.jump() == Jump::equidistant),
        swaps_(may_swap(rules, position, set)) {
    const SetPlan& plan = rules.plan(set);
    if (!rules.leave_target()) locked_ = plan.target;
    if (rules.foreign_triangles() != ForeignTriangles::free) no_end_ = rules.foreign(plan.seat);
    if (rules.foreign_triangles() == ForeignTriangles::closed) no_touch_ = no_end_;
    limited_ = (locked_ | no_end_).any();
  }

  void lift(Hole from) {
    from_ = from;
    cells_[from] = 0;
  }
  void put_back() { cells_[from_] = position_.cells()[from_]; }
  Hole from() const { return from_; }

  /// Where a step in a direction ends, kWall if it cannot be made.
  Hole step(int direction) const {
    const Hole to = board_.next(from_, direction);
    return (free(to) || swappable(to)) && allowed(from_, to) && may_end(to) ? to : kWall;
  }

  /// Where a hop from `at` lands, kWall if it cannot be made. An occupied
  /// landing is a swap and ends the chain.
  Hole hop(Hole at, int direction) const {
    Hole over = board_.next(at, direction);
    if (!long_hops_) {
      if (free(over)) return kWall;
      const Hole to = board_.second(at, direction);
      return (free(to) || swappable(to)) && allowed(at, to) ? to : kWall;
    }
    int between = 0;
    for (; free(over); over = board_.next(over, direction)) ++between;
    Hole to = board_.next(over, direction);
    for (; between > 0; --between) {
      if (!free(to)) return kWall;
      to = board_.next(to, direction);
    }
    return (free(to) || swappable(to)) && allowed(at, to) ? to : kWall;
  }

  bool free(Hole hole) const { return cells_[hole] == 0; }
  bool may_end(Hole hole) const { return hole != from_ && !(limited_ && no_end_.test(hole)); }

 private:
  bool swappable(Hole hole) const {
    return swaps_ && hole != kWall && rules_.plan(set_).target.test(hole) &&
           rules_.seat_of(position_.set_at(hole)) != rules_.seat_of(set_);
  }
  bool allowed(Hole at, Hole to) const {
    return !limited_ || (!no_touch_.test(to) && (!locked_.test(at) || locked_.test(to)));
  }

  const Rules& rules_;
  const Board& board_;
  const Position& position_;
  Position::Cells cells_;
  Hole from_ = kWall;
  int set_;
  bool long_hops_;
  bool swaps_;
  bool limited_ = false;
  Bits locked_;
  Bits no_end_;
  Bits no_touch_;
};

/// Calls `visit(to)` for every hole that hops of the lifted piece reach, once.
template <typename Visit>
void flood(const Walker& walker, Visit&& visit) {
  std::array<Hole, 128> stack;
  std::size_t size = 0;
  Bits seen;
  seen.set(walker.from());
  stack[size++] = walker.from();
  while (size > 0) {
    const Hole at = stack[--size];
    for (int d = 0; d < kDirections; ++d) {
      const Hole to = walker.hop(at, d);
      if (to == kWall || seen.test(to)) continue;
      seen.set(to);
      visit(to);
      if (walker.free(to)) stack[size++] = to;
    }
  }
}

/// A random chain of one piece, or nothing where the draw led nowhere.
std::optional<Hole> wander(const Walker& walker, Rng& rng) {
  std::array<Hole, 2 * kDirections> options;
  std::uint32_t steps = 0;
  for (int d = 0; d < kDirections; ++d) {
    const Hole to = walker.step(d);
    if (to != kWall) options[steps++] = to;
  }
  std::uint32_t count = steps;
  for (int d = 0; d < kDirections; ++d) {
    const Hole to = walker.hop(walker.from(), d);
    if (to != kWall) options[count++] = to;
  }
  if (count == 0) return std::nullopt;
  std::uint32_t chosen = rng.below(count);
  if (chosen < steps) return options[chosen];
  for (;;) {
    const Hole at = options[chosen];
    const bool goes_on = walker.free(at) && (rng.next() >> 63U) != 0;
    count = 0;
    if (goes_on) {
      for (int d = 0; d < kDirections; ++d) {
        const Hole to = walker.hop(at, d);
        if (to != kWall) options[count++] = to;
      }
    }
    if (count == 0) return walker.may_end(at) ? std::optional(at) : std::nullopt;
    chosen = rng.below(count);
  }
}

/// Every hole where the lifted piece may end its turn.
Bits reach(const Walker& walker) {
  Bits found;
  for (int d = 0; d < kDirections; ++d) {
    const Hole to = walker.step(d);
    if (to != kWall) found.set(to);
  }
  flood(walker, [&](Hole to) {
    if (walker.may_end(to)) found.set(to);
  });
  return found;
}

}  // namespace

bool may_swap(const Rules& rules, const Position& position, int set) {
  if (rules.anti_block() != AntiBlock::swap || position.in_target(set) == 0) return false;
  bool full = true;
  rules.plan(set).target.each([&](Hole hole) { full = full && !position.empty(hole); });
  return full;
}

Bits destinations(const Rules& rules, const Position& position, Hole from) {
  Walker walker(rules, position, position.set_at(from));
  walker.lift(from);
  return reach(walker);
}

void list_moves(const Rules& rules, const Position& position, Seat seat, std::vector<Ends>& out) {
  out.clear();
  for (const int set : rules.sets_of(seat)) {
    Walker walker(rules, position, set);
    for (int number = 0; number < position.size(set); ++number) {
      const Hole from = position.hole(set, number);
      walker.lift(from);
      reach(walker).each([&](Hole to) { out.push_back({from, to}); });
      walker.put_back();
    }
  }
}

std::optional<Ends> sample(const Rules& rules, const Position& position, Seat seat, Rng& rng) {
  const std::vector<int>& sets = rules.sets_of(seat);
  std::uint32_t pieces = 0;
  for (const int set : sets) pieces += static_cast<std::uint32_t>(position.size(set));
  if (pieces == 0) return std::nullopt;
  // A draw that leads nowhere is drawn again; a seat that is nearly or wholly
  // blocked is better served by its list.
  for (int attempt = 0; attempt < 16; ++attempt) {
    auto number = static_cast<int>(rng.below(pieces));
    std::size_t which = 0;
    while (number >= position.size(sets[which])) number -= position.size(sets[which++]);
    const Hole from = position.hole(sets[which], number);
    Walker walker(rules, position, sets[which]);
    walker.lift(from);
    const std::optional<Hole> to = wander(walker, rng);
    if (to) return Ends{from, *to};
  }
  std::vector<Ends> all;
  list_moves(rules, position, seat, all);
  if (all.empty()) return std::nullopt;
  return all[rng.below(static_cast<std::uint32_t>(all.size()))];
}

std::optional<std::size_t> broken_leg(const Rules& rules, const Position& position,
                                      std::span<const Hole> path) {
  Walker walker(rules, position, position.set_at(path[0]));
  walker.lift(path[0]);
  for (std::size_t leg = 0; leg + 1 < path.size(); ++leg) {
    const bool last = leg + 2 == path.size();
    bool playable = false;
    for (int d = 0; d < kDirections && !playable; ++d) {
      playable = walker.hop(path[leg], d) == path[leg + 1] ||
                 (path.size() == 2 && walker.step(d) == path[1]);
    }
    if (!playable || (!last && !walker.free(path[leg + 1]))) return leg;
  }
  return std::nullopt;
}

}  // namespace arena::chinese_checkers
