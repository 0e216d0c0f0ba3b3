#include "siguo/moves.hpp"

namespace arena::siguo {
namespace {

/// Engineers turn at will on free railways: everything the free part of the net reaches.
void engineer_rails(const Rules& rules, const Position& position, Seat seat, Node from,
                    Steps& steps) {
  std::array<bool, kNodes> met{};
  std::array<Node, kNodes> queue;
  std::size_t head = 0, tail = 0;
  met[from] = true;
  queue[tail++] = from;
  while (head < tail) {
    for (const Node node : rules.board.rails(queue[head++])) {
      if (met[node]) continue;
      met[node] = true;
      if (position.at[node] == kNobody) {
        queue[tail++] = node;
        steps.add(from, node);
      } else if (position.enterable(rules, seat, node)) {
        steps.add(from, node);
      }
    }
  }
}

}  // namespace

void slides(const Rules& rules, const Position& position, Unit unit, bool engineer, Steps& steps) {
  const Node from = position.where[unit];
  const Seat seat = position.owner[unit];
  for (const Node node : rules.board.roads(from)) {
    if (position.enterable(rules, seat, node)) steps.add(from, node);
  }
  if (engineer) {
    engineer_rails(rules, position, seat, from, steps);
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

}  // namespace arena::siguo
