// What may be played: refusals, the list of moves, and sampling.
#include <algorithm>

#include "gomoku/state.hpp"

namespace arena::gomoku {
namespace {

/// How many offers are listed at most; the rest can be played, not listed.
constexpr std::size_t kListedOffers = 64;

}  // namespace

std::variant<Move, Illegal> GomokuState::parse(Seat, std::string_view text) const {
  return parse_move(text, context_->rules.size);
}

bool GomokuState::fits_phase(Act act) const {
  switch (phase_) {
    case Phase::main:
      return act == Act::place || act == Act::pass || act == Act::claim;
    case Phase::place:
      return act == Act::place;
    case Phase::swap:
      return act == Act::swap || act == Act::stay;
    case Phase::choose:
      return act == Act::black || act == Act::white || (act == Act::add && step().may_add);
    case Phase::declare:
      return act == Act::declare;
    case Phase::offer:
      return act == Act::offer;
    case Phase::swap_or_offer:
      return act == Act::swap || act == Act::stay || act == Act::offer;
    case Phase::pick:
      return act == Act::pick;
    case Phase::over:
      return false;
  }
  return false;
}

std::string GomokuState::moves_of_phase() const {
  switch (phase_) {
    case Phase::main:
      if (spent()) return "claim, pass";
      return std::string("a point") + (context_->rules.may_pass ? ", pass" : "") +
             (may_claim() ? ", claim" : "");
    case Phase::place:
      return "a point for a " + std::string(gomoku::word(due())) + " stone";
    case Phase::swap:
      return "swap, stay";
    case Phase::choose:
      return step().may_add ? "black, white, add" : "black, white";
    case Phase::declare:
      return "declare 1 to declare " + std::to_string(context_->rules.opening_n);
    case Phase::offer:
      return "offer with " + std::to_string(owed()) + " points";
    case Phase::swap_or_offer:
      return "swap, stay, offer with " + std::to_string(owed()) + " points";
    case Phase::pick:
      return "pick of an offered point";
    case Phase::over:
      return "none";
  }
  return "none";
}

std::optional<Illegal> GomokuState::refusal(Seat, const Move& move) const {
  const std::uint64_t act_number = act_bits(move);
  const bool offer = act_number == static_cast<std::uint64_t>(Act::offer);
  const bool tidy = move.words[3] == 0 && (offer || (move.words[1] == 0 && move.words[2] == 0));
  const bool pointed = act_number == static_cast<std::uint64_t>(Act::place) ||
                       act_number == static_cast<std::uint64_t>(Act::pick);
  const int argument = argument_of(move);
  const bool bare =
      !pointed && !offer && act_number != static_cast<std::uint64_t>(Act::declare) && argument != 0;
  if (act_number >= kActs || !tidy || bare || (pointed && argument >= context_->rules.cells())) {
    return Illegal{IllegalReason::syntax, "", "the value is not a move of this board"};
  }
  const Act act = act_of(move);
  if (!fits_phase(act)) {
    return Illegal{IllegalReason::wrong_phase, "phase=" + std::string(gomoku::word(phase_)),
                   "'" + move_text(move, context_->rules.size) + "' does not belong to phase " +
                       std::string(gomoku::word(phase_)) + "; it takes: " + moves_of_phase()};
  }
  switch (act) {
    case Act::place:
      return refuse_place(argument);
    case Act::pass:
      return refuse_pass();
    case Act::claim:
      return refuse_claim();
    case Act::declare:
      return refuse_declare(argument);
    case Act::offer:
      return refuse_offer(move);
    case Act::pick:
      return refuse_pick(argument);
    default:
      return std::nullopt;
  }
}

std::optional<Illegal> GomokuState::refuse_place(Point p) const {
  const Board& board = position_.board;
  if (!board.empty(p)) {
    return Illegal{
        IllegalReason::occupied, text(p),
        text(p) + " holds a " +
            std::string(gomoku::word(board.has(Colour::black, p) ? Colour::black : Colour::white)) +
            " stone; play a free point"};
  }
  if (spent()) {
    return Illegal{IllegalReason::wrong_phase, "phase=main",
                   text(p) + ": no stone is left to put; it takes: " + moves_of_phase()};
  }
  if (centre_due() && p != context_->rules.centre()) {
    const std::string centre = text(context_->rules.centre());
    return Illegal{IllegalReason::outside_zone, "zone=" + centre,
                   text(p) + ": the first stone goes on the centre, " + centre};
  }
  const bool opening = phase_ == Phase::place;
  if (opening) {
    const Zone zone = step().zone;
    const int ring = board.geometry().ring(p);
    if (ring < zone.low || ring > zone.high) {
      const bool inside = ring > zone.high;
      const int side = inside ? 2 * zone.high + 1 : 2 * zone.low - 1;
      const std::string square = std::to_string(side) + "x" + std::to_string(side) +
                                 " round the centre " + text(context_->rules.centre());
      return Illegal{IllegalReason::outside_zone,
                     std::string(inside ? "inside=" : "outside=") + std::to_string(side),
                     text(p) + ": stone " + std::to_string(board.count() + 1) + " goes " +
                         (inside ? "inside " : "outside ") + square};
    }
  }
  if (!opening && !context_->barred(position_.to_move)) return std::nullopt;
  const Colour colour = due();
  const Verdict made = verdict(colour, p);
  if (opening && made.five) {
    return Illegal{IllegalReason::forbidden, "five",
                   text(p) + " makes five; an opening stone may not end the game"};
  }
  if (made.foul != Foul::none) {
    const std::string kind(gomoku::word(made.foul));
    return Illegal{
        IllegalReason::forbidden, kind,
        text(p) + " is a forbidden point for " + std::string(gomoku::word(colour)) + ": " + kind};
  }
  return std::nullopt;
}

std::optional<Illegal> GomokuState::refuse_pass() const {
  if (may_pass()) return std::nullopt;
  return Illegal{IllegalReason::pass_not_allowed, "passes=no",
                 "these rules have no pass; play a point"};
}

bool GomokuState::may_claim() const {
  if (phase_ != Phase::main || !context_->rules.claims()) return false;
  if (position_.last < 0 || position_.claimed) return false;
  const Colour rival = other(position_.to_move);
  return context_->rules.fouls[index_of(rival)].any() && position_.board.has(rival, position_.last);
}

std::optional<Illegal> GomokuState::refuse_claim() const {
  if (may_claim()) return std::nullopt;
  std::string why = "the last move was not the rival's stone";
  if (!context_->rules.claims()) {
    why = "these rules have nothing that is claimed";
  } else if (position_.claimed) {
    why = "this stone has been claimed already";
  } else if (!context_->rules.fouls[index_of(other(position_.to_move))].any()) {
    why = std::string(gomoku::word(other(position_.to_move))) + " has no forbidden moves";
  }
  return Illegal{IllegalReason::nothing_to_claim, "", "nothing to claim: " + why};
}

std::optional<Illegal> GomokuState::refuse_declare(int number) const {
  const int most = context_->rules.opening_n;
  if (number >= 1 && number <= most) return std::nullopt;
  return Illegal{IllegalReason::wrong_count, "max=" + std::to_string(most),
                 "declare " + std::to_string(number) + ": declare 1 to " + std::to_string(most)};
}

std::optional<Illegal> GomokuState::refuse_offer(const Move& move) const {
  const int count = argument_of(move);
  if (count != owed()) {
    return Illegal{
        IllegalReason::wrong_count, "need=" + std::to_string(owed()),
        std::to_string(count) + " points offered; exactly " + std::to_string(owed()) + " are due"};
  }
  const Offer offer = offer_of(move);
  const Orbits orbits(position_.board);
  for (int i = 0; i < offer.count; ++i) {
    const Point p = offer.at(i);
    if (p >= context_->rules.cells() || make_offer(offer) != move) {
      return Illegal{IllegalReason::syntax, "", "the value is not an offer on this board"};
    }
    if (!position_.board.empty(p)) {
      return Illegal{IllegalReason::occupied, text(p), text(p) + " is occupied; offer free points"};
    }
    for (int j = 0; j < i; ++j) {
      if (offer.at(j) == p) {
        return Illegal{IllegalReason::duplicate, text(p),
                       text(p) + " is offered twice; offer different points"};
      }
      if (orbits.of(offer.at(j)) == orbits.of(p)) {
        return Illegal{
            IllegalReason::symmetric, text(offer.at(j)) + "," + text(p),
            text(offer.at(j)) + " and " + text(p) + " are equal by symmetry; offer one of them"};
      }
    }
  }
  return std::nullopt;
}

std::optional<Illegal> GomokuState::refuse_pick(Point p) const {
  std::string offered;
  for (int i = 0; i < position_.offers.count; ++i) {
    if (position_.offers.at(i) == p) return std::nullopt;
    offered += (i > 0 ? " " : "") + text(position_.offers.at(i));
  }
  return Illegal{IllegalReason::not_offered, text(p),
                 text(p) + " was not offered; pick one of " + offered};
}

const Points& GomokuState::forbidden(Colour colour) const {
  std::optional<ForbiddenMap>& map = maps_[index_of(colour)];
  if (!map) {
    map.emplace();
    for (const Colour stones : {Colour::black, Colour::white}) {
      position_.board.stones(stones).each([&map](Point p) { map->stone(p); });
    }
  }
  return map->points(context_->judge, context_->rules.fouls[index_of(colour)],
                     context_->rules.five_beats_forbidden, position_.board, colour);
}

Points GomokuState::places() const {
  const Board& board = position_.board;
  Points free = context_->everywhere.without(board.stones(Colour::black))
                    .without(board.stones(Colour::white));
  Points allowed;
  if (spent()) return allowed;
  if (centre_due()) {
    allowed.add(context_->rules.centre());
    return allowed;
  }
  if (phase_ == Phase::main) {
    return context_->barred(position_.to_move) ? free.without(forbidden(position_.to_move)) : free;
  }
  const Zone zone = step().zone;
  free.each([&](Point p) {
    const int ring = board.geometry().ring(p);
    if (ring < zone.low || ring > zone.high) return;
    const Verdict verdict = context_->judge.verdict(board, due(), p);
    if (!verdict.five && verdict.foul == Foul::none) allowed.add(p);
  });
  return allowed;
}

int GomokuState::place_count() const {
  if (phase_ != Phase::main || centre_due()) return places().count();
  if (spent()) return 0;
  const int free = context_->rules.cells() - position_.board.count();
  if (!context_->barred(position_.to_move)) return free;
  forbidden(position_.to_move);  // brings the map up to date
  return free - maps_[index_of(position_.to_move)]->count();
}

std::vector<Point> GomokuState::offer_classes() const {
  const Orbits orbits(position_.board);
  std::vector<Point> classes;
  for (Point p = 0; p < context_->rules.cells(); ++p) {
    if (position_.board.empty(p) && orbits.of(p) == p) classes.push_back(p);
  }
  return classes;
}

bool GomokuState::moves_complete(Seat) const {
  return phase_ != Phase::offer && phase_ != Phase::swap_or_offer;
}

std::size_t GomokuState::move_count(Seat) const {
  switch (phase_) {
    case Phase::main:
      return static_cast<std::size_t>(place_count()) + (may_pass() ? 1 : 0) + (may_claim() ? 1 : 0);
    case Phase::place:
      return static_cast<std::size_t>(places().count());
    case Phase::swap:
      return 2;
    case Phase::choose:
      return step().may_add ? 3 : 2;
    case Phase::declare:
      return static_cast<std::size_t>(context_->rules.opening_n);
    case Phase::offer:
      return std::min(kListedOffers, offer_classes().size());
    case Phase::swap_or_offer:
      return 2 + std::min(kListedOffers, offer_classes().size());
    case Phase::pick:
      return static_cast<std::size_t>(position_.offers.count);
    case Phase::over:
      return 0;
  }
  return 0;
}

Move GomokuState::move_at(Seat, std::size_t index) const {
  const int i = static_cast<int>(index);
  const auto offer_at = [this](std::size_t first) {
    // Neighbours in the list of classes, so that every class is in some offer.
    const std::vector<Point> classes = offer_classes();
    const std::size_t stride = std::max<std::size_t>(1, classes.size() / kListedOffers);
    Offer offer;
    for (int k = 0; k < owed(); ++k) {
      offer.add(classes[(first * stride + static_cast<std::size_t>(k)) % classes.size()]);
    }
    return make_offer(offer);
  };
  switch (phase_) {
    case Phase::main: {
      const int count = place_count();
      if (i < count) return make_move(Act::place, places().at(i));
      return make_move(i == count && may_pass() ? Act::pass : Act::claim);
    }
    case Phase::place:
      return make_move(Act::place, places().at(i));
    case Phase::swap:
      return make_move(i == 0 ? Act::swap : Act::stay);
    case Phase::choose:
      return make_move(i == 0 ? Act::black : i == 1 ? Act::white : Act::add);
    case Phase::declare:
      return make_move(Act::declare, i + 1);
    case Phase::offer:
      return offer_at(index);
    case Phase::swap_or_offer:
      return i < 2 ? make_move(i == 0 ? Act::swap : Act::stay) : offer_at(index - 2);
    default:
      return make_move(Act::pick, position_.offers.at(i));
  }
}

Move GomokuState::sample_move(Seat seat, Rng& rng) const {
  const auto below = [&rng](std::size_t bound) {
    return static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(bound)));
  };
  const bool offers =
      phase_ == Phase::offer || (phase_ == Phase::swap_or_offer && rng.below(3) == 0);
  if (offers) {
    const Orbits orbits(position_.board);
    std::vector<Point> classes = offer_classes();
    Offer offer;
    while (offer.count < owed()) {
      const std::size_t k = below(classes.size());
      // Any member of the class: start from a random symmetric image that is one.
      Point p = classes[k];
      const Point image = mirrored(static_cast<int>(rng.below(8)), p, context_->rules.size);
      if (position_.board.empty(image) && orbits.of(image) == orbits.of(p)) p = image;
      offer.add(p);
      classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return make_offer(offer);
  }
  if (phase_ == Phase::swap_or_offer) return move_at(seat, below(2));
  if (phase_ != Phase::main || centre_due() || spent()) {
    return move_at(seat, below(move_count(seat)));
  }

  const Board& board = position_.board;
  const Rules& rules = context_->rules;
  const bool claimable = may_claim();
  if (claimable || rules.may_pass) {
    const int free = rules.cells() - board.count();
    const int extras = (claimable ? 1 : 0) + (rules.may_pass ? 1 : 0);
    const int drawn = static_cast<int>(below(static_cast<std::size_t>(free + extras)));
    if (drawn >= free) {
      return make_move(rules.may_pass && drawn == free ? Act::pass : Act::claim);
    }
  }
  const bool barred = context_->barred(position_.to_move);
  // Most points are free and playable: draw until one is, and list them only
  // on a board so full that this becomes slow.
  for (int tries = 0; tries < 40; ++tries) {
    const Point p = static_cast<Point>(below(static_cast<std::size_t>(rules.cells())));
    if (!board.empty(p)) continue;
    if (barred && verdict(position_.to_move, p).foul != Foul::none) continue;
    return make_move(Act::place, p);
  }
  const Points free = places();
  const int count = free.count();
  if (count == 0) return make_move(Act::pass);  // all forbidden: `settle` left a pass to play
  return make_move(Act::place, free.at(static_cast<int>(below(static_cast<std::size_t>(count)))));
}

}  // namespace arena::gomoku
