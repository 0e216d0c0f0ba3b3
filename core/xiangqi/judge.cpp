#include "xiangqi/judge.hpp"

#include "xiangqi/threats.hpp"

namespace arena::xiangqi {
namespace {

/// What all steps of a side had in common.
struct Conduct {
  bool checks = true;         ///< every step gave check
  bool attacks = true;        ///< every step gave check or threatened mate
  Men chased = ~Men{0};       ///< chased by every step
  Men chased_else = ~Men{0};  ///< chased by every step that is no check and no mate threat
};

Men newly_threatened(const Position& before, const Position& after, const Roll& roll_before,
                     const Roll& roll_after) {
  const Side side = before.to_move();
  // A general may chase for ever, so its step counts only for the lines that it opens, not for
  // pins and protection that it changes.
  const bool stepped = before.general(side) != after.general(side);
  const Threats old = stepped ? attacks(before, roll_before) : threats(before, roll_before, side);
  const Threats now = threats(after, roll_after, side);
  Men men = 0;
  for (std::size_t i = 0; i < now.size(); ++i) men |= now[i] & ~old[i];
  return men;
}

Fault fault(Code code, const Conduct& conduct) {
  if (conduct.checks) return Fault::check;
  switch (code) {
    case Code::ucci_league:
    case Code::axf:
      return conduct.chased != 0 ? Fault::chase : Fault::none;
    case Code::cxa:
      if (conduct.attacks) return Fault::threat;
      return conduct.chased_else != 0 ? Fault::chase : Fault::none;
    default:
      return Fault::none;
  }
}

Termination termination_of(Fault fault) {
  switch (fault) {
    case Fault::check:
      return Termination::perpetual_check;
    case Fault::threat:
      return Termination::perpetual_threat;
    case Fault::chase:
      return Termination::perpetual_chase;
    default:
      return Termination::repetition;
  }
}

}  // namespace

Verdict judge(Code code, const Position& begin, std::span<const Step> cycle) {
  Verdict verdict{Termination::repetition, std::nullopt, {}};
  if (code == Code::draw) return verdict;
  std::array<Conduct, 2> conduct{};
  Position now = begin;
  Roll roll(begin);
  for (const Step step : cycle) {
    const Position before = now;
    const Roll roll_before = roll;
    now.play(step);
    roll.move(step);
    Conduct& own = conduct[index_of(before.to_move())];
    const bool check = now.in_check();
    own.checks &= check;
    if (code == Code::perpetual_check_only) continue;
    const Men chased = code == Code::ucci_league ? league_chase(now, roll, step)
                                                 : newly_threatened(before, now, roll_before, roll);
    own.chased &= chased;
    if (code != Code::cxa) continue;
    const bool attack = check || threatens_mate(now, before.to_move());
    own.attacks &= attack;
    if (!attack) own.chased_else &= chased;
  }
  for (std::size_t side = 0; side < 2; ++side) verdict.faults[side] = fault(code, conduct[side]);
  const auto [red, black] = verdict.faults;
  if (red == black) return verdict;
  verdict.loser = red > black ? Side::red : Side::black;
  verdict.termination = termination_of(red > black ? red : black);
  return verdict;
}

}  // namespace arena::xiangqi
