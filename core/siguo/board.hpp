#pragma once
#include <array>
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

/// Points in the order in which a unit meets them that slides along a railway line. The first
/// `shared` of them it meets on another ray too: where a side column runs on into the centre and
/// into the curve.
struct Ray {
  std::uint8_t shared = 0;
  std::uint8_t length = 0;
  std::array<Node, 12> nodes{};
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
  void add_rays(std::array<std::vector<Ray>, kNodes>& rays, const std::vector<Node>& line);
  static std::vector<std::vector<Node>> lines_of(BoardKind kind);
  void add_edge(Lists& lists, Node a, Node b);

  std::array<bool, kNodes> exists_{};
  Lists roads_, rails_, neighbours_;
  std::vector<Ray> rays_;
  std::array<std::uint16_t, kNodes + 1> first_ray_{};
};

}  // namespace arena::siguo
