#include "tuolaji/moves.hpp"

#include <bit>
#include <charconv>

namespace arena::tuolaji {
namespace {

constexpr int kPerWord = 18;
constexpr std::size_t kLongestText = 1024;
constexpr int kReadingBits = 7;

constexpr std::array<std::string_view, 9> kVerbs{"",      "pass", "call", "add", "trump",
                                                 "rebel", "bury", "play", "fine"};
constexpr std::array<std::string_view, 5> kFines{"points", "levels", "dead", "step_down", "silent"};

bool counted(Fine fine) { return fine == Fine::points || fine == Fine::levels; }

bool has_cards(Verb verb) {
  return verb == Verb::call || verb == Verb::add || verb == Verb::bury || verb == Verb::play;
}

Illegal syntax(std::string_view text, const std::string& why) {
  std::string shown = "'";
  shown.append(text.substr(0, 60));
  shown += text.size() > 60 ? "…'" : "'";
  return {IllegalReason::syntax, "", shown + ": " + why};
}

}  // namespace

Packed pack(const Cards& cards) {
  Packed packed;
  cards.each([&](Kind kind, int count) {
    packed.words[static_cast<std::size_t>(kind / kPerWord)] |= static_cast<std::uint64_t>(count)
                                                               << (3 * (kind % kPerWord));
  });
  return packed;
}

Cards unpack(const Packed& packed) {
  Cards cards;
  for (int at = 0; at < 3; ++at) {
    for (std::uint64_t word = packed.words[static_cast<std::size_t>(at)]; word != 0;) {
      const int slot = std::countr_zero(word) / 3;
      cards.set(at * kPerWord + slot, static_cast<int>((word >> (3 * slot)) & 7));
      word &= ~(std::uint64_t{7} << (3 * slot));
    }
  }
  return cards;
}

ReadingCode reading_code(const Shapes& tractors) {
  if (tractors.size() == 0) return kGroups;
  ReadingCode code = 0;
  for (int i = 0; i < tractors.size() && i < 8; ++i) {
    const auto part = static_cast<ReadingCode>(tractors[i].w | (tractors[i].l << 3));
    code |= part << (kReadingBits * i);
  }
  return code;
}

std::optional<Shapes> reading_tractors(ReadingCode code) {
  Shapes tractors;
  if (code == kGroups) return tractors;
  for (ReadingCode rest = code; rest != 0; rest >>= kReadingBits) {
    const Shape shape{static_cast<std::uint8_t>(rest & 7),
                      static_cast<std::uint8_t>((rest >> 3) & 15)};
    if (shape.w < 2 || shape.w > kMostDecks || shape.l < 2) return std::nullopt;
    tractors.add(shape);
  }
  if (tractors.size() == 0 || reading_code(tractors) != code) return std::nullopt;
  return tractors;
}

std::string reading_text(ReadingCode code) {
  const auto tractors = reading_tractors(code);
  if (!tractors) return "?";
  return tractors->size() == 0 ? "groups" : shapes_text(*tractors);
}

std::optional<ReadingCode> read_reading(std::string_view text) {
  if (text == "groups") return kGroups;
  const auto shapes = read_shapes(text);
  if (!shapes || shapes->size() == 0 || shapes->size() > 8) return std::nullopt;
  for (const Shape shape : *shapes) {
    if (!shape.tractor() || shape.l > 15) return std::nullopt;
  }
  return reading_code(*shapes);
}

Move encode(const Deed& deed) {
  Move move;
  const Packed packed = pack(deed.cards);
  for (std::size_t i = 0; i < 3; ++i) move.words[i] = packed.words[i];
  std::uint64_t rest = deed.reading;
  if (deed.verb == Verb::trump) rest = static_cast<std::uint64_t>(deed.suit);
  if (deed.verb == Verb::fine) {
    rest = static_cast<std::uint64_t>(deed.fine) | (static_cast<std::uint64_t>(deed.amount) << 8);
  }
  move.words[3] = static_cast<std::uint64_t>(deed.verb) | (rest << 8);
  return move;
}

std::optional<Deed> decode(const Move& move) {
  Deed deed;
  const std::uint64_t verb = move.words[3] & 0xFF;
  const std::uint64_t rest = move.words[3] >> 8;
  if (verb == 0 || verb > static_cast<std::uint64_t>(Verb::fine)) return std::nullopt;
  deed.verb = static_cast<Verb>(verb);
  for (std::size_t i = 0; i < 3; ++i) {
    if ((move.words[i] >> (3 * kPerWord)) != 0) return std::nullopt;
  }
  deed.cards = unpack(Packed{{move.words[0], move.words[1], move.words[2]}});
  bool real = true;
  deed.cards.each([&](Kind, int count) { real = real && count <= kMostDecks; });
  if (!real) return std::nullopt;
  if (has_cards(deed.verb) == deed.cards.empty()) return std::nullopt;
  if (deed.verb == Verb::trump) {
    if (rest > kDiamonds) return std::nullopt;
    deed.suit = static_cast<int>(rest);
  } else if (deed.verb == Verb::play) {
    if (rest != 0 && !reading_tractors(rest)) return std::nullopt;
    deed.reading = rest;
  } else if (deed.verb == Verb::fine) {
    const std::uint64_t amount = rest >> 8;
    if ((rest & 0xFF) >= kFines.size() || amount > kMostFined) return std::nullopt;
    deed.fine = static_cast<Fine>(rest & 0xFF);
    deed.amount = static_cast<int>(amount);
    if (counted(deed.fine) != (amount > 0)) return std::nullopt;
  } else if (rest != 0) {
    return std::nullopt;
  }
  return deed;
}

std::string move_text(const Move& move) {
  const auto deed = decode(move);
  if (!deed) return "?";
  std::string text(kVerbs[static_cast<std::size_t>(deed->verb)]);
  if (has_cards(deed->verb)) text += ' ' + cards_text(deed->cards);
  if (deed->verb == Verb::trump) text += ' ' + std::string(suit_text(deed->suit));
  if (deed->verb == Verb::fine) {
    text += ' ' + std::string(kFines[static_cast<std::size_t>(deed->fine)]);
    if (counted(deed->fine)) text += ' ' + std::to_string(deed->amount);
  }
  if (deed->reading != 0) text += " as " + reading_text(deed->reading);
  return text;
}

std::variant<Deed, Illegal> read_move(std::string_view text) {
  constexpr const char* kMoves =
      "a move is pass, call CARDS, add CARDS, trump SUIT, rebel, bury CARDS or "
      "play CARDS (as READING), cards as in S3 H10 CJk BJ";
  if (text.size() > kLongestText) return syntax(text, kMoves);
  std::vector<std::string_view> words;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t start = rest.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    rest.remove_prefix(start);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    words.push_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  Deed deed;
  for (std::size_t i = 1; i < kVerbs.size() && !words.empty(); ++i) {
    if (words[0] == kVerbs[i]) deed.verb = static_cast<Verb>(i);
  }
  if (deed.verb == Verb::none) return syntax(text, kMoves);
  if (deed.verb == Verb::trump) {
    const auto suit = words.size() == 2 ? read_suit(words[1]) : std::nullopt;
    if (!suit || *suit == kNoTrump) return syntax(text, "trump takes one suit, S H C or D");
    deed.suit = *suit;
    return deed;
  }
  if (deed.verb == Verb::fine) {
    constexpr const char* kRight = "fine points N, fine levels N, fine dead, step_down or silent";
    bool known = false;
    for (std::size_t i = 0; i < kFines.size() && words.size() > 1; ++i) {
      if (words[1] != kFines[i]) continue;
      deed.fine = static_cast<Fine>(i);
      known = words.size() == (counted(deed.fine) ? 3U : 2U);
    }
    if (!known) return syntax(text, kRight);
    if (!counted(deed.fine)) return deed;
    const auto [end, error] =
        std::from_chars(words[2].data(), words[2].data() + words[2].size(), deed.amount);
    if (error != std::errc{} || end != words[2].data() + words[2].size() || deed.amount < 1 ||
        deed.amount > kMostFined) {
      return syntax(text, kRight);
    }
    return deed;
  }
  if (!has_cards(deed.verb)) {
    if (words.size() > 1) return syntax(text, "nothing follows this word");
    return deed;
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "as" && deed.verb == Verb::play) {
      const auto code = i + 2 == words.size() ? read_reading(words[i + 1]) : std::nullopt;
      if (!code) return syntax(text, "a reading is 'groups' or tractors as in 2x3+2x2");
      deed.reading = *code;
      break;
    }
    const auto kind = read_card(words[i]);
    if (!kind) return syntax(text, std::string(words[i].substr(0, 12)) + " is no card; " + kMoves);
    if (deed.cards[*kind] == kMostDecks) {
      return syntax(text, "more than " + std::to_string(kMostDecks) + " of " + card_text(*kind));
    }
    deed.cards.add(*kind);
  }
  if (deed.cards.empty()) return syntax(text, "cards must follow");
  return deed;
}

}  // namespace arena::tuolaji
