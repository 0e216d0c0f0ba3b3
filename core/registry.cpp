#include "registry.hpp"

#include "chinese_checkers/game.hpp"
#include "doudizhu/game.hpp"
#include "gomoku/game.hpp"
#include "siguo/game.hpp"
#include "tuolaji/game.hpp"
#include "xiangqi/game.hpp"

namespace arena {
namespace {

struct Family {
  const char* name;
  std::shared_ptr<const Game> (*make)(const Fields&);
};

// One line a family; see docs/adding-a-game.md.
constexpr Family kFamilies[] = {
    {"chinese_checkers", chinese_checkers::make_game},
    {"doudizhu", doudizhu::make_game},
    {"gomoku", gomoku::make_game},
    {"siguo", siguo::make_game},
    {"tuolaji", tuolaji::make_game},
    {"xiangqi", xiangqi::make_game},
};

}  // namespace

std::shared_ptr<const Game> make_game(const std::string& family, const Fields& fields) {
  for (const Family& known : kFamilies) {
    if (family == known.name) return known.make(fields);
  }
  throw FieldError("game '" + family + "' is not in the core");
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const Family& known : kFamilies) names.emplace_back(known.name);
  return names;
}

}  // namespace arena
