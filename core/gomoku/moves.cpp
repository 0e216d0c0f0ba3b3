#include "gomoku/moves.hpp"

#include <algorithm>
#include <vector>

namespace arena::gomoku {
namespace {

constexpr int kPointBits = 10;
constexpr int kPointsPerWord = 6;
constexpr std::array<std::string_view, kActs> kWords{
    "", "pass", "claim", "swap", "stay", "black", "white", "add", "declare", "offer", "pick"};

std::string_view word(Act act) { return kWords[static_cast<std::size_t>(act)]; }

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  bool fresh = true;
  for (const char c : text) {
    if (c == ' ') {
      fresh = true;
      continue;
    }
    if (fresh) parts.emplace_back();
    fresh = false;
    parts.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return parts;
}

/// The input as it may be shown: cut, and without control characters.
std::string shown(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 60)) {
    out += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '?' : c;
  }
  return out + (text.size() > 60 ? "…'" : "'");
}

Illegal syntax(std::string_view text, std::string_view right) {
  return {IllegalReason::syntax, "", shown(text) + " is not a move; " + std::string(right)};
}

bool looks_like_point(std::string_view text) {
  if (text.size() < 2 || text.size() > 4 || text[0] < 'a' || text[0] > 'z') return false;
  if (text.size() > 2 && text[1] == '0') return false;  // h08 is no spelling of h8
  return std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Illegal off_board(std::string_view point, int size) {
  return {
      IllegalReason::off_board, std::string(point),
      shown(point) + " is off the board; points are a1 to " + point_text(size * size - 1, size)};
}

}  // namespace

Move make_offer(const Offer& offer) {
  Move move = make_move(Act::offer, offer.count);
  for (int i = 0; i < offer.count; ++i) {
    move.words[static_cast<std::size_t>(1 + i / kPointsPerWord)] |=
        static_cast<std::uint64_t>(offer.at(i)) << (kPointBits * (i % kPointsPerWord));
  }
  return move;
}

Offer offer_of(const Move& move) {
  Offer offer;
  const int count = std::min(argument_of(move), kMaxOffers);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t word = move.words[static_cast<std::size_t>(1 + i / kPointsPerWord)];
    offer.add(static_cast<Point>((word >> (kPointBits * (i % kPointsPerWord))) & 0x3FFU));
  }
  return offer;
}

std::string point_text(Point p, int size) {
  return static_cast<char>('a' + p % size) + std::to_string(p / size + 1);
}

Point parse_point(std::string_view text, int size) {
  if (!looks_like_point(text) || text[1] == '0') return -1;
  int row = 0;
  for (const char c : text.substr(1)) row = row * 10 + (c - '0');
  const int column = text[0] - 'a';
  return column < size && row >= 1 && row <= size ? (row - 1) * size + column : -1;
}

std::string move_text(const Move& move, int size) {
  if (act_bits(move) >= kActs) return "?";
  const Act act = act_of(move);
  switch (act) {
    case Act::place:
      return point_text(argument_of(move), size);
    case Act::declare:
      return "declare " + std::to_string(argument_of(move));
    case Act::pick:
      return "pick " + point_text(argument_of(move), size);
    case Act::offer: {
      std::string text = "offer";
      const Offer offer = offer_of(move);
      for (int i = 0; i < offer.count; ++i) text += " " + point_text(offer.at(i), size);
      return text;
    }
    default:
      return std::string(word(act));
  }
}

std::variant<Move, Illegal> parse_move(std::string_view text, int size) {
  // The longest move is an offer of twelve points.
  if (text.size() > 200) return syntax(text, "it is too long");
  const std::vector<std::string> parts = split(text);
  if (parts.empty()) return syntax(text, "a move is a point such as h8, or a word such as pass");
  const std::string& first = parts[0];

  if (looks_like_point(first)) {
    if (parts.size() > 1) return syntax(text, "a stone is one point, such as h8");
    const Point p = parse_point(first, size);
    if (p < 0) return off_board(first, size);
    return make_move(Act::place, p);
  }
  const auto found = std::find(kWords.begin() + 1, kWords.end(), first);
  if (found == kWords.end()) {
    return syntax(text,
                  "moves are a point (h8), pass, claim, swap, stay, black, white, add, "
                  "declare 5, offer h8 i9, pick h8");
  }
  const Act act = static_cast<Act>(found - kWords.begin());
  if (act == Act::declare) {
    const std::string_view digits = parts.size() == 2 ? std::string_view(parts[1]) : "";
    if (digits.empty() || digits.size() > 2 || digits[0] == '0' ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      return syntax(text, "say how many fifth moves: declare 5");
    }
    int number = 0;
    for (const char c : digits) number = number * 10 + (c - '0');
    return make_move(Act::declare, number);
  }
  if (act == Act::offer || act == Act::pick) {
    const std::size_t most = act == Act::pick ? 1 : kMaxOffers;
    if (parts.size() < 2 || parts.size() - 1 > most) {
      const std::string right =
          act == Act::pick ? "pick one point: pick h8"
                           : "offer 1 to " + std::to_string(kMaxOffers) + " points: offer h8 i9";
      return Illegal{
          IllegalReason::wrong_count, std::to_string(parts.size() - 1),
          shown(text) + " names " + std::to_string(parts.size() - 1) + " points; " + right};
    }
    Offer offer;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (!looks_like_point(parts[i])) {
        return syntax(text, shown(parts[i]) + " is not a point; points look like h8");
      }
      const Point p = parse_point(parts[i], size);
      if (p < 0) return off_board(parts[i], size);
      offer.add(p);
    }
    return act == Act::pick ? make_move(Act::pick, offer.at(0)) : make_offer(offer);
  }
  if (parts.size() > 1) return syntax(text, "'" + first + "' stands alone");
  return make_move(act);
}

}  // namespace arena::gomoku
