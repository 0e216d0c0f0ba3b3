#include "gomoku/board.hpp"

#include <algorithm>
#include <cstdlib>

namespace arena::gomoku {
namespace {

Geometry make_geometry(int size) {
  Geometry geometry;
  geometry.size = size;
  geometry.steps = {1, size, size + 1, size - 1};
  for (auto& lines : geometry.walls) lines.fill(~0U);
  const int last = size - 1;
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      const std::array<std::array<int, 2>, kDirections> where{{
          {row, column},
          {column, row},
          {column - row + size - 1, row},
          {column + row, row},
      }};
      auto& places = geometry.places[static_cast<std::size_t>(row * size + column)];
      for (std::size_t d = 0; d < kDirections; ++d) {
        const std::array<int, kDirections> ahead{
            last - column, last - row, last - std::max(row, column), std::min(last - row, column)};
        const std::array<int, kDirections> back{column, row, std::min(row, column),
                                                std::min(row, last - column)};
        const auto near = [](int cells) {
          return static_cast<std::uint8_t>(std::min(cells, kReach));
        };
        places[d] = {static_cast<std::uint8_t>(where[d][0]), static_cast<std::uint8_t>(where[d][1]),
                     near(back[d]), near(ahead[d])};
        geometry.walls[d][places[d].line] &= ~(1U << (places[d].bit + kReach));
      }
    }
  }
  return geometry;
}

}  // namespace

const Geometry& Geometry::of(int size) {
  // Immutable tables, built once on first use.
  static const auto all = [] {
    std::array<Geometry, kMaxSize - kMinSize + 1> made{};
    for (int s = kMinSize; s <= kMaxSize; ++s) {
      made[static_cast<std::size_t>(s - kMinSize)] = make_geometry(s);
    }
    return made;
  }();
  return all[static_cast<std::size_t>(size - kMinSize)];
}

int Geometry::ring(Point p) const {
  return std::max(std::abs(row(p) - size / 2), std::abs(column(p) - size / 2));
}

}  // namespace arena::gomoku
