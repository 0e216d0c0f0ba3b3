#include <algorithm>

#include "tuolaji/state.hpp"

namespace arena::tuolaji {
namespace {

constexpr int kTries = 3;
constexpr int kRepairs = 400;
constexpr int kWalk = 400;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <typename T>
void shuffle(std::vector<T>& items, Rng& rng) {
  for (auto i = static_cast<std::uint32_t>(items.size()); i > 1; --i) {
    std::swap(items[i - 1], items[rng.below(i)]);
  }
}

/// Whether everybody on the viewer's side of a hidden call knows it.
bool knows(const Rules& rules, const Call& call, Seat viewer) {
  return !rules.bid.hidden || call.seat == viewer ||
         (rules.bid.reinforce == Reinforce::side && call.seat % 2 == viewer % 2);
}

/// Cards that a seat must have drawn, by the calls as they stand in `table`.
Cards called(const Table& table, Seat seat) {
  Cards needed;
  for (const Call& call : table.calls) {
    if (call.seat != seat) continue;
    const Cards cards = call.cards();
    each_kind(cards,
              [&](Kind kind, int count) { needed.set(kind, std::max(needed[kind], count)); });
  }
  return needed;
}

/// Deals the pack anew apart from what the viewer drew. False if the needed cards are not there.
bool redeal_unseen(const Rules& rules, Table& table, Seat viewer, Rng& rng) {
  // Hidden calls of others may be in any suit.
  for (Call& call : table.calls) {
    if (knows(rules, call, viewer) || joker(call.kind)) continue;
    const int rank = rank_of(call.kind);
    call.kind = card(static_cast<int>(rng.below(4)), rank);
  }
  Cards pool;
  std::vector<int> places;
  for (int place = 0; place < rules.deck_size(); ++place) {
    if (place < table.drawn && table.drawer(rules, place) == viewer) continue;
    places.push_back(place);
    pool.add(table.pack[at(place)]);
  }
  std::vector<std::uint8_t> pack = table.pack;
  std::vector<bool> taken(table.pack.size(), false);
  for (Seat seat = 0; seat < rules.players; ++seat) {
    if (seat == viewer) continue;
    Cards needed = called(table, seat);
    const Cards& shown = table.shown[at(seat)];
    each_kind(shown,
              [&](Kind kind, int count) { needed.set(kind, std::max(needed[kind], count)); });
    std::vector<int> own;
    for (const int place : places) {
      if (place < table.drawn && table.drawer(rules, place) == seat) own.push_back(place);
    }
    if (!pool.contains(needed) || static_cast<int>(own.size()) < needed.size()) return false;
    shuffle(own, rng);
    std::size_t next = 0;
    each_kind(needed, [&](Kind kind, int count) {
      for (int i = 0; i < count; ++i, ++next) {
        pack[at(own[next])] = static_cast<std::uint8_t>(kind);
        taken[at(own[next])] = true;
      }
    });
    pool.remove(needed);
  }
  std::vector<std::uint8_t> rest;
  each_kind(pool, [&](Kind kind, int count) {
    rest.insert(rest.end(), at(count), static_cast<std::uint8_t>(kind));
  });
  shuffle(rest, rng);
  std::size_t next = 0;
  for (const int place : places) {
    if (!taken[at(place)]) pack[at(place)] = rest[next++];
  }
  table.pack = std::move(pack);
  for (Seat seat = 0; seat < rules.players; ++seat) {
    table.hand_of(seat) = table.dealt(rules, seat);
  }
  return true;
}

Table resample_draw(const Rules& rules, const Table& table, Seat viewer, Rng& rng) {
  for (int i = 0; i < 50; ++i) {
    Table other = table;
    if (redeal_unseen(rules, other, viewer, rng)) return other;
  }
  return table;
}

/// After bidding: who holds what the viewer cannot see.
class World {
 public:
  World(const Rules& rules, const Table& table, Seat viewer)
      : rules_(rules), truth_(table), viewer_(viewer) {
    const bool sees_kitty = table.burier == viewer || table.phase == Phase::over;
    for (Seat seat = 0; seat < rules.players; ++seat) {
      if (seat != viewer) open(seat, table.hand_of(seat));
    }
    if (!sees_kitty && !table.kitty.empty()) open(kKitty, table.kitty);
    play_ = table.phase == Phase::play;
    if (play_) find_voids();
  }

  Table draw(Rng& rng) {
    if (slots_.empty() || truth_.phase == Phase::over) return truth_;
    for (int i = 0; i < kTries; ++i) {
      holder_.assign(cards_.size(), 0);
      assign(rng);
      if (repair(rng)) return table();
    }
    // The true deal is consistent: walk away from it by swaps that keep it so.
    holder_ = true_holder_;
    for (int i = 0; i < kWalk; ++i) (void)swap(rng, 0);
    return table();
  }

 private:
  static constexpr int kKitty = kMostPlayers;

  struct Slot {
    int who;
    int size;
  };

  void open(int who, const Cards& held) {
    slots_.push_back({who, held.size()});
    each_kind(held, [&](Kind kind, int count) {
      for (int i = 0; i < count; ++i) {
        cards_.push_back(kind);
        true_holder_.push_back(who);
      }
    });
  }

  void find_voids() {
    for (auto& suits : void_) suits.fill(false);
    const Order& order = truth_.order(rules_);
    const auto look = [&](const Trick& trick) {
      if (trick.played < 2) return;
      const Lead lead = lead_of(order, trick);
      for (int i = 1; i < trick.played; ++i) {
        if (order.track(lead.suit).count(unpack(trick.cards[at(i)])) < lead.cards) {
          void_[at(rules_.next(trick.leader, i))][at(lead.suit)] = true;
        }
      }
    };
    for (const Trick& trick : truth_.tricks) look(trick);
    look(truth_.trick);
  }

  bool allowed(int who, Kind kind) const {
    if (who == kKitty || !play_) return true;
    return !void_[at(who)][at(truth_.order(rules_).suit(kind))];
  }

  /// Known cards first, then the rest, suits with the fewest holders first.
  void assign(Rng& rng) {
    std::vector<int> room(kMostPlayers + 1, 0);
    for (const Slot& slot : slots_) room[at(slot.who)] = slot.size;
    std::vector<std::size_t> order(cards_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    shuffle(order, rng);
    std::vector<bool> placed(cards_.size(), false);
    const auto place = [&](std::size_t card, int who) {
      holder_[card] = who;
      placed[card] = true;
      --room[at(who)];
    };
    for (const Slot& slot : slots_) {
      if (slot.who == kKitty) continue;
      const Cards known = known_of(slot.who);
      each_kind(known, [&](Kind kind, int count) {
        for (const std::size_t card : order) {
          if (count == 0) break;
          if (placed[card] || cards_[card] != kind) continue;
          // A burier may have buried what he had shown.
          int who = slot.who;
          if (who == truth_.burier && room[kKitty] > 0 && rng.below(4) == 0) who = kKitty;
          if (room[at(who)] == 0) who = slot.who;
          if (room[at(who)] == 0) break;
          place(card, who);
          --count;
        }
      });
    }
    const auto choices = [&](std::size_t card) {
      int count = 0;
      for (const Slot& slot : slots_) count += allowed(slot.who, cards_[card]) ? 1 : 0;
      return count;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return choices(a) < choices(b); });
    for (const std::size_t card : order) {
      if (placed[card]) continue;
      std::uint32_t total = 0;
      for (const Slot& slot : slots_) {
        if (allowed(slot.who, cards_[card]))
          total += static_cast<std::uint32_t>(room[at(slot.who)]);
      }
      int who = -1;
      if (total > 0) {
        std::uint32_t pick = rng.below(total);
        for (const Slot& slot : slots_) {
          if (!allowed(slot.who, cards_[card])) continue;
          const auto size = static_cast<std::uint32_t>(room[at(slot.who)]);
          if (pick < size) {
            who = slot.who;
            break;
          }
          pick -= size;
        }
      } else {
        for (const Slot& slot : slots_) {
          if (room[at(slot.who)] > 0) who = slot.who;
        }
      }
      place(card, who);
    }
  }

  /// Cards that a seat is known to hold, or (a burier) to hold or to have buried.
  Cards known_of(Seat seat) const {
    Cards known = truth_.shown[at(seat)];
    if (seat == truth_.burier && viewer_ != seat) {
      Cards given = truth_.gave[at(viewer_)];
      for (const Trick& trick : truth_.tricks) forget(given, trick, seat);
      forget(given, truth_.trick, seat);
      each_kind(given,
                [&](Kind kind, int count) { known.set(kind, std::max(known[kind], count)); });
    }
    return known;
  }
  void forget(Cards& cards, const Trick& trick, Seat seat) const {
    const int place = (seat - trick.leader + rules_.players) % rules_.players;
    if (place >= trick.played) return;
    const Cards played = unpack(trick.cards[at(place)]);
    each_kind(played,
              [&](Kind kind, int count) { cards.set(kind, std::max(0, cards[kind] - count)); });
  }

  Table table() const {
    Table other = truth_;
    for (const Slot& slot : slots_) {
      (slot.who == kKitty ? other.kitty : other.hand_of(slot.who)) = Cards();
    }
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      (holder_[i] == kKitty ? other.kitty : other.hand_of(holder_[i])).add(cards_[i]);
    }
    return other;
  }

  /// What this world has against what the viewer knows.
  int faults() const {
    const Table other = table();
    int count = 0;
    for (const Slot& slot : slots_) {
      if (slot.who == kKitty) continue;
      Cards held = other.hand_of(slot.who);
      if (slot.who == truth_.burier) held.add(other.kitty);
      const Cards known = known_of(slot.who);
      each_kind(known, [&](Kind kind, int needed) { count += std::max(0, needed - held[kind]); });
    }
    return play_ ? count + replay_faults(other) : count;
  }

  /// Goes back through the tricks: every follow must have been legal and every throw have
  /// stood, or failed, as it did.
  int replay_faults(Table& then) const {
    int count = 0;
    const Order& order = truth_.order(rules_);
    const auto back = [&](const Trick& trick) {
      if (trick.played == 0) return;
      const Lead lead = lead_of(order, trick);
      for (int i = trick.played - 1; i >= 0; --i) {
        const Seat seat = rules_.next(trick.leader, i);
        const Cards cards = unpack(trick.cards[at(i)]);
        then.hand_of(seat).add(cards);
        if (i > 0 && seat != viewer_ &&
            !may_follow(rules_, order, lead, then.hand_of(seat), cards)) {
          ++count;
        }
      }
      if (rules_.throwing == Throw::forbidden || (lead.units.size() < 2 && !trick.failed)) return;
      std::vector<const Cards*> others;
      for (Seat seat = 0; seat < rules_.players; ++seat) {
        if (seat != trick.leader) others.push_back(&then.hand_of(seat));
      }
      const Cards led = unpack(trick.cards[0]);
      const auto forced = forced_unit(rules_, order, trick.failed ? unpack(trick.thrown) : led,
                                      trick.failed ? 0 : trick.reading, others);
      if (trick.failed ? !forced || !(*forced == led) : forced.has_value()) ++count;
    };
    back(truth_.trick);
    for (std::size_t i = truth_.tricks.size(); i > 0; --i) back(truth_.tricks[i - 1]);
    return count;
  }
  int replay_faults(const Table& other) const {
    Table copy = other;
    return replay_faults(copy);
  }

  /// Swaps two cards of different holders if that leaves at most `most` faults.
  int swap(Rng& rng, int most) {
    const auto size = static_cast<std::uint32_t>(cards_.size());
    const std::size_t a = rng.below(size), b = rng.below(size);
    if (holder_[a] == holder_[b] || cards_[a] == cards_[b]) return most;
    if (!allowed(holder_[a], cards_[b]) || !allowed(holder_[b], cards_[a])) return most;
    std::swap(holder_[a], holder_[b]);
    const int now = faults();
    if (now <= most) return now;
    std::swap(holder_[a], holder_[b]);
    return most;
  }

  bool repair(Rng& rng) {
    int left = faults();
    for (const Slot& slot : slots_) {
      if (slot.who == kKitty) continue;
      for (std::size_t i = 0; i < cards_.size(); ++i) {
        // Left-over voids: put them right one by one.
        if (holder_[i] != slot.who || allowed(slot.who, cards_[i])) continue;
        for (std::size_t j = 0; j < cards_.size(); ++j) {
          if (holder_[j] == slot.who || !allowed(slot.who, cards_[j]) ||
              !allowed(holder_[j], cards_[i])) {
            continue;
          }
          std::swap(holder_[i], holder_[j]);
          break;
        }
        left = faults();
      }
    }
    for (int i = 0; i < kRepairs && left > 0; ++i) left = swap(rng, left);
    return left == 0;
  }

  const Rules& rules_;
  const Table& truth_;
  Seat viewer_;
  bool play_ = false;
  std::vector<Slot> slots_;
  std::vector<Kind> cards_;
  std::vector<int> holder_, true_holder_;
  std::array<std::array<bool, 5>, kMostPlayers> void_{};
};

/// Before play the pack still tells who drew what, which decides what may be called. The viewer
/// knows what he drew; the others drew what they hold now, as far as that can be.
void rewrite_pack(const Rules& rules, Table& table, Seat viewer, Rng& rng) {
  Cards left;
  for (const std::uint8_t kind : table.pack) left.add(kind);
  left.remove(table.dealt(rules, viewer));
  std::vector<int> open;
  for (Seat seat = 0; seat < rules.players; ++seat) {
    if (seat == viewer) continue;
    Cards held = table.hand_of(seat);
    if (seat == table.burier) held.add(table.kitty);
    // Cards of calls were drawn, not found in the kitty: they go first.
    std::vector<std::uint8_t> own;
    const auto take = [&](Kind kind, int count) {
      for (int i = 0; i < count && held[kind] > 0 && left[kind] > 0; ++i) {
        held.remove(kind);
        left.remove(kind);
        own.push_back(static_cast<std::uint8_t>(kind));
      }
    };
    called(table, seat).each(take);
    std::vector<std::uint8_t> rest;
    held.each([&](Kind kind, int count) {
      rest.insert(rest.end(), at(count), static_cast<std::uint8_t>(kind));
    });
    shuffle(rest, rng);
    const int places =
        (table.drawn - (seat - table.first + rules.players) % rules.players + rules.players - 1) /
        rules.players;
    for (const std::uint8_t kind : rest) {
      if (static_cast<int>(own.size()) < places) take(kind, 1);
    }
    shuffle(own, rng);
    std::size_t next = 0;
    for (int place = 0; place < table.drawn; ++place) {
      if (table.drawer(rules, place) != seat) continue;
      if (next < own.size()) {
        table.pack[at(place)] = own[next++];
      } else {
        open.push_back(place);
      }
    }
  }
  for (int place = table.drawn; place < rules.deck_size(); ++place) open.push_back(place);
  std::vector<std::uint8_t> rest;
  left.each([&](Kind kind, int count) {
    rest.insert(rest.end(), at(count), static_cast<std::uint8_t>(kind));
  });
  shuffle(rest, rng);
  for (std::size_t i = 0; i < open.size() && i < rest.size(); ++i) {
    table.pack[at(open[i])] = rest[i];
  }
}

}  // namespace

Table resampled(const Rules& rules, const Table& table, Seat viewer, Rng& rng) {
  Table other = table.phase == Phase::draw ? resample_draw(rules, table, viewer, rng)
                                           : World(rules, table, viewer).draw(rng);
  if (table.phase != Phase::draw && table.phase < Phase::play) {
    rewrite_pack(rules, other, viewer, rng);
  }
  // What is to come is as unknown as what is held.
  other.seed = rng.next();
  return other;
}

}  // namespace arena::tuolaji
