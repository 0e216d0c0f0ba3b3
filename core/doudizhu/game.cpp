#include "doudizhu/game.hpp"

#include "doudizhu/engines.hpp"
#include "doudizhu/state.hpp"

namespace arena::doudizhu {
namespace {

class DoudizhuGame final : public Game {
 public:
  explicit DoudizhuGame(const Fields& fields) : rules_(std::make_shared<const Rules>(fields)) {}

  int seats() const override { return kSeats; }
  std::string text(const Move& move) const override { return move_text(*rules_, move); }
  std::unique_ptr<State> new_state(std::uint64_t seed) const override {
    return std::make_unique<DoudizhuState>(rules_, Table::start(*rules_, seed));
  }
  std::variant<std::unique_ptr<State>, SetupError> from_setup(
      std::string_view text) const override {
    return read_setup(rules_, text);
  }
  std::unique_ptr<Engine> make_engine(const EngineSpec& spec) const override {
    return doudizhu::make_engine(rules_, spec);
  }

 private:
  std::shared_ptr<const Rules> rules_;
};

}  // namespace

std::shared_ptr<const Game> make_game(const Fields& fields) {
  return std::make_shared<const DoudizhuGame>(fields);
}

}  // namespace arena::doudizhu
