#pragma once
#include <array>
#include <optional>
#include <span>

#include "base/termination.hpp"
#include "xiangqi/position.hpp"
#include "xiangqi/rules.hpp"

namespace arena::xiangqi {

/// What a side did in a cycle, gravest last.
enum class Fault { none, chase, threat, check };

struct Verdict {
  Termination termination{};
  std::optional<Side> loser;  ///< none: a draw
  std::array<Fault, 2> faults{};
};

/// Judges a cycle: the position where it began and the steps that led back to it.
Verdict judge(Code code, const Position& begin, std::span<const Step> cycle);

}  // namespace arena::xiangqi
