#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xiangqi/lines.hpp"

namespace arena::xiangqi {

enum class Kind : std::uint8_t {
  none,
  general,
  advisor,
  elephant,
  horse,
  chariot,
  cannon,
  soldier
};
inline constexpr int kKinds = 8;

/// Red is 0 and moves first.
enum class Side : std::uint8_t { red, black };
constexpr Side other(Side side) { return side == Side::red ? Side::black : Side::red; }
constexpr std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

/// A man of a side: kind in the low three bits, side in the fourth; 0 is an empty point.
using Man = std::uint8_t;
inline constexpr Man kEmpty = 0;
constexpr Man man_of(Side side, Kind kind) {
  return static_cast<Man>(static_cast<unsigned>(kind) | (static_cast<unsigned>(side) << 3U));
}
constexpr Kind kind_of(Man man) { return static_cast<Kind>(man & 7U); }
constexpr Side side_of(Man man) { return (man & 8U) != 0 ? Side::black : Side::red; }

/// A step from one point to another.
struct Step {
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  friend constexpr bool operator==(const Step&, const Step&) = default;
};

/// At most two chariots, cannons and horses a side reach fewer points than this.
inline constexpr std::size_t kMostSteps = 128;

struct StepList {
  std::array<Step, kMostSteps> steps;
  std::size_t count = 0;

  void add(Point from, Point to) {
    steps[count++] = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
  }
  const Step* begin() const { return steps.data(); }
  const Step* end() const { return steps.data() + count; }
};

/// Which leaves a perft counts: all, or those whose last step captures, checks or mates.
enum class Leaves : std::uint8_t { all, captures, checks, mates };

/// The men on the board and whose turn it is. `flying` says whether facing generals
/// attack each other.
class Position {
 public:
  explicit Position(bool flying = true) : flying_(flying) {}

  Man at(Point p) const { return men_[static_cast<std::size_t>(p)]; }
  Side to_move() const { return to_move_; }
  void set_to_move(Side side);
  /// The point of a side's general; -1 where there is none.
  Point general(Side side) const { return generals_[index_of(side)]; }
  std::uint64_t key() const { return key_; }
  /// Files of a side's men on a rank, and ranks of its men on a file.
  Line rank_line(Side side, int rank) const {
    return ranks_[index_of(side)][static_cast<std::size_t>(rank)];
  }
  Line file_line(Side side, int file) const {
    return files_[index_of(side)][static_cast<std::size_t>(file)];
  }
  Line rank_line(int rank) const {
    return static_cast<Line>(rank_line(Side::red, rank) | rank_line(Side::black, rank));
  }
  Line file_line(int file) const {
    return static_cast<Line>(file_line(Side::red, file) | file_line(Side::black, file));
  }
  Sight rank_sight(Point p) const {
    return kSights[static_cast<std::size_t>(file_of(p))][rank_line(rank_of(p))];
  }
  Sight file_sight(Point p) const {
    return kSights[static_cast<std::size_t>(rank_of(p))][file_line(file_of(p))];
  }

  void put(Point p, Man man);
  void take(Point p);
  /// Plays a step, legal or not, and gives the man that was captured.
  Man play(Step step);
  void undo(Step step, Man captured);
  /// The other side to move, nothing else changed.
  void pass() { set_to_move(other(to_move_)); }

  /// Whether `by` attacks a point of the other side's palace where its general stands.
  bool general_attacked(Side side) const;
  bool in_check() const { return general_attacked(to_move_); }
  /// Whether the side that did not move could capture the general at once.
  bool impossible() const { return general_attacked(other(to_move_)); }

  /// Legal steps of the side to move, in a fixed order.
  void list_legal(StepList& list) const;
  /// Steps by the way the men move, without regard to the own general's safety.
  void list_moves(StepList& list) const;
  /// Whether a listed step leaves the own general safe.
  bool leaves_safe(Step step) const;
  bool legal(Step step) const;
  /// Whether the side to move is in check and has no legal step.
  bool is_mate() const;
  /// Leaves of the tree of legal steps, at a depth of one or more.
  std::uint64_t perft(int depth, Leaves wanted);

  friend bool operator==(const Position& a, const Position& b) {
    return a.men_ == b.men_ && a.to_move_ == b.to_move_;
  }

 private:
  struct Danger;
  Danger danger() const;
  void steps_of(Point from, Line rank_targets, Line file_targets, StepList& list) const;

  std::array<Man, kPoints> men_{};
  std::array<std::array<Line, kRanks>, 2> ranks_{};
  std::array<std::array<Line, kFiles>, 2> files_{};
  std::array<std::int8_t, 2> generals_{-1, -1};
  Side to_move_ = Side::red;
  bool flying_ = true;
  std::uint64_t key_ = 0;
};

/// Text of a point, "a1" to "i10".
std::string point_text(Point p);
std::string step_text(Step step);

/// The board part of a FEN. `read_board` puts the men on an empty position and gives what
/// is wrong, or nothing.
std::string board_text(const Position& position);
std::optional<std::string> read_board(std::string_view text, Position& position);

inline constexpr std::string_view kStartBoard =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

}  // namespace arena::xiangqi
