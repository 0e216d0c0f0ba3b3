// Random games under random rules, for the sanitizers: every legal move a state lists is
// accepted, junk is refused without a crash, setups read back, and a clone goes its own way.
//
//   core_soak RULES.txt GAMES     each line of RULES.txt: family engines=a|b key=value …
//
// tests/core/rules.py writes such a file from the rulebooks, so that this program needs no
// copy of any setting.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/play.hpp"
#include "registry.hpp"

namespace {

using namespace arena;

FieldValue field(const std::string& text) {
  if (text == "null") return std::monostate{};
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  if (end != text.c_str() && *end == '\0') return static_cast<std::int64_t>(number);
  return text;
}

[[noreturn]] void fail(const std::string& line, const std::string& what) {
  std::cerr << "core_soak: " << line << ": " << what << '\n';
  std::exit(1);
}

std::string junk(Rng& rng) {
  std::string text;
  const std::uint32_t size = rng.below(24);
  for (std::uint32_t i = 0; i < size; ++i) text += static_cast<char>(rng.below(256));
  return text;
}

void soak(const Game& game, const std::string& line, std::uint64_t seed) {
  Rng rng(seed);
  std::unique_ptr<State> state = game.new_state(seed);
  for (int ply = 0; ply < 400 && !state->seats_to_act().empty(); ++ply) {
    const Seat seat = state->seats_to_act().lowest();
    const std::string noise = junk(rng);
    const auto parsed = state->parse(seat, noise);
    if (const Move* move = std::get_if<Move>(&parsed)) (void)state->check(seat, *move);
    Move bits;
    for (std::uint64_t& word : bits.words) word = rng.next() >> rng.below(64);
    (void)state->check(seat, bits);
    (void)game.from_setup(noise);

    const std::size_t count = state->move_count(seat);
    const Move move = count > 0 && rng.below(2) == 0
                          ? state->move_at(seat, rng.below(static_cast<std::uint32_t>(count)))
                          : state->sample_move(seat, rng);
    if (const auto refused = state->check(seat, move)) {
      fail(line, game.text(move) + " was listed and is refused: " + refused->message + " in " +
                     state->setup());
    }
    const std::string before = state->setup();
    auto read = game.from_setup(before);
    if (const SetupError* error = std::get_if<SetupError>(&read)) {
      fail(line, "own setup '" + before + "' is refused: " + error->message);
    }
    if (std::get<0>(read)->setup() != before) fail(line, "setup changes when read: " + before);
    std::unique_ptr<State> copy = state->clone();
    Events events;
    copy->apply_unchecked(seat, move, &events);
    if (state->setup() != before) fail(line, "a clone changed its original: " + before);
    state->apply_unchecked(seat, move);
    if (state->setup() != copy->setup()) fail(line, "a clone plays on differently: " + before);
    for (Seat viewer = kSpectator; viewer < game.seats(); ++viewer) (void)state->observe(viewer);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: core_soak RULES.txt GAMES\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  const int games = std::atoi(argv[2]);
  std::string line;
  long played = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string family, word;
    words >> family;
    Fields fields;
    std::vector<std::string> engines;
    while (words >> word) {
      const std::size_t equals = word.find('=');
      if (word.substr(0, equals) == "engines") {
        std::istringstream specs(word.substr(equals + 1));
        for (std::string spec; std::getline(specs, spec, '|');) engines.push_back(spec);
        continue;
      }
      fields[word.substr(0, equals)] = field(word.substr(equals + 1));
    }
    try {
      const auto game = make_game(family, fields);
      for (int i = 0; i < games; ++i, ++played) {
        soak(*game, line, static_cast<std::uint64_t>(played));
      }
      Player player(game);
      for (const std::string& engine : engines) {
        PlayTask task;
        task.engines.assign(static_cast<std::size_t>(game->seats()), engine);
        task.deal_seed = task.engine_seed = static_cast<std::uint64_t>(played);
        task.max_plies = 60;
        task.keep_moves = true;
        (void)player.play(task);
      }
    } catch (const std::exception& error) {
      fail(line, error.what());
    }
  }
  if (played == 0) fail(argv[1], "no rules to play");
  std::cout << "core_soak: " << played << " games, clean\n";
  return 0;
}
