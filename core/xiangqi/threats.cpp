#include "xiangqi/threats.hpp"

namespace arena::xiangqi {
namespace {

bool crossed(Man soldier, Point p) { return red_half(p) != (side_of(soldier) == Side::red); }

/// Whether winning this man can be a chase at all.
bool chaseable(Man man, Point p) {
  const Kind kind = kind_of(man);
  if (kind == Kind::none || kind == Kind::general) return false;
  return kind != Kind::soldier || crossed(man, p);
}

bool stronger(Kind victim, Kind attacker) {
  const bool chariot = victim == Kind::chariot;
  if (attacker == Kind::horse || attacker == Kind::cannon) return chariot;
  if (attacker == Kind::advisor || attacker == Kind::elephant) {
    return chariot || victim == Kind::horse || victim == Kind::cannon;
  }
  return false;
}

/// Whether the man on `p` may not leave because its general would be attacked. Of a general that
/// is in check already nobody is pinned, so that its side's threats stand.
bool pinned(const Position& position, Point p) {
  const Side side = side_of(position.at(p));
  Position without = position;
  without.take(p);
  return without.general_attacked(side) && !position.general_attacked(side);
}

bool can_take(const Position& position, Point target) {
  StepList replies;
  position.list_legal(replies);
  for (const Step reply : replies) {
    if (reply.to == target) return true;
  }
  return false;
}

}  // namespace

Roll::Roll(const Position& position) {
  std::uint8_t number = 0;
  for (Point p = 0; p < kPoints; ++p) {
    if (position.at(p) != kEmpty) numbers_[static_cast<std::size_t>(p)] = number++;
  }
}

Threats threats(const Position& position, const Roll& roll, Side side) {
  Threats found{};
  Position attack = position;
  attack.set_to_move(side);
  Position defence = position;
  defence.set_to_move(other(side));
  StepList steps;
  attack.list_moves(steps);
  for (const Step step : steps) {
    const Man victim = attack.at(step.to);
    const Man attacker = attack.at(step.from);
    const Kind kind = kind_of(attacker);
    if (!chaseable(victim, step.to)) continue;
    if (kind == Kind::general || kind == Kind::soldier) continue;
    if (pinned(attack, step.from)) continue;
    const Step back{step.to, step.from};
    if (kind == kind_of(victim) && defence.legal(back)) continue;
    bool wins = stronger(kind_of(victim), kind);
    if (!wins) {
      Position after = attack;
      after.play(step);
      wins = !can_take(after, step.to);
    }
    if (wins) found[roll.at(step.from)] |= Men{1} << roll.at(step.to);
  }
  return found;
}

Threats attacks(const Position& position, const Roll& roll) {
  Threats found{};
  StepList steps;
  position.list_moves(steps);
  for (const Step step : steps) {
    if (position.at(step.to) == kEmpty) continue;
    found[roll.at(step.from)] |= Men{1} << roll.at(step.to);
  }
  return found;
}

bool threatens_mate(const Position& position, Side side) {
  Position now = position;
  now.set_to_move(side);
  StepList steps;
  now.list_legal(steps);
  for (const Step step : steps) {
    const Man captured = now.play(step);
    const bool mate = now.is_mate();
    now.undo(step, captured);
    if (mate) return true;
  }
  return false;
}

Men league_chase(const Position& position, const Roll& roll, Step step) {
  Position attack = position;
  attack.pass();
  const Kind attacker = kind_of(attack.at(step.to));
  if (attacker != Kind::horse && attacker != Kind::cannon && attacker != Kind::chariot) return 0;
  Men chased = 0;
  StepList steps;
  attack.list_moves(steps);
  for (const Step capture : steps) {
    if (capture.from != step.to) continue;
    const Man victim = attack.at(capture.to);
    if (!chaseable(victim, capture.to)) continue;
    const Kind kind = kind_of(victim);
    if (kind == attacker || kind == Kind::advisor || kind == Kind::elephant) continue;
    if (attacker == Kind::chariot) {
      const bool along_rank = rank_of(step.from) == rank_of(step.to);
      if ((rank_of(capture.to) == rank_of(capture.from)) == along_rank) continue;
    } else if (kind == Kind::chariot) {
      chased |= Men{1} << roll.at(capture.to);
      continue;
    }
    Position after = attack;
    after.play(capture);
    StepList replies;
    after.list_moves(replies);
    bool guarded = false;
    for (const Step reply : replies) guarded |= reply.to == capture.to;
    if (!guarded) chased |= Men{1} << roll.at(capture.to);
  }
  return chased;
}

}  // namespace arena::xiangqi
