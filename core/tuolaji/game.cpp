#include "tuolaji/game.hpp"

#include "tuolaji/engines.hpp"
#include "tuolaji/state.hpp"

namespace arena::tuolaji {
namespace {

class TuolajiGame final : public Game {
 public:
  explicit TuolajiGame(const Fields& fields) : rules_(std::make_shared<const Rules>(fields)) {}

  int seats() const override { return rules_->seats(); }
  std::string text(const Move& move) const override { return move_text(move); }
  std::unique_ptr<State> new_state(std::uint64_t seed) const override {
    return std::make_unique<TuolajiState>(rules_, Table::start(*rules_, seed));
  }
  std::variant<std::unique_ptr<State>, SetupError> from_setup(
      std::string_view text) const override {
    auto read = read_setup(*rules_, text);
    if (SetupError* error = std::get_if<SetupError>(&read)) return std::move(*error);
    return std::make_unique<TuolajiState>(rules_, std::move(std::get<Table>(read)));
  }
  std::unique_ptr<Engine> make_engine(const EngineSpec& spec) const override {
    return tuolaji::make_engine(rules_, spec);
  }

 private:
  std::shared_ptr<const Rules> rules_;
};

}  // namespace

std::shared_ptr<const Game> make_game(const Fields& fields) {
  return std::make_shared<const TuolajiGame>(fields);
}

}  // namespace arena::tuolaji
