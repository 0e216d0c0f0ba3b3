#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/game.hpp"

namespace arena {

/// One game to play inside the core, from seed to outcome.
struct PlayTask {
  std::vector<std::string> engines;  ///< engine spec by seat
  std::uint64_t deal_seed = 0;       ///< setup and random opening
  std::uint64_t engine_seed = 0;     ///< the engines' own randomness
  int opening_plies = 0;             ///< random legal moves before the engines start
  int max_plies = 0;                 ///< longer games are drawn as `move_limit`; 0: no limit
  bool keep_moves = false;
};

struct PlayedGame {
  Outcome outcome;
  int plies = 0;
  std::vector<std::uint64_t> nodes;                 ///< searched, by seat
  std::vector<std::pair<Seat, std::string>> moves;  ///< opening included; where kept
};

/// Plays whole games of one set of rules. Engines are made once for each
/// (seat, spec) and told to forget between games. Not for concurrent use.
class Player {
 public:
  explicit Player(std::shared_ptr<const Game> game) : game_(std::move(game)) {}
  PlayedGame play(const PlayTask& task);

 private:
  Engine& engine(Seat seat, const std::string& spec);

  std::shared_ptr<const Game> game_;
  std::vector<std::vector<std::pair<std::string, std::unique_ptr<Engine>>>> engines_;
};

/// The outcome of a game that is stopped from outside: everybody ties.
Outcome drawn(const State& state, int seats, Termination termination);

}  // namespace arena
