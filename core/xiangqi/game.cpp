#include "xiangqi/game.hpp"

#include "xiangqi/engines.hpp"
#include "xiangqi/state.hpp"

namespace arena::xiangqi {
namespace {

class XiangqiGame final : public Game {
 public:
  explicit XiangqiGame(const Rules& rules) : rules_(rules), start_(rules.flying) {
    read_board(kStartBoard, start_.base);
    start_.begin();
  }

  int seats() const override { return 2; }
  std::string text(const Move& move) const override { return move_text(move); }
  std::unique_ptr<State> new_state(std::uint64_t) const override {
    return std::make_unique<XiangqiState>(rules_, start_);
  }
  std::variant<std::unique_ptr<State>, SetupError> from_setup(
      std::string_view text) const override {
    auto read = read_setup(rules_, text);
    if (SetupError* error = std::get_if<SetupError>(&read)) return std::move(*error);
    return std::make_unique<XiangqiState>(rules_, std::move(std::get<Course>(read)));
  }
  std::unique_ptr<Engine> make_engine(const EngineSpec& spec) const override {
    return xiangqi::make_engine(rules_, spec);
  }

 private:
  Rules rules_;
  Course start_;
};

}  // namespace

std::shared_ptr<const Game> make_game(const Fields& fields) {
  return std::make_shared<XiangqiGame>(read_rules(fields));
}

}  // namespace arena::xiangqi
