#include "chinese_checkers/board.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace arena::chinese_checkers {
namespace {

constexpr int kSteps[kDirections][2] = {{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}};

}  // namespace

std::string_view name(Tip tip) {
  static constexpr std::string_view kNames[kTips] = {"N", "NE", "SE", "S", "SW", "NW"};
  return kNames[tip];
}

const Board& Board::of_side(int side) {
  static const Board small(2);
  static const Board middle(3);
  static const Board standard(4);
  return side == 2 ? small : side == 3 ? middle : standard;
}

Board::Board(int side) : side_(side) {
  for (int r = -2 * side; r <= 2 * side; ++r) {
    int number = 0;
    for (int q = -2 * side; q <= 2 * side; ++q) {
      if (!exists({q, r})) continue;
      holes_.push_back({q, r});
      std::string name(1, static_cast<char>('a' + 2 * side - r));
      name += std::to_string(++number);
      names_.push_back(name);
    }
  }
  size_ = static_cast<int>(holes_.size());
  for (auto& row : next_) row.fill(kWall);
  for (int hole = 0; hole < size_; ++hole) {
    const auto index = static_cast<std::size_t>(hole);
    for (std::size_t d = 0; d < kDirections; ++d) {
      const Axial from = holes_[index];
      next_[index][d] = at({from.q + kSteps[d][0], from.r + kSteps[d][1]}).value_or(kWall);
    }
  }
  around_.resize(holes_.size());
  for (std::size_t hole = 0; hole < holes_.size(); ++hole) {
    Around& around = around_[hole];
    // Where there is no hop, the hole itself stands for the neighbour: it is never one.
    const auto here = static_cast<Hole>(hole);
    around.hops.fill(Hop(here, here));
    for (std::size_t d = 0; d < kDirections; ++d) {
      const Hole neighbour = next_[hole][d];
      if (neighbour == kWall) continue;
      around.near.set(neighbour);
      const Hole behind = next_[neighbour][d];
      if (behind == kWall) continue;
      around.landings.set(behind);
      around.hops[d] = Hop(neighbour, behind);
    }
  }
}

bool Board::exists(Axial at) const {
  const int high = std::max({at.q, at.r, at.s()});
  const int low = std::min({at.q, at.r, at.s()});
  return high <= side_ || low >= -side_;
}

bool Board::in_hexagon(Axial at) const {
  return std::max({std::abs(at.q), std::abs(at.r), std::abs(at.s())}) <= side_;
}

int Board::depth(Axial at, Tip tip) {
  switch (tip) {
    case kNorth:
      return -at.r;
    case kNorthEast:
      return at.q;
    case kSouthEast:
      return -at.s();
    case kSouth:
      return at.r;
    case kSouthWest:
      return -at.q;
    case kNorthWest:
      return at.s();
  }
  return 0;
}

std::optional<Hole> Board::at(Axial at) const {
  for (std::size_t hole = 0; hole < holes_.size(); ++hole) {
    if (holes_[hole].q == at.q && holes_[hole].r == at.r) return static_cast<Hole>(hole);
  }
  return std::nullopt;
}

std::optional<Hole> Board::find(std::string_view name) const {
  if (name.size() < 2 || name.size() > 3 || name[1] == '0') return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  if (number < 1 || number > row_length(name[0])) return std::nullopt;
  // Rows are stored from the north, names count from the south.
  int first = 0;
  for (char row = static_cast<char>('a' + 4 * side_); row != name[0]; --row) {
    first += row_length(row);
  }
  return static_cast<Hole>(first + number - 1);
}

int Board::row_length(char row) const {
  const int r = 2 * side_ - (row - 'a');
  if (std::abs(r) > 2 * side_) return 0;
  return 2 * side_ + 1 + (std::abs(r) > side_ ? -std::abs(r) : std::abs(r));
}

int Board::distance(Hole a, Hole b) const {
  const int q = holes_[a].q - holes_[b].q;
  const int r = holes_[a].r - holes_[b].r;
  return std::max({std::abs(q), std::abs(r), std::abs(q + r)});
}

int Board::off_axis(Hole hole, Tip tip) const {
  const Axial at = holes_[hole];
  switch (tip) {
    case kNorth:
    case kSouth:
      return std::abs(at.q - at.s());
    case kNorthEast:
    case kSouthWest:
      return std::abs(at.r - at.s());
    case kSouthEast:
    case kNorthWest:
      return std::abs(at.q - at.r);
  }
  return 0;
}

Bits Board::camp(Tip tip, int rows) const {
  Bits camp;
  for (std::size_t hole = 0; hole < holes_.size(); ++hole) {
    const int deep = depth(holes_[hole], tip);
    if (deep <= 2 * side_ - rows) continue;
    if (deep > side_ || in_hexagon(holes_[hole])) camp.set(static_cast<Hole>(hole));
  }
  return camp;
}

Hole Board::point(Tip tip) const {
  Hole found = kWall;
  camp(tip, 1).each([&](Hole hole) { found = hole; });
  return found;
}

}  // namespace arena::chinese_checkers
