#include "siguo/rules.hpp"

namespace arena::siguo {
namespace {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

constexpr Words<BoardKind, 2> kBoards{
    {{"siguo129", BoardKind::siguo129}, {"luzhanqi60", BoardKind::luzhanqi60}}};
constexpr Words<Teams, 2> kTeams{{{"opposite", Teams::opposite}, {"ffa", Teams::ffa}}};
constexpr Words<Visibility, 4> kVisibilities{{{"dark", Visibility::dark},
                                              {"double_bright", Visibility::double_bright},
                                              {"half_bright", Visibility::half_bright},
                                              {"bright", Visibility::bright}}};
constexpr Words<TurnOrder, 2> kOrders{{{"ccw", TurnOrder::ccw}, {"cw", TurnOrder::cw}}};
constexpr Words<bool, 2> kMines{{{"mine_survives", true}, {"both_die", false}}};
constexpr Words<bool, 2> kBombs{{{"both_and_out", true}, {"bomb_lost", false}}};
constexpr Words<Disclosure, 2> kDisclosures{
    {{"result_only", Disclosure::result_only}, {"ranks", Disclosure::ranks}}};
constexpr Words<Eliminated, 3> kEliminated{{{"remove", Eliminated::remove},
                                            {"stay", Eliminated::stay},
                                            {"to_captor", Eliminated::to_captor}}};
constexpr Words<NoMove, 2> kNoMove{{{"eliminated", NoMove::eliminated}, {"pass", NoMove::pass}}};
constexpr Words<QuietUnit, 2> kUnits{{{"ply", QuietUnit::ply}, {"round", QuietUnit::round}}};
constexpr Words<QuietReset, 2> kResets{
    {{"fight", QuietReset::fight}, {"any_removal", QuietReset::any_removal}}};
constexpr Words<LayoutSource, 3> kSources{{{"player", LayoutSource::player},
                                           {"random", LayoutSource::random},
                                           {"book", LayoutSource::book}}};
constexpr Words<HqLocks, 3> kLocks{
    {{"any", HqLocks::any}, {"own_only", HqLocks::own_only}, {"none", HqLocks::none}}};

SeatSet homes_in_use(int seats) {
  SeatSet homes = SeatSet::first(seats);
  if (seats == 2) {
    homes.remove(1);
    homes.add(2);
  }
  return homes;
}

}  // namespace

Rules::Rules(const Fields& fields)
    : board_kind(FieldReader(fields).choice("board", kBoards)),
      seats(FieldReader(fields).integer("seats", 2, 4)),
      board(board_kind, homes_in_use(seats)) {
  const FieldReader read(fields);
  teams = read.choice("teams", kTeams);
  visibility = read.choice("visibility", kVisibilities);
  turn_order = read.choice("turn_order", kOrders);
  mine_survives = read.choice("mine_vs_piece", kMines);
  bomb_takes_flag = read.choice("bomb_vs_flag", kBombs);
  commander_reveals_flag = read.boolean("commander_reveals_flag");
  disclosure = read.choice("combat_disclosure", kDisclosures);
  eliminated = read.choice("eliminated_pieces", kEliminated);
  no_move = read.choice("no_move", kNoMove);
  quiet_limit = read.integer_or("quiet_limit", 1, 10'000, 0);
  quiet_unit = read.choice("quiet_unit", kUnits);
  quiet_reset = read.choice("quiet_reset", kResets);
  timeout_limit = read.integer_or("timeout_limit", 1, 100, 0);
  turn_cap = read.integer_or("turn_cap", 1, 10'000, 0);
  short_game = read.integer_or("short_game", 1, 10'000, 0);
  layout_source = read.choice("layout_source", kSources);
  hq_locks = read.choice("hq_locks", kLocks);
  if (board_kind == BoardKind::luzhanqi60 && seats != 2) {
    throw FieldError("seats: " + std::to_string(seats) + "; board luzhanqi60 is for 2");
  }
  if (teams == Teams::opposite && seats != 4) {
    throw FieldError("teams: opposite needs seats 4, not " + std::to_string(seats));
  }
  if (visibility == Visibility::double_bright && teams != Teams::opposite) {
    throw FieldError("visibility: double_bright needs teams opposite");
  }
  fill_tables();
}

Result Rules::fought(Rank attacker, Rank defender) const {
  if (attacker == kBomb && defender == kFlag && !bomb_takes_flag) return Result::defender;
  if (attacker == kBomb || defender == kBomb) return Result::both_lost;
  if (defender == kFlag) return Result::attacker;
  if (defender == kMine) {
    if (attacker == kEngineer) return Result::attacker;
    return mine_survives ? Result::defender : Result::both_lost;
  }
  if (attacker == defender) return Result::both_lost;
  return attacker > defender ? Result::attacker : Result::defender;
}

void Rules::fill_tables() {
  for (Rank a = 0; a < kRanks; ++a) {
    for (Rank d = 0; d < kRanks; ++d) {
      combat_[a][d] = fought(a, d);
      if ((bit(a) & kRooted) != 0) continue;  // they never attack
      const Result result = combat_[a][d];
      const bool taken = d == kFlag && result != Result::defender;
      for (const Told told_a : {Told::nothing, Told::commander, Told::other}) {
        if (told_a != Told::nothing && (told_a == Told::commander) != (a == kCommander)) continue;
        for (const Told told_d : {Told::nothing, Told::commander, Told::other}) {
          if (told_d != Told::nothing && (told_d == Told::commander) != (d == kCommander)) continue;
          Explained& by = explained_[key(result, taken, told_a, told_d)];
          by.defenders[a] |= bit(d);
          by.attackers[d] |= bit(a);
        }
      }
    }
  }
}

}  // namespace arena::siguo
