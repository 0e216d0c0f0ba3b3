#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arena::doudizhu {

/// 0…11: 3 to A, 12: 2, 13: black joker, 14: red joker.
using Rank = int;
/// One bit a rank.
using RankSet = std::uint32_t;

inline constexpr int kRanks = 15;
inline constexpr Rank kTwo = 12;
inline constexpr Rank kBlackJoker = 13;
inline constexpr Rank kRedJoker = 14;
inline constexpr RankSet kAllRanks = 0x7FFF;
inline constexpr RankSet kChainRanks = 0x0FFF;
inline constexpr RankSet kJokers = 0x6000;
inline constexpr std::string_view kRankText = "3456789TJQKA2BR";

constexpr RankSet bit(Rank rank) { return RankSet{1} << rank; }

/// The n-th lowest rank of a set that has more than n.
constexpr Rank nth(RankSet set, std::uint32_t n) {
  for (; n > 0; --n) set &= set - 1;
  return std::countr_zero(set);
}

/// A number of cards of each rank, suits ignored. The counts are sliced by bit: sixteen ranks'
/// ones, twos and fours in three lanes of a word, so that adding, taking away and "at least n of"
/// are a few operations for all ranks together.
class Cards {
 public:
  constexpr Cards() = default;
  static constexpr Cards from_word(std::uint64_t word) { return Cards(word); }
  /// `times` cards of each rank of the set, 0 to 4.
  static constexpr Cards of(RankSet ranks, int times = 1) {
    const std::uint64_t set = ranks;
    return Cards((times & 1 ? set : 0) | (times & 2 ? set << 16 : 0) | (times & 4 ? set << 32 : 0));
  }
  static constexpr Cards pack() {
    return Cards::of(kAllRanks & ~kJokers, 4) + Cards::of(kJokers, 1);
  }

  constexpr std::uint64_t word() const { return word_; }
  constexpr bool empty() const { return word_ == 0; }
  constexpr int size() const {
    return std::popcount(ones()) + 2 * std::popcount(twos()) + 4 * std::popcount(fours());
  }
  constexpr int operator[](Rank rank) const {
    const std::uint64_t at = word_ >> rank;
    return static_cast<int>((at & 1) | ((at >> 15) & 2) | ((at >> 30) & 4));
  }

  constexpr RankSet any() const { return ones() | twos() | fours(); }
  constexpr RankSet pairs() const { return twos() | fours(); }
  constexpr RankSet trios() const { return (ones() & twos()) | fours(); }
  constexpr RankSet quads() const { return fours(); }
  /// Ranks with at least `times` cards, 1 to 4.
  constexpr RankSet at_least(int times) const {
    return times == 1 ? any() : times == 2 ? pairs() : times == 3 ? trios() : quads();
  }

  constexpr bool contains(Cards other) const {
    const RankSet borrow1 = ~ones() & other.ones();
    const RankSet borrow2 = borrow(twos(), other.twos(), borrow1);
    return borrow(fours(), other.fours(), borrow2) == 0;
  }

  friend constexpr Cards operator+(Cards a, Cards b) {
    const RankSet carry1 = a.ones() & b.ones();
    const RankSet carry2 = (a.twos() & b.twos()) | (carry1 & (a.twos() ^ b.twos()));
    return join(a.ones() ^ b.ones(), a.twos() ^ b.twos() ^ carry1, a.fours() ^ b.fours() ^ carry2);
  }
  /// `b` must be contained.
  friend constexpr Cards operator-(Cards a, Cards b) {
    const RankSet borrow1 = ~a.ones() & b.ones();
    const RankSet borrow2 = borrow(a.twos(), b.twos(), borrow1);
    return join(a.ones() ^ b.ones(), a.twos() ^ b.twos() ^ borrow1,
                a.fours() ^ b.fours() ^ borrow2);
  }
  Cards& operator+=(Cards other) { return *this = *this + other; }
  Cards& operator-=(Cards other) { return *this = *this - other; }
  friend constexpr bool operator==(Cards, Cards) = default;

  /// Ranks low to high, "3334445577"; empty for no cards.
  std::string text() const {
    std::string out;
    for (Rank rank = 0; rank < kRanks; ++rank) {
      out.append(static_cast<std::size_t>((*this)[rank]),
                 kRankText[static_cast<std::size_t>(rank)]);
    }
    return out;
  }

 private:
  constexpr explicit Cards(std::uint64_t word) : word_(word) {}
  static constexpr Cards join(RankSet ones, RankSet twos, RankSet fours) {
    return Cards((ones & 0xFFFF) | (std::uint64_t{twos & 0xFFFF} << 16) |
                 (std::uint64_t{fours & 0xFFFF} << 32));
  }
  static constexpr RankSet borrow(RankSet a, RankSet b, RankSet in) {
    return ((~a & (b | in)) | (b & in)) & 0xFFFF;
  }
  constexpr RankSet ones() const { return static_cast<RankSet>(word_ & 0xFFFF); }
  constexpr RankSet twos() const { return static_cast<RankSet>((word_ >> 16) & 0xFFFF); }
  constexpr RankSet fours() const { return static_cast<RankSet>((word_ >> 32) & 0xFFFF); }

  std::uint64_t word_ = 0;
};

/// Reads ranks in any order. Nothing for another letter or more cards of a rank than a pack has.
inline std::optional<Cards> read_cards(std::string_view text) {
  Cards cards;
  for (const char letter : text) {
    const std::size_t at = kRankText.find(letter);
    if (at == std::string_view::npos) return std::nullopt;
    const auto rank = static_cast<Rank>(at);
    if (cards[rank] == Cards::pack()[rank]) return std::nullopt;
    cards += Cards::of(bit(rank));
  }
  return cards;
}

/// Whether a word is a number of cards that one pack has.
constexpr bool valid_word(std::uint64_t word) {
  if ((word & ~std::uint64_t{0x7FFF7FFF7FFF}) != 0) return false;
  const Cards cards = Cards::from_word(word);
  const auto ones = static_cast<RankSet>(word & 0xFFFF);
  const auto twos = static_cast<RankSet>((word >> 16) & 0xFFFF);
  return (cards.quads() & (ones | twos)) == 0 && (cards.pairs() & kJokers) == 0;
}

}  // namespace arena::doudizhu
