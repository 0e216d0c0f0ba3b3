#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/seat.hpp"

namespace arena::siguo {

/// A point of the board: 30 of each home, row by row from the front, then the nine of the centre.
using Node = std::uint8_t;
inline constexpr int kNodes = 129;
inline constexpr Node kNowhere = 255;

/// Homes as one sees the board: south, east, north, west.
inline constexpr int kHomes = 4;
inline constexpr std::string_view kHomeLetters = "SENW";
/// Points of a home that hold units at the start: all but the camps, row by row from the front.
inline constexpr int kSlots = 25;

enum class BoardKind : std::uint8_t { siguo129, luzhanqi60 };

constexpr std::size_t idx(int i) { return static_cast<std::size_t>(i); }

/// Rows from the front 1…6, columns from the owner's left 1…5.
constexpr Node home_node(int home, int row, int column) {
  return static_cast<Node>(home * 30 + (row - 1) * 5 + column - 1);
}
/// Columns from the west 1…3, rows from the north 1…3.
constexpr Node centre_node(int column, int row) {
  return static_cast<Node>(120 + (row - 1) * 3 + column - 1);
}
/// -1 for the centre.
constexpr int home_of(Node node) { return node < 120 ? node / 30 : -1; }
constexpr int row_of(Node node) { return node < 120 ? node % 30 / 5 + 1 : (node - 120) / 3 + 1; }
constexpr int column_of(Node node) { return node < 120 ? node % 5 + 1 : (node - 120) % 3 + 1; }

constexpr bool is_camp(Node node) {
  if (node >= 120) return false;
  const int row = row_of(node), column = column_of(node);
  return row == 3 ? column == 3 : (row == 2 || row == 4) && (column == 2 || column == 4);
}
constexpr bool is_headquarters(Node node) {
  return node < 120 && row_of(node) == 6 && (column_of(node) == 2 || column_of(node) == 4);
}

/// Where the units of a line-up stand in their home, in the order in which it is written.
constexpr std::array<Node, kSlots> kSlotNodes = [] {
  std::array<Node, kSlots> nodes{};
  std::size_t used = 0;
  for (Node node = 0; node < 30; ++node) {
    if (!is_camp(node)) nodes[used++] = node;
  }
  return nodes;
}();
constexpr Node slot_node(int home, int slot) {
  return static_cast<Node>(home * 30 + kSlotNodes[idx(slot)]);
}

/// "S35", "C12".
std::string node_name(Node node);

/// Points as bits, two homes to a word and the centre in the last.
struct PointSet {
  std::array<std::uint64_t, 3> words{};

  static constexpr std::size_t word_of(Node node) { return node / 60U; }
  static constexpr std::uint64_t bit_of(Node node) { return std::uint64_t{1} << node % 60U; }
  constexpr void flip(Node node) { words[word_of(node)] ^= bit_of(node); }
  constexpr bool empty() const { return (words[0] | words[1] | words[2]) == 0; }
  constexpr int size() const {
    return std::popcount(words[0]) + std::popcount(words[1]) + std::popcount(words[2]);
  }
  /// Takes one out; there is one.
  constexpr Node pop() {
    const std::size_t word = words[0] != 0 ? 0 : words[1] != 0 ? 1 : 2;
    const auto place = static_cast<std::size_t>(std::countr_zero(words[word]));
    words[word] &= words[word] - 1;
    return static_cast<Node>(60 * word + place);
  }

  friend constexpr PointSet operator&(const PointSet& a, const PointSet& b) {
    return {{a.words[0] & b.words[0], a.words[1] & b.words[1], a.words[2] & b.words[2]}};
  }
  friend constexpr PointSet operator|(const PointSet& a, const PointSet& b) {
    return {{a.words[0] | b.words[0], a.words[1] | b.words[1], a.words[2] | b.words[2]}};
  }
  friend constexpr PointSet operator-(const PointSet& a, const PointSet& b) {
    return {{a.words[0] & ~b.words[0], a.words[1] & ~b.words[1], a.words[2] & ~b.words[2]}};
  }
};

inline constexpr PointSet kCamps = [] {
  PointSet camps;
  for (Node node = 0; node < kNodes; ++node) {
    if (is_camp(node)) camps.flip(node);
  }
  return camps;
}();

/// Points in the order in which a unit meets them that slides along a railway line. The first
/// `shared` of them it meets on another ray too: where a side column runs on into the centre and
/// into the curve.
struct Ray {
  std::uint8_t shared = 0;
  std::uint8_t length = 0;
  std::array<Node, 12> nodes{};
};

/// Railway lines of the large board: two rows in each home, three lines each way across the board,
/// four curves.
inline constexpr int kLines = 18;
/// For each line a bit a point, the first of them bit 1.
using LineBits = std::array<std::uint16_t, kLines>;

/// Where a point lies on a line: its bit, and those that a unit reaches from there on no line
/// before.
struct Stop {
  std::uint16_t line = 0;
  std::uint16_t bit = 0;
  std::uint16_t own = 0;
};

/// Which points there are, and how they are joined.
class Board {
 public:
  /// `homes`: those in use. The others are closed: nothing enters or passes them.
  Board(BoardKind kind, SeatSet homes);

  bool exists(Node node) const { return node < kNodes && exists_[node]; }
  std::span<const Node> roads(Node node) const { return view(roads_, node); }
  std::span<const Node> rails(Node node) const { return view(rails_, node); }
  /// Roads and railways.
  std::span<const Node> neighbours(Node node) const { return view(neighbours_, node); }
  std::span<const Ray> rays(Node node) const {
    return {rays_.data() + first_ray_[node], rays_.data() + first_ray_[node + 1]};
  }
  /// Roads of a point in the word of it: they do not leave a home.
  std::uint64_t road_bits(Node node) const { return road_bits_[node]; }
  const PointSet& rail_set(Node node) const { return rail_sets_[node]; }
  std::span<const Stop> stops(Node node) const { return {stops_[node].data(), stop_count_[node]}; }
  Node line_point(std::size_t line, int place) const { return line_points_[line][idx(place)]; }
  /// Where no line goes on: before its first point and after its last, and on closed points.
  const LineBits& walls() const { return walls_; }
  /// The point of a name; nothing for a name of no point of this board.
  std::optional<Node> find(std::string_view name) const;

 private:
  struct List {
    std::array<Node, 8> nodes{};
    std::uint8_t size = 0;
    void add(Node node);
  };
  using Lists = std::array<List, kNodes>;
  static std::span<const Node> view(const Lists& lists, Node node) {
    return {lists[node].nodes.data(), lists[node].size};
  }
  using Rays = std::array<std::vector<Ray>, kNodes>;
  /// Adds the ray from the first of these points on; how many of the next are on a ray before it.
  int add_ray(Rays& rays, std::span<const Node> line);
  void add_line(Rays& rays, std::vector<Node> line, int number);
  static std::vector<std::vector<Node>> lines_of(BoardKind kind);
  void add_edge(Lists& lists, Node a, Node b);

  std::array<bool, kNodes> exists_{};
  Lists roads_, rails_, neighbours_;
  std::vector<Ray> rays_;
  std::array<std::uint16_t, kNodes + 1> first_ray_{};
  std::array<std::uint64_t, kNodes> road_bits_{};
  std::array<PointSet, kNodes> rail_sets_{};
  std::array<std::array<Stop, 3>, kNodes> stops_{};
  std::array<std::uint8_t, kNodes> stop_count_{};
  std::array<std::array<Node, 14>, kLines> line_points_{};  ///< by the place of their bit
  LineBits walls_{};
};

}  // namespace arena::siguo
