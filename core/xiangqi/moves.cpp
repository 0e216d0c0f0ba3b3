#include "xiangqi/moves.hpp"

namespace arena::xiangqi {
namespace {

/// Takes a point off the front; ranks from `lowest`, one digit where that is 0.
std::optional<Point> take_point(std::string_view& text, char first_file, int lowest) {
  if (text.size() < 2) return std::nullopt;
  const int file = text[0] - first_file;
  int rank = text[1] - '0';
  if (file < 0 || file >= kFiles || rank < lowest || rank > 9) return std::nullopt;
  text.remove_prefix(2);
  if (lowest == 1 && rank == 1 && !text.empty() && text[0] == '0') {
    rank = 10;
    text.remove_prefix(1);
  }
  return point_at(file, rank - lowest);
}

Step step_of(Point from, Point to) {
  return {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
}

std::string shown(std::string_view text) {
  std::string out = "'";
  out.append(text.substr(0, 40));
  return out + (text.size() > 40 ? "…'" : "'");
}

}  // namespace

std::optional<Step> decode(const Move& move) {
  const std::uint64_t word = move.words[0];
  const std::uint64_t from = word >> 7U;
  const std::uint64_t to = word & 127U;
  if (from >= kPoints || to >= kPoints || move != Move(word)) return std::nullopt;
  return Step{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
}

std::string move_text(const Move& move) {
  if (move == kClaim) return "claim";
  if (move == kFoul) return "fine foul";
  const std::optional<Step> step = decode(move);
  return step ? step_text(*step) : "?";
}

std::optional<Step> parse_step(std::string_view text) {
  const auto from = take_point(text, 'a', 1);
  if (!from) return std::nullopt;
  const auto to = take_point(text, 'a', 1);
  if (!to || !text.empty()) return std::nullopt;
  return step_of(*from, *to);
}

std::variant<Move, Illegal> parse_move(std::string_view text) {
  if (text == "claim") return kClaim;
  if (const auto step = parse_step(text)) return encode(*step);
  if (text.size() == 5 && text[2] == '-') {
    std::string_view from_text = text.substr(0, 2);
    std::string_view to_text = text.substr(3);
    const auto from = take_point(from_text, 'A', 0);
    const auto to = take_point(to_text, 'A', 0);
    if (from && to) return encode(step_of(*from, *to));
  }
  return Illegal{IllegalReason::syntax, "",
                 shown(text) + " is not a move: two points with files a-i and ranks 1-10 as in " +
                     "h3e3, the same in ICCS with ranks 0-9 as in H2-E2, or claim"};
}

}  // namespace arena::xiangqi
