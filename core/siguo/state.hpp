#pragma once
#include <memory>
#include <vector>

#include "base/game.hpp"
#include "base/state.hpp"
#include "siguo/moves.hpp"
#include "siguo/position.hpp"

namespace arena::siguo {

/// Canonical text of a move; "?" for junk bits.
std::string move_text(const Move& move);

/// A game in progress. Engines read `position()` of worlds resampled for their seat, and of the
/// true one only what the seat knows.
class SiguoState final : public State {
 public:
  SiguoState(std::shared_ptr<const Rules> rules, const Position& position)
      : rules_(std::move(rules)), position_(position) {
    expect_moves(1024);
  }

  const Rules& rules() const { return *rules_; }
  const Position& position() const { return position_; }

  SeatSet seats_to_act() const override;
  std::variant<Move, Illegal> parse(Seat seat, std::string_view text) const override;
  std::optional<Illegal> refusal(Seat seat, const Move& move) const override;
  std::variant<Move, Illegal> ruling(Seat seat, std::string_view text) const override;
  std::size_t move_count(Seat seat) const override;
  Move move_at(Seat seat, std::size_t index) const override;
  bool moves_complete(Seat) const override { return !position_.placing; }
  Move sample_move(Seat seat, Rng& rng) const override;
  std::string requirements(Seat seat) const override;
  std::string observe(Seat viewer) const override;
  std::string setup() const override;
  std::optional<Outcome> outcome() const override;
  std::vector<std::string> roles() const override;
  std::vector<int> sides() const override;
  std::unique_ptr<State> clone() const override { return std::make_unique<SiguoState>(*this); }
  std::unique_ptr<State> resample(Seat viewer, Rng& rng) const override;

 protected:
  void play(Seat seat, const Move& move, Events* events) override;

 private:
  /// Steps of the seat to act, found when first asked for; a copy starts without.
  struct Cache {
    Cache() = default;
    Cache(const Cache&) {}
    Cache& operator=(const Cache&) {
      steps.reset();
      return *this;
    }
    std::unique_ptr<std::vector<Step>> steps;
  };
  const std::vector<Step>& steps() const;
  std::optional<Illegal> step_fault(Seat seat, Step step) const;
  void tell_step(const Position& before, Step step, Events& events) const;
  void tell_falls(std::uint8_t before, Events& events) const;

  std::shared_ptr<const Rules> rules_;
  Position position_;
  mutable Cache cache_;
};

/// A new game: an empty board, or line-ups drawn where the rules draw them.
Position new_position(const Rules& rules, std::uint64_t seed);

/// Reads a set-up line as docs/games/siguo.md describes it.
std::variant<std::unique_ptr<State>, SetupError> read_setup(
    const std::shared_ptr<const Rules>& rules, std::string_view text);
/// The set-up line of a position.
std::string write_setup(const Rules& rules, const Position& position);

/// The word of a result, a fall, a set of ranks.
std::string_view result_word(Result result);
std::string_view fall_word(Fall fall);
std::string ranks_text(RankSet ranks);

}  // namespace arena::siguo
