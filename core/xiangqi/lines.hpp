#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace arena::xiangqi {

/// Points 0..89: rank * 9 + file, a1 = 0 at Red's left, e10 = 85 the black general's.
using Point = int;
inline constexpr int kFiles = 9;
inline constexpr int kRanks = 10;
inline constexpr int kPoints = kFiles * kRanks;

constexpr int file_of(Point p) { return p % kFiles; }
constexpr int rank_of(Point p) { return p / kFiles; }
constexpr Point point_at(int file, int rank) { return rank * kFiles + file; }

/// A set of squares of one rank (bit = file) or one file (bit = rank).
using Line = std::uint16_t;

/// What a sliding piece at place `at` of a line sees, by the line's occupation. `reach` holds
/// the empty squares and the first piece each way; `jump` the first piece behind a screen.
struct Sight {
  Line reach = 0;
  Line jump = 0;
};

using SightTable = std::array<std::array<Sight, 1024>, 10>;

constexpr SightTable make_sights() {
  SightTable table{};
  for (std::size_t at = 0; at < 10; ++at) {
    for (std::size_t occupied = 0; occupied < 1024; ++occupied) {
      Sight sight;
      for (const int step : {1, -1}) {
        int seen = 0;
        for (int i = static_cast<int>(at) + step; i >= 0 && i < 10 && seen < 2; i += step) {
          const bool piece = ((occupied >> i) & 1U) != 0;
          const Line bit = static_cast<Line>(1U << i);
          if (seen == 0) sight.reach = static_cast<Line>(sight.reach | bit);
          if (seen == 1 && piece) sight.jump = static_cast<Line>(sight.jump | bit);
          if (piece) ++seen;
        }
      }
      table[at][occupied] = sight;
    }
  }
  return table;
}

inline constexpr Line kRankMask = 0x1FF;

/// Steps of a leaping piece: over `leg` (the horse's leg, the elephant's eye) to `to`.
struct Leap {
  std::uint8_t leg = 0;
  std::uint8_t to = 0;
};

struct Leaps {
  std::array<Leap, 8> leaps{};
  int count = 0;
};

using LeapTable = std::array<Leaps, kPoints>;

constexpr bool on_board(int file, int rank) {
  return file >= 0 && file < kFiles && rank >= 0 && rank < kRanks;
}
constexpr bool in_palace(Point p) {
  return file_of(p) >= 3 && file_of(p) <= 5 && (rank_of(p) <= 2 || rank_of(p) >= 7);
}
/// Whether a point lies on the red half of the board.
constexpr bool red_half(Point p) { return rank_of(p) <= 4; }

/// `outwards`: legs of a horse that leaves; otherwise legs of the horses that arrive.
constexpr LeapTable make_horse_leaps(bool outwards) {
  LeapTable table{};
  for (int p = 0; p < kPoints; ++p) {
    for (int df = -2; df <= 2; ++df) {
      for (int dr = -2; dr <= 2; ++dr) {
        if (df * df + dr * dr != 5 || !on_board(file_of(p) + df, rank_of(p) + dr)) continue;
        const int to = point_at(file_of(p) + df, rank_of(p) + dr);
        const int leg =
            outwards ? point_at(file_of(p) + df / 2, rank_of(p) + dr / 2)
                     : point_at(file_of(p) + (df > 0 ? 1 : -1), rank_of(p) + (dr > 0 ? 1 : -1));
        Leaps& leaps = table[static_cast<std::size_t>(p)];
        leaps.leaps[static_cast<std::size_t>(leaps.count++)] = {static_cast<std::uint8_t>(leg),
                                                                static_cast<std::uint8_t>(to)};
      }
    }
  }
  return table;
}

constexpr LeapTable make_diagonal_leaps(int distance) {
  LeapTable table{};
  for (int p = 0; p < kPoints; ++p) {
    for (const int df : {-distance, distance}) {
      for (const int dr : {-distance, distance}) {
        if (!on_board(file_of(p) + df, rank_of(p) + dr)) continue;
        const int to = point_at(file_of(p) + df, rank_of(p) + dr);
        if (distance == 2 && red_half(p) != red_half(to)) continue;
        if (distance == 1 && !(in_palace(p) && in_palace(to))) continue;
        Leaps& leaps = table[static_cast<std::size_t>(p)];
        leaps.leaps[static_cast<std::size_t>(leaps.count++)] = {
            static_cast<std::uint8_t>(point_at(file_of(p) + df / 2, rank_of(p) + dr / 2)),
            static_cast<std::uint8_t>(to)};
      }
    }
  }
  return table;
}

constexpr LeapTable make_king_steps() {
  LeapTable table{};
  constexpr int kSteps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (int p = 0; p < kPoints; ++p) {
    for (const auto& step : kSteps) {
      if (!on_board(file_of(p) + step[0], rank_of(p) + step[1])) continue;
      const int to = point_at(file_of(p) + step[0], rank_of(p) + step[1]);
      if (!in_palace(p) || !in_palace(to)) continue;
      Leaps& leaps = table[static_cast<std::size_t>(p)];
      leaps.leaps[static_cast<std::size_t>(leaps.count++)] = {static_cast<std::uint8_t>(p),
                                                              static_cast<std::uint8_t>(to)};
    }
  }
  return table;
}

inline constexpr SightTable kSights = make_sights();
inline constexpr LeapTable kHorseLeaps = make_horse_leaps(true);
inline constexpr LeapTable kHorseArrivals = make_horse_leaps(false);
inline constexpr LeapTable kElephantLeaps = make_diagonal_leaps(2);
inline constexpr LeapTable kAdvisorLeaps = make_diagonal_leaps(1);
inline constexpr LeapTable kKingSteps = make_king_steps();

}  // namespace arena::xiangqi
