#include <algorithm>

#include "tuolaji/greedy.hpp"

namespace arena::tuolaji {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// What is known about leading one suit.
struct Suit {
  int index = 0;
  const Track* track = nullptr;
  Held held{};
  Held unseen{};
  int own = 0;
  int others = 0;         ///< unseen cards of the suit
  int holders = 0;        ///< other seats that may have some
  int enemy_holders = 0;  ///< opponents among them
  int enemy_voids = 0;
  int mate_voids = 0;
};

Suit look_at(const View& view, int index) {
  Suit suit{.index = index, .track = &view.order().track(index)};
  suit.held = suit.track->held(view.hand());
  suit.unseen = view.unseen(*suit.track);
  for (int node = 0; node < suit.track->nodes; ++node) {
    suit.own += suit.held[at(node)];
    suit.others += suit.unseen[at(node)];
  }
  for (Seat seat = 0; seat < view.rules().players; ++seat) {
    if (seat == view.seat()) continue;
    if (!view.is_void(seat, index)) {
      ++suit.holders;
      suit.enemy_holders += !view.mate(seat);
      continue;
    }
    // Who has run out of trumps as well cannot ruff.
    if (index != kTrump && view.is_void(seat, kTrump)) continue;
    ++(view.mate(seat) ? suit.mate_voids : suit.enemy_voids);
  }
  return suit;
}

/// How things stand for the one who leads.
struct Leader {
  int side_cards = 0;
  bool long_trumps = false;
  bool hands_pot = false;
  bool enemy_called = false;  ///< the trumps are an opponent's
  int partner_suit = -1;      ///< the side suit a partner led last
  int hand = 0;
};

class Leads {
 public:
  Leads(const View& view, std::vector<Option>& out) : view_(view), out_(out) {
    const Rules& rules = view.rules();
    for (int suit = 0; suit <= kTrump; ++suit) suits_[at(suit)] = look_at(view, suit);
    const Suit& trumps = suits_[kTrump];
    leader_.hand = view.hand().size();
    leader_.side_cards = leader_.hand - trumps.own;
    leader_.long_trumps = trumps.own >= 3 && trumps.own * (rules.players - 1) > trumps.others;
    leader_.hands_pot = rules.last.pot == Pot::hands;
    leader_.enemy_called = !view.mate(view.dealer());
    for (Seat seat = 0; seat < rules.players; ++seat) {
      if (seat == view.seat() || !view.mate(seat)) continue;
      if (const int led = view.memory().led[at(seat)]; led >= 0) leader_.partner_suit = led;
    }
  }

  void run() {
    for (const Suit& suit : suits_) {
      if (suit.own > 0) consider(suit);
    }
  }

 private:
  void consider(const Suit& suit) {
    const Track& track = *suit.track;
    int widest = 0;
    for (int node = 0; node < track.nodes; ++node) {
      const int count = suit.held[at(node)];
      widest = std::max(widest, count);
      for (int w = count; w >= 1; --w)
        offer(suit, Run{track.position_of(node), choice(track, node), 1, false}, w);
    }
    for (int w = 2; w <= widest; ++w) {
      bool found = true;
      for (int length = 2; found && length <= track.positions; ++length) {
        found = false;
        each_run(track, length, [&](const Run& run, int) {
          for (int i = 0; i < length; ++i) {
            if (suit.held[at(run_node(track, run, i))] < w) return false;
          }
          found = true;
          offer(suit, run, w);
          return false;
        });
      }
    }
    if (view_.rules().throwing != Throw::forbidden) offer_throw(suit);
  }

  static int choice(const Track& track, int node) {
    return node - track.first_node(track.position_of(node));
  }

  void offer(const Suit& suit, const Run& run, int w) {
    const Track& track = *suit.track;
    Deed deed{Verb::play, {}, 0, 0};
    int spent = 0;
    int points = 0;
    for (int i = 0; i < run.length; ++i) {
      const int node = run_node(track, run, i);
      const Kind kind = track.kind_of(node);
      const int have = suit.held[at(node)];
      deed.cards.add(kind, w);
      points += w * points_of(kind);
      spent += w * keep_value(view_.order(), kind);
      if (have > w) spent += 3 * (have - w);
    }
    const Shape shape{static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(run.length)};
    const int strength = run_strength(track, run);
    const int above = chance_above(view_, track, suit.unseen, suit.holders, shape, strength);
    int stands = kCertain;
    for (int i = 0; i < suit.enemy_holders; ++i) stands = both(stands, kCertain - above);
    const bool top = !beatable(view_, track, suit.unseen, shape, strength);
    out_.push_back({deed, score(suit, shape.cards(), points, spent, top, stands),
                    1 + suit.index + 8 * shape.w + 64 * shape.l});
  }

  /// All units of a side suit that nobody can beat, thrown together.
  void offer_throw(const Suit& suit) {
    const Track& track = *suit.track;
    Deed deed{Verb::play, {}, 0, 0};
    int units = 0, points = 0, spent = 0;
    for (int node = 0; node < track.nodes; ++node) {
      const int count = suit.held[at(node)];
      if (count == 0) continue;
      const Shape shape{static_cast<std::uint8_t>(count), 1};
      if (beatable(view_, track, suit.unseen, shape, track.strength_of(node))) continue;
      deed.cards.add(track.kind_of(node), count);
      points += count * points_of(track.kind_of(node));
      spent += count * keep_value(view_.order(), track.kind_of(node));
      ++units;
    }
    if (units < 2 || !safe(suit, deed.cards)) return;
    out_.push_back({deed, score(suit, deed.cards.size(), points, spent, true, kCertain)});
  }

  /// Where groups of three may be read as a pair and a single, every unit has to be looked at.
  bool safe(const Suit& suit, const Cards& cards) const {
    if (view_.rules().decks < 3) return true;
    const std::vector<Reading> all = readings(*suit.track, suit.track->held(cards));
    return std::none_of(
        all.front().placed.begin(), all.front().placed.end(), [&](const Placed& unit) {
          return beatable(view_, *suit.track, suit.unseen, unit.shape, unit.strength);
        });
  }

  /// `top`: nobody can beat it in the suit; `stands`: the chance that no opponent will.
  int score(const Suit& suit, int cards, int points, int spent, bool top, int stands) const {
    const bool trump = suit.index == kTrump;
    const int enemies = view_.rules().players / 2;
    // The chance in percent that our side takes the trick.
    int chance = both(90, stands);
    if (!trump) {
      const int thin = suit.others < 3 * cards * (view_.rules().players - 1) ? 12 : 4;
      chance -= top ? thin : 0;
      if (suit.enemy_voids > 0) chance -= (top ? 50 : 25) * suit.enemy_voids / enemies;
      if (suit.mate_voids > 0 && suit.enemy_voids == 0) chance = std::max(chance, 70);
    }
    chance = std::max(chance, 5);
    const int at_stake = points + 4 * cards;
    int value = (2 * chance - 100) * at_stake;
    if (top && !trump) {
      // This is what high side cards are for, before they are ruffed.
      value += 150 * cards;
    } else {
      // What is lost to a higher card was worth less than what is still to win.
      value -= 60 * spent;
    }
    if (trump) {
      if (leader_.long_trumps) value += 400;
      if (leader_.hands_pot && leader_.side_cards > 0) {
        value += leader_.enemy_called ? -100 : -500;
      }
      if (suit.others == 0 && leader_.side_cards > 0) value -= 600;
      // The last trick pays: the best trumps are kept for it.
      if (top && leader_.side_cards == 0 && leader_.hand > cards)
        value -= 800 * cards / leader_.hand;
    } else {
      if (!top) value += 2 * chance * cards;
      value += 100 * (cards - 1);
      if (leader_.hands_pot) value += 120;
      if (suit.index == leader_.partner_suit) value += 150;
      value -= 10 * suit.own;
    }
    return value;
  }

  const View& view_;
  std::vector<Option>& out_;
  std::array<Suit, 5> suits_{};
  Leader leader_;
};

}  // namespace

void consider_leads(const View& view, std::vector<Option>& out) { Leads(view, out).run(); }

}  // namespace arena::tuolaji
