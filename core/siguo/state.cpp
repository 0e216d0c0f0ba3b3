#include "siguo/state.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "siguo/knowledge.hpp"

namespace arena::siguo {

std::string_view result_word(Result result) {
  constexpr std::array<std::string_view, 3> words{"attacker", "defender", "both_lost"};
  return words[static_cast<std::size_t>(result)];
}

std::string_view fall_word(Fall fall) {
  constexpr std::array<std::string_view, 5> words{"", "flag_captured", "no_move", "timeout_limit",
                                                  "resignation"};
  return words[static_cast<std::size_t>(fall)];
}

std::string ranks_text(RankSet ranks) {
  std::string text;
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    if ((ranks >> rank & 1) != 0) text += kRankLetters[rank];
  }
  return text;
}

Position new_position(const Rules& rules, std::uint64_t seed) {
  Position position;
  if (rules.layout_source == LayoutSource::player) return position;
  for (Seat seat = 0; seat < rules.seats; ++seat) {
    Rng rng(derive_seed(seed, static_cast<std::uint64_t>(seat)));
    const bool book = rules.layout_source == LayoutSource::book;
    position.place(
        rules, seat,
        book ? book_layout(static_cast<int>(rng.below(2 * kBookLayouts))) : random_layout(rng));
  }
  position.begin(rules);
  return position;
}

SeatSet SiguoState::seats_to_act() const {
  if (!position_.placing) {
    return position_.over(*rules_) ? SeatSet() : SeatSet::of(position_.turn);
  }
  SeatSet seats;
  for (Seat seat = 0; seat < rules_->seats; ++seat) {
    if (!position_.placed.contains(seat)) seats.add(seat);
  }
  return seats;
}

const std::vector<Step>& SiguoState::steps() const {
  if (!cache_.steps) {
    Steps found;
    all_steps(*rules_, position_, position_.turn, found);
    cache_.steps = std::make_unique<std::vector<Step>>(found.begin(), found.end());
  }
  return *cache_.steps;
}

std::size_t SiguoState::move_count(Seat seat) const {
  if (!seats_to_act().contains(seat)) return 0;
  return position_.placing ? 2 * kBookLayouts : steps().size();
}

Move SiguoState::move_at(Seat, std::size_t index) const {
  if (position_.placing) return encode(book_layout(static_cast<int>(index)));
  return encode(steps()[index]);
}

Move SiguoState::sample_move(Seat seat, Rng& rng) const {
  if (position_.placing) return encode(random_layout(rng));
  return encode(draw_step(*rules_, position_, seat, rng));
}

std::string SiguoState::requirements(Seat seat) const {
  if (!position_.placing || !seats_to_act().contains(seat)) return "null";
  JsonWriter json;
  json.begin_object().member("must", "layout");
  json.member("home", std::string(1, kHomeLetters[idx(rules_->home(seat))]));
  json.key("ranks").begin_object();
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    json.member(std::string_view(&kRankLetters[rank], 1), int{kArmy[rank]});
  }
  return json.end_object().end_object().take();
}

std::vector<std::string> SiguoState::roles() const {
  // By who moves first: the teams, or the seats in their order of play.
  static constexpr std::array<std::string_view, 4> kOrder{"first", "second", "third", "fourth"};
  std::vector<std::string> roles(idx(rules_->seats));
  Seat seat = 0;
  for (int i = 0; i < rules_->seats; ++i, seat = rules_->after(seat)) {
    const int place = rules_->teams == Teams::opposite ? i % 2 : i;
    roles[idx(seat)] = kOrder[idx(place)];
  }
  return roles;
}

std::vector<int> SiguoState::sides() const {
  std::vector<int> sides;
  for (Seat seat = 0; seat < rules_->seats; ++seat) sides.push_back(rules_->team(seat));
  return sides;
}

std::optional<Outcome> SiguoState::outcome() const {
  const std::optional<Termination> ending = position_.ending(*rules_);
  if (!ending) return std::nullopt;
  Outcome outcome;
  outcome.termination = *ending;
  outcome.roles = roles();
  outcome.sides = sides();
  const bool counts = position_.ply >= static_cast<std::uint32_t>(rules_->short_game);
  const int winner = counts ? position_.winner(*rules_) : -1;
  const int seats = rules_->seats;
  for (Seat seat = 0; seat < seats; ++seat) {
    if (rules_->teams == Teams::opposite) {
      const bool won = rules_->team(seat) == winner;
      outcome.scores.push_back(winner < 0 ? 0.5 : won ? 1.0 : 0.0);
      outcome.places.push_back(winner < 0 || won ? 1 : 3);
      continue;
    }
    // Those still there share the first places; the others stand by when they fell.
    int place = 1;
    const auto end = position_.fell.begin() + position_.fallen;
    const auto found = std::find(position_.fell.begin(), end, seat);
    if (counts && found != end) place = seats - static_cast<int>(found - position_.fell.begin());
    outcome.places.push_back(place);
  }
  if (outcome.scores.empty()) outcome.scores = scores_from_places(outcome.places);
  return outcome;
}

std::unique_ptr<State> SiguoState::resample(Seat viewer, Rng& rng) const {
  if (position_.over(*rules_)) return std::make_unique<SiguoState>(rules_, position_);
  return std::make_unique<SiguoState>(rules_, another_world(*rules_, position_, viewer, rng));
}

std::string SiguoState::observe(Seat viewer) const {
  const Position& position = position_;
  const bool over = position.over(*rules_);
  JsonWriter json;
  json.begin_object().member("phase", position.placing ? "layout" : over ? "over" : "play");
  json.key("seat");
  viewer == kSpectator ? json.null() : json.value(viewer);
  json.key("to_act").begin_array();
  const SeatSet acting = seats_to_act();
  for (Seat seat = 0; seat < rules_->seats; ++seat) {
    if (acting.contains(seat)) json.value(seat);
  }
  json.end_array().key("layout");
  if (viewer != kSpectator && position.placing && position.placed.contains(viewer)) {
    Layout layout{};
    for (int slot = 0; slot < kSlots; ++slot) {
      layout[idx(slot)] = position.rank[unit_of(viewer, slot)];
    }
    json.value(layout_text(layout));
  } else {
    json.null();
  }
  json.key("ply").value(static_cast<long long>(position.ply));
  json.member("quiet", int{position.quiet}).key("seats").begin_array();
  for (Seat seat = 0; seat < rules_->seats; ++seat) {
    json.begin_object().member("home", std::string(1, kHomeLetters[idx(rules_->home(seat))]));
    json.member("team", rules_->team(seat))
        .member("placed", !position.placing || position.placed.contains(seat));
    json.key("out");
    position.in(seat) ? json.null() : json.value(fall_word(position.fall[idx(seat)]));
    json.member("timeouts", int{position.timeouts[idx(seat)]}).end_object();
  }
  json.end_array().key("units").begin_array();
  if (!position.placing) {
    Beliefs masks{};
    if (!over) masks = beliefs(*rules_, position, viewer);
    for (Unit unit = 0; unit < kUnits; ++unit) {
      if (unit % kSlots >= position.size[idx(army_of(unit))]) continue;
      json.begin_object().member("unit", int{unit}).member("seat", int{position.owner[unit]});
      json.key("at");
      position.alive(unit) ? json.value(node_name(position.where[unit])) : json.null();
      json.key("start");
      position.start[unit] == kNowhere ? json.null() : json.value(node_name(position.start[unit]));
      json.member("moves", int{position.moves[unit]});
      json.member("ranks", ranks_text(over ? bit(position.rank[unit]) : masks[unit]));
      json.end_object();
    }
  }
  json.end_array().key("fights").begin_array();
  for (std::uint8_t i = 0; i < position.fought; ++i) {
    const Fight& fight = position.fights[i];
    json.begin_object().member("ply", int{fight.ply}).member("at", node_name(fight.at));
    json.member("attacker", int{fight.attacker}).member("defender", int{fight.defender});
    json.member("result", result_word(fight.result)).member("flag", fight.flag_taken).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace arena::siguo
