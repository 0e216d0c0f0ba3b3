#include "gomoku/opening.hpp"

#include <algorithm>

namespace arena::gomoku {
namespace {

constexpr Zone kCentre{0, 0};
/// The square of k x k points round the centre.
constexpr Zone square(int k) { return {0, k / 2}; }
constexpr Zone outside(int k) { return {k / 2 + 1, kMaxSize}; }

class Script {
 public:
  explicit Script(const Rules& rules) : rules_(rules) {}

  Script& place(Actor actor, Zone zone = {}) {
    add({Phase::place, actor, stones_, zone});
    ++stones_;
    return *this;
  }
  Script& ask(Phase phase, Actor actor, bool may_add = false) {
    add({phase, actor, stones_, Zone{}, may_add});
    return *this;
  }
  /// Stone 1 on the centre, 2 and 3 in squares: the 26 openings where these are 3 and 5.
  Script& three(Actor first, Actor second, Actor third) {
    return place(first, kCentre).place(second, square(3)).place(third, square(5));
  }

  std::vector<Step> done() {
    // A Taraguchi offer skips stone 5 and its swap: its `pick` is the last step.
    const int count = static_cast<int>(steps_.size());
    for (int i = 0; i < count; ++i) {
      Step& step = steps_[static_cast<std::size_t>(i)];
      step.next = i + 1;
      if (step.phase == Phase::swap_or_offer) step.after_offer = count - 1;
    }
    const bool branched = std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
      return step.phase == Phase::swap_or_offer;
    });
    if (branched) steps_[static_cast<std::size_t>(count - 2)].next = count;
    return steps_;
  }

  Zone first() const { return rules_.first_stone == FirstStone::centre ? kCentre : Zone{}; }
  Script& stones(int count) {
    stones_ = count;
    return *this;
  }

 private:
  void add(const Step& step) { steps_.push_back(step); }

  const Rules& rules_;
  std::vector<Step> steps_;
  int stones_ = 0;
};

}  // namespace

std::string_view word(Phase phase) {
  switch (phase) {
#define ARENA_CASE(id) \
  case Phase::id:      \
    return #id;
    ARENA_GOMOKU_PHASES(ARENA_CASE)
#undef ARENA_CASE
  }
  return "";
}

std::vector<Step> make_protocol(const Rules& rules) {
  constexpr Actor opener = Actor::seat0;
  constexpr Actor rival = Actor::seat1;
  constexpr Actor black = Actor::black;
  constexpr Actor white = Actor::white;
  Script script(rules);
  switch (rules.opening) {
    case Opening::free:
    case Opening::book:
      return {};
    case Opening::pro:
    case Opening::long_pro:
      script.place(black, kCentre)
          .place(white, rules.pro_second_adjacent ? square(3) : Zone{})
          .place(black, outside(rules.opening == Opening::pro ? 5 : 7));
      break;
    case Opening::swap:
      script.place(opener, script.first()).place(opener).place(opener).ask(Phase::swap, rival);
      break;
    case Opening::swap1:
      script.place(opener, script.first()).ask(Phase::swap, rival);
      break;
    case Opening::swap2:
      script.place(opener, script.first()).place(opener).place(opener);
      script.ask(Phase::choose, rival, true).place(rival).place(rival).ask(Phase::choose, opener);
      break;
    case Opening::renju_swap:
      script.three(black, white, black).ask(Phase::swap, rival).place(white);
      script.ask(Phase::offer, black).ask(Phase::pick, white);
      break;
    case Opening::rif:
    case Opening::chinese_national:
      script.three(opener, opener, opener).ask(Phase::swap, rival).place(white);
      script.ask(Phase::offer, black).ask(Phase::pick, white);
      break;
    case Opening::yamaguchi:
      script.three(opener, opener, opener).ask(Phase::declare, opener).ask(Phase::swap, rival);
      script.place(white).ask(Phase::offer, black).ask(Phase::pick, white);
      break;
    case Opening::soosorv:
      script.three(opener, opener, opener).ask(Phase::swap, rival);
      script.place(white).ask(Phase::declare, white).ask(Phase::swap, black);
      script.ask(Phase::offer, black).ask(Phase::pick, white);
      break;
    case Opening::taraguchi:
    case Opening::super_taraguchi: {
      const int wider = rules.opening == Opening::super_taraguchi ? 2 : 0;
      script.place(black, kCentre).ask(Phase::swap, white);
      script.place(white, square(3 + wider)).ask(Phase::swap, black);
      script.place(black, square(5 + wider)).ask(Phase::swap, white);
      script.place(white, square(7 + wider)).ask(Phase::swap_or_offer, black);
      script.place(black, square(9)).ask(Phase::swap, white);
      script.stones(4).ask(Phase::pick, white);
      break;
    }
    case Opening::super_sakata: {
      script.three(opener, opener, opener).place(rival, square(7)).place(rival, square(9));
      Actor chooser = opener;
      for (int round = 0; round < rules.opening_n; ++round) {
        script.ask(Phase::choose, chooser, true).place(chooser).place(chooser);
        chooser = chooser == opener ? rival : opener;
      }
      script.ask(Phase::choose, chooser);
      break;
    }
  }
  return script.done();
}

Point mirrored(int symmetry, Point p, int size) {
  int row = p / size;
  int column = p % size;
  if ((symmetry & 1) != 0) row = size - 1 - row;
  if ((symmetry & 2) != 0) column = size - 1 - column;
  if ((symmetry & 4) != 0) std::swap(row, column);
  return row * size + column;
}

Orbits::Orbits(const Board& board) : size_(board.size()) {
  for (int symmetry = 1; symmetry < 8; ++symmetry) {
    bool keeps = true;
    for (const Colour colour : {Colour::black, Colour::white}) {
      board.stones(colour).each(
          [&](Point p) { keeps = keeps && board.has(colour, mirrored(symmetry, p, size_)); });
    }
    if (keeps) symmetries_.push_back(symmetry);
  }
}

Point Orbits::of(Point p) const {
  Point least = p;
  for (const int symmetry : symmetries_) least = std::min(least, mirrored(symmetry, p, size_));
  return least;
}

const std::vector<std::vector<BookStone>>& book() {
  static const std::vector<std::vector<BookStone>> openings = {
#include "gomoku/book.inc"
  };
  return openings;
}

}  // namespace arena::gomoku
