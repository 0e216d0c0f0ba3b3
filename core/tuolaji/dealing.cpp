#include "tuolaji/dealing.hpp"

#include <algorithm>

namespace arena::tuolaji {
namespace {

// Streams of randomness beside the deals themselves.
constexpr std::uint64_t kDealerStream = 1ULL << 40;
constexpr std::uint64_t kLotStream = 1ULL << 41;

std::size_t at(Seat seat) { return static_cast<std::size_t>(seat); }

std::vector<std::uint8_t> shuffled(const Rules& rules, Rng& rng) {
  std::vector<std::uint8_t> pack(static_cast<std::size_t>(rules.deck_size()));
  for (std::size_t i = 0; i < pack.size(); ++i) pack[i] = static_cast<std::uint8_t>(i % kKinds);
  for (std::uint32_t i = static_cast<std::uint32_t>(pack.size()); i > 1; --i) {
    std::swap(pack[i - 1], pack[rng.below(i)]);
  }
  return pack;
}

/// Jokers above aces, BJ above SJ; suits do not matter.
int height(Kind kind) { return kind == kBigJoker ? 14 : rank_of(kind); }

Seat draw_first(const Rules& rules, Rng& rng) {
  const auto seats = static_cast<std::uint32_t>(rules.players);
  if (rules.first_draw == FirstDraw::lot) return static_cast<Seat>(rng.below(seats));
  if (rules.first_draw == FirstDraw::count_from_turned) {
    // Somebody turns a card that is no joker and counts from himself, an ace being one.
    const auto turner = static_cast<Seat>(rng.below(seats));
    const int rank = static_cast<int>(rng.below(kRanks));
    const int count = rank == kAce ? 1 : rank + 2;
    return rules.next(turner, count - 1);
  }
  SeatSet tied = SeatSet::first(rules.players);
  while (tied.size() > 1) {
    std::vector<std::uint8_t> pack = shuffled(rules, rng);
    int best = -1;
    SeatSet highest;
    for (Seat seat = 0; seat < rules.players; ++seat) {
      if (!tied.contains(seat)) continue;
      const int card_height = height(pack[at(seat)]);
      if (card_height > best) highest = SeatSet();
      if (card_height >= best) highest.add(seat);
      best = std::max(best, card_height);
    }
    tied = highest;
  }
  return tied.lowest();
}

int call_rank(const Rules& rules, const Table& table, Seat seat) {
  if (rules.bid.by_two) return kTwo;
  const Seat whose = table.contested ? seat : table.dealer;
  return rules.ladder.rank(table.levels[at(Rules::side(whose))]);
}

/// Whether drawing this card can change what the seat may call.
bool matters(const Rules& rules, const Table& table, Seat seat, Kind kind) {
  if (joker(kind)) return true;
  if (rank_of(kind) == call_rank(rules, table, seat)) return true;
  if (!table.opening) return false;
  return (rules.bid.token == Token::heart_2 && kind == card(kHearts, kTwo)) ||
         (rules.bid.token == Token::turned_card && kind == table.turned);
}

std::uint64_t signature(const std::vector<Call>& calls) {
  if (calls.empty()) return 0;
  std::uint64_t sum = 1;
  for (const Call& call : calls) {
    const auto word = static_cast<std::uint64_t>(call.kind) |
                      (static_cast<std::uint64_t>(call.count) << 8) |
                      (static_cast<std::uint64_t>(call.token + 1) << 16) |
                      (static_cast<std::uint64_t>(call.add) << 24);
    sum += Rng::mix(word + 0x9E3779B97F4A7C15ULL) >> 16;
  }
  return sum;
}

/// Whether a seat owes an answer to a set of calls that it has not answered yet.
bool owes_answer(const Rules& rules, const Table& table, Seat seat) {
  const std::uint64_t now = signature(table.legal_calls(rules, seat));
  return now != 0 && now != table.asked[at(seat)];
}

void take_kitty(const Rules& rules, Table& table, Seat seat, Events* events) {
  if (table.burier >= 0 && table.burier != seat) table.gave[at(table.burier)] = table.kitty;
  table.hand_of(seat).add(table.kitty);
  if (events != nullptr) {
    events->push_back(private_event("kitty", seat, cards_text(table.kitty), SeatSet::of(seat),
                                    std::to_string(rules.kitty)));
  }
  table.kitty = Cards();
  table.burier = seat;
  table.phase = Phase::bury;
}

void start_play(const Rules& rules, Table& table, Events* events) {
  table.phase = Phase::play;
  table.opening = false;
  if (table.hand == 0) {
    table.tally.drawer = table.first;
    table.tally.dealer = table.dealer;
  }
  table.pack.clear();
  table.drawn = 0;
  table.asked.fill(0);
  table.turn = table.first = 0;
  table.ring = 0;
  table.trick = Trick{};
  table.trick.leader = table.dealer;
  table.tricks.reserve(static_cast<std::size_t>(rules.hand_size()));
  if (events != nullptr) events->push_back(public_event("phase", table.dealer, "play"));
}

/// After the trump is known: rebels, then the kitty.
void after_bidding(const Rules& rules, Table& table, Events* events) {
  table.contested = false;
  if (events != nullptr) {
    events->push_back(public_event("trump", table.dealer, std::string(suit_text(table.trump))));
  }
  if (rules.bid.rebel != Rebel::none && table.redeals < rules.redeal_limit) {
    table.phase = Phase::rebel;
    table.turn = rules.next(table.dealer);
    table.ring = rules.players;
    return;
  }
  table.ring = 0;
  table.phase = Phase::rebel;
}

void redeal(const Rules& rules, Table& table, Events* events) {
  ++table.redeals;
  table.tally.add(Count::redeals);
  if (events != nullptr) events->push_back(public_event("redeal", kSpectator, "redeal"));
  deal(rules, table, events);
}

int lot_suit(const Table& table) {
  return static_cast<int>(
      Rng(derive_seed(table.seed, kLotStream + static_cast<std::uint64_t>(table.deal))).below(4));
}

/// Turns kitty cards: the k-th (a joker: the next), or all.
void flip(const Rules& rules, Table& table, const NobodyCalls& how, Events* events) {
  const auto size = static_cast<std::size_t>(rules.kitty);
  const std::size_t start = table.pack.size() - size;
  Cards turned;
  if (how.what == Nobody::flip) {
    table.trump = kNoTrump;
    for (std::size_t i = 0; i < size && table.trump == kNoTrump; ++i) {
      const std::size_t place = (static_cast<std::size_t>(how.flip - 1) + i) % size;
      const Kind kind = table.pack[start + place];
      turned.add(kind);
      if (!joker(kind)) table.trump = suit_of(kind);
    }
  } else {
    turned = table.kitty;
    const std::array<bool, 4> most = table.tied_suits();
    int tied = 0;
    for (int suit = 0; suit < 4; ++suit) {
      if (!most[static_cast<std::size_t>(suit)]) continue;
      ++tied;
      table.trump = suit;
    }
    if (tied == 0) table.trump = kNoTrump;
    if (tied > 1) table.trump = -1;
  }
  // The dealer is about to take them up.
  table.shown[at(table.dealer)].add(turned);
  if (events != nullptr) events->push_back(public_event("flip", table.dealer, cards_text(turned)));
}

void nobody_called(const Rules& rules, Table& table, Events* events) {
  NobodyCalls how = table.contested ? rules.bid.nobody_first : rules.bid.nobody_later;
  const Seat would_deal = table.dealer >= 0 ? table.dealer : table.first;
  const bool jokers_only =
      !rules.bid.by_two &&
      rules.ladder.rank(table.levels[at(Rules::side(would_deal))]) == kJokerLevel;
  if (jokers_only) {
    how.what = Nobody::no_trump;
  } else if ((how.what == Nobody::redeal || how.what == Nobody::choke) &&
             table.redeals >= rules.redeal_limit) {
    how.what = Nobody::lots;
  }
  if (how.what == Nobody::redeal) return redeal(rules, table, events);
  if (how.what == Nobody::choke) {
    table.dealer = rules.next(table.dealer);
    table.first = table.dealer;
    table.tally.add(Count::chokes);
    return redeal(rules, table, events);
  }
  table.flipped = !jokers_only;
  table.dealer = would_deal;
  if (how.what == Nobody::lots) table.trump = lot_suit(table);
  if (how.what == Nobody::no_trump) table.trump = kNoTrump;
  if (how.what == Nobody::flip || how.what == Nobody::flip_majority) {
    flip(rules, table, how, events);
  }
  if (table.trump < 0) {
    table.phase = Phase::choose;
    return;
  }
  after_bidding(rules, table, events);
}

void close_bidding(const Rules& rules, Table& table, Events* events) {
  for (auto i = static_cast<std::size_t>(rules.deck_size() - rules.kitty); i < table.pack.size();
       ++i) {
    table.kitty.add(table.pack[i]);
  }
  if (table.calls.empty()) return nobody_called(rules, table, events);
  const StandingCall standing = table.standing();
  table.trump = joker(standing.kind) ? kNoTrump : suit_of(standing.kind);
  if (table.contested) {
    const bool first_caller = rules.bid.first_caller || table.call_first;
    table.dealer = first_caller ? table.calls.front().seat : standing.owner;
  }
  table.tally.add(Count::calls);
  table.tally.add(Count::trumps,
                  table.order(rules).track(kTrump).count(table.hand_of(standing.owner)));
  if (rules.bid.hidden) {
    // The standing call is shown; the others were taken back unseen.
    for (std::size_t i = standing.since; i < table.calls.size(); ++i) {
      const Call& call = table.calls[i];
      Cards& known = table.shown[at(call.seat)];
      const Cards cards = call.cards();
      each_kind(cards, [&](Kind kind, int count) {
        known.set(kind, std::max(known[kind], call.add ? known[kind] + count : count));
      });
      if (events != nullptr) {
        events->push_back(public_event("reveal", call.seat, cards_text(cards)));
      }
    }
  }
  after_bidding(rules, table, events);
}

void draw_card(const Rules& rules, Table& table) {
  const Seat seat = table.drawer(rules, table.drawn);
  const Kind kind = table.pack[static_cast<std::size_t>(table.drawn++)];
  table.hand_of(seat).add(kind);
  if (!matters(rules, table, seat, kind)) return;
  table.turn = seat;
  table.ring = 1;
}

void tell_draws(const Rules& rules, const Table& table, int from, Events& events) {
  for (Seat seat = 0; seat < rules.players; ++seat) {
    std::string text;
    for (int place = from; place < table.drawn; ++place) {
      if (table.drawer(rules, place) != seat) continue;
      text += (text.empty() ? "" : " ") + card_text(table.pack[static_cast<std::size_t>(place)]);
    }
    if (!text.empty()) events.push_back(private_event("draw", seat, text, SeatSet::of(seat)));
  }
}

void make_call(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events) {
  for (const Call& call : table.legal_calls(rules, seat)) {
    if (call.add != (deed.verb == Verb::add) || !(call.cards() == deed.cards)) continue;
    table.calls.push_back(call);
    break;
  }
  const Call& call = table.calls.back();
  const std::string text = move_text(encode(deed));
  if (rules.bid.hidden) {
    if (rules.bid.token_open && call.token >= 0) {
      Cards& known = table.shown[at(seat)];
      known.set(call.token, std::max(known[call.token], 1));
    }
    SeatSet audience = SeatSet::of(seat);
    if (rules.bid.reinforce == Reinforce::side) {
      for (Seat mate = seat % 2; mate < rules.players; mate += 2) audience.add(mate);
    }
    std::string redacted = (call.add ? "add " : "call ") + std::to_string(call.count);
    if (rules.bid.token_open && call.token >= 0) redacted += ' ' + card_text(call.token);
    if (events != nullptr) {
      events->push_back(private_event("call", seat, text, audience, std::move(redacted)));
    }
  } else {
    Cards& known = table.shown[at(seat)];
    each_kind(deed.cards, [&](Kind kind, int count) {
      known.set(kind, std::max(known[kind], call.add ? known[kind] + count : count));
    });
    if (events != nullptr) events->push_back(public_event("call", seat, text));
  }
  table.turn = rules.next(seat);
  table.ring = rules.players - 1;
  table.asked[at(seat)] = signature(table.legal_calls(rules, seat));
}

void bury(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events) {
  table.hand_of(seat).remove(deed.cards);
  table.kitty = deed.cards;
  if (events != nullptr) {
    events->push_back(private_event("bury", seat, move_text(encode(deed)), SeatSet::of(seat),
                                    "bury " + std::to_string(rules.kitty)));
  }
  table.phase = Phase::rekitty;
  table.turn = rules.next(seat);
  table.ring = rules.bid.rekitty && !table.flipped ? rules.players - 1 : 0;
}

void rebel(const Rules& rules, Table& table, Seat seat, Events* events) {
  if (events != nullptr) events->push_back(public_event("rebel", seat, "rebel"));
  table.first = seat;
  table.dealer = kSpectator;
  table.contested = true;
  table.opening = false;
  table.call_first = true;
  redeal(rules, table, events);
}

bool may_rebel(const Rules& rules, const Table& table, Seat seat) {
  if (rules.bid.rebel == Rebel::attackers && Rules::side(seat) == Rules::side(table.dealer)) {
    return false;
  }
  return table.hand_of(seat).points() <= rules.bid.rebel_points;
}

}  // namespace

Table Table::start(const Rules& rules, std::uint64_t seed) {
  Table table;
  table.seed = seed;
  table.levels = rules.match ? std::array<int, 2>{} : rules.start_levels;
  table.contested = table.opening = rules.match || rules.contested;
  Rng rng(derive_seed(seed, kDealerStream));
  if (table.contested) {
    table.first = draw_first(rules, rng);
  } else {
    table.dealer = table.first =
        static_cast<Seat>(rng.below(static_cast<std::uint32_t>(rules.players)));
  }
  tuolaji::deal(rules, table, nullptr);
  go_on(rules, table, nullptr);
  return table;
}

std::array<bool, 4> Table::tied_suits() const {
  std::array<int, 4> count{};
  each_kind(kitty, [&](Kind kind, int held) {
    if (!joker(kind)) count[static_cast<std::size_t>(suit_of(kind))] += held;
  });
  const int most = *std::max_element(count.begin(), count.end());
  std::array<bool, 4> tied{};
  for (std::size_t suit = 0; suit < 4; ++suit) tied[suit] = most > 0 && count[suit] == most;
  return tied;
}

Cards Table::dealt(const Rules& rules, Seat seat) const {
  Cards cards;
  for (int place = 0; place < drawn; ++place) {
    if (drawer(rules, place) == seat) cards.add(pack[static_cast<std::size_t>(place)]);
  }
  return cards;
}

SeatSet Table::to_act(const Rules& rules) const {
  switch (phase) {
    case Phase::over:
      return {};
    case Phase::choose:
      return SeatSet::of(dealer);
    case Phase::bury:
      return SeatSet::of(burier);
    case Phase::play:
      return SeatSet::of(to_play(rules));
    default:
      return SeatSet::of(turn);
  }
}

void deal(const Rules& rules, Table& table, Events* events) {
  Rng rng(derive_seed(table.seed, static_cast<std::uint64_t>(table.deal++)));
  table.pack = shuffled(rules, rng);
  table.turned = -1;
  if (table.opening && rules.bid.token == Token::turned_card) {
    do {
      table.turned = static_cast<Kind>(rng.below(kSmallJoker));
    } while (rank_of(table.turned) ==
             (rules.bid.by_two ? kTwo : rules.ladder.rank(table.levels[0])));
    if (events != nullptr) {
      events->push_back(public_event("turned", kSpectator, card_text(table.turned)));
    }
  }
  table.phase = Phase::draw;
  table.drawn = table.ring = 0;
  table.turn = table.first;
  table.calls.clear();
  table.asked.fill(0);
  table.flipped = false;
  table.trump = -1;
  table.hands.fill(Cards());
  table.kitty = Cards();
  table.burier = kSpectator;
  table.shown.fill(Cards());
  table.gave.fill(Cards());
  table.points = 0;
  table.dead = false;
  table.silent = 0;
  table.tricks.clear();
  table.trick = Trick{};
}

void go_on(const Rules& rules, Table& table, Events* events) {
  const int to_draw = rules.deck_size() - rules.kitty;
  int told = table.drawn;
  while (true) {
    const Phase phase = table.phase;
    if (phase != Phase::draw && phase != Phase::rebel && phase != Phase::rekitty) return;
    for (; table.ring > 0; --table.ring, table.turn = rules.next(table.turn)) {
      const bool asked = phase == Phase::draw ? owes_answer(rules, table, table.turn)
                         : phase == Phase::rebel
                             ? may_rebel(rules, table, table.turn)
                             : table.standing().owner != table.turn &&
                                   !table.legal_calls(rules, table.turn).empty();
      if (!asked) continue;
      if (phase == Phase::draw && events != nullptr) tell_draws(rules, table, told, *events);
      return;
    }
    if (phase == Phase::rebel) {
      if (rules.kitty > 0) {
        take_kitty(rules, table, table.dealer, events);
      } else {
        start_play(rules, table, events);
      }
    } else if (phase == Phase::rekitty) {
      start_play(rules, table, events);
    } else if (table.drawn < to_draw) {
      draw_card(rules, table);
    } else {
      if (events != nullptr) tell_draws(rules, table, told, *events);
      close_bidding(rules, table, events);
      told = table.drawn;
    }
  }
}

void answer(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events) {
  switch (deed.verb) {
    case Verb::pass:
      if (table.phase == Phase::draw) {
        table.asked[at(seat)] = signature(table.legal_calls(rules, seat));
      }
      --table.ring;
      table.turn = rules.next(table.turn);
      if (events != nullptr) {
        events->push_back(private_event("move", seat, "pass", SeatSet::of(seat)));
      }
      break;
    case Verb::call:
    case Verb::add: {
      const bool again = table.phase == Phase::rekitty;
      make_call(rules, table, seat, deed, events);
      if (!again) break;
      table.trump = joker(table.standing().kind) ? kNoTrump : suit_of(table.standing().kind);
      if (events != nullptr) {
        events->push_back(public_event("trump", seat, std::string(suit_text(table.trump))));
      }
      take_kitty(rules, table, seat, events);
      break;
    }
    case Verb::trump:
      table.trump = deed.suit;
      if (events != nullptr) events->push_back(public_event("move", seat, move_text(encode(deed))));
      after_bidding(rules, table, events);
      break;
    case Verb::rebel:
      rebel(rules, table, seat, events);
      break;
    case Verb::bury:
      bury(rules, table, seat, deed, events);
      break;
    default:
      break;
  }
  go_on(rules, table, events);
}

}  // namespace arena::tuolaji
