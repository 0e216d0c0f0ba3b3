#include "siguo/game.hpp"

#include "siguo/engines.hpp"
#include "siguo/state.hpp"

namespace arena::siguo {
namespace {

class SiguoGame final : public Game {
 public:
  explicit SiguoGame(const Fields& fields) : rules_(std::make_shared<const Rules>(fields)) {}

  int seats() const override { return rules_->seats; }
  std::string text(const Move& move) const override { return move_text(move); }
  std::unique_ptr<State> new_state(std::uint64_t seed) const override {
    return std::make_unique<SiguoState>(rules_, new_position(*rules_, seed));
  }
  std::variant<std::unique_ptr<State>, SetupError> from_setup(
      std::string_view text) const override {
    return read_setup(rules_, text);
  }
  std::unique_ptr<Engine> make_engine(const EngineSpec& spec) const override {
    return siguo::make_engine(rules_, spec);
  }

 private:
  std::shared_ptr<const Rules> rules_;
};

}  // namespace

std::shared_ptr<const Game> make_game(const Fields& fields) {
  return std::make_shared<const SiguoGame>(fields);
}

}  // namespace arena::siguo
