#pragma once
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/fields.hpp"
#include "base/seat.hpp"
#include "tuolaji/order.hpp"
#include "tuolaji/shapes.hpp"

namespace arena::tuolaji {

inline constexpr int kMostPlayers = 6;

enum class FirstDraw : std::uint8_t { lot, high_card, count_from_turned };
enum class FinishKind : std::uint8_t { reach, past, clock };
enum class ClockTie : std::uint8_t { dealer_side, playoff_gain, playoff_at, lots, external, draw };
enum class Token : std::uint8_t { none, small_joker, any_joker, heart_2, turned_card };
enum class NoTrump : std::uint8_t { off, overcall, any };
enum class Reinforce : std::uint8_t { none, own, side };
enum class Nobody : std::uint8_t { redeal, flip, flip_majority, no_trump, lots, choke };
enum class Rebel : std::uint8_t { none, attackers, any };
enum class Cross : std::uint8_t { off, wider, listed };
enum class Throw : std::uint8_t { forbidden, safe_only, forced_back };
enum class Pot : std::uint8_t { kitty, hands, none };
enum class Multiplier : std::uint8_t { cards, cards_min2, pow2_pairs };
enum class Review : std::uint8_t { none, leader, any };

/// What happens when nobody called; `flip` turns the card of that number.
struct NobodyCalls {
  Nobody what = Nobody::redeal;
  int flip = 1;
};

/// The ladder of levels.
struct Ladder {
  std::vector<int> ranks;  ///< kJokerLevel may be the last
  int index_of(int rank) const {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (ranks[i] == rank) return static_cast<int>(i);
    }
    return -1;
  }
  int size() const { return static_cast<int>(ranks.size()); }
  int rank(int index) const { return ranks[static_cast<std::size_t>(index)]; }
};

struct Bid {
  bool hidden = false;
  bool by_two = false;
  int min_cards = 1;
  Token token = Token::none;
  bool token_exact = false;
  bool token_open = false;
  bool suit_order = false;
  NoTrump no_trump = NoTrump::overcall;
  bool self_overcall = false;
  Reinforce reinforce = Reinforce::own;
  bool first_caller = false;
  NobodyCalls nobody_first, nobody_later;
  bool rekitty = false;
  Rebel rebel = Rebel::none;
  int rebel_points = 15;
};

/// One entry of a list: any of these.
using Entry = std::vector<Shapes>;
struct FollowTable {
  Shape led;
  std::vector<Entry> entries;
  bool closed = false;  ///< ends in "any"
};

struct Follow {
  bool tractor_first = false;
  bool split = true;
  std::vector<FollowTable> tables;

  const FollowTable* table(Shape led) const {
    for (const FollowTable& known : tables) {
      if (known.led == led) return &known;
    }
    return nullptr;
  }
};

/// What may beat a lead of another shape.
struct CrossShape {
  Cross kind = Cross::off;
  std::vector<std::pair<Shape, Shape>> list;  ///< first beats second

  /// Whether `a` stands above `b`, both of as many cards.
  bool above(Shape a, Shape b) const {
    if (kind == Cross::off || a == b || a.cards() != b.cards()) return false;
    if (kind == Cross::wider) return a.w > b.w;
    for (const auto& [winner, loser] : list) {
      if (winner == a && loser == b) return true;
    }
    return false;
  }
};

struct Last {
  Pot pot = Pot::kitty;
  Multiplier multiplier = Multiplier::pow2_pairs;
  bool trump_only = false;
  bool both_sides = false;
};

/// What the points of a hand are worth.
struct HandResult {
  bool change = false;  ///< the attackers take over
  int gain = 0;         ///< levels of the side that deals next

  friend bool operator==(const HandResult&, const HandResult&) = default;
};
struct Bands {
  std::vector<std::pair<int, HandResult>> from;
  int step = 0;  ///< 0: the last band holds on

  HandResult result(int points) const;
};

struct Finish {
  FinishKind kind = FinishKind::past;
  int index = 0;  ///< on the ladder
};

/// One set of rules with everything derived from it: immutable, shared.
class Rules {
 public:
  /// Throws FieldError that names the setting.
  explicit Rules(const Fields& fields);

  int seats() const { return players; }
  int deck_size() const { return decks * kKinds; }
  int hand_size() const { return (deck_size() - kitty) / players; }
  static int side(Seat seat) { return seat % 2; }
  Seat next(Seat seat, int by = 1) const { return (seat + by) % players; }
  const Order& order(int trump, int level) const {
    return orders_[static_cast<std::size_t>(trump * (kJokerLevel + 1) + level)];
  }

  bool match = false;
  bool contested = true;
  std::array<int, 2> start_levels{};
  int max_hands = 60;
  int redeal_limit = 10;
  int decks = 2;
  int players = 4;
  int kitty = 8;
  FirstDraw first_draw{};
  Ladder ladder;
  Finish finish;
  std::array<bool, kJokerLevel + 1> must_play{};
  int gain_cap = 0;  ///< 0: none
  bool one_more_hand = false;
  ClockTie clock_tie{};
  int playoff_index = 0;
  OrderRules order_rules;
  Bid bid;
  CrossShape cross;
  bool trump_first = false;
  Throw throwing{};
  Follow follow;
  Last last;
  Bands bands;
  Review review_last{};
  bool review_kitty = true;
  bool review_points = true;

 private:
  std::vector<Order> orders_;
};

}  // namespace arena::tuolaji
