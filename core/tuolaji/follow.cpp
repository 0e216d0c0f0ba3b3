#include "tuolaji/follow.hpp"

namespace arena::tuolaji {
namespace {

/// Builds what is owed, unit by unit. Alternatives are kept side by side.
class Debt {
 public:
  Debt(const Rules& rules, const Track& track, const Held& held)
      : rules_(rules), held_(held), fitter_(track, held, rules.follow.split ? nullptr : &held_) {}

  void add(Shape led) {
    if (led.w == 1) return;
    if (const FollowTable* table = rules_.follow.table(led)) {
      for (const Entry& entry : table->entries) {
        if (add_entry(entry)) return;
      }
      if (table->closed) return;
    }
    Owed extended;
    for (const Shapes& base : owed_) {
      Shapes best = base;
      add_default(best, led);
      extended.push_back(best);
    }
    owed_ = std::move(extended);
  }
  Owed take() { return std::move(owed_); }

 private:
  bool add_entry(const Entry& entry) {
    Owed extended;
    for (const Shapes& base : owed_) {
      for (const Shapes& either : entry) {
        Shapes both = base;
        for (const Shape shape : either) {
          if (shape.w > 1) both.add(shape);
        }
        if (extended.size() < 8 && fitter_.fits(both)) extended.push_back(both);
      }
    }
    if (extended.empty()) return false;
    owed_ = std::move(extended);
    return true;
  }

  bool try_add(Shapes& base, Shape shape) {
    Shapes more = base;
    more.add(shape);
    if (!fitter_.fits(more)) return false;
    base = more;
    return true;
  }

  /// The default list, walked from its best entry: see docs/games/tuolaji.md.
  void add_default(Shapes& base, Shape led) {
    int left = led.cards();
    if (rules_.follow.tractor_first) {
      if (led == Shape{3, 2}) {
        add_three_two(base);
        return;
      }
      for (int w = led.w; w >= 2; --w) fill(base, w, left, 2);
    }
    for (int w = led.w; w >= 2; --w) fill(base, w, left, 1);
  }

  void fill(Shapes& base, int w, int& left, int shortest) {
    int length = left / w;
    while (length >= shortest && left / w >= shortest) {
      length = std::min(length, left / w);
      const Shape shape{static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(length)};
      if (try_add(base, shape)) {
        left -= shape.cards();
      } else {
        --length;
      }
    }
  }

  void add_three_two(Shapes& base) {
    static constexpr std::array<std::array<Shape, 3>, 9> kList{{
        {{{3, 2}, {1, 1}, {1, 1}}},
        {{{2, 3}, {1, 1}, {1, 1}}},
        {{{2, 2}, {2, 1}, {1, 1}}},
        {{{3, 1}, {2, 1}, {1, 1}}},
        {{{2, 1}, {2, 1}, {2, 1}}},
        {{{3, 1}, {1, 1}, {1, 1}}},
        {{{2, 1}, {2, 1}, {1, 1}}},
        {{{2, 1}, {1, 1}, {1, 1}}},
        {{{1, 1}, {1, 1}, {1, 1}}},
    }};
    for (const auto& entry : kList) {
      Shapes more = base;
      for (const Shape shape : entry) {
        if (shape.w > 1) more.add(shape);
      }
      if (!fitter_.fits(more)) continue;
      base = more;
      return;
    }
  }

  const Rules& rules_;
  Held held_;
  Fitter fitter_;
  Owed owed_{Shapes{}};
};

}  // namespace

Owed owed(const Rules& rules, const Track& track, const Shapes& led, const Held& held) {
  Debt debt(rules, track, held);
  for (const Shape shape : led) debt.add(shape);
  return debt.take();
}

bool pays(const Rules& rules, const Track& track, const Owed& owed, const Held& played,
          const Held& hand) {
  if (!rules.follow.split) {
    // Only whole groups of the hand count.
    Held whole = played;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (played[i] != hand[i]) whole[i] = 0;
    }
    Fitter fitter(track, whole, &hand);
    for (const Shapes& either : owed) {
      if (fitter.fits(either)) return true;
    }
    return false;
  }
  Fitter fitter(track, played);
  for (const Shapes& either : owed) {
    if (fitter.fits(either)) return true;
  }
  return false;
}

bool stronger(const Rules& rules, const Track& track, const Shapes& led, const Held& played) {
  if (rules.cross.kind == Cross::off || led.size() != 1) return false;
  const auto unit = as_unit(track, played);
  return unit && rules.cross.above(unit->shape, led[0]);
}

std::vector<Held> stronger_units(const Rules& rules, const Track& track, const Shapes& led,
                                 const Held& hand) {
  std::vector<Held> found;
  if (rules.cross.kind == Cross::off || led.size() != 1) return found;
  const int cards = led[0].cards();
  for (int w = 2; w <= rules.decks; ++w) {
    if (cards % w != 0) continue;
    const Shape shape{static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(cards / w)};
    if (!rules.cross.above(shape, led[0])) continue;
    each_run(track, shape.l, [&](const Run& run, int) {
      Held nodes{};
      for (int i = 0; i < run.length; ++i) {
        const auto node = static_cast<std::size_t>(run_node(track, run, i));
        if (hand[node] < w) return false;
        nodes[node] = static_cast<std::int8_t>(w);
      }
      found.push_back(nodes);
      return false;
    });
  }
  return found;
}

}  // namespace arena::tuolaji
