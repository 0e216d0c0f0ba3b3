#include "doudizhu/table.hpp"

#include <algorithm>

namespace arena::doudizhu {
namespace {

constexpr int kVerbShift = 56;
constexpr int kDealt = 17;

std::int8_t small(Seat seat) { return static_cast<std::int8_t>(seat); }

}  // namespace

Move encode(const Deed& deed) {
  Move move;
  move.words[0] = deed.play.cards.word() | (static_cast<std::uint64_t>(deed.verb) << kVerbShift);
  if (deed.verb == Verb::play) {
    move.words[1] = static_cast<std::uint64_t>(deed.play.kind) |
                    (std::uint64_t{deed.play.low} << 8) | (std::uint64_t{deed.play.length} << 16);
  } else {
    move.words[1] = static_cast<std::uint64_t>(deed.bid);
  }
  return move;
}

std::optional<Deed> decode(const Move& move) {
  Deed deed;
  const std::uint64_t verb = move.words[0] >> kVerbShift;
  const std::uint64_t cards = move.words[0] & ((std::uint64_t{1} << kVerbShift) - 1);
  const std::uint64_t rest = move.words[1];
  if (verb == 0 || verb > static_cast<std::uint64_t>(Verb::play)) return std::nullopt;
  if (move.words[2] != 0 || move.words[3] != 0) return std::nullopt;
  deed.verb = static_cast<Verb>(verb);
  if (deed.verb != Verb::play) {
    const bool bid = deed.verb == Verb::bid;
    if (cards != 0 || (bid ? rest < 1 || rest > 3 : rest != 0)) return std::nullopt;
    deed.bid = static_cast<int>(rest);
    return deed;
  }
  if (cards == 0 || !valid_word(cards)) return std::nullopt;
  const std::uint64_t kind = rest & 0xFF;
  const std::uint64_t low = (rest >> 8) & 0xFF;
  const std::uint64_t length = (rest >> 16) & 0xFF;
  if ((rest >> 24) != 0 || kind >= kKindText.size() || length == 0 || low + length > kRanks) {
    return std::nullopt;
  }
  deed.play = {Cards::from_word(cards), static_cast<Kind>(kind), static_cast<std::uint8_t>(low),
               static_cast<std::uint8_t>(length)};
  return deed;
}

Table Table::start(const Rules& rules, std::uint64_t seed) {
  Table table;
  table.seed = seed;
  table.deal_cards(rules);
  return table;
}

void Table::deal_cards(const Rules& rules) {
  Rng rng(derive_seed(seed, static_cast<std::uint64_t>(deal)));
  std::array<std::uint8_t, 54> pack{};
  for (std::size_t i = 0; i < pack.size(); ++i) {
    pack[i] = static_cast<std::uint8_t>(i < 52 ? i / 4 : i - 52 + kBlackJoker);
  }
  // The last cards shuffled are the kitty; what is left in front needs no further swap.
  for (std::uint32_t i = 53; i > 0; --i) std::swap(pack[i], pack[rng.below(i + 1)]);
  hands = {};
  kitty = {};
  for (std::size_t i = 0; i < pack.size(); ++i) {
    (i < 3 * kDealt ? hands[i / kDealt] : kitty) += Cards::of(bit(pack[i]));
  }
  const Seat before = first;
  first = small(rules.calling == Calling::fixed ? 0 : static_cast<Seat>(rng.below(kSeats)));
  face = -1;
  if (rules.calling != Calling::fixed) {
    if (rules.first_caller == FirstCaller::face_up_card) {
      const std::uint32_t shown = rng.below(3 * kDealt);
      face = static_cast<std::int8_t>(pack[shown]);
      first = small(static_cast<Seat>(shown) / kDealt);
    } else if (deal > 0 && rules.first_caller == FirstCaller::rotate) {
      first = small(next_seat(before));
    } else if (deal > 0 && rules.first_caller == FirstCaller::last_winner) {
      first = small(before);
    }
  }
  turn = first;
  if (rules.calling == Calling::fixed) crown(first);
}

void Table::crown(Seat seat) {
  landlord = small(seat);
  hand(seat) += kitty;
  turn = small(seat);
  phase = Phase::play;
  passes = 0;
}

std::array<Deed, 4> Table::legal_calls(const Rules& rules, int& count) const {
  std::array<Deed, 4> deeds;
  std::size_t used = 0;
  if (rules.calling == Calling::call_grab) {
    deeds[used++].verb = caller < 0 ? Verb::call : Verb::grab;
  } else {
    for (int bid = wanted < 0 ? 1 : base + 1; bid <= 3; ++bid) {
      deeds[used].verb = Verb::bid;
      deeds[used++].bid = bid;
    }
  }
  deeds[used++].verb = Verb::pass;
  count = static_cast<int>(used);
  return deeds;
}

Table::After Table::apply_call(const Rules& rules, const Deed& deed) {
  const Seat seat = turn;
  ++calls;
  asked = static_cast<std::uint8_t>(asked | (1U << seat));
  passes = deed.verb == Verb::pass ? static_cast<std::int8_t>(passes + 1) : std::int8_t{0};
  if (deed.verb != Verb::pass) wanted = small(seat);
  if (deed.verb == Verb::bid) base = deed.bid;
  if (deed.verb == Verb::grab) {
    grabbed = true;
    times *= rules.grab_doubles;
  }
  if (seat == caller) caller_again = true;
  if (deed.verb == Verb::call) caller = small(seat);
  turn = small(next_seat(seat));

  if (wanted < 0) {
    if (calls < kSeats) return After::goes_on;
    if (rules.all_pass == AllPass::draw) {
      passed_out = true;
      phase = Phase::over;
      return After::goes_on;
    }
    if (rules.all_pass == AllPass::redeal && deal < rules.max_redeals) {
      Table fresh;
      fresh.seed = seed;
      fresh.deal = deal + 1;
      fresh.first = first;
      fresh.deal_cards(rules);
      *this = fresh;
      return After::dealt_anew;
    }
    crown(first);
    return After::landlord_known;
  }
  bool done = false;
  switch (rules.calling) {
    case Calling::bid123_once:
      done = base == 3 || calls == kSeats;
      break;
    case Calling::bid123_rounds:
      done = base == 3 || passes == kSeats - 1;
      break;
    case Calling::call_grab:
      for (int step = 0; step < kSeats && (asked >> turn & 1) != 0; ++step) {
        turn = small(next_seat(turn));
      }
      if ((asked >> turn & 1) != 0) {
        turn = caller;
        done = !grabbed || caller_again;
      }
      break;
    case Calling::fixed:
      done = true;
      break;
  }
  if (!done) return After::goes_on;
  crown(wanted);
  return After::landlord_known;
}

void Table::apply_play(const Rules& rules, const Play* play) {
  const Seat seat = turn;
  turn = small(next_seat(seat));
  if (play == nullptr) {
    if (++passes == kSeats - 1) {
      passes = 0;
      last_seat = -1;
    }
    return;
  }
  passes = 0;
  last = *play;
  last_seat = small(seat);
  hand(seat) -= play->cards;
  ++made[static_cast<std::size_t>(seat)];
  if (play->kind == Kind::bomb) times *= rules.bomb_doubles;
  if (play->kind == Kind::rocket) times *= rules.rocket_doubles;
  if (hand(seat).empty()) phase = Phase::over;
}

bool Table::is_spring() const {
  if (!landlord_won()) return made[static_cast<std::size_t>(landlord)] == 1;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (seat != landlord && made[static_cast<std::size_t>(seat)] > 0) return false;
  }
  return true;
}

std::int64_t Table::stake(const Rules& rules) const {
  std::int64_t total = times * base;
  if (is_spring()) total *= rules.spring;
  if (rules.unplayed_bombs_count) {
    for (const Cards cards : hands) {
      for (RankSet left = cards.quads(); left != 0; left &= left - 1) total *= rules.bomb_doubles;
      if ((cards.any() & kJokers) == kJokers) total *= rules.rocket_doubles;
    }
  }
  return rules.cap > 0 ? std::min<std::int64_t>(total, rules.cap) : total;
}

}  // namespace arena::doudizhu
