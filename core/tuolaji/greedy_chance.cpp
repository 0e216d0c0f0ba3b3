#include "tuolaji/greedy.hpp"

namespace arena::tuolaji {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Calls `see(shape, above)` with every kind of unit that beats one: its own shape above its
/// strength, and the stronger shapes of as many cards. Stops when `see` says so.
template <typename See>
bool each_above(const Rules& rules, Shape shape, int strength, const See& see) {
  if (see(shape, strength)) return true;
  if (rules.cross.kind == Cross::off) return false;
  for (int w = shape.w + 1; w <= rules.decks; ++w) {
    if (shape.cards() % w != 0) continue;
    const Shape wider{static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(shape.cards() / w)};
    if (rules.cross.above(wider, shape) && see(wider, kNoStrength)) return true;
  }
  return false;
}

/// By how many may hold them, how many cards of a kind are out, and how many are asked for: the
/// chance that one given holder has so many.
class Shares {
 public:
  constexpr Shares() {
    for (int holders = 1; holders < kMostPlayers; ++holders) {
      // ways[n]: ways to hand out the cards looked at so far that give the one holder n of them.
      std::array<int, kMostDecks + 1> ways{1};
      int all = 1;
      for (int out = 0; out <= kMostDecks; ++out) {
        int more = all;
        for (int wanted = 0; wanted <= out; ++wanted) {
          chance_[at(holders)][at(out)][at(wanted)] =
              static_cast<int>(std::int64_t{kCertain} * more / all);
          more -= ways[at(wanted)];
        }
        for (int n = kMostDecks; n > 0; --n) {
          ways[at(n)] = ways[at(n)] * (holders - 1) + ways[at(n - 1)];
        }
        ways[0] *= holders - 1;
        all *= holders;
      }
    }
  }

  int at_least(int wanted, int out, int holders) const {
    return chance_[at(holders)][at(out)][at(wanted)];
  }

 private:
  std::array<std::array<std::array<int, kMostDecks + 1>, kMostDecks + 1>, kMostPlayers> chance_{};
};

constexpr Shares kShares;

}  // namespace

bool beatable(const View& view, const Track& track, const Held& unseen, Shape shape, int strength) {
  return each_above(view.rules(), shape, strength,
                    [&](Shape unit, int above) { return holds(track, unseen, unit, above); });
}

int chance_above(const View& view, const Track& track, const Held& unseen, int holders, Shape shape,
                 int strength) {
  if (holders == 0) return 0;
  int none = kCertain;
  each_above(view.rules(), shape, strength, [&](Shape unit, int above) {
    each_run(track, unit.l, [&](const Run& run, int reaches) {
      if (reaches <= above) return true;  // they come from the strongest down
      int all = kCertain;
      for (int i = 0; i < run.length && all > 0; ++i) {
        all = both(all, kShares.at_least(unit.w, unseen[at(run_node(track, run, i))], holders));
      }
      none = both(none, kCertain - all);
      return false;
    });
    return false;
  });
  return kCertain - none;
}

}  // namespace arena::tuolaji
