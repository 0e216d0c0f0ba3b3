#pragma once
#include <memory>

#include "base/game.hpp"
#include "base/state.hpp"
#include "doudizhu/table.hpp"

namespace arena::doudizhu {

/// Canonical text of a move; "?" for junk bits.
std::string move_text(const Rules& rules, const Move& move);
/// The move a text names.
std::variant<Move, Illegal> read_move(const Rules& rules, std::string_view text);

/// A game in progress. Engines read the `table()` of worlds resampled for their seat; of the true
/// one only what that seat sees, which is what the policy reads (doudizhu/policy.hpp).
class DoudizhuState final : public State {
 public:
  using Log = std::vector<Played>;

  /// `start` is the table before the first move of `log`, all of which are legal.
  DoudizhuState(std::shared_ptr<const Rules> rules, const Table& start)
      : rules_(std::move(rules)), start_(start), table_(start) {
    expect_moves(96);
  }

  const Rules& rules() const { return *rules_; }
  const Table& table() const { return table_; }

  SeatSet seats_to_act() const override {
    return table_.phase == Phase::over ? SeatSet() : SeatSet::of(table_.turn);
  }
  std::variant<Move, Illegal> parse(Seat seat, std::string_view text) const override;
  std::optional<Illegal> refusal(Seat seat, const Move& move) const override;
  std::size_t move_count(Seat seat) const override;
  Move move_at(Seat seat, std::size_t index) const override;
  Move sample_move(Seat seat, Rng& rng) const override;
  std::string requirements(Seat seat) const override;
  std::string observe(Seat viewer) const override;
  std::string setup() const override;
  std::optional<Outcome> outcome() const override;
  std::vector<std::string> roles() const override;
  std::vector<int> sides() const override;
  std::unique_ptr<State> clone() const override { return std::make_unique<DoudizhuState>(*this); }
  std::unique_ptr<State> resample(Seat viewer, Rng& rng) const override;

  /// Plays a move of a set-up's log: part of the position, not of the history.
  void recall(const Move& move);

 protected:
  void play(Seat seat, const Move& move, Events* events) override;

 private:
  /// What may be played, counted when first asked for; a copy starts without.
  struct Cache {
    Cache() = default;
    Cache(const Cache&) {}
    Cache& operator=(const Cache&) {
      known = false;
      return *this;
    }
    Menu menu;
    bool known = false;
  };
  const Menu& menu() const;
  Table::After advance(const Move& move);
  /// The moves of this deal since `start_`.
  Log log() const;
  /// What a seat wins in a deal that has a landlord and is over.
  std::int64_t points(Seat seat) const;
  Cards played_by(Seat seat) const;

  std::shared_ptr<const Rules> rules_;
  Table start_;
  Table table_;
  Log recalled_;           ///< moves of this deal that the set-up told
  std::size_t since_ = 0;  ///< moves of the history that belong to earlier deals
  mutable Cache cache_;
};

/// Reads a set-up line as docs/games/doudizhu.md describes it.
std::variant<std::unique_ptr<State>, SetupError> read_setup(
    const std::shared_ptr<const Rules>& rules, std::string_view text);

}  // namespace arena::doudizhu
