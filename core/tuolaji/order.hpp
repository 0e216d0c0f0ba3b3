#pragma once
#include <array>
#include <cstdint>

#include "tuolaji/cards.hpp"

namespace arena::tuolaji {

enum class Honours : std::uint8_t { none, jokers, ladder };
enum class Aa22 : std::uint8_t { off, low, high };

inline constexpr int kMostNodes = 24;

/// How many of each node of a track are held.
using Held = std::array<std::int8_t, kMostNodes>;

/// The cards that count as one suit, in the order in which they link. A node is a kind; nodes
/// that are equal in rank (off-suit level cards) share a position. Nodes go by position.
struct Track {
  int nodes = 0;
  int positions = 0;
  std::array<std::uint8_t, kMostNodes> kind{};
  std::array<std::uint8_t, kMostNodes> position{};
  std::array<std::int8_t, kMostNodes> strength{};
  std::array<std::uint8_t, kMostNodes + 1> first{};  ///< of a position; first[positions] = nodes
  std::array<bool, kMostNodes> link{};               ///< position to the next one up
  /// The two nodes of a lowest tractor AA22, or -1.
  int low_ace = -1;
  int low_two = -1;

  int width(int at) const {
    const auto i = static_cast<std::size_t>(at);
    return first[i + 1] - first[i];
  }
  int first_node(int at) const { return first[static_cast<std::size_t>(at)]; }
  int strength_of(int node) const { return strength[static_cast<std::size_t>(node)]; }
  Kind kind_of(int node) const { return kind[static_cast<std::size_t>(node)]; }
  int position_of(int node) const { return position[static_cast<std::size_t>(node)]; }
  bool linked(int at) const { return link[static_cast<std::size_t>(at)]; }

  Held held(const Cards& cards) const {
    Held out{};
    for (int node = 0; node < nodes; ++node) {
      out[static_cast<std::size_t>(node)] = static_cast<std::int8_t>(cards[kind_of(node)]);
    }
    return out;
  }
  int count(const Cards& cards) const {
    int total = 0;
    for (int node = 0; node < nodes; ++node) total += cards[kind_of(node)];
    return total;
  }
};

/// What the settings say about order and neighbours.
struct OrderRules {
  bool permanent_twos = false;
  bool bridge_level = true;
  Honours honours = Honours::ladder;
  Aa22 aa22 = Aa22::off;
};

/// Suits and ranks under one trump and one level.
class Order {
 public:
  Order() = default;
  /// `trump` is a suit or kNoTrump; `level` a rank or kJokerLevel.
  Order(const OrderRules& rules, int trump, int level);

  /// The suit a card counts as: kSpades … kDiamonds, or kTrump.
  int suit(Kind kind) const { return suit_[static_cast<std::size_t>(kind)]; }
  int strength(Kind kind) const { return strength_[static_cast<std::size_t>(kind)]; }
  const Track& track(int suit) const { return tracks_[static_cast<std::size_t>(suit)]; }

 private:
  void put(int suit, Kind kind, int strength, bool same_position);

  std::array<Track, 5> tracks_;
  std::array<std::int8_t, kKinds> suit_{};
  std::array<std::int8_t, kKinds> strength_{};
};

}  // namespace arena::tuolaji
