#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace arena::tuolaji {

/// A card's identity: suit * 13 + rank for S H C D and 2 … A, then the jokers.
using Kind = int;
inline constexpr int kRanks = 13;
inline constexpr int kKinds = 54;
inline constexpr Kind kSmallJoker = 52;
inline constexpr Kind kBigJoker = 53;
inline constexpr int kMostDecks = 6;

enum Suit : int { kSpades, kHearts, kClubs, kDiamonds, kTrump };  ///< kTrump: also "no suit"
inline constexpr int kNoTrump = 4;

/// Rank numbers are 0 (a 2) to 12 (an ace); a level may also be JOKER.
inline constexpr int kTwo = 0;
inline constexpr int kAce = 12;
inline constexpr int kJokerLevel = 13;

constexpr Kind card(int suit, int rank) { return suit * kRanks + rank; }
constexpr bool joker(Kind kind) { return kind >= kSmallJoker; }
constexpr int suit_of(Kind kind) { return joker(kind) ? kTrump : kind / kRanks; }
constexpr int rank_of(Kind kind) { return joker(kind) ? kJokerLevel : kind % kRanks; }
constexpr int points_of(Kind kind) {
  if (joker(kind)) return 0;
  const int rank = kind % kRanks;
  return rank == 3 ? 5 : rank == 8 || rank == 11 ? 10 : 0;
}

/// A multiset of cards.
class Cards {
 public:
  int operator[](Kind kind) const { return count_[static_cast<std::size_t>(kind)]; }
  void add(Kind kind, int count = 1) {
    auto& cell = count_[static_cast<std::size_t>(kind)];
    cell = static_cast<std::uint8_t>(cell + count);
  }
  void remove(Kind kind, int count = 1) { add(kind, -count); }
  void set(Kind kind, int count) {
    count_[static_cast<std::size_t>(kind)] = static_cast<std::uint8_t>(count);
  }
  void add(const Cards& other) {
    for (std::size_t i = 0; i < kRoom; ++i) {
      count_[i] = static_cast<std::uint8_t>(count_[i] + other.count_[i]);
    }
  }
  /// `other` must be contained.
  void remove(const Cards& other) {
    for (std::size_t i = 0; i < kRoom; ++i) {
      count_[i] = static_cast<std::uint8_t>(count_[i] - other.count_[i]);
    }
  }
  bool contains(const Cards& other) const {
    for (std::size_t i = 0; i < kRoom; ++i) {
      if (count_[i] < other.count_[i]) return false;
    }
    return true;
  }
  /// Calls take(kind, count) for every kind held, in canonical order.
  template <typename Take>
  void each(const Take& take) const {
    // Hands are sparse and plays sparser still: eight kinds at a time.
    for (std::size_t block = 0; block < kRoom; block += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, count_.data() + block, sizeof word);
      if (word == 0) continue;
      for (std::size_t i = block; i < block + 8; ++i) {
        if (count_[i] > 0) take(static_cast<Kind>(i), static_cast<int>(count_[i]));
      }
    }
  }
  int size() const {
    int total = 0;
    for (const std::uint8_t count : count_) total += count;
    return total;
  }
  bool empty() const { return size() == 0; }
  int points() const {
    int total = 0;
    each([&](Kind kind, int count) { total += points_of(kind) * count; });
    return total;
  }
  friend bool operator==(const Cards&, const Cards&) = default;

 private:
  static constexpr std::size_t kRoom = 56;
  std::array<std::uint8_t, kRoom> count_{};
};

/// "S3", "H10", "SJk", "BJ".
std::string card_text(Kind kind);
/// Also reads HJ, CJ and DJ; SJ is the small joker.
std::optional<Kind> read_card(std::string_view text);
/// In canonical order, one word a card, `between` them; `-` for none where `between` is a comma.
std::string cards_text(const Cards& cards, char between = ' ');
/// "2" … "10", "J" … "A", "JOKER".
std::string_view rank_text(int rank);
std::optional<int> read_rank(std::string_view text);
/// "S" "H" "C" "D", "NT" for kNoTrump.
std::string_view suit_text(int suit);
std::optional<int> read_suit(std::string_view text);

template <typename Take>
void each_kind(const Cards& cards, const Take& take) {
  cards.each(take);
}

}  // namespace arena::tuolaji
