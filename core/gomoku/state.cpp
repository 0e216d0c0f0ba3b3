#include "gomoku/state.hpp"

#include <algorithm>

#include "base/json.hpp"

namespace arena::gomoku {
namespace {

/// Everything here is open to all. Text is made only for callers that want events.
void say(Events* events, const char* kind, Seat seat, std::string_view text) {
  if (events == nullptr) return;
  Event& event = events->emplace_back();
  event.kind = kind;
  event.seat = seat;
  event.text = text;
}

}  // namespace

GomokuState::GomokuState(const Context& context, Position position)
    : context_(&context), position_(std::move(position)) {
  if (position_.result) {
    phase_ = Phase::over;
    return;
  }
  expect_moves(128);  // random games take 110 moves
  go_to(position_.step);
  if (context.rules.claims() && position_.last >= 0) {
    // The foul of the last stone is what it made of the board without it.
    const Point p = position_.last;
    const Colour colour = position_.board.has(Colour::black, p) ? Colour::black : Colour::white;
    Board before = position_.board;
    before.take(colour, p);
    foul_ = context.judge.verdict(before, colour, p).foul;
  }
  settle();
}

Seat GomokuState::actor() const {
  if (phase_ == Phase::main) return position_.seat_of[index_of(position_.to_move)];
  switch (step().actor) {
    case Actor::seat0:
      return 0;
    case Actor::seat1:
      return 1;
    case Actor::black:
      return position_.seat_of[0];
    default:
      return position_.seat_of[1];
  }
}

void GomokuState::go_to(int step) {
  position_.step = step;
  phase_ = step < context_->steps() ? context_->protocol[static_cast<std::size_t>(step)].phase
                                    : Phase::main;
}

void GomokuState::finish(Termination termination, Seat winner) {
  position_.result = Result{termination, winner};
  phase_ = Phase::over;
}

void GomokuState::settle() {
  judged_ = -1;
  const Rules& rules = context_->rules;
  if (!position_.result) {
    if (spent()) {
      // A game that a claim can still decide is not drawn yet (document 001, rules 4 and 6).
      if (!may_claim() || foul_ == Foul::none) finish(spent_by(), -1);
    } else if (phase_ == Phase::main && !rules.may_pass && context_->barred(position_.to_move)) {
      const Colour colour = position_.to_move;
      if (all_forbidden(colour)) {
        finish(Termination::no_move, position_.seat_of[index_of(other(colour))]);
      }
    }
  }
  acting_ = position_.result ? SeatSet{} : SeatSet::of(actor());
}

bool GomokuState::all_forbidden(Colour colour) {
  const Board& board = position_.board;
  // A forbidden point needs four own stones within four cells on its lines, and a
  // stone is that near to 32 cells at most: with more than eight free points a stone
  // one can be played.
  if (context_->rules.cells() - board.count() > 8 * board.count(colour)) return false;
  if (witness_ >= 0 && witness_of_ == colour) return false;
  witness_ = -1;
  witness_of_ = colour;
  bool forbidden = true;
  const Points free = context_->everywhere.without(board.stones(Colour::black))
                          .without(board.stones(Colour::white));
  for (std::size_t i = 0; i < Points::kWords && forbidden; ++i) {
    for (std::uint64_t word = free.word(i); word != 0 && forbidden; word &= word - 1) {
      const Point p = static_cast<Point>(i) * 64 + std::countr_zero(word);
      if (context_->judge.quiet(board, colour, p)) {
        witness_ = p;
        forbidden = false;
      } else {
        forbidden = context_->judge.verdict(board, colour, p).foul != Foul::none;
      }
    }
  }
  return forbidden;
}

void GomokuState::put(Colour colour, Point p, Events* events) {
  const Verdict made = verdict(colour, p);
  position_.board.put(colour, p);
  for (std::optional<ForbiddenMap>& map : maps_) {
    if (map) map->stone(p);
  }
  if (witness_ >= 0 && position_.board.geometry().linked(witness_, p)) witness_ = -1;
  position_.last = p;
  position_.claimed = false;
  foul_ = Foul::none;
  const Seat seat = position_.seat_of[index_of(colour)];
  if (made.wins()) {
    finish(Termination::five, seat);
  } else if (made.foul != Foul::none) {
    if (context_->rules.enforcement == Enforcement::auto_loss) {
      finish(Termination::forbidden, 1 - seat);
      say(events, "foul", seat, gomoku::word(made.foul));
    }
    foul_ = made.foul;
  }
}

void GomokuState::claim(Seat seat, Events* events) {
  if (foul_ != Foul::none) {
    say(events, "foul", 1 - seat, gomoku::word(foul_));
    finish(Termination::forbidden_claimed, seat);
    return;
  }
  say(events, "foul", seat, "false_claim");
  position_.claimed = true;
  const int claims = ++position_.false_claims[static_cast<std::size_t>(seat)];
  switch (context_->rules.false_claim) {
    case FalseClaim::none:
      break;
    case FalseClaim::lose_move:
      position_.to_move = other(position_.to_move);
      break;
    case FalseClaim::technical_foul:
      if (claims >= context_->rules.false_claim_limit) finish(Termination::false_claim, 1 - seat);
      break;
    case FalseClaim::loss:
      finish(Termination::false_claim, 1 - seat);
      break;
  }
}

void GomokuState::play(Seat seat, const Move& move, Events* events) {
  if (events != nullptr) say(events, "move", seat, move_text(move, context_->rules.size));
  const Act act = act_of(move);
  const Phase before = phase_;
  switch (act) {
    case Act::place:
      if (before == Phase::main) {
        position_.to_move = other(position_.to_move);
        put(other(position_.to_move), argument_of(move), events);
      } else {
        const int next = step().next;
        put(due(), argument_of(move), events);
        go_to(next);
      }
      break;
    case Act::pass:
      if (spent()) {
        finish(spent_by(), -1);
        break;
      }
      if (position_.last == Position::kPassed) finish(Termination::two_passes, -1);
      position_.last = Position::kPassed;
      position_.claimed = false;
      foul_ = Foul::none;
      ++position_.passes;
      position_.to_move = other(position_.to_move);
      break;
    case Act::claim:
      claim(seat, events);
      break;
    case Act::black:
    case Act::white: {
      const Colour colour = act == Act::black ? Colour::black : Colour::white;
      position_.seat_of[index_of(colour)] = seat;
      position_.seat_of[index_of(other(colour))] = 1 - seat;
      go_to(context_->steps());
      break;
    }
    case Act::swap:
      std::swap(position_.seat_of[0], position_.seat_of[1]);
      go_to(step().next);
      break;
    case Act::stay:
    case Act::add:
      go_to(step().next);
      break;
    case Act::declare:
      position_.declared = argument_of(move);
      go_to(step().next);
      break;
    case Act::offer:
      position_.offers = offer_of(move);
      go_to(before == Phase::swap_or_offer ? step().after_offer : step().next);
      break;
    case Act::pick:
      position_.offers = Offer{};
      position_.declared = 0;
      put(Colour::black, argument_of(move), events);
      if (!position_.result) go_to(context_->steps());
      break;
  }
  if (before != Phase::main && phase_ == Phase::main) {
    position_.to_move = position_.board.count() % 2 == 0 ? Colour::black : Colour::white;
  }
  settle();
}

std::optional<Outcome> GomokuState::outcome() const {
  if (!position_.result) return std::nullopt;
  Outcome outcome;
  outcome.termination = position_.result->termination;
  outcome.sides = {0, 1};
  outcome.roles = roles();
  const Seat winner = position_.result->winner;
  if (winner < 0) {
    outcome.scores = {0.5, 0.5};
    outcome.places = {1, 1};
  } else {
    outcome.scores = winner == 0 ? std::vector{1.0, 0.0} : std::vector{0.0, 1.0};
    outcome.places = winner == 0 ? std::vector{1, 2} : std::vector{2, 1};
  }
  return outcome;
}

std::vector<std::string> GomokuState::roles() const {
  return {std::string(gomoku::word(position_.colour_of(0))),
          std::string(gomoku::word(position_.colour_of(1)))};
}

std::string board_text(const Board& board) {
  std::string text;
  for (int row = board.size() - 1; row >= 0; --row) {
    for (int column = 0; column < board.size(); ++column) {
      const Point p = row * board.size() + column;
      text += board.has(Colour::black, p) ? 'b' : board.has(Colour::white, p) ? 'w' : '.';
    }
    if (row > 0) text += '/';
  }
  return text;
}

std::string GomokuState::observe(Seat) const {
  JsonWriter json;
  json.begin_object();
  json.member("size", context_->rules.size);
  json.member("board", board_text(position_.board));
  json.member("phase", gomoku::word(phase_));
  json.key("to_act");
  acting_.empty() ? json.null() : json.value(acting_.lowest());
  json.key("colour");
  const bool stone_due = phase_ == Phase::place || phase_ == Phase::main;
  stone_due ? json.value(gomoku::word(due())) : json.null();
  json.key("roles").begin_array();
  for (const std::string& role : roles()) json.value(role);
  json.end_array();
  json.member("stones", position_.board.count());
  json.member("moves", position_.board.count() + position_.passes);
  json.member("passes", position_.passes);
  json.key("last");
  if (position_.last >= 0) {
    json.value(text(position_.last));
  } else if (position_.last == Position::kPassed) {
    json.value("pass");
  } else {
    json.null();
  }
  json.member("claim", may_claim());
  json.key("declared");
  position_.declared != 0 ? json.value(position_.declared) : json.null();
  json.key("owed");
  const bool owes = phase_ == Phase::offer || phase_ == Phase::swap_or_offer;
  owes ? json.value(owed()) : json.null();
  json.key("offers").begin_array();
  for (int i = 0; i < position_.offers.count; ++i) json.value(text(position_.offers.at(i)));
  json.end_array();
  json.key("false_claims").begin_array();
  for (const int claims : position_.false_claims) json.value(claims);
  json.end_array();
  json.end_object();
  return json.take();
}

std::string GomokuState::setup() const { return write_setup(*context_, position_, phase_); }

}  // namespace arena::gomoku
