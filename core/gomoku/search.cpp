#include "gomoku/search.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/rng.hpp"

namespace arena::gomoku {
namespace {

constexpr int kFoursDepth = 12;  ///< fours in a row that are looked at
constexpr std::uint64_t kWhiteToMove = 0x9E3779B97F4A7C15ULL;
constexpr int kLeafFoursNodes = 24;  ///< and the nodes for it at a leaf

Point only(const Points& points) { return points.at(0); }

}  // namespace

Point Search::five_at_hand(Colour side) const {
  Point found = -1;
  evaluator_.fives(side).each([&](Point p) {
    if (found < 0 && evaluator_.sound(side, p)) found = p;
  });
  return found;
}

/// What needs no search: a five at hand, or two of the rival's.
std::optional<int> Search::settled(Colour side, int ply) {
  if (five_at_hand(side) >= 0) return kMate - ply - 1;
  const Points& threats = evaluator_.fives(other(side));
  const int count = threats.count();
  if (count >= 2) return -(kMate - ply - 2);
  if (count == 1) {
    if (!evaluator_.sound(side, only(threats))) return -(kMate - ply - 2);
    return std::nullopt;
  }
  bool straight = false;
  evaluator_.straights(side).each(
      [&](Point p) { straight = straight || evaluator_.sound(side, p); });
  if (straight) return kMate - ply - 3;
  return std::nullopt;
}

/// Moves worth a look, best first: all that answer a threat of a straight four,
/// or the `width` best of a quiet position.
void Search::gather(Colour side, Candidates& out, int width) {
  out.clear();
  const Colour rival = other(side);
  const Points& threats = evaluator_.fives(rival);
  if (threats.count() > 0) {
    out.push_back({only(threats), 0});
    return;
  }
  const bool threatened = evaluator_.straights(rival).count() > 0;
  const auto consider = [&](Point p) {
    const int mine = evaluator_.score(side, p);
    const int theirs = evaluator_.score(rival, p);
    if (mine + theirs == 0) return;
    out.push_back({p, 2 * mine + theirs + (mine > theirs ? mine : theirs)});
  };
  if (threatened) {
    Points answers = evaluator_.straights(rival);
    const auto join = [&answers](const Points& more) {
      more.each([&answers](Point p) { answers.add(p); });
    };
    join(evaluator_.fours(rival));
    join(evaluator_.fours(side));
    join(evaluator_.straights(side));
    answers.each(consider);
  } else {
    const Board& board = evaluator_.board();
    const int cells = board.size() * board.size();
    for (Point p = 0; p < cells; ++p) {
      if (board.empty(p)) consider(p);
    }
  }
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.move < b.move;
  };
  if (!threatened && static_cast<int>(out.size()) > width) {
    std::partial_sort(out.begin(), out.begin() + width, out.end(), better);
    out.resize(static_cast<std::size_t>(width));
  } else {
    std::sort(out.begin(), out.end(), better);
  }
}

/// Whether `side`, to move, wins by fours that each force the answer.
bool Search::fours_win(Colour side, int depth, Point* first) {
  ++nodes_;
  const Colour rival = other(side);
  if (const Point five = five_at_hand(side); five >= 0) {
    if (first != nullptr) *first = five;
    return true;
  }
  if (depth == 0 || nodes_ >= fours_limit_) return false;
  Points tries = evaluator_.straights(side);
  evaluator_.fours(side).each([&tries](Point p) { tries.add(p); });
  const Points threats = evaluator_.fives(rival);
  const int urgent = threats.count();
  if (urgent >= 2) return false;
  bool won = false;
  tries.each([&](Point p) {
    if (won || (urgent == 1 && !threats.contains(p)) || !evaluator_.sound(side, p)) return;
    evaluator_.put(side, p);
    const Points& points = evaluator_.fives(side);
    const int completions = points.count();
    if (completions > 0 && evaluator_.fives(rival).count() == 0) {
      const Point answer = only(points);
      if (completions >= 2 || !evaluator_.sound(rival, answer)) {
        won = true;
      } else {
        evaluator_.put(rival, answer);
        won = fours_win(side, depth - 1, nullptr);
        evaluator_.take(rival, answer);
      }
    }
    evaluator_.take(side, p);
    if (won && first != nullptr) *first = p;
  });
  return won;
}

int Search::negamax(Colour side, int depth, int alpha, int beta, int ply) {
  ++nodes_;
  if (const auto score = settled(side, ply)) return *score;
  const bool forced = evaluator_.fives(other(side)).count() > 0;
  if (ply >= kMaxPly ||
      evaluator_.board().count() >= evaluator_.board().size() * evaluator_.board().size()) {
    return 0;
  }
  if (depth <= 0 && !forced) {
    fours_limit_ = nodes_ + kLeafFoursNodes;
    if (evaluator_.fours(side).count() > 0 && fours_win(side, kFoursDepth, nullptr)) {
      return kWon + 100 - ply;
    }
    return std::clamp(evaluator_.balance(side), -kWon + 1, kWon - 1);
  }
  // The side to move belongs to the position's name.
  const std::uint64_t key = evaluator_.key() ^ (side == Colour::black ? 0 : kWhiteToMove);
  Known& known = known_[key % kKnown];
  const bool seen = known.run == run_ && known.key == key;
  if (seen && known.depth >= depth &&
      (known.bound == Bound::exact || (known.bound == Bound::lower && known.score >= beta) ||
       (known.bound == Bound::upper && known.score <= alpha))) {
    return known.score;
  }

  Candidates& moves = lists_[static_cast<std::size_t>(ply)];
  gather(side, moves, kWidth);
  if (seen) {
    const auto first = std::find_if(moves.begin(), moves.end(), [&](const Candidate& candidate) {
      return candidate.move == known.move;
    });
    if (first != moves.end()) std::rotate(moves.begin(), first, first + 1);
  }
  const int below = alpha;
  int best = -kMate;
  Point best_move = -1;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Point p = moves[i].move;
    if (!evaluator_.sound(side, p)) continue;
    evaluator_.put(side, p);
    const int next = depth - (forced ? 0 : 1);
    int score = 0;
    if (best_move < 0) {
      score = -negamax(other(side), next, -beta, -alpha, ply + 1);
    } else {
      // The first move should be the best: the others need only be shown not to be.
      score = -negamax(other(side), next, -alpha - 1, -alpha, ply + 1);
      if (score > alpha && score < beta) {
        score = -negamax(other(side), next, -beta, -alpha, ply + 1);
      }
    }
    evaluator_.take(side, p);
    if (spent() && best_move >= 0) break;  // a move cut short has no score
    if (score > best || best_move < 0) {
      best = score;
      best_move = p;
    }
    alpha = std::max(alpha, best);
    if (best >= beta || spent()) break;
  }
  // Nothing near to play, or nothing sound: as good as the position looks.
  if (best_move < 0) return std::clamp(evaluator_.balance(side) - 1, -kWon, kWon);
  // Forced ends count from the root and are not kept.
  if (!spent() && std::abs(best) < kWon) {
    const Bound bound = best >= beta ? Bound::lower : best > below ? Bound::exact : Bound::upper;
    known = {
        key,  run_, best, static_cast<std::int16_t>(best_move), static_cast<std::int8_t>(depth),
        bound};
  }
  return best;
}

Found Search::run(const Board& board, Colour to_move, const Points& allowed, std::uint64_t budget,
                  std::uint64_t seed) {
  evaluator_.set(board);
  nodes_ = 0;
  ++run_;
  budget_ = budget;
  Found found;

  if (const Point five = five_at_hand(to_move); five >= 0 && allowed.contains(five)) {
    return {five, kMate - 1, 1};
  }

  Point first = -1;
  fours_limit_ = std::max<std::uint64_t>(budget / 4, 1);
  if (fours_win(to_move, kFoursDepth, &first) && allowed.contains(first)) {
    return {first, kWon + 100, nodes_};
  }

  Candidates root;
  gather(to_move, root, 2 * kWidth);
  Rng rng(seed);
  std::erase_if(root, [&](const Candidate& candidate) {
    return !allowed.contains(candidate.move) || !evaluator_.sound(to_move, candidate.move);
  });
  // Ties in the order of the seed.
  for (std::size_t i = root.size(); i > 1; --i) {
    std::swap(root[i - 1], root[rng.below(static_cast<std::uint32_t>(i))]);
  }
  std::stable_sort(root.begin(), root.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  if (root.empty()) return {-1, evaluator_.balance(to_move), nodes_};

  found = {root[0].move, evaluator_.balance(to_move), nodes_};
  for (int depth = 1; depth <= kMaxPly / 2 && !spent(); ++depth) {
    int best = -kMate - 1;
    for (Candidate& candidate : root) {
      evaluator_.put(to_move, candidate.move);
      int score = 0;
      if (best < -kMate) {
        score = -negamax(other(to_move), depth - 1, -kMate, kMate, 1);
      } else {
        score = -negamax(other(to_move), depth - 1, -best - 1, -best, 1);
        if (score > best) score = -negamax(other(to_move), depth - 1, -kMate, -best, 1);
      }
      evaluator_.take(to_move, candidate.move);
      // A move cut short by the budget has no score; the first of a depth is the
      // best of the depth before and stays.
      if (spent() && depth > 1) break;
      candidate.score = score;
      if (score > best) {
        best = score;
        found.move = candidate.move;
        found.score = score;
      } else {
        candidate.score = -kMate;  // only a bound is known
      }
    }
    std::stable_sort(root.begin(), root.end(), [&](const Candidate& a, const Candidate& b) {
      return (a.move == found.move) > (b.move == found.move);
    });
    if (best >= kWon || best <= -kWon || root.size() == 1) break;
  }
  found.nodes = nodes_;
  return found;
}

}  // namespace arena::gomoku
