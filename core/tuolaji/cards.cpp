#include "tuolaji/cards.hpp"

namespace arena::tuolaji {
namespace {

constexpr std::array<std::string_view, 14> kRankWords{"2", "3",  "4", "5", "6", "7", "8",
                                                      "9", "10", "J", "Q", "K", "A", "JOKER"};
constexpr std::array<std::string_view, 5> kSuitWords{"S", "H", "C", "D", "NT"};
constexpr int kJack = 9;

}  // namespace

std::string_view rank_text(int rank) { return kRankWords[static_cast<std::size_t>(rank)]; }
std::string_view suit_text(int suit) { return kSuitWords[static_cast<std::size_t>(suit)]; }

std::optional<int> read_rank(std::string_view text) {
  for (int rank = 0; rank <= kJokerLevel; ++rank) {
    if (rank_text(rank) == text) return rank;
  }
  return std::nullopt;
}

std::optional<int> read_suit(std::string_view text) {
  for (int suit = 0; suit <= kNoTrump; ++suit) {
    if (suit_text(suit) == text) return suit;
  }
  return std::nullopt;
}

std::string card_text(Kind kind) {
  if (kind == kSmallJoker) return "SJ";
  if (kind == kBigJoker) return "BJ";
  std::string text(suit_text(suit_of(kind)));
  text += rank_text(rank_of(kind));
  if (rank_of(kind) == kJack) text += 'k';
  return text;
}

std::optional<Kind> read_card(std::string_view text) {
  if (text == "SJ") return kSmallJoker;
  if (text == "BJ") return kBigJoker;
  if (text.size() < 2) return std::nullopt;
  const auto suit = read_suit(text.substr(0, 1));
  std::string_view word = text.substr(1);
  if (word == "Jk") word = "J";
  const auto rank = read_rank(word);
  if (!suit || !rank || *rank == kJokerLevel) return std::nullopt;
  return card(*suit, *rank);
}

std::string cards_text(const Cards& cards, char between) {
  std::string text;
  each_kind(cards, [&](Kind kind, int count) {
    for (int i = 0; i < count; ++i) {
      if (!text.empty()) text += between;
      text += card_text(kind);
    }
  });
  return text.empty() && between == ',' ? "-" : text;
}

}  // namespace arena::tuolaji
