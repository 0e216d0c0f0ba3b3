#include <algorithm>

#include "tuolaji/check.hpp"
#include "tuolaji/greedy.hpp"

namespace arena::tuolaji {
namespace {

constexpr int kMostPlacements = 200;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Costs = std::array<int, kKinds>;

/// Places units into held cards, the cheapest first, going back where that fails.
class Placer {
 public:
  Placer(const Track& track, const Held& held, bool split, const Costs& costs)
      : track_(track), left_(held), whole_(held), split_(split), costs_(costs) {}

  /// The nodes taken; nothing where no placement was found.
  std::optional<Held> place(const Shapes& units) {
    if (!go(units, 0)) return std::nullopt;
    return taken_;
  }

 private:
  bool usable(int node, int w) const {
    return left_[at(node)] >= w && (split_ || whole_[at(node)] == w);
  }

  bool go(const Shapes& units, int index) {
    while (index < units.size() && units[index].w == 1) ++index;
    if (index >= units.size()) return true;
    if (++steps_ > kMostPlacements) return false;
    const Shape shape = units[index];
    std::array<std::pair<int, Run>, 2 * kMostNodes> runs;
    int count = 0;
    each_run(track_, shape.l, [&](const Run& run, int) {
      int cost = 0;
      for (int i = 0; i < run.length; ++i) {
        const int node = run_node(track_, run, i);
        if (!usable(node, shape.w)) return false;
        cost += shape.w * costs_[at(track_.kind_of(node))];
        // Breaking a wider group is a pity.
        cost += 200 * (left_[at(node)] - shape.w);
      }
      if (count < static_cast<int>(runs.size())) runs[at(count++)] = {cost, run};
      return false;
    });
    std::stable_sort(runs.begin(), runs.begin() + count,
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (int i = 0; i < count; ++i) {
      take(runs[at(i)].second, shape.w, 1);
      if (go(units, index + 1)) return true;
      take(runs[at(i)].second, shape.w, -1);
    }
    return false;
  }

  void take(const Run& run, int w, int sign) {
    for (int i = 0; i < run.length; ++i) {
      const auto node = at(run_node(track_, run, i));
      left_[node] = static_cast<std::int8_t>(left_[node] - sign * w);
      taken_[node] = static_cast<std::int8_t>(taken_[node] + sign * w);
    }
  }

  const Track& track_;
  Held left_;
  Held whole_;
  Held taken_{};
  bool split_;
  const Costs& costs_;
  int steps_ = 0;
};

Cards cards_of(const Track& track, const Held& nodes) {
  Cards cards;
  for (int node = 0; node < track.nodes; ++node) {
    if (nodes[at(node)] > 0) cards.add(track.kind_of(node), nodes[at(node)]);
  }
  return cards;
}

class Follows {
 public:
  Follows(const View& view, std::vector<Option>& out)
      : view_(view),
        out_(out),
        order_(view.order()),
        trick_(view.trick()),
        lead_(lead_of(order_, trick_)),
        track_(order_.track(lead_.suit)),
        held_(track_.held(view.hand())),
        trumps_(order_.track(kTrump)) {
    for (int node = 0; node < track_.nodes; ++node) own_ += held_[at(node)];
    for (int i = 0; i < trick_.played; ++i) {
      const Cards cards = unpack(trick_.cards[at(i)]);
      points_ += cards.points();
      if (trick_.is_dead(i)) continue;
      const auto value = worth(view.rules(), order_, lead_, cards);
      if (!value || (top_ && !beats(view.rules(), *value, *top_))) continue;
      top_ = value;
      winner_ = view.rules().next(trick_.leader, i);
    }
    for (int i = trick_.played + 1; i < view.rules().players; ++i) {
      const Seat seat = view.rules().next(trick_.leader, i);
      ++after_;
      if (view.mate(seat)) continue;
      ++enemies_after_;
    }
    for (Seat seat = 0; seat < view.rules().players; ++seat) {
      if (seat == view.seat()) continue;
      holders_ += !view.is_void(seat, lead_.suit);
      trump_holders_ += !view.is_void(seat, kTrump);
    }
    unseen_ = view.unseen(track_);
    if (lead_.suit != kTrump) unseen_trumps_ = view.unseen(trumps_);
    // What the last trick pays is at stake with it.
    last_ = view.hand().size() == lead_.cards;
    if (top_) standing_chance_ = chance(*top_, view.mate(winner_));
  }

  void run() {
    const Costs cheap = costs(8), feed = costs(-8);
    if (own_ >= lead_.cards) {
      follow_suit(cheap);
      follow_suit(feed);
      if (own_ > lead_.cards) win_in_suit();
    } else {
      discard(cheap);
      discard(feed);
      if (own_ == 0 && lead_.suit != kTrump) ruff(cheap);
    }
  }

 private:
  /// What spending a card costs, in hundredths; `points` is what a point on it adds, in tenths.
  Costs costs(int points) const {
    Costs out{};
    std::array<int, 5> length{};
    each_kind(view_.hand(), [&](Kind kind, int count) { length[at(order_.suit(kind))] += count; });
    each_kind(view_.hand(), [&](Kind kind, int count) {
      const int suit = order_.suit(kind);
      out[at(kind)] = 100 * keep_value(order_, kind) + 10 * points * points_of(kind);
      if (suit != kTrump) out[at(kind)] += 10 * length[at(suit)];
      if (count > 1) out[at(kind)] += 100;
    });
    return out;
  }

  /// The chance in percent that our side gets the trick from a play that is winning it, our own or
  /// not.
  int chance(const Worth& value, bool ours) const {
    if (enemies_after_ == 0 && ours) return 100;
    const bool side = lead_.suit != kTrump;
    // Of one seat that has some of the suit, or of the trumps: that it beats the play with them.
    int in_suit = 0, ruffing = 0;
    if (lead_.units.size() == 1 && value.trump == !side) {
      in_suit = chance_above(view_, track_, unseen_, holders_, value.shape, value.strength);
    }
    if (side) {
      ruffing = chance_above(view_, trumps_, unseen_trumps_, trump_holders_, value.shape,
                             value.trump ? value.strength : kNoStrength);
    }
    int stands = kCertain, helped = 0;
    for (int i = trick_.played + 1; i < view_.rules().players; ++i) {
      const Seat seat = view_.rules().next(trick_.leader, i);
      int beats = in_suit;
      if (view_.is_void(seat, lead_.suit)) {
        beats = side ? ruffing * 4 / 5 : 0;  // who can does not always care to
      } else if (side) {
        beats += both(kCertain - beats, ruffing / 20);  // it may have run out of the suit
      }
      if (view_.mate(seat)) {
        helped = std::max(helped, beats);
      } else {
        stands = both(stands, kCertain - beats);
      }
    }
    if (ours) return std::max(both(100, stands), 5);
    return after_ > enemies_after_ ? std::min(both(100, both(helped, stands)), 60) : 3;
  }

  void offer(const Cards& cards, int spent) {
    // Cheap plays are told apart by what they cost; points on them go to whoever wins.
    int added = 0;
    each_kind(cards, [&](Kind kind, int count) { added += count * points_of(kind); });
    int chance_ours = standing_chance_;
    const auto value = worth(view_.rules(), order_, lead_, cards);
    if (value && (!top_ || beats(view_.rules(), *value, *top_))) chance_ours = chance(*value, true);
    int stake = points_ + added + 4 * after_ + 3;
    if (last_) stake += 40;
    out_.push_back({{Verb::play, cards, 0, 0}, (2 * chance_ours - 100) * stake - spent});
  }

  int spending(const Cards& cards) const {
    int spent = 0;
    each_kind(cards, [&](Kind kind, int count) {
      spent += 100 * count * keep_value(order_, kind);
      const int left = view_.hand()[kind] - count;
      if (left > 0) spent += 150 * std::min(left, count);
    });
    return spent;
  }

  void offer(const Cards& cards) { offer(cards, spending(cards)); }

  /// Cheapest cards of a pool on top of some.
  static void fill(Cards& cards, const Cards& pool, int count, const Costs& costs) {
    std::array<std::pair<int, Kind>, kKinds> order;
    int kinds = 0;
    each_kind(pool, [&](Kind kind, int) { order[at(kinds++)] = {costs[at(kind)], kind}; });
    const int wanted = std::min(kinds, count);
    std::partial_sort(order.begin(), order.begin() + wanted, order.begin() + kinds);
    for (int i = 0; i < wanted && count > 0; ++i) {
      const Kind kind = order[at(i)].second;
      const int taken = std::min(count, pool[kind]);
      cards.add(kind, taken);
      count -= taken;
    }
  }

  void follow_suit(const Costs& costs) {
    if (own_ == lead_.cards) return offer(cards_of(track_, held_));
    const Cards own = cards_of(track_, held_);
    if (lead_.units[0].w == 1) {
      Cards cards;
      fill(cards, own, lead_.cards, costs);
      return offer(cards);
    }
    if (debt_.empty()) debt_ = owed(view_.rules(), track_, lead_.units, held_);
    for (const Shapes& either : debt_) {
      Placer placer(track_, held_, view_.rules().follow.split, costs);
      auto nodes = placer.place(either);
      if (!nodes) {
        Rng rng(0);
        nodes =
            Fitter(track_, held_, view_.rules().follow.split ? nullptr : &held_).any(either, rng);
      }
      if (!nodes) continue;
      Cards cards = cards_of(track_, *nodes);
      Cards rest = own;
      rest.remove(cards);
      fill(cards, rest, lead_.cards - cards.size(), costs);
      offer(cards);
    }
  }

  /// The lowest and the highest unit of a track that takes the trick.
  template <typename Take>
  void winning_units(const Track& track, const Held& held, bool trump, const Take& take) {
    const Rules& rules = view_.rules();
    const Shape led = lead_.units[0];
    for (int w = led.w; w <= rules.decks; ++w) {
      if (led.cards() % w != 0) continue;
      const Shape shape{static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(led.cards() / w)};
      if (!(shape == led) && !rules.cross.above(shape, led)) continue;
      std::optional<Run> low, high;
      each_run(track, shape.l, [&](const Run& run, int strength) {
        for (int i = 0; i < run.length; ++i) {
          if (held[at(run_node(track, run, i))] < w) return false;
        }
        if (top_ && !beats(rules, Worth{shape, trump, strength}, *top_)) return false;
        if (!high) high = run;
        low = run;
        return false;
      });
      for (const auto& run : {low, high}) {
        if (!run) continue;
        Cards cards;
        for (int i = 0; i < run->length; ++i) {
          cards.add(track.kind_of(run_node(track, *run, i)), w);
        }
        take(cards);
      }
    }
  }

  void win_in_suit() {
    // Nobody beats in its own suit a throw that has stood.
    if (lead_.units.size() != 1) return;
    winning_units(track_, held_, lead_.suit == kTrump, [&](const Cards& cards) {
      const bool plain = lead_.cards == 1;
      if (plain || may_follow(view_.rules(), order_, lead_, view_.hand(), cards)) offer(cards);
    });
  }

  void ruff(const Costs& costs) {
    const Held held = trumps_.held(view_.hand());
    if (trumps_.count(view_.hand()) < lead_.cards) return;
    if (lead_.units.size() == 1) {
      winning_units(trumps_, held, true, [&](const Cards& cards) { offer(cards); });
      return;
    }
    Placer placer(trumps_, held, true, costs);
    const auto nodes = placer.place(lead_.units);
    if (!nodes) return;
    Cards cards = cards_of(trumps_, *nodes);
    Cards rest = cards_of(trumps_, held);
    rest.remove(cards);
    fill(cards, rest, lead_.cards - cards.size(), costs);
    offer(cards);
  }

  void discard(const Costs& costs) {
    Cards cards = cards_of(track_, held_);
    Cards rest = view_.hand();
    rest.remove(cards);
    fill(cards, rest, lead_.cards - own_, costs);
    offer(cards);
  }

  const View& view_;
  std::vector<Option>& out_;
  const Order& order_;
  const Trick& trick_;
  const Lead lead_;
  const Track& track_;
  const Held held_;
  const Track& trumps_;
  Held unseen_{}, unseen_trumps_{};
  Owed debt_;
  int own_ = 0;
  int points_ = 0;
  int after_ = 0;
  int enemies_after_ = 0;
  int holders_ = 0;        ///< other seats that may have cards of the led suit
  int trump_holders_ = 0;  ///< … trumps
  bool last_ = false;
  Seat winner_ = kSpectator;
  std::optional<Worth> top_;
  int standing_chance_ = 0;
};

}  // namespace

void consider_follows(const View& view, std::vector<Option>& out) { Follows(view, out).run(); }

}  // namespace arena::tuolaji
