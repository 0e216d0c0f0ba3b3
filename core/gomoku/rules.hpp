#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "base/fields.hpp"

namespace arena::gomoku {

enum class Colour : std::uint8_t { black, white };

constexpr Colour other(Colour colour) {
  return colour == Colour::black ? Colour::white : Colour::black;
}
constexpr std::size_t index_of(Colour colour) { return static_cast<std::size_t>(colour); }
constexpr std::string_view word(Colour colour) {
  return colour == Colour::black ? "black" : "white";
}

enum class FiveRule : std::uint8_t { exact, at_least, exact_open_end };
enum class Overline : std::uint8_t { forbidden, neutral, win };
enum class ThreeTest : std::uint8_t { rif_recursive, rif_9_3a, naive };
enum class Enforcement : std::uint8_t { illegal, auto_loss, claim_or_lapse };
enum class FalseClaim : std::uint8_t { none, lose_move, technical_foul, loss };
enum class FirstStone : std::uint8_t { free, centre };
enum class Opening : std::uint8_t {
  free,
  pro,
  long_pro,
  swap,
  swap1,
  swap2,
  renju_swap,
  rif,
  chinese_national,
  yamaguchi,
  soosorv,
  taraguchi,
  super_taraguchi,
  super_sakata,
  book,
};

inline constexpr int kMinSize = 9;
inline constexpr int kMaxSize = 22;
/// Most fifth moves that may be offered; they fill two words of a move.
inline constexpr int kMaxOffers = 12;

/// What is forbidden to one colour.
struct Fouls {
  bool overline = false;
  bool double_four = false;
  bool double_three = false;

  constexpr bool any() const { return overline || double_four || double_three; }
};

/// The settings of arena/games/gomoku/rules.py, as the core plays them.
struct Rules {
  int size = 15;
  FirstStone first_stone = FirstStone::free;
  std::array<FiveRule, 2> five{FiveRule::exact, FiveRule::at_least};
  std::array<Fouls, 2> fouls{};
  ThreeTest three_test = ThreeTest::rif_recursive;
  Enforcement enforcement = Enforcement::auto_loss;
  FalseClaim false_claim = FalseClaim::none;
  int false_claim_limit = 3;
  bool five_beats_forbidden = true;
  Opening opening = Opening::free;
  int opening_n = 0;  ///< never 0 where the protocol has a number
  bool pro_second_adjacent = false;
  bool may_pass = false;
  int max_moves = 0;  ///< 0: until the board is full

  int cells() const { return size * size; }
  int centre() const { return (size / 2) * size + size / 2; }
  bool claims() const {
    return enforcement == Enforcement::claim_or_lapse && (fouls[0].any() || fouls[1].any());
  }
};

/// Throws FieldError naming the setting.
Rules read_rules(const Fields& fields);

}  // namespace arena::gomoku
