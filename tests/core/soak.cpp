// Random games under many rules, for the sanitizers: every legal move a state lists is
// accepted, junk is refused without a crash, setups read back, a clone goes its own way, a
// resampled world shows its seat the same, and engines play legal moves.
//
//   core_soak RULES.txt GAMES [LOOK]    each line of RULES.txt: family key=value …
//
// One ply in LOOK (3 where it is not given) everything that can be asked of a state is asked.
//
// tests/core/rules.py writes such a file from the rulebooks, so that this program needs no
// copy of any setting.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

#include "base/play.hpp"
#include "registry.hpp"

namespace {

using namespace arena;

constexpr int kMostPlies = 1000;      // of a random game; whole matches of cards are longer
constexpr int kMostEnginePlies = 60;  // of a game between engines
constexpr int kLookOneIn = 3;
constexpr std::uint32_t kResampleOneIn = 12;

/// A quoted text, or a number, true, false, null.
FieldValue field(std::istream& words) {
  std::string text;
  if (words.peek() == '"') {
    words >> std::quoted(text);
    return text;
  }
  words >> text;
  if (text == "null") return std::monostate{};
  if (text == "true" || text == "false") return text == "true";
  return static_cast<std::int64_t>(std::stoll(text));
}

[[noreturn]] void fail(const std::string& line, const std::string& what) {
  std::cerr << "core_soak: " << line << ": " << what << '\n';
  std::exit(1);
}

/// A number from 0 on, below a limit of any type.
template <typename Limit>
Limit below(Rng& rng, Limit limit) {
  return static_cast<Limit>(rng.below(static_cast<std::uint32_t>(limit)));
}

std::string junk(Rng& rng) {
  std::string text;
  const std::uint32_t size = rng.below(24);
  for (std::uint32_t i = 0; i < size; ++i) text += static_cast<char>(rng.below(256));
  return text;
}

/// A move's or setup's text with a character changed, gone or doubled: nearly right.
std::string damaged(std::string text, Rng& rng) {
  if (text.empty()) return text;
  const std::size_t at = rng.below(static_cast<std::uint32_t>(text.size()));
  switch (rng.below(3)) {
    case 0:
      text[at] = text[rng.below(static_cast<std::uint32_t>(text.size()))];
      break;
    case 1:
      text.erase(at, 1);
      break;
    default:
      text.insert(at, 1, text[at]);
  }
  return text;
}

void try_nonsense(const Game& game, const State& state, Seat seat, Rng& rng) {
  const std::string near = damaged(game.text(state.sample_move(seat, rng)), rng);
  for (const std::string& text : {junk(rng), near}) {
    const auto parsed = state.parse(seat, text);
    if (const Move* move = std::get_if<Move>(&parsed)) (void)state.check(seat, *move);
  }
  Move bits;
  for (std::uint64_t& word : bits.words) word = rng.next() >> rng.below(64);
  (void)state.check(seat, bits);
  (void)game.from_setup(junk(rng));
  auto read = game.from_setup(damaged(state.setup(), rng));
  if (const auto* other = std::get_if<std::unique_ptr<State>>(&read)) {
    const SeatSet acting = (*other)->seats_to_act();
    for (Seat viewer = kSpectator; viewer < game.seats(); ++viewer) (void)(*other)->observe(viewer);
    if (acting.empty()) return;
    const Seat who = acting.lowest();
    (*other)->apply_unchecked(who, (*other)->sample_move(who, rng));
  }
}

/// Whatever can be asked of a state, and whether a setup, a clone and a resampled world are it.
void look(const Game& game, const State& state, Seat seat, const Move& move, Rng& rng,
          const std::string& line) {
  const std::string before = state.setup();
  auto read = game.from_setup(before);
  if (const SetupError* error = std::get_if<SetupError>(&read)) {
    fail(line, "own setup '" + before + "' is refused: " + error->message);
  }
  if (std::get<0>(read)->setup() != before) fail(line, "setup changes when read: " + before);
  const std::unique_ptr<State> copy = state.clone();
  Events events;
  copy->apply_unchecked(seat, move, &events);
  if (state.setup() != before) fail(line, "a clone changed its original: " + before);
  std::get<0>(read)->apply_unchecked(seat, move);
  if (std::get<0>(read)->setup() != copy->setup()) {
    fail(line, "a state that was read plays on differently: " + before);
  }
  (void)state.requirements(seat);
  (void)state.roles();
  (void)state.outcome();
  (void)state.observe(kSpectator);
  for (Seat viewer = 0; viewer < game.seats(); ++viewer) {
    const std::string seen = state.observe(viewer);
    if (rng.below(kResampleOneIn) == 0 && state.resample(viewer, rng)->observe(viewer) != seen) {
      fail(line, "a resampled world shows seat " + std::to_string(viewer) + " more: " + before);
    }
  }
}

void soak(const Game& game, const std::string& line, std::uint64_t seed, int look_one_in) {
  Rng rng(seed);
  const std::unique_ptr<State> state = game.new_state(seed);
  for (int ply = 0; ply < kMostPlies && !state->seats_to_act().empty(); ++ply) {
    SeatSet acting = state->seats_to_act();
    for (std::uint32_t skip = rng.below(static_cast<std::uint32_t>(acting.size())); skip > 0;
         --skip) {
      acting.remove(acting.lowest());
    }
    const Seat seat = acting.lowest();
    const bool listed = below(rng, 2) == 0 && state->move_count(seat) > 0;
    const Move move = listed ? state->move_at(seat, below(rng, state->move_count(seat)))
                             : state->sample_move(seat, rng);
    if (const auto refused = state->check(seat, move)) {
      fail(line, game.text(move) + " was listed and is refused: " + refused->message + " in " +
                     state->setup());
    }
    if (below(rng, look_one_in) == 0) {
      try_nonsense(game, *state, seat, rng);
      look(game, *state, seat, move, rng, line);
    }
    state->apply_unchecked(seat, move);
  }
  (void)state->outcome();
}

struct Rules {
  std::string family;
  std::vector<std::string> engines;
  Fields fields;
};

Rules read(const std::string& line) {
  std::istringstream words(line);
  Rules rules;
  words >> rules.family >> std::ws;
  for (std::string key; std::getline(words, key, '='); words >> std::ws) {
    FieldValue value = field(words);
    if (key == "engines") {
      std::istringstream specs(std::get<std::string>(value));
      for (std::string spec; std::getline(specs, spec, '|');) rules.engines.push_back(spec);
    } else {
      rules.fields[key] = std::move(value);
    }
  }
  return rules;
}

struct Count {
  long games = 0;
  std::chrono::duration<double> seconds{0};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: core_soak RULES.txt GAMES [LOOK]\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  const int games = std::atoi(argv[2]);
  const int look_one_in = argc == 4 ? std::max(std::atoi(argv[3]), 1) : kLookOneIn;
  std::string line;
  std::uint64_t seed = 0;
  std::map<std::string, Count> counts;
  while (std::getline(file, line)) {
    try {
      const Rules rules = read(line);
      const auto began = std::chrono::steady_clock::now();
      const auto game = make_game(rules.family, rules.fields);
      Count& count = counts[rules.family];
      for (int i = 0; i < games; ++i, ++count.games) soak(*game, line, seed++, look_one_in);
      Player player(game);
      for (const std::string& engine : rules.engines) {
        PlayTask task;
        task.engines.assign(static_cast<std::size_t>(game->seats()), engine);
        task.deal_seed = task.engine_seed = seed++;
        task.max_plies = kMostEnginePlies;
        task.keep_moves = true;
        (void)player.play(task);
        ++count.games;
      }
      count.seconds += std::chrono::steady_clock::now() - began;
    } catch (const std::exception& error) {
      fail(line, error.what());
    }
  }
  if (counts.empty()) fail(argv[1], "no rules to play");
  for (const auto& [family, count] : counts) {
    std::cout << "core_soak: " << family << ": " << count.games << " games, " << std::fixed
              << std::setprecision(1) << count.seconds.count() << " s, clean\n";
  }
  return 0;
}
