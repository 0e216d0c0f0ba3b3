#include "siguo/state.hpp"

namespace arena::siguo {
namespace {

constexpr std::string_view kLayout = "layout ";
constexpr std::string_view kTimeout = "timeout";
constexpr std::string_view kResign = "resign";

Illegal refuse(IllegalReason reason, std::string detail, std::string message) {
  return {reason, std::move(detail), std::move(message)};
}

}  // namespace

std::string move_text(const Move& move) {
  if (move == timeout_move()) return std::string(kTimeout);
  if (move == resign_move()) return std::string(kResign);
  if (const auto layout = decode_layout(move)) return std::string(kLayout) + layout_text(*layout);
  const auto step = decode_step(move);
  return step ? node_name(step->from) + '-' + node_name(step->to) : "?";
}

std::variant<Move, Illegal> SiguoState::parse(Seat, std::string_view text) const {
  if (text == kTimeout) return timeout_move();
  const std::string shown(text.substr(0, 60));
  if (text.starts_with(kLayout)) {
    if (const auto layout = read_layout(text.substr(kLayout.size()))) return encode(*layout);
    return refuse(IllegalReason::syntax, "",
                  "'" + shown +
                      "' is no line-up: six rows of five from the front, camps as points, such as "
                      "layout " +
                      layout_text(book_layout(0)));
  }
  if (text.size() == 7 && text[3] == '-') {
    const auto from = rules_->board.find(text.substr(0, 3));
    const auto to = rules_->board.find(text.substr(4));
    if (from && to) return encode(Step{*from, *to});
    return refuse(IllegalReason::off_board, shown.substr(from ? 4 : 0, 3),
                  "'" + shown.substr(from ? 4 : 0, 3) +
                      "' is no point of this board: home, row from the front and column from its "
                      "owner's left as S35, or column and row of the centre as C12");
  }
  return refuse(IllegalReason::syntax, "",
                "'" + shown + "' is no move: write " +
                    (position_.placing ? "layout and six rows" : "S35-S25, from and to"));
}

std::optional<Illegal> SiguoState::refusal(Seat seat, const Move& move) const {
  if (const auto layout = decode_layout(move)) {
    if (position_.placing) return layout_fault(*layout);
    return refuse(IllegalReason::wrong_phase, "play",
                  "the units are placed: a move such as S35-S25 is wanted");
  }
  const auto step = decode_step(move);
  const bool timeout = move == timeout_move();
  if (!step && !timeout) return refuse(IllegalReason::syntax, "", "these bits are no move");
  if (position_.placing) {
    return refuse(IllegalReason::wrong_phase, "layout",
                  move_text(move) + ": the units are still being placed: layout and six rows");
  }
  if (step) return step_fault(seat, *step);
  if (rules_->timeout_limit > 0) return std::nullopt;
  return refuse(IllegalReason::pass_not_allowed, "",
                "timeout: these rules let no turn pass; timeout_limit is null");
}

std::variant<Move, Illegal> SiguoState::ruling(Seat seat, std::string_view text) const {
  if (text != kResign) {
    return refuse(IllegalReason::syntax, "",
                  "'" + std::string(text.substr(0, 60)) + "' is no ruling of this game: resign");
  }
  if (position_.placing) {
    return refuse(IllegalReason::wrong_phase, "layout",
                  "resign: the units are still being placed, so that there is nothing to leave");
  }
  if (auto turn = turn_error(seat)) return std::move(*turn);
  return resign_move();
}

std::optional<Illegal> SiguoState::step_fault(Seat seat, Step step) const {
  const Position& position = position_;
  const Board& board = rules_->board;
  const std::string text = node_name(step.from) + '-' + node_name(step.to);
  if (!board.exists(step.from) || !board.exists(step.to)) {
    return refuse(IllegalReason::off_board, "", text + ": a point of a home that is not in use");
  }
  const Unit unit = position.at[step.from];
  if (unit == kNobody || position.owner[unit] != seat) {
    return refuse(
        IllegalReason::not_your_piece, node_name(step.from),
        text + ": seat " + std::to_string(seat) + " has nothing on " + node_name(step.from));
  }
  if ((bit(position.rank[unit]) & kRooted) != 0) {
    return refuse(IllegalReason::immobile, "rank", text + ": mines and flags never move");
  }
  if (position.locked(*rules_, step.from, seat)) {
    return refuse(IllegalReason::immobile, "headquarters",
                  text + ": what stands in a headquarters does not move again");
  }
  const Unit target = position.at[step.to];
  if (target != kNobody && rules_->friends(position.owner[target], seat)) {
    return refuse(IllegalReason::occupied, node_name(step.to),
                  text + ": a unit of one's own side stands on " + node_name(step.to));
  }
  if (target != kNobody && is_camp(step.to)) {
    return refuse(IllegalReason::in_camp, node_name(step.to),
                  text + ": what stands in a camp cannot be attacked");
  }
  Steps found;
  unit_steps(*rules_, position, unit, found);
  for (const Step& legal : found) {
    if (legal.to == step.to) return std::nullopt;
  }
  return refuse(IllegalReason::unreachable, node_name(step.to),
                text + ": one step along a road, or a free railway, straight or round a curve" +
                    (position.rank[unit] == kEngineer ? " or, for engineers, any way" : ""));
}

void SiguoState::play(Seat seat, const Move& move, Events* events) {
  cache_.steps.reset();
  const std::uint8_t fallen = position_.fallen;
  if (const auto layout = decode_layout(move)) {
    position_.place(*rules_, seat, *layout);
    const bool last = position_.placed.size() == rules_->seats;
    if (last) position_.begin(*rules_);
    if (events != nullptr) {
      events->push_back({"layout", seat, move_text(move), SeatSet::of(seat), false, "placed"});
      if (last)
        events->push_back({"phase", kSpectator, "play", SeatSet::first(kMaxSeats), true, ""});
      tell_falls(fallen, *events);
    }
    return;
  }
  if (const auto step = decode_step(move)) {
    if (events == nullptr) {
      position_.advance(*rules_, *step);
      return;
    }
    const Position before = position_;
    position_.advance(*rules_, *step);
    events->push_back({"move", seat, move_text(move), SeatSet::first(kMaxSeats), true, ""});
    tell_step(before, *step, *events);
  } else {
    const bool timeout = move == timeout_move();
    timeout ? position_.time_out(*rules_) : position_.resign(*rules_);
    if (events != nullptr) {
      // A literal: an event's kind is only looked at, not kept.
      const std::string_view kind = timeout ? kTimeout : kResign;
      events->push_back({kind, seat, std::string(kind), SeatSet::first(kMaxSeats), true, ""});
    }
  }
  if (events != nullptr) tell_falls(fallen, *events);
}

/// The fight of a step, and what it showed to everybody.
void SiguoState::tell_step(const Position& before, Step step, Events& events) const {
  const auto say = [&](const char* kind, Seat seat, std::string text) {
    events.push_back({kind, seat, std::move(text), SeatSet::first(kMaxSeats), true, ""});
  };
  const Position& now = position_;
  if (now.fought > before.fought) {
    const Fight& fight = now.fights[before.fought];
    say("fight", before.owner[fight.attacker],
        node_name(step.from) + 'x' + node_name(step.to) + ' ' +
            std::string(result_word(fight.result)) + (fight.flag_taken ? " flag" : ""));
  }
  for (Unit unit = 0; unit < kUnits; ++unit) {
    const bool shown =
        std::has_single_bit(now.could[unit]) && now.could[unit] == bit(now.rank[unit]);
    if (!shown || std::has_single_bit(before.could[unit])) continue;
    const Node node =
        before.at[step.from] == unit && now.alive(unit) ? step.to : before.where[unit];
    say("reveal", before.owner[unit],
        std::string(1, kRankLetters[now.rank[unit]]) + ' ' + node_name(node));
  }
}

void SiguoState::tell_falls(std::uint8_t before, Events& events) const {
  for (std::uint8_t i = before; i < position_.fallen; ++i) {
    const Seat seat = position_.fell[i];
    events.push_back({"out", seat, std::string(fall_word(position_.fall[idx(seat)])),
                      SeatSet::first(kMaxSeats), true, ""});
  }
}

}  // namespace arena::siguo
