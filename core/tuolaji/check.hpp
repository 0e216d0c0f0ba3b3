#pragma once
#include "tuolaji/follow.hpp"
#include "tuolaji/table.hpp"

namespace arena::tuolaji {

/// Why a seat that is to act may not do this; nothing where it may. Total.
std::optional<Illegal> refuse(const Rules& rules, const Table& table, Seat seat, const Deed& deed);

/// Why a referee may not rule this against a seat; nothing where he may.
std::optional<Illegal> refuse_ruling(const Rules& rules, const Table& table, Seat seat,
                                     const Deed& deed);

/// The deed that a text means: extra tokens dropped, the name of a default reading left out.
void normalise(const Rules& rules, const Table& table, Seat seat, Deed& deed);

/// Whether a set of cards may follow a lead, from a hand that holds them.
bool may_follow(const Rules& rules, const Order& order, const Lead& lead, const Cards& hand,
                const Cards& cards);

/// A random legal move of a seat that is to act; every one is possible.
Deed sample(const Rules& rules, const Table& table, Seat seat, Rng& rng);

/// The moves that are listed, and whether these are all.
struct Listed {
  std::vector<Move> moves;
  bool complete = false;
};
Listed list(const Rules& rules, const Table& table, Seat seat);

}  // namespace arena::tuolaji
