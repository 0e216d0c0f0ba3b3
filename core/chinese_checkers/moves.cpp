#include "chinese_checkers/moves.hpp"

#include <array>

namespace arena::chinese_checkers {
namespace {

/// The board as the pieces of one set see it, with one of them lifted: its origin
/// is empty.
class Walker {
 public:
  Walker(const Rules& rules, const Position& position, int set)
      : board_(rules.board()),
        occupied_(position.occupied()),
        long_hops_(rules.jump() == Jump::equidistant),
        lasting_(!long_hops_ && rules.anti_block() != AntiBlock::swap) {
    const SetPlan& plan = rules.plan(set);
    open_ = ~occupied_;
    if (may_swap(rules, position, set)) {
      plan.target.each([&](Hole hole) {
        if (rules.seat_of(position.set_at(hole)) != plan.seat) open_.set(hole);
      });
    }
    if (!rules.leave_target()) locked_ = plan.target;
    if (rules.foreign_triangles() != ForeignTriangles::free) no_end_ = rules.foreign(plan.seat);
    if (rules.foreign_triangles() == ForeignTriangles::closed) closed_ = no_end_;
    open_ = open_ & ~closed_;
  }

  void lift(Hole from) {
    from_ = from;
    watched_ = board_.near(from);
    occupied_.clear(from);
    open_ = open_ | (Bits::of(from) & ~closed_);
  }
  void put_back() {
    occupied_.set(from_);
    open_.clear(from_);
  }
  Hole from() const { return from_; }

  /// Whether what the lifted piece reaches hangs on nothing but which of the watched holes are
  /// empty. The watched holes are those next to it and those that its hops have looked at.
  bool lasting() const { return lasting_; }
  Bits watched() const { return watched_; }

  /// Where a step in a direction ends, kWall if it cannot be made.
  Hole step(int direction) const {
    const Hole to = board_.next(from_, direction);
    return open(from_).test(to) && may_end(to) ? to : kWall;
  }

  /// Where a hop from `at` lands, kWall if it cannot be made. An occupied
  /// landing is a swap and ends the chain.
  Hole hop(Hole at, int direction) const {
    const Hole to = across(at, direction);
    return open(at).test(to) ? to : kWall;
  }

  /// Where steps lead.
  Bits steps() const { return board_.near(from_) & open(from_); }

  /// Where hops from `at` land.
  Bits hops(Hole at) {
    if (!long_hops_) {
      const Bits behind = board_.behind(at, occupied_);
      watched_ = watched_ | board_.near(at) | behind;
      return behind & open(at);
    }
    Bits found;
    for (int d = 0; d < kDirections; ++d) {
      const Hole to = across(at, d);
      if (to != kWall) found.set(to);
    }
    return found & open(at);
  }

  bool free(Hole hole) const { return !occupied_.test(hole); }
  Bits occupied() const { return occupied_; }
  bool may_end(Hole hole) const { return hole != from_ && !no_end_.test(hole); }
  /// Those of some holes where a turn may end.
  Bits ends(Bits holes) const { return holes & ~no_end_ & ~Bits::of(from_); }

 private:
  /// The hole that a hop from `at` would come down in, kWall where nothing can be hopped over.
  Hole across(Hole at, int direction) const {
    Hole over = board_.next(at, direction);
    if (!long_hops_ && free(over)) return kWall;
    int between = 0;
    for (; free(over); over = board_.next(over, direction)) ++between;
    Hole to = board_.next(over, direction);
    for (; between > 0; --between) {
      if (!free(to)) return kWall;
      to = board_.next(to, direction);
    }
    return to;
  }

  /// Where a piece may come down that stands at `at`.
  Bits open(Hole at) const { return locked_.test(at) ? open_ & locked_ : open_; }

  const Board& board_;
  Bits occupied_;  ///< without the lifted piece
  Bits open_;      ///< holes a piece may come down in, wherever it comes from
  Hole from_ = kWall;
  bool long_hops_;
  bool lasting_;
  Bits locked_;
  Bits closed_;  ///< holes that may not even be passed through
  Bits no_end_;
  Bits watched_;
};

/// Every hole where the lifted piece may end its turn.
Bits reach(Walker& walker) {
  Bits seen = Bits::of(walker.from());
  Bits ahead = seen;
  while (ahead.any()) {
    const Bits found = walker.hops(ahead.take_first()) & ~seen;
    seen = seen | found;
    ahead = ahead | (found & ~walker.occupied());
  }
  return walker.ends(seen | walker.steps());
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

void Turns::look(const Rules& rules, const Position& position, Seat seat) {
  reach_.resize(static_cast<std::size_t>(rules.board().size()));
  const Bits occupied = position.occupied();
  count_ = 0;
  for (const int set : rules.sets_of(seat)) {
    Walker walker(rules, position, set);
    Seen& seen = seen_[static_cast<std::size_t>(set)];
    const Bits holes = position.holes(set);
    const Bits changed = occupied ^ seen.occupied;
    holes.each([&](Hole from) {
      Reach& known = reach_[from];
      const Bits doubtful = (known.watched & changed) | (Bits::of(from) & ~seen.holes);
      if (doubtful.any() || known.set != set) {
        walker.lift(from);
        known.ends = reach(walker);
        known.watched = walker.watched();
        known.set = walker.lasting() ? set : kNobody;
        walker.put_back();
      }
      count_ += static_cast<std::size_t>(known.ends.count());
    });
    seen = {occupied, holes};
  }
}

Ends Turns::at(const Rules& rules, const Position& position, Seat seat, std::size_t index) const {
  auto left = static_cast<int>(index);
  for (const int set : rules.sets_of(seat)) {
    Bits holes = position.holes(set);
    for (; holes.any(); holes.clear(holes.nth(0))) {
      const Hole from = holes.nth(0);
      const Bits ends = reach_[from].ends;
      const int count = ends.count();
      if (left < count) return {from, ends.nth(left)};
      left -= count;
    }
  }
  return {};
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
  Turns all;
  all.look(rules, position, seat);
  if (all.count() == 0) return std::nullopt;
  const std::uint32_t index = rng.below(static_cast<std::uint32_t>(all.count()));
  return all.at(rules, position, seat, index);
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
