#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/termination.hpp"

namespace arena {

/// How a game ended, by seat.
struct Outcome {
  Termination termination{};
  /// Share of the opponents beaten, a tie counting one half: 1, 1/2, 0 for two
  /// seats; (n - place) / (n - 1) for n seats without ties.
  std::vector<double> scores;
  /// 1 is best; seats that tie share the better number.
  std::vector<int> places;
  /// Seats with the same number win and lose together.
  std::vector<int> sides;
  /// What the seat turned out to play: "black", "white", "landlord", "first" …
  std::vector<std::string> roles;
  /// Numbers that a game's statistics want beside the result, by name: the
  /// attackers' points, levels gained. Empty where a game has none.
  std::vector<std::pair<std::string, double>> measures;
};

/// Scores that follow from places when every seat plays for itself.
inline std::vector<double> scores_from_places(const std::vector<int>& places) {
  std::vector<double> scores;
  scores.reserve(places.size());
  const auto rivals = static_cast<double>(places.size() - 1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    double beaten = 0;
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (i == j) continue;
      beaten += places[i] < places[j] ? 1.0 : places[i] == places[j] ? 0.5 : 0.0;
    }
    scores.push_back(beaten / rivals);
  }
  return scores;
}

}  // namespace arena
