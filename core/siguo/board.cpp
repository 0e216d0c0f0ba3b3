#include "siguo/board.hpp"

#include <algorithm>

namespace arena::siguo {
namespace {

constexpr int kSouth = 0, kEast = 1, kNorth = 2, kWest = 3;

/// Column of a home from row `from` to row `to`.
void column(std::vector<Node>& line, int home, int at, int from, int to) {
  for (int row = from;; row += from < to ? 1 : -1) {
    line.push_back(home_node(home, row, at));
    if (row == to) return;
  }
}

void centre_column(std::vector<Node>& line, int at) {
  for (int row = 1; row <= 3; ++row) line.push_back(centre_node(at, row));
}

void centre_row(std::vector<Node>& line, int at) {
  for (int i = 1; i <= 3; ++i) line.push_back(centre_node(i, at));
}

}  // namespace

std::string node_name(Node node) {
  std::string name(1, node < 120 ? kHomeLetters[idx(home_of(node))] : 'C');
  // The centre is named column first, as its source has it: C(i, j).
  const int first = node < 120 ? row_of(node) : column_of(node);
  const int second = node < 120 ? column_of(node) : row_of(node);
  name += static_cast<char>('0' + first);
  name += static_cast<char>('0' + second);
  return name;
}

std::optional<Node> Board::find(std::string_view name) const {
  if (name.size() != 3) return std::nullopt;
  const int first = name[1] - '0', second = name[2] - '0';
  if (first < 1 || second < 1) return std::nullopt;
  Node node = kNowhere;
  if (name[0] == 'C') {
    if (first <= 3 && second <= 3) node = centre_node(first, second);
  } else if (const std::size_t home = kHomeLetters.find(name[0]); home != std::string_view::npos) {
    if (first <= 6 && second <= 5) node = home_node(static_cast<int>(home), first, second);
  }
  return exists(node) ? std::optional<Node>(node) : std::nullopt;
}

void Board::List::add(Node node) {
  if (std::find(nodes.begin(), nodes.begin() + size, node) == nodes.begin() + size) {
    nodes[size++] = node;
  }
}

void Board::add_edge(Lists& lists, Node a, Node b) {
  if (!exists_[a] || !exists_[b]) return;
  for (Lists* list : {&lists, &neighbours_}) {
    (*list)[a].add(b);
    (*list)[b].add(a);
  }
}

/// The straight lines and, on the large board, the four curves.
std::vector<std::vector<Node>> Board::lines_of(BoardKind kind) {
  std::vector<std::vector<Node>> lines;
  for (int home = 0; home < kHomes; ++home) {
    for (const int row : {1, 5}) {
      std::vector<Node>& line = lines.emplace_back();
      for (int at = 1; at <= 5; ++at) line.push_back(home_node(home, row, at));
    }
  }
  const bool large = kind == BoardKind::siguo129;
  for (int at = 1; at <= 3; ++at) {
    // From the north to the south, column 2 * at - 1 of the south's.
    const int south = 2 * at - 1, north = 6 - south;
    std::vector<Node>& line = lines.emplace_back();
    column(line, kNorth, north, at == 2 ? 1 : 5, 1);
    if (large) centre_column(line, at);
    column(line, kSouth, south, 1, at == 2 ? 1 : 5);
  }
  if (!large) return lines;
  for (int at = 1; at <= 3; ++at) {
    const int west = 2 * at - 1, east = 6 - west;
    std::vector<Node>& line = lines.emplace_back();
    column(line, kWest, west, at == 2 ? 1 : 5, 1);
    centre_row(line, at);
    column(line, kEast, east, 1, at == 2 ? 1 : 5);
  }
  for (int home = 0; home < kHomes; ++home) {
    const int left = (home + 3) % kHomes;
    std::vector<Node>& line = lines.emplace_back();
    column(line, home, 1, 5, 1);
    column(line, left, 5, 1, 5);
  }
  return lines;
}

int Board::add_ray(Rays& rays, std::span<const Node> line) {
  const Node start = line.front();
  Ray ray;
  for (const Node node : line.subspan(1)) {
    if (!exists_[node]) break;
    ray.nodes[ray.length++] = node;
  }
  for (const Ray& other : rays[start]) {
    const int most = std::min(ray.length, other.length);
    const auto end =
        std::mismatch(ray.nodes.begin(), ray.nodes.begin() + most, other.nodes.begin());
    const auto common = static_cast<std::uint8_t>(end.first - ray.nodes.begin());
    ray.shared = std::max(ray.shared, common);
  }
  if (exists_[start] && ray.shared < ray.length) rays[start].push_back(ray);
  return ray.shared;
}

void Board::add_line(Rays& rays, std::vector<Node> line, int number) {
  const std::size_t size = line.size();
  std::uint16_t& walls = walls_[idx(number)];
  walls = static_cast<std::uint16_t>(1U | 1U << (size + 1));
  for (std::size_t i = 0; i < size; ++i) {
    const Node node = line[i];
    if (!exists_[node]) walls |= static_cast<std::uint16_t>(2U << i);
    line_points_[idx(number)][i + 1] = node;
    const int shared = add_ray(rays, std::span(line).subspan(i));
    Stop& stop = stops_[node][stop_count_[node]++];
    stop.line = static_cast<std::uint16_t>(number);
    stop.bit = static_cast<std::uint16_t>(2U << i);
    stop.own = static_cast<std::uint16_t>(0xFFFFU << (i + 2) << shared);
  }
  std::reverse(line.begin(), line.end());
  for (std::size_t i = 0; i < size; ++i) {
    const Node node = line[i];
    const int shared = add_ray(rays, std::span(line).subspan(i));
    Stop& stop = stops_[node][stop_count_[node] - 1U];
    stop.own |= static_cast<std::uint16_t>((stop.bit - 1U) >> shared);
  }
}

Board::Board(BoardKind kind, SeatSet homes) {
  for (int home = 0; home < kHomes; ++home) {
    for (Node i = 0; i < 30; ++i) exists_[idx(home * 30) + i] = homes.contains(home);
  }
  for (Node node = 120; node < kNodes; ++node) exists_[node] = kind == BoardKind::siguo129;

  Rays rays;
  int lines = 0;
  for (const std::vector<Node>& line : lines_of(kind)) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) add_edge(rails_, line[i], line[i + 1]);
    add_line(rays, line, lines++);
  }
  for (std::size_t node = 0; node < kNodes; ++node) {
    first_ray_[node] = static_cast<std::uint16_t>(rays_.size());
    rays_.insert(rays_.end(), rays[node].begin(), rays[node].end());
  }
  first_ray_[kNodes] = static_cast<std::uint16_t>(rays_.size());

  const auto road = [&](Node a, Node b) {
    const auto joined = rails(a);
    if (std::find(joined.begin(), joined.end(), b) == joined.end()) add_edge(roads_, a, b);
  };
  for (int home = 0; home < kHomes; ++home) {
    for (int row = 1; row <= 6; ++row) {
      for (int at = 1; at <= 5; ++at) {
        const Node node = home_node(home, row, at);
        if (at < 5) road(node, home_node(home, row, at + 1));
        if (row < 6) road(node, home_node(home, row + 1, at));
        if (!is_camp(node)) continue;
        for (const int up : {-1, 1}) {
          for (const int side : {-1, 1}) road(node, home_node(home, row + up, at + side));
        }
      }
    }
  }
  for (Node node = 0; node < kNodes; ++node) {
    for (const Node other : roads(node)) road_bits_[node] |= PointSet::bit_of(other);
    for (const Node other : rails(node)) rail_sets_[node].flip(other);
  }
}

}  // namespace arena::siguo
