#pragma once
#include <array>

#include "base/rng.hpp"
#include "siguo/position.hpp"

namespace arena::siguo {

/// The legal steps of a seat, by unit and by way.
class Steps {
 public:
  std::size_t size() const { return size_; }
  Step operator[](std::size_t index) const { return steps_[index]; }
  const Step* begin() const { return steps_.data(); }
  const Step* end() const { return steps_.data() + size_; }
  void clear() { size_ = 0; }
  void add(Node from, Node to) { steps_[size_++] = {from, to}; }

 private:
  // At most 24 units with 24 ways and three engineers with 76 in an army; captors have more.
  std::array<Step, 4 * (24 * 24 + 3 * 76)> steps_;
  std::size_t size_ = 0;
};

/// Steps of one unit were it an engineer, or anything else that moves.
void slides(const Rules& rules, const Position& position, Unit unit, bool engineer, Steps& steps);
/// Steps of one unit, which its seat may move.
void unit_steps(const Rules& rules, const Position& position, Unit unit, Steps& steps);
/// All steps of a seat whose turn it is.
void all_steps(const Rules& rules, const Position& position, Seat seat, Steps& steps);

/// One of `all_steps`: the one at an index drawn below their number. Makes no list.
Step draw_step(const Rules& rules, const Position& position, Seat seat, Rng& rng);

}  // namespace arena::siguo
