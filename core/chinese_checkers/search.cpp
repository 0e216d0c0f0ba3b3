#include "chinese_checkers/search.hpp"

#include <algorithm>
#include <limits>

namespace arena::chinese_checkers {
namespace {

constexpr int kInfinite = 4 * kWin;
constexpr int kRepeated = 500;  // coming back to a recent army costs about twelve steps
constexpr int kTempo = 20;      // being to move is worth half a step
constexpr int kCertain = 4;     // eighths of a value that are sure, see ManySeatSearch::after
constexpr std::size_t kEveryMove = 10'000;
constexpr std::size_t kTableSize = std::size_t{1} << 14U;

/// Root turns, best first, with ties in random order and returns to a recent
/// army behind.
std::vector<Scored> root_moves(const Evaluator& evaluator, const Snapshot& root,
                               const Recent& recent, Rng& rng) {
  std::vector<Scored> moves;
  evaluator.ranked_moves(root, moves);
  for (std::size_t i = moves.size(); i > 1; --i) {
    std::swap(moves[i - 1], moves[rng.below(static_cast<std::uint32_t>(i))]);
  }
  const Seat seat = root.progress.seat();
  for (Scored& move : moves) {
    Position after = root.position;
    after.move(evaluator.rules(), move.ends.from, move.ends.to);
    if (recent.contains(army(evaluator.rules(), after, seat))) move.gain -= kRepeated;
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Scored& a, const Scored& b) { return a.gain > b.gain; });
  return moves;
}

/// Deepens until the nodes are used up; `value_of(move, depth, alpha)` searches one
/// root move. After the first iteration the `width` best turns are looked at.
template <typename ValueOf>
Found deepen(std::vector<Scored> moves, const Evaluator& evaluator, const Snapshot& root,
             const Recent& recent, SearchLimits limits, std::size_t width, const bool& stopped,
             ValueOf&& value_of) {
  Found found;
  if (moves.empty()) return found;
  found.best = moves.front().ends;
  const Seat seat = root.progress.seat();
  for (int depth = 1; depth <= limits.depth && !stopped; ++depth) {
    int best = -kInfinite;
    std::size_t best_index = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      Position after = root.position;
      after.move(evaluator.rules(), moves[i].ends.from, moves[i].ends.to);
      const int penalty = recent.contains(army(evaluator.rules(), after, seat)) ? kRepeated : 0;
      moves[i].gain = value_of(moves[i].ends, depth, best + penalty) - penalty;
      // A stopped search has seen part of the replies only.
      if (stopped) break;
      if (moves[i].gain > best) {
        best = moves[i].gain;
        best_index = i;
      }
    }
    if (best == -kInfinite) break;
    found.best = moves[best_index].ends;
    found.value = best;
    if (best > kWin / 2 || best < -kWin / 2 || stopped) break;
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Scored& a, const Scored& b) { return a.gain > b.gain; });
    moves.resize(std::min(moves.size(), width));
  }
  return found;
}

}  // namespace

TwoSeatSearch::TwoSeatSearch(const Evaluator& evaluator, SearchLimits limits)
    : evaluator_(evaluator), limits_(limits) {
  if (limits_.table) table_.resize(kTableSize);
}

Found TwoSeatSearch::run(const Snapshot& root, const Recent& recent, Rng& rng) {
  nodes_ = 0;
  stopped_ = false;
  std::fill(table_.begin(), table_.end(), Entry{});
  moves_.assign(static_cast<std::size_t>(limits_.depth) + 1, {});
  Found found = deepen(root_moves(evaluator_, root, recent, rng), evaluator_, root, recent, limits_,
                       kEveryMove, stopped_, [&](Ends ends, int depth, int alpha) {
                         return after(root, ends, depth, 0, alpha, kInfinite);
                       });
  found.nodes = nodes_;
  return found;
}

int TwoSeatSearch::after(const Snapshot& parent, const std::optional<Ends>& ends, int depth,
                         int ply, int alpha, int beta) {
  if (++nodes_ >= limits_.nodes) stopped_ = true;
  Snapshot child = parent;
  child.play(evaluator_.rules(), ends);
  const Seat mover = parent.progress.seat();
  if (child.progress.over()) return final_value(child, mover, ply);
  // A seat whose rival has finished may move twice running.
  if (child.progress.seat() == mover) return search(child, depth - 1, ply + 1, alpha, beta);
  return -search(child, depth - 1, ply + 1, -beta, -alpha);
}

int TwoSeatSearch::search(const Snapshot& now, int depth, int ply, int alpha, int beta) {
  if (depth == 0 || stopped_) return leaf(now);
  const std::uint64_t position_key = limits_.table ? key(now) : 0;
  Entry* entry = limits_.table ? &table_[position_key % kTableSize] : nullptr;
  const bool known = entry != nullptr && entry->key == position_key && entry->depth >= 0;
  // Equal depths only: then the round, which the key leaves out, is equal too.
  if (known && entry->depth == depth) {
    if (entry->bound == 0 || (entry->bound > 0 && entry->value >= beta) ||
        (entry->bound < 0 && entry->value <= alpha)) {
      return entry->value;
    }
  }
  std::vector<Scored>& moves = moves_[static_cast<std::size_t>(ply)];
  evaluator_.ranked_moves(now, moves);
  if (moves.empty()) return after(now, std::nullopt, depth, ply, alpha, beta);
  if (known && entry->has_best) {
    const auto best = std::find_if(moves.begin(), moves.end(),
                                   [&](const Scored& move) { return move.ends == entry->best; });
    if (best != moves.end()) std::rotate(moves.begin(), best, best + 1);
  }
  const int floor = alpha;
  int best = -kInfinite;
  Ends best_ends = moves.front().ends;
  const std::size_t count = std::min(moves.size(), limits_.width);
  for (std::size_t i = 0; i < count && !stopped_; ++i) {
    const Ends ends = moves[i].ends;
    const int value = after(now, ends, depth, ply, alpha, beta);
    if (value > best) {
      best = value;
      best_ends = ends;
    }
    alpha = std::max(alpha, best);
    if (alpha >= beta) break;
  }
  if (entry != nullptr && !stopped_) {
    const int bound = best >= beta ? 1 : best <= floor ? -1 : 0;
    *entry = {position_key, best, static_cast<std::int16_t>(depth), static_cast<std::int8_t>(bound),
              best_ends,    true};
  }
  return best;
}

int TwoSeatSearch::leaf(const Snapshot& now) const {
  const Seat seat = now.progress.seat();
  const Seat rival = 1 - seat;
  return evaluator_.cost(now, rival) - evaluator_.cost(now, seat) + kTempo;
}

int TwoSeatSearch::final_value(const Snapshot& over, Seat seat, int ply) const {
  const double score = over.progress.outcome(evaluator_.rules(), over.position)
                           .scores[static_cast<std::size_t>(seat)];
  if (score > 0.5) return kWin - ply;
  if (score < 0.5) return -kWin + ply;
  return 0;
}

std::uint64_t TwoSeatSearch::key(const Snapshot& now) const {
  const Rules& rules = evaluator_.rules();
  std::uint64_t hash = 0;
  for (int set = 0; set < rules.sets(); ++set) {
    const Bits holes = now.position.holes(set);
    hash = Rng::mix(hash ^ holes.low) + 0x9E3779B97F4A7C15ULL;
    hash = Rng::mix(hash ^ holes.high) + 0x9E3779B97F4A7C15ULL;
  }
  return hash ^ static_cast<std::uint64_t>(now.progress.seat()) ^
         (now.progress.finishers().empty() ? 0 : 0xFF00);
}

ManySeatSearch::ManySeatSearch(const Evaluator& evaluator, SearchLimits limits)
    : evaluator_(evaluator), limits_(limits) {}

Found ManySeatSearch::run(const Snapshot& root, const Recent& recent, Rng& rng) {
  nodes_ = 0;
  stopped_ = false;
  me_ = root.progress.seat();
  moves_.assign(static_cast<std::size_t>(limits_.depth) + 1, {});
  Found found = deepen(root_moves(evaluator_, root, recent, rng), evaluator_, root, recent, limits_,
                       2 * limits_.width, stopped_,
                       [&](Ends ends, int depth, int) { return after(root, ends, depth, 0); });
  found.nodes = nodes_;
  return found;
}

int ManySeatSearch::after(const Snapshot& parent, const std::optional<Ends>& ends, int depth,
                          int turn) {
  const Rules& rules = evaluator_.rules();
  Snapshot child = parent;
  child.play(rules, ends);
  if (++nodes_ >= limits_.nodes) stopped_ = true;
  const auto mine = [&](const Finisher& finisher) { return finisher.seat == me_; };
  const auto finishers = child.progress.finishers();
  const auto own = std::find_if(finishers.begin(), finishers.end(), mine);
  if (own != finishers.end()) {
    // An earlier place is worth more than any position, an earlier turn a little.
    return kWin - 1000 * static_cast<int>(own - finishers.begin()) - turn;
  }
  const int now = leaf(child);
  if (depth == 1) return now;
  while (!child.progress.over() && child.progress.seat() != me_) {
    if (stopped_) return leaf(child);
    evaluator_.ranked_moves(child, answer_);
    child.play(rules, answer_.empty() ? std::nullopt : std::optional(answer_.front().ends));
    if (++nodes_ >= limits_.nodes) stopped_ = true;
  }
  if (child.progress.over()) return leaf(child) - kWin;
  const int later = search(child, depth - 1, turn + 1);
  // What is reached now is certain; what comes later rests on guessed answers.
  return later > kWin / 2 ? later : (kCertain * now + (8 - kCertain) * later) / 8;
}

int ManySeatSearch::search(const Snapshot& now, int depth, int turn) {
  if (stopped_) return leaf(now);
  std::vector<Scored>& moves = moves_[static_cast<std::size_t>(turn)];
  evaluator_.ranked_moves(now, moves);
  if (moves.empty()) return after(now, std::nullopt, depth, turn);
  int best = -kInfinite;
  // The beam narrows with every own turn: far ahead only the plain way counts.
  const std::size_t width = std::max<std::size_t>(limits_.width >> turn, 2);
  const std::size_t count = std::min(moves.size(), width);
  for (std::size_t i = 0; i < count && !stopped_; ++i) {
    best = std::max(best, after(now, moves[i].ends, depth, turn));
  }
  return best;
}

int ManySeatSearch::leaf(const Snapshot& now) const {
  const Rules& rules = evaluator_.rules();
  int others = 0;
  for (Seat seat = 0; seat < rules.seats(); ++seat) {
    if (seat != me_) others += evaluator_.cost(now, seat);
  }
  return others / (2 * (rules.seats() - 1)) - evaluator_.cost(now, me_);
}

}  // namespace arena::chinese_checkers
