#include <nanobind/make_iterator.h>
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "base/play.hpp"
#include "base/spec.hpp"
#include "bind/state.hpp"
#include "registry.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace arena::bind {
namespace {

using FrozenSets = std::array<nb::object, 256>;
using Shared = std::shared_ptr<const Game>;

struct BoundGame {
  Shared game;
};

struct BoundEngine {
  Shared game;
  std::unique_ptr<Engine> engine;
};

nb::object frozenset_of(SeatSet set) {
  nb::list seats;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    if (set.contains(seat)) seats.append(seat);
  }
  return nb::steal(PyFrozenSet_New(seats.ptr()));
}

template <typename T>
nb::tuple tuple_of(const std::vector<T>& values) {
  nb::list list;
  for (const T& value : values) list.append(value);
  return nb::tuple(list);
}

/// The move a caller means: a handle as it is, a text through the game's parser.
std::variant<Move, Illegal> read_move(const State& state, Seat seat, nb::handle given) {
  if (nb::isinstance<BoundMove>(given)) return nb::cast<const BoundMove&>(given).move;
  if (auto turn = state.turn_error(seat)) return *turn;
  if (!nb::isinstance<nb::str>(given)) {
    return Illegal{IllegalReason::syntax, "type",
                   std::string("a move is text or a Move, not ") +
                       nb::cast<std::string>(nb::str(given.type().attr("__name__")))};
  }
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
  if (text == nullptr) {  // lone surrogates: text that has no bytes
    PyErr_Clear();
    return Illegal{IllegalReason::syntax, "encoding", "the move is not valid Unicode text"};
  }
  return state.parse(seat, {text, static_cast<std::size_t>(size)});
}

std::optional<Illegal> check(const State& state, Seat seat, nb::handle given) {
  const auto move = read_move(state, seat, given);
  if (const Illegal* illegal = std::get_if<Illegal>(&move)) return *illegal;
  return state.check(seat, std::get<Move>(move));
}

/// Core text as Python text. A message may quote half a character of bad input.
nb::object to_text(const std::string& text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

[[noreturn]] void raise_illegal(const nb::object& type, const Illegal& illegal) {
  nb::object error = type(to_text(illegal.message));
  error.attr("illegal") = nb::cast(illegal);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

BoundState wrap(const std::shared_ptr<const Game>& game, std::unique_ptr<State> state) {
  auto played = std::make_shared<Played>();
  played->game = game;
  played->state = std::move(state);
  return BoundState{std::move(played)};
}

constexpr const char* kStale = "this view of the moves is stale: the state has gone on; ask again";

bool is_current(const BoundMoves& view) { return view.owner->revision == view.revision; }

void require_current(const BoundMoves& view) {
  if (!is_current(view)) throw std::runtime_error(kStale);
}

void require_seat(const BoundState& bound, Seat seat) {
  const int seats = bound.game().seats();
  if (seat < 0 || seat >= seats) {
    throw nb::index_error(
        ("seat " + std::to_string(seat) + " is not in 0.." + std::to_string(seats - 1)).c_str());
  }
}

// len(view) and view[i] are the inner loop of every bot in Python, so they are type
// slots: no argument parsing between the interpreter and the state.
Py_ssize_t moves_length(PyObject* self) noexcept {
  auto& view = *nb::inst_ptr<BoundMoves>(nb::handle(self));
  if (!is_current(view)) {
    PyErr_SetString(PyExc_RuntimeError, kStale);
    return -1;
  }
  if (view.size < 0) {
    const State& state = *view.owner->state;
    const bool acts = state.seats_to_act().contains(view.seat);
    view.size = acts ? static_cast<Py_ssize_t>(state.move_count(view.seat)) : 0;
  }
  return view.size;
}

PyObject* moves_item(PyObject* self, Py_ssize_t index) noexcept {
  const Py_ssize_t size = moves_length(self);
  if (size < 0) return nullptr;
  if (index < 0 || index >= size) {
    PyErr_SetString(PyExc_IndexError, "move index out of range");
    return nullptr;
  }
  const auto* view = nb::inst_ptr<BoundMoves>(nb::handle(self));
  Played& owner = *view->owner;
  const Move move = owner.state->move_at(view->seat, static_cast<std::size_t>(index));
  return owner.vouch(view->seat, move).release().ptr();
}

void bind_values(nb::module_& m) {
  nb::enum_<Termination> termination(m, "Termination", "Why a game ended.");
#define ARENA_BIND(id, en, zh) termination.value(#id, Termination::id, en);
  ARENA_TERMINATIONS(ARENA_BIND)
#undef ARENA_BIND
  nb::enum_<IllegalReason> reason(m, "IllegalReason", "Why a move is refused.");
#define ARENA_BIND(id, en, zh) reason.value(#id, IllegalReason::id, en);
  ARENA_ILLEGAL_REASONS(ARENA_BIND)
#undef ARENA_BIND
  m.def(
      "label", [](Termination t, bool zh) { return zh ? describe(t).zh : describe(t).en; }, "of"_a,
      "zh"_a = false, "A termination in English or Chinese.");
  m.def(
      "label", [](IllegalReason r, bool zh) { return zh ? describe(r).zh : describe(r).en; },
      "of"_a, "zh"_a = false, "A refusal's reason in English or Chinese.");

  nb::class_<Illegal>(m, "Illegal", "A refusal: reason, machine-readable detail, one sentence.")
      .def_ro("reason", &Illegal::reason)
      .def_prop_ro(
          "detail", [](const Illegal& illegal) { return to_text(illegal.detail); },
          nb::sig("def detail(self) -> str"))
      .def_prop_ro(
          "message", [](const Illegal& illegal) { return to_text(illegal.message); },
          nb::sig("def message(self) -> str"))
      .def("__repr__", [](const Illegal& illegal) {
        return "Illegal(" + std::string(describe(illegal.reason).id) +
               (illegal.detail.empty() ? "" : ", " + illegal.detail) + ")";
      });

  nb::class_<Event>(m, "Event", "What happened, with who may see which part of it.")
      .def_ro("kind", &Event::kind)
      .def_ro("seat", &Event::seat)
      .def_ro("text", &Event::text, "The whole truth.")
      .def("seen_by", &Event::seen_by, "viewer"_a, "What a seat or the spectator saw; may be ''.")
      .def("__repr__", [](const Event& event) {
        return "Event(" + std::string(event.kind) + ", seat " + std::to_string(event.seat) + ", " +
               event.text + ")";
      });

  nb::class_<Outcome>(m, "Outcome", "How a game ended, by seat.")
      .def_ro("termination", &Outcome::termination)
      .def_prop_ro(
          "scores", [](const Outcome& o) { return tuple_of(o.scores); },
          nb::sig("def scores(self) -> tuple[float, ...]"),
          "Share of the opponents beaten, in [0, 1]; a tie counts one half.")
      .def_prop_ro(
          "places", [](const Outcome& o) { return tuple_of(o.places); },
          nb::sig("def places(self) -> tuple[int, ...]"), "1 is best; ties share a number.")
      .def_prop_ro(
          "sides", [](const Outcome& o) { return tuple_of(o.sides); },
          nb::sig("def sides(self) -> tuple[int, ...]"), "Equal numbers win together.")
      .def_prop_ro(
          "roles", [](const Outcome& o) { return tuple_of(o.roles); },
          nb::sig("def roles(self) -> tuple[str, ...]"), "What each seat turned out to play.")
      .def_prop_ro(
          "measures",
          [](const Outcome& o) {
            nb::dict named;
            for (const auto& [name, number] : o.measures) named[name.c_str()] = number;
            return named;
          },
          nb::sig("def measures(self) -> dict[str, float]"),
          "Numbers for the game's own statistics, by name.")
      .def("__repr__", [](const Outcome& outcome) {
        std::string scores;
        for (const double score : outcome.scores) {
          scores += (scores.empty() ? "" : ", ") + nb::cast<std::string>(nb::repr(nb::cast(score)));
        }
        return "Outcome(" + std::string(describe(outcome.termination).id) + ", " + scores + ")";
      });

  nb::class_<Rng>(m, "Rng", "xoshiro256** seeded by SplitMix64: the same numbers everywhere.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def("next", &Rng::next, "64 random bits.")
      .def(
          "below",
          [](Rng& rng, std::uint32_t bound) {
            if (bound == 0) throw nb::value_error("bound must be positive");
            return rng.below(bound);
          },
          "bound"_a, "Uniform in [0, bound).")
      .def("uniform", &Rng::uniform, "Uniform in [0, 1).");
  m.def("derive_seed", &derive_seed, "seed"_a, "stream"_a, "An independent seed for a stream.");

  nb::class_<BoundMove>(m, "Move", "A move handle; str() is its canonical text, its identity.")
      .def("__str__", [](const BoundMove& move) { return move.game->text(move.move); })
      .def("__repr__",
           [](const BoundMove& move) { return "Move(" + move.game->text(move.move) + ")"; })
      .def("__hash__", [](const BoundMove& move) { return MoveHash{}(move.move); })
      .def(
          "__eq__",
          [](const BoundMove& a, nb::handle b) {
            return nb::isinstance<BoundMove>(b) && a.move == nb::cast<const BoundMove&>(b).move;
          },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
}

void bind_state(nb::module_& m, nb::class_<BoundState>& state, const nb::object& illegal_move) {
  nb::class_<BoundEvents>(m, "Events", "The events of one move, in order.")
      .def("__len__", [](const BoundEvents& bound) { return bound.events.size(); })
      .def("__getitem__",
           [](const BoundEvents& bound, Py_ssize_t index) {
             const auto size = static_cast<Py_ssize_t>(bound.events.size());
             if (index < 0) index += size;
             if (index < 0 || index >= size) throw nb::index_error("event index out of range");
             return bound.events[static_cast<std::size_t>(index)];
           })
      .def(
          "__iter__",
          [](const BoundEvents& bound) {
            return nb::make_iterator(nb::type<BoundEvents>(), "EventIterator", bound.events.begin(),
                                     bound.events.end());
          },
          nb::keep_alive<0, 1>());

  PyType_Slot slots[] = {{Py_sq_length, reinterpret_cast<void*>(moves_length)},
                         {Py_sq_item, reinterpret_cast<void*>(moves_item)},
                         {0, nullptr}};
  nb::class_<BoundMoves>(m, "Moves", nb::type_slots(slots),
                         "A lazy view of a seat's moves. Valid until the state's next move.")
      .def("__contains__",
           [](const BoundMoves& view, nb::handle move) {
             require_current(view);
             return !check(*view.owner->state, view.seat, move).has_value();
           })
      .def_prop_ro(
          "complete",
          [](const BoundMoves& view) {
            require_current(view);
            return view.owner->state->moves_complete(view.seat);
          },
          "Whether the view lists every legal move.");

  const nb::handle move_type = nb::type<BoundMove>();
  auto sets = std::make_shared<FrozenSets>();
  for (int bits = 0; bits < 256; ++bits) {
    SeatSet set;
    for (Seat seat = 0; seat < kMaxSeats; ++seat) {
      if ((bits >> seat) & 1) set.add(seat);
    }
    (*sets)[static_cast<std::size_t>(bits)] = frozenset_of(set);
  }

  state
      .def(
          "seats_to_act",
          [sets](const BoundState& bound) { return (*sets)[bound.state().seats_to_act().bits()]; },
          nb::sig("def seats_to_act(self) -> frozenset[int]"),
          "Seats that owe a move; empty when the game is over.")
      .def(
          "check",
          [](const BoundState& bound, Seat seat, nb::handle move) {
            return check(bound.state(), seat, move);
          },
          "seat"_a, "move"_a,
          nb::sig("def check(self, seat: int, move: Move | str) -> Illegal | None"),
          "Why the seat may not play the move now, or None. Pure; never raises on bad input.")
      .def(
          "apply",
          [illegal_move, move_type](BoundState& bound, Seat seat, nb::handle given) {
            if (given.type().is(move_type)) {
              const Move& legal = nb::inst_ptr<BoundMove>(given)->move;
              if (bound->vouches(seat, legal)) return bound->apply(seat, legal);
            }
            auto move = read_move(bound.state(), seat, given);
            std::optional<Illegal> illegal;
            if (Illegal* refused = std::get_if<Illegal>(&move)) {
              illegal = std::move(*refused);
            } else {
              illegal = bound.state().check(seat, std::get<Move>(move));
            }
            if (illegal) raise_illegal(illegal_move, *illegal);
            return bound->apply(seat, std::get<Move>(move));
          },
          "seat"_a, "move"_a, nb::sig("def apply(self, seat: int, move: Move | str) -> Events"),
          "Plays the move. Raises IllegalMove and changes nothing where check refuses it.")
      .def(
          "stand_in",
          [](const BoundState& bound, Seat seat) {
            if (const auto turn = bound.state().turn_error(seat)) {
              throw nb::value_error(turn->message.c_str());
            }
            return bound->vouch(seat, bound.state().stand_in(seat));
          },
          "seat"_a, nb::sig("def stand_in(self, seat: int) -> Move"),
          "The least that the rules ask of a seat that is to act, as a legal move.")
      .def(
          "rule",
          [illegal_move](BoundState& bound, Seat seat, std::string_view text) {
            require_seat(bound, seat);
            auto move = bound.state().ruling(seat, text);
            if (Illegal* refused = std::get_if<Illegal>(&move)) {
              raise_illegal(illegal_move, *refused);
            }
            return bound->apply(seat, std::get<Move>(move));
          },
          "seat"_a, "text"_a, nb::sig("def rule(self, seat: int, text: str) -> Events"),
          "A referee's ruling against a seat. Raises IllegalMove where the game knows no such.")
      .def(
          "moves",
          [](BoundState& bound, Seat seat) {
            require_seat(bound, seat);
            return bound.view.give(
                [&](BoundMoves& view) {
                  view.seat = seat;
                  view.revision = bound->revision;
                  view.size = -1;
                },
                bound.played);
          },
          "seat"_a, nb::sig("def moves(self, seat: int) -> Moves"),
          "A lazy view of the seat's legal moves.")
      .def(
          "sample_move",
          [](const BoundState& bound, Seat seat, Rng& rng) {
            if (const auto turn = bound.state().turn_error(seat)) {
              throw nb::value_error(turn->message.c_str());
            }
            return bound->vouch(seat, bound.state().sample_move(seat, rng));
          },
          "seat"_a, "rng"_a, nb::sig("def sample_move(self, seat: int, rng: Rng) -> Move"),
          "Some legal move; every legal move is possible.")
      .def(
          "requirements",
          [](const BoundState& bound, Seat seat) {
            require_seat(bound, seat);
            return bound.state().requirements(seat);
          },
          "seat"_a, "What the seat is forced to, as JSON; 'null' where nothing is.")
      .def(
          "observe",
          [](const BoundState& bound, Seat viewer) {
            if (viewer != kSpectator) require_seat(bound, viewer);
            return bound.state().observe(viewer);
          },
          "viewer"_a, "What a seat (or SPECTATOR) may know, as canonical JSON.")
      .def(
          "outcome", [](const BoundState& bound) { return bound.state().outcome(); },
          "How the game ended; None while it goes on.")
      .def(
          "roles", [](const BoundState& bound) { return tuple_of(bound.state().roles()); },
          nb::sig("def roles(self) -> tuple[str, ...]"), "What each seat plays as things stand.")
      .def(
          "sides", [](const BoundState& bound) { return tuple_of(bound.state().sides()); },
          nb::sig("def sides(self) -> tuple[int, ...]"),
          "Seats with the same number win together, as far as that is known by now.")
      .def(
          "setup", [](const BoundState& bound) { return bound.state().setup(); },
          "The whole position or deal as one line of text.")
      .def(
          "snapshot",
          [](const BoundState& bound) {
            const std::string text = bound.state().setup();
            return nb::bytes(text.data(), text.size());
          },
          "The whole state as bytes; Game.restore reads it back.")
      .def(
          "clone", [](const BoundState& bound) { return wrap(bound->game, bound.state().clone()); },
          "An independent copy.")
      .def("__copy__",
           [](const BoundState& bound) { return wrap(bound->game, bound.state().clone()); })
      .def(
          "resample",
          [](const BoundState& bound, Seat seat, Rng& rng) {
            require_seat(bound, seat);
            return wrap(bound->game, bound.state().resample(seat, rng));
          },
          "seat"_a, "rng"_a, "Another hidden world consistent with what the seat has seen.")
      .def_prop_ro(
          "plies", [](const BoundState& bound) { return bound.state().history().size(); },
          "Moves played since the setup.")
      .def(
          "history",
          [](const BoundState& bound) {
            nb::list list;
            for (const State::Played& played : bound.state().history()) {
              list.append(nb::make_tuple(played.seat, bound.game().text(played.move)));
            }
            return nb::tuple(list);
          },
          nb::sig("def history(self) -> tuple[tuple[int, str], ...]"),
          "(seat, canonical text) of every move since the setup.");
}

void bind_game(nb::module_& m, const nb::object& setup_error) {
  nb::class_<PlayTask>(m, "PlayTask", "One game to play inside the core.")
      .def(nb::init<std::vector<std::string>, std::uint64_t, std::uint64_t, int, int, bool>(),
           "engines"_a, "deal_seed"_a, "engine_seed"_a, "opening_plies"_a = 0, "max_plies"_a = 0,
           "keep_moves"_a = false)
      .def_ro("engines", &PlayTask::engines);
  nb::class_<PlayedGame>(m, "PlayedGame", "What became of a PlayTask.")
      .def_ro("outcome", &PlayedGame::outcome)
      .def_ro("plies", &PlayedGame::plies)
      .def_ro("nodes", &PlayedGame::nodes)
      .def_ro("moves", &PlayedGame::moves);

  nb::class_<Decision>(m, "Decision", "An engine's move, its value of it, and its nodes.")
      .def_ro("value", &Decision::value)
      .def_ro("nodes", &Decision::nodes);
  nb::class_<BoundEngine>(m, "Engine", "A reference engine for one game.")
      .def(
          "new_game", [](BoundEngine& bound, std::uint64_t seed) { bound.engine->new_game(seed); },
          "seed"_a, "Forgets everything and reseeds.")
      .def(
          "choose",
          [](BoundEngine& bound, const BoundState& state, Seat seat) {
            if (state->game != bound.game) {
              throw nb::value_error("the state belongs to another Game than the engine");
            }
            if (const auto turn = state.state().turn_error(seat)) {
              throw nb::value_error(turn->message.c_str());
            }
            Decision decision;
            {
              nb::gil_scoped_release release;
              decision = bound.engine->choose(state.state(), seat);
            }
            return std::make_pair(BoundMove{bound.game, decision.move}, decision);
          },
          "state"_a, "seat"_a, "The engine's move for a seat that is to act, and its Decision.");

  nb::class_<BoundGame>(m, "Game", "One set of rules in the core.")
      .def_prop_ro("seats", [](const BoundGame& bound) { return bound.game->seats(); })
      .def(
          "new_state",
          [](const BoundGame& bound, std::uint64_t seed) {
            return wrap(bound.game, bound.game->new_state(seed));
          },
          "seed"_a)
      .def(
          "from_setup",
          [setup_error](const BoundGame& bound, nb::str given) {
            const auto refuse = [&](const std::string& message) {
              PyErr_SetObject(setup_error.ptr(), to_text(message).ptr());
              throw nb::python_error();
            };
            Py_ssize_t size = 0;
            const char* text = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
            if (text == nullptr) {  // lone surrogates
              PyErr_Clear();
              refuse("setup: not valid Unicode text");
            }
            auto made = bound.game->from_setup({text, static_cast<std::size_t>(size)});
            if (const SetupError* error = std::get_if<SetupError>(&made)) refuse(error->message);
            return wrap(bound.game, std::move(std::get<std::unique_ptr<State>>(made)));
          },
          "text"_a, "A state from its setup text. Raises SetupError.")
      .def(
          "engine",
          [](const BoundGame& bound, std::string_view spec) {
            return BoundEngine{bound.game, bound.game->make_engine(parse_engine_spec(spec))};
          },
          "spec"_a, "A reference engine: 'random', 'search:nodes=400'. Raises ValueError.")
      .def(
          "play",
          [](const BoundGame& bound, const std::vector<const PlayTask*>& tasks) {
            if (std::find(tasks.begin(), tasks.end(), nullptr) != tasks.end()) {
              throw nb::type_error("tasks: every one must be a PlayTask, not None");
            }
            nb::gil_scoped_release release;
            Player player(bound.game);
            std::vector<PlayedGame> played;
            played.reserve(tasks.size());
            for (const PlayTask* task : tasks) played.push_back(player.play(*task));
            return played;
          },
          "tasks"_a, "Plays whole games without touching Python; the GIL is released.");

  m.def(
      "game",
      [](const std::string& family, const Fields& settings) {
        return BoundGame{make_game(family, settings)};
      },
      "family"_a, "settings"_a, "A game from its settings. Raises ValueError naming the setting.");
  m.def("families", &families, "Game families in this build.");
}

}  // namespace
}  // namespace arena::bind

NB_MODULE(_core, m) {
  using namespace arena::bind;
  // States that a caller still holds when the interpreter ends are no fault of ours.
  nb::set_leak_warnings(false);
  m.doc() = "Rules and search, compiled. Use it through arena.game().";
  m.attr("SPECTATOR") = arena::kSpectator;
  m.attr("MAX_SEATS") = arena::kMaxSeats;
  const nb::object illegal_move =
      nb::steal(PyErr_NewException("arena._core.IllegalMove", PyExc_ValueError, nullptr));
  const nb::object setup_error =
      nb::steal(PyErr_NewException("arena._core.SetupError", PyExc_ValueError, nullptr));
  m.attr("IllegalMove") = illegal_move;
  m.attr("SetupError") = setup_error;
  bind_values(m);
  nb::class_<BoundState> state(m, "State", "One game in progress.");
  bind_state(m, state, illegal_move);
  bind_game(m, setup_error);
}
