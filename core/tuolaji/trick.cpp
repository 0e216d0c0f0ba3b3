#include "tuolaji/trick.hpp"

namespace arena::tuolaji {
namespace {

/// The reading that a code names; the default one for 0 and for names that do not fit.
Reading chosen(const Track& track, const Held& held, ReadingCode code) {
  std::vector<Reading> all = readings(track, held);
  if (code != 0) {
    const auto tractors = reading_tractors(code);
    for (Reading& reading : all) {
      if (tractors && reading.tractors == *tractors) return std::move(reading);
    }
  }
  return std::move(all.front());
}

}  // namespace

int common_suit(const Order& order, const Cards& cards) {
  int suit = -1;
  bool mixed = false;
  each_kind(cards, [&](Kind kind, int) {
    const int own = order.suit(kind);
    if (suit >= 0 && own != suit) mixed = true;
    suit = own;
  });
  return mixed ? -1 : suit;
}

Lead lead_of(const Order& order, const Cards& cards, ReadingCode reading) {
  Lead lead;
  lead.suit = common_suit(order, cards);
  lead.cards = cards.size();
  const Track& track = order.track(lead.suit);
  const Held held = track.held(cards);
  if (reading == 0) {
    if (const auto unit = as_unit(track, held)) {
      lead.units.add(unit->shape);
      return lead;
    }
  }
  lead.units = chosen(track, held, reading).units;
  return lead;
}

Lead lead_of(const Order& order, const Trick& trick) {
  return lead_of(order, unpack(trick.cards[0]), trick.reading);
}

std::optional<Worth> worth(const Rules& rules, const Order& order, const Lead& lead,
                           const Cards& cards) {
  const int suit = common_suit(order, cards);
  if (suit < 0 || (suit != lead.suit && suit != kTrump)) return std::nullopt;
  const Track& track = order.track(suit);
  const Held held = track.held(cards);
  const bool trump = suit == kTrump;
  if (lead.units.size() == 1) {
    const auto unit = as_unit(track, held);
    if (!unit || (unit->shape != lead.units[0] && !rules.cross.above(unit->shape, lead.units[0]))) {
      return std::nullopt;
    }
    return Worth{unit->shape, trump, unit->strength};
  }
  const auto best = Fitter(track, held).best_first(lead.units);
  if (!best) return std::nullopt;
  return Worth{lead.units[0], trump, *best};
}

bool beats(const Rules& rules, const Worth& later, const Worth& earlier) {
  const bool above = rules.cross.above(later.shape, earlier.shape);
  const bool below = rules.cross.above(earlier.shape, later.shape);
  if (rules.trump_first && later.trump != earlier.trump) return later.trump;
  if (above || below) return above;
  if (!(later.shape == earlier.shape)) return false;
  if (later.trump != earlier.trump) return later.trump;
  return later.strength > earlier.strength;
}

int winning_play(const Rules& rules, const Order& order, const Trick& trick) {
  const Lead lead = lead_of(order, trick);
  int best = 0;
  std::optional<Worth> top;
  if (!trick.is_dead(0)) top = worth(rules, order, lead, unpack(trick.cards[0]));
  for (int i = 1; i < trick.played; ++i) {
    if (trick.is_dead(i)) continue;
    const auto value = worth(rules, order, lead, unpack(trick.cards[static_cast<std::size_t>(i)]));
    if (value && (!top || beats(rules, *value, *top))) {
      top = value;
      best = i;
    }
  }
  return best;
}

std::optional<Cards> forced_unit(const Rules& rules, const Order& order, const Cards& thrown,
                                 ReadingCode reading, const std::vector<const Cards*>& others) {
  const Track& track = order.track(common_suit(order, thrown));
  const Held cards_held = track.held(thrown);
  if (reading == 0 && as_unit(track, cards_held)) return std::nullopt;
  const Reading parts = chosen(track, cards_held, reading);
  if (parts.placed.size() < 2) return std::nullopt;
  std::vector<Held> hands;
  hands.reserve(others.size());
  for (const Cards* cards : others) hands.push_back(track.held(*cards));
  const Placed* forced = nullptr;
  for (const Placed& unit : parts.placed) {
    // Rank first, then number of cards.
    if (forced != nullptr && std::pair(unit.strength, unit.shape.cards()) >=
                                 std::pair(forced->strength, forced->shape.cards())) {
      continue;
    }
    const bool beatable = std::any_of(hands.begin(), hands.end(), [&](const Held& hand) {
      if (holds(track, hand, unit.shape, unit.strength)) return true;
      for (int w = unit.shape.w + 1; w <= rules.decks; ++w) {
        if (unit.shape.cards() % w != 0) continue;
        const Shape wider{static_cast<std::uint8_t>(w),
                          static_cast<std::uint8_t>(unit.shape.cards() / w)};
        if (rules.cross.above(wider, unit.shape) && holds(track, hand, wider)) return true;
      }
      return false;
    });
    if (beatable) forced = &unit;
  }
  if (forced == nullptr) return std::nullopt;
  Cards cards;
  for (int node = 0; node < track.nodes; ++node) {
    const int count = forced->nodes[static_cast<std::size_t>(node)];
    if (count > 0) cards.add(track.kind_of(node), count);
  }
  return cards;
}

int largest_unit(const Order& order, const Cards& cards) {
  const int suit = common_suit(order, cards);
  if (suit < 0) return 1;
  const Track& track = order.track(suit);
  const Held held = track.held(cards);
  int most = 1;
  for (int w = 1; w <= kMostDecks; ++w) {
    for (int l = 1; l <= (w == 1 ? 1 : track.positions); ++l) {
      const Shape shape{static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(l)};
      if (shape.cards() > most && holds(track, held, shape)) most = shape.cards();
    }
  }
  return most;
}

}  // namespace arena::tuolaji
