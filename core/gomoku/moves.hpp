#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/illegal.hpp"
#include "base/move.hpp"
#include "gomoku/board.hpp"

namespace arena::gomoku {

enum class Act : std::uint8_t {
  place,
  pass,
  claim,
  swap,
  stay,
  black,
  white,
  add,
  declare,
  offer,
  pick,
};
inline constexpr int kActs = 11;

/// Offered points in ascending order; equal neighbours are a duplicate.
struct Offer {
  std::array<Point, kMaxOffers> points{};
  int count = 0;

  void add(Point p) {
    int i = count++;
    for (; i > 0 && at(i - 1) > p; --i) points[static_cast<std::size_t>(i)] = at(i - 1);
    points[static_cast<std::size_t>(i)] = p;
  }
  Point at(int i) const { return points[static_cast<std::size_t>(i)]; }
  friend bool operator==(const Offer&, const Offer&) = default;
};

/// Word 0: act << 16 | argument (point, number, count of points).
/// Words 1, 2: offered points, six of ten bits each, ascending.
constexpr Move make_move(Act act, int argument = 0) {
  return Move((static_cast<std::uint64_t>(act) << 16) | static_cast<std::uint64_t>(argument));
}
Move make_offer(const Offer& offer);

/// For moves made by this game only: junk bits give junk, never undefined acts.
constexpr std::uint64_t act_bits(const Move& move) { return move.words[0] >> 16; }
constexpr Act act_of(const Move& move) { return static_cast<Act>(act_bits(move)); }
constexpr int argument_of(const Move& move) { return static_cast<int>(move.words[0] & 0xFFFFU); }
Offer offer_of(const Move& move);

std::string point_text(Point p, int size);
std::string move_text(const Move& move, int size);
/// Text to move; syntax, the board's edge and the size of an offer are judged here.
std::variant<Move, Illegal> parse_move(std::string_view text, int size);
/// A point, or -1 where `text` is none of this board.
Point parse_point(std::string_view text, int size);

}  // namespace arena::gomoku
