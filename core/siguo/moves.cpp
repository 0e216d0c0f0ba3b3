#include "siguo/moves.hpp"

namespace arena::siguo {
namespace {

/// Engineers turn at will on free railways: everything the free part of the net reaches, until a
/// visit says that it is enough.
template <typename Visit>
void visit_net(const Rules& rules, const Position& position, Seat seat, Node from, Visit&& visit) {
  std::array<bool, kNodes> met{};
  std::array<Node, kNodes> queue;
  std::size_t head = 0, tail = 0;
  met[from] = true;
  queue[tail++] = from;
  while (head < tail) {
    for (const Node node : rules.board.rails(queue[head++])) {
      if (met[node]) continue;
      met[node] = true;
      const bool free = position.at[node] == kNobody;
      if (free) queue[tail++] = node;
      if ((free || position.enterable(rules, seat, node)) && visit(node)) return;
    }
  }
}

/// Counts the steps that `unit_steps` lists, for the units of one seat, and finds the one at an
/// index. By sets, since most units of a seat are only counted.
class StepCounter {
 public:
  StepCounter(const Rules& rules, const Position& position, Seat seat)
      : rules_(rules),
        board_(rules.board),
        position_(position),
        seat_(seat),
        lines_(board_.walls()),
        closed_lines_(board_.walls()) {
    const std::size_t team = idx(rules.team(seat));
    for (const PointSet& held : position.held) taken_ = taken_ | held;
    for (const LineBits& held : position.held_lines) add(lines_, held);
    add(closed_lines_, position.held_lines[team]);
    closed_ = position.held[team] | (taken_ & kCamps);
  }

  int count(Unit unit) const {
    const Node from = position_.where[unit];
    return roads(from) + (position_.rank[unit] == kEngineer ? net(from) : lines(from));
  }

  /// Where the step goes that stands at this index of the list of the unit.
  Node find(Unit unit, int index) const {
    const Node from = position_.where[unit];
    const int near = roads(from);
    if (index < near) return along_road(from, index);
    const bool engineer = position_.rank[unit] == kEngineer;
    return engineer ? in_net(from, index - near) : along_line(from, index - near);
  }

 private:
  int roads(Node from) const {
    const std::uint64_t closed = closed_.words[PointSet::word_of(from)];
    return std::popcount(board_.road_bits(from) & ~closed);
  }

  Node along_road(Node from, int index) const {
    for (const Node node : board_.roads(from)) {
      if (position_.enterable(rules_, seat_, node) && index-- == 0) return node;
    }
    return kNowhere;
  }

  static void add(LineBits& to, const LineBits& bits) {
    for (std::size_t line = 0; line < to.size(); ++line) to[line] |= bits[line];
  }

  /// Along a line: up to the next unit, and that one if it can be attacked.
  std::uint32_t onwards(const Stop& stop) const {
    // A difference turns the bits from the unit's on up to the first that is taken.
    const std::uint32_t taken = lines_[stop.line];
    return (taken ^ (taken - 2U * stop.bit)) & open(stop);
  }
  std::uint32_t backwards(const Stop& stop) const {
    const std::uint32_t taken = lines_[stop.line] & (stop.bit - 1U);
    return (stop.bit - (0x8000'0000U >> std::countl_zero(taken))) & open(stop);
  }
  std::uint32_t open(const Stop& stop) const { return stop.own & ~closed_lines_[stop.line]; }

  int lines(Node from) const {
    int sum = 0;
    for (const Stop& stop : board_.stops(from)) {
      sum += std::popcount(onwards(stop) | backwards(stop));
    }
    return sum;
  }

  Node along_line(Node from, int index) const {
    for (const Stop& stop : board_.stops(from)) {
      const std::uint32_t on = onwards(stop), back = backwards(stop);
      const int ahead = std::popcount(on), behind = std::popcount(back);
      if (index < ahead) return board_.line_point(stop.line, std::countr_zero(on) + index);
      index -= ahead;
      if (index < behind) return board_.line_point(stop.line, 31 - std::countl_zero(back) - index);
      index -= behind;
    }
    return kNowhere;
  }

  /// What an engineer reaches on rails.
  int net(Node from) const {
    PointSet met, edge;
    met.flip(from);
    edge.flip(from);
    while (!edge.empty()) {
      const PointSet fresh = board_.rail_set(edge.pop()) - met;
      met = met | fresh;
      edge = edge | (fresh - taken_);
    }
    return (met - closed_).size();
  }

  Node in_net(Node from, int index) const {
    Node found = kNowhere;
    visit_net(rules_, position_, seat_, from, [&](Node node) {
      found = node;
      return index-- == 0;
    });
    return found;
  }

  const Rules& rules_;
  const Board& board_;
  const Position& position_;
  Seat seat_;
  LineBits lines_;         ///< what is taken
  LineBits closed_lines_;  ///< what no unit of the seat may enter
  PointSet taken_, closed_;
};

}  // namespace

void slides(const Rules& rules, const Position& position, Unit unit, bool engineer, Steps& steps) {
  const Node from = position.where[unit];
  const Seat seat = position.owner[unit];
  for (const Node node : rules.board.roads(from)) {
    if (position.enterable(rules, seat, node)) steps.add(from, node);
  }
  if (engineer) {
    visit_net(rules, position, seat, from, [&](Node node) {
      steps.add(from, node);
      return false;
    });
    return;
  }
  for (const Ray& ray : rules.board.rays(from)) {
    for (int i = 0; i < ray.length; ++i) {
      const Node node = ray.nodes[idx(i)];
      const bool free = position.at[node] == kNobody;
      if (i >= ray.shared && (free || position.enterable(rules, seat, node))) steps.add(from, node);
      if (!free) break;
    }
  }
}

void unit_steps(const Rules& rules, const Position& position, Unit unit, Steps& steps) {
  slides(rules, position, unit, position.rank[unit] == kEngineer, steps);
}

void all_steps(const Rules& rules, const Position& position, Seat seat, Steps& steps) {
  for (Seat army = 0; army < rules.seats; ++army) {
    each_unit(army, position.mobile[idx(seat)][idx(army)],
              [&](Unit unit) { unit_steps(rules, position, unit, steps); });
  }
}

Step draw_step(const Rules& rules, const Position& position, Seat seat, Rng& rng) {
  const StepCounter counter(rules, position, seat);
  std::array<Unit, kUnits> units;
  std::array<std::uint8_t, kUnits> counts;
  std::size_t movers = 0;
  std::uint32_t total = 0;
  for (Seat army = 0; army < rules.seats; ++army) {
    each_unit(army, position.mobile[idx(seat)][idx(army)], [&](Unit unit) {
      const int count = counter.count(unit);
      units[movers] = unit;
      counts[movers++] = static_cast<std::uint8_t>(count);
      total += static_cast<std::uint32_t>(count);
    });
  }
  auto drawn = static_cast<int>(rng.below(total));
  std::size_t mover = 0;
  while (drawn >= counts[mover]) drawn -= counts[mover++];
  const Unit unit = units[mover];
  return {position.where[unit], counter.find(unit, drawn)};
}

}  // namespace arena::siguo
