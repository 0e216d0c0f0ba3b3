#include "xiangqi/evaluate.hpp"

#include <bit>

namespace arena::xiangqi {
namespace {

constexpr std::array<int, kKinds> kWorth{0, 0, 120, 120, 270, 600, 285, 30};

/// By rank from the own side, then by distance from the middle file.
constexpr std::array<int, kRanks> kSoldierRank{0, 0, 0, 0, 6, 45, 65, 80, 70, 5};
constexpr std::array<int, 5> kSoldierFile{20, 16, 10, 3, 0};
constexpr std::array<int, kRanks> kHorseRank{-12, -6, 2, 8, 12, 20, 26, 30, 16, 4};
constexpr std::array<int, 5> kHorseFile{8, 9, 8, 4, -6};
constexpr std::array<int, kRanks> kChariotRank{-8, 2, 4, 8, 12, 14, 16, 16, 20, 6};
constexpr std::array<int, 5> kChariotFile{10, 10, 4, 4, 0};
constexpr std::array<int, kRanks> kCannonRank{2, 4, 8, 2, 4, 4, 4, 4, 2, 10};
constexpr std::array<int, 5> kCannonFile{18, 4, 2, 6, 0};

int place(Kind kind, int rank, int aside) {
  const auto r = static_cast<std::size_t>(rank);
  const auto a = static_cast<std::size_t>(aside);
  switch (kind) {
    case Kind::general:
      return -12 * rank;
    case Kind::advisor:
      return rank == 1 ? 6 : 0;
    case Kind::elephant:
      return rank == 2 && aside == 0 ? 8 : 0;
    case Kind::horse:
      return kHorseRank[r] + kHorseFile[a];
    case Kind::chariot:
      return kChariotRank[r] + kChariotFile[a];
    case Kind::cannon:
      return kCannonRank[r] + kCannonFile[a];
    case Kind::soldier:
      return rank > 4 ? kSoldierRank[r] + kSoldierFile[a] : kSoldierRank[r];
    case Kind::none:
      break;
  }
  return 0;
}

int mobility(const Position& position, Kind kind, Point p) {
  if (kind == Kind::chariot || kind == Kind::cannon) {
    const unsigned along = position.rank_sight(p).reach & kRankMask;
    const int reach =
        std::popcount(along) + std::popcount(static_cast<unsigned>(position.file_sight(p).reach));
    return kind == Kind::chariot ? 3 * reach : reach;
  }
  if (kind != Kind::horse) return 0;
  int free = 0;
  const Leaps& leaps = kHorseLeaps[static_cast<std::size_t>(p)];
  for (int i = 0; i < leaps.count; ++i) {
    if (position.at(leaps.leaps[static_cast<std::size_t>(i)].leg) == kEmpty) ++free;
  }
  return 5 * free;
}

}  // namespace

int worth(Kind kind) { return kWorth[static_cast<std::size_t>(kind)]; }

int evaluate(const Position& position) {
  int red = 0;
  for (int rank = 0; rank < kRanks; ++rank) {
    for (const Side side : {Side::red, Side::black}) {
      for (unsigned left = position.rank_line(side, rank); left != 0; left &= left - 1) {
        const int file = std::countr_zero(left);
        const Point p = point_at(file, rank);
        const Kind kind = kind_of(position.at(p));
        const int own_rank = side == Side::red ? rank : kRanks - 1 - rank;
        const int value = worth(kind) + place(kind, own_rank, file > 4 ? file - 4 : 4 - file) +
                          mobility(position, kind, p);
        red += side == Side::red ? value : -value;
      }
    }
  }
  return (position.to_move() == Side::red ? red : -red) + 3;
}

}  // namespace arena::xiangqi
