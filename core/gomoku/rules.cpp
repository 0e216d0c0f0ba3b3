#include "gomoku/rules.hpp"

#include <utility>

namespace arena::gomoku {
namespace {

using namespace std::string_view_literals;

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

constexpr Words<bool, 2> kFive{{{"exact"sv, false}, {"at_least"sv, true}}};
constexpr Words<Overline, 3> kOverline{{{"forbidden"sv, Overline::forbidden},
                                        {"neutral"sv, Overline::neutral},
                                        {"win"sv, Overline::win}}};
constexpr Words<bool, 2> kFoul{{{"forbidden"sv, true}, {"allowed"sv, false}}};
constexpr Words<ThreeTest, 3> kThreeTest{{{"rif_recursive"sv, ThreeTest::rif_recursive},
                                          {"rif_9_3a"sv, ThreeTest::rif_9_3a},
                                          {"naive"sv, ThreeTest::naive}}};
constexpr Words<Enforcement, 3> kEnforcement{{{"illegal"sv, Enforcement::illegal},
                                              {"auto_loss"sv, Enforcement::auto_loss},
                                              {"claim_or_lapse"sv, Enforcement::claim_or_lapse}}};
constexpr Words<FalseClaim, 4> kFalseClaim{{{"none"sv, FalseClaim::none},
                                            {"lose_move"sv, FalseClaim::lose_move},
                                            {"technical_foul"sv, FalseClaim::technical_foul},
                                            {"loss"sv, FalseClaim::loss}}};
constexpr Words<FirstStone, 2> kFirstStone{
    {{"free"sv, FirstStone::free}, {"centre"sv, FirstStone::centre}}};
constexpr Words<bool, 2> kPasses{{{"no"sv, false}, {"yes_two_passes_draw"sv, true}}};
constexpr Words<Opening, 15> kOpening{{{"free"sv, Opening::free},
                                       {"pro"sv, Opening::pro},
                                       {"long_pro"sv, Opening::long_pro},
                                       {"swap"sv, Opening::swap},
                                       {"swap1"sv, Opening::swap1},
                                       {"swap2"sv, Opening::swap2},
                                       {"renju_swap"sv, Opening::renju_swap},
                                       {"rif"sv, Opening::rif},
                                       {"chinese_national"sv, Opening::chinese_national},
                                       {"yamaguchi"sv, Opening::yamaguchi},
                                       {"soosorv"sv, Opening::soosorv},
                                       {"taraguchi"sv, Opening::taraguchi},
                                       {"super_taraguchi"sv, Opening::super_taraguchi},
                                       {"super_sakata"sv, Opening::super_sakata},
                                       {"book"sv, Opening::book}}};

int standard_number(Opening opening) {
  switch (opening) {
    case Opening::renju_swap:
    case Opening::rif:
    case Opening::chinese_national:
      return 2;
    case Opening::super_sakata:
      return 3;
    case Opening::soosorv:
      return 8;
    case Opening::yamaguchi:
    case Opening::taraguchi:
    case Opening::super_taraguchi:
      return 10;
    default:
      return 0;
  }
}

}  // namespace

Rules read_rules(const Fields& fields) {
  const FieldReader read(fields);
  Rules rules;
  rules.size = read.integer("size", kMinSize, kMaxSize);
  rules.first_stone = read.choice("first_stone", kFirstStone);
  const bool open_end = read.boolean("both_ends_block");
  const auto five = [&](std::string_view name) {
    if (!read.choice(name, kFive)) return open_end ? FiveRule::exact_open_end : FiveRule::exact;
    if (open_end) {
      throw FieldError("both_ends_block: needs " + std::string(name) + " = exact");
    }
    return FiveRule::at_least;
  };
  rules.five = {five("five_black"), five("five_white")};
  const Overline overline = read.choice("overline_black", kOverline);
  if ((overline == Overline::win) != (rules.five[0] == FiveRule::at_least)) {
    throw FieldError("overline_black: 'win' goes with five_black = at_least and only with it");
  }
  rules.fouls[0] = {overline == Overline::forbidden, read.choice("double_four_black", kFoul),
                    read.choice("double_three_black", kFoul)};
  rules.fouls[1] = {false, read.choice("double_four_white", kFoul),
                    read.choice("double_three_white", kFoul)};
  rules.three_test = read.choice("three_test", kThreeTest);
  rules.enforcement = read.choice("forbidden_enforcement", kEnforcement);
  rules.false_claim = read.choice("false_claim", kFalseClaim);
  rules.false_claim_limit = read.integer("false_claim_limit", 1, 9);
  rules.five_beats_forbidden = read.boolean("five_beats_forbidden");
  rules.opening = read.choice("opening", kOpening);
  rules.opening_n = read.integer_or("opening_n", 1, kMaxOffers, standard_number(rules.opening));
  rules.pro_second_adjacent = read.boolean("pro_second_adjacent");
  rules.may_pass = read.choice("passes", kPasses);
  rules.max_moves = read.integer_or("max_moves", 10, 1000, 0);
  return rules;
}

}  // namespace arena::gomoku
