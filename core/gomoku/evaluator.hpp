#pragma once
#include <array>
#include <cstdint>

#include "gomoku/context.hpp"

namespace arena::gomoku {

/// A position with what each free point would make for each colour, kept up to
/// date stone by stone. The search's board.
class Evaluator {
 public:
  explicit Evaluator(const Context& context);

  void set(const Board& board);
  void put(Colour colour, Point p);
  /// Stones are taken in the reverse order of being put.
  void take(Colour colour, Point p);

  const Board& board() const { return board_; }
  /// The same for the same stones.
  std::uint64_t key() const { return key_; }
  /// Worth of a point to a colour, larger is better; 0 where nothing is near.
  int score(Colour colour, Point p) const {
    return cells_[index_of(colour)][static_cast<std::size_t>(p)].score;
  }
  /// Free points that make five, any four, a straight four or its like.
  const Points& fives(Colour colour) const { return fives_[index_of(colour)]; }
  const Points& fours(Colour colour) const { return fours_[index_of(colour)]; }
  const Points& straights(Colour colour) const { return straights_[index_of(colour)]; }
  /// Whether the colour may put a stone there without ending its own game.
  bool sound(Colour colour, Point p) const {
    return !context_.rules.fouls[index_of(colour)].any() ||
           context_.judge.verdict(board_, colour, p).foul == Foul::none;
  }
  /// Static worth of the position to the side to move.
  int balance(Colour to_move) const {
    const int mine = totals_[index_of(to_move)];
    const int theirs = totals_[index_of(other(to_move))];
    return mine + mine / 4 + kTempo - theirs;
  }

  static constexpr int kTempo = 12;

 private:
  struct Cell {
    std::array<Shape, kDirections> shapes{};
    int score = 0;
  };

  void refresh_lines(Point p);
  void refresh(Colour colour, Point p, std::size_t direction);
  void count(Colour colour, Point p, int sign);
  int worth(Colour colour, const Cell& cell) const;

  const Context& context_;
  std::array<Patterns, 2> patterns_;
  Board board_;
  std::array<std::array<Cell, kMaxCells>, 2> cells_{};
  std::array<Points, 2> fives_{}, fours_{}, straights_{};
  std::array<int, 2> totals_{};
  std::uint64_t key_ = 0;
};

}  // namespace arena::gomoku
