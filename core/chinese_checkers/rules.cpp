#include "chinese_checkers/rules.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace arena::chinese_checkers {
namespace {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

constexpr Words<int, 3> kSides{{{"star121", 4}, {"star73", 3}, {"star37", 2}}};
constexpr Words<Jump, 2> kJumps{{{"adjacent", Jump::adjacent}, {"equidistant", Jump::equidistant}}};
constexpr Words<ForeignTriangles, 3> kForeign{{{"free", ForeignTriangles::free},
                                               {"pass_through", ForeignTriangles::pass_through},
                                               {"closed", ForeignTriangles::closed}}};
constexpr Words<AntiBlock, 4> kAntiBlocks{{{"none", AntiBlock::none},
                                           {"filled_any_own", AntiBlock::filled_any_own},
                                           {"swap", AntiBlock::swap},
                                           {"passive_loss", AntiBlock::passive_loss}}};
constexpr Words<LateFinish, 3> kLateFinishes{
    {{"none", LateFinish::none},
     {"same_round_draw", LateFinish::same_round_draw},
     {"one_more_round_draw", LateFinish::one_more_round_draw}}};
constexpr Words<Finish, 2> kFinishes{
    {{"first_only", Finish::first_only}, {"rank_all", Finish::rank_all}}};
constexpr Words<CapResult, 3> kCapResults{{{"draw", CapResult::draw},
                                           {"pieces_home", CapResult::pieces_home},
                                           {"distance", CapResult::distance}}};

/// Homes by seat; sets_per_player of them a seat. Seat 0 sits around the north.
std::vector<std::vector<Tip>> seating(int players, int per_player) {
  switch (10 * players + per_player) {
    case 21:
      return {{kNorth}, {kSouth}};
    case 22:
      return {{kNorth, kNorthEast}, {kSouth, kSouthWest}};
    case 23:
      return {{kNorth, kNorthEast, kNorthWest}, {kSouthEast, kSouth, kSouthWest}};
    case 31:
      return {{kNorth}, {kSouthEast}, {kSouthWest}};
    case 32:
      return {{kNorth, kSouth}, {kNorthEast, kSouthWest}, {kSouthEast, kNorthWest}};
    case 41:
      return {{kNorth}, {kNorthEast}, {kSouth}, {kSouthWest}};
    case 51:
      return {{kNorth}, {kNorthEast}, {kSouthEast}, {kSouth}, {kSouthWest}};
    case 61:
      return {{kNorth}, {kNorthEast}, {kSouthEast}, {kSouth}, {kSouthWest}, {kNorthWest}};
    default:
      return {};
  }
}

}  // namespace

Rules::Rules(const Fields& fields) {
  const FieldReader read(fields);
  seats_ = read.integer("players", 2, kMaxPlayers);
  const int side = read.choice<int>("board", kSides);
  board_ = &Board::of_side(side);
  pegs_ = read.integer("pegs", 1, kMaxPegs);
  const int per_player = read.integer("sets_per_player", 1, 3);
  jump_ = read.choice<Jump>("jump", kJumps);
  foreign_triangles_ = read.choice<ForeignTriangles>("foreign_triangles", kForeign);
  leave_target_ = read.boolean("leave_target");
  anti_block_ = read.choice<AntiBlock>("anti_block", kAntiBlocks);
  home_deadline_ = read.integer("home_deadline", 1, 10000);
  late_finish_ = read.choice<LateFinish>("late_finish", kLateFinishes);
  finish_ = read.choice<Finish>("finish", kFinishes);
  max_turns_ = read.integer("max_turns", 1, 10000);
  cap_result_ = read.choice<CapResult>("cap_result", kCapResults);

  int rows = 0;
  for (const int fitting : {side - 1, side, side + 1}) {
    if (fitting * (fitting + 1) / 2 == pegs_) rows = fitting;
  }
  if (rows == 0) {
    throw FieldError("pegs: " + std::to_string(pegs_) + " do not fit the board; this one takes " +
                     std::to_string(side * (side - 1) / 2) + ", " +
                     std::to_string(side * (side + 1) / 2) + " or " +
                     std::to_string((side + 1) * (side + 2) / 2));
  }
  if (rows > side && seats_ * per_player > 2) {
    throw FieldError("pegs: " + std::to_string(pegs_) +
                     " reach into the hexagon and need players = 2 and sets_per_player = 1");
  }
  seat_sets(per_player, rows);
}

void Rules::seat_sets(int per_player, int rows) {
  const std::vector<std::vector<Tip>> homes = seating(seats_, per_player);
  if (homes.empty()) {
    throw FieldError("sets_per_player: " + std::to_string(per_player) + " with players = " +
                     std::to_string(seats_) + "; 2 players take 1, 2 or 3, 3 take 1 or 2, more 1");
  }
  for (int tip = 0; tip < kTips; ++tip) {
    for (Seat seat = 0; seat < seats_; ++seat) {
      const std::vector<Tip>& own = homes[static_cast<std::size_t>(seat)];
      const Tip home = static_cast<Tip>(tip);
      if (std::find(own.begin(), own.end(), home) == own.end()) continue;
      const Tip target = opposite(home);
      sets_of_[static_cast<std::size_t>(seat)].push_back(sets());
      plans_.push_back({home, seat, board_->camp(home, rows), board_->camp(target, rows),
                        board_->point(target)});
    }
  }
  for (Seat seat = 0; seat < seats_; ++seat) {
    Bits foreign;
    for (int tip = 0; tip < kTips; ++tip) foreign = foreign | board_->tip(static_cast<Tip>(tip));
    for (const int set : sets_of(seat)) {
      foreign = foreign & ~board_->tip(plan(set).home_tip);
      foreign = foreign & ~board_->tip(opposite(plan(set).home_tip));
    }
    foreign_[static_cast<std::size_t>(seat)] = foreign;
  }
}

}  // namespace arena::chinese_checkers
