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
        occupied_(position.occupied()),
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
    occupied_.clear(from);
  }
  void put_back() { occupied_.set(from_); }
  Hole from() const { return from_; }

  /// Where a step in a direction ends, kWall if it cannot be made.
  Hole step(int direction) const {
    const Hole to = landing(from_, board_.next(from_, direction));
    return to != kWall && may_end(to) ? to : kWall;
  }

  /// Where a hop from `at` lands, kWall if it cannot be made. An occupied
  /// landing is a swap and ends the chain.
  Hole hop(Hole at, int direction) const {
    Hole over = board_.next(at, direction);
    if (!long_hops_ && free(over)) return kWall;
    int between = 0;
    for (; free(over); over = board_.next(over, direction)) ++between;
    Hole to = board_.next(over, direction);
    for (; between > 0; --between) {
      if (!free(to)) return kWall;
      to = board_.next(to, direction);
    }
    return landing(at, to);
  }

  /// Calls `visit` with the landing of every hop from `at`.
  template <typename Visit>
  void each_hop(Hole at, Visit&& visit) const {
    if (long_hops_) {
      for (int d = 0; d < kDirections; ++d) {
        const Hole to = hop(at, d);
        if (to != kWall) visit(to);
      }
      return;
    }
    (board_.near(at) & occupied_).each([&](Hole over) {
      const Hole to = landing(at, board_.behind(at, over));
      if (to != kWall) visit(to);
    });
  }

  /// Where steps lead.
  Bits steps() const {
    const Bits near = board_.near(from_);
    if (!limited_ && !swaps_) return near & ~occupied_;
    Bits found;
    near.each([&](Hole to) {
      if (landing(from_, to) != kWall && may_end(to)) found.set(to);
    });
    return found;
  }

  bool free(Hole hole) const { return !occupied_.test(hole); }
  bool may_end(Hole hole) const { return hole != from_ && !(limited_ && no_end_.test(hole)); }

 private:
  /// `to` where a piece may come down there from `at`, else kWall.
  Hole landing(Hole at, Hole to) const {
    return (free(to) || swappable(to)) && allowed(at, to) ? to : kWall;
  }
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
  Bits occupied_;  ///< without the lifted piece
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
    walker.each_hop(stack[--size], [&](Hole to) {
      if (seen.test(to)) return;
      seen.set(to);
      visit(to);
      if (walker.free(to)) stack[size++] = to;
    });
  }
}

/// A random step or chain of the lifted piece in a random direction, or nothing
/// where that cannot be played.
std::optional<Hole> wander(const Walker& walker, Rng& rng) {
  const auto direction = [&] { return static_cast<int>(rng.below(kDirections)); };
  const auto coin = [&] { return (rng.next() >> 63U) != 0; };
  const int first = direction();
  Hole at = walker.hop(walker.from(), first);
  const Hole beside = walker.step(first);
  if (beside != kWall && (at == kWall || coin())) return beside;
  if (at == kWall) return std::nullopt;
  while (walker.free(at) && coin()) {
    const Hole to = walker.hop(at, direction());
    if (to == kWall) break;
    at = to;
  }
  return walker.may_end(at) ? std::optional(at) : std::nullopt;
}

/// Every hole where the lifted piece may end its turn.
Bits reach(const Walker& walker) {
  Bits found = walker.steps();
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
    position.holes(set).each([&](Hole from) {
      walker.lift(from);
      reach(walker).each([&](Hole to) { out.push_back({from, to}); });
      walker.put_back();
    });
  }
}

std::optional<Ends> sample(const Rules& rules, const Position& position, Seat seat, Rng& rng) {
  const std::vector<int>& sets = rules.sets_of(seat);
  std::uint32_t pieces = 0;
  for (const int set : sets) pieces += static_cast<std::uint32_t>(position.size(set));
  if (pieces == 0) return std::nullopt;
  // A draw that leads nowhere is drawn again; a seat that is nearly or wholly
  // blocked is better served by its list.
  for (int attempt = 0; attempt < 48; ++attempt) {
    auto number = static_cast<int>(rng.below(pieces));
    std::size_t which = 0;
    while (number >= position.size(sets[which])) number -= position.size(sets[which++]);
    const Hole from = position.holes(sets[which]).nth(number);
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
