#include "siguo/position.hpp"

#include <algorithm>

namespace arena::siguo {

std::optional<Step> decode_step(const Move& move) {
  const std::uint64_t word = move.words[0];
  if (word >> kVerbShift != static_cast<std::uint64_t>(Verb::step)) return std::nullopt;
  const std::uint64_t from = (word >> 8) & 0xFF, to = word & 0xFF;
  if ((word & 0x00FF'FFFF'FFFF'0000) != 0 || from >= kNodes || to >= kNodes) return std::nullopt;
  if ((move.words[1] | move.words[2] | move.words[3]) != 0) return std::nullopt;
  return Step{static_cast<Node>(from), static_cast<Node>(to)};
}

Position::Position() {
  at.fill(kNobody);
  where.fill(kNowhere);
  start.fill(kNowhere);
}

void Position::place(const Rules& rules, Seat seat, const Layout& layout) {
  const bool bright = rules.visibility == Visibility::bright;
  size[idx(seat)] = kSlots;
  for (int slot = 0; slot < kSlots; ++slot) {
    const Unit unit = unit_of(seat, slot);
    rank[unit] = layout[idx(slot)];
    owner[unit] = static_cast<std::uint8_t>(seat);
    seen[unit] = static_cast<std::uint8_t>(1U << seat);
    start[unit] = slot_node(rules.home(seat), slot);
    could[unit] = bright ? bit(rank[unit]) : may_begin(start[unit]);
  }
  placed.add(seat);
}

void Position::begin(const Rules& rules) {
  placing = false;
  for (Seat seat = 0; seat < rules.seats; ++seat) {
    for (int slot = 0; slot < kSlots; ++slot) {
      const Unit unit = unit_of(seat, slot);
      where[unit] = start[unit];
      at[start[unit]] = unit;
    }
  }
  index(rules);
  settle(rules);
}

bool Position::locked(const Rules& rules, Node node, Seat seat) const {
  if (!is_headquarters(node)) return false;
  return rules.hq_locks == HqLocks::any ||
         (rules.hq_locks == HqLocks::own_only && rules.home(seat) == home_of(node));
}

void Position::set_mobile(const Rules& rules, Unit unit) {
  const Seat seat = owner[unit];
  const bool can = alive(unit) && in(seat) && (bit(rank[unit]) & kRooted) == 0 &&
                   !locked(rules, where[unit], seat);
  std::uint32_t& mask = mobile[idx(seat)][idx(army_of(unit))];
  const std::uint32_t flag = 1U << (unit % kSlots);
  mask = can ? mask | flag : mask & ~flag;
}

void Position::index(const Rules& rules) {
  mobile = {};
  held = {};
  held_lines = {};
  for (Unit unit = 0; unit < kUnits; ++unit) {
    if (!alive(unit)) continue;
    set_mobile(rules, unit);
    flip(rules, owner[unit], where[unit]);
  }
}

void Position::flip(const Rules& rules, Seat seat, Node node) {
  const std::size_t team = idx(rules.team(seat));
  held[team].flip(node);
  for (const Stop& stop : rules.board.stops(node)) {
    held_lines[team][stop.line] ^= stop.bit;
  }
}

void Position::enter(const Rules& rules, Unit unit, Node node) {
  at[node] = unit;
  flip(rules, owner[unit], node);
}

void Position::leave(const Rules& rules, Node node) {
  flip(rules, owner[at[node]], node);
  at[node] = kNobody;
}

RankSet Position::usual(const Rules& rules, Unit unit) const {
  if (rules.visibility == Visibility::bright) return bit(rank[unit]);
  const RankSet ranks = start[unit] == kNowhere ? kAnyRank : may_begin(start[unit]);
  return moves[unit] > 0 ? static_cast<RankSet>(ranks & ~kRooted) : ranks;
}

Unit Position::standing_flag(Seat army) const {
  for (int number = 0; number < size[idx(army)]; ++number) {
    const Unit unit = unit_of(army, number);
    if (rank[unit] == kFlag) return alive(unit) ? unit : kNobody;
  }
  return kNobody;
}

Told Position::told(const Fight& fight, bool attacker) const {
  if (!(attacker ? fight.told_attacker : fight.told_defender)) return Told::nothing;
  const Unit unit = attacker ? fight.attacker : fight.defender;
  return rank[unit] == kCommander ? Told::commander : Told::other;
}

void Position::lose(const Rules& rules, Unit unit) {
  if (at[where[unit]] == unit) leave(rules, where[unit]);
  where[unit] = kNowhere;
  mobile[owner[unit]][idx(army_of(unit))] &= ~(1U << (unit % kSlots));
}

void Position::resolve(const Rules& rules, Unit attacker, Unit defender, Node node) {
  Fight& fight = fights[fought++];
  fight.ply = static_cast<std::uint16_t>(std::min<std::uint32_t>(ply, 0xFFFF));
  fight.attacker = attacker;
  fight.defender = defender;
  fight.at = node;
  fight.result = rules.combat(rank[attacker], rank[defender]);
  const bool attacker_lost = fight.result != Result::attacker;
  const bool defender_lost = fight.result != Result::defender;
  fight.flag_taken = defender_lost && rank[defender] == kFlag;
  // The death of a commander shows a flag that stands; with no flag left it shows nothing.
  for (const bool first : {true, false}) {
    const Unit unit = first ? attacker : defender;
    if (!(first ? attacker_lost : defender_lost) || !rules.commander_reveals_flag) continue;
    if (!first && fight.flag_taken) continue;
    const Unit flag = standing_flag(army_of(unit));
    if (flag == kNobody) continue;
    (first ? fight.told_attacker : fight.told_defender) = true;
    if (rank[unit] == kCommander) show(flag);
  }
  if (rules.visibility == Visibility::half_bright) show(defender);
  if (rules.disclosure == Disclosure::ranks) {
    show(attacker);
    show(defender);
  }
  if (attacker_lost) lose(rules, attacker);
  if (defender_lost) lose(rules, defender);
}

void Position::advance(const Rules& rules, Step step) {
  const Unit unit = at[step.from];
  const Unit target = at[step.to];
  ++ply;
  // Roads and straight railways are open to all: only a turn shows an engineer.
  if (rank[unit] == kEngineer && !plain_step(rules, step)) show(unit);
  if (moves[unit] < 0xFFFF) ++moves[unit];
  could[unit] &= static_cast<RankSet>(~kRooted);
  leave(rules, step.from);
  where[unit] = step.to;
  if (target == kNobody) {
    ++quiet;
    enter(rules, unit, step.to);
  } else {
    quiet = 0;
    const Seat captor = owner[unit], victim = army_of(target);
    resolve(rules, unit, target, step.to);
    if (alive(unit)) enter(rules, unit, step.to);
    if (fights[fought - 1U].flag_taken && in(victim)) drop_out(rules, victim, Fall::flag, captor);
  }
  if (alive(unit) && is_headquarters(step.to)) set_mobile(rules, unit);
  pass_turn(rules);
}

void Position::time_out(const Rules& rules) {
  const Seat seat = turn;
  ++ply;
  if (++timeouts[idx(seat)] == rules.timeout_limit) drop_out(rules, seat, Fall::timeouts, -1);
  pass_turn(rules);
}

void Position::resign(const Rules& rules) {
  ++ply;
  drop_out(rules, turn, Fall::resigned, -1);
  pass_turn(rules);
}

void Position::drop_out(const Rules& rules, Seat seat, Fall reason, Seat captor) {
  fall[idx(seat)] = reason;
  fell[fallen++] = static_cast<std::uint8_t>(seat);
  bool removed = false;
  for (Unit unit = 0; unit < kUnits; ++unit) {
    if (owner[unit] != seat || !alive(unit)) continue;
    if (rules.eliminated == Eliminated::stay) continue;
    if (rules.eliminated == Eliminated::to_captor && captor >= 0) {
      flip(rules, seat, where[unit]);
      flip(rules, captor, where[unit]);
      owner[unit] = static_cast<std::uint8_t>(captor);
      seen[unit] |= static_cast<std::uint8_t>(1U << captor);
      set_mobile(rules, unit);
    } else {
      lose(rules, unit);
      removed = true;
    }
  }
  mobile[idx(seat)] = {};
  if (removed && rules.quiet_reset == QuietReset::any_removal) quiet = 0;
}

void Position::pass_turn(const Rules& rules) {
  if (over(rules)) return;
  turn = static_cast<std::uint8_t>(rules.after(turn));
  find_mover(rules);
}

void Position::settle(const Rules& rules) {
  if (!over(rules)) find_mover(rules);
}

void Position::find_mover(const Rules& rules) {
  for (int passed = 0;; turn = static_cast<std::uint8_t>(rules.after(turn))) {
    if (!in(turn)) continue;
    if (can_move(rules)) return;
    note_stuck(rules);
    if (rules.no_move == NoMove::eliminated) {
      drop_out(rules, turn, Fall::no_move, -1);
    } else if (++passed == rules.seats - fallen) {
      stuck = true;
    }
    if (over(rules)) {
      turn = static_cast<std::uint8_t>(rules.after(turn));
      return;
    }
  }
}

bool Position::has_room(const Rules& rules, Unit unit) const {
  const Seat seat = owner[unit];
  for (const Node node : rules.board.neighbours(where[unit])) {
    if (enterable(rules, seat, node)) return true;
  }
  return false;
}

bool Position::can_move(const Rules& rules) {
  const Seat seat = turn;
  bool found = false;
  for (Seat army = 0; army < rules.seats; ++army) {
    for (std::uint32_t mask = mobile[idx(seat)][idx(army)]; mask != 0; mask &= mask - 1) {
      const Unit unit = unit_of(army, std::countr_zero(mask));
      if (!has_room(rules, unit)) continue;
      if ((could[unit] & kRooted) == 0) return true;
      found = true;
    }
  }
  if (!found) return false;
  // Everybody sees that the seat has a move. Where one unit only can be the reason, that one is
  // neither mine nor flag.
  Unit reason = kNobody;
  for (Unit unit = 0; unit < kUnits; ++unit) {
    if (owner[unit] != seat || !alive(unit) || locked(rules, where[unit], seat)) continue;
    if ((could[unit] & ~kRooted) == 0 || !has_room(rules, unit)) continue;
    if (reason != kNobody) return true;
    reason = unit;
  }
  could[reason] &= static_cast<RankSet>(~kRooted);
  return true;
}

/// A seat without a legal move: what has room to move must be rooted to its place.
void Position::note_stuck(const Rules& rules) {
  for (Unit unit = 0; unit < kUnits; ++unit) {
    if (owner[unit] != turn || !alive(unit) || locked(rules, where[unit], turn)) continue;
    if (has_room(rules, unit)) could[unit] &= kRooted;
  }
}

bool Position::plain_step(const Rules& rules, Step step) const {
  for (const Node node : rules.board.neighbours(step.from)) {
    if (node == step.to) return true;
  }
  for (const Ray& ray : rules.board.rays(step.from)) {
    for (int i = 0; i < ray.length; ++i) {
      if (ray.nodes[idx(i)] == step.to) return true;
      if (at[ray.nodes[idx(i)]] != kNobody) break;
    }
  }
  return false;
}

int Position::winner(const Rules& rules) const {
  int team = -1;
  for (Seat seat = 0; seat < rules.seats; ++seat) {
    if (!in(seat)) continue;
    if (team >= 0 && rules.team(seat) != team) return -1;
    team = rules.team(seat);
  }
  return team;
}

int Position::quiet_plies(const Rules& rules) const {
  return rules.quiet_limit * (rules.quiet_unit == QuietUnit::ply ? 1 : rules.seats - fallen);
}

std::optional<Termination> Position::ending(const Rules& rules) const {
  if (placing) return std::nullopt;
  if (fallen > 0 && winner(rules) >= 0) {
    switch (fall[fell[fallen - 1U]]) {
      case Fall::flag:
        return Termination::flag_captured;
      case Fall::timeouts:
        return Termination::timeout_limit;
      case Fall::resigned:
        return Termination::resignation;
      default:
        return Termination::no_move;
    }
  }
  if (stuck) return Termination::no_move;
  const int limit = quiet_plies(rules);
  if (limit > 0 && quiet >= limit) return Termination::quiet_limit;
  if (rules.turn_cap > 0 && ply >= static_cast<std::uint32_t>(rules.turn_cap * rules.seats)) {
    return Termination::turn_cap;
  }
  return std::nullopt;
}

}  // namespace arena::siguo
