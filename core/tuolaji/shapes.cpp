#include "tuolaji/shapes.hpp"

#include <charconv>

namespace arena::tuolaji {
namespace {

// Enough for every lead met in play; see docs/games/tuolaji.md.
constexpr int kMostSteps = 50000;
constexpr int kMostReadings = 64;
constexpr int kMostSplits = 4000;
constexpr int kMostNamed = 8;

constexpr std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

bool take_number(std::string_view& text, int low, int high, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || out < low || out > high) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string shapes_text(const Shapes& shapes) {
  std::string text;
  for (int i = 0; i < shapes.size();) {
    int same = 1;
    while (i + same < shapes.size() && shapes[i + same] == shapes[i]) ++same;
    if (!text.empty()) text += '+';
    if (same > 1) text += std::to_string(same) + '*';
    text += std::to_string(shapes[i].w) + 'x' + std::to_string(shapes[i].l);
    i += same;
  }
  return text.empty() ? "any" : text;
}

std::optional<Shapes> read_shapes(std::string_view text) {
  Shapes shapes;
  if (text == "any") return shapes;
  while (true) {
    int first = 0, times = 1, length = 0;
    if (!take_number(text, 1, Shapes::kMost, first)) return std::nullopt;
    if (!text.empty() && text.front() == '*') {
      times = first;
      text.remove_prefix(1);
      if (!take_number(text, 1, kMostDecks, first)) return std::nullopt;
    }
    if (first > kMostDecks || text.empty() || text.front() != 'x') return std::nullopt;
    text.remove_prefix(1);
    if (!take_number(text, 1, 26, length)) return std::nullopt;
    if (length > 1 && first < 2) return std::nullopt;
    if (shapes.size() + times > Shapes::kMost) return std::nullopt;
    const Shape shape{static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(length)};
    for (int i = 0; i < times; ++i) shapes.add(shape);
    if (text.empty()) return shapes;
    if (text.front() != '+') return std::nullopt;
    text.remove_prefix(1);
  }
}

bool Fitter::usable(const Run& run, int w) const {
  for (int i = 0; i < run.length; ++i) {
    if (!usable(run_node(track_, run, i), w)) return false;
  }
  return true;
}

void Fitter::take(const Run& run, int w, int sign) {
  for (int i = 0; i < run.length; ++i) {
    auto& cell = left_[at_index(run_node(track_, run, i))];
    cell = static_cast<std::int8_t>(cell - sign * w);
  }
}

bool Fitter::place(const Shapes& units, int index, int limit) {
  if (index == units.size()) return true;
  if (++steps_ > kMostSteps) return false;
  const Shape shape = units[index];
  const int w = shape.w;
  // Only equal groups are left: counting decides.
  if (shape.l == 1 && units[units.size() - 1] == shape) {
    int groups = 0;
    for (int node = 0; node < track_.nodes; ++node) {
      if (usable(node, w)) groups += whole_ == nullptr ? left_[at_index(node)] / w : 1;
    }
    return groups >= units.size() - index;
  }
  const bool next_same = index + 1 < units.size() && units[index + 1] == shape;
  int number = 0;
  return each_run(track_, shape.l, [&](const Run& run, int) {
    // Equal units go in one order only.
    const int mine = number++;
    if (mine < limit || !usable(run, w)) return false;
    take(run, w, 1);
    const bool done = place(units, index + 1, next_same ? mine : 0);
    take(run, w, -1);
    return done;
  });
}

bool Fitter::fits(const Shapes& units) {
  steps_ = 0;
  return place(units, 0, 0);
}

std::optional<int> Fitter::best_first(const Shapes& units) {
  if (units.size() == 0) return std::nullopt;
  steps_ = 0;
  const Shape shape = units[0];
  Shapes rest;
  for (int i = 1; i < units.size(); ++i) rest.add(units[i]);
  std::optional<int> best;
  // Runs come strongest first except that equal strengths and AA22 follow: the first that fits
  // is the best, because the low tractor comes last.
  int top = 0;
  each_run(track_, shape.l, [&](const Run& run, int strength) {
    if (best && strength <= top) return false;
    if (!usable(run, shape.w)) return false;
    take(run, shape.w, 1);
    if (place(rest, 0, 0)) {
      best = strength;
      top = strength;
    }
    take(run, shape.w, -1);
    return false;
  });
  return best;
}

bool Fitter::place_any(const Shapes& units, int index, Rng& rng) {
  if (index == units.size()) return true;
  if (++steps_ > kMostSteps) return false;
  const Shape shape = units[index];
  std::array<Run, 2 * kMostNodes> runs;
  std::uint32_t count = 0;
  each_run(track_, shape.l, [&](const Run& run, int) {
    if (usable(run, shape.w) && count < runs.size()) runs[count++] = run;
    return false;
  });
  while (count > 0) {
    const std::uint32_t pick = rng.below(count);
    const Run run = runs[pick];
    runs[pick] = runs[--count];
    take(run, shape.w, 1);
    if (place_any(units, index + 1, rng)) return true;
    take(run, shape.w, -1);
  }
  return false;
}

std::optional<Held> Fitter::any(const Shapes& units, Rng& rng) {
  steps_ = 0;
  const Held before = left_;
  if (!place_any(units, 0, rng)) return std::nullopt;
  Held taken{};
  for (std::size_t i = 0; i < taken.size(); ++i) {
    taken[i] = static_cast<std::int8_t>(before[i] - left_[i]);
  }
  left_ = before;
  return taken;
}

std::optional<Unit> as_unit(const Track& track, const Held& held) {
  std::array<int, kMostNodes> used{};
  int count = 0;
  for (int node = 0; node < track.nodes; ++node) {
    if (held[at_index(node)] > 0) used[at_index(count++)] = node;
  }
  if (count == 0) return std::nullopt;
  const int w = held[at_index(used[0])];
  for (int i = 1; i < count; ++i) {
    if (held[at_index(used[at_index(i)])] != w) return std::nullopt;
  }
  const Shape shape{static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(count)};
  if (count == 1) return Unit{shape, track.strength_of(used[0])};
  if (w < 2) return std::nullopt;
  if (count == 2 && track.low_ace >= 0 && used[0] == track.low_ace && used[1] == track.low_two) {
    return Unit{shape, -1};
  }
  for (int i = 0; i + 1 < count; ++i) {
    const int at = track.position_of(used[at_index(i)]);
    if (track.position_of(used[at_index(i + 1)]) != at + 1 || !track.linked(at)) {
      return std::nullopt;
    }
  }
  return Unit{shape, track.strength_of(used[at_index(count - 1)])};
}

bool holds(const Track& track, const Held& held, Shape shape, int above) {
  return each_run(track, shape.l, [&](const Run& run, int strength) {
    if (strength <= above) return false;
    for (int i = 0; i < run.length; ++i) {
      if (held[at_index(run_node(track, run, i))] < shape.w) return false;
    }
    return true;
  });
}

namespace {

/// Lists readings by choosing tractors in one order, then checking that nothing joins.
class Reader {
 public:
  Reader(const Track& track, const Held& held) : track_(track), left_(held) {
    int longest = 0;
    for (int node = 0; node < track.nodes; ++node) longest += held[at_index(node)] >= 2 ? 1 : 0;
    for (int w = kMostDecks; w >= 2; --w) {
      for (int l = longest; l >= 2; --l) {
        each_run(track, l, [&](const Run& run, int) {
          for (int i = 0; i < l; ++i) {
            if (held[at_index(run_node(track, run, i))] < w) return false;
          }
          options_.push_back({run, w});
          return false;
        });
      }
    }
  }

  std::vector<Reading> all() {
    search(0);
    std::stable_sort(found_.begin(), found_.end(), [](const Reading& a, const Reading& b) {
      return std::lexicographical_compare(a.units.begin(), a.units.end(), b.units.begin(),
                                          b.units.end(), before);
    });
    std::vector<Reading> kept;
    for (Reading& reading : found_) {
      const bool known = std::any_of(kept.begin(), kept.end(), [&](const Reading& other) {
        return other.tractors == reading.tractors;
      });
      const bool nameable = kept.empty() || reading.tractors.size() <= kMostNamed;
      if (!known && nameable) kept.push_back(std::move(reading));
    }
    return kept;
  }

 private:
  struct Option {
    Run run;
    int w;
  };

  bool fits(const Option& option) const {
    for (int i = 0; i < option.run.length; ++i) {
      if (left_[at_index(run_node(track_, option.run, i))] < option.w) return false;
    }
    return true;
  }
  void take(const Option& option, int sign) {
    for (int i = 0; i < option.run.length; ++i) {
      auto& cell = left_[at_index(run_node(track_, option.run, i))];
      cell = static_cast<std::int8_t>(cell - sign * option.w);
    }
  }

  void search(std::size_t from) {
    if (++steps_ > kMostSplits || found_.size() >= kMostReadings) return;
    for (std::size_t i = from; i < options_.size(); ++i) {
      if (!fits(options_[i])) continue;
      take(options_[i], 1);
      chosen_.push_back(i);
      search(i);
      chosen_.pop_back();
      take(options_[i], -1);
    }
    record();
  }

  Held nodes_of(const Option& option) const {
    Held nodes{};
    for (int i = 0; i < option.run.length; ++i) {
      nodes[at_index(run_node(track_, option.run, i))] = static_cast<std::int8_t>(option.w);
    }
    return nodes;
  }

  void record() {
    Reading reading;
    for (const std::size_t i : chosen_) {
      const Option& option = options_[i];
      const Shape shape{static_cast<std::uint8_t>(option.w),
                        static_cast<std::uint8_t>(option.run.length)};
      reading.units.add(shape);
      reading.tractors.add(shape);
      reading.placed.push_back({shape, run_strength(track_, option.run), nodes_of(option)});
    }
    for (int node = 0; node < track_.nodes; ++node) {
      const int count = left_[at_index(node)];
      if (count == 0) continue;
      const Shape shape{static_cast<std::uint8_t>(count), 1};
      reading.units.add(shape);
      Placed placed{shape, track_.strength_of(node), {}};
      placed.nodes[at_index(node)] = static_cast<std::int8_t>(count);
      reading.placed.push_back(placed);
    }
    for (std::size_t a = 0; a < reading.placed.size(); ++a) {
      for (std::size_t b = a + 1; b < reading.placed.size(); ++b) {
        if (join(reading.placed[a], reading.placed[b])) return;
      }
    }
    found_.push_back(std::move(reading));
  }

  bool join(const Placed& a, const Placed& b) const {
    if (a.shape.l == 1 && b.shape.l == 1 && (a.shape.w != b.shape.w || a.shape.w < 2)) return false;
    Held both = a.nodes;
    for (std::size_t i = 0; i < both.size(); ++i) {
      both[i] = static_cast<std::int8_t>(both[i] + b.nodes[i]);
    }
    return as_unit(track_, both).has_value();
  }

  const Track& track_;
  Held left_;
  std::vector<Option> options_;
  std::vector<std::size_t> chosen_;
  std::vector<Reading> found_;
  int steps_ = 0;
};

}  // namespace

std::vector<Reading> readings(const Track& track, const Held& held) {
  if (const auto unit = as_unit(track, held)) {
    // One unit is always the default; others exist only where groups are wide.
    if (unit->shape.l == 1 || unit->shape.w < 3) {
      Reading reading;
      reading.units.add(unit->shape);
      if (unit->shape.l > 1) reading.tractors.add(unit->shape);
      reading.placed.push_back({unit->shape, unit->strength, held});
      return {std::move(reading)};
    }
  }
  return Reader(track, held).all();
}

}  // namespace arena::tuolaji
