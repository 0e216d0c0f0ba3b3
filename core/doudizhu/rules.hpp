#pragma once
#include <array>
#include <cstdint>

#include "base/fields.hpp"

namespace arena::doudizhu {

inline constexpr int kSeats = 3;

enum class Calling : std::uint8_t { bid123_once, bid123_rounds, call_grab, fixed };
enum class FirstCaller : std::uint8_t { rotate, lot, face_up_card, last_winner };
enum class AllPass : std::uint8_t { redeal, first_caller, draw };
/// Kickers of a four: none, two of different ranks, two of one rank, or any two.
enum class QuadKickers : std::uint8_t { none, different, pair, any };

/// The settings of arena/games/doudizhu/rules.py.
struct Rules {
  explicit Rules(const Fields& fields) {
    const FieldReader read(fields);
    calling = read.choice("call", std::to_array<std::pair<std::string_view, Calling>>(
                                      {{"bid123_once", Calling::bid123_once},
                                       {"bid123_rounds", Calling::bid123_rounds},
                                       {"call_grab", Calling::call_grab},
                                       {"fixed", Calling::fixed}}));
    first_caller =
        read.choice("first_caller", std::to_array<std::pair<std::string_view, FirstCaller>>(
                                        {{"rotate", FirstCaller::rotate},
                                         {"lot", FirstCaller::lot},
                                         {"face_up_card", FirstCaller::face_up_card},
                                         {"last_winner", FirstCaller::last_winner}}));
    all_pass = read.choice("all_pass", std::to_array<std::pair<std::string_view, AllPass>>(
                                           {{"redeal", AllPass::redeal},
                                            {"first_caller", AllPass::first_caller},
                                            {"draw", AllPass::draw}}));
    max_redeals = read.integer("max_redeals", 0, 20);
    trio_single = read.boolean("trio_single");
    trio_pair = read.boolean("trio_pair");
    plane_singles = read.boolean("plane_singles");
    plane_pairs = read.boolean("plane_pairs");
    quad_singles =
        read.choice("quad_singles", std::to_array<std::pair<std::string_view, QuadKickers>>(
                                        {{"none", QuadKickers::none},
                                         {"different", QuadKickers::different},
                                         {"pair", QuadKickers::pair},
                                         {"any", QuadKickers::any}}));
    quad_pairs = read.choice("quad_pairs", std::to_array<std::pair<std::string_view, QuadKickers>>(
                                               {{"none", QuadKickers::none},
                                                {"different", QuadKickers::different},
                                                {"any", QuadKickers::any}}));
    kicker_repeat = read.integer("kicker_repeat", 1, 4);
    kicker_adjacent_triple = read.boolean("kicker_adjacent_triple");
    kicker_both_jokers = read.boolean("kicker_both_jokers");
    bomb_doubles = read.integer("bomb_doubles", 1, 4);
    rocket_doubles = read.integer("rocket_doubles", 1, 4);
    grab_doubles = read.integer("grab_doubles", 1, 4);
    spring = read.integer("spring", 1, 4);
    cap = read.integer_or("cap", 1, 1'000'000, 0);
    unplayed_bombs_count = read.boolean("unplayed_bombs_count");
  }

  Calling calling{};
  FirstCaller first_caller{};
  AllPass all_pass{};
  int max_redeals = 0;
  bool trio_single = false;
  bool trio_pair = false;
  bool plane_singles = false;
  bool plane_pairs = false;
  QuadKickers quad_singles{};
  QuadKickers quad_pairs{};
  int kicker_repeat = 0;  ///< most kickers of one rank in a plane with singles
  bool kicker_adjacent_triple = false;
  bool kicker_both_jokers = false;
  int bomb_doubles = 0;
  int rocket_doubles = 0;
  int grab_doubles = 0;
  int spring = 0;
  int cap = 0;  ///< of base times multiplier; 0: none
  bool unplayed_bombs_count = false;
};

}  // namespace arena::doudizhu
