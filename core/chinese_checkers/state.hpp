#pragma once
#include <memory>
#include <vector>

#include "base/state.hpp"
#include "chinese_checkers/moves.hpp"
#include "chinese_checkers/setup.hpp"

namespace arena::chinese_checkers {

/// The canonical text of a move; junk bits give "?".
std::string move_text(const Board& board, const Move& move);

class CheckersState final : public State {
 public:
  CheckersState(std::shared_ptr<const Rules> rules, const Snapshot& snapshot)
      : rules_(std::move(rules)), now_(snapshot) {
    expect_moves(512);
  }

  const Rules& rules() const { return *rules_; }
  const Snapshot& now() const { return now_; }

  SeatSet seats_to_act() const override {
    return now_.progress.over() ? SeatSet() : SeatSet::of(now_.progress.seat());
  }
  std::variant<Move, Illegal> parse(Seat seat, std::string_view text) const override;
  std::optional<Illegal> refusal(Seat seat, const Move& move) const override;
  std::size_t move_count(Seat seat) const override;
  Move move_at(Seat seat, std::size_t index) const override;
  Move sample_move(Seat seat, Rng& rng) const override;
  std::string observe(Seat viewer) const override;
  std::string setup() const override { return write_setup(*rules_, now_); }
  std::optional<Outcome> outcome() const override;
  std::vector<std::string> roles() const override { return role_names(rules_->seats()); }
  std::unique_ptr<State> clone() const override { return std::make_unique<CheckersState>(*this); }

 protected:
  void play(Seat seat, const Move& move, Events* events) override;

 private:
  /// The turns of the seat to move, looked at when first asked for.
  const Turns& turns() const;
  Ends turn(std::size_t index) const;
  bool own(Seat seat, Hole hole) const;
  std::variant<Move, Illegal> parse_path(Seat seat, std::string_view text) const;

  std::shared_ptr<const Rules> rules_;
  Snapshot now_;
  mutable Turns turns_;
  mutable bool looked_ = false;
};

}  // namespace arena::chinese_checkers
