#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/seat.hpp"

namespace arena {

/// What happened. `audience` saw `text`; everybody else saw `redacted`, or
/// nothing at all where that is empty.
struct Event {
  std::string_view kind;  ///< a literal: "move", "phase", "foul", "deal", "reveal" …
  Seat seat = kSpectator;
  std::string text;
  SeatSet audience = SeatSet::first(kMaxSeats);
  bool open = true;  ///< spectators belong to the audience
  std::string redacted;

  const std::string& seen_by(Seat viewer) const {
    const bool sees = viewer == kSpectator ? open : audience.contains(viewer);
    return sees ? text : redacted;
  }
};

using Events = std::vector<Event>;

}  // namespace arena
