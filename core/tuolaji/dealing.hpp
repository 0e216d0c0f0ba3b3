#pragma once
#include "tuolaji/table.hpp"

namespace arena::tuolaji {

/// Shuffles and starts drawing. Who draws first and who deals stand in the table, apart from
/// an opening hand's first drawer.
void deal(const Rules& rules, Table& table, Events* events);
/// Goes on drawing, or asking, until somebody owes an answer.
void go_on(const Rules& rules, Table& table, Events* events);
/// A seat's answer in phases draw, choose, rebel, bury and rekitty.
void answer(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events);

/// A play, the end of a trick, of a hand, of a match.
void play(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events);

/// A ruling that `refuse_ruling` accepts.
void fine(const Rules& rules, Table& table, Seat seat, const Deed& deed, Events* events);

/// An event that everybody sees.
inline Event public_event(const char* kind, Seat seat, std::string text) {
  return {.kind = kind, .seat = seat, .text = std::move(text), .redacted = {}};
}
/// An event whose text only some seats see.
inline Event private_event(const char* kind, Seat seat, std::string text, SeatSet audience,
                           std::string redacted = {}) {
  return {.kind = kind,
          .seat = seat,
          .text = std::move(text),
          .audience = audience,
          .open = false,
          .redacted = std::move(redacted)};
}

}  // namespace arena::tuolaji
