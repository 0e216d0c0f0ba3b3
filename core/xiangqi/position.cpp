#include "xiangqi/position.hpp"

#include <bit>

#include "base/rng.hpp"

namespace arena::xiangqi {
namespace {

struct Keys {
  std::array<std::array<std::uint64_t, kPoints>, 16> man{};
  std::uint64_t black_to_move = 0;
};

constexpr Keys make_keys() {
  Keys keys;
  Rng rng(0x7869616E677169ULL);
  for (auto& man : keys.man) {
    for (std::uint64_t& key : man) key = rng.next();
  }
  keys.black_to_move = rng.next();
  return keys;
}

constexpr Keys kKeys = make_keys();

constexpr Line bit(int place) { return static_cast<Line>(1U << place); }

template <typename Visit>
void each(Line line, Visit&& visit) {
  for (unsigned left = line; left != 0; left &= left - 1) visit(std::countr_zero(left));
}

}  // namespace

void Position::set_to_move(Side side) {
  if (side != to_move_) key_ ^= kKeys.black_to_move;
  to_move_ = side;
}

void Position::put(Point p, Man man) {
  const std::size_t side = index_of(side_of(man));
  men_[static_cast<std::size_t>(p)] = man;
  ranks_[side][static_cast<std::size_t>(rank_of(p))] ^= bit(file_of(p));
  files_[side][static_cast<std::size_t>(file_of(p))] ^= bit(rank_of(p));
  key_ ^= kKeys.man[man][static_cast<std::size_t>(p)];
  if (kind_of(man) == Kind::general) generals_[side] = static_cast<std::int8_t>(p);
}

void Position::take(Point p) {
  const Man man = at(p);
  const std::size_t side = index_of(side_of(man));
  men_[static_cast<std::size_t>(p)] = kEmpty;
  ranks_[side][static_cast<std::size_t>(rank_of(p))] ^= bit(file_of(p));
  files_[side][static_cast<std::size_t>(file_of(p))] ^= bit(rank_of(p));
  key_ ^= kKeys.man[man][static_cast<std::size_t>(p)];
  if (kind_of(man) == Kind::general) generals_[side] = -1;
}

Man Position::play(Step step) {
  const Man captured = at(step.to);
  if (captured != kEmpty) take(step.to);
  const Man man = at(step.from);
  take(step.from);
  put(step.to, man);
  pass();
  return captured;
}

void Position::undo(Step step, Man captured) {
  const Man man = at(step.to);
  take(step.to);
  put(step.from, man);
  if (captured != kEmpty) put(step.to, captured);
  pass();
}

bool Position::general_attacked(Side side) const {
  const Point p = general(side);
  if (p < 0) return false;
  const Side enemy = other(side);
  const Man chariot = man_of(enemy, Kind::chariot);
  const Man cannon = man_of(enemy, Kind::cannon);
  const int file = file_of(p);
  const int rank = rank_of(p);
  bool attacked = false;
  const Line on_rank = rank_line(enemy, rank);
  if (on_rank != 0) {
    const Sight sight = rank_sight(p);
    each(static_cast<Line>(sight.reach & on_rank), [&](int f) {
      const Man man = at(point_at(f, rank));
      attacked |= man == chariot;
      attacked |= man == man_of(enemy, Kind::soldier) && (f - file == 1 || file - f == 1);
    });
    each(static_cast<Line>(sight.jump & on_rank),
         [&](int f) { attacked |= at(point_at(f, rank)) == cannon; });
  }
  const Line on_file = file_line(enemy, file);
  if (on_file != 0) {
    const Sight sight = file_sight(p);
    const int before = side == Side::red ? rank + 1 : rank - 1;
    each(static_cast<Line>(sight.reach & on_file), [&](int r) {
      const Man man = at(point_at(file, r));
      attacked |= man == chariot;
      attacked |= man == man_of(enemy, Kind::soldier) && r == before;
      attacked |= flying_ && man == man_of(enemy, Kind::general);
    });
    each(static_cast<Line>(sight.jump & on_file),
         [&](int r) { attacked |= at(point_at(file, r)) == cannon; });
  }
  if (attacked) return true;
  const Man horse = man_of(enemy, Kind::horse);
  const Leaps& arrivals = kHorseArrivals[static_cast<std::size_t>(p)];
  for (int i = 0; i < arrivals.count; ++i) {
    const Leap leap = arrivals.leaps[static_cast<std::size_t>(i)];
    if (at(leap.to) == horse && at(leap.leg) == kEmpty) return true;
  }
  return false;
}

/// What may expose the own general: steps from or to these points need a closer look. All
/// steps do while it is in check.
struct Position::Danger {
  std::array<std::uint64_t, 2> from{};
  std::array<std::uint64_t, 2> to{};
  bool check = false;

  static void mark(std::array<std::uint64_t, 2>& set, Point p) {
    set[static_cast<std::size_t>(p) >> 6U] |= std::uint64_t{1} << (p & 63);
  }
  static bool has(const std::array<std::uint64_t, 2>& set, Point p) {
    return ((set[static_cast<std::size_t>(p) >> 6U] >> (p & 63)) & 1U) != 0;
  }
};

Position::Danger Position::danger() const {
  Danger danger;
  const Point king = general(to_move_);
  if (king < 0) return danger;
  danger.check = general_attacked(to_move_);
  if (danger.check) return danger;
  Danger::mark(danger.from, king);
  const Side enemy = other(to_move_);
  constexpr int kWays[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (const auto& way : kWays) {
    const int place = way[0] != 0 ? file_of(king) : rank_of(king);
    const unsigned along =
        way[0] != 0 ? rank_line(enemy, rank_of(king)) : file_line(enemy, file_of(king));
    const bool forward = way[0] + way[1] > 0;
    if ((forward ? along >> (place + 1) : along & ((1U << place) - 1U)) == 0) continue;
    const int stride = way[0] + kFiles * way[1];
    const int length = way[0] > 0   ? kFiles - 1 - file_of(king)
                       : way[0] < 0 ? file_of(king)
                       : way[1] > 0 ? kRanks - 1 - rank_of(king)
                                    : rank_of(king);
    Point first = -1;
    Point second = -1;
    Point p = king;
    for (int i = 0; i < length; ++i) {
      p += stride;
      const Man man = at(p);
      if (man == kEmpty) continue;
      if (first < 0) {
        // A cannon without a screen: nobody may become one.
        if (man == man_of(enemy, Kind::cannon)) {
          for (Point q = king + stride; q != p; q += stride) Danger::mark(danger.to, q);
        }
        first = p;
      } else if (second < 0) {
        const bool pins = man == man_of(enemy, Kind::chariot) ||
                          (flying_ && way[1] != 0 && man == man_of(enemy, Kind::general));
        if (pins) Danger::mark(danger.from, first);
        second = p;
      } else {
        // Two screens before a cannon: neither may leave.
        if (man == man_of(enemy, Kind::cannon)) {
          Danger::mark(danger.from, first);
          Danger::mark(danger.from, second);
        }
        break;
      }
    }
  }
  const Leaps& arrivals = kHorseArrivals[static_cast<std::size_t>(king)];
  for (int i = 0; i < arrivals.count; ++i) {
    const Leap leap = arrivals.leaps[static_cast<std::size_t>(i)];
    if (at(leap.to) == man_of(enemy, Kind::horse)) Danger::mark(danger.from, leap.leg);
  }
  return danger;
}

void Position::steps_of(Point from, Line rank_targets, Line file_targets, StepList& list) const {
  const int first = rank_of(from) * kFiles;
  each(rank_targets, [&](int file) { list.add(from, first + file); });
  each(file_targets, [&](int rank) { list.add(from, rank * kFiles + file_of(from)); });
}

void Position::list_moves(StepList& list) const {
  list.count = 0;
  const Side side = to_move_;
  const auto leaps = [&](Point from, const LeapTable& table, bool legs) {
    const Leaps& all = table[static_cast<std::size_t>(from)];
    for (int i = 0; i < all.count; ++i) {
      const Leap leap = all.leaps[static_cast<std::size_t>(i)];
      if (legs && at(leap.leg) != kEmpty) continue;
      const Man target = at(leap.to);
      if (target == kEmpty || side_of(target) != side) list.add(from, leap.to);
    }
  };
  for (int rank = 0; rank < kRanks; ++rank) {
    const Line own = rank_line(side, rank);
    each(own, [&](int file) {
      const Point from = point_at(file, rank);
      switch (kind_of(at(from))) {
        case Kind::general:
          leaps(from, kKingSteps, false);
          break;
        case Kind::advisor:
          leaps(from, kAdvisorLeaps, false);
          break;
        case Kind::elephant:
          leaps(from, kElephantLeaps, true);
          break;
        case Kind::horse:
          leaps(from, kHorseLeaps, true);
          break;
        case Kind::chariot:
          steps_of(from, static_cast<Line>(rank_sight(from).reach & kRankMask & ~own),
                   static_cast<Line>(file_sight(from).reach & ~file_line(side, file)), list);
          break;
        case Kind::cannon: {
          const Sight along = rank_sight(from);
          const Sight up = file_sight(from);
          const Side enemy = other(side);
          steps_of(
              from,
              static_cast<Line>((along.reach & kRankMask & ~rank_line(rank)) |
                                (along.jump & rank_line(enemy, rank))),
              static_cast<Line>((up.reach & ~file_line(file)) | (up.jump & file_line(enemy, file))),
              list);
          break;
        }
        case Kind::soldier: {
          const int ahead = side == Side::red ? rank + 1 : rank - 1;
          Line up = ahead >= 0 && ahead < kRanks ? bit(ahead) : Line{0};
          up = static_cast<Line>(up & ~file_line(side, file));
          Line along = 0;
          if (red_half(from) != (side == Side::red)) {
            along = static_cast<Line>(((own & bit(file)) << 1U) | ((own & bit(file)) >> 1U));
            along = static_cast<Line>(along & kRankMask & ~own);
          }
          steps_of(from, along, up, list);
          break;
        }
        case Kind::none:
          break;
      }
    });
  }
}

bool Position::leaves_safe(Step step) const {
  Position after = *this;
  after.play(step);
  return !after.general_attacked(to_move_);
}

void Position::list_legal(StepList& list) const {
  list_moves(list);
  const Danger risk = danger();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.count; ++i) {
    const Step step = list.steps[i];
    const bool look =
        risk.check || Danger::has(risk.from, step.from) || Danger::has(risk.to, step.to);
    if (look && !leaves_safe(step)) continue;
    list.steps[kept++] = step;
  }
  list.count = kept;
}

bool Position::legal(Step step) const {
  const Man man = at(step.from);
  if (man == kEmpty || side_of(man) != to_move_) return false;
  StepList list;
  list_moves(list);
  for (const Step known : list) {
    if (known == step) return leaves_safe(step);
  }
  return false;
}

bool Position::is_mate() const {
  if (!in_check()) return false;
  StepList replies;
  list_legal(replies);
  return replies.count == 0;
}

std::uint64_t Position::perft(int depth, Leaves wanted) {
  StepList list;
  list_legal(list);
  if (depth == 1 && wanted == Leaves::all) return list.count;
  std::uint64_t leaves = 0;
  for (const Step step : list) {
    const Man captured = play(step);
    if (depth > 1) {
      leaves += perft(depth - 1, wanted);
    } else {
      const bool counts = wanted == Leaves::captures ? captured != kEmpty
                          : wanted == Leaves::checks ? in_check()
                                                     : is_mate();
      leaves += counts ? 1U : 0U;
    }
    undo(step, captured);
  }
  return leaves;
}

std::string point_text(Point p) {
  std::string text(1, static_cast<char>('a' + file_of(p)));
  return text + std::to_string(rank_of(p) + 1);
}

std::string step_text(Step step) { return point_text(step.from) + point_text(step.to); }

namespace {

constexpr std::string_view kLetters = " kabnrcp";
/// A side never has more of a kind.
constexpr std::array<int, kKinds> kMost{0, 1, 2, 2, 2, 2, 2, 5};

/// Where a man of a kind can stand at all.
bool may_stand(Side side, Kind kind, Point p) {
  const bool home = red_half(p) == (side == Side::red);
  const int rank = side == Side::red ? rank_of(p) : kRanks - 1 - rank_of(p);
  const int file = file_of(p);
  switch (kind) {
    case Kind::general:
      return home && in_palace(p);
    case Kind::advisor:
      return home && in_palace(p) && (file == 4 ? rank == 1 : rank != 1);
    case Kind::elephant:
      return home && ((rank % 4 == 0 && file % 4 == 2) || (rank == 2 && file % 4 == 0));
    case Kind::soldier:
      return home ? rank >= 3 && file % 2 == 0 : true;
    default:
      return true;
  }
}

}  // namespace

std::string board_text(const Position& position) {
  std::string text;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    int gap = 0;
    for (int file = 0; file < kFiles; ++file) {
      const Man man = position.at(point_at(file, rank));
      if (man == kEmpty) {
        ++gap;
        continue;
      }
      if (gap > 0) text += static_cast<char>('0' + gap);
      gap = 0;
      const char letter = kLetters[static_cast<std::size_t>(kind_of(man))];
      text += side_of(man) == Side::red ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    if (gap > 0) text += static_cast<char>('0' + gap);
    if (rank > 0) text += '/';
  }
  return text;
}

std::optional<std::string> read_board(std::string_view text, Position& position) {
  int rank = kRanks - 1;
  int file = 0;
  std::array<std::array<int, kKinds>, 2> count{};
  for (const char c : text) {
    if (c == '/') {
      if (file != kFiles) {
        return "rank " + std::to_string(rank + 1) + " has " + std::to_string(file) +
               " points; a rank has 9";
      }
      if (--rank < 0) return "more than 10 ranks";
      file = 0;
      continue;
    }
    if (c >= '1' && c <= '9') {
      file += c - '0';
      if (file > kFiles) return "rank " + std::to_string(rank + 1) + " has more than 9 points";
      continue;
    }
    const bool red = c >= 'A' && c <= 'Z';
    char letter = red ? static_cast<char>(c - 'A' + 'a') : c;
    // Other programs write horse and elephant as in chess or in English.
    if (letter == 'h') letter = 'n';
    if (letter == 'e') letter = 'b';
    const std::size_t kind = letter == ' ' ? std::string_view::npos : kLetters.find(letter);
    if (kind == std::string_view::npos) {
      return "rank " + std::to_string(rank + 1) +
             " has a character that is no man; men are KABNRCP for Red, kabnrcp for Black";
    }
    if (file >= kFiles) return "rank " + std::to_string(rank + 1) + " has more than 9 points";
    const Side side = red ? Side::red : Side::black;
    const Point p = point_at(file, rank);
    if (!may_stand(side, static_cast<Kind>(kind), p)) {
      return std::string(1, c) + " cannot stand on " + point_text(p);
    }
    if (++count[index_of(side)][kind] > kMost[kind]) {
      return "more than " + std::to_string(kMost[kind]) + " of " + std::string(1, c);
    }
    position.put(p, man_of(side, static_cast<Kind>(kind)));
    ++file;
  }
  if (rank != 0 || file != kFiles) return "a board has 10 ranks of 9 points, from Black's down";
  for (const Side side : {Side::red, Side::black}) {
    if (position.general(side) < 0) {
      return std::string(side == Side::red ? "Red" : "Black") + " has no general";
    }
  }
  return std::nullopt;
}

}  // namespace arena::xiangqi
