#pragma once
#include <memory>

#include "base/game.hpp"
#include "base/state.hpp"
#include "tuolaji/check.hpp"

namespace arena::tuolaji {

/// The names of the phases, as set-ups and observations have them.
inline constexpr std::array<std::string_view, 7> kPhases{"draw",    "choose", "rebel", "bury",
                                                         "rekitty", "play",   "over"};

/// The line that docs/games/tuolaji.md describes.
std::string write_setup(const Rules& rules, const Table& table);
std::variant<Table, SetupError> read_setup(const Rules& rules, std::string_view text);

/// What a seat or the spectator may know.
std::string observe(const Rules& rules, const Table& table, Seat viewer);

/// Another hidden world with the same observation for the seat.
Table resampled(const Rules& rules, const Table& table, Seat viewer, Rng& rng);

/// A game in progress. Engines read `table()` of worlds resampled for their seat.
class TuolajiState final : public State {
 public:
  TuolajiState(std::shared_ptr<const Rules> rules, Table table)
      : rules_(std::move(rules)), table_(std::move(table)) {
    expect_moves(static_cast<std::size_t>(rules_->hand_size() * rules_->players + 24));
  }

  const Rules& rules() const { return *rules_; }
  const Table& table() const { return table_; }

  SeatSet seats_to_act() const override { return table_.to_act(*rules_); }
  std::variant<Move, Illegal> parse(Seat seat, std::string_view text) const override;
  std::optional<Illegal> refusal(Seat seat, const Move& move) const override;
  std::size_t move_count(Seat seat) const override;
  Move move_at(Seat seat, std::size_t index) const override;
  bool moves_complete(Seat seat) const override;
  Move sample_move(Seat seat, Rng& rng) const override;
  Move stand_in(Seat seat) const override;
  std::variant<Move, Illegal> ruling(Seat seat, std::string_view text) const override;
  std::string requirements(Seat seat) const override;
  std::string observe(Seat viewer) const override {
    return tuolaji::observe(*rules_, table_, viewer);
  }
  std::string setup() const override { return write_setup(*rules_, table_); }
  std::optional<Outcome> outcome() const override;
  std::vector<std::string> roles() const override;
  std::vector<int> sides() const override;
  std::unique_ptr<State> clone() const override { return std::make_unique<TuolajiState>(*this); }
  /// The copy has no history: it would tell what the seat has not seen.
  std::unique_ptr<State> resample(Seat seat, Rng& rng) const override {
    return std::make_unique<TuolajiState>(rules_, resampled(*rules_, table_, seat, rng));
  }

 protected:
  void play(Seat seat, const Move& move, Events* events) override;

 private:
  /// The listed moves, made when first asked for; a copy starts without.
  struct Cache {
    Cache() = default;
    Cache(const Cache&) {}
    Cache& operator=(const Cache&) {
      listed.reset();
      return *this;
    }
    std::optional<Listed> listed;
  };
  const Listed& listed(Seat seat) const;

  std::shared_ptr<const Rules> rules_;
  Table table_;
  mutable Cache cache_;
};

}  // namespace arena::tuolaji
