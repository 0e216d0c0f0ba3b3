#include "xiangqi/rules.hpp"

#include <optional>

namespace arena::xiangqi {
namespace {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

constexpr Words<bool, 2> kStalemates{{{"loss", true}, {"draw", false}}};
constexpr Words<std::optional<Code>, 6> kCodes{
    {{"draw", Code::draw},
     {"ban_third_move", std::nullopt},
     {"perpetual_check_only", Code::perpetual_check_only},
     {"ucci_league", Code::ucci_league},
     {"axf", Code::axf},
     {"cxa", Code::cxa}}};
constexpr Words<bool, 2> kSameMoves{{{"position", true}, {"literal", false}}};
constexpr Words<bool, 2> kLimitModes{{{"auto", false}, {"claim", true}}};
constexpr Words<Material, 3> kMaterials{{{"off", Material::off},
                                         {"no_attackers", Material::no_attackers},
                                         {"engine_table", Material::engine_table}}};

}  // namespace

Rules read_rules(const Fields& fields) {
  const FieldReader read(fields);
  Rules rules;
  rules.flying = read.boolean("flying_general");
  rules.stalemate_loses = read.choice("stalemate", kStalemates);
  const std::optional<Code> code = read.choice("repetition_code", kCodes);
  rules.code = code.value_or(Code::draw);
  rules.repetitions = read.integer_or("repetition_count", 2, 10, 0);
  rules.same_move_limit = read.integer_or("same_move_limit", 2, 10, 0);
  if (!code && rules.same_move_limit > 0) {
    throw FieldError("same_move_limit: ban_third_move sets it to repetition_count already");
  }
  if (!read.choice("same_move_mode", kSameMoves)) {
    // By the letter a man would have to leave a point twice without coming back to it.
    rules.same_move_limit = 0;
  } else if (!code) {
    rules.same_move_limit = std::exchange(rules.repetitions, 0);
  }
  rules.natural_plies = 2 * read.integer_or("natural_limit_rounds", 1, 500, 0);
  rules.check_cap = read.integer_or("check_cap", 0, 100, -1);
  rules.claims = read.choice("natural_limit_mode", kLimitModes);
  rules.foul_limit = read.integer_or("technical_foul_limit", 1, 9, 0);
  rules.material = read.choice("insufficient_material", kMaterials);
  rules.max_plies = read.integer_or("max_plies", 2, 2000, 0);
  if (rules.claims && rules.natural_plies == 0) {
    throw FieldError("natural_limit_mode: 'claim' needs natural_limit_rounds");
  }
  return rules;
}

}  // namespace arena::xiangqi
