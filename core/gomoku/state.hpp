#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/game.hpp"
#include "base/state.hpp"
#include "gomoku/context.hpp"
#include "gomoku/forbidden_map.hpp"
#include "gomoku/moves.hpp"

namespace arena::gomoku {

struct Result {
  Termination termination{};
  Seat winner = -1;  ///< -1: a draw

  friend bool operator==(const Result&, const Result&) = default;
};

/// Everything a position is, apart from the rules; what the setup text spells.
struct Position {
  explicit Position(int size) : board(size) {}

  static constexpr Point kNothing = -1;
  static constexpr Point kPassed = -2;

  Board board;
  std::array<Seat, 2> seat_of{0, 1};  ///< by colour
  int step = 0;                       ///< of the protocol; its size is the main phase
  Colour to_move = Colour::black;     ///< main phase only
  Point last = kNothing;              ///< point of the last stone, or kPassed, kNothing
  int passes = 0;
  int declared = 0;  ///< 0: not declared
  Offer offers;
  bool claimed = false;                   ///< the last stone has been claimed, wrongly
  std::array<int, 2> false_claims{0, 0};  ///< by seat
  std::optional<Result> result;

  Colour colour_of(Seat seat) const { return seat_of[0] == seat ? Colour::black : Colour::white; }
};

class GomokuState final : public State {
 public:
  /// `context` must outlive the state; the game that made the state owns it.
  GomokuState(const Context& context, Position position);
  GomokuState(const GomokuState&) = default;

  SeatSet seats_to_act() const override { return acting_; }
  std::variant<Move, Illegal> parse(Seat seat, std::string_view text) const override;
  std::optional<Illegal> refusal(Seat seat, const Move& move) const override;
  std::size_t move_count(Seat seat) const override;
  Move move_at(Seat seat, std::size_t index) const override;
  bool moves_complete(Seat seat) const override;
  Move sample_move(Seat seat, Rng& rng) const override;
  std::string observe(Seat viewer) const override;
  std::string setup() const override;
  std::optional<Outcome> outcome() const override;
  std::vector<std::string> roles() const override;
  std::unique_ptr<State> clone() const override { return std::make_unique<GomokuState>(*this); }

  // What the reference engines look at.
  const Context& context() const { return *context_; }
  const Position& position() const { return position_; }
  Phase phase() const { return phase_; }
  const Step& step() const { return context_->protocol[static_cast<std::size_t>(position_.step)]; }
  /// Colour of the stone that is due; meaningful in `place` and `main`.
  Colour due() const {
    if (phase_ == Phase::main) return position_.to_move;
    return position_.board.count() % 2 == 0 ? Colour::black : Colour::white;
  }
  /// Points where the due stone may be placed, in phases `place` and `main`.
  Points places() const;
  int place_count() const;
  bool may_claim() const;
  bool may_pass() const { return context_->rules.may_pass || spent(); }
  /// No stone is left to put: the board is full, or `max_moves` are played. Such a game goes
  /// on only for the one answer to a foul that may still be claimed: `claim`, or `pass`.
  bool spent() const {
    const Rules& rules = context_->rules;
    const int stones = position_.board.count();
    return stones == rules.cells() ||
           (rules.max_moves > 0 && stones + position_.passes >= rules.max_moves);
  }
  bool claim_is_right() const { return foul_ != Foul::none; }
  /// How many fifth moves an offer must name.
  int owed() const {
    return position_.declared != 0 ? position_.declared : context_->rules.opening_n;
  }
  /// One free point for each class that symmetry makes, ascending.
  std::vector<Point> offer_classes() const;

 private:
  void play(Seat seat, const Move& move, Events* events) override;
  void put(Colour colour, Point p, Events* events);
  void claim(Seat seat, Events* events);
  void go_to(int step);
  void finish(Termination termination, Seat winner);
  /// The draw that is due once `spent`.
  Termination spent_by() const {
    const bool full = position_.board.count() == context_->rules.cells();
    return full ? Termination::board_full : Termination::move_limit;
  }
  /// Ends the game where nothing is left to play, and says who acts.
  void settle();
  bool all_forbidden(Colour colour);
  Seat actor() const;

  std::optional<Illegal> refuse_place(Point p) const;
  std::optional<Illegal> refuse_pass() const;
  std::optional<Illegal> refuse_claim() const;
  std::optional<Illegal> refuse_declare(int number) const;
  std::optional<Illegal> refuse_offer(const Move& move) const;
  std::optional<Illegal> refuse_pick(Point p) const;
  bool fits_phase(Act act) const;
  std::string moves_of_phase() const;
  const Points& forbidden(Colour colour) const;
  bool centre_due() const {
    return phase_ == Phase::main && position_.board.count() == 0 &&
           context_->rules.first_stone == FirstStone::centre;
  }
  std::string text(Point p) const { return point_text(p, context_->rules.size); }

  /// What a stone would make; asked for the same point by `sample_move` or
  /// `refusal` and then by `play`, so the last answer is kept.
  Verdict verdict(Colour colour, Point p) const {
    if (p != judged_) {
      judged_verdict_ = context_->judge.verdict(position_.board, colour, p);
      judged_ = p;
    }
    return judged_verdict_;
  }

  const Context* context_;
  Position position_;
  Phase phase_ = Phase::main;
  SeatSet acting_;
  /// What the last stone was, while it may still be claimed.
  Foul foul_ = Foul::none;
  // For the stone that is due; forgotten with every move.
  mutable Point judged_ = -1;
  mutable Verdict judged_verdict_;
  // Kept lazily: random play asks for single points, a view of the moves for all.
  // A state is one game on one thread, so filling it in a const view is safe.
  mutable std::array<std::optional<ForbiddenMap>, 2> maps_;
  /// A free point where the colour with forbidden moves would make nothing, kept while no
  /// stone comes near; -1: none known.
  Point witness_ = -1;
  Colour witness_of_ = Colour::black;
};

/// Reads the setup text. Errors say what is wrong and what would be right.
std::variant<Position, SetupError> read_setup(const Context& context, std::string_view text);
std::string write_setup(const Context& context, const Position& position, Phase phase);
std::string board_text(const Board& board);

}  // namespace arena::gomoku
