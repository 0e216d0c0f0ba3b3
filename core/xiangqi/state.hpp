#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/game.hpp"
#include "base/state.hpp"
#include "xiangqi/judge.hpp"
#include "xiangqi/moves.hpp"
#include "xiangqi/rules.hpp"

namespace arena::xiangqi {

struct Result {
  Termination termination{};
  std::optional<Side> winner;
};

/// Everything of a game that its future depends on; what the setup text spells. `now` follows
/// from `base` and `since`.
struct Course {
  explicit Course(bool flying) : base(flying), now(flying) {}

  /// The position after the last capture or forward step of a soldier: none before it can
  /// come again.
  Position base;
  int base_quiet = 0;
  std::array<int, 2> base_checks{};
  int base_plies = 0;
  std::vector<Step> since;
  std::vector<std::uint64_t> keys;  ///< of `base` and after each step of `since`
  std::optional<Step> last;

  Position now;
  int quiet = 0;                ///< plies without a capture, checks beyond the cap left out
  std::array<int, 2> checks{};  ///< of each side in them
  int plies = 0;

  std::array<int, 2> fouls{};
  bool claimed = false;  ///< the natural limit, rightly

  /// Sets out from `base`.
  void begin();
  /// Plays a legal step.
  void play(const Rules& rules, Step step);
  /// How often the present position has occurred.
  int occurrences() const;
  /// How often this step has been played in the present position.
  int times_played(Step step) const;
};

class XiangqiState final : public State {
 public:
  /// `rules` must outlive the state; the game that made the state owns them.
  XiangqiState(const Rules& rules, Course course);

  const Rules& rules() const { return *rules_; }
  const Course& course() const { return course_; }
  const StepList& legal() const { return legal_; }
  const std::optional<Result>& result() const { return result_; }

  SeatSet seats_to_act() const override {
    return result_ ? SeatSet() : SeatSet::of(static_cast<Seat>(course_.now.to_move()));
  }
  std::variant<Move, Illegal> parse(Seat seat, std::string_view text) const override;
  std::optional<Illegal> refusal(Seat seat, const Move& move) const override;
  std::variant<Move, Illegal> ruling(Seat seat, std::string_view text) const override;
  std::size_t move_count(Seat seat) const override;
  Move move_at(Seat seat, std::size_t index) const override;
  Move sample_move(Seat seat, Rng& rng) const override;
  std::string observe(Seat viewer) const override;
  std::string setup() const override;
  std::optional<Outcome> outcome() const override;
  std::vector<std::string> roles() const override { return {"red", "black"}; }
  std::unique_ptr<State> clone() const override { return std::make_unique<XiangqiState>(*this); }

 protected:
  void play(Seat seat, const Move& move, Events* events) override;

 private:
  /// Lists the legal steps and ends the game where it is over.
  void settle();
  std::optional<Result> judged() const;
  bool may_claim() const { return rules_->claims && course_.quiet > 0; }
  std::optional<Illegal> refuse_step(Step step) const;

  const Rules* rules_;
  Course course_;
  StepList legal_;
  std::optional<Result> result_;
};

std::variant<Course, SetupError> read_setup(const Rules& rules, std::string_view text);
std::string write_setup(const Course& course);

}  // namespace arena::xiangqi
