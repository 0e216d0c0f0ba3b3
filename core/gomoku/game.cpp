#include "gomoku/game.hpp"

#include "gomoku/engines.hpp"
#include "gomoku/state.hpp"

namespace arena::gomoku {
namespace {

class GomokuGame final : public Game {
 public:
  explicit GomokuGame(const Rules& rules) : context_(rules) {}

  int seats() const override { return 2; }
  std::string text(const Move& move) const override { return move_text(move, context_.rules.size); }

  std::unique_ptr<State> new_state(std::uint64_t seed) const override {
    const Rules& rules = context_.rules;
    Position position(rules.size);
    if (rules.opening == Opening::book) {
      Rng rng(derive_seed(seed, 0));
      const auto& openings = book();
      const auto& stones = openings[rng.below(static_cast<std::uint32_t>(openings.size()))];
      const int symmetry = static_cast<int>(rng.below(8));
      Colour colour = Colour::black;
      for (const BookStone stone : stones) {
        const Point p = (rules.size / 2 + stone.row) * rules.size + rules.size / 2 + stone.column;
        // Mirrored on the odd square round the centre, so that the centre stays.
        const int odd = rules.size - 1 + rules.size % 2;
        const int shift = rules.size - odd;
        const Point inner = (p / rules.size - shift) * odd + p % rules.size - shift;
        const Point image = mirrored(symmetry, inner, odd);
        position.board.put(colour, (image / odd + shift) * rules.size + image % odd + shift);
        position.last = (image / odd + shift) * rules.size + image % odd + shift;
        colour = other(colour);
      }
      position.to_move = colour;
    }
    return std::make_unique<GomokuState>(context_, std::move(position));
  }

  std::variant<std::unique_ptr<State>, SetupError> from_setup(
      std::string_view text) const override {
    auto read = read_setup(context_, text);
    if (SetupError* error = std::get_if<SetupError>(&read)) return std::move(*error);
    return std::make_unique<GomokuState>(context_, std::move(std::get<Position>(read)));
  }

  std::unique_ptr<Engine> make_engine(const EngineSpec& spec) const override {
    return gomoku::make_engine(context_, spec);
  }

 private:
  Context context_;
};

}  // namespace

std::shared_ptr<const Game> make_game(const Fields& fields) {
  return std::make_shared<GomokuGame>(read_rules(fields));
}

}  // namespace arena::gomoku
