#include "chinese_checkers/game.hpp"

#include "chinese_checkers/engines.hpp"
#include "chinese_checkers/state.hpp"

namespace arena::chinese_checkers {
namespace {

class CheckersGame final : public Game {
 public:
  explicit CheckersGame(const Fields& fields) : rules_(std::make_shared<const Rules>(fields)) {}

  int seats() const override { return rules_->seats(); }
  std::string text(const Move& move) const override { return move_text(rules_->board(), move); }
  std::unique_ptr<State> new_state(std::uint64_t) const override {
    return std::make_unique<CheckersState>(
        rules_, Snapshot{Position::start(*rules_), Progress(*rules_, 0, 1, {}, SeatSet())});
  }
  std::variant<std::unique_ptr<State>, SetupError> from_setup(
      std::string_view text) const override {
    auto read = read_setup(*rules_, text);
    if (SetupError* error = std::get_if<SetupError>(&read)) return std::move(*error);
    return std::make_unique<CheckersState>(rules_, std::get<Snapshot>(read));
  }
  std::unique_ptr<Engine> make_engine(const EngineSpec& spec) const override {
    return chinese_checkers::make_engine(rules_, spec);
  }

 private:
  std::shared_ptr<const Rules> rules_;
};

}  // namespace

std::shared_ptr<const Game> make_game(const Fields& fields) {
  return std::make_shared<const CheckersGame>(fields);
}

}  // namespace arena::chinese_checkers
